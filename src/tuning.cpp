// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <iterator>

#include "tuning_rows.h"

namespace vksort {

bool is_cpu(const VksortDeviceInfo& device) { return device.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

uint32_t known_subgroup_size(const VksortDeviceInfo& device) {
    if ((device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) == 0) {
        return 0;
    }
    if (!device.canRequireSubgroupSize) {
        return device.minSubgroupSize == device.maxSubgroupSize ? device.minSubgroupSize : 0;
    }
    return std::clamp(32u, device.minSubgroupSize, device.maxSubgroupSize);
}

bool applies(uint32_t vendorId, const VksortDeviceInfo& device) {
    return vendorId == 0 || (vendorId == kAnyCpu ? is_cpu(device) : vendorId == device.vendorId);
}

bool prefers_ballots(const VksortDeviceInfo& device) {
    constexpr uint32_t kLeastSubgroup = 16;
    return !is_cpu(device) && known_subgroup_size(device) >= kLeastSubgroup;
}

bool ranks_by_ballots(const VksortDeviceInfo& device, const PlanOverrides& overrides) {
    return overrides.rank != 0 ? overrides.rank != kRankCounters : prefers_ballots(device);
}

uint32_t narrowed_by(uint32_t workgroupSize, uint32_t subgroupSize) {
    constexpr uint32_t kNarrow = 8;
    return subgroupSize >= kNarrow ? 1 : static_cast<uint32_t>(divide_up(workgroupSize, uint64_t{16} * subgroupSize));
}

uint32_t bin_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords) {
    const uint32_t cells = tuning.tile_size() + tuning.keysPerThread / 2;
    return keyWords * cells * 4 + (valueWords > 0 ? tuning.tile_size() * 2 + 4 : 0) + 16;
}

PlanOverrides with_uniform_keys(PlanOverrides overrides) {
    overrides.keysPerThread += overrides.keysPerThread % 2;
    return overrides;
}

uint32_t tag_bits(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords, uint64_t count) {
    const bool inWindows = tuning.keysPerThread % 2 == 0 && tuning.keysPerThread <= kMostWindowKeys;
    if (keyWords != 1 || valueWords == 0 || !inWindows) {
        return 0;
    }
    // Those of the whole tile or one fewer, so that few kernels serve all counts.
    const auto wholeTile = static_cast<uint32_t>(std::bit_width(tuning.tile_size() - 1));
    return count > uint64_t{1} << (wholeTile - 1) ? wholeTile : wholeTile - 1;
}

bool fits(const VksortDeviceInfo& device, const RankTuning& tuning, uint32_t sharedBytes) {
    if (tuning.workgroupSize > device.maxWorkgroupInvocations || tuning.workgroupSize > device.maxWorkgroupSizeX ||
        sharedBytes > device.maxSharedMemorySize) {
        return false;
    }
    if (!tuning.ballot) {
        return true;
    }
    return tuning.workgroupSize % tuning.subgroupSize == 0 &&
           tuning.workgroupSize / tuning.subgroupSize <= std::max(device.maxWorkgroupSubgroups, 1u);
}

namespace {

// The first row that fits the device is taken.
constexpr Row kPartitionRows[] = {
    // NVIDIA H200, driver 580.159.04, 2^27 keys, 2026-11: the largest tile whose kernel keeps to 80 registers, so that two
    // workgroups fit a multiprocessor, and to 23.6 KiB of shared memory, which two get on the graphics queue. Keys by 384x24/2 47.2
    // G/s (512x18/2 46.8, 384x22/2 45.2), u64 14.4 (512x11/1 14.1), u64 + 4 bytes 11.9. Pairs, at 64 registers: 2^22 20.3 G/s, 2^26 30.7
    // (384x20/2 30.1, 512x14/2 29.1, 384x18/2 28.9; 448x18/2 at 2^22 19.7; with 640 threads and with more keys a third less).
    // NVIDIA H100, without checks of bounds, keys of 2^26 46.2 (512x18/2 45.6, 384x26/2 45.5, 384x24/2 45.0); by 16 of 32 bits, 2^28, 3100 µs
    // (384x24/2 3183). H200 again, since their keys are stored four at a time and digits worked out anew, of which 24 take 72 registers, too: 55.1
    // (448x22/2 54.0, 448x20/2 51.9).
    {kVendorNvidia, 1, 0, 448, 24, 2},
    {kVendorNvidia, 1, 1, 512, 16, 2},
    // 2^25 elements: u32 + 8 bytes 22.3 (512x14/2 21.9, 384x16/2 21.9, 384x18/2 21.4), + 12 and + 16 bytes 16.7 (512x12/2 16.6, 384x15/1 15.8 and 14.2),
    // u64 + 8 bytes 9.4 (384x12/2 8.8, 512x8/2 8.5).
    {kVendorNvidia, 1, 2, 512, 12, 2},
    {kVendorNvidia, 1, kAnyValues, 384, 16, 2},
    {kVendorNvidia, 2, kAnyValues, 384, 15, 1},
    // Any device. Not measured; kept small enough for full occupancy where a workgroup may have 32 KiB of shared memory.
    {0, 1, kAnyValues, 256, 14, 1},
    {0, 2, kAnyValues, 256, 8, 1},
    // What every device has: 128 invocations, 16 KiB.
    {0, 1, kAnyValues, 128, 16, 1},
    {0, 2, kAnyValues, 128, 12, 1},
};

// onesweep's passes over keys without values, where shared atomics are known to be carried out in the order of the lanes: on other devices every
// tile would be done twice. The first row of which kAtomicTiles tiles are enough, which is two waves of those that run at once.
constexpr uint32_t kAtomicTiles = 512;
constexpr Row kAtomicPartitionRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, u32 keys, 2026-11: 2^21 23.4 G/s (512x18/2 22.6, 512x14/2 21.2), 2^22 29.1 (512x18/2
    // 28.4, 512x14/2 27.6); 2^26 48.6 (512x18/2 47.6, 384x22/2 46.7; by ballots 43.4).
    {kVendorNvidia, 1, 0, 512, 16, 2},
    {kVendorNvidia, 1, 0, 512, 20, 2},
};

// onesweep in one dispatch, whose tiles are to run at once, one a multiprocessor: the first row of which kSweepTiles tiles are enough, or else the largest.
constexpr uint32_t kSweepTiles = 132;
constexpr Row kSweepRows[] = {
    // NVIDIA H100, driver 580.159.04, graphics queue, 2026-11, µs of bucket_sort with AND-ed keys. u32: 2^19 63.1 (256x16 61.9, 512x16 68.7, a dispatch
    // a digit 70.2), 2^20 74.6 (1024x8 76.6, 512x8 78.4; 76.7), 2^21 116 (1024x16/2 106, 1024x8 112; 97), 2^22 195 (1024x16/2 173, 512x8 185; 159).
    {kVendorNvidia, 1, 0, 512, 8, 1},
    {kVendorNvidia, 1, 0, 512, 16, 1},
    // u32+4: 2^19 70.7 (512x16/2 80.8; 84.3), 2^20 92.8 (1024x8 93.1, 512x8 97.1; 99.0), 2^21 147 (512x8 149, 512x16/2 161; 144).
    {kVendorNvidia, 1, kAnyValues, 512, 8, 1},
    {kVendorNvidia, 1, kAnyValues, 1024, 8, 1},
    // u64: 2^19 116 (384x12 119, 1024x8/2 147; 127), 2^20 161 (256x12 183, 512x8 186; 167), 2^21 268 (256x12 287; 263). u64+4: 2^19 129 (384x12
    // 132; 145), 2^20 192 (512x8 222; 212).
    {kVendorNvidia, 2, kAnyValues, 512, 8, 1},
    {kVendorNvidia, 2, kAnyValues, 1024, 8, 2},
};

// reduce_scan's tiles need no look-back, and so neither its registers nor its large tiles; what is missing here is as above.
constexpr Row kDownsweepRows[] = {
    // NVIDIA H200, driver 580.159.04, 2^26 keys, 2026-11: keys 27.5 G/s (512x11 27.3, 256x20 26.3, 512x15 22.3), u64 10.8
    // (256x20 10.9 with twice the shared memory, 512x8 10.4).
    {kVendorNvidia, 1, 0, 384, 15, 1},
    {kVendorNvidia, 1, 1, 512, 12, 2}, // its values wait in registers, so that larger tiles take more than 64
    {kVendorNvidia, 2, kAnyValues, 512, 11, 1},
};

// The same by counters. lavapipe (Mesa 22.3.6) sorts 2^16 u32 keys in 163 ms with 16 keys a thread, in 214 with 8.
constexpr Row kCounterDownsweepRows[] = {
    {0, 1, kAnyValues, 128, 16, 1},
    {0, 2, kAnyValues, 128, 16, 1},
};

// The stable partition of msd and msd, which puts keys into ordered form and back on every level; what is missing here is
// as above.
constexpr Row kClassPartitionRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2^24 pairs in segments of 1000000, 2026-11: u32+4 22.8 G/s and i32+4 21.9 at
    // 64 registers (384x18/2 22.7, and with the 94 registers that i32 and f32 take there 18.2; 384x14/2 22.2 and 21.6).
    {kVendorNvidia, 1, 1, 512, 14, 2},
    // NVIDIA H100, otherwise the same: u64+4 15.9 (512x10/1 15.8, 512x11/1 15.7, 384x12/2 15.6).
    {kVendorNvidia, 2, 1, 448, 11, 1},
    // 2^25 in segments of 1000000: u32+8 22.9 (384x12/2 23.0, 384x15/1 22.1). u32+16 has 16.5 with the row of the partition, 384x16/2
    // (512x12/2 the same, 384x15/1 16.1).
    {kVendorNvidia, 1, 2, 512, 14, 2},
};

// By the size of the tile: the first one that is large enough is taken.
constexpr Row kOneWorkgroupRows[] = {
    // Not measured but on NVIDIA's: H200, driver 580.159.04, graphics queue, 2026-11, u32 of 2^10 6.5 µs, 2^12 8.9, 2^13 12.3.
    {0, 1, kAnyValues, 256, 4, 1},
    {0, 2, kAnyValues, 256, 4, 1},
    {0, 1, kAnyValues, 128, 8, 1},
    {0, 2, kAnyValues, 128, 8, 1},
    {0, 2, kAnyValues, 128, 12, 1},
    {0, 1, kAnyValues, 512, 4, 1},
    {0, 2, kAnyValues, 512, 4, 1},
    {0, 1, kAnyValues, 256, 8, 1},
    {0, 2, kAnyValues, 256, 8, 1},
    {0, 1, kAnyValues, 128, 16, 1},
    // H100, as above, µs of 3000, and of what the kernel for any GPU has room for as well: u32 7.6 (1024x4 8.4), u32+4 10.0 (1024x4 10.6), u64 10.8
    // (512x6 11.6, 256x12 21.3), u64+4 11.5 (512x6 12.1, 256x12 16.3).
    {kVendorNvidia, 1, 0, 512, 6, 1},
    {kVendorNvidia, 1, kAnyValues, 768, 4, 1},
    {kVendorNvidia, 2, 0, 576, 6, 1},
    {kVendorNvidia, 2, kAnyValues, 768, 4, 1},
    // Of 2^12: u32 8.5 (768x6 8.5, 512x8 8.7, 1024x4 8.9), u64 10.4 (768x6 11.1, 512x8 12.6), u64+4 13.5 (512x8 14.3); packed u32+4, H200, 9.6 (512x8 and
    // 1024x4 10.1).
    {kVendorNvidia, 1, kAnyValues, 704, 6, 1},
    {kVendorNvidia, 2, kAnyValues, 704, 6, 1},
    {0, 2, kAnyValues, 256, 12, 1},
    {0, 1, kAnyValues, 1024, 4, 1},
    {0, 1, kAnyValues, 256, 16, 1},
    {0, 2, kAnyValues, 512, 8, 1},
    {0, 1, kAnyValues, 512, 12, 1},
    {kVendorNvidia, 1, 0, 832, 10, 1}, // 2^13: u32 10.4 (1024x8 11.7)
    {0, 1, 0, 1024, 8, 1}, // with values vega10 spills registers
};

// The same by counters.
constexpr Row kCounterOneWorkgroupRows[] = {
    {0, 2, kAnyValues, 128, 4, 1},
    {0, 1, kAnyValues, 128, 8, 1},
    {0, 2, kAnyValues, 128, 8, 1},
    {0, 1, kAnyValues, 128, 16, 1},
    // With values, in 16 KiB.
    {0, 2, kAnyValues, 64, 16, 1},
    {0, 1, kAnyValues, 128, 12, 1},
    // CPU drivers have 32 KiB and more. (A GPU spills registers here: 885 and more VGPRs under RADV.)
    {kAnyCpu, 2, kAnyValues, 128, 16, 1},
    {kAnyCpu, 1, kAnyValues, 128, 32, 1},
};

// The partition of msd and msd where it need not be stable.
constexpr Row kKeyPartitionRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2^26 u32 keys, 2026-11, µs of the first level's pass in segments of 3000, 10,000 and 1,000,000:
    // 162, 260, 244 (512x16/2 159, 270, 250; 384x22/2 165, 267, 242; 512x20/4 178, 283, 250). 54 registers, so that three workgroups share a
    // multiprocessor. 512x20/2 had 64, and 235 µs, until its code changed a little; then 94, and 330. u64 as the first probes had it.
    {kVendorNvidia, 1, 0, 384, 16, 4},
    {kVendorNvidia, 2, 0, 512, 12, 3},
    // Any device. Not measured.
    {0, 1, 0, 256, 16, 1},
    {0, 2, 0, 256, 8, 1},
    {0, 1, 0, 128, 16, 1},
    {0, 2, 0, 128, 8, 1},
};

