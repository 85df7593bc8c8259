// SPDX-License-Identifier: MIT
//
// The device and the objects that are created from it. volk loads the Vulkan functions of the loader, then of the instance,
// and then of the device, which skips the loader's dispatch.
#include "gpu.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#define VOLK_IMPLEMENTATION // volk's functions and variables are defined in this file.
#include <volk.h>

namespace example {

namespace {

void on_message(void* user, VksortSeverity, const char* message) { *static_cast<std::string*>(user) = message; }

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

// Smaller is preferred.
int rank_of(uint32_t deviceType) {
    switch (deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 1;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return 3;
    default: return 2;
    }
}

} // namespace

void check(VkResult result, const char* what) {
    if (result != VK_SUCCESS) {
        throw Error(std::string(what) + " failed with VkResult " + std::to_string(result) + ".");
    }
}

void require(bool condition, const std::string& sentence) {
    if (!condition) {
        throw Error(sentence);
    }
}

// ---- Instance and device

Gpu::Gpu(const GpuOptions& options) {
    try {
        create_instance();
        choose_device(options);
        create_device(options);
    } catch (...) {
        destroy();
        throw;
    }
}

Gpu::~Gpu() { destroy(); }

void Gpu::destroy() {
    if (device != VK_NULL_HANDLE) {
        vkDeviceWaitIdle(device);
    }
    while (!destroyers_.empty()) {
        destroyers_.back()();
        destroyers_.pop_back();
    }
}

void Gpu::create_instance() {
    require(volkInitialize() == VK_SUCCESS, "There is no Vulkan loader (Debian: libvulkan1).");
    auto application = typed<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.apiVersion = VK_API_VERSION_1_3;
    auto info = typed<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    check(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    volkLoadInstanceOnly(instance);
    destroyers_.push_back([this] { vkDestroyInstance(instance, nullptr); });
}

void Gpu::choose_device(const GpuOptions& options) {
    uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    check(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
    std::string reasons;
    int best = 4;
    for (uint32_t i = 0; i < count; ++i) {
        VksortRequiredFeatures features = {};
        check(vksort::get_required_features(instance, devices[i], vkGetInstanceProcAddr, features),
              "vksortGetRequiredFeatures");
        const std::string name = features.deviceInfo.name;
        const bool wanted = options.device.empty() || options.device == std::to_string(i) ||
                            lower(name).find(lower(options.device)) != std::string::npos;
        if (!wanted) {
            continue;
        }
        if (!features.supported) {
            reasons += " " + name + ": " + features.reason + ".";
        } else if (rank_of(features.deviceInfo.deviceType) < best) {
            best = rank_of(features.deviceInfo.deviceType);
            physicalDevice = devices[i];
            required = features;
        }
    }
    require(physicalDevice != VK_NULL_HANDLE, "No Vulkan device can run this" +
                                                  (options.device.empty() ? "." : ": --device " + options.device + ".") +
                                                  reasons);
    vkGetPhysicalDeviceProperties(physicalDevice, &properties);
}

void Gpu::create_device(const GpuOptions& options) {
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physicalDevice, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physicalDevice, &count, families.data());
    const VkQueueFlags needed = VK_QUEUE_COMPUTE_BIT | (options.graphics ? VkQueueFlags{VK_QUEUE_GRAPHICS_BIT} : 0);
    std::optional<uint32_t> main;
    std::optional<uint32_t> async;
    for (uint32_t i = 0; i < count; ++i) {
        const VkQueueFlags flags = families[i].queueFlags;
        if (!main && (flags & needed) == needed) {
            main = i;
        }
        if (!async && (flags & VK_QUEUE_COMPUTE_BIT) != 0 && (flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
            async = i;
        }
    }
    require(main.has_value(), std::string(properties.deviceName) + " has no queue that draws and computes.");
    const float priority = 1.0f;
    std::vector<VkDeviceQueueCreateInfo> queues;
    const auto add_queue = [&](uint32_t family) {
        auto info = typed<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
        info.queueFamilyIndex = family;
        info.queueCount = 1;
        info.pQueuePriorities = &priority;
        queues.push_back(info);
    };
    add_queue(*main);
    const bool has_async = options.asyncCompute && async && *async != *main;
    if (has_async) {
        add_queue(*async);
    }

    // The chain begins with the example's features, to which FeatureChain adds those of vksort. On a device of Vulkan 1.3 it
    // sets fields in the structs of Vulkan 1.2 and 1.3; on older devices it adds the structs of single features.
    auto vulkan13 = typed<VkPhysicalDeviceVulkan13Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    vulkan13.synchronization2 = VK_TRUE;
    auto vulkan12 = typed<VkPhysicalDeviceVulkan12Features>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    vulkan12.pNext = &vulkan13;
    auto features = typed<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    features.features = options.features;
    synchronization2_ = properties.apiVersion >= VK_API_VERSION_1_3;
    features.pNext = synchronization2_ ? &vulkan12 : nullptr;
    vksort::FeatureChain chain(required, &features);

    auto info = typed<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = chain.head();
    info.queueCreateInfoCount = uint32_t(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = required.extensionCount;
    info.ppEnabledExtensionNames = required.extensions;
    check(vkCreateDevice(physicalDevice, &info, nullptr, &device), "vkCreateDevice");
    volkLoadDevice(device);
    destroyers_.push_back([this] { vkDestroyDevice(device, nullptr); });

    const auto get_queue = [this](uint32_t family) {
        Queue result;
        result.family = family;
        vkGetDeviceQueue(device, family, 0, &result.queue);
        auto pool = typed<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
        pool.queueFamilyIndex = family;
        check(vkCreateCommandPool(device, &pool, nullptr, &result.commands), "vkCreateCommandPool");
        destroyers_.push_back([this, result] { vkDestroyCommandPool(device, result.commands, nullptr); });
        return result;
    };
    queue = get_queue(*main);
    if (has_async) {
        asyncQueue = get_queue(*async);
    }
    // The pool is large enough for the recordings of every example between two calls of finish().
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16384};
    auto pool = typed<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    pool.maxSets = 1024;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(vkCreateDescriptorPool(device, &pool, nullptr, &descriptorPool), "vkCreateDescriptorPool");
    destroyers_.push_back([this] { vkDestroyDescriptorPool(device, descriptorPool, nullptr); });

    VksortContextCreateInfo context_info = {};
    context_info.instance = instance;
    context_info.physicalDevice = physicalDevice;
    context_info.device = device;
    context_info.getInstanceProcAddr = vkGetInstanceProcAddr;
    context_info.enabledFeatures = required.features;
    context_info.messageCallback = on_message;
    context_info.messageUser = &message_;
    require(context.create(context_info) == VK_SUCCESS, "vksort: " + message_ + ".");
    destroyers_.push_back([this] { context.reset(); });
}

// ---- Memory

VkDeviceMemory Gpu::allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags flags) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &memory);
    auto info = typed<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = needs.size;
    while ((needs.memoryTypeBits >> info.memoryTypeIndex & 1) == 0 ||
           (memory.memoryTypes[info.memoryTypeIndex].propertyFlags & flags) != flags) {
        require(++info.memoryTypeIndex < memory.memoryTypeCount, "The device has no memory of the kind needed.");
    }
    VkDeviceMemory result = VK_NULL_HANDLE;
    check(vkAllocateMemory(device, &info, nullptr, &result), "vkAllocateMemory");
    destroyers_.push_back([this, result] { vkFreeMemory(device, result, nullptr); });
    return result;
}

