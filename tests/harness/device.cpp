// SPDX-License-Identifier: MIT
#include "device.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <mutex>

#include "arena.h"
#include "budget.h"
#include "context.h"
#include "environment.h"
#include "gpu_validation.h"
#include "select.h"
#include "subgroup_barriers.h"
#include "tuning.h"

namespace vksort::test {

namespace {

// Enough to see what is wrong; a kernel that races can give millions.
constexpr size_t kMessagesKept = 12;

struct Mailbox {
    std::mutex mutex;
    std::vector<std::string> messages;
    uint64_t dropped = 0;

    void add(const std::string& text) {
        std::lock_guard lock(mutex);
        if (messages.size() < kMessagesKept) {
            messages.push_back(text);
        } else {
            ++dropped;
        }
    }
};

Mailbox& mailbox() {
    static Mailbox the_mailbox;
    return the_mailbox;
}

std::unique_ptr<host::Device>& device_slot() {
    static std::unique_ptr<host::Device> slot;
    return slot;
}

std::map<Limits, std::unique_ptr<Context>>& contexts() {
    static std::map<Limits, std::unique_ptr<Context>> by_limits;
    return by_limits;
}

Functions load_functions() {
    Functions functions = {};
    auto load = [](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(device().function(name));
    };
    load(functions.create_buffer, "vkCreateBuffer");
    load(functions.destroy_buffer, "vkDestroyBuffer");
    load(functions.get_buffer_memory_requirements, "vkGetBufferMemoryRequirements");
    load(functions.allocate_memory, "vkAllocateMemory");
    load(functions.free_memory, "vkFreeMemory");
    load(functions.bind_buffer_memory, "vkBindBufferMemory");
    load(functions.map_memory, "vkMapMemory");
    load(functions.create_command_pool, "vkCreateCommandPool");
    load(functions.destroy_command_pool, "vkDestroyCommandPool");
    load(functions.allocate_command_buffers, "vkAllocateCommandBuffers");
    load(functions.begin_command_buffer, "vkBeginCommandBuffer");
    load(functions.end_command_buffer, "vkEndCommandBuffer");
    load(functions.get_device_queue, "vkGetDeviceQueue");
    load(functions.queue_submit, "vkQueueSubmit");
    load(functions.queue_wait_idle, "vkQueueWaitIdle");
    load(functions.create_descriptor_pool, "vkCreateDescriptorPool");
    load(functions.destroy_descriptor_pool, "vkDestroyDescriptorPool");
    load(functions.reset_descriptor_pool, "vkResetDescriptorPool");
    load(functions.cmd_copy_buffer, "vkCmdCopyBuffer");
    load(functions.cmd_fill_buffer, "vkCmdFillBuffer");
    load(functions.cmd_pipeline_barrier, "vkCmdPipelineBarrier");
    functions.get_physical_device_memory_properties = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
        device().get_instance_proc_addr()(device().instance(), "vkGetPhysicalDeviceMemoryProperties"));
    return functions;
}

bool& shares_kernels() {
    static bool shares = false;
    return shares;
}

} // namespace

host::Device& device() {
    std::unique_ptr<host::Device>& slot = device_slot();
    if (!slot) {
        host::DeviceOptions options;
        options.selector = environment("VKSORT_TEST_DEVICE");
        options.validation = wants_validation();
        if (checks_bounds() || checks_races()) {
            options.gpu_assisted_validation = true;
            choose_layer_settings();
        }
        if (checks_bounds()) {
            options.features &= ~VksortFeatureFlags{VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT};
        }
        options.on_message = [](VksortSeverity, const std::string& text) {
            if (!is_about_layer_settings(text)) {
                mailbox().add(text);
            }
        };
        slot = std::make_unique<host::Device>(options);
    }
    return *slot;
}

void destroy_device() {
    contexts().clear();
    destroy_arenas();
    device_slot().reset();
}

const Functions& vk() {
    static const Functions functions = load_functions();
    return functions;
}

std::vector<std::string> take_messages() {
    std::lock_guard lock(mailbox().mutex);
    std::vector<std::string> messages = std::move(mailbox().messages);
    if (mailbox().dropped > 0) {
        messages.push_back("... and " + std::to_string(mailbox().dropped) + " more messages");
    }
    mailbox().messages.clear();
    mailbox().dropped = 0;
    return messages;
}

