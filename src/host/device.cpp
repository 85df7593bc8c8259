// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "device_state.hpp"
#include "jobs.h"
#include "vksort/vksort.hpp"

namespace vksort::host {

namespace {

void on_vksort_message(void* user, VksortSeverity severity, const char* message) {
    MessageSink& sink = *static_cast<MessageSink*>(user);
    if (severity == VKSORT_SEVERITY_ERROR) {
        sink.last_error = message;
    }
    sink.send(severity, message);
}

// Whether an extension of VksortRequiredFeatures is still wanted with these features.
bool is_wanted(const char* extension, VksortFeatureFlags features) {
    if (std::strcmp(extension, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 0) {
        return (features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) != 0;
    }
    if (std::strcmp(extension, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME) == 0) {
        return (features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
    }
    if (std::strcmp(extension, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME) == 0) {
        return (features & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) != 0;
    }
    return true;
}

// Keeps of `required` what `allowed` permits, so that the listing says what the device really has enabled.
void narrow(VksortRequiredFeatures& required, VksortFeatureFlags allowed) {
    required.features &= allowed;
    if ((required.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) == 0) {
        required.vulkanMemoryModel = VK_FALSE;
        required.vulkanMemoryModelDeviceScope = VK_FALSE;
    }
    if ((required.features & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) == 0) {
        required.pipelineRobustness = VK_FALSE;
    }
    VksortDeviceInfo& info = required.deviceInfo;
    if ((required.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) == 0) {
        required.subgroupSizeControl = VK_FALSE;
        required.computeFullSubgroups = VK_FALSE;
        info.minSubgroupSize = info.subgroupSize;
        info.maxSubgroupSize = info.subgroupSize;
        info.canRequireSubgroupSize = VK_FALSE;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < required.extensionCount; ++i) {
        if (is_wanted(required.extensions[i], required.features)) {
            required.extensions[kept++] = required.extensions[i];
        }
    }
    required.extensionCount = kept;
    info.features = required.features;
}

VkMemoryBarrier full_barrier() {
    VkMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    return barrier;
}

} // namespace

Device::State::State(const DeviceOptions& options) : force_staging(options.force_staging) {
    sink.on_message = options.on_message;
    instance = std::make_unique<Instance>(options.validation, &sink, options.gpu_assisted_validation);
    const std::vector<VkPhysicalDevice> devices = instance->physical_devices();
    std::vector<DeviceListing> listings;
    for (VkPhysicalDevice candidate : devices) {
        listings.push_back(instance->describe(candidate));
    }
    const size_t chosen = choose_device(listings, options.selector);
    physical_device = devices[chosen];
    listing = listings[chosen];
    narrow(listing.required, options.features);

    choose_queue_family(options.prefer_compute_queue);
    try {
        create_device(options);
        create_context(options.compiles_side_by_side);
    } catch (...) {
        destroy();
        throw;
    }
}

Device::State::~State() { destroy(); }

void Device::State::choose_queue_family(bool prefer_compute) {
    uint32_t count = 0;
    instance->vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    instance->vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
    bool found = false;
    for (uint32_t i = 0; i < count; ++i) {
        const VkQueueFlags flags = families[i].queueFlags;
        const bool alone = (flags & VK_QUEUE_GRAPHICS_BIT) == 0;
        if ((flags & VK_QUEUE_COMPUTE_BIT) != 0 && (!found || (prefer_compute && alone))) {
            queue_family = i;
            timestamp_valid_bits = families[i].timestampValidBits;
            found = true;
            if (!prefer_compute || alone) {
                break;
            }
        }
    }
    if (!found) {
        throw Error(Error::Kind::device, listing.name + " has no queue that runs compute shaders");
    }
}

void Device::State::create_device(const DeviceOptions& options) {
    VkPhysicalDeviceMaintenance3Properties maintenance = {};
    maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &maintenance;
    instance->vkGetPhysicalDeviceProperties2(physical_device, &properties);
    instance->vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
    largest_allocation = maintenance.maxMemoryAllocationSize;
    timestamp_period = timestamp_valid_bits == 0 ? 0 : properties.properties.limits.timestampPeriod;

    const VksortRequiredFeatures& required = listing.required;
    std::vector<const char*> extensions(required.extensions, required.extensions + required.extensionCount);

    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {};
    statistics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    if (options.pipeline_statistics &&
        instance->has_extension(physical_device, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) {
        VkPhysicalDeviceFeatures2 offered = {};
        offered.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        offered.pNext = &statistics;
        instance->vkGetPhysicalDeviceFeatures2(physical_device, &offered);
        if (statistics.pipelineExecutableInfo == VK_TRUE) {
            extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
            pipeline_statistics = true;
        }
    }
    // A device that offers this one must have it enabled.
    if (instance->has_extension(physical_device, "VK_KHR_portability_subset")) {
        extensions.push_back("VK_KHR_portability_subset");
    }

    FeatureChain features(required, pipeline_statistics ? &statistics : nullptr);
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue_info = {};
    queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_info.queueFamilyIndex = queue_family;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    VkDeviceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = features.head();
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    check_made(instance->vkCreateDevice(physical_device, &info, nullptr, &device), device, "creating the Vulkan device");
    instance->load_device_table(vk, device);
    vk.vkGetDeviceQueue(device, queue_family, 0, &queue);

    VkCommandPoolCreateInfo pool = {};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool.queueFamilyIndex = queue_family;
    check_made(vk.vkCreateCommandPool(device, &pool, nullptr, &command_pool), command_pool, "creating a command pool");
    VkCommandBufferAllocateInfo allocate_info = {};
    allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate_info.commandPool = command_pool;
    allocate_info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate_info.commandBufferCount = 1;
    check(vk.vkAllocateCommandBuffers(device, &allocate_info, &command_buffer), "allocating a command buffer");
    VkFenceCreateInfo fence_info = {};
    fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    check_made(vk.vkCreateFence(device, &fence_info, nullptr, &fence), fence, "creating a fence");
}

void Device::State::create_context(bool side_by_side) {
    VksortContextCreateInfo info = {};
    info.instance = instance->handle();
    info.physicalDevice = physical_device;
    info.device = device;
    info.getInstanceProcAddr = vkGetInstanceProcAddr;
    info.enabledFeatures = listing.required.features;
    info.messageCallback = on_vksort_message;
    info.messageUser = &sink;
    info.runJobs = side_by_side ? run_jobs : nullptr;
    const VkResult result = vksortCreateContext(&info, nullptr, &context);
    if (result != VK_SUCCESS && !sink.last_error.empty()) {
        throw Error(Error::Kind::device, sink.last_error);
    }
    check(result, "creating the vksort context");
}

void Device::State::destroy() {
    if (device == VK_NULL_HANDLE) {
        return;
    }
    if (context != VK_NULL_HANDLE) { // else nothing was ever submitted
        vk.vkDeviceWaitIdle(device);
        vksortDestroyContext(context);
    }
    release(staging_buffer);
    for (const Pool& pool : pools) {
        vk.vkDestroyDescriptorPool(device, pool.handle, nullptr);
    }
    vk.vkDestroyFence(device, fence, nullptr);
    vk.vkDestroyCommandPool(device, command_pool, nullptr);
    vk.vkDestroyDevice(device, nullptr);
    device = VK_NULL_HANDLE;
}

void Device::State::submit(const std::function<void(VkCommandBuffer)>& record) {
    check(vk.vkResetCommandPool(device, command_pool, 0), "resetting the command pool");
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(vk.vkBeginCommandBuffer(command_buffer, &begin), "beginning a command buffer");

    // A fence makes finished work available but not visible to later submissions; the two barriers do the rest.
    const VkMemoryBarrier before = full_barrier();
    vk.vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                            &before, 0, nullptr, 0, nullptr);
    record(command_buffer);
    VkMemoryBarrier after = full_barrier();
    after.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vk.vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &after, 0,
                            nullptr, 0, nullptr);
    check(vk.vkEndCommandBuffer(command_buffer), "recording a command buffer");

    check(vk.vkResetFences(device, 1, &fence), "resetting a fence");
    VkSubmitInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &command_buffer;
    check(vk.vkQueueSubmit(queue, 1, &info, fence), "submitting work to the device");
    check(vk.vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), "waiting for the device");
}

void Device::State::reset_pools() {
    for (Pool& pool : pools) {
        check(vk.vkResetDescriptorPool(device, pool.handle, 0), "resetting a descriptor pool");
        pool.taken = false;
    }
}

Device::Device(const DeviceOptions& options) : state_(std::make_unique<State>(options)) {}
Device::~Device() = default;

const DeviceListing& Device::listing() const { return state_->listing; }
const VksortDeviceInfo& Device::info() const { return state_->listing.required.deviceInfo; }
VksortContext Device::context() const { return state_->context; }
VkInstance Device::instance() const { return state_->instance->handle(); }
VkPhysicalDevice Device::physical_device() const { return state_->physical_device; }
VkDevice Device::device() const { return state_->device; }
uint32_t Device::queue_family() const { return state_->queue_family; }
bool Device::has_pipeline_statistics() const { return state_->pipeline_statistics; }
PFN_vkGetInstanceProcAddr Device::get_instance_proc_addr() const { return vkGetInstanceProcAddr; }
const std::string& Device::last_message() const { return state_->sink.last_error; }
double Device::timestamp_period() const { return state_->timestamp_period; }
uint32_t Device::timestamp_valid_bits() const { return state_->timestamp_valid_bits; }
Device::State& Device::state() { return *state_; }

PFN_vkVoidFunction Device::function(const char* name) const {
    return state_->instance->vkGetDeviceProcAddr(state_->device, name);
}

void Device::run(const std::function<void(VkCommandBuffer)>& record) {
    state_->submit(record);
    state_->reset_pools();
}

VkDescriptorPool Device::descriptor_pool(const VksortPlanInfo& info, uint32_t recordings) {
    const uint32_t sets = info.descriptorSets * recordings;
    const uint32_t descriptors = sets * info.storageDescriptors;
    if (sets == 0) {
        return VK_NULL_HANDLE;
    }
    for (State::Pool& pool : state_->pools) {
        if (!pool.taken && pool.sets >= sets && pool.descriptors >= descriptors) {
            pool.taken = true;
            return pool.handle;
        }
    }
    VkDescriptorPoolSize size = {};
    size.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    size.descriptorCount = descriptors;
    VkDescriptorPoolCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    create.maxSets = sets;
    create.poolSizeCount = 1;
    create.pPoolSizes = &size;
    State::Pool pool = {VK_NULL_HANDLE, sets, descriptors, true};
    check(state_->vk.vkCreateDescriptorPool(state_->device, &create, nullptr, &pool.handle), "creating a descriptor pool");
    state_->pools.push_back(pool);
    return pool.handle;
}

} // namespace vksort::host