RankTuning partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                            const PlanOverrides& overrides) {
    return choose(kPartitionRows, device, keyWords, valueWords, overrides, rank_shared_bytes);
}

RankTuning ballot_downsweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                   const PlanOverrides& overrides) {
    const RankTuning tuning = choose(kDownsweepRows, device, keyWords, valueWords, overrides, rank_shared_bytes);
    return tuning.workgroupSize != 0 ? tuning : partition_tuning(device, keyWords, valueWords, overrides);
}

// Of the partition where it need not be stable.
uint32_t key_partition_shared_bytes(const RankTuning& tuning, uint32_t keyWords) {
    return tuning.tile_size() / tuning.stageRounds * keyWords * 4 + 2 * kRadix * 4 + tuning.workgroupSize * 5 + 64;
}

} // namespace

uint32_t rank_shared_bytes(const RankTuning& tuning) {
    const uint32_t radixBytes = kRadix * 4;
    const uint32_t misc = 64; // ticket, flags, varying bits, a slot of the round before
    if (tuning.ballot) {
        const uint32_t subgroups = tuning.workgroupSize / tuning.subgroupSize;
        return std::max(tuning.tile_size() / tuning.stageRounds * 4, subgroups * radixBytes) + radixBytes + subgroups * 4 +
               misc;
    }
    const uint32_t runs = (tuning.workgroupSize + 7) / 8;
    return tuning.tile_size() * 4 + 8 * tuning.workgroupSize * 4 + 2 * radixBytes + (runs * 8 + runs + 1) * 4 + misc;
}

