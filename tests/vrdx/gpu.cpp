// SPDX-License-Identifier: MIT
#include "gpu.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

std::vector<std::string> messages;

void on_message(void* user, VksortSeverity, const char* message) {
    if (user == nullptr) {
        messages.emplace_back(message);
    } else {
        static_cast<std::vector<std::string>*>(user)->emplace_back(message);
    }
}

void require(VkResult result, const char* call) {
    if (result != VK_SUCCESS) {
        std::fprintf(stderr, "%s returned %d\n", call, static_cast<int>(result));
        std::exit(1);
    }
}

namespace {

VkInstance create_instance() {
#ifdef VKSORT_TEST_VOLK
    REQUIRE(volkInitialize());
#endif
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    VkInstance instance = VK_NULL_HANDLE;
    REQUIRE(vkCreateInstance(&info, nullptr, &instance));
#ifdef VKSORT_TEST_VOLK
    volkLoadInstance(instance);
#endif
    return instance;
}

} // namespace

Gpu::Gpu(const DeviceOptions& options) {
    static const VkInstance instance = create_instance(); // lives as long as the program
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(instance, &count, &physicalDevice) < VK_SUCCESS || count == 0) {
        std::fprintf(stderr, "there is no Vulkan device\n");
        std::exit(1);
    }
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physicalDevice, &properties);
    alignment = properties.limits.minStorageBufferOffsetAlignment;

    VkPhysicalDeviceVulkan13Features vulkan13 = {};
    vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan12.pNext = &vulkan13;
    VkPhysicalDeviceFeatures2 offered = {};
    offered.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    offered.pNext = &vulkan12;
    vkGetPhysicalDeviceFeatures2(physicalDevice, &offered);
    const bool all = options.allFeatures;
    const VkPhysicalDeviceVulkan12Features offered12 = vulkan12;
    const VkPhysicalDeviceVulkan13Features offered13 = vulkan13;
    vulkan13 = {};
    vulkan13.sType = offered13.sType;
    vulkan13.synchronization2 = VK_TRUE;
    vulkan13.subgroupSizeControl = all ? offered13.subgroupSizeControl : VK_FALSE;
    vulkan13.computeFullSubgroups = all ? offered13.computeFullSubgroups : VK_FALSE;
    vulkan12 = {};
    vulkan12.sType = offered12.sType;
    vulkan12.pNext = &vulkan13;
    vulkan12.vulkanMemoryModel = all ? offered12.vulkanMemoryModel : VK_FALSE;
    vulkan12.vulkanMemoryModelDeviceScope = all ? offered12.vulkanMemoryModelDeviceScope : VK_FALSE;

    const float priority = 1;
    VkDeviceQueueCreateInfo queueInfo = {};
    queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &priority;
    const char* extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    VkDeviceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &vulkan12;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queueInfo;
    info.enabledExtensionCount = options.pushDescriptor ? 1 : 0;
    info.ppEnabledExtensionNames = &extension;
    REQUIRE(vkCreateDevice(physicalDevice, &info, nullptr, &device));
    features = vrdxGetEnabledFeatures(&info);
#ifdef VKSORT_TEST_VOLK
    volkLoadDevice(device);
#endif
    vkGetDeviceQueue(device, 0, 0, &queue);
    pool = create_pool();
}

Gpu::~Gpu() {
    for (const Buffer& buffer : buffers_) {
        vkDestroyBuffer(device, buffer.buffer, nullptr);
        vkFreeMemory(device, buffer.memory, nullptr);
    }
    for (VkCommandPool created : pools_) {
        vkDestroyCommandPool(device, created, nullptr);
    }
    vkDestroyDevice(device, nullptr);
}

VrdxSorter Gpu::create_sorter(VksortAlgorithm algorithm) const {
    VrdxSorterCreateInfo info = {};
    info.physicalDevice = physicalDevice;
    info.device = device;
    info.enabledFeatures = features;
    info.algorithm = algorithm;
    info.messageCallback = on_message;
    VrdxSorter sorter = VK_NULL_HANDLE;
    REQUIRE(vrdxCreateSorter(&info, &sorter));
    return sorter;
}

