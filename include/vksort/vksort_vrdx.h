// SPDX-License-Identifier: MIT
/// @file
/// The interface of VRDX (vulkan_radix_sort), versions 0.4 to 0.6, implemented by vksort.
///
/// A program that sorts by VRDX includes this header in place of vk_radix_sort.h and links vksort. As before, exactly one
/// translation unit defines VRDX_IMPLEMENTATION first, and includes volk.h before if it uses volk. It calls Vulkan by the
/// names of its functions, so volk or the prototypes of the Vulkan loader must be there.
///
/// Both families of calls are here, as overloads: vrdxCmdSort(), vrdxCmdSortIndirect(), vrdxCmdSortKeyValue() and
/// vrdxCmdSortKeyValueIndirect() of 0.4, and vrdxCmdSort() with a VrdxSortInfo since 0.5. docs/vrdx.md says what differs
/// from VRDX. The header is for C++14 or newer.
///
/// Thread safety: several threads may use one sorter at the same time, each with its own command buffer. A sorter must not
/// be destroyed while another thread uses it or while the GPU executes commands recorded with it.

#ifndef VKSORT_VRDX_H
#define VKSORT_VRDX_H

#ifdef VK_RADIX_SORT_H
#error "vksort/vksort_vrdx.h replaces vk_radix_sort.h: include one of the two"
#endif
/// Turns a later inclusion of vk_radix_sort.h into nothing.
#define VK_RADIX_SORT_H

#include <vksort/vksort.h>

/// Major version of VRDX whose interface this is.
#define VRDX_VERSION_MAJOR 0
/// Minor version of VRDX whose interface this is. The calls of 0.4 are here, too.
#define VRDX_VERSION_MINOR 6
/// Patch version of VRDX whose interface this is.
#define VRDX_VERSION_PATCH 0
/// The version in one number.
#define VRDX_VERSION ((VRDX_VERSION_MAJOR << 22) | (VRDX_VERSION_MINOR << 12) | VRDX_VERSION_PATCH)

/// A context of vksort and the plans that the calls have needed so far.
VK_DEFINE_HANDLE(VrdxSorter)

/// What vrdxCreateSorter() is told. VRDX has the first three fields. The others may stay as they are.
struct VrdxSorterCreateInfo {
    VkPhysicalDevice physicalDevice; ///< The physical device of `device`, from an instance of Vulkan 1.2 or newer.
    VkDevice device;                 ///< The device. As for VRDX, push descriptors must be enabled on it.
    /// Optional: cache of all pipelines. It must exist as long as the sorter, which makes pipelines later, too.
    VkPipelineCache pipelineCache;
    /// Features enabled on `device`, besides push descriptors: what vrdxGetEnabledFeatures() returns. A device does not tell
    /// which features are enabled on it, so without this field vksort uses none, and sorts slower.
    VksortFeatureFlags enabledFeatures = 0;
    /// How to sort. Counts for which this algorithm cannot run are sorted by another one.
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
    /// Optional: receives one sentence for every error. If NULL, errors go to stderr, unless NDEBUG is defined.
    VksortMessageCallback messageCallback = nullptr;
    void* messageUser = nullptr; ///< First argument of `messageCallback`.
};

/// Returns the features that a device was created with, as far as vksort uses them.
/// @param pDeviceCreateInfo What vkCreateDevice() got, with its pNext chain; if NULL, 0 is returned.
/// @return The bits for VrdxSorterCreateInfo::enabledFeatures.
VksortFeatureFlags vrdxGetEnabledFeatures(const VkDeviceCreateInfo* pDeviceCreateInfo);

/// Creates a sorter. It compiles nothing: the first call for a count does, or vrdxPrepareSorter().
/// @param pCreateInfo The device and the options.
/// @param pSorter Receives the sorter, or VK_NULL_HANDLE.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument or a handle is null, or push descriptors are not enabled.
/// @return VK_SUCCESS, this error, or an error of vksortCreateContext().
VkResult vrdxCreateSorter(const VrdxSorterCreateInfo* pCreateInfo, VrdxSorter* pSorter);

/// Destroys a sorter and its pipelines. The GPU must have finished all commands recorded with it.
/// @param sorter The sorter; VK_NULL_HANDLE is ignored.
void vrdxDestroySorter(VrdxSorter sorter);

/// Whether values move with the keys.
typedef enum VrdxSortMode {
    VRDX_SORT_MODE_KEYS_ONLY = 0, ///< u32 keys.
    VRDX_SORT_MODE_KEY_VALUE = 1, ///< u32 keys with u32 values.
} VrdxSortMode;

/// What the storage buffer must be.
struct VrdxSorterStorageRequirements {
    VkDeviceSize size;        ///< Bytes, from storageOffset on. 0 if the device cannot sort that many elements.
    VkBufferUsageFlags usage; ///< Usage that the buffer needs. It has more bits than VRDX asks for.
};

