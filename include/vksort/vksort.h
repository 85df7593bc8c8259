// SPDX-License-Identifier: MIT
//
// vksort: sorting on any GPU with a Vulkan driver.
//
// This header is the manual. The calls come in the order of use:
//
//   1. vksortGetRequiredFeatures   before the VkDevice exists: what to enable, and what each thing adds
//   2. vksortCreateContext         once per VkDevice
//   3. vksortCreatePlan            once per kind of sort; everything that can fail, fails here, in words
//   4. vksortGetPlanInfo           scratch size, algorithm, where the result lands, stages and access masks
//   5. vksortCmdSort, ...          any number of times, from any thread, into the caller's command buffer
//
// Rules that hold everywhere
//   * Structs are plain: fill them with zeros, then set what differs. Zero is the default of every field. Fields are
//     only ever added at the end; a `reserved` field must stay zero.
//   * Counts are elements, sizes and offsets are bytes.
//   * The library never submits, waits, allocates device memory, prints, aborts or throws. Host memory comes from the
//     context's VkAllocationCallbacks where given.
//   * No Vulkan function is linked: all come from the caller's vkGetInstanceProcAddr.
//
// Synchronization, for every vksortCmd... (see also docs/synchronization.md)
//   * Before: the caller makes the inputs available to VksortPlanInfo::firstStages with ::firstAccess, and makes sure
//     that earlier uses of the scratch and output buffers are done. The first commands read the inputs and write scratch.
//   * After: results are written in ::lastStages with ::lastAccess. The caller's barrier makes them visible to the use.
//   * Between the commands that it records, the library places its own barriers: one VkMemoryBarrier, compute to
//     compute and, where a dispatch size comes from the GPU, compute to draw-indirect.
//   * The command buffer must be recording, outside a render pass, on a queue with VK_QUEUE_COMPUTE_BIT. The compute
//     pipeline, the compute bind point's descriptor set 0 and push constants are changed; everything else is left alone.

#ifndef VKSORT_H
#define VKSORT_H

#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan_core.h>

#define VKSORT_VERSION_MAJOR 0
#define VKSORT_VERSION_MINOR 1
#define VKSORT_VERSION_PATCH 0

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

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(VksortContext)
VK_DEFINE_HANDLE(VksortPlan)
VK_DEFINE_HANDLE(VksortComparator)

// ---- Enumerations ---------------------------------------------------------------------------------------------------

typedef enum VksortOperation {
    VKSORT_OPERATION_SORT = 0,   // keys, or keys with values, or the indices that would sort (vksortCmdSort)
    VKSORT_OPERATION_GATHER = 1, // out[i] = in[indices[i]] for records of 4*k bytes (vksortCmdGather)
    VKSORT_OPERATION_MERGE = 2,  // two sorted inputs into one output (vksortCmdMerge)
    VKSORT_OPERATION_SEGMENTED_SORT = 3, // many sorts side by side in one array (vksortCmdSegmentedSort)
    VKSORT_OPERATION_MAX_ENUM = 0x7FFFFFFF
} VksortOperation;

// Order: unsigned and signed numerically; floats in IEEE 754 total order, that is
// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. Bit patterns are preserved, NaN payloads too.
// Little-endian; 64-bit keys need no 64-bit integers on the device, 8- and 16-bit keys no small storage types.
typedef enum VksortKeyType {
    VKSORT_KEY_U32 = 0,
    VKSORT_KEY_I32 = 1,
    VKSORT_KEY_F32 = 2,
    VKSORT_KEY_U64 = 3,
    VKSORT_KEY_I64 = 4,
    VKSORT_KEY_F64 = 5,
    VKSORT_KEY_U16 = 6,
    VKSORT_KEY_I16 = 7,
    VKSORT_KEY_F16 = 8,
    VKSORT_KEY_U8 = 9,
    VKSORT_KEY_I8 = 10,
    // 1 to 16 words of 4 bytes, ordered by VksortPlanDesc::comparator. Merge family only.
    VKSORT_KEY_COMPARATOR = 11,
    VKSORT_KEY_MAX_ENUM = 0x7FFFFFFF
} VksortKeyType;

