// SPDX-License-Identifier: MIT
//
// The functions of vksort_vrdx.h, which includes this file where VRDX_IMPLEMENTATION is defined. They are not part of the
// library, because only the application knows how it calls Vulkan: by volk, or by the loader's prototypes. This file uses
// no exceptions, no containers and nothing newer than C++14, since VRDX requires no more.
#ifndef VKSORT_VRDX_IMPLEMENTATION_H
#define VKSORT_VRDX_IMPLEMENTATION_H

/// @cond

#ifndef VOLK_H_
#include <vulkan/vulkan.h>
#endif

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>

namespace vksort_vrdx {

// A cell is a range of counts from the host that share one plan: the plan for the cell's largest count, its capacity. Eight
// cells for each power of two bound the number of plans, and waste at most an eighth of the storage.
constexpr uint32_t kCells = 169; // up to 2^32
constexpr uint64_t capacity_of(uint32_t cell) { return uint64_t{8 + cell % 8} << (8 + cell / 8); }
inline uint32_t cell_of(uint32_t count) {
    uint32_t cell = 0;
    while (capacity_of(cell) < count) {
        ++cell;
    }
    return cell;
}

// A count from a buffer needs a plan for exactly its upper bound, since the plan's binding of the keys has that length. The
// number of upper bounds is unlimited, so beyond kMostPlans plans the least recently used one is destroyed.
constexpr uint32_t kMostPlans = 256;

constexpr size_t kMessageSize = 256;

constexpr uint32_t kFirstStage = 2; // of the 15 timestamps, the first that belongs to dispatches
constexpr uint32_t kStages = 12;
constexpr uint32_t kTimestamps = kFirstStage + kStages + 1;

struct PlanEntry {
    PlanEntry* next = nullptr;
    uint64_t capacity = 0;
    VrdxSortMode mode = VRDX_SORT_MODE_KEYS_ONLY;
    bool indirect = false;
    uint32_t users = 0; // calls that are recording it
    VksortPlan plan = VK_NULL_HANDLE;
    VksortPlanInfo info = {};
};

inline void print_message(void*, VksortSeverity, const char* message) {
#ifdef NDEBUG
    (void)message;
#else
    std::fprintf(stderr, "vrdx: %s\n", message);
#endif
}

// VrdxSorterCreateInfo has no instance and no vkGetInstanceProcAddr. The functions that vksort looks up in an instance are
// therefore those that this translation unit calls by name.
inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    PFN_vkVoidFunction function = vkGetDeviceProcAddr(device, name);
    if (function == nullptr && std::strcmp(name, "vkCmdPushDescriptorSetKHR") == 0) {
        function = vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSet"); // the extension is a part of Vulkan 1.4
    }
    return function;
}
inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance, const char* name) {
    const struct {
        const char* name;
        PFN_vkVoidFunction function;
    } functions[] = {
        {"vkEnumerateDeviceExtensionProperties", reinterpret_cast<PFN_vkVoidFunction>(vkEnumerateDeviceExtensionProperties)},
        {"vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(device_function)},
        {"vkGetPhysicalDeviceFeatures2", reinterpret_cast<PFN_vkVoidFunction>(vkGetPhysicalDeviceFeatures2)},
        {"vkGetPhysicalDeviceProperties", reinterpret_cast<PFN_vkVoidFunction>(vkGetPhysicalDeviceProperties)},
        {"vkGetPhysicalDeviceProperties2", reinterpret_cast<PFN_vkVoidFunction>(vkGetPhysicalDeviceProperties2)},
    };
    for (const auto& entry : functions) {
        if (std::strcmp(entry.name, name) == 0) {
            return entry.function;
        }
    }
    return nullptr;
}

} // namespace vksort_vrdx