RankTuning onesweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly,
                           uint64_t count, const PlanOverrides& overrides) {
    const bool mayUseAtomics = keysOnly && keyWords == 1;
    if (mayUseAtomics && overrides.rank == 0) {
        RankTuning tuning = choose(kAtomicPartitionRows, device, keyWords, valueWords, overrides, rank_shared_bytes,
                                   (count + kAtomicTiles - 1) / kAtomicTiles);
        if (tuning.workgroupSize != 0) {
            tuning.atomics = true;
            return tuning;
        }
    }
    RankTuning tuning = partition_tuning(device, keyWords, valueWords, overrides);
    tuning.atomics = mayUseAtomics && overrides.rank == kRankAtomics;
    return tuning;
}

RankTuning sweeps_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly, uint64_t count,
                         const PlanOverrides& overrides) {
    const auto shared_bytes = [keyWords](const RankTuning& tuning) { return rank_shared_bytes(tuning) + (keyWords * 4 * kRadix + 16) * 4; };
    RankTuning tuning = choose(kSweepRows, device, keyWords, valueWords, overrides, shared_bytes, (count + kSweepTiles - 1) / kSweepTiles);
    const bool measured = tuning.workgroupSize != 0;
    if (!measured) {
        tuning = choose(kPartitionRows, device, keyWords, valueWords, overrides, shared_bytes);
    }
    const bool byAtomics = overrides.rank == 0 ? measured : overrides.rank == kRankAtomics;
    tuning.atomics = byAtomics && keysOnly && keyWords == 1;
    return tuning;
}

