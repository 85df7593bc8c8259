// SPDX-License-Identifier: MIT
//
// What must hold for every plan, and the devices that plans are made for.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../reference.h"
#include "comparator.h"
#include "ops/ops.h"
#include "plan.h"
#include "select.h"
#include "shader_marks.h"
#include "vksort/vksort.h"

namespace vksort::test {

inline VksortDeviceInfo generic_device() {
    VksortDeviceInfo info;
    vksortGetGenericDeviceInfo(&info);
    return info;
}

// The least that Vulkan 1.2 guarantees.
inline VksortDeviceInfo least_device() {
    VksortDeviceInfo info = generic_device();
    std::snprintf(info.name, sizeof info.name, "least device");
    info.features = 0;
    info.subgroupSize = info.minSubgroupSize = info.maxSubgroupSize = 4;
    info.canRequireSubgroupSize = VK_FALSE;
    info.maxSharedMemorySize = 16384;
    info.maxWorkgroupInvocations = 128;
    info.maxWorkgroupSizeX = 128;
    info.maxWorkgroupSubgroups = 32;
    for (uint32_t& groups : info.maxWorkgroupCount) {
        groups = 65535;
    }
    info.maxStorageBufferRange = 1u << 27;
    info.storageBufferOffsetAlignment = 256;
    info.maxStorageBuffers = 16;
    return info;
}

// The same with a subgroup size that is known, of the least lanes that ballots pay from, and with the memory model.
inline VksortDeviceInfo least_device_with_ballots() {
    VksortDeviceInfo info = least_device();
    info.features = VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT | VKSORT_FEATURE_MEMORY_MODEL_BIT;
    info.subgroupSize = info.minSubgroupSize = info.maxSubgroupSize = 16;
    return info;
}

inline VksortDeviceInfo cpu_device(uint32_t subgroup_size) {
    VksortDeviceInfo info = generic_device();
    std::snprintf(info.name, sizeof info.name, "processor with subgroups of %u", subgroup_size);
    info.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    info.subgroupSize = info.minSubgroupSize = info.maxSubgroupSize = subgroup_size;
    info.maxSharedMemorySize = 32768;
    info.maxStorageBufferRange = 1u << 27;
    info.storageBufferOffsetAlignment = 16;
    return info;
}

inline VksortDeviceInfo gpu_device(uint32_t vendor, uint32_t least_subgroup, uint32_t largest_subgroup) {
    VksortDeviceInfo info = generic_device();
    std::snprintf(info.name, sizeof info.name, "GPU of vendor %x", vendor);
    info.vendorId = vendor;
    info.minSubgroupSize = least_subgroup;
    info.subgroupSize = info.maxSubgroupSize = largest_subgroup;
    return info;
}

inline VksortDeviceInfo without(VksortDeviceInfo info, VksortFeatureFlags features) {
    info.features &= ~features;
    if ((features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0) {
        info.minSubgroupSize = info.maxSubgroupSize = info.subgroupSize;
        info.canRequireSubgroupSize = VK_FALSE;
    }
    return info;
}

// The subgroup size that is known when pipelines are made; 0: none.
inline uint32_t subgroup_size_of(const VksortDeviceInfo& info) {
    const bool controls = (info.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
    const bool chooses = info.canRequireSubgroupSize != VK_FALSE || info.minSubgroupSize == info.maxSubgroupSize;
    return controls && chooses ? std::clamp(32u, info.minSubgroupSize, info.maxSubgroupSize) : 0;
}

inline bool is_processor(const VksortDeviceInfo& info) { return info.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

// Whether AUTO takes the algorithms that rank by ballots.
inline bool takes_fast_path(const VksortDeviceInfo& info) { return !is_processor(info) && subgroup_size_of(info) >= 16; }

// Whether the algorithm, by name, finds the features that it needs.
inline bool has_features_for(VksortAlgorithm algorithm, const VksortDeviceInfo& info) {
    const bool looks_back = algorithm == VKSORT_ALGORITHM_ONESWEEP || algorithm == VKSORT_ALGORITHM_BUCKET_SORT;
    return (!looks_back || (info.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0) &&
           (!ranks_by_ballots_only(algorithm) || subgroup_size_of(info) != 0);
}

// Not every limit is a power of two.
inline VksortDeviceInfo with_invocations(VksortDeviceInfo info, uint32_t most) {
    info.maxWorkgroupInvocations = info.maxWorkgroupSizeX = most;
    return info;
}

// As NVIDIA's driver limits them.
inline VksortDeviceInfo with_limited_buffers(VksortDeviceInfo info) {
    info.maxMemoryAllocationSize = uint64_t{4094} << 20;
    info.maxBufferSize = uint64_t{1} << 40;
    return info;
}

inline std::vector<VksortDeviceInfo> all_devices() {
    return {generic_device(),
            least_device(),
            cpu_device(2),
            cpu_device(8),
            cpu_device(16),
            with_limited_buffers(gpu_device(0x10DE, 32, 32)),
            gpu_device(0x1002, 32, 64),
            gpu_device(0x8086, 8, 32),
            gpu_device(0x5143, 64, 128),
            with_invocations(gpu_device(0x13B5, 16, 16), 384),
            with_invocations(generic_device(), 192),
            without(generic_device(), VKSORT_FEATURE_MEMORY_MODEL_BIT),
            without(generic_device(), VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT),
            without(gpu_device(0x1002, 32, 64), VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT),
            without(generic_device(), VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT)};
}

inline std::vector<VksortDeviceInfo> devices_with_known_subgroups() {
    std::vector<VksortDeviceInfo> devices = all_devices();
    std::erase_if(devices, [](const VksortDeviceInfo& device) { return subgroup_size_of(device) == 0; });
    return devices;
}

inline std::string describe(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    return std::string(device.name) + ": operation " + std::to_string(desc.operation) + " key " +
           std::to_string(desc.keyType) + " value " + std::to_string(desc.valueSize) + " flags " +
           std::to_string(desc.flags) + " result " + std::to_string(desc.result) + " algorithm " +
           std::to_string(desc.algorithm) + " bits " + std::to_string(desc.beginBit) + ":" + std::to_string(desc.endBit) +
           " stride " + std::to_string(desc.keyStride) + "+" + std::to_string(desc.keyOffset) + " count " +
           std::to_string(desc.maxCount) + " + " + std::to_string(desc.maxCountB) + " segments " +
           std::to_string(desc.segments) + ", " + std::to_string(desc.maxSegments);
}

inline bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

inline void check_scratch(const VksortDeviceInfo& device, const Plan& plan) {
    const VksortPlanInfo& info = plan.info;
    struct Range {
        uint64_t begin, end;
    };
    std::vector<Range> ranges;
    const Binding& state = plan.bindings[kBindingState];
    const Binding& radixState = plan.bindings[kBindingRadixState];
    const bool hasFallback = state.source == Source::scratch && radixState.source == Source::scratch;
    if (hasFallback) { // its state takes the place of what stands behind msd's control block
        EXPECT_GE(radixState.offset, state.offset + sizeof(MergeControl));
        EXPECT_LE(radixState.offset + radixState.fixedSize, state.offset + state.fixedSize);
    }
    for (const Binding& binding : plan.bindings) {
        if (hasFallback && &binding == &radixState) {
            continue;
        }
        uint64_t size = binding.size(counts_of(plan.desc));
        EXPECT_TRUE(binding.source == Source::none || size <= largest_bound_buffer(device)) << size;
        if (binding.source == Source::scratch) {
            EXPECT_EQ(binding.offset % device.storageBufferOffsetAlignment, 0u);
            EXPECT_EQ(binding.offset % 16, 0u);
            ranges.push_back({binding.offset, binding.offset + size});
        }
    }
    for (size_t i = 0; i < ranges.size(); ++i) {
        EXPECT_LE(ranges[i].end, info.scratchSize);
        for (size_t j = 0; j < i; ++j) {
            EXPECT_TRUE(ranges[i].begin >= ranges[j].end || ranges[j].begin >= ranges[i].end) << "scratch regions overlap";
        }
    }
    EXPECT_TRUE(info.scratchSize <= device.maxMemoryAllocationSize || device.maxMemoryAllocationSize == 0);
    EXPECT_TRUE(info.scratchSize <= device.maxBufferSize || device.maxBufferSize == 0);
    EXPECT_TRUE(is_power_of_two(info.scratchAlignment));
    EXPECT_EQ(info.scratchAlignment % device.storageBufferOffsetAlignment, 0u);
    EXPECT_EQ(ranges.empty(), info.statisticsOffset == UINT64_MAX);
    const bool plainNeedsSome = (plan.desc.flags & VKSORT_PLAN_PREPARE_LATER_BIT) != 0 && info.scratchSize != 0;
    EXPECT_TRUE(plainNeedsSome || ranges.empty() == (info.scratchSize == 0));
    if (!ranges.empty()) {
        EXPECT_LE(info.statisticsOffset + sizeof(VksortStatistics), info.scratchSize);
        EXPECT_TRUE((info.scratchUsage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) != 0);
    }
    bool argsWritten = false;
    for (uint32_t i = 0; i < info.passCount; ++i) {
        const Pass& pass = plan.passes[i];
        if (pass.dispatch == Dispatch::indirect) {
            EXPECT_TRUE(argsWritten) << "nobody says that the size of " << pass.name << " is written";
            EXPECT_EQ(pass.indirectOffset % 4, 0u);
            EXPECT_LE(pass.indirectOffset + sizeof(DispatchArgs), info.scratchSize);
            EXPECT_TRUE((info.scratchUsage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) != 0);
        }
        argsWritten = argsWritten || pass.writesArgs;
    }
}

inline void check_passes(const VksortDeviceInfo& device, const Plan& plan) {
    const VksortPlanInfo& info = plan.info;
    ASSERT_GE(info.passCount, 1u);
    ASSERT_LE(info.passCount, static_cast<uint32_t>(VKSORT_MAX_PASSES));
    for (uint32_t i = 0; i < info.passCount; ++i) {
        const Pass& pass = plan.passes[i];
        ASSERT_LT(pass.pushBlock, kMostPushBlocks);
        EXPECT_LE(plan.push[pass.pushBlock].size, static_cast<uint32_t>(kMaxPushBytes));
        EXPECT_GE(plan.push[pass.pushBlock].size, sizeof(PushHeader));
        uint32_t workgroup = pass.specialization[kSpecWorkgroupSize];
        EXPECT_GE(workgroup, 1u) << pass.name;
        EXPECT_LE(workgroup, device.maxWorkgroupInvocations) << pass.name;
        EXPECT_LE(workgroup, device.maxWorkgroupSizeX) << pass.name;
        EXPECT_GT(std::strlen(pass.name), 0u);
        EXPECT_LT(std::strlen(pass.name), sizeof(VksortPassInfo::name));
        if (pass.requiredSubgroupSize != 0) {
            EXPECT_TRUE((device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0) << pass.name;
            EXPECT_TRUE(is_power_of_two(pass.requiredSubgroupSize));
            EXPECT_GE(pass.requiredSubgroupSize, device.minSubgroupSize);
            EXPECT_LE(pass.requiredSubgroupSize, device.maxSubgroupSize);
            EXPECT_EQ(workgroup % pass.requiredSubgroupSize, 0u) << "full subgroups";
            EXPECT_LE(workgroup / pass.requiredSubgroupSize, device.maxWorkgroupSubgroups);
        }
    }
}

// Kernels that sort a tile by bins halve an invocation's keys, unless values move along. Those that merge within segments
// have a bit of a word for each.
inline void check_register_runs(const Plan& plan) {
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        const Pass& pass = plan.passes[i];
        const std::string kernel = module_name(pass);
        for (const char* by_bins : {"one_workgroup", "sample_tiles", "sample_buckets", "msd_finish"}) {
            if (kernel.starts_with(by_bins) && pass.specialization[kSpecValueWords] == 0) {
                EXPECT_EQ(pass.specialization[kSpecKeysPerThread] % 2, 0u) << kernel;
            }
        }
        if (kernel.starts_with("msd_skewed") || kernel.starts_with("segmented_blocksort")) {
            EXPECT_LE(pass.specialization[kSpecKeysPerThread], 31u) << kernel;
        }
    }
}

inline void check_segments(const Plan& plan) {
    uint32_t tile = 0, largeTile = 0, words = 0, jobsFor = 0, scans = 0, scansFor = 0, skewedTile = 0, largeSkewedTile = 0;
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        const Pass& pass = plan.passes[i];
        const uint32_t(&constants)[kSpecCountOf] = pass.specialization;
        const uint32_t elements = constants[kSpecWorkgroupSize] * constants[kSpecKeysPerThread];
        if (std::strcmp(pass.name, "finish") == 0) {
            tile = elements;
            EXPECT_EQ(constants[kSpecLargeTile], 0u);
        } else if (std::strcmp(pass.name, "large finish") == 0) {
            largeTile = elements;
            EXPECT_EQ(constants[kSpecLargeTile], elements);
        } else if (std::strcmp(pass.name, "jobs") == 0 || std::strcmp(pass.name, "blocks") == 0) {
            EXPECT_TRUE(words == 0 || words == constants[kSpecKeysPerThread]) << "they have the same spans of head flags";
            EXPECT_EQ(constants[kSpecWorkgroupSize], kClassBlock);
            words = constants[kSpecKeysPerThread];
            jobsFor = pass.name[0] == 'j' ? constants[kSpecLargeTile] : jobsFor;
        } else if (std::strncmp(pass.name, "scan ", 5) == 0) {
            ++scans;
            scansFor += constants[kSpecLargeTile];
        } else if (std::strcmp(pass.name, "skewed") == 0) {
            skewedTile = elements;
        } else if (std::strcmp(pass.name, "large skewed") == 0) {
            largeSkewedTile = elements;
            EXPECT_EQ(constants[kSpecLargeTile], elements);
        }
    }
    EXPECT_GT(tile, 0u);
    EXPECT_GT(words, 0u);
    EXPECT_EQ(jobsFor, largeTile);
    EXPECT_EQ(scansFor, scans * largeTile);
    // By AUTO another algorithm takes larger counts.
    const uint64_t most = plan.desc.algorithm == VKSORT_ALGORITHM_AUTO ? plan.info.maxCount : plan.info.largestCount;
    EXPECT_LE(most + std::max(tile, largeTile), uint64_t{UINT32_MAX}) << "how far a job may reach is a word";
    EXPECT_TRUE(largeTile == 0 || largeTile > tile);
    EXPECT_EQ(skewedTile, tile);
    EXPECT_EQ(largeSkewedTile, largeTile);
    EXPECT_LE(words, 32u) << "bits of a word";
    EXPECT_LE(32 * words, std::max(tile, 32u)) << "a window's heads fit a job";
}

inline void check_info(const VksortDeviceInfo& device, const Plan& plan) {
    const VksortPlanInfo& info = plan.info;
    const VksortPlanDesc& desc = plan.desc;
    EXPECT_EQ(info.maxCount, desc.maxCount);
    EXPECT_GE(info.largestCount, info.maxCount);
    EXPECT_TRUE((info.bufferUsage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) != 0);
    EXPECT_NE(info.firstStages, 0u);
    EXPECT_NE(info.lastStages, 0u);
    EXPECT_TRUE((info.lastAccess & VK_ACCESS_SHADER_WRITE_BIT) != 0);
    bool push = (device.features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) != 0;
    EXPECT_EQ(info.descriptorSets == 0, push);
    EXPECT_EQ(info.storageDescriptors == 0, push);
    EXPECT_TRUE(desc.result == VKSORT_RESULT_PING_PONG || info.resultInAlternate == VK_FALSE);
    if (desc.operation == VKSORT_OPERATION_SORT) {
        bool all = desc.beginBit == 0 && desc.endBit == 0;
        uint32_t bits = all ? reference::key_bits(desc.keyType) : desc.endBit - desc.beginBit;
        EXPECT_EQ(info.keyBits, bits);
        EXPECT_EQ(info.digitPasses, is_radix_family(info.algorithm) ? (bits + 7) / 8 : 0);
        EXPECT_NE(info.algorithm, VKSORT_ALGORITHM_AUTO);
        EXPECT_TRUE(desc.algorithm == VKSORT_ALGORITHM_AUTO || desc.algorithm == info.algorithm);
    }
}

// Key widths and values that the kernels of a plan have to be for: all where they work without keys, or on the caller's
// kernels.
inline KernelSet needed_kernels(const VksortPlanDesc& desc) {
    const uint32_t operation = 1u << desc.operation;
    if (desc.operation == VKSORT_OPERATION_GATHER || desc.keyType == VKSORT_KEY_COMPARATOR) {
        return {operation, 32 | 64, kNoValues | kSomeValues};
    }
    const bool values = desc.valueSize != 0 || (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    return {operation, reference::key_size(desc.keyType) > 4 ? 64u : 32u, values ? kSomeValues : kNoValues};
}

// Builds may leave out kernels by what shaders/variants.txt says that they are for.
inline void check_marks(const Plan& plan) {
    const KernelSet needed = needed_kernels(plan.desc);
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        const Pass& pass = plan.passes[i];
        if (pass.comparator != VK_NULL_HANDLE) {
            continue;
        }
        const KernelSet& marks = kModuleMarks[pass.module];
        EXPECT_EQ(needed.operations & ~marks.operations, 0u) << module_name(pass) << " is not for the operation";
        EXPECT_EQ(needed.keyWidths & ~marks.keyWidths, 0u) << module_name(pass) << " is not for these keys";
        EXPECT_EQ(needed.values & ~marks.values, 0u) << module_name(pass) << " is for plans of the other kind of values";
    }
}

inline void check_merges(const VksortDeviceInfo& device, const Plan& plan) {
    const VksortPlanInfo& info = plan.info;
    const bool queues = info.algorithm == VKSORT_ALGORITHM_LOCALITY || info.algorithm == VKSORT_ALGORITHM_SEGMENTED;
    EXPECT_EQ(info.workStatisticsOffset != UINT64_MAX, queues);
    if (!is_merge_family(info.algorithm) || partitions_by_top_digits(info.algorithm)) {
        EXPECT_EQ(info.mergePasses, 0u);
        return;
    }
    if (queues) {
        EXPECT_LE(info.workStatisticsOffset + sizeof(VksortWorkStatistics), info.scratchSize);
    }
    ASSERT_GT(info.tileSize, 0u);
    const uint64_t all = counts_of(plan.desc).all();
    if (plan.desc.operation == VKSORT_OPERATION_MERGE) {
        EXPECT_EQ(info.mergePasses, 1u);
    } else {
        uint32_t doublings = 1; // a pass
        for (uint32_t i = 0; i < info.passCount; ++i) {
            doublings = std::strstr(module_name(plan.passes[i]), "fourway") != nullptr ? 2 : doublings;
        }
        EXPECT_GE(uint64_t{info.tileSize} << doublings * info.mergePasses, all) << "too few passes";
        EXPECT_TRUE(info.mergePasses == 0 || uint64_t{info.tileSize} << doublings * (info.mergePasses - 1) < all)
            << "too many passes";
    }
    EXPECT_LT(all + info.tileSize, uint64_t{1} << 32) << "positions are 32-bit";
    for (uint32_t i = 0; i < info.passCount; ++i) {
        const uint32_t keys = plan.passes[i].specialization[kSpecKeysPerThread];
        EXPECT_LT(keys, 32u) << "heads of an invocation's keys are bits of a word";
        if (keys > 1) {
            EXPECT_LE(uint64_t{info.tileSize} * 4, device.maxSharedMemorySize);
        }
    }
}

// Everything that a plan which was made must satisfy.
inline void check_plan(const VksortDeviceInfo& device, const Plan& plan) {
    SCOPED_TRACE(describe(device, plan.desc));
    check_scratch(device, plan);
    check_passes(device, plan);
    check_register_runs(plan);
    if (plan.info.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES) {
        check_segments(plan);
    }
    check_info(device, plan);
    check_marks(plan);
    check_merges(device, plan);
}

// Plan `index` of those that are recorded with `plan`.
inline void check_smaller_plan(const VksortDeviceInfo& device, const Plan& plan, uint32_t index) {
    Plan smaller;
    make_smaller_plan(device, {}, plan, index, smaller);
    EXPECT_EQ(smaller.place.index, index);
    EXPECT_EQ(smaller.place.plans, plan.place.plans);
    EXPECT_LT(smaller.info.maxCount, plan.info.maxCount);
    EXPECT_LT(smaller.place.least, smaller.info.maxCount);
    EXPECT_LE(smaller.info.scratchSize, plan.info.scratchSize);
    EXPECT_EQ(smaller.info.statisticsOffset, plan.info.statisticsOffset);
    EXPECT_EQ(smaller.info.resultInAlternate, plan.info.resultInAlternate);
    if (index + 2 < plan.place.plans) {
        Plan next;
        make_smaller_plan(device, {}, plan, index + 1, next);
        EXPECT_EQ(next.place.least, smaller.info.maxCount + 1);
    } else {
        EXPECT_EQ(plan.place.least, smaller.info.maxCount + 1);
    }
    check_scratch(device, smaller);
    check_passes(device, smaller);
    check_register_runs(smaller);
    check_marks(smaller);
    // Sizes of dispatches stand apart, since each plan that does not sort clears its own.
    const uint64_t apart = plan.info.statisticsOffset / plan.place.plans;
    EXPECT_GE(apart, sizeof(IndirectArgs));
    for (const Plan* one : {&std::as_const(smaller), &plan}) {
        for (const Binding& binding : one->bindings) {
            const bool isArgs = &binding == &one->bindings[kBindingArgs];
            if (binding.source == Source::scratch) {
                EXPECT_TRUE(isArgs ? binding.offset == one->place.index * apart
                                   : binding.offset >= plan.info.statisticsOffset);
            }
        }
    }
}

inline bool has_pass(const Plan& plan, const std::string& name) {
    return std::any_of(plan.passes, plan.passes + plan.info.passCount,
                       [&name](const Pass& pass) { return pass.name == name; });
}

// Checked, as every plan is.
inline Plan plan_of(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides = {}) {
    Plan plan;
    Message message;
    EXPECT_EQ(make_plan(device, desc, overrides, plan, message), VK_SUCCESS) << message.text;
    check_plan(device, plan);
    return plan;
}

} // namespace vksort::test