Buffer Gpu::create_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage) {
    Buffer result;
    VkBufferCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes;
    info.usage = usage;
    REQUIRE(vkCreateBuffer(device, &info, nullptr, &result.buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, result.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &memory);
    const VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type = 0;
    while ((needs.memoryTypeBits >> type & 1) == 0 || (memory.memoryTypes[type].propertyFlags & visible) != visible) {
        if (++type >= memory.memoryTypeCount) {
            std::fprintf(stderr, "no type of memory fits\n");
            std::exit(1);
        }
    }
    VkMemoryAllocateInfo allocation = {};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = needs.size;
    allocation.memoryTypeIndex = type;
    REQUIRE(vkAllocateMemory(device, &allocation, nullptr, &result.memory));
    REQUIRE(vkBindBufferMemory(device, result.buffer, result.memory, 0));
    void* mapped = nullptr;
    REQUIRE(vkMapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    std::memset(mapped, 0xAB, bytes); // nothing may rely on zeros
    result.words = static_cast<uint32_t*>(mapped);
    buffers_.push_back(result);
    return result;
}

VkCommandPool Gpu::create_pool() {
    VkCommandPoolCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    VkCommandPool created = VK_NULL_HANDLE;
    REQUIRE(vkCreateCommandPool(device, &info, nullptr, &created));
    pools_.push_back(created);
    return created;
}

VkCommandBuffer Gpu::begin(VkCommandPool from) {
    VkCommandBufferAllocateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = from != VK_NULL_HANDLE ? from : pool;
    info.commandBufferCount = 1;
    VkCommandBuffer commandBuffer = VK_NULL_HANDLE;
    REQUIRE(vkAllocateCommandBuffers(device, &info, &commandBuffer));
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    REQUIRE(vkBeginCommandBuffer(commandBuffer, &begin));
    return commandBuffer;
}

void Gpu::submit(VkCommandBuffer commandBuffer) {
    REQUIRE(vkEndCommandBuffer(commandBuffer));
    VkSubmitInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commandBuffer;
    REQUIRE(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
    REQUIRE(vkQueueWaitIdle(queue));
}

namespace {

void barrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags from, VkAccessFlags fromAccess, VkPipelineStageFlags to,
             VkAccessFlags toAccess) {
    VkMemoryBarrier memory = {};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = fromAccess;
    memory.dstAccessMask = toAccess;
    vkCmdPipelineBarrier(commandBuffer, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

} // namespace

void barrier_before(VkCommandBuffer commandBuffer) {
    barrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
}

void barrier_after(VkCommandBuffer commandBuffer) {
    barrier(commandBuffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_TRANSFER_READ_BIT);
}

#ifdef VKSORT_TEST_VOLK

uint32_t pipelinesCreated = 0;

namespace {

PFN_vkGetDeviceProcAddr getDeviceProcAddr = nullptr;
PFN_vkCreateComputePipelines createComputePipelines = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL counting_create(VkDevice device, VkPipelineCache cache, uint32_t count,
                                               const VkComputePipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* allocator, VkPipeline* pipelines) {
    pipelinesCreated += count;
    return createComputePipelines(device, cache, count, infos, allocator, pipelines);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counting_get(VkDevice device, const char* name) {
    const PFN_vkVoidFunction function = getDeviceProcAddr(device, name);
    if (std::strcmp(name, "vkCreateComputePipelines") != 0) {
        return function;
    }
    createComputePipelines = reinterpret_cast<PFN_vkCreateComputePipelines>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(counting_create);
}

} // namespace

void count_pipelines() {
    if (vkGetDeviceProcAddr != counting_get) {
        getDeviceProcAddr = vkGetDeviceProcAddr;
        vkGetDeviceProcAddr = counting_get;
    }
}

#endif