void expect_message(const std::string& part) {
    std::vector<std::string> messages = take_messages();
    EXPECT_EQ(messages.size(), 1u) << "expected one message with '" << part << "'";
    for (const std::string& message : messages) {
        EXPECT_NE(message.find(part), std::string::npos) << "message: " << message << "\nexpected: " << part;
    }
}

void on_message(void*, VksortSeverity, const char* message) { mailbox().add(message); }

struct Context::Plans {
    using Key = std::vector<uint64_t>;
    std::map<Key, VksortPlan> by_key;
};

VksortContextCreateInfo context_create_info() {
    VksortContextCreateInfo info = {};
    info.instance = device().instance();
    info.physicalDevice = device().physical_device();
    info.device = device().device();
    info.getInstanceProcAddr = device().get_instance_proc_addr();
    info.enabledFeatures = device().info().features;
    info.messageCallback = on_message;
    info.headerVersion = VKSORT_VERSION;
    return info;
}

Context::Context(const Limits& limits) {
    VksortContextCreateInfo create = context_create_info();
    if (checks_bounds()) {
        create.getInstanceProcAddr = exact_instance_proc_addr;
    } else if (checks_races()) {
        create.getInstanceProcAddr = barriers_instance_proc_addr;
    }
    create.enabledFeatures &= limits.features;
    if (vksortCreateContext(&create, nullptr, &handle_) != VK_SUCCESS) {
        throw host::Error(host::Error::Kind::device, "the test's context could not be made");
    }
    auto lower = [](uint32_t& limit, uint32_t wanted) { limit = wanted == 0 ? limit : std::min(limit, wanted); };
    VksortDeviceInfo& info = handle_->info;
    lower(info.maxSharedMemorySize, limits.shared_memory);
    lower(info.maxWorkgroupInvocations, limits.invocations);
    lower(info.maxWorkgroupSizeX, limits.invocations);
    lower(info.maxWorkgroupCount[0], limits.groups_x);
    if (limits.is_gpu) {
        info.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    }
    if (checks_bounds()) {
        info.storageBufferOffsetAlignment = kExactAlignment;
    }
    info_ = info;
}

Context::~Context() {
    count_pipelines(handle_);
    destroy_plans();
    for (const auto& [name, comparator] : comparators_) {
        vksortDestroyComparator(comparator);
    }
    vksortDestroyContext(handle_);
}

const char* Context::lacks_for(VksortAlgorithm algorithm) const {
    const bool looks_back = algorithm == VKSORT_ALGORITHM_ONESWEEP || algorithm == VKSORT_ALGORITHM_BUCKET_SORT;
    if (looks_back && (info_.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) == 0) {
        return "vulkanMemoryModel";
    }
    return ranks_by_ballots_only(algorithm) && known_subgroup_size(info_) == 0 ? "known subgroup size" : nullptr;
}

VkResult Context::plan(const VksortPlanDesc& desc, const PlanOverrides& asked, VksortPlan* plan) {
    PlanOverrides overrides = asked;
    overrides.fewPipelines |= shares_kernels() && (desc.flags & VKSORT_PLAN_PREPARE_LATER_BIT) == 0;
    overrides.separatesPasses = takes_bindings_for_accesses();
    Plans::Key key = {static_cast<uint64_t>(desc.operation),
                      static_cast<uint64_t>(desc.keyType),
                      desc.valueSize,
                      desc.flags,
                      static_cast<uint64_t>(desc.result),
                      static_cast<uint64_t>(desc.algorithm),
                      desc.beginBit,
                      desc.endBit,
                      desc.keyStride,
                      desc.keyOffset,
                      desc.maxCount,
                      desc.maxCountB,
                      static_cast<uint64_t>(desc.segments),
                      desc.maxSegments,
                      desc.elementsPerWorkgroup,
                      desc.verticesPerElement,
                      overrides.stallModulo,
                      overrides.disorderModulo,
                      overrides.workgroupSize,
                      overrides.keysPerThread,
                      overrides.spinLimit,
                      overrides.rank,
                      overrides.stageRounds,
                      static_cast<uint64_t>(overrides.sweeps),
                      static_cast<uint64_t>(overrides.tileNumbers),
                      overrides.leftElements,
                      overrides.drainGroups,
                      overrides.mergeWays,
                      overrides.prefetchTiles,
                      overrides.mergePartition ? 1u : 0u,
                      overrides.partitionWorkgroupSize,
                      overrides.partitionKeysPerThread,
                      overrides.largeWorkgroupSize,
                      overrides.largeKeysPerThread,
                      overrides.manyElements,
                      overrides.ownSharedMemory ? 1u : 0u,
                      overrides.skewedBins ? 1u : 0u,
                      overrides.bucketArgs ? 1u : 0u,
                      overrides.bucketsAtOnce,
                      overrides.coarseBucketChunks,
                      static_cast<uint64_t>(overrides.sampleStep),
                      overrides.sampleKeysPerThread,
                      overrides.indexed ? 1u : 0u,
                      overrides.noFallback ? 1u : 0u,
                      overrides.levels,
                      overrides.fewPipelines ? 1u : 0u,
                      overrides.alone ? 1u : 0u};
    for (uint32_t i = 0; i < overrides.smaller.count; ++i) {
        key.push_back(overrides.smaller.plans[i].mostElements);
        key.push_back(static_cast<uint64_t>(overrides.smaller.plans[i].algorithm));
    }
    std::unique_ptr<Plans>& plans = plans_[desc.comparator];
    if (!plans) {
        plans = std::make_unique<Plans>();
    }
    auto found = plans->by_key.find(key);
    if (found != plans->by_key.end()) {
        *plan = found->second;
        return VK_SUCCESS;
    }
    VkResult result = create_plan(handle_, desc, overrides, plan);
    if (result == VK_SUCCESS) {
        plans->by_key.emplace(key, *plan);
    }
    return result;
}

