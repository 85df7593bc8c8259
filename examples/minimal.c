// SPDX-License-Identifier: MIT
//
// Sorts 2^16 u32 keys with u32 values, and checks the result: the whole of a program that uses vksort.
//
//     minimal [index of the physical device]
#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vulkan.h>

#include <vksort/vksort.h>

#define COUNT 65536u
#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "minimal.c:%d: failed: %s\n", __LINE__, #condition), exit(1)))

static VkInstance instance;
static VkPhysicalDevice physicalDevice;
static VkDevice device;
static uint32_t family; // the first queue family that supports compute

typedef struct Buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
} Buffer;

// Of size 0: no buffer.
static Buffer create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, VkMemoryPropertyFlags properties) {
    Buffer result = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    if (size == 0) {
        return result;
    }
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
    CHECK(vkCreateBuffer(device, &info, NULL, &result.buffer) == VK_SUCCESS);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, result.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physicalDevice, &memory);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & properties) != properties) {
        CHECK(++type < memory.memoryTypeCount);
    }
    VkMemoryAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size, .memoryTypeIndex = type};
    CHECK(vkAllocateMemory(device, &allocation, NULL, &result.memory) == VK_SUCCESS);
    CHECK(vkBindBufferMemory(device, result.buffer, result.memory, 0) == VK_SUCCESS);
    return result;
}

static void* map(Buffer buffer) {
    void* memory;
    CHECK(vkMapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &memory) == VK_SUCCESS);
    return memory;
}

static void destroy_buffer(Buffer buffer) {
    vkDestroyBuffer(device, buffer.buffer, NULL);
    vkFreeMemory(device, buffer.memory, NULL);
}

static VkDescriptorPool create_pool(const VksortPlanInfo* info) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, info->storageDescriptors * info->descriptorSets};
    VkDescriptorPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                         .maxSets = info->descriptorSets,
                                         .poolSizeCount = 1,
                                         .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    CHECK(info->descriptorSets == 0 || vkCreateDescriptorPool(device, &create, NULL, &pool) == VK_SUCCESS);
    return pool;
}

static void barrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags fromStages, VkAccessFlags fromAccess,
                    VkPipelineStageFlags toStages, VkAccessFlags toAccess) {
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = fromAccess, .dstAccessMask = toAccess};
    vkCmdPipelineBarrier(commandBuffer, fromStages, toStages, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void on_message(void* user, VksortSeverity severity, const char* message) {
    (void)user;
    fprintf(stderr, "vksort: %s: %s\n", severity == VKSORT_SEVERITY_ERROR ? "error" : "warning", message);
}

// The key of element i before the sort. There are at most 4096 different keys, so that many are equal.
static uint32_t key_of(uint32_t i) { return i * 2654435769u >> 20; }

// Creates the device with every feature that vksort can use. None of them is required.
static VksortRequiredFeatures create_device(void) {
    VksortRequiredFeatures required;
    CHECK(vksortGetRequiredFeatures(instance, physicalDevice, vkGetInstanceProcAddr, &required) == VK_SUCCESS);
    CHECK(required.supported);
    VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT, .pipelineRobustness = VK_TRUE};
    VkPhysicalDeviceSubgroupSizeControlFeatures sizeControl = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
        .pNext = required.pipelineRobustness ? &robustness : NULL,
        .subgroupSizeControl = VK_TRUE,
        .computeFullSubgroups = VK_TRUE};
    VkPhysicalDeviceVulkan12Features vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                 .pNext = required.subgroupSizeControl ? &sizeControl : sizeControl.pNext,
                                                 .vulkanMemoryModel = required.vulkanMemoryModel,
                                                 .vulkanMemoryModelDeviceScope = required.vulkanMemoryModelDeviceScope};
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queueInfo = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                         .queueFamilyIndex = family,
                                         .queueCount = 1,
                                         .pQueuePriorities = &priority};
    VkDeviceCreateInfo deviceInfo = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &vulkan12,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queueInfo,
                                     .enabledExtensionCount = required.extensionCount,
                                     .ppEnabledExtensionNames = required.extensions};
    CHECK(vkCreateDevice(physicalDevice, &deviceInfo, NULL, &device) == VK_SUCCESS);
    return required;
}