typedef enum VksortAlgorithm {
    // Chosen at plan time from the description, the device and maxCount.
    VKSORT_ALGORITHM_AUTO = 0,
    // The whole sort in one workgroup's shared memory, one dispatch. maxCount is limited to a few thousand
    // (vksortGetPlanInfo and the failure message say how many).
    VKSORT_ALGORITHM_ONE_WORKGROUP = 1,
    // Least significant digit first, 8 bits a pass, one dispatch a pass, decoupled look-back with fallback (Adinets and
    // Merrill, "Onesweep", 2022; Smith, Levien and Owens, "Decoupled Fallback", 2025). Needs
    // VKSORT_FEATURE_MEMORY_MODEL_BIT; assumes no forward progress between workgroups. This and the others that rank keys by ballots, SIZE_CLASSES,
    // MSD, SAMPLE_SORT and BUCKET_SORT, need a known subgroup size: VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT, and either
    // VksortDeviceInfo::canRequireSubgroupSize or subgroups of one size.
    VKSORT_ALGORITHM_ONESWEEP = 2,
    // Least significant digit first, three dispatches a pass (Merrill and Grimshaw, 2011). No workgroup ever waits for
    // another. Runs everywhere.
    VKSORT_ALGORITHM_REDUCE_SCAN = 3,
    // Sort and merge: tiles sorted in registers and shared memory, then passes that merge neighbouring lists pairwise, each
    // workgroup one tile of output (Green, McColl and Bader, "GPU Merge Path", 2012; Baxter, Modern GPU, 2013). By name
    // it never gives way to another algorithm; AUTO takes it for comparators and, for sorts by all bits, on CPU drivers. Runs everywhere.
    VKSORT_ALGORITHM_MERGE = 4,
    // Sort: the same passes, but a tile that is in place already is not merged, and not copied twice. For input that is
    // nearly in order.
    VKSORT_ALGORITHM_LOCALITY = 5,
    // Segmented sort: as LOCALITY, where only tiles crossed by a segment that spans both lists are merged (Modern GPU's
    // segmented sort). Time hardly depends on how elements are shared out among segments. Runs everywhere.
    VKSORT_ALGORITHM_SEGMENTED = 6,
    // Segmented sorts of built-in key types: segments that fit a tile together are sorted by one workgroup, longer ones are
    // partitioned together by their most significant digits until they do. What is too unevenly spread for that is merged.
    VKSORT_ALGORITHM_SIZE_CLASSES = 7,
    // Most significant digit first: all keys are partitioned by their highest 8 bits, what is then too long for a workgroup's
    // shared memory by the next 8, and so on; the rest is sorted there (after Stehle and Jacobsen, "A Memory
    // Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017). Sorts of built-in key types, by all their bits.
    VKSORT_ALGORITHM_MSD = 8,
    // Tiles sorted in shared memory, and cut at the same keys into buckets of about the same number of elements, each of which one workgroup gathers
    // and sorts: two dispatches, for any keys. Where they are cut every workgroup works out from the same sample of all keys: at even distances if these
    // are evenly spread, or else at samples (after Leischner, Osipov and Sanders, "GPU Sample Sort", 2010). From some hundred thousand keys of 4 bytes on,
    // where ONESWEEP runs, one dispatch of it is in the same plan for those that are not even. Of few elements, some ten thousand, each is
    // sent to its rank among all tiles instead. Sorts of built-in key types by all their bits;
    // maxCount is limited to some hundred thousand or a few million, on CPU drivers to some ten thousand (vksortGetPlanInfo and the failure message
    // say how many).
    VKSORT_ALGORITHM_SAMPLE_SORT = 9,
    // Keys of 4 or 8 bytes by all their bits: where a sample shows them to be evenly spread over some range, they are dealt to buckets with
    // room to spare, which nobody counts before, and one workgroup a bucket sorts it (after Isaac and Singleton, "Sorting by Address
    // Calculation", 1956). Dispatches of onesweep or, from 2^26 keys alone on, 2^25 of 8 bytes, msd are in the same plan, for all
    // other keys. Needs what ONESWEEP needs; not with VKSORT_RESULT_PING_PONG. From some millions of keys on scratch has more than two copies
    // of them, with values of 4 bytes more than three of both.
    VKSORT_ALGORITHM_BUCKET_SORT = 10,
    VKSORT_ALGORITHM_MAX_ENUM = 0x7FFFFFFF
} VksortAlgorithm;

