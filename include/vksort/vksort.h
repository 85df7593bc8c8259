// SPDX-License-Identifier: MIT
/// @file
/// vksort: sorts, merges and segmented sorts of GPU buffers with Vulkan 1.2 compute.
///
/// This header is the reference; docs/guide.md explains its use task by task. An application calls, in this order:
///
/// 1. vksortGetRequiredFeatures() before the VkDevice exists: which features to enable, and what each of them adds.
/// 2. vksortCreateContext() once for each VkDevice.
/// 3. vksortCreatePlan() once for each kind of sort. All errors of a description are reported here, in words.
/// 4. vksortGetPlanInfo(): scratch size, algorithm, location of the result, stages and access masks.
/// 5. vksortCmdSort() and the other commands: any number of times, into the application's command buffers.
///
/// Conventions:
/// - Structs are plain data. Zero is the default of every field: fill a struct with zeros, then set what differs.
/// - New fields are only added at the end of a struct. A field named `reserved` must be zero. Structs carry no size, so an
///   application must be compiled again for a new minor version.
/// - Counts are in elements. Sizes and offsets are in bytes.
/// - The library never submits, waits, allocates device memory, aborts or throws. It prints only messages that have no
///   callback, to stderr; see VksortContextCreateInfo::messageCallback.
/// - Host memory of objects comes from the VkAllocationCallbacks of the context if they are given, otherwise from malloc.
/// - The library links no Vulkan function. It loads all of them by the application's vkGetInstanceProcAddr.
/// - If VK_EXT_debug_utils is enabled on the instance, pipelines have names, and each call and each of its dispatches has a
///   label.
/// - This header includes vulkan_core.h. An application with volk includes volk.h before it, or defines VK_NO_PROTOTYPES.
///
/// Thread safety:
/// - Different threads may create, prepare, destroy, query and record plans of one context at the same time.
/// - Several threads may record one plan at the same time. A plan and a context are never modified by recording.
/// - Command buffers and descriptor pools are externally synchronized, as in Vulkan.
/// - An object must not be destroyed while another thread uses it or while the GPU executes commands recorded with it.
///
/// Synchronization of every vksortCmd function; docs/synchronization.md has the details:
/// - Before: the application makes the inputs visible to VksortPlanInfo::firstStages and VksortPlanInfo::firstAccess.
///   Earlier uses of the scratch and output buffers must have finished.
/// - After: results are written in VksortPlanInfo::lastStages with VksortPlanInfo::lastAccess. The application's own
///   barrier makes them visible to their next use.
/// - Between the dispatches of one call, the library records its own barriers: one VkMemoryBarrier each, from compute to
///   compute and, before an indirect dispatch, to draw-indirect.
/// - Two calls that share scratch need a barrier between them, from VksortPlanInfo::lastStages and lastAccess to firstStages
///   and firstAccess. It also protects the indirect arguments that dispatches read from scratch.
/// - The command buffer, primary or secondary, must be recording, outside a render pass, for a queue with
///   VK_QUEUE_COMPUTE_BIT.
/// - Commands may be executed any number of times. Executions of the same commands must not overlap, not even with
///   VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, because they use the same scratch and write the same result.
/// - A call changes the compute pipeline, descriptor set 0 of the compute bind point and push constants, and no other state.

#ifndef VKSORT_H
#define VKSORT_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

/// Major version of this header.
#define VKSORT_VERSION_MAJOR 0
/// Minor version. Before 1.0, a new minor version may change the interface.
#define VKSORT_VERSION_MINOR 1
/// Patch version of this header.
#define VKSORT_VERSION_PATCH 0
/// The version of this header as one number, which grows with each version and which `#if` can compare: the major version in
/// bits 22 to 31, the minor version in bits 12 to 21, the patch version in bits 0 to 11.
#define VKSORT_VERSION (0u | VKSORT_VERSION_MAJOR << 22 | VKSORT_VERSION_MINOR << 12 | VKSORT_VERSION_PATCH)

/// @cond
#if defined(VKSORT_SHARED)
#if defined(_WIN32)
#if defined(VKSORT_BUILDING)
#define VKSORT_API __declspec(dllexport)
#else
#define VKSORT_API __declspec(dllimport)
#endif
#else
#define VKSORT_API __attribute__((visibility("default")))
#endif
#else
#define VKSORT_API
#endif
/// @endcond