struct VrdxSorter_T {
    VksortContext context = VK_NULL_HANDLE;
    VksortDeviceInfo device = {}; // with the features in use
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
    VksortMessageCallback messageCallback = nullptr;
    void* messageUser = nullptr;
    uint64_t alignment = 0;   // of scratch within storage, in bytes
    uint64_t largest[2] = {}; // largest count that the device can sort, for each mode

    std::mutex mutex;                        // guards the fields below
    vksort_vrdx::PlanEntry* plans = nullptr; // the most recently used one first
    // Bytes of scratch that suffice for every plan up to the capacity of a cell, for each mode. The first boundCount are
    // known.
    uint64_t bounds[2][vksort_vrdx::kCells] = {};
    uint32_t boundCount = 0;
    uint64_t lastScratch[2][2] = {}; // of the last of these cells, by mode and whether the count comes from a buffer

    void report(const char* format, ...) {
        char message[vksort_vrdx::kMessageSize];
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        messageCallback(messageUser, VKSORT_SEVERITY_ERROR, message);
    }
};

namespace vksort_vrdx {

inline VksortPlanDesc describe(uint64_t capacity, VrdxSortMode mode, bool indirect, VksortAlgorithm algorithm) {
    VksortPlanDesc desc = {};
    desc.keyType = VKSORT_KEY_U32;
    desc.valueSize = mode == VRDX_SORT_MODE_KEY_VALUE ? 4 : 0;
    desc.flags = indirect ? VkFlags{VKSORT_PLAN_COUNT_FROM_BUFFER_BIT} : 0;
    desc.algorithm = algorithm;
    desc.maxCount = capacity;
    return desc;
}

// The algorithms to try, the preferred one first. The last two need little scratch and run for every count that fits the
// device.
constexpr uint32_t kCandidates = 4;
inline VksortAlgorithm candidate(const VrdxSorter_T& sorter, uint32_t index) {
    const VksortAlgorithm candidates[kCandidates] = {sorter.algorithm, VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_REDUCE_SCAN,
                                                     VKSORT_ALGORITHM_MERGE};
    return candidates[index];
}

// Describes the first of the candidates that can run and needs at most `limit` bytes of scratch. `reason` says why the first
// candidate that was refused cannot run.
inline bool choose(const VrdxSorter_T& sorter, uint64_t capacity, VrdxSortMode mode, bool indirect, uint64_t limit,
                   VksortPlanDesc& desc, VksortPlanInfo& info, char (&reason)[kMessageSize]) {
    reason[0] = '\0';
    for (uint32_t i = 0; i < kCandidates; ++i) {
        char message[sizeof reason];
        desc = describe(capacity, mode, indirect, candidate(sorter, i));
        if (vksortDescribePlan(&sorter.device, &desc, &info, message, sizeof message) != VK_SUCCESS) {
            if (reason[0] == '\0') {
                std::memcpy(reason, message, sizeof reason);
            }
        } else if (info.scratchSize <= limit) {
            return true;
        }
    }
    if (reason[0] == '\0') {
        std::snprintf(reason, sizeof reason, "no algorithm has enough of the storage that such a count is given");
    }
    info = {};
    return false;
}

// The largest count that one of the candidates can sort.
inline uint64_t largest_count(const VrdxSorter_T& sorter, VrdxSortMode mode) {
    uint64_t largest = 0;
    for (uint32_t i = 0; i < kCandidates; ++i) {
        const VksortPlanDesc desc = describe(1, mode, false, candidate(sorter, i));
        VksortPlanInfo info = {};
        vksortDescribePlan(&sorter.device, &desc, &info, nullptr, 0);
        largest = largest > info.largestCount ? largest : info.largestCount;
    }
    return largest;
}

// Adds the bound of one more cell. Scratch grows with the count, except where a plan takes another algorithm or other sizes
// and scratch drops. Such a drop can be anywhere between two capacities. In between, scratch is at most that of the larger
// capacity, or that of the smaller one scaled to the larger. choose() holds every plan to this bound.
inline void add_bound(VrdxSorter_T& sorter) {
    const uint32_t cell = sorter.boundCount;
    for (uint32_t mode = 0; mode < 2; ++mode) {
        uint64_t bound = cell != 0 ? sorter.bounds[mode][cell - 1] : 0;
        for (uint32_t indirect = 0; indirect < 2; ++indirect) {
            const uint64_t last = sorter.lastScratch[mode][indirect];
            const uint64_t inBetween = cell != 0 ? last + last / (8 + (cell - 1) % 8) + 1 : 0;
            const uint64_t capacity = capacity_of(cell) < sorter.largest[mode] ? capacity_of(cell) : sorter.largest[mode];
            VksortPlanDesc desc;
            VksortPlanInfo info = {};
            char reason[kMessageSize];
            choose(sorter, capacity, static_cast<VrdxSortMode>(mode), indirect != 0, UINT64_MAX, desc, info, reason);
            bound = bound > inBetween ? bound : inBetween;
            bound = bound > info.scratchSize ? bound : info.scratchSize;
            sorter.lastScratch[mode][indirect] = info.scratchSize;
        }
        // Storage of a sort with values also serves keys-only sorts.
        const uint64_t ofKeys = sorter.bounds[VRDX_SORT_MODE_KEYS_ONLY][cell];
        sorter.bounds[mode][cell] = bound > ofKeys ? bound : ofKeys;
    }
    ++sorter.boundCount;
}

// Bytes of scratch that are enough for every plan for up to `count` elements. The caller holds the mutex.
inline uint64_t scratch_bound(VrdxSorter_T& sorter, uint32_t count, VrdxSortMode mode) {
    const uint32_t cell = cell_of(count);
    while (sorter.boundCount <= cell) {
        add_bound(sorter);
    }
    return sorter.bounds[mode][cell];
}

// The storage begins with a copy of the count, followed by scratch.
inline uint64_t scratch_offset(const VrdxSorter_T& sorter, uint64_t storageOffset) {
    return (storageOffset + sizeof(uint32_t) + sorter.alignment - 1) / sorter.alignment * sorter.alignment;
}
inline uint64_t storage_size(const VrdxSorter_T& sorter, uint64_t scratch) { return scratch + 2 * sorter.alignment; }

inline VkResult make_entry(VrdxSorter_T& sorter, uint64_t capacity, uint64_t limit, PlanEntry& entry) {
    VksortPlanDesc desc;
    char reason[kMessageSize];
    if (!choose(sorter, capacity, entry.mode, entry.indirect, limit, desc, entry.info, reason)) {
        sorter.report("%llu elements cannot be sorted: %s", static_cast<unsigned long long>(capacity), reason);
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    const VkResult result = vksortCreatePlan(sorter.context, &desc, &entry.plan);
    if (result != VK_SUCCESS) {
        return result; // vksort has said why
    }
    vksortGetPlanInfo(entry.plan, &entry.info);
    if (entry.info.scratchSize > limit ||
        (entry.info.scratchAlignment != 0 && sorter.alignment % entry.info.scratchAlignment != 0)) {
        sorter.report("the plan for %llu elements needs other scratch than was described",
                      static_cast<unsigned long long>(capacity));
        return VK_ERROR_UNKNOWN;
    }
    return VK_SUCCESS;
}

inline void destroy_entry(PlanEntry* entry) {
    if (entry != nullptr) {
        vksortDestroyPlan(entry->plan);
        delete entry;
    }
}

// Returns the plan if it is in the list, and moves it to the front; otherwise null. The caller holds the mutex.
inline PlanEntry* find(VrdxSorter_T& sorter, uint64_t capacity, VrdxSortMode mode, bool indirect) {
    for (PlanEntry** link = &sorter.plans; *link != nullptr; link = &(*link)->next) {
        PlanEntry* entry = *link;
        if (entry->capacity == capacity && entry->mode == mode && entry->indirect == indirect) {
            *link = entry->next;
            entry->next = sorter.plans;
            sorter.plans = entry;
            return entry;
        }
    }
    return nullptr;
}

// Destroys the plans at the end of the list. Commands that were recorded with them stay valid: a plan is only host memory,
// and its pipelines belong to the context (docs/guide.md, "Host memory"). The caller holds the mutex.
inline void drop_old(VrdxSorter_T& sorter) {
    uint32_t position = 0;
    for (PlanEntry** link = &sorter.plans; *link != nullptr; ++position) {
        PlanEntry* entry = *link;
        if (position < kMostPlans || entry->users != 0) {
            link = &entry->next;
        } else {
            *link = entry->next;
            destroy_entry(entry);
        }
    }
}

// Gets or makes the plan for a call. Other calls may use it at the same time. An error has been reported already.
inline VkResult acquire(VrdxSorter_T& sorter, uint32_t count, VrdxSortMode mode, bool indirect, PlanEntry*& acquired) {
    acquired = nullptr;
    uint64_t capacity = count;
    uint64_t limit = 0;
    {
        const std::lock_guard<std::mutex> lock(sorter.mutex);
        if (!indirect && count <= sorter.largest[mode]) {
            capacity = capacity_of(cell_of(count));
            capacity = capacity < sorter.largest[mode] ? capacity : sorter.largest[mode];
        }
        acquired = find(sorter, capacity, mode, indirect);
        if (acquired != nullptr) {
            ++acquired->users;
            return VK_SUCCESS;
        }
        limit = scratch_bound(sorter, count, mode);
    }
    // Compiling takes long, so the mutex is not held meanwhile.
    PlanEntry* made = new (std::nothrow) PlanEntry;
    if (made == nullptr) {
        sorter.report("there is no host memory for a plan");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    made->capacity = capacity;
    made->mode = mode;
    made->indirect = indirect;
    const VkResult result = make_entry(sorter, capacity, limit, *made);
    if (result != VK_SUCCESS) {
        destroy_entry(made);
        return result;
    }
    const std::lock_guard<std::mutex> lock(sorter.mutex);
    acquired = find(sorter, capacity, mode, indirect); // another thread may have been faster
    if (acquired != nullptr) {
        destroy_entry(made);
    } else {
        made->next = sorter.plans;
        sorter.plans = made;
        acquired = made;
    }
    ++acquired->users;
    drop_old(sorter);
    return VK_SUCCESS;
}

inline void release(VrdxSorter_T& sorter, PlanEntry& entry) {
    const std::lock_guard<std::mutex> lock(sorter.mutex);
    --entry.users;
}

// Writes the timestamps of one call, in order.
struct Timestamps {
    VkQueryPool pool;
    uint32_t first;
    uint32_t passCount = 0;
    uint32_t written = 0;

    void write_until(VkCommandBuffer commandBuffer, uint32_t end) {
        for (; pool != VK_NULL_HANDLE && written < end; ++written) {
            const VkPipelineStageFlagBits stage = written == 1 ? VK_PIPELINE_STAGE_TRANSFER_BIT
                                                  : written == 0 || written == kTimestamps - 1
                                                      ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
                                                      : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
            vkCmdWriteTimestamp(commandBuffer, stage, pool, first + written);
        }
    }

    // A sort of vksort has more or fewer dispatches than the twelve of VRDX, so the twelve timestamps are spread over them.
    static void on_pass(void* user, VkCommandBuffer commandBuffer, VksortPassEvent event, uint32_t passIndex, const char*) {
        Timestamps& self = *static_cast<Timestamps*>(user);
        if (event == VKSORT_PASS_END && self.passCount != 0) {
            self.write_until(commandBuffer, kFirstStage + kStages * (passIndex + 1) / self.passCount);
        }
    }
};

// The barriers that VRDX requires of its callers make keys visible to reads only, and do not order a copy to storage after
// the sort before. This barrier adds both.
inline void barrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags stages, VkAccessFlags access) {
    VkMemoryBarrier memory = {};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    memory.dstAccessMask = access;
    vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0, 1,
                         &memory, 0, nullptr, 0, nullptr);
}

// Whether the buffers can be used at all; vksort checks the rest.
inline bool check(VrdxSorter_T& sorter, const VrdxSortInfo& info) {
    const VkDeviceSize alignment = sorter.device.storageBufferOffsetAlignment;
    const struct {
        const char* name;
        VkDeviceSize offset;
        VkDeviceSize alignment;
    } offsets[] = {
        {"keysOffset", info.keysOffset, alignment},
        {"valuesOffset", info.valuesBuffer != VK_NULL_HANDLE ? info.valuesOffset : 0, alignment},
        {"storageOffset", info.storageOffset, alignment},
        {"elementCountOffset", info.elementCountBuffer != VK_NULL_HANDLE ? info.elementCountOffset : 0, 4},
    };
    if (info.keysBuffer == VK_NULL_HANDLE || info.storageBuffer == VK_NULL_HANDLE) {
        sorter.report("vrdxCmdSort recorded nothing: %s is VK_NULL_HANDLE",
                      info.keysBuffer == VK_NULL_HANDLE ? "keysBuffer" : "storageBuffer");
        return false;
    }
    for (const auto& entry : offsets) {
        if (entry.offset % entry.alignment != 0) {
            sorter.report("vrdxCmdSort recorded nothing: the %s %llu is not a multiple of %llu", entry.name,
                          static_cast<unsigned long long>(entry.offset), static_cast<unsigned long long>(entry.alignment));
            return false;
        }
    }
    return true;
}

inline void record(VkCommandBuffer commandBuffer, VrdxSorter_T& sorter, const VrdxSortInfo& info, Timestamps& timestamps) {
    if (info.elementCount == 0 || !check(sorter, info)) {
        return;
    }
    const bool indirect = info.elementCountBuffer != VK_NULL_HANDLE;
    const VrdxSortMode mode = info.valuesBuffer != VK_NULL_HANDLE ? VRDX_SORT_MODE_KEY_VALUE : VRDX_SORT_MODE_KEYS_ONLY;
    PlanEntry* entry = nullptr;
    if (acquire(sorter, info.elementCount, mode, indirect, entry) != VK_SUCCESS) {
        return;
    }
    if (indirect) {
        // The application's buffer may lack the usage of a storage buffer, so the count is copied.
        barrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
        const VkBufferCopy region = {info.elementCountOffset, info.storageOffset, sizeof(uint32_t)};
        vkCmdCopyBuffer(commandBuffer, info.elementCountBuffer, info.storageBuffer, 1, &region);
    }
    barrier(commandBuffer, entry->info.firstStages, entry->info.firstAccess);
    timestamps.write_until(commandBuffer, kFirstStage);
    timestamps.passCount = entry->info.passCount;
    VksortSortBuffers buffers = {};
    buffers.keys = {info.keysBuffer, info.keysOffset};
    buffers.values = {info.valuesBuffer, info.valuesOffset};
    buffers.scratch = {info.storageBuffer, scratch_offset(sorter, info.storageOffset)};
    buffers.countBuffer = {info.storageBuffer, info.storageOffset};
    buffers.count = info.elementCount;
    if (timestamps.pool != VK_NULL_HANDLE) {
        buffers.passCallback = Timestamps::on_pass;
        buffers.passUser = &timestamps;
    }
    vksortCmdSort(commandBuffer, entry->plan, &buffers);
    release(sorter, *entry);
}

} // namespace vksort_vrdx