// Where a sort puts its result.
typedef enum VksortResult {
    // In VksortSortBuffers::keys and ::values themselves.
    VKSORT_RESULT_IN_PLACE = 0,
    // In keys/values or in keysAlternate/valuesAlternate, whichever costs no copy; VksortPlanInfo::resultInAlternate says
    // which, and it is the same for every recording of the plan. Both buffers are overwritten. Less scratch.
    VKSORT_RESULT_PING_PONG = 1,
    // In keysOut and valuesOut; keys and values are only read.
    VKSORT_RESULT_SEPARATE = 2,
    VKSORT_RESULT_MAX_ENUM = 0x7FFFFFFF
} VksortResult;

typedef enum VksortPlanFlagBits {
    // Largest first. Still stable: equal keys keep their input order.
    VKSORT_PLAN_DESCENDING_BIT = 0x1,
    // Argsort: the values are the indices 0, 1, 2, ... made on the fly and never read. valueSize must be 0 or 4; the
    // u32 indices are written where values would be.
    VKSORT_PLAN_ARGSORT_BIT = 0x2,
    // The count is a u32 in VksortSortBuffers::countBuffer, read when the commands execute and clamped to maxCount.
    VKSORT_PLAN_COUNT_FROM_BUFFER_BIT = 0x4,
    // Only the values (or indices) are wanted: the last pass writes no keys. With VKSORT_RESULT_SEPARATE no keysOut is
    // needed; otherwise the contents of keys afterwards are undefined.
    VKSORT_PLAN_DISCARD_KEYS_BIT = 0x8,
    // Segmented sort: the number of segments is the second u32 in countBuffer, clamped to maxSegments.
    VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT = 0x10,
    // vksortCreatePlan makes the few small pipelines of a plain sort only, and vksortPreparePlan those of the algorithm
    // chosen. Sorts recorded before it has succeeded are right, and slower.
    VKSORT_PLAN_PREPARE_LATER_BIT = 0x20,
    VKSORT_PLAN_FLAG_BITS_MAX_ENUM = 0x7FFFFFFF
} VksortPlanFlagBits;
typedef VkFlags VksortPlanFlags;

// How a segmented sort is told its segments. Positions count elements.
typedef enum VksortSegments {
    // Bit i % 32 of word i / 32 is set where a segment begins at element i. Element 0 begins one in any case.
    VKSORT_SEGMENTS_HEAD_FLAGS = 0,
    // u32 positions where segments begin, rising strictly. 0 may be left out. Positions at or past the count are ignored.
    VKSORT_SEGMENTS_HEAD_INDICES = 1,
    // Pairs of u32, begin and end of each segment, in rising order: end >= begin, begin >= the end before. Elements between
    // segments stay where they are; segments may be empty.
    VKSORT_SEGMENTS_OFFSETS = 2,
    VKSORT_SEGMENTS_MAX_ENUM = 0x7FFFFFFF
} VksortSegments;

// Optional abilities of a VkDevice. Each is used where it is enabled and never required.
typedef enum VksortFeatureFlagBits {
    // VkPhysicalDeviceVulkan12Features::vulkanMemoryModel and ::vulkanMemoryModelDeviceScope.
    // With the next but one adds VKSORT_ALGORITHM_ONESWEEP and VKSORT_ALGORITHM_BUCKET_SORT.
    VKSORT_FEATURE_MEMORY_MODEL_BIT = 0x1,
    // VK_KHR_push_descriptor. Recording then needs no descriptor pool. (On NVIDIA's H200 a dispatch with pushed descriptors takes 0.1 µs
    // longer, 1 to 3 % of the smallest sorts of several dispatches.)
    VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT = 0x2,
    // VK_EXT_subgroup_size_control (or Vulkan 1.3) with subgroupSizeControl and computeFullSubgroups.
    // Adds the algorithms that rank keys by subgroup ballots, which AUTO takes on GPUs with subgroups of 16 lanes and more (see
    // VKSORT_ALGORITHM_ONESWEEP). Without it AUTO sorts by those that need no subgroup operation, and is up to several times slower.
    VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT = 0x4,
    // VK_EXT_pipeline_robustness with pipelineRobustness.
    // Kernels then say themselves whether accesses are checked against the bounds of buffers, with or without robustBufferAccess. Those
    // whose addresses come from the caller's buffers, vksortCmdGather and what reads positions of segments, are checked, and those of
    // comparators; most others, which access nothing outside whatever the keys are, are not, and so up to 7 % faster on NVIDIA's H100.
    VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT = 0x8,
    VKSORT_FEATURE_FLAG_BITS_MAX_ENUM = 0x7FFFFFFF
} VksortFeatureFlagBits;
typedef VkFlags VksortFeatureFlags;