#ifdef __cplusplus
extern "C" {
#endif

/// The descriptor set layout, pipeline layout, Vulkan functions and pipelines of one VkDevice.
VK_DEFINE_HANDLE(VksortContext)
/// One kind of sort, merge, segmented sort or gather, ready to be recorded.
VK_DEFINE_HANDLE(VksortPlan)
/// An order of keys that the application defines, as kernels (compute shaders) that were compiled with it.
VK_DEFINE_HANDLE(VksortComparator)

// ---- Enumerations ---------------------------------------------------------------------------------------------------

/// What a plan does.
typedef enum VksortOperation {
    /// Sorts keys, keys with values, or the indices that would sort the keys. Recorded by vksortCmdSort().
    VKSORT_OPERATION_SORT = 0,
    /// Copies records of 4*k bytes: `out[i] = records[indices[i]]`. Recorded by vksortCmdGather().
    VKSORT_OPERATION_GATHER = 1,
    /// Merges two sorted inputs into one output. Recorded by vksortCmdMerge().
    VKSORT_OPERATION_MERGE = 2,
    /// Sorts every segment of one array by itself. Recorded by vksortCmdSegmentedSort().
    VKSORT_OPERATION_SEGMENTED_SORT = 3,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_OPERATION_MAX_ENUM = 0x7FFFFFFF
} VksortOperation;

/// The type of the keys, which are little-endian.
///
/// Integers are ordered numerically. Floats are in IEEE 754 total order: -NaN, -inf, ..., -0, +0, ..., +inf, +NaN. Bit
/// patterns are preserved, including those of NaN. No key type needs 64-bit integers or 8- or 16-bit storage on the device.
typedef enum VksortKeyType {
    VKSORT_KEY_U32 = 0, ///< 32-bit unsigned integer.
    VKSORT_KEY_I32 = 1, ///< 32-bit signed integer.
    VKSORT_KEY_F32 = 2, ///< 32-bit float.
    VKSORT_KEY_U64 = 3, ///< 64-bit unsigned integer.
    VKSORT_KEY_I64 = 4, ///< 64-bit signed integer.
    VKSORT_KEY_F64 = 5, ///< 64-bit float.
    VKSORT_KEY_U16 = 6, ///< 16-bit unsigned integer.
    VKSORT_KEY_I16 = 7, ///< 16-bit signed integer.
    VKSORT_KEY_F16 = 8, ///< 16-bit float.
    VKSORT_KEY_U8 = 9,  ///< 8-bit unsigned integer.
    VKSORT_KEY_I8 = 10, ///< 8-bit signed integer.
    /// 1 to 16 words of 4 bytes, ordered by VksortPlanDesc::comparator. Sorts run by VKSORT_ALGORITHM_MERGE or
    /// VKSORT_ALGORITHM_LOCALITY, merges by MERGE, segmented sorts by VKSORT_ALGORITHM_SEGMENTED.
    VKSORT_KEY_COMPARATOR = 11,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_KEY_MAX_ENUM = 0x7FFFFFFF
} VksortKeyType;

/// How a plan sorts. Every algorithm is stable: equal keys keep their input order.
///
/// ONESWEEP, SIZE_CLASSES, MSD, SAMPLE_SORT and BUCKET_SORT rank keys by subgroup ballots and need a known subgroup size:
/// VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT, and either VksortDeviceInfo::canRequireSubgroupSize or subgroups of one size.
/// The other algorithms run on every supported device. docs/guide.md says which one AUTO takes, and docs/algorithms how each
/// works.
///
/// A tile is the elements that one workgroup processes at a time. A digit is 8 bits of a key, and a digit pass moves all
/// elements to the order of one digit. Keys are uniform if they are spread evenly over a range, so that buckets of equal
/// width hold about as many keys each; all other keys are skewed. A sample of the keys decides, on the GPU.
/// The generic device is that of vksortGetGenericDeviceInfo().
typedef enum VksortAlgorithm {
    /// The library chooses when the plan is made, from the description, the device and maxCount.
    /// Gathers must use it. VksortPlanInfo::algorithm tells the choice.
    VKSORT_ALGORITHM_AUTO = 0,
    /// One dispatch of one workgroup sorts all elements in shared memory. For sorts.
    /// Shared memory limits maxCount. The generic device holds 8192 keys of up to 4 bytes, 6144 with values, or 4096 of
    /// 8 bytes.
    VKSORT_ALGORITHM_ONE_WORKGROUP = 1,
    /// Radix sort from the least significant digit, 8 bits a pass, by decoupled look-back with fallback. For sorts.
    /// Also needs VKSORT_FEATURE_MEMORY_MODEL_BIT. Assumes no forward progress between workgroups.
    /// Adinets and Merrill, "Onesweep", 2022; Smith, Levien and Owens, "Decoupled Fallback", 2025.
    VKSORT_ALGORITHM_ONESWEEP = 2,
    /// Radix sort from the least significant digit, 8 bits and three dispatches a pass. For sorts.
    /// Workgroups do not communicate within a dispatch, so that it runs on every device.
    /// Merrill and Grimshaw, "High Performance and Scalable Radix Sorting", 2011.
    VKSORT_ALGORITHM_REDUCE_SCAN = 3,
    /// Sorts tiles in shared memory, then merges neighboring lists in passes. For sorts by all bits, and for merges.
    /// AUTO takes it for merges, for comparators and, on CPU drivers, for sorts that do not fit one workgroup.
    /// Green, McColl and Bader, "GPU Merge Path", 2012; Baxter, "Modern GPU", 2013.
    VKSORT_ALGORITHM_MERGE = 4,
    /// As MERGE, except that tiles that are already in place are neither merged nor copied twice. For sorts by all bits.
    /// Meant for comparator keys that are nearly in order; AUTO never takes it.
    VKSORT_ALGORITHM_LOCALITY = 5,
    /// As LOCALITY, but a pass merges only tiles in which a segment crosses the border between the two lists.
    /// For segmented sorts. The time hardly depends on the segments' lengths. AUTO takes it for comparators, on CPU drivers,
    /// and without a known subgroup size of 16 lanes or more. Baxter, "Modern GPU", 2013.
    VKSORT_ALGORITHM_SEGMENTED = 6,
    /// Sorts short segments several to a workgroup, and partitions long ones by their most significant digits until they
    /// fit a workgroup. For segmented sorts of built-in key types. AUTO takes it on GPUs with a known subgroup size
    /// of 16 lanes or more.
    VKSORT_ALGORITHM_SIZE_CLASSES = 7,
    /// Radix sort from the most significant digit: partitions keys by 8 bits a level until a bucket fits shared memory.
    /// For sorts by all bits. On devices that run ONESWEEP, keys too skewed for that fall back to ONESWEEP in the same plan;
    /// elsewhere the plan has a level for every byte of the key.
    /// After Stehle and Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
    VKSORT_ALGORITHM_MSD = 8,
    /// Two dispatches: workgroups sort tiles and split them at common splitters, then gather and sort each bucket. From
    /// 270,000 4-byte keys on a third one is ONESWEEP, for skewed keys, on GPUs of AMD, Intel and NVIDIA. For sorts by all
    /// bits. The generic device allows a maxCount of up to 2^21, or 2^20 for 8-byte keys; CPU drivers up to 2^16.
    /// After Leischner, Osipov and Sanders, "GPU Sample Sort", 2010.
    VKSORT_ALGORITHM_SAMPLE_SORT = 9,
    /// Scatters keys that a sample shows to be uniform into padded buckets, without counting them first, and sorts each
    /// bucket. For 4- and 8-byte keys by all bits, not with RESULT_PING_PONG; needs what ONESWEEP needs.
    /// Other keys fall back to ONESWEEP or MSD in the same plan. Scratch is 1.2 to 3.7 times the size of the input.
    /// After Isaac and Singleton, "Sorting by Address Calculation", 1956.
    VKSORT_ALGORITHM_BUCKET_SORT = 10,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_ALGORITHM_MAX_ENUM = 0x7FFFFFFF
} VksortAlgorithm;

/// Where the result is written.
typedef enum VksortResult {
    /// To VksortSortBuffers::keys and VksortSortBuffers::values themselves.
    VKSORT_RESULT_IN_PLACE = 0,
    /// To keys and values, or to keysAlternate and valuesAlternate, whichever needs no copy. Both are overwritten.
    /// VksortPlanInfo::resultInAlternate says which; it is the same for every recording of a plan.
    /// Needs less scratch than the other modes. For sorts.
    VKSORT_RESULT_PING_PONG = 1,
    /// To keysOut and valuesOut. The inputs are only read. Merges and strided keys need this mode.
    VKSORT_RESULT_SEPARATE = 2,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_RESULT_MAX_ENUM = 0x7FFFFFFF
} VksortResult;

/// Options of a plan.
typedef enum VksortPlanFlagBits {
    /// Sorts the largest key first. The sort is still stable: equal keys keep their input order.
    VKSORT_PLAN_DESCENDING_BIT = 0x1,
    /// Argsort: the values are the indices 0, 1, 2, ..., which the library makes itself.
    /// valueSize must be 0 or 4. The 4-byte unsigned indices are written where values would be.
    VKSORT_PLAN_ARGSORT_BIT = 0x2,
    /// The GPU reads the count, a u32, from countBuffer when the commands execute, and clamps it to maxCount.
    /// The count may be at any multiple of 4 bytes: instanceCount of a VkDrawIndirectCommand can be the count.
    /// For a merge, two u32 are read: the counts of A and B.
    VKSORT_PLAN_COUNT_FROM_BUFFER_BIT = 0x4,
    /// Only the values or indices are wanted. With VKSORT_RESULT_SEPARATE no keysOut is needed.
    /// In the other modes the contents of the key buffers are undefined afterwards.
    VKSORT_PLAN_DISCARD_KEYS_BIT = 0x8,
    /// Segmented sort by head indices or offsets: the second u32 in countBuffer is the number of segments.
    /// It is clamped to maxSegments.
    VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT = 0x10,
    /// vksortCreatePlan() compiles only the pipelines of a simpler sort; vksortPreparePlan() compiles those of the
    /// algorithm chosen. Commands recorded before that are correct, but slower.
    VKSORT_PLAN_PREPARE_LATER_BIT = 0x20,
    /// The GPU also writes a VksortIndirectCommands: the clamped count, and a dispatch and a draw of that count for the
    /// application's later commands. Needs VKSORT_PLAN_COUNT_FROM_BUFFER_BIT.
    VKSORT_PLAN_WRITE_COMMANDS_BIT = 0x40,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_PLAN_FLAG_BITS_MAX_ENUM = 0x7FFFFFFF
} VksortPlanFlagBits;
/// A combination of VksortPlanFlagBits.
typedef VkFlags VksortPlanFlags;

/// How the segments of a segmented sort are given. Positions count elements.
typedef enum VksortSegments {
    /// Bit `i % 32` of u32 `i / 32` is set if a segment begins at element i. Element 0 always begins a segment.
    VKSORT_SEGMENTS_HEAD_FLAGS = 0,
    /// u32 positions at which segments begin, strictly increasing. Position 0 may be left out.
    /// Positions at or past the count are ignored.
    VKSORT_SEGMENTS_HEAD_INDICES = 1,
    /// Pairs of u32, the begin and the end of each segment, in increasing order: a segment begins at or after the end of
    /// the one before. Segments may be empty. Elements between segments are not moved.
    VKSORT_SEGMENTS_OFFSETS = 2,
    /// Pairs of u32, the position of the first element and the number of elements of each segment, in any order. Segments
    /// do not overlap and may be empty. Elements in no segment are not moved. Positions at or past the count are ignored.
    VKSORT_SEGMENTS_OFFSET_COUNTS = 3,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_SEGMENTS_MAX_ENUM = 0x7FFFFFFF
} VksortSegments;

/// Optional features of a VkDevice. The library uses those that are enabled and requires none.
typedef enum VksortFeatureFlagBits {
    /// vulkanMemoryModel and vulkanMemoryModelDeviceScope of VkPhysicalDeviceVulkan12Features.
    /// Together with VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT it adds ONESWEEP and BUCKET_SORT.
    VKSORT_FEATURE_MEMORY_MODEL_BIT = 0x1,
    /// VK_KHR_push_descriptor. Recording then needs no descriptor pool.
    /// docs/guide.md says what pushing costs.
    VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT = 0x2,
    /// subgroupSizeControl and computeFullSubgroups of VK_EXT_subgroup_size_control or Vulkan 1.3.
    /// Adds the algorithms that rank keys by subgroup ballots. AUTO takes them on GPUs with subgroups of 16 lanes and
    /// more; without this feature its choices are up to several times slower.
    VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT = 0x4,
    /// pipelineRobustness of VK_EXT_pipeline_robustness. vksort then disables robust buffer access for pipelines that
    /// access nothing out of bounds, whatever the keys are; README.md says how much faster they are. Kernels whose addresses
    /// depend on the application's indices, segments or comparator stay robust.
    VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT = 0x8,
    /// Not a value; makes the type 32 bits wide.
    VKSORT_FEATURE_FLAG_BITS_MAX_ENUM = 0x7FFFFFFF
} VksortFeatureFlagBits;
/// A combination of VksortFeatureFlagBits.
typedef VkFlags VksortFeatureFlags;

/// How serious a message is. The library sends errors only; vksort::host also sends warnings of validation layers.
typedef enum VksortSeverity {
    VKSORT_SEVERITY_WARNING = 0,          ///< The call continues.
    VKSORT_SEVERITY_ERROR = 1,            ///< The call fails or, if it is a vksortCmd function, records nothing.
    VKSORT_SEVERITY_MAX_ENUM = 0x7FFFFFFF ///< Not a value; makes the type 32 bits wide.
} VksortSeverity;

/// Receives one English sentence that names the cause of an error and, where there is one, the remedy.
///
/// `user` is VksortContextCreateInfo::messageUser. `message` is valid only during the call. Any thread that uses the library
/// may make the call, and several may do so at the same time.
typedef void (*VksortMessageCallback)(void* user, VksortSeverity severity, const char* message);

// ---- 1. Before the device exists ------------------------------------------------------------------------------------

/// The properties of a device that decide a plan.
///
/// They are plain numbers, so that vksortDescribePlan() needs no GPU and can replay the report of another device.
typedef struct VksortDeviceInfo {
    /// Name of the device, for messages.
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    uint32_t vendorId;                ///< VkPhysicalDeviceProperties::vendorID.
    uint32_t deviceType;              ///< VkPhysicalDeviceType.
    uint32_t apiVersion;              ///< Vulkan version of the device.
    VksortFeatureFlags features;      ///< Features that the device offers; in a context, those that are enabled.
    uint32_t subgroupSize;            ///< VkPhysicalDeviceSubgroupProperties::subgroupSize, in lanes.
    uint32_t minSubgroupSize;         ///< Smallest subgroup size; equal to subgroupSize without subgroup size control.
    uint32_t maxSubgroupSize;         ///< Largest subgroup size; equal to subgroupSize without subgroup size control.
    VkBool32 canRequireSubgroupSize;  ///< Whether requiredSubgroupSizeStages includes compute shaders.
    uint32_t maxSharedMemorySize;     ///< Shared memory of a workgroup, in bytes.
    uint32_t maxWorkgroupInvocations; ///< VkPhysicalDeviceLimits::maxComputeWorkGroupInvocations.
    uint32_t maxWorkgroupSizeX;       ///< VkPhysicalDeviceLimits::maxComputeWorkGroupSize[0].
    uint32_t maxWorkgroupSubgroups;   ///< VkPhysicalDeviceSubgroupSizeControlProperties::maxComputeWorkgroupSubgroups.
    uint32_t maxWorkgroupCount[3];    ///< VkPhysicalDeviceLimits::maxComputeWorkGroupCount.
    uint64_t maxStorageBufferRange;   ///< Largest range of a storage buffer binding, in bytes.
    /// VkPhysicalDeviceLimits::minStorageBufferOffsetAlignment, in bytes.
    uint64_t storageBufferOffsetAlignment;
    uint32_t maxStorageBuffers;       ///< The smaller of the per-stage and the per-set limit of storage buffers.
    uint32_t multiprocessors;         ///< VkPhysicalDeviceShaderSMBuiltinsPropertiesNV::shaderSMCount; 0 if unknown.
    uint64_t maxMemoryAllocationSize; ///< Bytes of one memory allocation, and so of one buffer; 0: unknown, no limit.
    uint64_t maxBufferSize;           ///< VkPhysicalDeviceMaintenance4Properties::maxBufferSize; 0: unknown, no limit.
} VksortDeviceInfo;

/// What to enable when the VkDevice is created.
typedef struct VksortRequiredFeatures {
    VkBool32 supported; ///< VK_FALSE if vksort cannot run on the device; `reason` says why.
    char reason[256];   ///< One sentence, or empty if the device is supported.
    /// Smallest VkApplicationInfo::apiVersion: 1.2, or 1.3 where only the core has subgroupSizeControl.
    uint32_t apiVersion;
    VksortFeatureFlags features;           ///< All features offered; see VksortContextCreateInfo::enabledFeatures.
    uint32_t extensionCount;               ///< Number of `extensions`.
    const char* extensions[4];             ///< Names of device extensions to enable.
    VkBool32 vulkanMemoryModel;            ///< Enable it for VKSORT_FEATURE_MEMORY_MODEL_BIT.
    VkBool32 vulkanMemoryModelDeviceScope; ///< Enable it for VKSORT_FEATURE_MEMORY_MODEL_BIT.
    VkBool32 subgroupSizeControl;          ///< Enable it for VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT.
    VkBool32 computeFullSubgroups;         ///< Enable it for VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT.
    VkBool32 pipelineRobustness;           ///< Enable it for VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT.
    VksortDeviceInfo deviceInfo;           ///< The device's properties.
} VksortRequiredFeatures;

/// Queries what a physical device offers and what to enable on it.
///
/// A device that cannot run vksort is no error: `supported` is then VK_FALSE. An application may enable fewer features
/// than are listed, and pass that smaller set to vksortCreateContext(). The function is thread-safe.
/// @param instance An instance created for Vulkan 1.2 or newer.
/// @param physicalDevice The device to query.
/// @param getInstanceProcAddr The loader's entry point.
/// @param pFeatures Receives the answer.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null, or the instance lacks a function of Vulkan 1.2.
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for the list of extensions.
/// @return VK_SUCCESS, one of these errors, or an error of vkEnumerateDeviceExtensionProperties.
VKSORT_API VkResult vksortGetRequiredFeatures(VkInstance instance, VkPhysicalDevice physicalDevice,
                                              PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                              VksortRequiredFeatures* pFeatures);

/// Describes in one line what a feature adds, for logs and settings screens.
/// @param feature One bit.
/// @return A static string, or NULL for an unknown bit.
VKSORT_API const char* vksortFeatureDescription(VksortFeatureFlagBits feature);

/// Fills in the generic device, a plausible desktop GPU: subgroups of 32 lanes, 48 KiB of shared memory, every feature.
/// @param pInfo Receives the device's properties; ignored if NULL.
VKSORT_API void vksortGetGenericDeviceInfo(VksortDeviceInfo* pInfo);

// ---- 2. Context -----------------------------------------------------------------------------------------------------

/// One of the jobs that VksortRunJobs runs.
typedef void (*VksortJob)(void* data, uint32_t index);
/// Calls `job(data, 0)` to `job(data, count - 1)`, in any order and on any threads, and returns after all have returned.
/// `user` is VksortContextCreateInfo::runJobsUser.
typedef void (*VksortRunJobs)(void* user, uint32_t count, VksortJob job, void* data);

/// Returns the version of the library that the program is linked with.
/// @return The version, encoded as in VKSORT_VERSION.
VKSORT_API uint32_t vksortGetVersion(void);

/// The device that a context is created for, and the application's callbacks.
typedef struct VksortContextCreateInfo {
    VkInstance instance;             ///< The instance of the device.
    VkPhysicalDevice physicalDevice; ///< The physical device of `device`.
    VkDevice device;                 ///< The device; it must outlive the context.
    /// The loader's entry point.
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    VksortFeatureFlags enabledFeatures; ///< Those of VksortRequiredFeatures::features that are enabled on `device`.
    /// Optional: cache of all pipelines. It must exist until the last plan has been created or prepared.
    VkPipelineCache pipelineCache;
    /// Optional: receives messages. If NULL, messages are printed to stderr if the environment variable VKSORT_DEBUG is 1,
    /// and are lost if it is 0. If the variable is not set, only a library that was built without NDEBUG prints them.
    VksortMessageCallback messageCallback;
    void* messageUser; ///< First argument of `messageCallback`.
    /// Optional: the application's job system, which then compiles the pipelines of a plan in parallel.
    /// If NULL, the calling thread compiles them one after another.
    VksortRunJobs runJobs;
    void* runJobsUser;    ///< First argument of `runJobs`.
    const void* reserved; ///< Must be NULL.
    /// VKSORT_VERSION of the header that the application was compiled with. A library of another major or minor version,
    /// whose structs may have other fields, refuses to create the context. 0: versions are not compared.
    uint32_t headerVersion;
} VksortContextCreateInfo;

/// Creates a context: loads functions and creates layouts.
///
/// Pipelines are compiled by vksortCreatePlan() and kept until the context is destroyed, so that plans share them.
/// @param pCreateInfo The device and the callbacks.
/// @param pAllocator Optional; copied. The library also passes it to Vulkan.
/// @param pContext Receives the context, or VK_NULL_HANDLE.
/// @retval VK_ERROR_INITIALIZATION_FAILED A handle or function is missing, a reserved field is set, or headerVersion has
///     another major or minor version than the library.
/// @retval VK_ERROR_FEATURE_NOT_PRESENT The device is not supported, or does not offer a feature in enabledFeatures.
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for the context or for the list of extensions.
/// @return VK_SUCCESS, one of these errors, or an error of vkEnumerateDeviceExtensionProperties,
///     vkCreateDescriptorSetLayout or vkCreatePipelineLayout.
VKSORT_API VkResult vksortCreateContext(const VksortContextCreateInfo* pCreateInfo, const VkAllocationCallbacks* pAllocator,
                                        VksortContext* pContext);

/// Destroys a context and its pipelines.
///
/// All its plans and comparators must have been destroyed, and the GPU must have finished all commands recorded with them.
/// @param context The context; VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyContext(VksortContext context);

// ---- 2b. Comparators ------------------------------------------------------------------------------------------------

/// A SPIR-V module.
typedef struct VksortSpirv {
    const uint32_t* pWords; ///< The words of the module.
    size_t wordCount;       ///< Number of 4-byte words.
} VksortSpirv;

/// The kernels of one comparator, a function `bool before(Key a, Key b)` in GLSL; see docs/comparators.md.
///
/// The CMake function vksort_add_comparator compiles them at build time, vksortCompileComparator() at run time.
typedef struct VksortComparatorInfo {
    uint32_t version;            ///< VKSORT_COMPARATOR_VERSION of the library that the kernels were compiled with.
    uint32_t keyWords;           ///< Words of 4 bytes in a key: 1 to VKSORT_MAX_KEY_WORDS.
    uint32_t kernelCount;        ///< Number of `pKernels`.
    const VksortSpirv* pKernels; ///< The kernels, in the order of shaders/comparator_variants.txt.
} VksortComparatorInfo;

/// Version of the interface between the library and kernels of comparators.
#define VKSORT_COMPARATOR_VERSION 9
/// Most words of 4 bytes in a key under a comparator.
#define VKSORT_MAX_KEY_WORDS 16

/// Creates a comparator. The kernels are copied.
///
/// `before` must be a strict weak order, as for std::sort. With any other function, elements may come out twice or not at
/// all.
/// @param context The context.
/// @param pInfo The kernels.
/// @param pComparator Receives the comparator, or VK_NULL_HANDLE.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED The version, the number of kernels, keyWords or a kernel is wrong.
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for the kernels.
/// @return VK_SUCCESS or one of these errors.
VKSORT_API VkResult vksortCreateComparator(VksortContext context, const VksortComparatorInfo* pInfo,
                                           VksortComparator* pComparator);

/// Destroys a comparator. All plans made with it must have been destroyed; its context must still exist.
/// @param comparator The comparator; VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyComparator(VksortComparator comparator);

// ---- 3. Plan --------------------------------------------------------------------------------------------------------

/// The kind of sort that a plan is made for.
typedef struct VksortPlanDesc {
    VksortOperation operation; ///< What the plan does.
    VksortKeyType keyType;     ///< The type of the keys; ignored by gathers.
    /// Bytes of the value that moves with each key: 0, 4, 8, 12 or 16.
    /// For a gather, bytes of a record: any multiple of 4, but not 0.
    uint32_t valueSize;
    VksortPlanFlags flags;     ///< Options.
    VksortResult result;       ///< Where the result is written.
    VksortAlgorithm algorithm; ///< How to sort. A plan for an algorithm that cannot run is refused, not changed.
    /// Sorts only by the bits [beginBit, endBit) of a key's order-preserving unsigned form, in which signed keys have their
    /// sign bit flipped and negative floats all bits. Bit 0 is the least significant. Keys equal in these bits keep their
    /// input order. Both 0, or 0 and the key's width: all bits. Only ONE_WORKGROUP, ONESWEEP and REDUCE_SCAN sort by fewer.
    uint32_t beginBit;
    uint32_t endBit; ///< End of the bit range; see beginBit.
    /// For keys inside larger structs: bytes from one key to the next in `keys`; 0: keys are dense. Key i is read at byte
    /// keyOffset + i * keyStride, and the buffer holds maxCount * keyStride bytes. Needs VKSORT_RESULT_SEPARATE.
    /// A multiple of the key size or of 4, whichever is smaller. For sorts and segmented sorts of built-in key types.
    uint32_t keyStride;
    /// Byte offset of the key in each struct, with the alignment of keyStride. keyOffset plus the key size must be at most
    /// keyStride.
    uint32_t keyOffset;
    /// Largest count that will be recorded or found in the count buffer; may be 0. Scratch and the choice of AUTO depend on
    /// it, and so does a fixed part of the time; the rest depends on the count. For a merge, the limit of A.
    uint64_t maxCount;
    const void* reserved; ///< Must be NULL.
    /// The order of VKSORT_KEY_COMPARATOR keys, otherwise VK_NULL_HANDLE. VKSORT_PLAN_DESCENDING_BIT reverses it.
    VksortComparator comparator;
    uint64_t maxCountB;      ///< Merge: the limit of B, at most 2^31 - 1. Otherwise 0.
    VksortSegments segments; ///< Segmented sort: how the segments are given. Otherwise 0.
    uint64_t maxSegments;    ///< Segmented sort: most head indices or pairs. 0 with head flags.
    /// VKSORT_PLAN_WRITE_COMMANDS_BIT: elements for each workgroup of the written dispatch; 0: the dispatch has no
    /// workgroups. Otherwise 0.
    uint32_t elementsPerWorkgroup;
    /// VKSORT_PLAN_WRITE_COMMANDS_BIT: vertices or indices for each instance of the written draw, which has one instance for
    /// each element. Otherwise 0.
    uint32_t verticesPerElement;
} VksortPlanDesc;

/// What VKSORT_PLAN_WRITE_COMMANDS_BIT writes: arguments for later indirect commands that process the same elements.
///
/// A compute shader writes the struct, so it is available as the result is: by a barrier from VksortPlanInfo::lastStages
/// and lastAccess. Indirect commands read `dispatch` and `draw` in VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT with
/// VK_ACCESS_INDIRECT_COMMAND_READ_BIT; for them the buffer also needs VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT.
/// A call that records nothing writes no commands either: fill a new buffer with zeros once.
typedef struct VksortIndirectCommands {
    uint32_t count; ///< The count, clamped to the plan's maximum; of a merge, of A and B together.
    /// x is the number of workgroups, count / elementsPerWorkgroup rounded up; y and z are 1. If the number exceeds
    /// maxComputeWorkGroupCount[0], y is greater than 1: the index of a workgroup is then `gl_WorkGroupID.y *
    /// gl_NumWorkGroups.x + gl_WorkGroupID.x`, and fewer than y surplus workgroups at the end have no elements.
    VkDispatchIndirectCommand dispatch;
    /// indexCount is verticesPerElement, instanceCount is the count, and all other fields are 0. The first four words are
    /// also a VkDrawIndirectCommand with the same number of vertices and instances.
    VkDrawIndexedIndirectCommand draw;
} VksortIndirectCommands;

/// Creates a plan: checks the description, chooses the algorithm and compiles the pipelines.
///
/// Every error of a description is reported here, with one sentence to the message callback. A count is refused if a
/// binding would exceed maxStorageBufferRange, or if scratch or another buffer would exceed maxMemoryAllocationSize or
/// maxBufferSize; the sentence has the largest count that fits. AUTO passes over algorithms whose scratch would not
/// fit. With a maxStorageBufferRange of 4 GiB - 1, keys and values of up to 4 bytes are limited to 2^30 - 1 elements. The
/// function is thread-safe.
/// @param context The context.
/// @param pDesc The description.
/// @param pPlan Receives the plan, or VK_NULL_HANDLE.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null, or compressed kernels are damaged.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED The description is invalid, or the count is too large.
/// @retval VK_ERROR_FEATURE_NOT_PRESENT The device cannot run the algorithm, or this build has no kernels for the
///     operation, the width of the keys, or keys with or without values (VKSORT_OPERATIONS, VKSORT_KEY_WIDTHS and
///     VKSORT_VALUES in README.md).
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for the plan or a pipeline.
/// @return VK_SUCCESS, one of these errors, or an error of vkCreateShaderModule or vkCreateComputePipelines.
VKSORT_API VkResult vksortCreatePlan(VksortContext context, const VksortPlanDesc* pDesc, VksortPlan* pPlan);

/// Compiles the pipelines that vksortCreatePlan() left out because of VKSORT_PLAN_PREPARE_LATER_BIT.
///
/// Any thread may call it while other threads record the plan. Recordings that begin after it has returned VK_SUCCESS use
/// these pipelines; command buffers recorded earlier stay valid. If nothing is left to compile, it returns at once. After
/// an error the plan stays usable, and the call may be repeated.
/// @param plan The plan.
/// @retval VK_ERROR_INITIALIZATION_FAILED The plan is VK_NULL_HANDLE, or compressed kernels are damaged.
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for a pipeline.
/// @return VK_SUCCESS, one of these errors, or an error of vkCreateShaderModule or vkCreateComputePipelines.
VKSORT_API VkResult vksortPreparePlan(VksortPlan plan);

/// Destroys a plan. The GPU must have finished every command buffer that the plan was recorded into.
/// @param plan The plan; VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyPlan(VksortPlan plan);

// ---- 4. What a plan needs and does ----------------------------------------------------------------------------------

/// Most dispatches of a plan.
#define VKSORT_MAX_PASSES 80

/// What a plan needs and does.
typedef struct VksortPlanInfo {
    VksortAlgorithm algorithm; ///< The algorithm in use: AUTO only for a gather.
    uint64_t maxCount;         ///< VksortPlanDesc::maxCount.
    uint64_t largestCount;     ///< Largest maxCount that this description allows on this device.
    /// Bytes of scratch; if 0, no scratch buffer is needed. Its contents before a sort do not matter. Recordings that may
    /// execute at the same time need scratch buffers of their own.
    uint64_t scratchSize;
    uint64_t scratchAlignment;       ///< Alignment of the scratch buffer's offset, in bytes.
    VkBufferUsageFlags scratchUsage; ///< Usage that the scratch buffer needs; 0 without scratch.
    VkBufferUsageFlags bufferUsage;  ///< Usage that every other buffer needs.
    VkBool32 resultInAlternate;      ///< VKSORT_RESULT_PING_PONG: whether the result is in the alternate buffers.
    uint32_t keyBits;                ///< Bits that keys are sorted by.
    /// Largest number of digit passes (see VksortAlgorithm). The GPU skips a pass whose digit is the same in every key. 0
    /// for algorithms that do not sort by all digits one after another.
    uint32_t digitPasses;
    uint32_t passCount;          ///< Dispatches recorded by a call. The pass callback is called for each.
    uint32_t descriptorSets;     ///< Descriptor sets allocated from the pool by each recording; 0 with push descriptors.
    uint32_t storageDescriptors; ///< Storage buffer descriptors in each of these sets; 0 with push descriptors.
    /// Stages that the first commands run in. Flags of this struct have the same values in VkPipelineStageFlags2 and
    /// VkAccessFlags2.
    VkPipelineStageFlags firstStages;
    VkAccessFlags firstAccess;       ///< Accesses of the first commands, which read inputs and write scratch.
    VkPipelineStageFlags lastStages; ///< Stages that write the result.
    VkAccessFlags lastAccess;        ///< Accesses that write the result.
    /// Byte offset of a VksortStatistics in scratch, valid after the commands have completed; UINT64_MAX if the algorithm
    /// has none. Sorts recorded before vksortPreparePlan() has succeeded write no statistics.
    uint64_t statisticsOffset;
    uint64_t workStatisticsOffset; ///< The same for a VksortWorkStatistics of LOCALITY and SEGMENTED, or UINT64_MAX.
    /// Elements of a tile (see VksortAlgorithm). The sorted lists that MERGE begins with may have several tiles each.
    uint32_t tileSize;
    /// MERGE, LOCALITY, SEGMENTED: largest number of merge passes. For a sort they follow the pass that sorts tiles. 0 for
    /// other algorithms.
    uint32_t mergePasses;
} VksortPlanInfo;

/// Returns what a plan needs and does. The function is thread-safe.
/// @param plan The plan; if VK_NULL_HANDLE, `pInfo` is not changed.
/// @param pInfo Receives the properties of the plan.
VKSORT_API void vksortGetPlanInfo(VksortPlan plan, VksortPlanInfo* pInfo);

/// Returns what a plan would need and do. It needs neither a GPU nor a context, and calls no Vulkan function.
/// @param pDevice The properties of the device.
/// @param pDesc The description.
/// @param pInfo Receives the properties of the plan; unchanged on failure.
/// @param pMessage Optional: receives the sentence that the message callback would get, or an empty string on success.
/// @param messageSize Bytes of `pMessage`. A longer sentence is cut.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED As for vksortCreatePlan().
/// @retval VK_ERROR_FEATURE_NOT_PRESENT As for vksortCreatePlan().
/// @return VK_SUCCESS or one of these errors.
VKSORT_API VkResult vksortDescribePlan(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, VksortPlanInfo* pInfo,
                                       char* pMessage, size_t messageSize);

/// One dispatch of a plan.
typedef struct VksortPassInfo {
    /// Name of the pass, as the pass callback gets it. Passes of a plan for a count on the GPU may share one.
    char name[32];
    char kernel[48];               ///< Name of the SPIR-V module.
    uint32_t workgroupSize;        ///< Invocations of a workgroup.
    uint32_t requiredSubgroupSize; ///< Lanes of a subgroup; 0: any number.
    uint64_t workgroups;           ///< Workgroups for the count that was asked about.
    VkBool32 indirect;             ///< Whether the GPU decides the number of workgroups.
    uint64_t bytesRead;            ///< Bytes of keys and values read, by the algorithm's model; no caches or counters.
    uint64_t bytesWritten;         ///< Bytes of keys and values written, by the same model.
} VksortPassInfo;

/// Lists the dispatches of a plan for a count, as if the GPU skipped none of them. It needs neither a GPU nor a context.
/// They stand in the order of recording: that of the pass callback's passIndex, of VksortTimestamps and of VksortPassRange.
/// @param pDevice The properties of the device. For the plans of a context: VksortRequiredFeatures::deviceInfo, whose
///     `features` are set to VksortContextCreateInfo::enabledFeatures.
/// @param pDesc The description.
/// @param count Number of elements; of a merge, of A and B together.
/// @param pPassCount In: number of elements of pPasses. Out: number of dispatches of the plan.
/// @param pPasses Receives the dispatches; NULL asks for their number only.
/// @retval VK_INCOMPLETE pPasses was too small for all dispatches.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument other than pPasses is null.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED As for vksortCreatePlan(), or `count` is above the description's maximum.
/// @retval VK_ERROR_FEATURE_NOT_PRESENT As for vksortCreatePlan().
/// @return VK_SUCCESS or one of these codes.
VKSORT_API VkResult vksortDescribePasses(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, uint64_t count,
                                         uint32_t* pPassCount, VksortPassInfo* pPasses);

/// What a sort did, as the GPU writes it to scratch.
typedef struct VksortStatistics {
    uint32_t count; ///< Elements sorted.
    /// Digit passes that were not skipped. A pass is skipped if every key has the same digit, and all passes are skipped if
    /// the keys are in order. MSD, SAMPLE_SORT and BUCKET_SORT: 0, or the digit passes of their fallback to ONESWEEP.
    uint32_t digitPassesRun;
    /// Units of work that were done by the slower path. ONESWEEP: tiles that a later tile had to count, or that were ranked
    /// twice. MSD, SIZE_CLASSES: groups of up to one tile of keys that were too skewed for the faster path. SAMPLE_SORT: 1
    /// if it sorted skewed keys itself. SAMPLE_SORT and BUCKET_SORT that fell back: the other algorithm's value. Others: 0.
    uint32_t fallbacks;
    uint32_t copied; ///< 1 if a last pass copied the result to its destination, otherwise 0.
} VksortStatistics;

/// Elements of VksortWorkStatistics::passes.
#define VKSORT_MAX_MERGE_PASSES 32

/// What a sort by LOCALITY or SEGMENTED did, as the GPU writes it to scratch.
///
/// Tiles of a pass that are counted neither as merged nor as copied were left where they were.
typedef struct VksortWorkStatistics {
    uint32_t tiles;       ///< Tiles of VksortPlanInfo::tileSize elements. The last one may have fewer.
    uint32_t mergePasses; ///< Merge passes that this count needed.
    /// Work of one merge pass.
    struct {
        uint32_t merged;               ///< Tiles merged.
        uint32_t copied;               ///< Tiles copied.
    } passes[VKSORT_MAX_MERGE_PASSES]; ///< The work of each merge pass.
} VksortWorkStatistics;

// ---- 5. Record ------------------------------------------------------------------------------------------------------

/// A position in a VkBuffer. The range from there on is bound as a storage buffer.
///
/// The size of the range follows from the plan or, with a count from the host, from that count. It is rounded up to 4
/// bytes: a buffer of 8- or 16-bit keys must reach to the end of its last word. No other padding is needed, and no byte
/// outside the elements is changed.
typedef struct VksortBuffer {
    VkBuffer buffer; ///< The buffer.
    /// Bytes from its start: a multiple of minStorageBufferOffsetAlignment and of the element's size, if that is 4, 8 or 16.
    /// For `countBuffer` and `commands` a multiple of 4 is enough.
    VkDeviceSize offset;
} VksortBuffer;

/// Whether a dispatch is about to be recorded or has been recorded.
typedef enum VksortPassEvent {
    VKSORT_PASS_BEGIN = 0, ///< The dispatch is recorded next.
    VKSORT_PASS_END = 1    ///< The dispatch has been recorded.
} VksortPassEvent;
/// Called before and after each dispatch is recorded, by the thread that records.
///
/// It may record commands that do not change the compute state. `passIndex` counts from 0 to VksortPlanInfo::passCount - 1.
typedef void (*VksortPassCallback)(void* user, VkCommandBuffer commandBuffer, VksortPassEvent event, uint32_t passIndex,
                                   const char* passName);

/// The timestamps that a call writes before, between and after its dispatches.
///
/// The queue family must support timestamps (VkQueueFamilyProperties::timestampValidBits). A call that records nothing
/// because of an error writes no timestamps, so that waiting for them (VK_QUERY_RESULT_WAIT_BIT) would not end.
typedef struct VksortTimestamps {
    /// VK_NULL_HANDLE: no timestamps. Otherwise a pool of VK_QUERY_TYPE_TIMESTAMP, in which the application has reset the
    /// queries that the call writes.
    VkQueryPool queryPool;
    /// Query firstQuery is written before dispatch 0 of the plan, and query firstQuery + 1 + i after dispatch i:
    /// VksortPlanInfo::passCount + 1 queries in all. With a VksortPassRange, only those of the recorded dispatches are
    /// written. Until a plan with VKSORT_PLAN_PREPARE_LATER_BIT is prepared, it has other dispatches, at most
    /// VKSORT_MAX_PASSES.
    uint32_t firstQuery;
} VksortTimestamps;

/// Which dispatches of a plan a call records, for sorts that are recorded in several parts.
///
/// Some systems reset a device if one submission takes seconds. The parts of a sort are recorded by calls that differ in
/// this field only, into command buffers that are submitted to one queue in order. Together they must record each dispatch
/// once. Each part after the first begins with a barrier of the library. From the first part to the last, nothing else may
/// use scratch, inputs or outputs, and vksortPreparePlan() must not be called for the plan.
/// Each part allocates VksortPlanInfo::descriptorSets sets. All parts write to the same queries of VksortTimestamps: the
/// first dispatch of a later part includes the time in between.
/// Until a plan with VKSORT_PLAN_PREPARE_LATER_BIT is prepared, it may have fewer dispatches than VksortPlanInfo::passCount,
/// so that the last parts are empty, or more, which are then in the part with dispatch passCount - 1.
typedef struct VksortPassRange {
    uint32_t first; ///< Index of the first dispatch, less than VksortPlanInfo::passCount.
    uint32_t count; ///< Largest number of dispatches to record; 0: all from the first on.
} VksortPassRange;

/// The buffers of vksortCmdSort(). Fields that the plan does not use are ignored.
///
/// Every buffer needs VksortPlanInfo::bufferUsage, and scratch VksortPlanInfo::scratchUsage. A range that is written
/// must not overlap any other.
typedef struct VksortSortBuffers {
    VksortBuffer keys;               ///< The keys.
    VksortBuffer values;             ///< The values. Not needed by an argsort with VKSORT_RESULT_SEPARATE.
    VksortBuffer keysAlternate;      ///< VKSORT_RESULT_PING_PONG: a second buffer for the keys.
    VksortBuffer valuesAlternate;    ///< VKSORT_RESULT_PING_PONG: a second buffer for the values.
    VksortBuffer keysOut;            ///< VKSORT_RESULT_SEPARATE, unless keys are discarded: receives the keys.
    VksortBuffer valuesOut;          ///< VKSORT_RESULT_SEPARATE: receives the values or the indices.
    VksortBuffer scratch;            ///< VksortPlanInfo::scratchSize bytes.
    VksortBuffer countBuffer;        ///< VKSORT_PLAN_COUNT_FROM_BUFFER_BIT: one u32, the count.
    uint64_t count;                  ///< Otherwise: the count, from 0 to the plan's maxCount.
    VkDescriptorPool descriptorPool; ///< Needed if VksortPlanInfo::descriptorSets is not 0. The application resets it.
    VksortPassCallback passCallback; ///< Optional.
    void* passUser;                  ///< First argument of `passCallback`.
    const void* reserved;            ///< Must be NULL.
    VksortBuffer commands;           ///< VKSORT_PLAN_WRITE_COMMANDS_BIT: receives a VksortIndirectCommands.
    VksortTimestamps timestamps;     ///< Optional: writes timestamps.
    VksortPassRange passes;          ///< Optional: records a part of the dispatches.
} VksortSortBuffers;

/// Records a stable sort.
///
/// If something is wrong, such as a missing buffer, a count above maxCount or an exhausted descriptor pool, the message
/// callback gets one sentence and nothing is recorded. The command buffer stays valid.
/// @param commandBuffer The command buffer, in the recording state.
/// @param plan A plan of VKSORT_OPERATION_SORT; if VK_NULL_HANDLE, nothing is recorded or reported.
/// @param pBuffers The buffers and the count. It is not used after the call.
VKSORT_API void vksortCmdSort(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortSortBuffers* pBuffers);

/// The buffers of vksortCmdGather(). Every buffer needs VksortPlanInfo::bufferUsage.
typedef struct VksortGatherBuffers {
    VksortBuffer records;            ///< Records of VksortPlanDesc::valueSize bytes each.
    VksortBuffer indices;            ///< `count` u32. An index at or past recordCount reads as a record of zeros.
    VksortBuffer out;                ///< Receives `count` records. It may not overlap the inputs.
    VksortBuffer countBuffer;        ///< VKSORT_PLAN_COUNT_FROM_BUFFER_BIT: one u32, the count.
    uint64_t count;                  ///< Otherwise: the count, from 0 to the plan's maxCount.
    uint64_t recordCount;            ///< Number of records; 0: the plan's maxCount.
    VkDescriptorPool descriptorPool; ///< Needed if VksortPlanInfo::descriptorSets is not 0. The application resets it.
    VksortPassCallback passCallback; ///< Optional.
    void* passUser;                  ///< First argument of `passCallback`.
    const void* reserved;            ///< Must be NULL.
    VksortBuffer commands;           ///< VKSORT_PLAN_WRITE_COMMANDS_BIT: receives a VksortIndirectCommands.
    VksortTimestamps timestamps;     ///< Optional: writes timestamps.
    VksortPassRange passes;          ///< Optional: records a part of the dispatches.
} VksortGatherBuffers;

/// Records `out[i] = records[indices[i]]`. After an argsort, this reorders records that are too large to be values.
///
/// Errors are reported as by vksortCmdSort().
/// @param commandBuffer The command buffer, in the recording state.
/// @param plan A plan of VKSORT_OPERATION_GATHER; if VK_NULL_HANDLE, nothing is recorded or reported.
/// @param pBuffers The buffers and the count. It is not used after the call.
VKSORT_API void vksortCmdGather(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortGatherBuffers* pBuffers);

/// The buffers of vksortCmdMerge(). Both inputs are only read. They may overlap each other, but not an output.
///
/// Every buffer needs VksortPlanInfo::bufferUsage, and scratch VksortPlanInfo::scratchUsage.
typedef struct VksortMergeBuffers {
    VksortBuffer keysA;              ///< The keys of A, sorted in the plan's order.
    VksortBuffer keysB;              ///< The keys of B, sorted in the plan's order.
    VksortBuffer valuesA;            ///< The values of A; not needed by an argsort.
    VksortBuffer valuesB;            ///< The values of B; not needed by an argsort.
    VksortBuffer keysOut;            ///< Receives the keys of A and B, unless keys are discarded.
    VksortBuffer valuesOut;          ///< Receives the values or the indices.
    VksortBuffer scratch;            ///< VksortPlanInfo::scratchSize bytes.
    VksortBuffer countBuffer;        ///< VKSORT_PLAN_COUNT_FROM_BUFFER_BIT: two u32, the counts of A and B.
    uint64_t countA;                 ///< Otherwise: the count of A, from 0 to the plan's maxCount.
    uint64_t countB;                 ///< Otherwise: the count of B, from 0 to the plan's maxCountB.
    VkDescriptorPool descriptorPool; ///< Needed if VksortPlanInfo::descriptorSets is not 0. The application resets it.
    VksortPassCallback passCallback; ///< Optional.
    void* passUser;                  ///< First argument of `passCallback`.
    const void* reserved;            ///< Must be NULL.
    VksortBuffer commands;           ///< VKSORT_PLAN_WRITE_COMMANDS_BIT: receives a VksortIndirectCommands.
    VksortTimestamps timestamps;     ///< Optional: writes timestamps.
    VksortPassRange passes;          ///< Optional: records a part of the dispatches.
} VksortMergeBuffers;

/// Records a stable merge, as by std::merge: of equal keys, those of A come first.
///
/// If an input is not sorted, elements may come out twice or not at all. The indices of an argsort are positions in A, or
/// countA plus the position in B. Errors are reported as by vksortCmdSort().
/// @param commandBuffer The command buffer, in the recording state.
/// @param plan A plan of VKSORT_OPERATION_MERGE; if VK_NULL_HANDLE, nothing is recorded or reported.
/// @param pBuffers The buffers and the counts. It is not used after the call.
VKSORT_API void vksortCmdMerge(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortMergeBuffers* pBuffers);

/// The buffers of vksortCmdSegmentedSort(). Fields that the plan does not use are ignored.
///
/// Every buffer needs VksortPlanInfo::bufferUsage, and scratch VksortPlanInfo::scratchUsage. A range that is written
/// must not overlap any other.
typedef struct VksortSegmentedSortBuffers {
    VksortBuffer keys;      ///< The keys.
    VksortBuffer values;    ///< The values. Not needed by an argsort with VKSORT_RESULT_SEPARATE.
    VksortBuffer keysOut;   ///< VKSORT_RESULT_SEPARATE, unless keys are discarded: receives the keys.
    VksortBuffer valuesOut; ///< VKSORT_RESULT_SEPARATE: receives the values or the indices.
    VksortBuffer scratch;   ///< VksortPlanInfo::scratchSize bytes.
    VksortBuffer segments;  ///< The segments, as VksortPlanDesc::segments says. They are only read.
    /// Two u32: the count (VKSORT_PLAN_COUNT_FROM_BUFFER_BIT), then the number of segments
    /// (VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT).
    VksortBuffer countBuffer;
    uint64_t count;                  ///< Count from the host, from 0 to the plan's maxCount.
    uint64_t segmentCount;           ///< Head indices or pairs from the host, from 0 to the plan's maxSegments.
    VkDescriptorPool descriptorPool; ///< Needed if VksortPlanInfo::descriptorSets is not 0. The application resets it.
    VksortPassCallback passCallback; ///< Optional.
    void* passUser;                  ///< First argument of `passCallback`.
    const void* reserved;            ///< Must be NULL.
    VksortBuffer commands;           ///< VKSORT_PLAN_WRITE_COMMANDS_BIT: receives a VksortIndirectCommands.
    VksortTimestamps timestamps;     ///< Optional: writes timestamps.
    VksortPassRange passes;          ///< Optional: records a part of the dispatches.
} VksortSegmentedSortBuffers;

/// Records a stable sort of every segment by itself.
///
/// If segments break the rules of VksortSegments, the result is some permutation of the input, and nothing outside the
/// buffers is read or written. The indices of an argsort are positions in the whole array. Errors are reported as by
/// vksortCmdSort().
/// @param commandBuffer The command buffer, in the recording state.
/// @param plan A plan of VKSORT_OPERATION_SEGMENTED_SORT; if VK_NULL_HANDLE, nothing is recorded or reported.
/// @param pBuffers The buffers, the count and the segments. It is not used after the call.
VKSORT_API void vksortCmdSegmentedSort(VkCommandBuffer commandBuffer, VksortPlan plan,
                                       const VksortSegmentedSortBuffers* pBuffers);

// ---- 6. Record without the library ----------------------------------------------------------------------------------

/// Which of the application's buffers a binding is in. The names are those of the structs of buffers above.
typedef enum VksortExportBuffer {
    VKSORT_EXPORT_BUFFER_KEYS = 0,             ///< `keys`; of a merge `keysA`, of a gather `indices`.
    VKSORT_EXPORT_BUFFER_VALUES = 1,           ///< `values`; of a merge `valuesA`, of a gather `records`.
    VKSORT_EXPORT_BUFFER_KEYS_ALTERNATE = 2,   ///< `keysAlternate`.
    VKSORT_EXPORT_BUFFER_VALUES_ALTERNATE = 3, ///< `valuesAlternate`.
    VKSORT_EXPORT_BUFFER_KEYS_OUT = 4,         ///< `keysOut`.
    VKSORT_EXPORT_BUFFER_VALUES_OUT = 5,       ///< `valuesOut`; of a gather `out`.
    VKSORT_EXPORT_BUFFER_SCRATCH = 6,          ///< `scratch`.
    VKSORT_EXPORT_BUFFER_COUNT = 7,            ///< `countBuffer`.
    VKSORT_EXPORT_BUFFER_SEGMENTS = 8,         ///< `segments`.
    VKSORT_EXPORT_BUFFER_KEYS_B = 9,           ///< `keysB`.
    VKSORT_EXPORT_BUFFER_VALUES_B = 10,        ///< `valuesB`.
    VKSORT_EXPORT_BUFFER_COMMANDS = 11,        ///< `commands`.
    VKSORT_EXPORT_BUFFER_MAX_ENUM = 0x7FFFFFFF ///< Not a value; makes the type 32 bits wide.
} VksortExportBuffer;
/// Number of values of VksortExportBuffer.
#define VKSORT_EXPORT_BUFFERS 12
/// Bindings of descriptor set 0, numbered from 0 on. All are storage buffers.
#define VKSORT_EXPORT_BINDINGS 12
/// Bytes of the one range of push constants in the pipeline layout, from offset 0 on. Every device has as many.
#define VKSORT_EXPORT_PUSH_BYTES 128

/// What a plan needs of one of the application's buffers.
typedef struct VksortExportedBuffer {
    uint64_t size;      ///< Bytes that the range in the buffer has at least; 0: the buffer is not used.
    uint64_t alignment; ///< Bytes; the range begins at a multiple of it.
    VkBool32 isWritten; ///< Whether the plan writes to it. The range may then overlap no other.
} VksortExportedBuffer;

/// A compute pipeline. The entry point is `main`.
typedef struct VksortExportedPipeline {
    const char* kernel; ///< Name of the SPIR-V module, as in VksortPassInfo.
    VksortSpirv spirv;  ///< The module, for Vulkan 1.2. Pipelines of one module share the words.
    /// Specialization constants, all of 4 bytes: `constant_id` i is word i of pData. A module may not have all of them.
    VkSpecializationInfo specialization;
    /// VkPipelineShaderStageRequiredSubgroupSizeCreateInfo::requiredSubgroupSize; 0: without that struct.
    uint32_t requiredSubgroupSize;
    VkBool32 fullSubgroups; ///< Whether to set VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT.
    uint32_t workgroupSize; ///< Invocations of a workgroup, all in x. The module says it, too.
    /// With VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT: whether robust buffer access has to stay. If VK_FALSE,
    /// VkPipelineRobustnessCreateInfoEXT may disable it for storage buffers. Without that feature VK_FALSE.
    VkBool32 robustBufferAccess;
} VksortExportedPipeline;

/// What to bind at one binding of descriptor set 0.
typedef struct VksortExportedBinding {
    VksortExportBuffer buffer; ///< The buffer.
    uint64_t offset;           ///< Bytes from where the range begins that the application has in this buffer.
    uint64_t size;             ///< Bytes bound.
} VksortExportedBinding;

/// A descriptor set. Bindings that no pass of the set accesses are given, too, since a descriptor has to be there.
typedef struct VksortExportedSet {
    VksortExportedBinding bindings[VKSORT_EXPORT_BINDINGS]; ///< One for each binding.
} VksortExportedSet;

/// A VkMemoryBarrier and its stages.
typedef struct VksortExportedBarrier {
    VkPipelineStageFlags srcStages; ///< Stages before; 0: there is no barrier.
    VkAccessFlags srcAccess;        ///< VkMemoryBarrier::srcAccessMask.
    VkPipelineStageFlags dstStages; ///< Stages after. DRAW_INDIRECT is among them only if the GPU has sized a dispatch.
    VkAccessFlags dstAccess;        ///< VkMemoryBarrier::dstAccessMask.
} VksortExportedBarrier;

/// One dispatch.
typedef struct VksortExportedPass {
    const char* name;  ///< Name of the pass, as in VksortPassInfo.
    uint32_t pipeline; ///< Index of the pipeline.
    uint32_t set;      ///< Index of the descriptor set.
    /// The barrier before the dispatch. It is needed even if there is nothing to dispatch.
    VksortExportedBarrier barrier;
    const void* pPush;                ///< Push constants, from offset 0 on.
    uint32_t pushSize;                ///< Bytes of `pPush`.
    VkBool32 isIndirect;              ///< Whether the GPU has written the workgroups to scratch.
    VkDispatchIndirectCommand groups; ///< Not indirect: the workgroups. If x is 0, there is nothing to dispatch.
    uint64_t indirectOffset;          ///< Indirect: bytes from the beginning of scratch to a VkDispatchIndirectCommand.
} VksortExportedPass;

/// A plan as data, to be executed by an application that has no VkCommandBuffer to give away.
///
/// docs/export.md has a loop that does. The arrays belong to the plan, and the application only reads them. The struct is
/// passed on by its pointer: a copy of it is no plan.
typedef struct VksortExportedPlan {
    /// As by vksortDescribePlan(). firstStages to lastAccess hold for the exported passes, too.
    VksortPlanInfo info;
    VksortExportedBuffer buffers[VKSORT_EXPORT_BUFFERS]; ///< Elements are indexed by VksortExportBuffer.
    const VksortExportedPipeline* pPipelines;            ///< The pipelines.
    const VksortExportedSet* pSets;                      ///< The descriptor sets: one for each plan that shares the passes.
    const VksortExportedPass* pPasses;                   ///< The passes, in the order of execution.
    uint32_t pipelineCount;                              ///< Number of `pPipelines`.
    uint32_t setCount;                                   ///< Number of `pSets`.
    uint32_t passCount;                                  ///< Number of `pPasses`; also info.passCount.
} VksortExportedPlan;

/// What the host decides each time a plan is executed.
typedef struct VksortExportArguments {
    uint64_t count;        ///< Count from the host; of a merge, of A. Ignored if the count is in a buffer.
    uint64_t countB;       ///< Merge: count of B from the host.
    uint64_t segmentCount; ///< Segmented sort: head indices or pairs from the host.
    uint64_t recordCount;  ///< Gather: number of records; 0: the plan's maxCount.
    /// Bytes from the beginning of the range in the count buffer, which is bound, to the first count: a multiple of 4 and
    /// less than VksortDeviceInfo::storageBufferOffsetAlignment and 256.
    uint32_t countOffset;
    uint32_t commandsOffset; ///< The same for the VksortIndirectCommands in the range of `commands`.
} VksortExportArguments;

/// Exports a plan: everything needed to execute it without the library. It needs neither a GPU nor a context, and calls no
/// Vulkan function.
///
/// The plan is for its maxima, as if vksortSetExportArguments() had set them. If counts come from a buffer, that is all
/// that is needed. VKSORT_PLAN_PREPARE_LATER_BIT is ignored. Plans of a comparator need its handle, and so a context; the
/// kernels are copied. The function is thread-safe.
/// @param pDevice The properties of the device. `features` are those that are enabled.
/// @param pDesc The description.
/// @param pAllocator Optional; copied.
/// @param ppPlan Receives the plan, or NULL.
/// @param pMessage Optional: receives one sentence that says what is wrong, or an empty string on success.
/// @param messageSize Bytes of `pMessage`. A longer sentence is cut.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null, or compressed kernels are damaged.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED As for vksortCreatePlan().
/// @retval VK_ERROR_FEATURE_NOT_PRESENT As for vksortCreatePlan().
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory for the plan.
/// @return VK_SUCCESS or one of these errors.
VKSORT_API VkResult vksortExportPlan(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc,
                                     const VkAllocationCallbacks* pAllocator, VksortExportedPlan** ppPlan, char* pMessage,
                                     size_t messageSize);

/// Rewrites what depends on the counts: sizes of buffers and bindings, push constants and workgroups. Pipelines, barriers
/// and the order of passes stay as they are.
///
/// It allocates nothing. Threads that use different counts need an exported plan each.
/// @param pPlan The plan.
/// @param pArguments The counts.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is null.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED A count is above the plan's maximum, recordCount is too large to be bound, or an
///     offset is not as it must be. The plan is unchanged.
/// @return VK_SUCCESS or one of these errors.
VKSORT_API VkResult vksortSetExportArguments(VksortExportedPlan* pPlan, const VksortExportArguments* pArguments);

/// Frees an exported plan and its arrays.
/// @param pPlan The plan; NULL is ignored.
VKSORT_API void vksortFreeExportedPlan(VksortExportedPlan* pPlan);

// ---- Names ----------------------------------------------------------------------------------------------------------

/// Returns the name of a key type as the command-line tool writes it, such as "u32".
/// @param type The key type.
/// @return A static string; NULL for VKSORT_KEY_COMPARATOR and for unknown values.
VKSORT_API const char* vksortKeyTypeName(VksortKeyType type);
/// Returns the name of an algorithm as the command-line tool writes it, such as "onesweep".
/// @param algorithm The algorithm.
/// @return A static string; NULL for unknown values.
VKSORT_API const char* vksortAlgorithmName(VksortAlgorithm algorithm);
/// Returns the size of a key.
/// @param type The key type.
/// @return Bytes; 0 for VKSORT_KEY_COMPARATOR and for unknown values.
VKSORT_API uint32_t vksortKeySize(VksortKeyType type);

#ifdef __cplusplus
}
#endif

#endif
