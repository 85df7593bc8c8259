// SPDX-License-Identifier: MIT
//
// VRDX, a reduce-then-scan radix sort of 32-bit keys for Vulkan, on the same device and in place.
//
// It calls Vulkan by the names of the loader's functions, which vksort::host loads at run time. Its header is therefore
// included in a namespace in which those names are pointers of this file.
#include <algorithm>

#include <fmt/format.h>
#include <vulkan/vulkan.h>

#include "../gpu_clock.h"
#include "vrdx.h"

// Names of Vulkan 1.4, which older headers have with a suffix only.
#ifndef VK_VERSION_1_4
#define VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR
using PFN_vkCmdPushDescriptorSet = PFN_vkCmdPushDescriptorSetKHR;
#endif

namespace vksort::bench {

namespace {

namespace vrdx {

#define VKSORT_BENCH_VRDX_FUNCTIONS(X) \
    X(vkCmdBindPipeline) \
    X(vkCmdCopyBuffer) \
    X(vkCmdDispatch) \
    X(vkCmdFillBuffer) \
    X(vkCmdPipelineBarrier) \
    X(vkCmdPushConstants) \
    X(vkCmdUpdateBuffer) \
    X(vkCmdWriteTimestamp) \
    X(vkCreateComputePipelines) \
    X(vkCreateDescriptorSetLayout) \
    X(vkCreatePipelineLayout) \
    X(vkCreateShaderModule) \
    X(vkDestroyDescriptorSetLayout) \
    X(vkDestroyPipeline) \
    X(vkDestroyPipelineLayout) \
    X(vkDestroyShaderModule)
#define VKSORT_BENCH_DECLARE(name) PFN_##name name = nullptr;
VKSORT_BENCH_VRDX_FUNCTIONS(VKSORT_BENCH_DECLARE)
#undef VKSORT_BENCH_DECLARE
PFN_vkGetPhysicalDeviceProperties vkGetPhysicalDeviceProperties = nullptr;
PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr = nullptr;

// Its barriers are those of synchronization2, a feature that vksort's devices do not enable. All of them order transfers or
// kernels before kernels, which the barriers of Vulkan 1.0 say as well. Its CLEAR stage becomes TRANSFER, which also covers
// the copy of the count.
void record_older_barrier(VkCommandBuffer commands, const VkDependencyInfo* info) {
    const VkMemoryBarrier2& wanted = info->pMemoryBarriers[0];
    const bool transfers = wanted.srcStageMask == VK_PIPELINE_STAGE_2_CLEAR_BIT;
    VkMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = static_cast<VkAccessFlags>(wanted.srcAccessMask);
    barrier.dstAccessMask = static_cast<VkAccessFlags>(wanted.dstAccessMask);
    vkCmdPipelineBarrier(commands, transfers ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

constexpr PFN_vkCmdPipelineBarrier2 vkCmdPipelineBarrier2 = record_older_barrier;

#define VRDX_IMPLEMENTATION
#include <vk_radix_sort.h>

} // namespace vrdx

constexpr uint64_t kPartition = 4096; // elements that one of its workgroups sorts
constexpr uint32_t kWorkgroup = 512;
constexpr uint32_t kLeastSubgroup = 32;   // its tables hold the sums of 16 subgroups
constexpr uint32_t kSharedMemory = 18432; // of its largest kernel: 18 tables of 256 words
constexpr uint64_t kMostElements = uint64_t{1} << 30;

void load_functions(const host::Device& device) {
#define VKSORT_BENCH_LOAD(name) vrdx::name = reinterpret_cast<PFN_##name>(device.function(#name));
    VKSORT_BENCH_VRDX_FUNCTIONS(VKSORT_BENCH_LOAD)
#undef VKSORT_BENCH_LOAD
    const auto instance_function = [&device](const char* name) {
        return device.get_instance_proc_addr()(device.instance(), name);
    };
    vrdx::vkGetPhysicalDeviceProperties =
        reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(instance_function("vkGetPhysicalDeviceProperties"));
    vrdx::vkGetDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(instance_function("vkGetDeviceProcAddr"));
}

bool has_subgroup_operations(const host::Device& device) {
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        device.get_instance_proc_addr()(device.instance(), "vkGetPhysicalDeviceProperties2"));
    VkPhysicalDeviceSubgroupProperties subgroups = {};
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &subgroups;
    get(device.physical_device(), &properties);
    constexpr VkSubgroupFeatureFlags kNeeded =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    return (subgroups.supportedOperations & kNeeded) == kNeeded &&
           (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
}

std::string device_refusal(const host::Device& device) {
    const VksortDeviceInfo& info = device.info();
    if ((info.features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) == 0) {
        return "needs push descriptors";
    }
    if (info.maxWorkgroupInvocations < kWorkgroup || info.maxWorkgroupSizeX < kWorkgroup) {
        return "needs workgroups of 512 invocations";
    }
    if (info.subgroupSize < kLeastSubgroup) {
        return "made for subgroups of 32 lanes and more";
    }
    if (info.maxSharedMemorySize < kSharedMemory) {
        return "needs 18 KiB of shared memory";
    }
    return has_subgroup_operations(device) ? "" : "needs subgroup arithmetic and ballots";
}

std::string scenario_refusal(const Scenario& scenario) {
    if (scenario.operation != Operation::sort) {
        return "sorts only";
    }
    if (scenario.key != VKSORT_KEY_U32) {
        return "u32 keys only";
    }
    if (scenario.value_bytes != 0 && scenario.value_bytes != 4) {
        return "values of 0 or 4 bytes only";
    }
    if (scenario.descending) {
        return "ascending sorts only";
    }
    if (!scenario.bits.is_all()) {
        return "sorts by all bits only";
    }
    return scenario.count >= kMostElements ? "counts below 2^30 only" : "";
}

} // namespace

struct VrdxSorter::State {
    vrdx::VrdxSorter sorter = VK_NULL_HANDLE;
};

VrdxSorter::VrdxSorter(host::Device& device) : state_(std::make_unique<State>()) {
    load_functions(device);
    vrdx::VrdxSorterCreateInfo info = {};
    info.physicalDevice = device.physical_device();
    info.device = device.device();
    if (vrdx::vrdxCreateSorter(&info, &state_->sorter) != VK_SUCCESS) {
        throw std::runtime_error("creating the pipelines of VRDX failed");
    }
}

VrdxSorter::~VrdxSorter() { vrdx::vrdxDestroySorter(state_->sorter); }

std::string VrdxSorter::refusal(const host::Device& device, const Scenario& scenario) {
    const std::string text = scenario_refusal(scenario);
    return text.empty() ? device_refusal(device) : text;
}

uint64_t VrdxSorter::storage_bytes(uint64_t most, bool with_values) const {
    vrdx::VrdxSorterStorageRequirements requirements = {};
    const auto get = with_values ? vrdx::vrdxGetSorterKeyValueStorageRequirements : vrdx::vrdxGetSorterStorageRequirements;
    get(state_->sorter, static_cast<uint32_t>(most), &requirements);
    return requirements.size;
}

uint64_t VrdxSorter::data_bytes(const host::Device& device, uint64_t most) {
    const uint64_t alignment = std::max<uint64_t>(device.info().storageBufferOffsetAlignment, 16);
    const uint64_t bytes = (most * 4 + alignment - 1) / alignment * alignment;
    if (bytes > device.info().maxStorageBufferRange ||
        (most + kPartition - 1) / kPartition > device.info().maxWorkgroupCount[0]) {
        throw TooLarge(fmt::format("{} elements are more than VRDX can bind or dispatch on this device", most));
    }
    return bytes;
}

void VrdxSorter::record(VkCommandBuffer commands, const VrdxBuffers& buffers, uint64_t count) const {
    const auto elements = static_cast<uint32_t>(count);
    if (buffers.values == VK_NULL_HANDLE) {
        vrdx::vrdxCmdSort(commands, state_->sorter, elements, buffers.keys, 0, buffers.storage, 0, VK_NULL_HANDLE, 0);
    } else {
        vrdx::vrdxCmdSortKeyValue(commands, state_->sorter, elements, buffers.keys, 0, buffers.values, 0, buffers.storage, 0,
                                  VK_NULL_HANDLE, 0);
    }
}

void VrdxSorter::record_indirect(VkCommandBuffer commands, const VrdxBuffers& buffers, VkBuffer count_buffer,
                                 uint64_t most) const {
    const auto elements = static_cast<uint32_t>(most);
    if (buffers.values == VK_NULL_HANDLE) {
        vrdx::vrdxCmdSortIndirect(commands, state_->sorter, elements, count_buffer, 0, buffers.keys, 0, buffers.storage, 0,
                                  VK_NULL_HANDLE, 0);
    } else {
        vrdx::vrdxCmdSortKeyValueIndirect(commands, state_->sorter, elements, count_buffer, 0, buffers.keys, 0,
                                          buffers.values, 0, buffers.storage, 0, VK_NULL_HANDLE, 0);
    }
}

namespace {

class VrdxJob : public Job {
public:
    VrdxJob(host::Device& device, std::shared_ptr<const VrdxSorter> sorter, const Input& input)
        : device_(device), sorter_(std::move(sorter)), count_(input.scenario.count), clock_(device),
          has_values_(input.scenario.value_bytes != 0) {
        const uint64_t data = VrdxSorter::data_bytes(device, count_);
        const uint64_t storage = sorter_->storage_bytes(count_, has_values_);
        check_device_memory(device, 2 * input.scenario.bytes() + storage);
        try {
            keys_in_ = make_buffer(device, data);
            keys_ = make_buffer(device, data);
            values_in_ = make_buffer(device, has_values_ ? data : 0);
            values_ = make_buffer(device, has_values_ ? data : 0);
            storage_ = make_buffer(device, storage);
        } catch (const host::Error& error) {
            rethrow(error);
        }
        keys_in_.upload(input.keys.span());
        if (has_values_) {
            values_in_.upload(input.values.span());
        }
    }