typedef enum VksortSeverity {
    VKSORT_SEVERITY_WARNING = 0, // the call goes on
    VKSORT_SEVERITY_ERROR = 1,   // the call fails, or (vksortCmd...) records nothing
    VKSORT_SEVERITY_MAX_ENUM = 0x7FFFFFFF
} VksortSeverity;

// One sentence for a person. `message` is valid during the call only. May be called from any thread that uses the library.
typedef void (*VksortMessageCallback)(void* user, VksortSeverity severity, const char* message);

// ---- 1. Before the device exists ------------------------------------------------------------------------------------

// What selection and planning look at: plain numbers, so that a plan can be described with no GPU at hand
// (vksortGetGenericDeviceInfo) and a device's report can be replayed elsewhere.
typedef struct VksortDeviceInfo {
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
    uint32_t vendorId;
    uint32_t deviceType;                // VkPhysicalDeviceType
    uint32_t apiVersion;
    VksortFeatureFlags features;        // what the device offers; a context narrows this to what was enabled
    uint32_t subgroupSize;              // VkPhysicalDeviceSubgroupProperties::subgroupSize
    uint32_t minSubgroupSize;           // equal to subgroupSize where size control is missing
    uint32_t maxSubgroupSize;
    VkBool32 canRequireSubgroupSize;    // compute is among requiredSubgroupSizeStages
    uint32_t maxSharedMemorySize;       // bytes a workgroup
    uint32_t maxWorkgroupInvocations;
    uint32_t maxWorkgroupSizeX;
    uint32_t maxWorkgroupSubgroups;     // VkPhysicalDeviceSubgroupSizeControlProperties::maxComputeWorkgroupSubgroups
    uint32_t maxWorkgroupCount[3];
    uint64_t maxStorageBufferRange;     // bytes of one binding
    uint64_t storageBufferOffsetAlignment;
    uint32_t maxStorageBuffers;         // smaller of the per-stage and the per-set limit
    uint32_t multiprocessors;           // VkPhysicalDeviceShaderSMBuiltinsPropertiesNV::shaderSMCount; 0 where not known
    // Bytes of one buffer, which is bound to one allocation of memory; 0 where not known, and then no limit.
    uint64_t maxMemoryAllocationSize;   // VkPhysicalDeviceMaintenance3Properties
    uint64_t maxBufferSize;             // VkPhysicalDeviceMaintenance4Properties
} VksortDeviceInfo;

// What to enable on one physical device.
typedef struct VksortRequiredFeatures {
    VkBool32 supported;                      // VK_FALSE: vksort cannot run there, and `reason` says why
    char reason[256];
    uint32_t apiVersion;                     // least VkApplicationInfo::apiVersion (Vulkan 1.2)
    VksortFeatureFlags features;             // everything below; pass it as VksortContextCreateInfo::enabledFeatures
    uint32_t extensionCount;
    const char* extensions[4];               // device extensions to enable
    VkBool32 vulkanMemoryModel;              // VkPhysicalDeviceVulkan12Features, VKSORT_FEATURE_MEMORY_MODEL_BIT
    VkBool32 vulkanMemoryModelDeviceScope;   //   same
    VkBool32 subgroupSizeControl;            // VkPhysicalDeviceSubgroupSizeControlFeatures,
    VkBool32 computeFullSubgroups;           //   VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT
    VkBool32 pipelineRobustness;             // VkPhysicalDevicePipelineRobustnessFeaturesEXT, VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT
    VksortDeviceInfo deviceInfo;
} VksortRequiredFeatures;

// Queries a physical device. The only failures are Vulkan's own; a device that cannot run vksort is VK_SUCCESS with
// `supported` false. A caller may enable fewer features than listed and pass that smaller set to vksortCreateContext.
VKSORT_API VkResult vksortGetRequiredFeatures(VkInstance instance, VkPhysicalDevice physicalDevice,
                                              PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                              VksortRequiredFeatures* pFeatures);

// One line on what a feature adds, for logs and settings screens; NULL for an unknown bit.
VKSORT_API const char* vksortFeatureDescription(VksortFeatureFlagBits feature);

// A plausible desktop GPU: subgroups of 32, 48 KiB of shared memory, every feature.
VKSORT_API void vksortGetGenericDeviceInfo(VksortDeviceInfo* pInfo);

// ---- 2. Context -----------------------------------------------------------------------------------------------------