/// Compiles the pipelines of a later call, so that recording does not. VRDX has no such function.
/// @param sorter The sorter.
/// @param maxElementCount The count of the later call, which is an upper bound if `indirect` is set.
/// @param sortMode Whether that call has values.
/// @param indirect Whether that call takes its count from a buffer.
/// @retval VK_ERROR_INITIALIZATION_FAILED The sorter is VK_NULL_HANDLE.
/// @return VK_SUCCESS, this error, or an error of vksortCreatePlan().
VkResult vrdxPrepareSorter(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode, VkBool32 indirect);

/// Returns what storage a sort needs. It is enough for every smaller count, too, and with values for sorts of keys alone.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param sortMode Whether there are values.
/// @param requirements Receives the requirements.
void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode,
                                      VrdxSorterStorageRequirements* requirements);

/// Returns what storage a sort of keys without values needs, as in VRDX 0.4.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param requirements Receives the requirements.
void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                      VrdxSorterStorageRequirements* requirements);

/// Returns what storage a sort of keys with values needs, as in VRDX 0.4.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param requirements Receives the requirements.
void vrdxGetSorterKeyValueStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                              VrdxSorterStorageRequirements* requirements);

/// What to sort. Offsets of keys, values and storage are multiples of minStorageBufferOffsetAlignment.
struct VrdxSortInfo {
    uint32_t elementCount; ///< The count or, with an elementCountBuffer, an upper bound of it.
    /// Optional: a buffer that holds the count, a u32, which is clamped to elementCount. It needs
    /// VK_BUFFER_USAGE_TRANSFER_SRC_BIT and must be visible to compute shaders or to transfers.
    VkBuffer elementCountBuffer;
    VkDeviceSize elementCountOffset; ///< Bytes from its start to the count: a multiple of 4.
    VkBuffer keysBuffer;             ///< The u32 keys, which are sorted in place, in ascending order.
    VkDeviceSize keysOffset;         ///< Bytes from its start to the keys.
    VkBuffer valuesBuffer;           ///< Optional: the u32 values.
    VkDeviceSize valuesOffset;       ///< Bytes from its start to the values.
    VkBuffer storageBuffer;          ///< What vrdxGetSorterStorageRequirements() asks for.
    VkDeviceSize storageOffset;      ///< Bytes from its start to the storage.
    VkQueryPool queryPool;           ///< Optional: receives 15 timestamps.
    /// The first of the 15 queries: the begin (ALL_COMMANDS), the count (TRANSFER), twelve that are spread over the
    /// dispatches (COMPUTE_SHADER), and the end (ALL_COMMANDS). They are written even if nothing is sorted.
    uint32_t query;
};

/// Records a sort. Errors are reported in words, and then nothing but the timestamps is recorded.
/// @param commandBuffer The command buffer, in the recording state, outside a render pass.
/// @param sorter The sorter.
/// @param pSortInfo What to sort. It is not used after the call.
void vrdxCmdSort(VkCommandBuffer commandBuffer, VrdxSorter sorter, const VrdxSortInfo* pSortInfo);

/// Records a sort of keys, as in VRDX 0.4. The parameters are the fields of VrdxSortInfo.
void vrdxCmdSort(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t elementCount, VkBuffer keysBuffer,
                 VkDeviceSize keysOffset, VkBuffer storageBuffer, VkDeviceSize storageOffset, VkQueryPool queryPool,
                 uint32_t query);

/// Records a sort of keys with the count from a buffer, as in VRDX 0.4. The parameters are the fields of VrdxSortInfo.
void vrdxCmdSortIndirect(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t maxElementCount, VkBuffer indirectBuffer,
                         VkDeviceSize indirectOffset, VkBuffer keysBuffer, VkDeviceSize keysOffset, VkBuffer storageBuffer,
                         VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query);

/// Records a sort of keys with values, as in VRDX 0.4. The parameters are the fields of VrdxSortInfo.
void vrdxCmdSortKeyValue(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t elementCount, VkBuffer keysBuffer,
                         VkDeviceSize keysOffset, VkBuffer valuesBuffer, VkDeviceSize valuesOffset, VkBuffer storageBuffer,
                         VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query);

/// Records a sort of keys with values and the count from a buffer, as in VRDX 0.4. The parameters are the fields of
/// VrdxSortInfo.
void vrdxCmdSortKeyValueIndirect(VkCommandBuffer commandBuffer, VrdxSorter sorter, uint32_t maxElementCount,
                                 VkBuffer indirectBuffer, VkDeviceSize indirectOffset, VkBuffer keysBuffer,
                                 VkDeviceSize keysOffset, VkBuffer valuesBuffer, VkDeviceSize valuesOffset,
                                 VkBuffer storageBuffer, VkDeviceSize storageOffset, VkQueryPool queryPool, uint32_t query);

#endif // VKSORT_VRDX_H

#ifdef VRDX_IMPLEMENTATION
#undef VRDX_IMPLEMENTATION
#include <vksort/vksort_vrdx_implementation.h>
#endif