void Context::destroy_plans() {
    for (const auto& [comparator, plans] : plans_) {
        for (const auto& [key, plan] : plans->by_key) {
            vksortDestroyPlan(plan);
        }
    }
    plans_.clear();
}

VksortComparator Context::comparator(const std::string& name, const VksortComparatorInfo& kernels) {
    VksortComparator& comparator = comparators_[name];
    if (comparator == VK_NULL_HANDLE && vksortCreateComparator(handle_, &kernels, &comparator) != VK_SUCCESS) {
        throw host::Error(host::Error::Kind::device, "the test's comparator could not be made");
    }
    return comparator;
}

void use_specialized_kernels() { shares_kernels() = false; }

Context& context(const Limits& limits) {
    std::unique_ptr<Context>& slot = contexts()[limits];
    if (!slot) {
        slot = std::make_unique<Context>(limits);
    }
    return *slot;
}

void destroy_contexts() { contexts().clear(); }

size_t pipelines_made() {
    size_t count = 0;
    for (const auto& [limits, owned] : contexts()) {
        count += owned->handle()->pipelines.count();
    }
    return count;
}

DescriptorPool::DescriptorPool(const VksortPlanInfo& info, uint32_t recordings) {
    if (info.descriptorSets == 0) {
        return;
    }
    VkDescriptorPoolSize size = {};
    size.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    size.descriptorCount = info.descriptorSets * info.storageDescriptors * recordings;
    VkDescriptorPoolCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    create.maxSets = info.descriptorSets * recordings;
    create.poolSizeCount = 1;
    create.pPoolSizes = &size;
    if (vk().create_descriptor_pool(device().device(), &create, nullptr, &handle_) != VK_SUCCESS) {
        throw host::Error(host::Error::Kind::device, "the test's descriptor pool could not be made");
    }
}

DescriptorPool::~DescriptorPool() { vk().destroy_descriptor_pool(device().device(), handle_, nullptr); }

void DescriptorPool::reset() {
    if (handle_ != VK_NULL_HANDLE) {
        vk().reset_descriptor_pool(device().device(), handle_, 0);
    }
}

void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                    VkAccessFlags used) {
    VkMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = written;
    barrier.dstAccessMask = used;
    vk().cmd_pipeline_barrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void DeviceTest::SetUp() {
    shares_kernels() =
        is_cpu(device().info()) && !is_full_level(); // and what the device says while it is made counts for the first test
}

void DeviceTest::TearDown() {
    for (auto& [limits, owned] : contexts()) {
        count_pipelines(owned->handle());
        owned->destroy_plans();
    }
    for (const std::string& message : take_messages()) {
        ADD_FAILURE() << "a message that the test did not expect: " << message;
    }
    if (HasFailure()) {
        std::cerr << "    on " << device().info().name << ", VKSORT_TEST_SEED=" << base_seed() << "\n";
    }
}

} // namespace vksort::test