// Runs job(data, 0) to job(data, count - 1), in any order and on any threads, and returns when all have returned.
typedef void (*VksortJob)(void* data, uint32_t index);
typedef void (*VksortRunJobs)(void* user, uint32_t count, VksortJob job, void* data);

typedef struct VksortContextCreateInfo {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    VksortFeatureFlags enabledFeatures;      // those of VksortRequiredFeatures::features that the VkDevice has enabled
    VkPipelineCache pipelineCache;           // optional
    VksortMessageCallback messageCallback;   // optional
    void* messageUser;
    // Optional: the caller's job system, by which the pipelines of a plan are compiled side by side. Drivers do so without
    // loss, and a plan then takes about as long as its slowest pipeline. Null: one after another, by the calling thread.
    VksortRunJobs runJobs;
    void* runJobsUser;
    const void* reserved;
} VksortContextCreateInfo;

// Creates layouts and loads functions; pipelines are made by vksortCreatePlan and kept until the context goes.
// Thread-safe as a whole: plans may be created from several threads at once.
// Errors: VK_ERROR_FEATURE_NOT_PRESENT (a device without the floor, or a feature claimed that it does not have),
// VK_ERROR_INITIALIZATION_FAILED (a function or handle is missing), VK_ERROR_OUT_OF_HOST_MEMORY, Vulkan's own.
VKSORT_API VkResult vksortCreateContext(const VksortContextCreateInfo* pCreateInfo,
                                        const VkAllocationCallbacks* pAllocator, VksortContext* pContext);

// After every plan of the context has been destroyed, and the GPU is done with them. VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyContext(VksortContext context);

// ---- 2b. Comparators ------------------------------------------------------------------------------------------------

typedef struct VksortSpirv {
    const uint32_t* pWords;
    size_t wordCount;
} VksortSpirv;

// One kernel set, compiled around a function `bool before(Key a, Key b)` by the CMake function vksort_add_comparator or,
// at run time, by vksortCompileComparator (vksort_compiler.h). Kernels are in the order of shaders/comparator_variants.txt.
typedef struct VksortComparatorInfo {
    uint32_t version;               // VKSORT_COMPARATOR_VERSION of the library that the kernels were made with
    uint32_t keyWords;              // words of 4 bytes in a key, 1 to 16
    uint32_t kernelCount;
    const VksortSpirv* pKernels;
} VksortComparatorInfo;

#define VKSORT_COMPARATOR_VERSION 8
#define VKSORT_MAX_KEY_WORDS 16

// Copies the kernels. `before` must be a strict weak order; with anything else, elements may come out twice or not at all.
// Errors: VK_ERROR_FORMAT_NOT_SUPPORTED (another version or number of kernels, no key words), VK_ERROR_OUT_OF_HOST_MEMORY.
VKSORT_API VkResult vksortCreateComparator(VksortContext context, const VksortComparatorInfo* pInfo,
                                           VksortComparator* pComparator);

// After every plan made with it has been destroyed, and before its context. VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyComparator(VksortComparator comparator);

// ---- 3. Plan --------------------------------------------------------------------------------------------------------

typedef struct VksortPlanDesc {
    VksortOperation operation;
    VksortKeyType keyType;
    // Bytes of the value that moves with each key: 0, 4, 8, 12 or 16. Gather: bytes of a record, any multiple of 4.
    uint32_t valueSize;
    VksortPlanFlags flags;
    VksortResult result;
    VksortAlgorithm algorithm;
    // Sort by the bits [beginBit, endBit) of the key's order-preserving unsigned form only, as CUB does: signed keys have
    // their sign bit flipped, negative floats all bits, before bits are counted from the least significant one. Keys equal
    // in these bits keep their input order. Both 0, or 0 and the key's width: all bits. Fewer bits are fewer passes.
    uint32_t beginBit;
    uint32_t endBit;
    // Keys inside larger structs: key i is read at byte keyOffset + i * keyStride of `keys`. Both multiples of the key size
    // or of 4, whichever is smaller; keyOffset + the key size <= keyStride, and `keys` holds maxCount * keyStride bytes.
    // Needs VKSORT_RESULT_SEPARATE, since results are dense. keyStride 0: dense keys.
    uint32_t keyStride;
    uint32_t keyOffset;
    // The largest count that will be recorded (or found in the count buffer). Scratch and the choice of `auto` follow it;
    // the time follows the real count. 0 is allowed.
    uint64_t maxCount;
    const void* reserved;
    // VKSORT_KEY_COMPARATOR: the order of keys; its keyWords say how long they are. VKSORT_PLAN_DESCENDING_BIT turns it round.
    VksortComparator comparator;
    // Merge: the largest number of elements of B, at most 2^31 - 1; maxCount is that of A.
    uint64_t maxCountB;
    // Segmented sort. maxSegments: head indices or offset pairs at most; not used with head flags.
    VksortSegments segments;
    uint64_t maxSegments;
} VksortPlanDesc;

