// SPDX-License-Identifier: MIT
//
// The sizes of the merge family's kernels, and which of them its passes are.
#include <algorithm>

#include "tuning.h"

namespace vksort {

uint32_t MergeTuning::tile_size() const {
    if (kind != MergeKind::four_lists || workgroupSize == 0) {
        return places();
    }
    // An invocation merges A and B or C and D, so up to an invocation's keys have no place; and tiles begin at a cache line.
    const uint32_t most = places() - keysPerThread;
    return most < 32 ? most : most - most % 32;
}

MergeTuning merge_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, MergeKind kind, uint64_t count,
                         const PlanOverrides& overrides) {
    const bool twoInputs = kind == MergeKind::two_inputs;
    MergeTuning tuning;
    tuning.kind = kind;
    if (is_cpu(device)) {
        // lavapipe (Mesa 22.3.6, two threads), 2026-11, 2^18 elements, ms, and with 128x8: merge sort of u32 52.6 (65.6), u32+4 73.9 (96.8), u64 78.4 (100), u64+4 105
        // (128), locality 81 (113), 114 (167), 119 (168), 145 (221), merges 5.4 (8.0), 8.5 (11.8), 6.3 (9.5), 10.0 (14.0).
        tuning.workgroupSize = 64;
        tuning.keysPerThread = 24;
    } else {
        // NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, G/s. Merge sort of two lists a pass, µs of 2^14, 2^17, 2^20 and 2^22 with 256x9:
        // keys 32, 50, 92, 258 (256x11 33, 52, 88, 259; 512x9 32, 51, 89, 283; 256x17 33, 52, 84, 285; 128x9 36, 53, 98, 289), pairs 38, 59, 118, 420
        // (256x11 40, 62, 113, 428), u64 38, 58, 148, 617 (256x6 41, 59, 162, 642). Work queues as merge sort by two lists and a partition had it at
        // 2^26: keys 18.4 and pairs 11.4 with 256x9 (256x11 18.3, 11.4; 512x6 16.7), u64 8.7 with 256x6 (256x9 8.1).
        // Merge sort of four lists a pass, measured when built-in keys had kernels for it, too: 2^28 keys 21.4 with 128x13 (160x15 and 128x15
        // 21.2, 256x9 20.3), 2^27 pairs 14.6 with 128x13 (160x15 14.7, 128x11 14.3), 2^28 u64 10.5 with 128x9 (128x11 10.4, 256x6 9.7), 2^26 u64+4 8.6 and u64+8 8.1 with 128x11 (256x7 8.3, 7.8).
        // A merge of two halves, H200 and H100: keys of 2^28 434 and 351 with 192x10 (128x12 433, 349; 256x12 419, 354; 256x9 416, 352), 2^24 314 and 270
        // (256x9 307, 267), 2^22 204 and 189 (256x9 219 and 192); u64 of 2^27 212 and 175 with 128x6 (192x5 208, 176; 256x6 205, 178), 2^24 180 and 155
        // (178, 156; 174, 155), 2^22 121 and 109 (122, 110; 105, 97); u32+4 of 2^28 246 with 256x6 (192x6 244), u64+4 of 2^26 149 and 119 with 256x3
        // (192x5 150, 119), u32+8 167 and 118 with 256x6 (256x5 166, 120). On other GPUs, and with keys of three words and more, not measured.
        const bool oneWord = keyWords == 1;
        constexpr uint64_t kManyKeys = uint64_t{1} << 23;
        tuning.workgroupSize = 256;
        if (keyWords > 2) {
            tuning.keysPerThread = 7;
        } else if (kind == MergeKind::four_lists) {
            tuning.workgroupSize = 128;
            tuning.keysPerThread = oneWord ? 13 : valueWords > 0 ? 11 : 9;
        } else if (twoInputs && valueWords > 0) {
            tuning.keysPerThread = oneWord ? 6 : 3;
        } else if (twoInputs && oneWord && count >= kManyKeys) {
            tuning.workgroupSize = 192;
            tuning.keysPerThread = 10;
        } else if (twoInputs && !oneWord) {
            tuning.workgroupSize = 128;
            tuning.keysPerThread = 6;
        } else {
            tuning.keysPerThread = oneWord || kind == MergeKind::two_lists ? 9 : 6;
        }
        tuning.workgroupSize = std::min(tuning.workgroupSize, device.maxWorkgroupInvocations);
    }
    if (overrides.workgroupSize != 0) {
        tuning.workgroupSize = overrides.workgroupSize;
    }
    if (overrides.keysPerThread != 0) {
        tuning.keysPerThread = overrides.keysPerThread;
    }
    // Half of the shared memory at most, so that two workgroups fit beside each other, where keys are short enough.
    const auto shared_bytes = [&tuning, keyWords] {
        return (keyWords * tuning.places() + 2 * tuning.workgroupSize) * 4 + 64;
    };
    while (tuning.keysPerThread > 1 && shared_bytes() > device.maxSharedMemorySize / 2) {
        tuning.keysPerThread -= 2 - tuning.keysPerThread % 2;
        tuning.keysPerThread = std::max(tuning.keysPerThread, 1u);
    }
    if (tuning.workgroupSize > 128 && shared_bytes() > device.maxSharedMemorySize) {
        tuning.workgroupSize = 128;
    }
    if (shared_bytes() > device.maxSharedMemorySize) {
        return {};
    }
    if (!twoInputs) {
        return tuning;
    }
    if (overrides.prefetchTiles != 0) {
        tuning.prefetchTiles = overrides.prefetchTiles;
    } else if (device.vendorId == kVendorNvidia) {
        // NVIDIA H200, 2026-11, µs of merges with 1, 2 and 4: 2^28 keys 804, 732, 721; 2^27 pairs 659, 640, 615, u64 776, 728, 725.
        tuning.prefetchTiles = 4 * device.multiprocessors;
    }
    return tuning;
}

