// SPDX-License-Identifier: MIT
//
// The interface of VRDX, as its users call it: every call of 0.4 and of 0.6 against a stable sort on the CPU.
#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "gpu.h"

namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
// The only usage that VRDX requires of the buffer with the count. Shaders cannot read such a buffer.
constexpr VkBufferUsageFlags kCountUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

enum class Calls { v04, v06 };

struct Case {
    uint32_t count;    // in the buffer, or of the call
    uint32_t maxCount; // of the call
    bool hasValues = true;
    bool indirect = false;
    Calls calls = Calls::v06;
};

class Vrdx : public testing::Test {
protected:
    void SetUp() override { messages.clear(); }
    void TearDown() override {
        if (sorter != VK_NULL_HANDLE) {
            vrdxDestroySorter(sorter);
        }
        EXPECT_EQ(messages, expectedMessages);
    }

    // Storage of exactly the required size, after an offset: validation reports a binding that reaches past its end.
    void make_storage(uint32_t maxCount, VrdxSortMode mode) {
        VrdxSorterStorageRequirements needs = {};
        vrdxGetSorterStorageRequirements(sorter, maxCount, mode, &needs);
        ASSERT_NE(needs.size, 0u);
        storageOffset = 3 * gpu.alignment;
        storage = gpu.create_buffer(storageOffset + needs.size, needs.usage);
    }

    void make_buffers(uint32_t maxCount) {
        keys = gpu.create_buffer(gpu.alignment + uint64_t{maxCount} * 4 + 4, kStorage);
        values = gpu.create_buffer(uint64_t{maxCount} * 4 + 4, kStorage);
        counts = gpu.create_buffer(64, kCountUsage);
    }

    void fill(const Case& sort) {
        uint32_t* key = keys.words + gpu.alignment / 4;
        for (uint32_t i = 0; i < sort.maxCount; ++i) {
            key[i] = random() % (i % 2 == 0 ? 97 : UINT32_MAX);
            values.words[i] = i;
        }
        key[sort.maxCount] = values.words[sort.maxCount] = 0xD15EA5E; // must stay unchanged
        counts.words[5] = sort.count;
        before.assign(key, key + sort.maxCount);
    }

    void record(VkCommandBuffer commandBuffer, const Case& sort, VkQueryPool queries = VK_NULL_HANDLE, uint32_t query = 0) {
        const VkBuffer countBuffer = sort.indirect ? counts.buffer : VK_NULL_HANDLE;
        const VkBuffer valueBuffer = sort.hasValues ? values.buffer : VK_NULL_HANDLE;
        if (sort.calls == Calls::v06) {
            VrdxSortInfo info = {};
            info.elementCount = sort.maxCount;
            info.elementCountBuffer = countBuffer;
            info.elementCountOffset = sort.indirect ? 20 : 0;
            info.keysBuffer = keys.buffer;
            info.keysOffset = gpu.alignment;
            info.valuesBuffer = valueBuffer;
            info.storageBuffer = storage.buffer;
            info.storageOffset = storageOffset;
            info.queryPool = queries;
            info.query = query;
            vrdxCmdSort(commandBuffer, sorter, &info);
        } else if (sort.indirect && sort.hasValues) {
            vrdxCmdSortKeyValueIndirect(commandBuffer, sorter, sort.maxCount, countBuffer, 20, keys.buffer, gpu.alignment,
                                        valueBuffer, 0, storage.buffer, storageOffset, queries, query);
        } else if (sort.indirect) {
            vrdxCmdSortIndirect(commandBuffer, sorter, sort.maxCount, countBuffer, 20, keys.buffer, gpu.alignment,
                                storage.buffer, storageOffset, queries, query);
        } else if (sort.hasValues) {
            vrdxCmdSortKeyValue(commandBuffer, sorter, sort.maxCount, keys.buffer, gpu.alignment, valueBuffer, 0,
                                storage.buffer, storageOffset, queries, query);
        } else {
            vrdxCmdSort(commandBuffer, sorter, sort.maxCount, keys.buffer, gpu.alignment, storage.buffer, storageOffset,
                        queries, query);
        }
    }