    std::optional<double> gpu_time() override {
        const auto restored = [this](VkCommandBuffer commands) {
            restore(commands);
            record_barrier(device_, commands);
        };
        return gpu_time_of(device_, clock_, restored, [this](VkCommandBuffer commands) { record(commands); });
    }

    double wall_time() override {
        device_.run([&](VkCommandBuffer commands) { restore(commands); });
        return wall_time_of(device_, [this](VkCommandBuffer commands) { record(commands); });
    }

    void result(HostBytes& keys, HostBytes& values) override {
        keys_.download(keys.span());
        if (has_values_) {
            values_.download(values.span());
        }
    }

    std::optional<uint64_t> scratch_bytes() override { return storage_.size(); }

private:
    void restore(VkCommandBuffer commands) const {
        record_copy(device_, commands, keys_in_, keys_, count_ * 4);
        record_copy(device_, commands, values_in_, values_, has_values_ ? count_ * 4 : 0);
    }
    void record(VkCommandBuffer commands) const {
        const VkBuffer values = has_values_ ? values_.handle() : VK_NULL_HANDLE;
        sorter_->record(commands, {keys_.handle(), values, storage_.handle()}, count_);
    }

    host::Device& device_;
    std::shared_ptr<const VrdxSorter> sorter_;
    uint64_t count_;
    GpuClock clock_;
    bool has_values_;
    host::Buffer keys_in_, values_in_, keys_, values_, storage_;
};

class VrdxContender : public Contender {
public:
    explicit VrdxContender(host::Device& device) : device_(device) {}
    std::string name() const override { return "VRDX"; }
    std::string refusal(const Scenario& scenario) const override { return VrdxSorter::refusal(device_, scenario); }
    std::unique_ptr<Job> prepare(const Input& input) override {
        if (!sorter_) { // not before somebody asks for it: its pipelines take their time
            sorter_ = std::make_shared<VrdxSorter>(device_);
        }
        return std::make_unique<VrdxJob>(device_, sorter_, input);
    }

private:
    host::Device& device_;
    std::shared_ptr<const VrdxSorter> sorter_;
};

} // namespace

void add_vrdx(host::Device& device, Contenders& contenders) {
    contenders.push_back(std::make_unique<VrdxContender>(device));
}

} // namespace vksort::bench