// Chooses the algorithm and makes the pipelines. Everything that can fail, fails here, with one sentence through the
// message callback that names the cause and the way out.
// Errors: VK_ERROR_FORMAT_NOT_SUPPORTED (a bad or impossible description), VK_ERROR_FEATURE_NOT_PRESENT (the algorithm
// asked for cannot run on this device, or this build of the library has no kernels for the operation or the width of the keys, see
// VKSORT_OPERATIONS and VKSORT_KEY_WIDTHS in README.md), VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INITIALIZATION_FAILED (compressed
// kernels are damaged), and those of vkCreateComputePipelines.
// Refuses a count for which a binding would exceed maxStorageBufferRange, or a buffer, scratch included, would exceed
// maxMemoryAllocationSize or maxBufferSize. The message has the largest count that fits. AUTO takes an algorithm whose
// scratch fits. With keys of up to 4 bytes the largest count is 2^30 - 1 where maxStorageBufferRange is 4 GiB - 1, as on
// most desktop GPUs, and buffers may be as large.
VKSORT_API VkResult vksortCreatePlan(VksortContext context, const VksortPlanDesc* pDesc, VksortPlan* pPlan);

// With VKSORT_PLAN_PREPARE_LATER_BIT: makes the pipelines that vksortCreatePlan has left out. Any thread may call this, while
// others record the plan; recordings that begin after it has returned VK_SUCCESS use these pipelines. Command buffers recorded
// earlier stay valid. Where nothing is left to make, it returns at once.
// Errors: VK_ERROR_INITIALIZATION_FAILED (no plan), and those of vkCreateComputePipelines, with a sentence through the message
// callback. The plan stays usable after an error, and the call may be repeated.
VKSORT_API VkResult vksortPreparePlan(VksortPlan plan);

// After the GPU is done with every command buffer that the plan was recorded into. VK_NULL_HANDLE is ignored.
VKSORT_API void vksortDestroyPlan(VksortPlan plan);

// ---- 4. What a plan needs and does ----------------------------------------------------------------------------------

#define VKSORT_MAX_PASSES 80

typedef struct VksortPlanInfo {
    VksortAlgorithm algorithm;      // the one that runs; never AUTO
    uint64_t maxCount;
    uint64_t largestCount;          // the largest maxCount that this description allows on this device
    // Scratch: the caller's, of any contents, not shared between recordings that may execute at the same time.
    uint64_t scratchSize;           // bytes; may be 0, then no scratch buffer is needed
    uint64_t scratchAlignment;      // of VksortBuffer::offset
    VkBufferUsageFlags scratchUsage;
    VkBufferUsageFlags bufferUsage; // of every other buffer
    VkBool32 resultInAlternate;     // VKSORT_RESULT_PING_PONG: the result is in keysAlternate/valuesAlternate
    uint32_t keyBits;               // bits sorted by
    uint32_t digitPasses;           // digit places sorted by, at most, least significant first; constant digits are skipped on the
                                    //   GPU; 0 for algorithms that do not go digit by digit through all of them
    uint32_t passCount;             // dispatches recorded, each reported to the pass callback
    uint32_t descriptorSets;        // sets of `storageDescriptors` storage buffers allocated from the pool at each recording;
    uint32_t storageDescriptors;    //   both 0 with push descriptors
    VkPipelineStageFlags firstStages;
    VkAccessFlags firstAccess;
    VkPipelineStageFlags lastStages;
    VkAccessFlags lastAccess;
    // Byte offset of a VksortStatistics in scratch, valid when the commands have completed; UINT64_MAX where the
    // algorithm needs no scratch.
    // Sorts recorded before vksortPreparePlan write none, nor a VksortWorkStatistics.
    uint64_t statisticsOffset;
    // The same for a VksortWorkStatistics: LOCALITY and SEGMENTED; UINT64_MAX elsewhere.
    uint64_t workStatisticsOffset;
    uint32_t tileSize;              // elements a workgroup sorts or merges at a time; merge sort may begin with lists of several tiles
    uint32_t mergePasses;           // merge family: passes over the data after the first, at most
} VksortPlanInfo;