    void check(const Case& sort) {
        const uint32_t count = sort.indirect ? std::min(sort.count, sort.maxCount) : sort.maxCount;
        std::vector<uint32_t> order(sort.maxCount);
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.begin() + count,
                         [&](uint32_t a, uint32_t b) { return before[a] < before[b]; });
        const uint32_t* key = keys.words + gpu.alignment / 4;
        for (uint32_t i = 0; i < sort.maxCount; ++i) {
            ASSERT_EQ(key[i], before[order[i]]) << "key " << i << " of " << count << " of " << sort.maxCount;
            ASSERT_EQ(values.words[i], sort.hasValues ? order[i] : i) << "value " << i << " of " << count;
        }
        ASSERT_EQ(key[sort.maxCount], 0xD15EA5Eu);
        ASSERT_EQ(values.words[sort.maxCount], 0xD15EA5Eu);
    }

    void run(const Case& sort) {
        fill(sort);
        VkCommandBuffer commandBuffer = gpu.begin();
        barrier_before(commandBuffer);
        record(commandBuffer, sort);
        barrier_after(commandBuffer);
        gpu.submit(commandBuffer);
        check(sort);
    }

    Gpu gpu;
    VrdxSorter sorter = gpu.create_sorter();
    Buffer keys, values, counts, storage;
    VkDeviceSize storageOffset = 0;
    std::vector<uint32_t> before;
    std::vector<std::string> expectedMessages;
    uint32_t random() { return static_cast<uint32_t>(engine_()); }

private:
    std::mt19937 engine_{1};
};

using VrdxDirect = Vrdx;
using VrdxIndirect = Vrdx;

constexpr uint32_t kCounts[] = {0, 1, 2048, 2049, 4097, 5000, 70001};

// Every count has a plan of its own; the second round finds plans that larger counts have followed, in the same storage.
TEST_F(VrdxDirect, CountsGrowAndShrink) {
    make_buffers(70001);
    make_storage(70001, VRDX_SORT_MODE_KEY_VALUE);
    std::vector<uint32_t> sizes(std::begin(kCounts), std::end(kCounts));
    for (int round = 0; round < 2; ++round, std::reverse(sizes.begin(), sizes.end())) {
        for (const uint32_t count : sizes) {
            for (const Calls calls : {Calls::v04, Calls::v06}) {
                run({count, count, true, false, calls});
                run({count, count, false, false, calls}); // in storage that is large enough for values
            }
        }
    }
}

TEST_F(VrdxDirect, KeysAloneInTheirStorage) {
    make_buffers(70001);
    make_storage(70001, VRDX_SORT_MODE_KEYS_ONLY);
    for (const uint32_t count : kCounts) {
        run({count, count, false, false, Calls::v04});
    }
}

TEST_F(VrdxIndirect, CountsFromABuffer) {
    make_buffers(70001);
    make_storage(70001, VRDX_SORT_MODE_KEY_VALUE);
    for (const uint32_t most : {1u, 4096u, 70001u}) {
        for (const uint32_t count : {0u, 1u, most / 2, most, most + 1000}) { // the last is clamped
            const Calls calls = count % 2 == 0 ? Calls::v04 : Calls::v06;
            run({count, most, true, true, calls});
            run({count, most, false, true, calls});
            run({most, most, false, false, calls}); // a plan for the same capacity, but with the count from the host
        }
    }
}

