// SPDX-License-Identifier: MIT
#include "select.h"

#include <algorithm>

#include "key_traits.h"
#include "ops/ops.h"
#include "tuning.h"

namespace vksort {

namespace {

// Kernels that sort tiles by bins are for them: narrow keys have few values, and few digits.
bool sorts_wide_keys(const VksortPlanDesc& desc) { return key_bytes(desc) >= 4 && sorts_all_bits(desc); }

bool has_values(const VksortPlanDesc& desc) { return desc.valueSize != 0 || (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0; }

// While the time goes to starting dispatches, of which it has the fewest. (NVIDIA H200, µs by it and by the next best but bucket_sort, at 600,000
// and 2^20: u32 25 and 61, 29 and 67; u32+4 60 and 78, 98 and 84; u64 77 and 118, 174 and 125; u64+4 84 and 137, 206 and 186.)
bool prefers_sample_sort(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const bool wide = key_bytes(desc) == 8;
    const uint64_t most = has_values(desc) ? (wide ? 900'000 : 800'000) : (wide ? 750'000 : 1 << 20);
    return prefers_ballots(device) && sorts_wide_keys(desc) && desc.maxCount <= std::min(most, sample_sort_limit(device, desc, overrides));
}

// Wide keys, to another place than the caller's alternate buffer, which has no room to spare.
bool can_bucket_sort(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    return sorts_wide_keys(desc) && desc.result != VKSORT_RESULT_PING_PONG && can_onesweep(device);
}

// What fits one workgroup's shared memory, unless it takes many workgroups less, or not much more where keys are uniform and far less where they are not.
// (NVIDIA H100, µs in one workgroup and by the next best, of uniform keys and of AND-ed ones: 3000 u64+4 11.6 and
// 13.7, 17.0 and 19.4; u64+16 13.8 and 14.6, 19.0 and 20.3; 3500 u64+4 13.3 and 13.9, 20.6 and 19.7; u64+8 15.0 and 14.6, 22.4 and 20.4; 2^12 u64 10.6
// and 13.4, 18.0 and 21.1; u32+4 11.3 and 12.5, 23.6 and 18.0; 6000 u32+4 15.9 and 12.5, 27.1 and 18.0. H200, even, AND-ed and Zipf keys in one workgroup, and
// by ranks any: 6000 u32 8.5, 13.5, 21.3, and 10.8; 7000 9.4, 15.3, 27.5, and 10.8.)
bool prefers_one_workgroup(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const bool wide = key_bytes(desc) > 4;
    const uint64_t fewPairs = !wide ? 4096 : device.vendorId == kVendorNvidia ? 3072 : 2048; // others' tiles of 3072 take longer
    const uint64_t few = has_values(desc) ? fewPairs : wide ? UINT64_MAX : 6144;
    const bool shorter = desc.maxCount > few && prefers_sample_sort(device, desc, overrides);
    return desc.maxCount <= one_workgroup_limit(device, desc, overrides) && !shorter;
}

// Floats, which have to be counted first. (NVIDIA H100, with an earlier numbering of keys that took 3 µs less of 4-byte ones, and a tenth less of 8-byte ones, µs of floats from 0 to 1 and of normally distributed ones, by it, and by the next best: f32 39.6, 39.9
// and, by sample_sort, 31.1, 39.2 at 200,000, 40.2, 40.4 and 35.3, 43.3 at 2^18; by onesweep 44.2, 44.2 and 59.2, 59.4 at 2^19, 128, 127 and 136, 137 at 2^22,
// 249, 251 and 231, 235 at 2^23; f32+4 47.0, 47.5 and 39.1, 48.7 at 2^18, 53.0, 53.1 and 72.4, 72.7 at 2^19, 72.4, 74.6 and 84.1, 83.1 at 2^20, 118, 121 and
// 120, 122 at 2^21; f64 44.1, 44.4 and 41.9, 44.4 at 2^18, 216, 218 and, by msd, 337, 338 at 2^22, 592, 1641 and 1157, 906 at 2^24, where cells are too few for
// the latter; f64+4 343, 343 and 455, 439 at 2^22.)
bool floats_prefer_buckets(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    constexpr uint64_t kLeast = 270'000;
    const uint64_t most = key_bytes(desc) == 4 && has_values(desc) ? 1'900'000 : 5'000'000;
    return can_scatter_by_distribution(device) && desc.maxCount >= kLeast && desc.maxCount <= most;
}

// From where sample_sort takes longer on, or its tiles do not all run at once, while scratch as a whole fits a binding. (NVIDIA H100, µs by it and by
// sample_sort: u32 27.0 and 24.7 at 600,000, 27.4 and 29.4 at 700,000; u32+4 30.6 and 27.7 at 405,000, 30.5 and 31.3 at 430,000; u64 28.7 and 24.6, u64+4
// 37.3 and 29.4 at 405,000, 30.6 and 40.9, 46.2 and 49.4 at 2^19. NVIDIA H200, by it and by the next best: u32 77 and 138 at 2^22, 250 and 332 at 2^24,
// 3160 and 3640 at 2^28; u64 397 and 534 at 2^24; u32+4 152 and 208 at 2^22, u32+8 209 and 268; u64+4 172 and 288 at 2^21, u64+8 184 and 289.) With values
// while one level is enough: with two of them u32+4 takes 500 and 545 at 2^24, u64+4 317 and 362 at 2^22 and 564 and 506 at 2^23, and scratch is three
// times as much. Keys that are not for buckets take up to a tenth longer than by onesweep alone.
bool prefers_bucket_sort(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    if (!can_bucket_sort(device, desc) || desc.maxCount > bucket_sort_limit(device, desc, overrides) ||
        bucket_sort_bytes(device, desc, overrides) > largest_bound_buffer(device)) {
        return false;
    }
    if (has_floats(desc)) {
        return floats_prefer_buckets(device, desc);
    }
    const uint64_t least = key_bytes(desc) == 8 || has_values(desc) ? 405'000 : 660'000;
    return desc.maxCount >= least && (!has_values(desc) || bucket_sort_levels(device, desc, overrides) == 1);
}

// It has fewer passes than onesweep and more dispatches. (NVIDIA H200, µs by either: u32 keys 213 and 200 at 7 million, 229 and 230 at
// 2^23, 248 and 260 at 10 million; u32+4, which is packed from 11 million on, 437 and 404 at 10 million, 434 and 468 at 12 million.)
bool prefers_msd(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    if (!sorts_wide_keys(desc) || msd_limit(device, desc, overrides) == 0) {
        return false;
    }
    if (key_bytes(desc) == 8) {
        return true;
    }
    if (has_floats(desc) && can_onesweep(device)) { // levels leave too many of them together
        return false;
    }
    return has_values(desc) ? desc.maxCount >= 10'000'000 && msd_indexes_keys(device, desc, overrides) : desc.maxCount >= 1 << 23;
}

// Where one workgroup is not enough and ballots do not pay: what needs no subgroups. (lavapipe, Mesa 22.3.6, u32+4: the first sort of 2^16 takes
// 0.9 s by merge and 1.3 by reduce_scan, most of it compilation; of 4 million elements they are alike.)
VksortAlgorithm algorithm_without_ballots(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    return is_cpu(device) && sorts_all_bits(desc) ? VKSORT_ALGORITHM_MERGE : VKSORT_ALGORITHM_REDUCE_SCAN;
}

// Where one workgroup is not enough.
VksortAlgorithm many_workgroup_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc,
                                         const PlanOverrides& overrides) {
    if (!prefers_ballots(device)) {
        return algorithm_without_ballots(device, desc);
    }
    const auto fits = [&](VksortAlgorithm algorithm) { return fits_device(device, desc, overrides, algorithm); };
    if (prefers_bucket_sort(device, desc, overrides) && fits(VKSORT_ALGORITHM_BUCKET_SORT)) {
        return VKSORT_ALGORITHM_BUCKET_SORT;
    }
    if (prefers_sample_sort(device, desc, overrides) && fits(VKSORT_ALGORITHM_SAMPLE_SORT)) {
        return VKSORT_ALGORITHM_SAMPLE_SORT;
    }
    if (prefers_msd(device, desc, overrides) && fits(VKSORT_ALGORITHM_MSD)) {
        return VKSORT_ALGORITHM_MSD;
    }
    const bool looksBack = can_onesweep(device) && fits(VKSORT_ALGORITHM_ONESWEEP);
    return looksBack ? VKSORT_ALGORITHM_ONESWEEP : VKSORT_ALGORITHM_REDUCE_SCAN;
}

// Operations that one algorithm serves.
VkResult select_only(const char* operation, VksortAlgorithm only, const VksortPlanDesc& desc, VksortAlgorithm& algorithm,
                     Message& message) {
    if (desc.algorithm != VKSORT_ALGORITHM_AUTO && desc.algorithm != only) {
        message.format("%s runs by the algorithm %s or auto", operation, vksortAlgorithmName(only));
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    algorithm = only;
    return VK_SUCCESS;
}

VkResult check_ballots(const VksortDeviceInfo& device, VksortAlgorithm algorithm, Message& message) {
    if (!ranks_by_ballots_only(algorithm) || known_subgroup_size(device) != 0) {
        return VK_SUCCESS;
    }
    const char* name = vksortAlgorithmName(algorithm);
    const char* instead = algorithm == VKSORT_ALGORITHM_SIZE_CLASSES ? "segmented" : "reduce_scan";
    if ((device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) == 0) {
        message.format("%s needs a known subgroup size, and so the features subgroupSizeControl and computeFullSubgroups, which %s "
                       "does not have enabled; use %s or auto",
                       name, device.name, instead);
    } else {
        message.format("%s needs a known subgroup size, and %s, whose subgroups have %u to %u lanes, cannot require one in compute "
                       "shaders; use %s or auto",
                       name, device.name, device.minSubgroupSize, device.maxSubgroupSize, instead);
    }
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

VkResult select_segmented(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                          VksortAlgorithm& algorithm, Message& message) {
    switch (desc.algorithm) {
    case VKSORT_ALGORITHM_AUTO: {
        const bool byMsd = prefers_ballots(device) && fits_device(device, desc, overrides, VKSORT_ALGORITHM_SIZE_CLASSES);
        algorithm = byMsd ? VKSORT_ALGORITHM_SIZE_CLASSES : VKSORT_ALGORITHM_SEGMENTED;
        return VK_SUCCESS;
    }
    case VKSORT_ALGORITHM_SEGMENTED:
    case VKSORT_ALGORITHM_SIZE_CLASSES: algorithm = desc.algorithm; return check_ballots(device, algorithm, message);
    default:
        message.format("a segmented sort runs by the algorithm segmented, size_classes or auto");
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
}

} // namespace

VksortAlgorithm least_demanding_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, VksortAlgorithm algorithm) {
    if (desc.algorithm != VKSORT_ALGORITHM_AUTO || desc.keyType == VKSORT_KEY_COMPARATOR) {
        return algorithm;
    }
    switch (desc.operation) {
    case VKSORT_OPERATION_SORT: return algorithm_without_ballots(device, desc);
    case VKSORT_OPERATION_SEGMENTED_SORT: return VKSORT_ALGORITHM_SEGMENTED;
    default: return algorithm;
    }
}

bool plain_algorithm(const VksortPlanDesc& desc, VksortAlgorithm& algorithm) {
    if (desc.keyType == VKSORT_KEY_COMPARATOR) {
        return false;
    }
    switch (desc.operation) {
    case VKSORT_OPERATION_SORT:
        algorithm = sorts_all_bits(desc) ? VKSORT_ALGORITHM_MERGE : VKSORT_ALGORITHM_REDUCE_SCAN;
        return true;
    case VKSORT_OPERATION_SEGMENTED_SORT: algorithm = VKSORT_ALGORITHM_SEGMENTED; return true;
    default: return false;
    }
}

bool ranks_by_ballots_only(VksortAlgorithm algorithm) {
    return algorithm == VKSORT_ALGORITHM_SAMPLE_SORT || algorithm == VKSORT_ALGORITHM_BUCKET_SORT ||
           algorithm == VKSORT_ALGORITHM_ONESWEEP || partitions_by_top_digits(algorithm);
}

bool is_merge_family(VksortAlgorithm algorithm) {
    return algorithm == VKSORT_ALGORITHM_MERGE || algorithm == VKSORT_ALGORITHM_LOCALITY ||
           algorithm == VKSORT_ALGORITHM_SEGMENTED || partitions_by_top_digits(algorithm);
}

bool is_radix_family(VksortAlgorithm algorithm) {
    return algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP || algorithm == VKSORT_ALGORITHM_ONESWEEP ||
           algorithm == VKSORT_ALGORITHM_REDUCE_SCAN;
}

bool partitions_by_top_digits(VksortAlgorithm algorithm) {
    return algorithm == VKSORT_ALGORITHM_SIZE_CLASSES || algorithm == VKSORT_ALGORITHM_MSD;
}

VkResult select_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                          VksortAlgorithm& algorithm, Message& message) {
    if (desc.operation == VKSORT_OPERATION_GATHER) {
        algorithm = VKSORT_ALGORITHM_AUTO; // it has no other name
        return VK_SUCCESS;
    }
    if (desc.operation == VKSORT_OPERATION_MERGE) {
        return select_only("a merge", VKSORT_ALGORITHM_MERGE, desc, algorithm, message);
    }
    if (desc.operation == VKSORT_OPERATION_SEGMENTED_SORT) {
        if (desc.keyType == VKSORT_KEY_COMPARATOR) {
            return select_only("a segmented sort by comparator", VKSORT_ALGORITHM_SEGMENTED, desc, algorithm, message);
        }
        return select_segmented(device, desc, overrides, algorithm, message);
    }
    if (desc.keyType == VKSORT_KEY_COMPARATOR && desc.algorithm != VKSORT_ALGORITHM_LOCALITY) {
        return select_only("a sort by comparator, unless by locality,", VKSORT_ALGORITHM_MERGE, desc, algorithm, message);
    }
    switch (desc.algorithm) {
    case VKSORT_ALGORITHM_AUTO:
        if (prefers_one_workgroup(device, desc, overrides)) {
            algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP;
        } else {
            algorithm = many_workgroup_algorithm(device, desc, overrides);
        }
        return VK_SUCCESS;
    case VKSORT_ALGORITHM_ONESWEEP:
    case VKSORT_ALGORITHM_BUCKET_SORT:
        if (!can_onesweep(device)) {
            message.format("%s needs the features vulkanMemoryModel and vulkanMemoryModelDeviceScope, which %s does "
                           "not have enabled; use reduce_scan or auto",
                           vksortAlgorithmName(desc.algorithm), device.name);
            return VK_ERROR_FEATURE_NOT_PRESENT;
        }
        if (desc.algorithm == VKSORT_ALGORITHM_BUCKET_SORT && !can_bucket_sort(device, desc)) {
            message.format("bucket_sort sorts keys of 4 and 8 bytes by all their bits, and not with VKSORT_RESULT_PING_PONG; use auto");
            return VK_ERROR_FORMAT_NOT_SUPPORTED;
        }
        break;
    case VKSORT_ALGORITHM_ONE_WORKGROUP:
    case VKSORT_ALGORITHM_REDUCE_SCAN:
    case VKSORT_ALGORITHM_MERGE:
    case VKSORT_ALGORITHM_LOCALITY:
    case VKSORT_ALGORITHM_MSD:
    case VKSORT_ALGORITHM_SAMPLE_SORT: break;
    case VKSORT_ALGORITHM_SEGMENTED:
    case VKSORT_ALGORITHM_SIZE_CLASSES:
        message.format("%s is an algorithm of VKSORT_OPERATION_SEGMENTED_SORT", vksortAlgorithmName(desc.algorithm));
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    default: message.format("unknown algorithm %d", static_cast<int>(desc.algorithm)); return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    algorithm = desc.algorithm;
    return check_ballots(device, algorithm, message);
}

} // namespace vksort
