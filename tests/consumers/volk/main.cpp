// SPDX-License-Identifier: MIT
//
// Gives volk's vkGetInstanceProcAddr to vksort, as an engine would, makes a plan on the first device and records it.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <cstdio>
#include <cstdlib>

#include <vksort/vksort.hpp>

namespace {

void check(bool condition, const char* what) {
    if (!condition) {
        std::puts(what);
        std::exit(1);
    }
}

void on_message(void*, VksortSeverity, const char* message) { std::puts(message); }

VkBuffer create_buffer(VkPhysicalDevice physicalDevice, VkDevice device, VkDeviceSize size, VkBufferUsageFlags usage) {
    VkBufferCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size;
    info.usage = usage;
    VkBuffer buffer = VK_NULL_HANDLE;
    check(vkCreateBuffer(device, &info, nullptr, &buffer) == VK_SUCCESS, "no buffer");
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device, buffer, &requirements);
    VkPhysicalDeviceMemoryProperties properties;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &properties);
    VkMemoryAllocateInfo allocation = {};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = requirements.size;
    while ((requirements.memoryTypeBits >> allocation.memoryTypeIndex & 1u) == 0) {
        ++allocation.memoryTypeIndex;
    }
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vkAllocateMemory(device, &allocation, nullptr, &memory) == VK_SUCCESS, "no memory");
    check(vkBindBufferMemory(device, buffer, memory, 0) == VK_SUCCESS, "no memory bound");
    return buffer;
}

} // namespace

int main() {
    constexpr uint32_t kCount = 100'000;
    check(volkInitialize() == VK_SUCCESS, "no Vulkan loader");
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo instanceInfo = {};
    instanceInfo.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instanceInfo.pApplicationInfo = &application;
    VkInstance instance = VK_NULL_HANDLE;
    check(vkCreateInstance(&instanceInfo, nullptr, &instance) == VK_SUCCESS, "no instance");
    volkLoadInstance(instance);
    uint32_t one = 1;
    VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
    vkEnumeratePhysicalDevices(instance, &one, &physicalDevice);
    check(one == 1, "no device");

    VksortRequiredFeatures required = {};
    check(vksort::get_required_features(instance, physicalDevice, vkGetInstanceProcAddr, required) == VK_SUCCESS &&
              required.supported,
          "the device cannot sort");
    const float priority = 1;
    VkDeviceQueueCreateInfo queueInfo = {};
    queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queueInfo.queueCount = 1;
    queueInfo.pQueuePriorities = &priority;
    VkDeviceCreateInfo deviceInfo = {};
    deviceInfo.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    deviceInfo.queueCreateInfoCount = 1;
    deviceInfo.pQueueCreateInfos = &queueInfo;
    VkDevice device = VK_NULL_HANDLE;
    check(vkCreateDevice(physicalDevice, &deviceInfo, nullptr, &device) == VK_SUCCESS, "no logical device");
    volkLoadDevice(device);

    VksortContextCreateInfo contextInfo = {};
    contextInfo.instance = instance;
    contextInfo.physicalDevice = physicalDevice;
    contextInfo.device = device;
    contextInfo.getInstanceProcAddr = vkGetInstanceProcAddr;
    contextInfo.messageCallback = on_message;
    vksort::Context context;
    check(context.create(contextInfo) == VK_SUCCESS, "no context");
    vksort::Plan plan;
    check(plan.create(context, vksort::sort_keys<uint32_t>(kCount)) == VK_SUCCESS, "no plan");
    const VksortPlanInfo info = plan.info();

    VkDescriptorPoolSize poolSize = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, info.storageDescriptors};
    VkDescriptorPoolCreateInfo poolInfo = {};
    poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    poolInfo.maxSets = info.descriptorSets;
    poolInfo.poolSizeCount = 1;
    poolInfo.pPoolSizes = &poolSize;
    VksortSortBuffers buffers = {};
    check(vkCreateDescriptorPool(device, &poolInfo, nullptr, &buffers.descriptorPool) == VK_SUCCESS, "no pool");
    buffers.keys.buffer = create_buffer(physicalDevice, device, kCount * sizeof(uint32_t), info.bufferUsage);
    buffers.scratch.buffer = create_buffer(physicalDevice, device, info.scratchSize, info.scratchUsage);
    buffers.count = kCount;

    VkCommandPoolCreateInfo commandPoolInfo = {};
    commandPoolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    VkCommandPool commandPool = VK_NULL_HANDLE;
    check(vkCreateCommandPool(device, &commandPoolInfo, nullptr, &commandPool) == VK_SUCCESS, "no command pool");
    VkCommandBufferAllocateInfo commandsInfo = {};
    commandsInfo.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    commandsInfo.commandPool = commandPool;
    commandsInfo.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    check(vkAllocateCommandBuffers(device, &commandsInfo, &commands) == VK_SUCCESS, "no command buffer");
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS, "not begun");
    plan.sort(commands, buffers);
    check(vkEndCommandBuffer(commands) == VK_SUCCESS, "not recorded");
    std::printf("%s\n", vksortAlgorithmName(info.algorithm));
    return 0;
}
