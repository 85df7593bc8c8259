// SPDX-License-Identifier: MIT
//
// vksort.hpp and vksort::host: types to enumerations, handles that move, data in and sorted data out.
#include <type_traits>

#include "vksort/vksort.hpp"

#include "../harness/environment.h"
#include "../harness/manual.h"

namespace vksort::test {
namespace {

enum class Layer : uint16_t {};
struct Triple {
    float x, y, z;
};
struct Matrix4 {
    float elements[16];
};

static_assert(key_type<uint8_t>() == VKSORT_KEY_U8 && key_type<int8_t>() == VKSORT_KEY_I8);
static_assert(key_type<uint16_t>() == VKSORT_KEY_U16 && key_type<int16_t>() == VKSORT_KEY_I16);
static_assert(key_type<uint32_t>() == VKSORT_KEY_U32 && key_type<int32_t>() == VKSORT_KEY_I32);
static_assert(key_type<uint64_t>() == VKSORT_KEY_U64 && key_type<int64_t>() == VKSORT_KEY_I64);
static_assert(key_type<float>() == VKSORT_KEY_F32 && key_type<double>() == VKSORT_KEY_F64);
static_assert(key_type<Layer>() == VKSORT_KEY_U16);
static_assert(sort_pairs<float, Triple>(9).valueSize == 12 && sort_pairs<float, Triple>(9).maxCount == 9);
static_assert((argsort<int64_t>(1, VKSORT_PLAN_DESCENDING_BIT).flags) ==
              (VKSORT_PLAN_ARGSORT_BIT | VKSORT_PLAN_DESCENDING_BIT));
static_assert(gather_records<Matrix4>(1).valueSize == 64 && gather_records<Matrix4>(1).operation == VKSORT_OPERATION_GATHER);
static_assert(!std::is_copy_constructible_v<cpp::Plan> && std::is_nothrow_move_constructible_v<cpp::Plan>);
static_assert(!std::is_copy_constructible_v<cpp::Context> && std::is_nothrow_move_assignable_v<cpp::Context>);

class CppApi : public DeviceTest {};

TEST_F(CppApi, HandlesMoveAndCleanUp) {
    cpp::Context context;
    EXPECT_FALSE(context);
    ASSERT_EQ(context.create(context_create_info()), VK_SUCCESS);
    EXPECT_TRUE(context);
    cpp::Plan plan;
    EXPECT_EQ(plan.info().passCount, 0u) << "an empty plan has no info";
    ASSERT_EQ(plan.create(context, sort_pairs<float, uint32_t>(1'000)), VK_SUCCESS);
    VksortPlan handle = plan.get();
    cpp::Plan moved = std::move(plan);
    EXPECT_FALSE(plan);
    EXPECT_EQ(moved.get(), handle);
    VksortPlanDesc wrong = sort_keys<float>(1'000);
    wrong.valueSize = 2;
    EXPECT_EQ(moved.create(context, wrong), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(moved.get(), handle) << "a failure leaves what was there";
    expect_message("valueSize 2");
    ASSERT_EQ(moved.create(context, sort_keys<uint64_t>(5'000)), VK_SUCCESS);
    EXPECT_EQ(moved.info().maxCount, 5'000u);
    plan = std::move(moved);
    plan.reset();
    EXPECT_FALSE(plan);
    cpp::Context other = std::move(context);
    EXPECT_TRUE(other && !context);
    cpp::Context taken(other.release());
    EXPECT_TRUE(taken && !other);
    // Validation reports what is not destroyed when the device goes.
}

// Creates a device with a chain of features and a context with all that is required. The layer objects to wrong chains.
void expect_device(void* application) {
    const auto load = [](const char* name) { return device().get_instance_proc_addr()(device().instance(), name); };
    VksortRequiredFeatures required = {};
    ASSERT_EQ(cpp::get_required_features(device().instance(), device().physical_device(), device().get_instance_proc_addr(),
                                         required),
              VK_SUCCESS);
    cpp::FeatureChain chain(required, application);
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = {};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = device().queue_family();
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = chain.head();
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = required.extensionCount;
    info.ppEnabledExtensionNames = required.extensions;
    VkDevice made = VK_NULL_HANDLE;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(load("vkCreateDevice"));
    ASSERT_EQ(create(device().physical_device(), &info, nullptr, &made), VK_SUCCESS);
    {
        VksortContextCreateInfo context_info = context_create_info();
        context_info.device = made;
        context_info.enabledFeatures = required.features;
        cpp::Context context;
        cpp::Plan plan;
        EXPECT_EQ(context.create(context_info), VK_SUCCESS);
        EXPECT_EQ(plan.create(context, sort_keys<uint32_t>(100'000)), VK_SUCCESS) << "its kernels use the features";
    }
    reinterpret_cast<PFN_vkDestroyDevice>(load("vkDestroyDevice"))(made, nullptr);
}

// The instance here is of Vulkan 1.2; the examples make devices with the struct of 1.3.
TEST_F(CppApi, FeatureChainOfVersions) {
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    expect_device(&vulkan12);
}

TEST_F(CppApi, FeatureChainOfExtensions) {
    expect_device(nullptr);
    VkPhysicalDevice16BitStorageFeatures other = {};
    other.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
    expect_device(&other);
}

TEST_F(CppApi, SortsAndGathers) {
    constexpr uint64_t kCount = 3'001;
    cpp::Context context;
    ASSERT_EQ(context.create(context_create_info()), VK_SUCCESS);
    cpp::Plan sort;
    cpp::Plan gather;
    ASSERT_EQ(sort.create(context, argsort<double>(kCount, VKSORT_PLAN_DESCENDING_BIT)), VK_SUCCESS);
    ASSERT_EQ(gather.create(context, gather_records<Triple>(kCount)), VK_SUCCESS);
    VksortPlanInfo info = sort.info();
    Bytes input = generate_keys(VKSORT_KEY_F64, kCount, Distribution::special, test_seed());
    Bytes content = generate_values(kCount, 12);
    MappedBuffer keys(input.size(), info.bufferUsage, input);
    MappedBuffer indices(4 * kCount, info.bufferUsage);
    MappedBuffer records(content.size(), info.bufferUsage, content);
    MappedBuffer out(content.size(), info.bufferUsage);
    MappedBuffer scratch(std::max<uint64_t>(info.scratchSize, 4),
                         info.scratchSize > 0 ? info.scratchUsage : info.bufferUsage);
    DescriptorPool pool(info, 1);
    DescriptorPool gather_pool(gather.info(), 1);
    VksortSortBuffers buffers = {};
    buffers.keys = keys.range();
    buffers.values = indices.range();
    buffers.scratch = scratch.range();
    buffers.count = kCount;
    buffers.descriptorPool = pool.handle();
    VksortGatherBuffers gathered = {};
    gathered.records = records.range();
    gathered.indices = indices.range();
    gathered.out = out.range();
    gathered.count = kCount;
    gathered.descriptorPool = gather_pool.handle();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, info);
        sort.sort(commands, buffers);
        plan_to_plan(commands, info, gather.info());
        gather.gather(commands, gathered);
        plan_to_host(commands, gather.info());
    });
    Recording::run({&recording});
    std::vector<uint32_t> order = reference::argsort(input, {.type = VKSORT_KEY_F64, .descending = true});
    Bytes expected = reference::gather(content, 12, order);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.bytes().begin()));
}

TEST_F(CppApi, MergesAndSortsSegments) {
    cpp::Context context;
    ASSERT_EQ(context.create(context_create_info()), VK_SUCCESS);
    cpp::Plan merge;
    cpp::Plan segmented;
    ASSERT_EQ(merge.create(context, merge_keys<uint32_t>(3, 4)), VK_SUCCESS);
    ASSERT_EQ(segmented.create(context, cpp::sort_segments<uint32_t>(7, VKSORT_SEGMENTS_OFFSETS, 2)), VK_SUCCESS);
    const std::vector<uint32_t> a = {2, 5, 9}, b = {1, 5, 6, 30}, offsets = {0, 3, 4, 7};
    const VkBufferUsageFlags usage = merge.info().bufferUsage;
    const auto bytes = [](const std::vector<uint32_t>& words) {
        const ByteSpan span = std::as_bytes(std::span(words));
        return Bytes(span.begin(), span.end());
    };
    MappedBuffer keys_a(12, usage, bytes(a)), keys_b(16, usage, bytes(b)), out(28, usage);
    MappedBuffer keys(28, usage, bytes({9, 8, 7, 6, 5, 4, 3})), segments(16, usage, bytes(offsets));
    MappedBuffer merge_scratch(merge.info().scratchSize, merge.info().scratchUsage);
    MappedBuffer segmented_scratch(segmented.info().scratchSize, segmented.info().scratchUsage);
    DescriptorPool merge_pool(merge.info(), 1), segmented_pool(segmented.info(), 1);
    VksortMergeBuffers merged = {};
    merged.keysA = keys_a.range();
    merged.keysB = keys_b.range();
    merged.keysOut = out.range();
    merged.scratch = merge_scratch.range();
    merged.countA = a.size();
    merged.countB = b.size();
    merged.descriptorPool = merge_pool.handle();
    VksortSegmentedSortBuffers sorted = {};
    sorted.keys = keys.range();
    sorted.segments = segments.range();
    sorted.scratch = segmented_scratch.range();
    sorted.count = 7;
    sorted.segmentCount = 2;
    sorted.descriptorPool = segmented_pool.handle();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, merge.info());
        merge.merge(commands, merged);
        segmented.sort_segments(commands, sorted);
        plan_to_host(commands, merge.info());
    });
    Recording::run({&recording});
    const Bytes expected_merge = bytes({1, 2, 5, 5, 6, 9, 30}), expected_sort = bytes({7, 8, 9, 6, 3, 4, 5});
    EXPECT_TRUE(std::equal(expected_merge.begin(), expected_merge.end(), out.bytes().begin()));
    EXPECT_TRUE(std::equal(expected_sort.begin(), expected_sort.end(), keys.bytes().begin()));
}

class Host : public DeviceTest {};

TEST_F(Host, SortsWhatItIsGiven) {
    for (bool argsort : {false, true}) {
        for (uint64_t count : {0u, 1u, 2u, 1'000u, 30'011u}) {
            host::SortRequest request;
            request.desc.keyType = VKSORT_KEY_I16;
            request.desc.flags = argsort ? VkFlags{VKSORT_PLAN_ARGSORT_BIT} : 0;
            request.desc.valueSize = argsort ? 0 : 8;
            Bytes keys = generate_keys(VKSORT_KEY_I16, count, Distribution::zipf, count);
            Bytes values = generate_values(count, argsort ? 0 : 8);
            request.keys = keys;
            request.values = values;
            host::SortOutcome outcome = host::sort(device(), request);
            std::vector<uint32_t> order = reference::argsort(keys, {.type = VKSORT_KEY_I16});
            EXPECT_EQ(outcome.keys, reference::gather(keys, 2, order)) << count;
            ByteSpan indices = std::as_bytes(std::span(order));
            EXPECT_EQ(outcome.values, argsort ? Bytes(indices.begin(), indices.end()) : reference::gather(values, 8, order));
            EXPECT_EQ(outcome.plan.maxCount, count);
            if (device().timestamp_period() > 0 && count > 0) {
                EXPECT_EQ(outcome.passes.size(), outcome.plan.passCount);
            }
        }
    }
}

TEST_F(Host, RefusesInWords) {
    Bytes keys(10);
    host::SortRequest request;
    request.keys = keys; // not a multiple of 4 bytes
    EXPECT_THROW(host::sort(device(), request), host::Error);
    Bytes whole(40), values(36);
    request.keys = whole;
    request.desc.valueSize = 4;
    request.values = values; // nine values for ten keys
    try {
        host::sort(device(), request);
        ADD_FAILURE() << "values of another length were taken";
    } catch (const host::Error& error) {
        EXPECT_EQ(error.kind, host::Error::Kind::usage);
        EXPECT_GT(std::string(error.what()).size(), 20u);
    }
    take_messages();
}

} // namespace
} // namespace vksort::test
