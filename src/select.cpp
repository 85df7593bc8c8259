// SPDX-License-Identifier: MIT
#include "select.h"

#include <algorithm>

#include "key_traits.h"
#include "ops/ops.h"
#include "tuning.h"

namespace vksort {

namespace {

// True for keys of 4 and 8 bytes that are sorted by all their bits. Kernels that sort tiles by bins do not pay for narrower
// keys, which have few values and few digits.
bool sorts_wide_keys(const VksortPlanDesc& desc) { return key_bytes(desc) >= 4 && sorts_all_bits(desc); }

// sample_sort has the fewest dispatches, and is preferred while starting dispatches takes most of the time: 600,000 u32 keys
// take 59 % less time by it than by the next best algorithm other than bucket_sort. Log: tuning-select-1.
bool prefers_sample_sort(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const bool wide = key_bytes(desc) == 8;
    const uint64_t most = has_values(desc) ? (wide ? 900'000 : 800'000) : (wide ? 750'000 : 1 << 20);
    return prefers_ballots(device) && sorts_wide_keys(desc) &&
           desc.maxCount <= std::min(most, sample_sort_limit(device, desc, overrides));
}

// bucket_sort needs keys of 4 or 8 bytes and slack beyond maxCount, which the caller's alternate buffer does not have.
bool can_bucket_sort(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    return sorts_wide_keys(desc) && desc.result != VKSORT_RESULT_PING_PONG && can_onesweep(device);
}

// One workgroup if the elements fit its shared memory, unless several workgroups are faster on average over uniform and
// skewed keys: 6000 uniform pairs take 21 % less time by sample_sort. Log: tuning-select-2.
bool prefers_one_workgroup(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const bool wide = key_bytes(desc) > 4;
    // Tiles of 3072 elements take longer on GPUs of other vendors.
    const uint64_t fewPairs = !wide ? 4096 : device.vendorId == kVendorNvidia ? 3072 : 2048;
    const uint64_t few = has_values(desc) ? fewPairs : wide ? UINT64_MAX : 6144;
    const bool shorter = desc.maxCount > few && prefers_sample_sort(device, desc, overrides);
    return desc.maxCount <= one_workgroup_limit(device, desc, overrides) && !shorter;
}

// The largest count of which that holds.
uint64_t most_in_one_workgroup(const VksortDeviceInfo& device, VksortPlanDesc desc, const PlanOverrides& overrides) {
    uint64_t fits = 0;
    uint64_t beyond = one_workgroup_limit(device, desc, overrides) + 1;
    while (beyond - fits > 1) {
        desc.maxCount = fits + (beyond - fits) / 2;
        (prefers_one_workgroup(device, desc, overrides) ? fits : beyond) = desc.maxCount;
    }
    return fits;
}

// bucket_sort has to count floats first. It takes longer than sample_sort below kLeast floats, and saves little or nothing
// above the largest counts here; 2^19 f32 keys take 25 % less time by it than by onesweep. For 2^24 normally distributed f64
// keys there are too few histogram cells. Log: tuning-select-3.
bool floats_prefer_buckets(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    constexpr uint64_t kLeast = 270'000;
    const uint64_t most = key_bytes(desc) == 4 && has_values(desc) ? 1'900'000 : 5'000'000;
    return can_scatter_by_distribution(device) && desc.maxCount >= kLeast && desc.maxCount <= most;
}

// bucket_sort is preferred from the count on from which sample_sort takes longer or its tiles are not all executed at once,
// while all scratch fits one binding. Log: tuning-select-4. With values it is preferred only while one level is enough: two
// levels save at most 12 %, are slower for 2^23 u64+4, and take three times as much scratch. Skewed keys take up to a tenth
// longer than by onesweep without it.
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

// msd has fewer passes than onesweep and more dispatches. It is the faster one from about 8 million u32 keys on, and for
// pairs once the finish packs keys and indices, from 11 million on: 12 million pairs take 7 % less time. Log:
// tuning-select-5.
bool prefers_msd(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    if (!sorts_wide_keys(desc) || msd_limit(device, desc, overrides) == 0) {
        return false;
    }
    if (key_bytes(desc) == 8) {
        return true;
    }
    if (has_floats(desc) && can_onesweep(device)) { // levels leave too many floats in one bucket
        return false;
    }
    return has_values(desc) ? desc.maxCount >= 10'000'000 && msd_indexes_keys(device, desc, overrides)
                            : desc.maxCount >= 1 << 23;
}

// The algorithm where one workgroup is not enough and ballots do not pay, which needs no subgroup operations. On lavapipe
// the first sort of 2^16 pairs, most of which is compilation, takes 0.4 s less by merge than by reduce_scan. Log:
// tuning-select-6.
VksortAlgorithm algorithm_without_ballots(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    return is_cpu(device) && sorts_all_bits(desc) ? VKSORT_ALGORITHM_MERGE : VKSORT_ALGORITHM_REDUCE_SCAN;
}

// The algorithm where one workgroup is not enough.
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

// Chooses the algorithm of an operation that only one algorithm serves.
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
        message.format(
            "%s needs a known subgroup size, and so the features subgroupSizeControl and computeFullSubgroups, which %s "
            "does not have enabled; use %s or auto",
            name, device.name, instead);
    } else {
        message.format(
            "%s needs a known subgroup size, and %s, whose subgroups have %u to %u lanes, cannot require one in compute "
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

// Counts on the GPU are often far below maxCount, where fewer and shorter passes sort faster: 300,000 u32 keys at a capacity
// of 2^24 take half the time. The second plan finds ranks; the third one is a sample_sort whose tiles and buckets all run at
// once for all kinds of keys. Log: counts-6 to counts-9.
SmallerPlans smaller_plans(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                           VksortAlgorithm algorithm) {
    SmallerPlans smaller;
    if (desc.operation != VKSORT_OPERATION_SORT || (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) == 0 ||
        desc.result == VKSORT_RESULT_PING_PONG || overrides.alone ||
        (is_merge_family(algorithm) && !partitions_by_top_digits(algorithm))) { // whose setup takes all counts for its own
        return smaller;
    }
    for (uint32_t i = 0; i < overrides.smaller.count; ++i) {
        if (overrides.smaller.plans[i].mostElements < desc.maxCount) {
            smaller.plans[smaller.count++] = overrides.smaller.plans[i];
        }
    }
    if (smaller.count > 0 || desc.algorithm != VKSORT_ALGORITHM_AUTO || desc.keyType == VKSORT_KEY_COMPARATOR ||
        !prefers_ballots(device) || algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
        return smaller;
    }
    VksortPlanDesc some = desc;
    some.flags &= ~VkFlags{VKSORT_PLAN_COUNT_FROM_BUFFER_BIT};
    const bool wide = key_bytes(desc) == 8;
    const uint64_t counts[] = {most_in_one_workgroup(device, desc, overrides), wide ? 17'000u : 33'000u, 320'000, 1 << 20};
    for (const uint64_t count : counts) {
        some.maxCount = count;
        VksortAlgorithm chosen = VKSORT_ALGORITHM_ONE_WORKGROUP;
        if (!prefers_one_workgroup(device, some, overrides)) {
            chosen = many_workgroup_algorithm(device, some, overrides);
        }
        const bool isShort = chosen == VKSORT_ALGORITHM_ONE_WORKGROUP || chosen == VKSORT_ALGORITHM_SAMPLE_SORT ||
                             chosen == VKSORT_ALGORITHM_BUCKET_SORT;
        const uint64_t before = smaller.count == 0 ? 0 : smaller.plans[smaller.count - 1].mostElements;
        const bool repeats = chosen == algorithm && chosen == VKSORT_ALGORITHM_BUCKET_SORT &&
                             bucket_sort_levels(device, desc, overrides) == 1;
        if (count > before && count + count / 2 < desc.maxCount && isShort && !repeats) {
            smaller.plans[smaller.count++] = {count, chosen};
        }
    }
    return smaller;
}

VksortAlgorithm least_demanding_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc,
                                          VksortAlgorithm algorithm) {
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
            message.format(
                "bucket_sort sorts keys of 4 and 8 bytes by all their bits, and not with VKSORT_RESULT_PING_PONG; use auto");
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
