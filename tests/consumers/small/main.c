/* SPDX-License-Identifier: MIT */
/* Sorts u32 keys with 4-byte values, and looks at what a build without the kernels for anything else says and does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vksort/vksort.h>

#define COUNT 20000u

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("line %d: %s\n", __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static char last_message[400];

static void on_message(void* user, VksortSeverity severity, const char* message) {
    (void)user;
    (void)severity;
    snprintf(last_message, sizeof last_message, "%s", message);
}

/* ---- Host memory that is counted, and of which one allocation can fail. The driver is not asked to bear that. */

static int alive, until_failure = -1;

static VKAPI_ATTR void* VKAPI_CALL allocate(void* user, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    void* memory;
    (void)user;
    (void)scope;
    if (until_failure >= 0 && until_failure-- == 0) {
        return NULL;
    }
    CHECK(alignment <= 16); /* as malloc has it */
    memory = malloc(size);
    alive += memory != NULL;
    return memory;
}

static VKAPI_ATTR void VKAPI_CALL release(void* user, void* memory) {
    (void)user;
    alive -= memory != NULL;
    free(memory);
}

static VKAPI_ATTR void* VKAPI_CALL reallocate(void* user, void* memory, size_t size, size_t alignment,
                                              VkSystemAllocationScope scope) {
    (void)user;
    (void)alignment;
    (void)scope;
    alive += memory == NULL;
    return realloc(memory, size);
}

/* ---- A device, and buffers that the host sees */

static VkInstance instance;
static VkPhysicalDevice physical_device;
static VkDevice device;
static VkQueue queue;

static void create_device(void) {
    VkApplicationInfo application = {0};
    VkInstanceCreateInfo instance_info = {0};
    VkDeviceQueueCreateInfo queue_info = {0};
    VkDeviceCreateInfo device_info = {0};
    VkResult result;
    uint32_t one = 1;
    float priority = 1.0f;
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    instance_info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    instance_info.pApplicationInfo = &application;
    CHECK(vkCreateInstance(&instance_info, NULL, &instance) == VK_SUCCESS);
    result = vkEnumeratePhysicalDevices(instance, &one, &physical_device);
    CHECK(result == VK_SUCCESS || result == VK_INCOMPLETE);
    queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_info.queueCount = 1;
    queue_info.pQueuePriorities = &priority;
    device_info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    device_info.queueCreateInfoCount = 1;
    device_info.pQueueCreateInfos = &queue_info;
    CHECK(vkCreateDevice(physical_device, &device_info, NULL, &device) == VK_SUCCESS);
    vkGetDeviceQueue(device, 0, 0, &queue);
}

static uint32_t visible_memory(uint32_t types) {
    const VkFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t type = 0;
    vkGetPhysicalDeviceMemoryProperties(physical_device, &memory);
    while ((types >> type & 1u) == 0 || (memory.memoryTypes[type].propertyFlags & wanted) != wanted) {
        CHECK(++type < memory.memoryTypeCount);
    }
    return type;
}

static VkBuffer create_buffer(VkDeviceSize size, VkBufferUsageFlags usage, void** mapped) {
    VkBufferCreateInfo info = {0};
    VkMemoryAllocateInfo allocation = {0};
    VkMemoryRequirements requirements;
    VkDeviceMemory memory;
    VkBuffer buffer;
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size;
    info.usage = usage;
    CHECK(vkCreateBuffer(device, &info, NULL, &buffer) == VK_SUCCESS);
    vkGetBufferMemoryRequirements(device, buffer, &requirements);
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = requirements.size;
    allocation.memoryTypeIndex = visible_memory(requirements.memoryTypeBits);
    CHECK(vkAllocateMemory(device, &allocation, NULL, &memory) == VK_SUCCESS);
    CHECK(vkBindBufferMemory(device, buffer, memory, 0) == VK_SUCCESS);
    CHECK(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, mapped) == VK_SUCCESS);
    return buffer;
}

static VkDescriptorPool create_pool(const VksortPlanInfo* info) {
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0};
    VkDescriptorPoolCreateInfo create = {0};
    VkDescriptorPool pool;
    size.descriptorCount = info->storageDescriptors;
    create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    create.maxSets = info->descriptorSets;
    create.poolSizeCount = 1;
    create.pPoolSizes = &size;
    CHECK(vkCreateDescriptorPool(device, &create, NULL, &pool) == VK_SUCCESS);
    return pool;
}

/* ---- Sorting */

static VksortPlanDesc pairs(void) {
    VksortPlanDesc desc = {0};
    desc.keyType = VKSORT_KEY_U32;
    desc.valueSize = 4;
    desc.maxCount = COUNT;
    return desc;
}