VKSORT_API void vksortGetPlanInfo(VksortPlan plan, VksortPlanInfo* pInfo);

// The same, as a pure function: no GPU, no context, no Vulkan call. On failure `pMessage` (optional, messageSize bytes)
// gets the sentence that the callback would get.
VKSORT_API VkResult vksortDescribePlan(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, VksortPlanInfo* pInfo,
                                       char* pMessage, size_t messageSize);

typedef struct VksortPassInfo {
    char name[32];
    char kernel[48];                // SPIR-V module
    uint32_t workgroupSize;
    uint32_t requiredSubgroupSize;  // 0: any
    uint64_t workgroups;            // for the count asked about
    VkBool32 indirect;              // the GPU sets the number of workgroups
    uint64_t bytesRead;             // memory traffic of the algorithm's model, caches and counters left out
    uint64_t bytesWritten;
} VksortPassInfo;

// The passes of the prepared plan for `count` elements, none of them skipped. *pPassCount: in, room in pPasses; out, how many there are
// (VK_INCOMPLETE if there was too little room; pPasses may be NULL to ask).
VKSORT_API VkResult vksortDescribePasses(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, uint64_t count,
                                         uint32_t* pPassCount, VksortPassInfo* pPasses);

typedef struct VksortStatistics {
    uint32_t count;          // elements sorted
    uint32_t digitPassesRun; // digit places sorted by; in the rest every key had the same digit, or the keys were in order already. msd: 0, or,
                             // where a sample showed that its keys are skewed, all digit places, left to passes of onesweep.
                             // bucket_sort, sample_sort: 0, or what the passes behind them have run
    // onesweep: tiles counted again by a successor, because their status was late, and tiles ranked again, because shared atomics
    // did not follow the order of the lanes (where that is built upon). size_classes, msd: jobs of up to a tile
    // that were sorted in a slower way, because their keys are spread too unevenly for bins. sample_sort: 1 if it has found the keys uneven,
    // and sorted them itself.
    uint32_t fallbacks;
    uint32_t copied;         // 1: a last pass moved the result to where it belongs
} VksortStatistics;

#define VKSORT_MAX_MERGE_PASSES 32

// What a locality or segmented sort did, tile by tile. The rest of a pass's tiles were neither merged nor copied.
typedef struct VksortWorkStatistics {
    uint32_t tiles;       // of tileSize elements, the last one perhaps fewer
    uint32_t mergePasses; // that this count needed
    struct {
        uint32_t merged;  // tiles
        uint32_t copied;
    } passes[VKSORT_MAX_MERGE_PASSES];
} VksortWorkStatistics;

// ---- 5. Record ------------------------------------------------------------------------------------------------------

// A range of a VkBuffer, bound as a storage buffer. offset: a multiple of minStorageBufferOffsetAlignment and of
// the element's size where that is 4, 8 or 16. The range that is used follows from the plan (with a count from the host,
// from that count), in whole words: a buffer of 8- or 16-bit keys must reach to the end of its last word. There is no
// other padding, and no byte outside the elements is changed.
typedef struct VksortBuffer {
    VkBuffer buffer;
    VkDeviceSize offset;
} VksortBuffer;

// Called before and after each dispatch while recording: for timestamps and debug labels. It may record commands that do
// not disturb compute state.
typedef enum VksortPassEvent { VKSORT_PASS_BEGIN = 0, VKSORT_PASS_END = 1 } VksortPassEvent;
typedef void (*VksortPassCallback)(void* user, VkCommandBuffer commandBuffer, VksortPassEvent event, uint32_t passIndex,
                                   const char* passName);

// Buffers may not overlap, except that in-place sorts name each once. Every buffer needs VksortPlanInfo::bufferUsage, and
// scratch ::scratchUsage. Fields that the plan does not use are ignored.
typedef struct VksortSortBuffers {
    VksortBuffer keys;            // maxCount keys
    VksortBuffer values;          // maxCount values (not with argsort and RESULT_SEPARATE)
    VksortBuffer keysAlternate;   // RESULT_PING_PONG: as keys
    VksortBuffer valuesAlternate; // RESULT_PING_PONG: as values
    VksortBuffer keysOut;         // RESULT_SEPARATE, unless keys are discarded
    VksortBuffer valuesOut;       // RESULT_SEPARATE with values or argsort
    VksortBuffer scratch;
    VksortBuffer countBuffer;     // PLAN_COUNT_FROM_BUFFER: one u32
    uint64_t count;               // otherwise; at most the plan's maxCount. 0 and 1 are fine
    VkDescriptorPool descriptorPool; // where VksortPlanInfo::descriptorSets is not 0: the sets are the caller's to reset
    VksortPassCallback passCallback; // optional
    void* passUser;
    const void* reserved;
} VksortSortBuffers;

