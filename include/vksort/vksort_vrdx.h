// SPDX-License-Identifier: MIT
/// @file
/// The interface of VRDX (vulkan_radix_sort), versions 0.4 to 0.6, implemented by vksort.
///
/// A program that sorts by VRDX includes this header in place of vk_radix_sort.h and links vksort. As with VRDX, exactly one
/// translation unit defines VRDX_IMPLEMENTATION before it includes the header. That unit calls Vulkan functions by name, so
/// it includes volk.h first, or links the Vulkan loader.
///
/// The calls of VRDX 0.4 and those since 0.5 are overloads: vrdxCmdSort(), vrdxCmdSortIndirect(), vrdxCmdSortKeyValue() and
/// vrdxCmdSortKeyValueIndirect() of 0.4, and vrdxCmdSort() with a VrdxSortInfo since 0.5. docs/vrdx.md says what differs
/// from VRDX. The header is for C++14 or newer.
///
/// Thread safety: several threads may use one sorter at the same time, each with its own command buffer. A sorter must not
/// be destroyed while another thread uses it or while the GPU executes commands recorded with it.
///
/// Synchronization of every vrdxCmd function:
/// - Before: the application makes keys and values visible to VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT with
///   VK_ACCESS_SHADER_READ_BIT, and a count in a buffer to that stage or to VK_PIPELINE_STAGE_TRANSFER_BIT. Earlier uses of
///   the storage must be compute shaders or transfers, or must have finished.
/// - After: results are written in VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT with VK_ACCESS_SHADER_WRITE_BIT. The application's
///   own barrier makes them visible to their next use.

#ifndef VKSORT_VRDX_H
#define VKSORT_VRDX_H

#ifdef VK_RADIX_SORT_H
#error "vksort/vksort_vrdx.h replaces vk_radix_sort.h: include one of the two"
#endif
/// Turns a later inclusion of vk_radix_sort.h into nothing.
#define VK_RADIX_SORT_H

#include <vksort/vksort.h>

/// Major version of the VRDX interface that this header has.
#define VRDX_VERSION_MAJOR 0
/// Minor version of that interface. The header also has the calls of 0.4 and 0.5.
#define VRDX_VERSION_MINOR 6
/// Patch version of that interface.
#define VRDX_VERSION_PATCH 0
/// The version of that interface as one number.
#define VRDX_VERSION ((VRDX_VERSION_MAJOR << 22) | (VRDX_VERSION_MINOR << 12) | VRDX_VERSION_PATCH)

/// A context of vksort and the plans that the calls have needed so far.
VK_DEFINE_HANDLE(VrdxSorter)

/// The device and the options of a sorter. VRDX has the first three fields; the others have defaults.
struct VrdxSorterCreateInfo {
    VkPhysicalDevice physicalDevice; ///< The physical device of `device`, from an instance of Vulkan 1.2 or newer.
    VkDevice device;                 ///< The device. As for VRDX, push descriptors must be enabled on it.
    /// Optional: cache of all pipelines. It must exist as long as the sorter, which also creates pipelines while recording.
    VkPipelineCache pipelineCache;
    /// Features enabled on `device`, besides push descriptors, as vrdxGetEnabledFeatures() returns them. Vulkan has no query
    /// for the enabled features of a device. If this field is 0, vksort uses none of them and takes slower algorithms.
    VksortFeatureFlags enabledFeatures = 0;
    /// How to sort. Counts for which this algorithm cannot run are sorted by another one.
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
    /// Optional: receives one sentence for every error. If NULL, errors are printed to stderr, unless NDEBUG is defined.
    VksortMessageCallback messageCallback = nullptr;
    void* messageUser = nullptr; ///< First argument of `messageCallback`.
};