VksortFeatureFlags vrdxGetEnabledFeatures(const VkDeviceCreateInfo* pDeviceCreateInfo) {
    bool model = false, modelScope = false, sizeControl = false, fullSubgroups = false, robustness = false;
    const void* next = pDeviceCreateInfo != nullptr ? pDeviceCreateInfo->pNext : nullptr;
    while (next != nullptr) {
        const VkBaseInStructure& base = *static_cast<const VkBaseInStructure*>(next);
        if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            const auto& features = *static_cast<const VkPhysicalDeviceVulkan12Features*>(next);
            model = model || features.vulkanMemoryModel != VK_FALSE;
            modelScope = modelScope || features.vulkanMemoryModelDeviceScope != VK_FALSE;
        } else if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES) {
            const auto& features = *static_cast<const VkPhysicalDeviceVulkanMemoryModelFeatures*>(next);
            model = model || features.vulkanMemoryModel != VK_FALSE;
            modelScope = modelScope || features.vulkanMemoryModelDeviceScope != VK_FALSE;
        } else if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES) {
            const auto& features = *static_cast<const VkPhysicalDeviceVulkan13Features*>(next);
            sizeControl = sizeControl || features.subgroupSizeControl != VK_FALSE;
            fullSubgroups = fullSubgroups || features.computeFullSubgroups != VK_FALSE;
        } else if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES) {
            const auto& features = *static_cast<const VkPhysicalDeviceSubgroupSizeControlFeatures*>(next);
            sizeControl = sizeControl || features.subgroupSizeControl != VK_FALSE;
            fullSubgroups = fullSubgroups || features.computeFullSubgroups != VK_FALSE;
#ifdef VK_EXT_pipeline_robustness
        } else if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT) {
            const auto& features = *static_cast<const VkPhysicalDevicePipelineRobustnessFeaturesEXT*>(next);
            robustness = robustness || features.pipelineRobustness != VK_FALSE;
#endif
#ifdef VK_VERSION_1_4
        } else if (base.sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES) {
            const auto& features = *static_cast<const VkPhysicalDeviceVulkan14Features*>(next);
            robustness = robustness || features.pipelineRobustness != VK_FALSE;
#endif
        }
        next = base.pNext;
    }
    VksortFeatureFlags enabled = 0;
    if (model && modelScope) {
        enabled |= VKSORT_FEATURE_MEMORY_MODEL_BIT;
    }
    if (sizeControl && fullSubgroups) {
        enabled |= VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT;
    }
    if (robustness) {
        enabled |= VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT;
    }
    return enabled;
}