// Two sorts in one command buffer, with the barrier between them that VRDX requires. That barrier names neither writes to
// the keys nor copies to storage. Counts up to 2048 have plans of one dispatch, for which older layers report no false
// hazards even if the count is on the GPU.
TEST_F(VrdxDirect, TwoSortsShareStorage) {
    make_buffers(20000);
    make_storage(20000, VRDX_SORT_MODE_KEY_VALUE);
    for (const Case& sort : {Case{20000, 20000}, Case{1500, 2000, true, true}}) {
        fill(sort);
        VkCommandBuffer commandBuffer = gpu.begin();
        record(commandBuffer, sort);
        VkMemoryBarrier memory = {};
        memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        memory.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
        vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1,
                             &memory, 0, nullptr, 0, nullptr);
        record(commandBuffer, sort);
        gpu.submit(commandBuffer);
        check(sort); // the second sort found sorted keys
    }
}

// With more upper bounds than plans are kept, commands that were recorded with a dropped plan still run.
TEST_F(VrdxIndirect, ManyUpperBounds) {
    constexpr uint32_t kSorts = 300;
    make_buffers(4096);
    make_storage(4096, VRDX_SORT_MODE_KEY_VALUE);
    const VkDeviceSize stride = 4096 * 4;
    Buffer many = gpu.create_buffer(kSorts * stride, kStorage);
    for (uint32_t i = 0; i < kSorts * stride / 4; ++i) {
        many.words[i] = random();
    }
    const std::vector<uint32_t> unsorted(many.words, many.words + kSorts * stride / 4);
    counts.words[0] = 4096; // clamped to each bound
    VkCommandBuffer commandBuffer = gpu.begin();
    for (uint32_t i = 0; i < kSorts; ++i) {
        vrdxCmdSortIndirect(commandBuffer, sorter, 1000 + 10 * i, counts.buffer, 0, many.buffer, i * stride, storage.buffer,
                            storageOffset, VK_NULL_HANDLE, 0);
    }
    gpu.submit(commandBuffer);
    for (uint32_t i = 0; i < kSorts; ++i) {
        std::vector<uint32_t> expected(unsorted.begin() + 4096 * i, unsorted.begin() + 4096 * (i + 1));
        std::sort(expected.begin(), expected.begin() + 1000 + 10 * i);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), many.words + 4096 * i)) << "sort " << i;
    }
}