Buffer Gpu::buffer(VkDeviceSize size, Memory memory, VkBufferUsageFlags usage) {
    Buffer result;
    result.size = size;
    if (size == 0) {
        return result;
    }
    require(size <= properties.limits.maxStorageBufferRange,
            "A buffer would have " + std::to_string(size) + " bytes. Shaders on " + properties.deviceName + " can use " +
                std::to_string(properties.limits.maxStorageBufferRange) + " of one at most.");
    auto info = typed<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size;
    info.usage = usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(device, &info, nullptr, &result.buffer), "vkCreateBuffer");
    destroyers_.push_back([this, handle = result.buffer] { vkDestroyBuffer(device, handle, nullptr); });
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, result.buffer, &needs);
    const VkDeviceMemory bound = allocate(
        needs, memory == Memory::device ? VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}
                                        : VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(device, result.buffer, bound, 0), "vkBindBufferMemory");
    if (memory == Memory::host) {
        check(vkMapMemory(device, bound, 0, VK_WHOLE_SIZE, 0, &result.mapped), "vkMapMemory");
    }
    return result;
}

Buffer Gpu::staging(VkDeviceSize size) {
    if (staging_.size < size) {
        staging_ = buffer(size, Memory::host);
    }
    return staging_;
}

void Gpu::upload_bytes(const Buffer& to, const void* data, VkDeviceSize size) {
    require(size <= to.size, "More is uploaded than the buffer holds.");
    if (size == 0) {
        return;
    }
    const Buffer from = staging(size);
    std::memcpy(from.mapped, data, size);
    run([&](VkCommandBuffer commands) {
        const VkBufferCopy copy = {0, 0, size};
        vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &copy);
    });
}