uint32_t scatter_rounds(const VksortDeviceInfo& device, uint32_t keyWords, const RankTuning& tuning) {
    // A part has whole keys, where the other passes take their words one after another; and beside it are more counters than theirs.
    RankTuning scattered = tuning;
    scattered.stageRounds = std::min(tuning.stageRounds * keyWords, tuning.keysPerThread);
    while (tuning.keysPerThread % scattered.stageRounds != 0 ||
           (scattered.stageRounds < tuning.keysPerThread && key_partition_shared_bytes(scattered, keyWords) > device.maxSharedMemorySize)) {
        ++scattered.stageRounds;
    }
    return scattered.stageRounds;
}

RankTuning downsweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                            const PlanOverrides& overrides) {
    if (ranks_by_ballots(device, overrides)) {
        return ballot_downsweep_tuning(device, keyWords, valueWords, overrides);
    }
    return choose(kCounterDownsweepRows, device, keyWords, valueWords, overrides, rank_shared_bytes, 0, false);
}

RankTuning class_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                  const PlanOverrides& overrides) {
    const RankTuning tuning = choose(kClassPartitionRows, device, keyWords, valueWords, overrides, rank_shared_bytes);
    return tuning.workgroupSize != 0 ? tuning : ballot_downsweep_tuning(device, keyWords, valueWords, overrides);
}