/// Returns the features that a device was created with, as far as vksort uses them.
/// @param pDeviceCreateInfo The argument of vkCreateDevice(), with its pNext chain; if NULL, 0 is returned.
/// @return The bits for VrdxSorterCreateInfo::enabledFeatures.
VksortFeatureFlags vrdxGetEnabledFeatures(const VkDeviceCreateInfo* pDeviceCreateInfo);

/// Creates a sorter. Pipelines are not compiled here, but by vrdxPrepareSorter() or by the first call for a count.
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

/// The requirements of a storage buffer.
struct VrdxSorterStorageRequirements {
    VkDeviceSize size;        ///< Bytes from storageOffset on; 0 if the device cannot sort that many elements.
    VkBufferUsageFlags usage; ///< Usage that the buffer needs: one bit more than VRDX asks for.
};

/// Compiles the pipelines of a later call, so that recording need not compile them. VRDX has no function for that.
/// @param sorter The sorter.
/// @param maxElementCount The count of the later call, which is an upper bound if `indirect` is set.
/// @param sortMode Whether that call has values.
/// @param indirect Whether that call takes its count from a buffer.
/// @retval VK_ERROR_INITIALIZATION_FAILED The sorter is VK_NULL_HANDLE.
/// @return VK_SUCCESS, this error, or an error of vksortCreatePlan().
VkResult vrdxPrepareSorter(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode, VkBool32 indirect);

/// Returns the storage that a sort needs. It is also enough for every smaller count and, with values, for keys-only sorts.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param sortMode Whether there are values.
/// @param requirements Receives the requirements.
void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount, VrdxSortMode sortMode,
                                      VrdxSorterStorageRequirements* requirements);

/// Returns the storage that a keys-only sort needs, as in VRDX 0.4.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param requirements Receives the requirements.
void vrdxGetSorterStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                      VrdxSorterStorageRequirements* requirements);

/// Returns the storage that a sort of keys with values needs, as in VRDX 0.4.
/// @param sorter The sorter.
/// @param maxElementCount The largest count.
/// @param requirements Receives the requirements.
void vrdxGetSorterKeyValueStorageRequirements(VrdxSorter sorter, uint32_t maxElementCount,
                                              VrdxSorterStorageRequirements* requirements);

/// The buffers and the count of a sort.
///
/// Keys and values need VK_BUFFER_USAGE_STORAGE_BUFFER_BIT. Offsets of keys, values and storage are multiples of
/// minStorageBufferOffsetAlignment.
struct VrdxSortInfo {
    uint32_t elementCount; ///< The count or, with an elementCountBuffer, its upper bound. 0: nothing is sorted.
    /// Optional: a buffer that holds the count, a u32, which is clamped to elementCount. It needs
    /// VK_BUFFER_USAGE_TRANSFER_SRC_BIT. The count must be visible to compute shaders or to transfers.
    VkBuffer elementCountBuffer;
    VkDeviceSize elementCountOffset; ///< Bytes from the start of elementCountBuffer: a multiple of 4.
    VkBuffer keysBuffer;             ///< The u32 keys, which are sorted in place, in ascending order.
    VkDeviceSize keysOffset;         ///< Bytes from the start of keysBuffer.
    VkBuffer valuesBuffer;           ///< Optional: the u32 values, which move with the keys.
    VkDeviceSize valuesOffset;       ///< Bytes from the start of valuesBuffer.
    VkBuffer storageBuffer;          ///< Storage as vrdxGetSorterStorageRequirements() requires it.
    VkDeviceSize storageOffset;      ///< Bytes from the start of storageBuffer.
    VkQueryPool queryPool;           ///< Optional: receives 15 timestamps.
    /// The first of the 15 queries. In order: before the sort (ALL_COMMANDS), after the copy of the count (TRANSFER), twelve
    /// that are spread over the dispatches (COMPUTE_SHADER), and after the sort (ALL_COMMANDS). All are written even if
    /// nothing is sorted.
    uint32_t query;
};

/// Records a sort. If something is wrong, the message callback gets one sentence, and only the timestamps are recorded.
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