// Records a sort. Stable. Misuse (a missing buffer, a count above maxCount, an exhausted pool) is reported through the
// context's message callback and records nothing.
VKSORT_API void vksortCmdSort(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortSortBuffers* pBuffers);

typedef struct VksortGatherBuffers {
    VksortBuffer records;    // of desc.valueSize bytes each
    VksortBuffer indices;    // `count` u32; an index past recordCount reads as a record of zeros
    VksortBuffer out;        // `count` records; may not overlap records
    VksortBuffer countBuffer;
    uint64_t count;
    uint64_t recordCount;    // 0: the same as the plan's maxCount
    VkDescriptorPool descriptorPool;
    VksortPassCallback passCallback;
    void* passUser;
    const void* reserved;
} VksortGatherBuffers;

// Records out[i] = records[indices[i]]: wider records follow an argsort this way.
VKSORT_API void vksortCmdGather(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortGatherBuffers* pBuffers);

// Every buffer needs VksortPlanInfo::bufferUsage; none may overlap an output. Both inputs are only read.
typedef struct VksortMergeBuffers {
    VksortBuffer keysA;       // sorted by the plan's order
    VksortBuffer keysB;
    VksortBuffer valuesA;
    VksortBuffer valuesB;
    VksortBuffer keysOut;     // count A + count B keys
    VksortBuffer valuesOut;
    VksortBuffer scratch;
    VksortBuffer countBuffer; // PLAN_COUNT_FROM_BUFFER: two u32, the counts of A and B
    uint64_t countA;          // otherwise
    uint64_t countB;
    VkDescriptorPool descriptorPool;
    VksortPassCallback passCallback;
    void* passUser;
    const void* reserved;
} VksortMergeBuffers;

// Records std::merge: stable, and of equal keys those of A come first. With inputs that are not sorted, elements may
// come out twice or not at all. Plans: VKSORT_RESULT_SEPARATE, AUTO or MERGE; argsort values are positions in A, then countA + positions in B.
VKSORT_API void vksortCmdMerge(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortMergeBuffers* pBuffers);

// As VksortSortBuffers, and the segments.
typedef struct VksortSegmentedSortBuffers {
    VksortBuffer keys;
    VksortBuffer values;
    VksortBuffer keysOut;     // RESULT_SEPARATE
    VksortBuffer valuesOut;
    VksortBuffer scratch;
    VksortBuffer segments;    // as VksortPlanDesc::segments says; read only
    VksortBuffer countBuffer; // two u32: the count (PLAN_COUNT_FROM_BUFFER) and the number of segments
                              // (PLAN_SEGMENT_COUNT_FROM_BUFFER)
    uint64_t count;
    uint64_t segmentCount;    // head indices or offset pairs
    VkDescriptorPool descriptorPool;
    VksortPassCallback passCallback;
    void* passUser;
    const void* reserved;
} VksortSegmentedSortBuffers;

// Records a sort of every segment by itself, all at once. Stable. Segments that break the rules of VksortSegments sort into
// some permutation; nothing outside the buffers is read or written. Argsort values are positions in the whole array.
VKSORT_API void vksortCmdSegmentedSort(VkCommandBuffer commandBuffer, VksortPlan plan,
                                       const VksortSegmentedSortBuffers* pBuffers);

// ---- Names ----------------------------------------------------------------------------------------------------------

// Lower-case names as the command-line tool uses them ("u32", "onesweep"); NULL for an unknown value, and for
// VKSORT_KEY_COMPARATOR, which has none.
VKSORT_API const char* vksortKeyTypeName(VksortKeyType type);
VKSORT_API const char* vksortAlgorithmName(VksortAlgorithm algorithm);
VKSORT_API uint32_t vksortKeySize(VksortKeyType type); // bytes; 0 for an unknown value and for comparator keys

#ifdef __cplusplus
}
#endif

#endif