class VrdxTimestamps : public Vrdx {
protected:
    // Writes 15 timestamps from query 3 on, and reads them.
    void timed(const Case& sort) {
        VkQueryPoolCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = 20;
        VkQueryPool queries = VK_NULL_HANDLE;
        REQUIRE(vkCreateQueryPool(gpu.device, &info, nullptr, &queries));
        fill(sort);
        VkCommandBuffer commandBuffer = gpu.begin();
        vkCmdResetQueryPool(commandBuffer, queries, 0, 20);
        record(commandBuffer, sort, queries, 3);
        gpu.submit(commandBuffer);
        uint64_t times[20][2] = {}; // with availability
        vkGetQueryPoolResults(gpu.device, queries, 0, 20, sizeof times, times, sizeof times[0],
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        vkDestroyQueryPool(gpu.device, queries, nullptr);
        for (uint32_t i = 0; i < 20; ++i) {
            ASSERT_EQ(times[i][1] != 0, i >= 3 && i < 18) << "query " << i;
            if (i > 3 && i < 18) {
                ASSERT_GE(times[i][0], times[i - 1][0]) << "query " << i;
            }
        }
        duration = times[17][0] - times[3][0];
        ofDispatches = times[16][0] - times[5][0];
    }
    uint64_t duration = 0;
    uint64_t ofDispatches = 0; // from the first of the twelve to the last
};

TEST_F(VrdxTimestamps, OfFewAndManyDispatches) {
    make_buffers(70001);
    make_storage(70001, VRDX_SORT_MODE_KEY_VALUE);
    for (const uint32_t count : {1u, 70001u}) { // a plan of one dispatch, and a plan of merge
        for (const bool indirect : {false, true}) {
            const Case sort = {count, count, true, indirect};
            timed(sort);
            check(sort);
        }
    }
    EXPECT_GT(ofDispatches, duration / 4); // spread over the dispatches
}

TEST_F(VrdxTimestamps, AreWrittenThoughNothingIsSorted) {
    make_buffers(64);
    make_storage(64, VRDX_SORT_MODE_KEY_VALUE);
    timed({0, 0});
    storage.buffer = VK_NULL_HANDLE;
    timed({64, 64});
    expectedMessages = {"vrdxCmdSort recorded nothing: storageBuffer is VK_NULL_HANDLE"};
}

TEST_F(Vrdx, StorageGrows) {
    VkDeviceSize last = 0;
    for (uint32_t count = 0; count < 30000000; count += count / 5 + 1) {
        VrdxSorterStorageRequirements ofKeys = {}, ofPairs = {}, other = {};
        vrdxGetSorterStorageRequirements(sorter, count, VRDX_SORT_MODE_KEYS_ONLY, &ofKeys);
        vrdxGetSorterStorageRequirements(sorter, count, VRDX_SORT_MODE_KEY_VALUE, &ofPairs);
        EXPECT_GE(ofPairs.size, ofKeys.size);
        EXPECT_GE(ofPairs.size, last);
        last = ofPairs.size;
        vrdxGetSorterStorageRequirements(sorter, count, &other); // of 0.4
        EXPECT_EQ(other.size, ofKeys.size);
        vrdxGetSorterKeyValueStorageRequirements(sorter, count, &other);
        EXPECT_EQ(other.size, ofPairs.size);
        EXPECT_EQ(other.usage, VkFlags{VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                       VK_BUFFER_USAGE_TRANSFER_DST_BIT});
    }
}

// Four threads record with one sorter, and need the same plans.
TEST_F(VrdxIndirect, ThreadsShareASorter) {
    constexpr uint32_t kThreads = 4, kCount = 6000;
    struct Work {
        Buffer keys, storage;
        VkCommandBuffer commandBuffer;
        std::vector<uint32_t> expected;
    };
    make_buffers(1);
    counts.words[0] = kCount;
    std::vector<Work> works;
    for (uint32_t i = 0; i < kThreads; ++i) {
        make_storage(kCount, VRDX_SORT_MODE_KEYS_ONLY);
        Work work = {gpu.create_buffer(kCount * 4, kStorage), storage, gpu.begin(gpu.create_pool()), {}};
        for (uint32_t k = 0; k < kCount; ++k) {
            work.keys.words[k] = random();
        }
        work.expected.assign(work.keys.words, work.keys.words + kCount);
        std::sort(work.expected.begin(), work.expected.end());
        works.push_back(work);
    }
    std::vector<std::thread> threads;
    for (Work& work : works) {
        threads.emplace_back([&] {
            vrdxCmdSortIndirect(work.commandBuffer, sorter, kCount, counts.buffer, 0, work.keys.buffer, 0,
                                work.storage.buffer, storageOffset, VK_NULL_HANDLE, 0);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (Work& work : works) {
        gpu.submit(work.commandBuffer);
        EXPECT_TRUE(std::equal(work.expected.begin(), work.expected.end(), work.keys.words));
    }
}

TEST_F(VrdxDirect, AlgorithmsByName) {
    make_buffers(9000);
    for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_ONE_WORKGROUP}) {
        vrdxDestroySorter(sorter);
        sorter = gpu.create_sorter(algorithm);
        make_storage(9000, VRDX_SORT_MODE_KEY_VALUE);
        run({1000, 1000});
        run({9000, 9000}); // does not fit one workgroup
    }
}

TEST_F(VrdxDirect, MisuseIsReported) {
    make_buffers(100);
    make_storage(100, VRDX_SORT_MODE_KEY_VALUE);
    const Case sort = {100, 100};
    fill(sort);
    VkCommandBuffer commandBuffer = gpu.begin();
    VrdxSortInfo good = {};
    good.elementCount = 100;
    good.keysBuffer = keys.buffer;
    good.keysOffset = gpu.alignment;
    good.valuesBuffer = values.buffer;
    good.storageBuffer = storage.buffer;
    good.storageOffset = storageOffset;
    const std::string alignment = std::to_string(gpu.alignment);
    const auto refused = [&](const VrdxSortInfo& info, const std::string& why) {
        vrdxCmdSort(commandBuffer, sorter, &info);
        expectedMessages.push_back(why);
        ASSERT_EQ(messages, expectedMessages);
    };
    VrdxSortInfo bad = good;
    bad.keysBuffer = VK_NULL_HANDLE;
    refused(bad, "vrdxCmdSort recorded nothing: keysBuffer is VK_NULL_HANDLE");
    bad = good;
    bad.storageBuffer = VK_NULL_HANDLE;
    refused(bad, "vrdxCmdSort recorded nothing: storageBuffer is VK_NULL_HANDLE");
    bad = good;
    bad.keysOffset = 2;
    refused(bad, "vrdxCmdSort recorded nothing: the keysOffset 2 is not a multiple of " + alignment);
    bad = good;
    bad.valuesOffset = 2;
    refused(bad, "vrdxCmdSort recorded nothing: the valuesOffset 2 is not a multiple of " + alignment);
    bad = good;
    bad.storageOffset = 2;
    refused(bad, "vrdxCmdSort recorded nothing: the storageOffset 2 is not a multiple of " + alignment);
    bad = good;
    bad.elementCountBuffer = counts.buffer;
    bad.elementCountOffset = 3;
    refused(bad, "vrdxCmdSort recorded nothing: the elementCountOffset 3 is not a multiple of 4");
    bad = good;
    bad.valuesBuffer = keys.buffer;
    bad.valuesOffset = gpu.alignment;
    refused(bad, "vksortCmdSort recorded nothing: `keys` and `values` overlap in memory");
    vrdxCmdSort(commandBuffer, sorter, nullptr);
    expectedMessages.push_back("vrdxCmdSort needs a command buffer, a sorter and pSortInfo");
    vrdxCmdSort(VK_NULL_HANDLE, sorter, &good);
    expectedMessages.push_back(expectedMessages.back());
    vrdxCmdSort(commandBuffer, VK_NULL_HANDLE, &good); // There is no callback to report to.
    vrdxGetSorterStorageRequirements(VK_NULL_HANDLE, 1, nullptr);
    EXPECT_EQ(vrdxPrepareSorter(VK_NULL_HANDLE, 1, VRDX_SORT_MODE_KEYS_ONLY, VK_FALSE), VK_ERROR_INITIALIZATION_FAILED);
    vrdxDestroySorter(VK_NULL_HANDLE);
    record(commandBuffer, sort); // The command buffer and the sorter are still valid.
    gpu.submit(commandBuffer);
    check(sort);
}

TEST_F(VrdxDirect, TooManyElements) {
    make_buffers(1);
    make_storage(1, VRDX_SORT_MODE_KEYS_ONLY);
    VrdxSorterStorageRequirements needs = {};
    vrdxGetSorterStorageRequirements(sorter, UINT32_MAX, &needs);
    EXPECT_EQ(needs.size, 0u);
    VkCommandBuffer commandBuffer = gpu.begin();
    vrdxCmdSort(commandBuffer, sorter, UINT32_MAX, keys.buffer, 0, storage.buffer, 0, VK_NULL_HANDLE, 0);
    gpu.submit(commandBuffer);
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].rfind("4294967295 elements are too many: the device can sort ", 0), 0u) << messages[0];
    EXPECT_EQ(messages[1].rfind("4294967295 elements cannot be sorted: ", 0), 0u) << messages[1];
    expectedMessages = messages;
}