void Gpu::download_bytes(const Buffer& from, void* data, VkDeviceSize size) {
    require(size <= from.size, "More is downloaded than the buffer holds.");
    if (size == 0) {
        return;
    }
    const Buffer to = staging(size);
    run([&](VkCommandBuffer commands) {
        const VkBufferCopy copy = {0, 0, size};
        vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &copy);
    });
    std::memcpy(data, to.mapped, size);
}

// ---- Plans and pipelines

vksort::Plan Gpu::plan(const VksortPlanDesc& desc) {
    vksort::Plan result;
    require(result.create(context, desc) == VK_SUCCESS, "vksort: " + message_ + ".");
    return result;
}

VkSemaphore Gpu::semaphore() {
    auto info = typed<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    VkSemaphore result = VK_NULL_HANDLE;
    check(vkCreateSemaphore(device, &info, nullptr, &result), "vkCreateSemaphore");
    destroyers_.push_back([this, result] { vkDestroySemaphore(device, result, nullptr); });
    return result;
}

VkPipelineLayout Gpu::create_layout(Pipeline& pipeline, VkShaderStageFlags stages, uint32_t buffers, uint32_t pushBytes) {
    std::vector<VkDescriptorSetLayoutBinding> bindings(buffers);
    for (uint32_t i = 0; i < buffers; ++i) {
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stages, nullptr};
    }
    auto set = typed<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    set.bindingCount = buffers;
    set.pBindings = bindings.data();
    check(vkCreateDescriptorSetLayout(device, &set, nullptr, &pipeline.setLayout), "vkCreateDescriptorSetLayout");
    destroyers_.push_back([this, made = pipeline.setLayout] { vkDestroyDescriptorSetLayout(device, made, nullptr); });
    const VkPushConstantRange range = {stages, 0, pushBytes};
    auto info = typed<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 1;
    info.pSetLayouts = &pipeline.setLayout;
    info.pushConstantRangeCount = pushBytes != 0 ? 1 : 0;
    info.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device, &info, nullptr, &pipeline.layout), "vkCreatePipelineLayout");
    destroyers_.push_back([this, made = pipeline.layout] { vkDestroyPipelineLayout(device, made, nullptr); });
    return pipeline.layout;
}

VkShaderModule Gpu::create_module(std::span<const uint32_t> words) {
    auto info = typed<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = words.size_bytes();
    info.pCode = words.data();
    VkShaderModule result = VK_NULL_HANDLE;
    check(vkCreateShaderModule(device, &info, nullptr, &result), "vkCreateShaderModule");
    destroyers_.push_back([this, result] { vkDestroyShaderModule(device, result, nullptr); });
    return result;
}

Pipeline Gpu::compute_pipeline(std::span<const uint32_t> shader, uint32_t buffers, uint32_t pushBytes) {
    Pipeline result;
    auto info = typed<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
    info.layout = create_layout(result, VK_SHADER_STAGE_COMPUTE_BIT, buffers, pushBytes);
    info.stage = typed<VkPipelineShaderStageCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO);
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = create_module(shader);
    info.stage.pName = "main";
    check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &result.pipeline), "vkCreateComputePipelines");
    destroyers_.push_back([this, made = result.pipeline] { vkDestroyPipeline(device, made, nullptr); });
    return result;
}