uint32_t one_workgroup_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords) {
    return rank_shared_bytes(tuning) + bin_shared_bytes(tuning, keyWords, valueWords) - tuning.tile_size() * 4;
}

RankTuning one_workgroup_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t wanted,
                                const PlanOverrides& overrides) {
    const auto shared_bytes = [keyWords, valueWords](const RankTuning& tuning) {
        return one_workgroup_shared_bytes(tuning, keyWords, valueWords);
    };
    const PlanOverrides forUniformKeys = with_uniform_keys(overrides);
    if (ranks_by_ballots(device, overrides)) {
        return choose_for_bins(kOneWorkgroupRows, device, keyWords, valueWords, forUniformKeys, shared_bytes, wanted);
    }
    return choose_for_bins(kCounterOneWorkgroupRows, device, keyWords, valueWords, forUniformKeys, shared_bytes, wanted, false);
}

RankTuning key_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, const PlanOverrides& overrides) {
    return choose(kKeyPartitionRows, device, keyWords, 0, overrides,
                  [keyWords](const RankTuning& tuning) { return key_partition_shared_bytes(tuning, keyWords); });
}

RankTuning class_scan_tuning(const VksortDeviceInfo& device, const RankTuning& finish, ScannedRanges ranges) {
    RankTuning tuning = finish;
    // Segments make for many ranges with few rows of counts each. NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of the scans of
    // 2^26 keys in segments of 1000, 10,000 and 1,000,000, of 128, 256 and 512 invocations: u32 37, 42, 70; 41, 46, 59; 71, 80, 92; u32+4 51, 55,
    // 228; 54, 57, 182; 101, 107, 247.
    const uint32_t wanted = ranges == ScannedRanges::of_segments ? 256 : ranges == ScannedRanges::long_segments ? 1024 : 512;
    tuning.workgroupSize = 128;
    while (tuning.workgroupSize < wanted && 2 * tuning.workgroupSize <= device.maxWorkgroupInvocations) {
        tuning.workgroupSize *= 2;
    }
    // As many narrow subgroups as a workgroup may have.
    while (tuning.workgroupSize > 32 && tuning.workgroupSize / tuning.subgroupSize > std::max(device.maxWorkgroupSubgroups, 1u)) {
        tuning.workgroupSize /= 2;
    }
    tuning.keysPerThread = 1;
    return tuning;
}

// NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of a sort of 2^26 u32 keys in segments of 3000 and of 1,000,000, by 264, 528, 1056, 2112
// and 8448 workgroups: 883, 867, 869, 865, 874; 1165, 1134, 1138, 1130, 1147.
uint32_t count_groups(bool segmented) { return segmented ? 2112 : 528; }

PlainTuning histogram_tuning(const VksortDeviceInfo& device, uint64_t count) {
    if (is_cpu(device)) {
        return {128, 8, 64};
    }
    // NVIDIA H200, driver 580.159.04, u32 keys, 2026-11, µs of 264 and of 528 workgroups: 2^20 15.6 and 15.6, 2^22 24.8 and 27.4, 2^24 50.1 and
    // 48.5, 2^26 139.8 and 140.3; a sort of 2^28 equal keys 580 and 546.
    const uint32_t groups = count <= uint64_t{1} << 23 ? 264 : 528;
    return {std::min(512u, device.maxWorkgroupInvocations), 8, groups};
}

PlainTuning copy_tuning(const VksortDeviceInfo& device) { return {std::min(256u, device.maxWorkgroupInvocations), 8, 0}; }

uint32_t msd_word_bins(const VksortDeviceInfo& device) {
    constexpr uint32_t kOtherBytes = 12 * 1024; // of shared memory
    uint32_t bins = 8192;
    while (bins > 1024 && kOtherBytes + bins * 4 > device.maxSharedMemorySize) {
        bins /= 2;
    }
    return bins;
}

uint32_t spine_groups(const VksortDeviceInfo& device) {
    // lavapipe ends every loop of an invocation after 65,535 iterations in all. A tile takes up to 530, and the largest
    // count that it can bind has 16,384 tiles: 64 to a workgroup are safe.
    return is_cpu(device) ? 256 : 512;
}

uint32_t spine_workgroup_size(const VksortDeviceInfo& device) {
    // A CPU runs the invocations one after another, and mostly there are few tiles.
    return is_cpu(device) ? 32 : single_workgroup_size(device);
}

uint32_t spin_limit(const VksortDeviceInfo& device) {
    switch (device.vendorId) {
    // Their schedulers let started workgroups finish, and NVIDIA's, whose tiles take no ticket, start them in order; the limit is only a fallback.
    case kVendorNvidia:
    case kVendorAmd:
    case kVendorIntel: return 4096;
    default: return is_cpu(device) ? 16 : 64;
    }
}

uint32_t sweep_groups(const VksortDeviceInfo& device) {
    constexpr uint32_t kUnknown = 128;
    return device.multiprocessors != 0 ? device.multiprocessors : kUnknown;
}

uint32_t single_workgroup_size(const VksortDeviceInfo& device) { return std::min(256u, device.maxWorkgroupInvocations); }

} // namespace vksort