bool merges_four_lists(const VksortDeviceInfo& device, uint64_t bytes, const PlanOverrides& overrides) {
    if (overrides.mergeWays != 0) {
        return overrides.mergeWays >= 4;
    }
    // NVIDIA H200, 2026-11, µs of two and of four, measured when built-in keys had kernels for both: u32 2^22 258 and 300, 2^23 572 and
    // 506; pairs 2^21 206 and 265, 2^22 421 and 406; u64 keys 2^21 275 and 333, 2^22 616 and 533: two while both buffers are in the
    // second-level cache. lavapipe: 2^18 keys 131 and 118 ms, pairs 182 and 170.
    constexpr uint64_t kLeastOfFour = uint64_t{32} << 20;
    return is_cpu(device) || bytes >= kLeastOfFour;
}

bool merge_has_partition(const VksortDeviceInfo& device, uint64_t tiles, const PlanOverrides& overrides) {
    // NVIDIA H200, 2026-11, µs with a partition and without: keys 2^16 11.6 and 7.4, 2^20 14.6 and 9.8, 2^22 (1,821 tiles) 25.1 and 22.8, 2^23
    // 42.3 and 48.3; pairs 2^22 (2,731) 38.5 and 34.4, 2^23 57.0 and 61.4; u64 keys 2^22 45.4 and 46.2; u64+4 2^21 (2,731) 35.0 and 31.2, 2^22
    // 50.7 and 56.1. To a CPU a dispatch is cheap beside what the invocations of each tile search together.
    return overrides.mergePartition || tiles > (is_cpu(device) ? 8 : 3000);
}

uint32_t drain_groups(const VksortDeviceInfo& device) { return is_cpu(device) ? 512 : 1024; }

bool drains_evenly(const VksortDeviceInfo& device) {
    // On lavapipe an invocation may loop 65,535 times in all, and the first workgroup would take every job before the second
    // begins. A job takes some hundred iterations; 128 MiB of keys are 32,768 tiles, 64 for each workgroup.
    return is_cpu(device);
}

} // namespace vksort