VkResult vrdxCreateSorter(const VrdxSorterCreateInfo* pCreateInfo, VrdxSorter* pSorter) {
    using namespace vksort_vrdx;
    if (pSorter != nullptr) {
        *pSorter = VK_NULL_HANDLE;
    }
    const VksortMessageCallback callback =
        pCreateInfo != nullptr && pCreateInfo->messageCallback != nullptr ? pCreateInfo->messageCallback : print_message;
    void* user = pCreateInfo != nullptr ? pCreateInfo->messageUser : nullptr;
    if (pCreateInfo == nullptr || pSorter == nullptr || pCreateInfo->physicalDevice == VK_NULL_HANDLE ||
        pCreateInfo->device == VK_NULL_HANDLE) {
        callback(user, VKSORT_SEVERITY_ERROR, "vrdxCreateSorter needs a physicalDevice, a device and pSorter");
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    // Never dereferenced: vksort hands it to instance_function() alone.
    const VkInstance instance = reinterpret_cast<VkInstance>(pCreateInfo->physicalDevice);
    VksortRequiredFeatures offered = {};
    VkResult result = vksortGetRequiredFeatures(instance, pCreateInfo->physicalDevice, instance_function, &offered);
    if (result != VK_SUCCESS) {
        callback(user, VKSORT_SEVERITY_ERROR, "vrdxCreateSorter could not query the device");
        return result;
    }
    VrdxSorter made = new (std::nothrow) VrdxSorter_T;
    if (made == nullptr) {
        callback(user, VKSORT_SEVERITY_ERROR, "vrdxCreateSorter has no host memory");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VksortContextCreateInfo contextInfo = {};
    contextInfo.headerVersion = VKSORT_VERSION;
    contextInfo.instance = instance;
    contextInfo.physicalDevice = pCreateInfo->physicalDevice;
    contextInfo.device = pCreateInfo->device;
    contextInfo.getInstanceProcAddr = instance_function;
    contextInfo.enabledFeatures = (pCreateInfo->enabledFeatures & offered.features) | VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT;
    contextInfo.pipelineCache = pCreateInfo->pipelineCache;
    contextInfo.messageCallback = callback;
    contextInfo.messageUser = user;
    result = vksortCreateContext(&contextInfo, nullptr, &made->context);
    if (result != VK_SUCCESS) {
        delete made;
        return result;
    }
    made->algorithm = pCreateInfo->algorithm;
    made->messageCallback = callback;
    made->messageUser = user;
    // The context sees the device like this: without the feature only one subgroup size is known.
    made->device = offered.deviceInfo;
    made->device.features = contextInfo.enabledFeatures;
    if ((made->device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) == 0) {
        made->device.minSubgroupSize = made->device.subgroupSize;
        made->device.maxSubgroupSize = made->device.subgroupSize;
        made->device.canRequireSubgroupSize = VK_FALSE;
        made->device.maxWorkgroupSubgroups =
            made->device.maxWorkgroupInvocations / (made->device.subgroupSize != 0 ? made->device.subgroupSize : 1);
    }
    made->alignment = made->device.storageBufferOffsetAlignment > 256 ? made->device.storageBufferOffsetAlignment : 256;
    for (uint32_t mode = 0; mode < 2; ++mode) {
        made->largest[mode] = largest_count(*made, static_cast<VrdxSortMode>(mode));
    }
    *pSorter = made;
    return VK_SUCCESS;
}

void vrdxDestroySorter(VrdxSorter sorter) {
    if (sorter == VK_NULL_HANDLE) {
        return;
    }
    while (sorter->plans != nullptr) {
        vksort_vrdx::PlanEntry* entry = sorter->plans;
        sorter->plans = entry->next;
        vksort_vrdx::destroy_entry(entry);
    }
    vksortDestroyContext(sorter->context);
    delete sorter;
}

VkResult vrdxPrepareSorter(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode, VkBool32 indirect) {
    using namespace vksort_vrdx;
    if (sorter == VK_NULL_HANDLE) {
        print_message(nullptr, VKSORT_SEVERITY_ERROR, "vrdxPrepareSorter needs a sorter");
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    const VrdxSortMode mode = sortMode == VRDX_SORT_MODE_KEYS_ONLY ? VRDX_SORT_MODE_KEYS_ONLY : VRDX_SORT_MODE_KEY_VALUE;
    PlanEntry* entry = nullptr;
    const VkResult result = acquire(*sorter, maxElementCount, mode, indirect != VK_FALSE, entry);
    if (result == VK_SUCCESS) {
        release(*sorter, *entry);
    }
    return result;
}

void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode,
                                      VrdxSorterStorageRequirements* requirements) {
    using namespace vksort_vrdx;
    if (requirements == nullptr) {
        return;
    }
    // Dispatches read their sizes from scratch, and counts are copied to storage.
    *requirements = {0, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                            VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    if (sorter == VK_NULL_HANDLE) {
        print_message(nullptr, VKSORT_SEVERITY_ERROR, "vrdxGetSorterStorageRequirements needs a sorter");
        return;
    }
    const VrdxSortMode mode = sortMode == VRDX_SORT_MODE_KEYS_ONLY ? VRDX_SORT_MODE_KEYS_ONLY : VRDX_SORT_MODE_KEY_VALUE;
    if (maxElementCount > sorter->largest[mode]) {
        sorter->report("%u elements are too many: the device can sort %llu", maxElementCount,
                       static_cast<unsigned long long>(sorter->largest[mode]));
        return;
    }
    const std::lock_guard<std::mutex> lock(sorter->mutex);
    requirements->size = storage_size(*sorter, scratch_bound(*sorter, maxElementCount, mode));
}

void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                      VrdxSorterStorageRequirements* requirements) {
    vrdxGetSorterStorageRequirements(sorter, maxElementCount, VRDX_SORT_MODE_KEYS_ONLY, requirements);
}

void vrdxGetSorterKeyValueStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                              VrdxSorterStorageRequirements* requirements) {
    vrdxGetSorterStorageRequirements(sorter, maxElementCount, VRDX_SORT_MODE_KEY_VALUE, requirements);
}

void vrdxCmdSort(VkCommandBuffer commandBuffer, VrdxSorter sorter, const VrdxSortInfo* pSortInfo) {
    using namespace vksort_vrdx;
    if (commandBuffer == VK_NULL_HANDLE || sorter == VK_NULL_HANDLE || pSortInfo == nullptr) {
        const char* message = "vrdxCmdSort needs a command buffer, a sorter and pSortInfo";
        if (sorter != VK_NULL_HANDLE) {
            sorter->report("%s", message);
        } else {
            print_message(nullptr, VKSORT_SEVERITY_ERROR, message);
        }
        return;
    }
    Timestamps timestamps = {};
    timestamps.pool = pSortInfo->queryPool;
    timestamps.first = pSortInfo->query;
    timestamps.write_until(commandBuffer, 1);
    record(commandBuffer, *sorter, *pSortInfo, timestamps);
    timestamps.write_until(commandBuffer, kTimestamps);
}

void vrdxCmdSort(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t elementCount, VkBuffer keysBuffer,
                 VkDeviceSize keysOffset, VkBuffer storageBuffer, VkDeviceSize storageOffset, VkQueryPool queryPool,
                 uint32_t query) {
    vrdxCmdSortKeyValueIndirect(commandBuffer, sorter, elementCount, VK_NULL_HANDLE, 0, keysBuffer, keysOffset,
                                VK_NULL_HANDLE, 0, storageBuffer, storageOffset, queryPool, query);
}

void vrdxCmdSortIndirect(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t maxElementCount, VkBuffer indirectBuffer,
                         VkDeviceSize indirectOffset, VkBuffer keysBuffer, VkDeviceSize keysOffset, VkBuffer storageBuffer,
                         VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query) {
    vrdxCmdSortKeyValueIndirect(commandBuffer, sorter, maxElementCount, indirectBuffer, indirectOffset, keysBuffer,
                                keysOffset, VK_NULL_HANDLE, 0, storageBuffer, storageOffset, queryPool, query);
}

void vrdxCmdSortKeyValue(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t elementCount, VkBuffer keysBuffer,
                         VkDeviceSize keysOffset, VkBuffer valuesBuffer, VkDeviceSize valuesOffset, VkBuffer storageBuffer,
                         VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query) {
    vrdxCmdSortKeyValueIndirect(commandBuffer, sorter, elementCount, VK_NULL_HANDLE, 0, keysBuffer, keysOffset, valuesBuffer,
                                valuesOffset, storageBuffer, storageOffset, queryPool, query);
}

void vrdxCmdSortKeyValueIndirect(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t maxElementCount,
                                 VkBuffer indirectBuffer, VkDeviceSize indirectOffset, VkBuffer keysBuffer,
                                 VkDeviceSize keysOffset, VkBuffer valuesBuffer, VkDeviceSize valuesOffset,
                                 VkBuffer storageBuffer, VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query) {
    const VrdxSortInfo info = {maxElementCount, indirectBuffer, indirectOffset, keysBuffer, keysOffset, valuesBuffer,
                               valuesOffset,    storageBuffer,  storageOffset,  queryPool,  query};
    vrdxCmdSort(commandBuffer, sorter, &info);
}

/// @endcond

#endif
