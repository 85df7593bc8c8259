// SPDX-License-Identifier: MIT
//
// The sizes of the merge family's kernels, and which kernels its passes use. docs/log/tuning.md has the figures behind them.
#include <algorithm>

#include "tuning.h"

namespace vksort {

uint32_t MergeTuning::tile_size() const {
    if (kind != MergeKind::four_lists || workgroupSize == 0) {
        return slots();
    }
    // An invocation merges lists A and B or lists C and D, so that up to one invocation's keys have no slot. Tiles begin at
    // a cache line.
    const uint32_t most = slots() - keysPerThread;
    return most < 32 ? most : most - most % 32;
}

MergeTuning merge_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, MergeKind kind,
                         uint64_t count, const PlanOverrides& overrides) {
    const bool twoInputs = kind == MergeKind::two_inputs;
    MergeTuning tuning;
    tuning.kind = kind;
    if (is_cpu(device)) {
        // On lavapipe 64x24 sorts 2^18 u32 keys in 20 % less time than 128x8. Log: tuning-merge-1.
        tuning.workgroupSize = 64;
        tuning.keysPerThread = 24;
    } else {
        // NVIDIA devices are measured. Other GPUs are not, nor are keys of three words and more.
        const bool oneWord = keyWords == 1;
        constexpr uint64_t kManyKeys = uint64_t{1} << 23;
        tuning.workgroupSize = 256;
        if (keyWords > 2) {
            tuning.keysPerThread = 7;
        } else if (kind == MergeKind::four_lists) {
            // 128 invocations are 5 % faster than 256 for 2^28 u32 keys. Log: tuning-merge-4.
            tuning.workgroupSize = 128;
            tuning.keysPerThread = oneWord ? 13 : valueWords > 0 ? 11 : 9;
        } else if (twoInputs && valueWords > 0) {
            // 192 invocations are as fast. Log: tuning-merge-5.
            tuning.keysPerThread = oneWord ? 6 : 3;
        } else if (twoInputs && oneWord && count >= kManyKeys) {
            // For 2^28 u32 keys, 192x10 is 4 % faster than 256x9; for 2^22 it is slower. Log: tuning-merge-5.
            tuning.workgroupSize = 192;
            tuning.keysPerThread = 10;
        } else if (twoInputs && !oneWord) {
            // For 2^22 u64 keys, 128x6 is 15 % faster than 256x6. Log: tuning-merge-5.
            tuning.workgroupSize = 128;
            tuning.keysPerThread = 6;
        } else {
            // Passes of two lists and work queues: 256x11 is within 5 % of 256x9 for u32 keys. Log: tuning-merge-2 and
            // tuning-merge-3.
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
    // A workgroup takes at most half of the shared memory where keys are short enough, so that two workgroups share a
    // multiprocessor.
    const auto shared_bytes = [&tuning, keyWords] {
        return (keyWords * tuning.slots() + 2 * tuning.workgroupSize) * 4 + 64;
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
        // Asking for keys four waves of workgroups later takes 10 % less time than one wave for 2^28 u32 keys. Log:
        // tuning-merge-6.
        tuning.prefetchTiles = 4 * device.multiprocessors;
    }
    return tuning;
}

bool merges_four_lists(const VksortDeviceInfo& device, uint64_t bytes, const PlanOverrides& overrides) {
    if (overrides.mergeWays != 0) {
        return overrides.mergeWays >= 4;
    }
    // Passes of two lists are faster while both buffers are in the second-level cache: 2^22 u32 keys take 14 % less time by
    // them than by passes of four lists. On lavapipe, passes of four lists are faster. Log: tuning-merge-7.
    constexpr uint64_t kLeastOfFour = uint64_t{32} << 20;
    return is_cpu(device) || bytes >= kLeastOfFour;
}

bool merge_has_partition(const VksortDeviceInfo& device, uint64_t tiles, const PlanOverrides& overrides) {
    // Without a partition, a merge of 2^16 u32 keys takes 36 % less time; from about 3000 tiles on it takes longer. To a CPU
    // driver a dispatch is cheap beside what the invocations of each tile search together. Log: tuning-merge-8.
    return overrides.mergePartition || tiles > (is_cpu(device) ? 8 : 3000);
}

uint32_t drain_groups(const VksortDeviceInfo& device) { return is_cpu(device) ? 512 : 1024; }

bool drains_evenly(const VksortDeviceInfo& device) {
    // On lavapipe an invocation may loop 65,535 times in all, and the first workgroup would take every job before the second
    // begins. A job takes a few hundred iterations. 128 MiB of keys are 32,768 tiles, which is 64 for each workgroup.
    return is_cpu(device);
}

} // namespace vksort