int main(int argc, char** argv) {
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo instanceInfo = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    CHECK(vkCreateInstance(&instanceInfo, NULL, &instance) == VK_SUCCESS);
    VkPhysicalDevice physicalDevices[16];
    uint32_t deviceCount = 16, index = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    CHECK(vkEnumeratePhysicalDevices(instance, &deviceCount, physicalDevices) >= VK_SUCCESS && index < deviceCount);
    physicalDevice = physicalDevices[index];
    VkQueueFamilyProperties families[16];
    uint32_t familyCount = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physicalDevice, &familyCount, families);
    while (!(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
        CHECK(++family < familyCount);
    }
    VksortRequiredFeatures required = create_device();
    VkQueue queue;
    vkGetDeviceQueue(device, family, 0, &queue);

    VkCommandPoolCreateInfo commandPoolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                               .queueFamilyIndex = family};
    VkCommandPool commandPool;
    CHECK(vkCreateCommandPool(device, &commandPoolInfo, NULL, &commandPool) == VK_SUCCESS);
    VkCommandBufferAllocateInfo commandBufferInfo = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = commandPool, .commandBufferCount = 1};
    VkCommandBuffer commandBuffer;
    CHECK(vkAllocateCommandBuffers(device, &commandBufferInfo, &commandBuffer) == VK_SUCCESS);
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commandBuffer, &begin) == VK_SUCCESS);

    // [readme]
    // Once per device. vksortGetRequiredFeatures() has filled `required`; the device was created with those features.
    VksortContextCreateInfo contextInfo = {.instance = instance,
                                           .physicalDevice = physicalDevice,
                                           .device = device,
                                           .getInstanceProcAddr = vkGetInstanceProcAddr,
                                           .enabledFeatures = required.features,
                                           .messageCallback = on_message,
                                           .headerVersion = VKSORT_VERSION};
    VksortContext context;
    CHECK(vksortCreateContext(&contextInfo, NULL, &context) == VK_SUCCESS);

    // Once per kind of sort, here u32 keys with 4-byte values. Compiles pipelines; `info` then says what scratch it needs.
    VksortPlanDesc desc = {.keyType = VKSORT_KEY_U32, .valueSize = 4, .maxCount = COUNT};
    VksortPlan plan;
    CHECK(vksortCreatePlan(context, &desc, &plan) == VK_SUCCESS);
    VksortPlanInfo info;
    vksortGetPlanInfo(plan, &info);

    const VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    Buffer keys = create_buffer(COUNT * sizeof(uint32_t), info.bufferUsage, visible);
    Buffer values = create_buffer(COUNT * sizeof(uint32_t), info.bufferUsage, visible);
    Buffer scratch = create_buffer(info.scratchSize, info.scratchUsage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    VkDescriptorPool pool = create_pool(&info); // none where descriptors are pushed: info.descriptorSets is 0 then

    // Every frame. The first barrier makes keys and values, here written by the host, visible to the sort. The last one
    // makes the result visible to its reader, here the host. vksortCmdSort() records the barriers between its dispatches.
    barrier(commandBuffer, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_WRITE_BIT, info.firstStages, info.firstAccess);
    VksortSortBuffers buffers = {.keys = {keys.buffer, 0},
                                 .values = {values.buffer, 0},
                                 .scratch = {scratch.buffer, 0},
                                 .count = COUNT,
                                 .descriptorPool = pool};
    vksortCmdSort(commandBuffer, plan, &buffers);
    barrier(commandBuffer, info.lastStages, info.lastAccess, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    // [/readme]
    CHECK(vkEndCommandBuffer(commandBuffer) == VK_SUCCESS);

    uint32_t *key = map(keys), *value = map(values);
    for (uint32_t i = 0; i < COUNT; ++i) {
        key[i] = key_of(i);
        value[i] = i;
    }
    VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commandBuffer};
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS);
    CHECK(vkQueueWaitIdle(queue) == VK_SUCCESS);

    // Keys rise, each value belongs to its key, and values of equal keys rise, because the sort is stable.
    for (uint32_t i = 0; i < COUNT; ++i) {
        CHECK(value[i] < COUNT && key[i] == key_of(value[i]));
        CHECK(i == 0 || key[i - 1] < key[i] || (key[i - 1] == key[i] && value[i - 1] < value[i]));
    }
    printf("%s sorted %u keys with values by %s: verified\n", required.deviceInfo.name, COUNT,
           vksortAlgorithmName(info.algorithm));

    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
    vkDestroyDescriptorPool(device, pool, NULL);
    vkDestroyCommandPool(device, commandPool, NULL);
    destroy_buffer(keys);
    destroy_buffer(values);
    destroy_buffer(scratch);
    vkDestroyDevice(device, NULL);
    vkDestroyInstance(instance, NULL);
    return 0;
}