TEST(VrdxSorter, NeedsPushDescriptors) {
    DeviceOptions options;
    options.pushDescriptor = false;
    const Gpu gpu(options);
    messages.clear();
    VrdxSorterCreateInfo info = {};
    info.physicalDevice = gpu.physicalDevice;
    info.device = gpu.device;
    info.messageCallback = on_message;
    VrdxSorter sorter = reinterpret_cast<VrdxSorter>(&info);
    EXPECT_NE(vrdxCreateSorter(&info, &sorter), VK_SUCCESS);
    EXPECT_EQ(sorter, VrdxSorter{VK_NULL_HANDLE});
    EXPECT_EQ(messages.size(), 1u);
    EXPECT_NE(messages.at(0).find("vkCmdPushDescriptorSetKHR"), std::string::npos) << messages.at(0);
    EXPECT_EQ(vrdxCreateSorter(&info, nullptr), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(vrdxCreateSorter(nullptr, &sorter), VK_ERROR_INITIALIZATION_FAILED);
}

TEST(VrdxSorter, ReadsTheFeaturesOfADevice) {
    DeviceOptions options;
    EXPECT_EQ(Gpu(options).features, 0u);
    options.allFeatures = true;
    const VkFlags both = VKSORT_FEATURE_MEMORY_MODEL_BIT | VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT;
    EXPECT_EQ(Gpu(options).features, both);
    EXPECT_EQ(vrdxGetEnabledFeatures(nullptr), 0u);
    // The structs of single extensions, and halves of a feature.
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {};
    model.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
    model.vulkanMemoryModel = VK_TRUE;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {};
    sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    sizes.pNext = &model;
    sizes.subgroupSizeControl = VK_TRUE;
    VkDeviceCreateInfo info = {};
    info.pNext = &sizes;
    EXPECT_EQ(vrdxGetEnabledFeatures(&info), 0u);
    model.vulkanMemoryModelDeviceScope = VK_TRUE;
    sizes.computeFullSubgroups = VK_TRUE;
    EXPECT_EQ(vrdxGetEnabledFeatures(&info), both);
}

#ifdef VKSORT_TEST_VOLK
// A sorter that was prepared compiles nothing while it records.
TEST(VrdxSorter, PreparesAhead) {
    { const Gpu first; } // loads the functions
    count_pipelines();
    Gpu gpu;
    VrdxSorter sorter = gpu.create_sorter();
    EXPECT_EQ(pipelinesCreated, 0u);
    EXPECT_EQ(vrdxPrepareSorter(sorter, 5000, VRDX_SORT_MODE_KEY_VALUE, VK_FALSE), VK_SUCCESS);
    EXPECT_EQ(vrdxPrepareSorter(sorter, 5000, VRDX_SORT_MODE_KEY_VALUE, VK_TRUE), VK_SUCCESS);
    const uint32_t prepared = pipelinesCreated;
    EXPECT_GT(prepared, 0u);
    Buffer keys = gpu.create_buffer(20000, kStorage), values = gpu.create_buffer(20000, kStorage);
    Buffer counts = gpu.create_buffer(4, kCountUsage);
    VrdxSorterStorageRequirements needs = {};
    vrdxGetSorterKeyValueStorageRequirements(sorter, 5000, &needs);
    Buffer storage = gpu.create_buffer(needs.size, needs.usage);
    VkCommandBuffer commandBuffer = gpu.begin();
    vrdxCmdSortKeyValue(commandBuffer, sorter, 5000, keys.buffer, 0, values.buffer, 0, storage.buffer, 0, VK_NULL_HANDLE, 0);
    vrdxCmdSortKeyValueIndirect(commandBuffer, sorter, 5000, counts.buffer, 0, keys.buffer, 0, values.buffer, 0,
                                storage.buffer, 0, VK_NULL_HANDLE, 0);
    EXPECT_EQ(pipelinesCreated, prepared);
    REQUIRE(vkEndCommandBuffer(commandBuffer));
    vrdxDestroySorter(sorter);
}
#endif

} // namespace