// ---- Recording

void Gpu::barrier(VkCommandBuffer commands, VkPipelineStageFlags fromStages, VkAccessFlags fromAccess,
                  VkPipelineStageFlags toStages, VkAccessFlags toAccess) const {
    if (synchronization2_) {
        auto memory = typed<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
        memory.srcStageMask = fromStages;
        memory.srcAccessMask = fromAccess;
        memory.dstStageMask = toStages;
        memory.dstAccessMask = toAccess;
        auto info = typed<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
        info.memoryBarrierCount = 1;
        info.pMemoryBarriers = &memory;
        vkCmdPipelineBarrier2(commands, &info);
        return;
    }
    auto memory = typed<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
    memory.srcAccessMask = fromAccess;
    memory.dstAccessMask = toAccess;
    vkCmdPipelineBarrier(commands, fromStages, toStages, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

void Gpu::compute_barrier(VkCommandBuffer commands) const {
    barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

void Gpu::bind(VkCommandBuffer commands, const Pipeline& pipeline, std::initializer_list<Buffer> buffers, const void* push,
               uint32_t pushBytes) const {
    auto allocation = typed<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    allocation.descriptorPool = descriptorPool;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &pipeline.setLayout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    check(vkAllocateDescriptorSets(device, &allocation, &set), "vkAllocateDescriptorSets");
    std::vector<VkDescriptorBufferInfo> ranges;
    for (const Buffer& buffer : buffers) {
        ranges.push_back({buffer.buffer, 0, VK_WHOLE_SIZE});
    }
    std::vector<VkWriteDescriptorSet> writes;
    for (const VkDescriptorBufferInfo& range : ranges) {
        auto write = typed<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
        write.dstSet = set;
        write.dstBinding = uint32_t(writes.size());
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &range;
        writes.push_back(write);
    }
    vkUpdateDescriptorSets(device, uint32_t(writes.size()), writes.data(), 0, nullptr);
    vkCmdBindPipeline(commands, pipeline.bindPoint, pipeline.pipeline);
    vkCmdBindDescriptorSets(commands, pipeline.bindPoint, pipeline.layout, 0, 1, &set, 0, nullptr);
    if (pushBytes != 0) {
        const VkShaderStageFlags stages = pipeline.bindPoint == VK_PIPELINE_BIND_POINT_COMPUTE
                                              ? VkShaderStageFlags{VK_SHADER_STAGE_COMPUTE_BIT}
                                              : VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
        vkCmdPushConstants(commands, pipeline.layout, stages, 0, pushBytes, push);
    }
}

// ---- Submission

VkCommandBuffer Gpu::begin(const Queue& on) {
    auto info = typed<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    info.commandPool = on.commands;
    info.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
    auto begin = typed<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    message_.clear();
    return commands;
}

void Gpu::submit(const Queue& on, VkCommandBuffer commands, VkSemaphore wait, VkPipelineStageFlags waitStages,
                 VkSemaphore signal) {
    // A recording function of vksort returns nothing, and reports misuse by a message.
    require(message_.empty(), "vksort: " + message_ + ".");
    // Waiting for a queue makes writes visible neither to later commands nor to the host.
    barrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
            VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
    check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    auto info = typed<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands;
    info.waitSemaphoreCount = wait != VK_NULL_HANDLE ? 1 : 0;
    info.pWaitSemaphores = &wait;
    info.pWaitDstStageMask = &waitStages;
    info.signalSemaphoreCount = signal != VK_NULL_HANDLE ? 1 : 0;
    info.pSignalSemaphores = &signal;
    check(vkQueueSubmit(on.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

void Gpu::finish() {
    check(vkDeviceWaitIdle(device), "waiting for the device");
    check(vkResetDescriptorPool(device, descriptorPool, 0), "vkResetDescriptorPool");
    for (const Queue& each : {queue, asyncQueue.value_or(Queue{})}) {
        if (each.commands != VK_NULL_HANDLE) {
            check(vkResetCommandPool(device, each.commands, 0), "vkResetCommandPool");
        }
    }
}

void Gpu::run(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBuffer commands = begin(queue);
    record(commands);
    submit(queue, commands);
    finish();
}

} // namespace example