static void expect_refusals(VksortContext context) {
    static const struct {
        VksortOperation operation;
        VksortKeyType key;
        uint32_t value_size;
        const char* words;
    } refused[] = {
        {VKSORT_OPERATION_SORT, VKSORT_KEY_U64, 4, "no kernels for 64-bit keys; build it with 64 in VKSORT_KEY_WIDTHS"},
        {VKSORT_OPERATION_SORT, VKSORT_KEY_U32, 0, "for keys without values; build it with none in VKSORT_VALUES"},
        {VKSORT_OPERATION_GATHER, VKSORT_KEY_U32, 4, "operation gather; build it with gather in VKSORT_OPERATIONS"},
        {VKSORT_OPERATION_MERGE, VKSORT_KEY_U32, 4, "operation merge; build it with merge in VKSORT_OPERATIONS"},
        {VKSORT_OPERATION_SEGMENTED_SORT, VKSORT_KEY_U32, 4,
         "segmented_sort; build it with segmented_sort in VKSORT_OPERATIONS"},
    };
    size_t i;
    for (i = 0; i < sizeof refused / sizeof *refused; ++i) {
        VksortPlanDesc desc = pairs();
        VksortPlan plan;
        desc.operation = refused[i].operation;
        desc.keyType = refused[i].key;
        desc.valueSize = refused[i].value_size;
        desc.result = desc.operation == VKSORT_OPERATION_MERGE ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
        last_message[0] = '\0';
        CHECK(vksortCreatePlan(context, &desc, &plan) == VK_ERROR_FEATURE_NOT_PRESENT);
        CHECK(plan == VK_NULL_HANDLE);
        puts(last_message);
        CHECK(strstr(last_message, refused[i].words) != NULL);
    }
}

/* The first allocations are the plan, the first kernel's words and what zlib needs to inflate them. */
static void expect_no_leak(VksortContext context) {
    const VksortPlanDesc desc = pairs();
    const int before = alive;
    int i;
    for (i = 0; i < 3; ++i) {
        VksortPlan plan;
        until_failure = i;
        CHECK(vksortCreatePlan(context, &desc, &plan) == VK_ERROR_OUT_OF_HOST_MEMORY);
        CHECK(until_failure < 0);
        CHECK(alive == before);
    }
}

static void sort(VksortPlan plan) {
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VksortPlanInfo info;
    VksortSortBuffers buffers = {0};
    VkCommandPoolCreateInfo pool_info = {0};
    VkCommandBufferAllocateInfo commands_info = {0};
    VkCommandBufferBeginInfo begin = {0};
    VkMemoryBarrier barrier = {0};
    VkSubmitInfo submit = {0};
    VkCommandPool pool;
    VkCommandBuffer commands;
    uint32_t *keys, *values, i;
    void* mapped[3];

    vksortGetPlanInfo(plan, &info);
    buffers.keys.buffer = create_buffer(4 * COUNT, usage, &mapped[0]);
    buffers.values.buffer = create_buffer(4 * COUNT, usage, &mapped[1]);
    buffers.scratch.buffer = create_buffer(info.scratchSize, info.scratchUsage, &mapped[2]);
    buffers.count = COUNT;
    buffers.descriptorPool = create_pool(&info);
    keys = mapped[0];
    values = mapped[1];
    for (i = 0; i < COUNT; ++i) {
        keys[i] = i * 2654435761u >> 20; /* equal keys, too, whose order their values tell */
        values[i] = i;
    }
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    CHECK(vkCreateCommandPool(device, &pool_info, NULL, &pool) == VK_SUCCESS);
    commands_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    commands_info.commandPool = pool;
    commands_info.commandBufferCount = 1;
    CHECK(vkAllocateCommandBuffers(device, &commands_info, &commands) == VK_SUCCESS);
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    CHECK(vkBeginCommandBuffer(commands, &begin) == VK_SUCCESS);
    vksortCmdSort(commands, plan, &buffers);
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = info.lastAccess;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    vkCmdPipelineBarrier(commands, info.lastStages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    CHECK(vkEndCommandBuffer(commands) == VK_SUCCESS);
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS);
    CHECK(vkQueueWaitIdle(queue) == VK_SUCCESS);
    for (i = 0; i < COUNT; ++i) {
        CHECK(values[i] < COUNT && keys[i] == values[i] * 2654435761u >> 20);
        CHECK(i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]));
    }
}

int main(void) {
    const VksortPlanDesc desc = pairs();
    VkAllocationCallbacks callbacks = {0};
    VksortContextCreateInfo context_info = {0};
    VksortContext context;
    VksortPlan plan;

    create_device();
    context_info.instance = instance;
    context_info.physicalDevice = physical_device;
    context_info.device = device;
    context_info.getInstanceProcAddr = vkGetInstanceProcAddr;
    context_info.messageCallback = on_message;
    callbacks.pfnAllocation = allocate;
    callbacks.pfnReallocation = reallocate;
    callbacks.pfnFree = release;
    CHECK(vksortCreateContext(&context_info, &callbacks, &context) == VK_SUCCESS);
    expect_refusals(context);
    expect_no_leak(context);
    if (vksortCreatePlan(context, &desc, &plan) != VK_SUCCESS) {
        puts(last_message);
        return 1;
    }
    sort(plan);
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
    CHECK(alive == 0);
    puts("sorted");
    return 0;
}
