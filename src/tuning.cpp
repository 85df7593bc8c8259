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
    const uint32_t slots = tuning.tile_size() + tuning.keysPerThread / 2;
    return keyWords * slots * 4 + (valueWords > 0 ? tuning.tile_size() * 2 + 4 : 0) + 16;
}

PlanOverrides with_uniform_keys(PlanOverrides overrides) {
    overrides.keysPerThread += overrides.keysPerThread % 2;
    return overrides;
}

uint32_t indexed_key_bits(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords, uint64_t count) {
    const bool inRegisterRuns = tuning.keysPerThread % 2 == 0 && tuning.keysPerThread <= kMostRunKeys;
    if (keyWords != 1 || valueWords == 0 || !inRegisterRuns) {
        return 0;
    }
    // The bits that number the whole tile, or one bit fewer: few kernels then serve all counts.
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

// Tiles of the digit passes. The first row that fits the device is taken. The figures behind every row are in
// docs/log/tuning.md.
constexpr Row kPartitionRows[] = {
    // The largest tile whose kernel needs at most 80 registers, so that two workgroups share a multiprocessor.
    // Log: tuning-1.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 24, .stageRounds = 2},
    // Pairs need 64 registers with this tile; with larger ones they are a third slower. Log: tuning-2.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 512, .keysPerThread = 16, .stageRounds = 2},
    // With values of 8 to 16 bytes and with 8-byte keys, smaller tiles are faster. Log: tuning-3.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 2, .workgroupSize = 512, .keysPerThread = 12, .stageRounds = 2},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 384, .keysPerThread = 16, .stageRounds = 2},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 384, .keysPerThread = 15},
    // Any device. These rows are not measured. They are small enough for full occupancy where a workgroup may have 32 KiB of
    // shared memory.
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 14},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 8},
    // Every Vulkan device has 128 invocations and 16 KiB of shared memory.
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 16},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 12},
};

// Tiles of onesweep's keys-only passes on devices that are known to carry out shared atomics in the order of the lanes.
// Other devices would do every tile twice. The first row is taken whose count of tiles is at most kAtomicTiles, two waves of
// resident workgroups.
constexpr uint32_t kAtomicTiles = 512;
constexpr Row kAtomicPartitionRows[] = {
    // The small tile is faster up to 2^22 keys, the large one beyond; by ballots 2^26 keys take 12 % longer. Log: tuning-4.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 16, .stageRounds = 2},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 20, .stageRounds = 2},
};

// Tiles of onesweep in one dispatch, which are to be executed at once, one on each multiprocessor. The first row is taken
// whose count of tiles is at most kSweepTiles, or else the largest.
constexpr uint32_t kSweepTiles = 132;
constexpr Row kSweepRows[] = {
    // Up to 2^20 u32 keys, one dispatch with these tiles is faster than a dispatch for each digit. Log: tuning-5.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 8},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 16},
    // Up to 2^20 pairs, one dispatch is faster than a dispatch for each digit, by 16 % at 2^19. Log: tuning-6.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .keysPerThread = 8},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 1024, .keysPerThread = 8},
    // Up to 2^20 8-byte keys, one dispatch is faster, too; at 2^21 it is 2 % slower. Log: tuning-7.
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .keysPerThread = 8},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 1024, .keysPerThread = 8, .stageRounds = 2},
};

// Tiles of reduce_scan, which need no look-back, and so neither its registers nor its large tiles. Records without a row
// here take kPartitionRows.
constexpr Row kDownsweepRows[] = {
    // Keys-only tiles of 384x15 are the fastest of four sizes. Log: tuning-8.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 384, .keysPerThread = 15},
    // Values wait in registers, so that larger tiles need more than 64 of them.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 512, .keysPerThread = 12, .stageRounds = 2},
    // 8-byte keys: 256x20 is 1 % faster, but takes twice the shared memory. Log: tuning-8.
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .keysPerThread = 11},
};

// The same for kernels that rank by counters. On a CPU driver 16 keys per invocation sort faster than 8. Log: tuning-9.
constexpr Row kCounterDownsweepRows[] = {
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 16},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 16},
};

// Tiles of the stable partition of msd and size_classes, which puts keys into ordered form and back on every level. Records
// without a row here take kDownsweepRows or kPartitionRows.
constexpr Row kClassPartitionRows[] = {
    // This tile needs 64 registers with pairs of every key type. With 384x18/2, i32 and f32 keys need 94. Log: tuning-10.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 512, .keysPerThread = 14, .stageRounds = 2},
    // Four sizes of tiles of u64+4 are within 2 % of each other; this one is the fastest. Log: tuning-11.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 1, .workgroupSize = 448, .keysPerThread = 11},
    // u32+8: 384x12/2 is as fast as this row, and 384x15 is 3 % slower. Log: tuning-12.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 2, .workgroupSize = 512, .keysPerThread = 14, .stageRounds = 2},
};

// Tiles of one_workgroup that rank by ballots, by rising size: the first tile is taken that holds all elements.
constexpr Row kOneWorkgroupRows[] = {
    // Any device. Only NVIDIA devices are measured. Log: tuning-13.
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 4},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 4},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 12},
    {.keyWords = 1, .workgroupSize = 512, .keysPerThread = 4},
    {.keyWords = 2, .workgroupSize = 512, .keysPerThread = 4},
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 8},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 8},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 16},
    // 3072 to 3456 elements: the tiles for any device that hold them take up to twice as long. Log: tuning-14.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 768, .keysPerThread = 4},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 576, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 768, .keysPerThread = 4},
    // 2^12 elements: 704x6 is as fast as 768x6 for u32 keys and 6 % faster for u64. Log: tuning-15.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 704, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 704, .keysPerThread = 6},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 12},
    {.keyWords = 1, .workgroupSize = 1024, .keysPerThread = 4},
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 16},
    {.keyWords = 2, .workgroupSize = 512, .keysPerThread = 8},
    {.keyWords = 1, .workgroupSize = 512, .keysPerThread = 12},
    // 2^13 u32 keys: this tile takes 11 % less time than 1024x8. Log: tuning-16.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 832, .keysPerThread = 10},
    // Keys-only, since RADV's compiler for vega10 spills registers of this tile with values.
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 1024, .keysPerThread = 8},
};

// Tiles of one_workgroup that rank by counters, in the same order.
constexpr Row kCounterOneWorkgroupRows[] = {
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 4},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 16},
    // These fit 16 KiB of shared memory with values.
    {.keyWords = 2, .workgroupSize = 64, .keysPerThread = 16},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 12},
    // CPU drivers have 32 KiB of shared memory and more. GPUs spill registers of these tiles, with RADV beyond 885 VGPRs.
    {.vendorId = kAnyCpu, .keyWords = 2, .workgroupSize = 128, .keysPerThread = 16},
    {.vendorId = kAnyCpu, .keyWords = 1, .workgroupSize = 128, .keysPerThread = 32},
};

// Tiles of the partition of msd and size_classes where it need not be stable.
constexpr Row kKeyPartitionRows[] = {
    // Three workgroups share a multiprocessor at 54 registers. Larger tiles are as fast until a change of the kernel costs
    // them more registers: 512x20/2 then took 40 % longer. Log: tuning-17.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 384, .keysPerThread = 16, .stageRounds = 4},
    // The size of the first experiments; other sizes are not measured.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 12, .stageRounds = 3},
    // Any device. These rows are not measured.
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 16},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 8},
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 16},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 8},
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

// Shared memory of the partition where it need not be stable.
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
    const uint32_t chunks = (tuning.workgroupSize + 7) / 8;
    return tuning.tile_size() * 4 + 8 * tuning.workgroupSize * 4 + 2 * radixBytes + (chunks * 8 + chunks + 1) * 4 + misc;
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

RankTuning sweeps_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly,
                         uint64_t count, const PlanOverrides& overrides) {
    const auto shared_bytes = [keyWords](const RankTuning& tuning) {
        return rank_shared_bytes(tuning) + (keyWords * 4 * kRadix + 16) * 4;
    };
    RankTuning tuning =
        choose(kSweepRows, device, keyWords, valueWords, overrides, shared_bytes, (count + kSweepTiles - 1) / kSweepTiles);
    const bool measured = tuning.workgroupSize != 0;
    if (!measured) {
        tuning = choose(kPartitionRows, device, keyWords, valueWords, overrides, shared_bytes);
    }
    const bool byAtomics = overrides.rank == 0 ? measured : overrides.rank == kRankAtomics;
    tuning.atomics = byAtomics && keysOnly && keyWords == 1;
    return tuning;
}

uint32_t scatter_rounds(const VksortDeviceInfo& device, uint32_t keyWords, const RankTuning& tuning) {
    // A staging round has whole keys, where the other passes stage one word of them after another; and this kernel has more
    // counters than theirs.
    RankTuning scattered = tuning;
    scattered.stageRounds = std::min(tuning.stageRounds * keyWords, tuning.keysPerThread);
    while (tuning.keysPerThread % scattered.stageRounds != 0 ||
           (scattered.stageRounds < tuning.keysPerThread &&
            key_partition_shared_bytes(scattered, keyWords) > device.maxSharedMemorySize)) {
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
    return choose_for_bins(kCounterOneWorkgroupRows, device, keyWords, valueWords, forUniformKeys, shared_bytes, wanted,
                           false);
}

RankTuning key_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, const PlanOverrides& overrides) {
    return choose(kKeyPartitionRows, device, keyWords, 0, overrides,
                  [keyWords](const RankTuning& tuning) { return key_partition_shared_bytes(tuning, keyWords); });
}

RankTuning class_scan_tuning(const VksortDeviceInfo& device, const RankTuning& finish, ScannedRanges ranges) {
    RankTuning tuning = finish;
    // Segments make many ranges with few rows of counts each, for which small workgroups are faster: for segments of 1000
    // keys 512 invocations take nearly twice as long as 128. Segments of 1,000,000 keys are scanned fastest with 256.
    // Log: tuning-18.
    const uint32_t wanted = ranges == ScannedRanges::of_segments ? 256 : ranges == ScannedRanges::long_segments ? 1024 : 512;
    tuning.workgroupSize = 128;
    while (tuning.workgroupSize < wanted && 2 * tuning.workgroupSize <= device.maxWorkgroupInvocations) {
        tuning.workgroupSize *= 2;
    }
    // A workgroup has at most maxWorkgroupSubgroups subgroups, which limits it where they are narrow.
    while (tuning.workgroupSize > 32 &&
           tuning.workgroupSize / tuning.subgroupSize > std::max(device.maxWorkgroupSubgroups, 1u)) {
        tuning.workgroupSize /= 2;
    }
    tuning.keysPerThread = 1;
    return tuning;
}

// Between 528 and 2112 workgroups a sort of segments takes the same time within 0.7 %, and longer with 264 and 8448.
// Log: tuning-19.
uint32_t count_groups(bool segmented) { return segmented ? 2112 : 528; }

PlainTuning histogram_tuning(const VksortDeviceInfo& device, uint64_t count) {
    if (is_cpu(device)) {
        return {.workgroupSize = 128, .keysPerThread = 8, .maxGroups = 64};
    }
    // 528 workgroups are slower than 264 for 2^22 keys, and faster for 2^28 equal keys, by 6 %. Log: tuning-20.
    const uint32_t groups = count <= uint64_t{1} << 23 ? 264 : 528;
    return {.workgroupSize = std::min(512u, device.maxWorkgroupInvocations), .keysPerThread = 8, .maxGroups = groups};
}

PlainTuning copy_tuning(const VksortDeviceInfo& device) {
    return {.workgroupSize = std::min(256u, device.maxWorkgroupInvocations), .keysPerThread = 8};
}

uint32_t msd_word_bins(const VksortDeviceInfo& device) {
    constexpr uint32_t kOtherBytes = 12 * 1024; // shared memory beside the bins
    uint32_t bins = 8192;
    while (bins > 1024 && kOtherBytes + bins * 4 > device.maxSharedMemorySize) {
        bins /= 2;
    }
    return bins;
}

uint32_t spine_groups(const VksortDeviceInfo& device) {
    // lavapipe ends every loop of an invocation after 65,535 iterations in all. A tile takes up to 530 of them, and the
    // largest count that lavapipe can bind has 16,384 tiles: 64 tiles to a workgroup are safe.
    return is_cpu(device) ? 256 : 512;
}

uint32_t spine_workgroup_size(const VksortDeviceInfo& device) {
    // A CPU driver chunks the invocations one after another, and most sorts there have few tiles.
    return is_cpu(device) ? 32 : single_workgroup_size(device);
}

uint32_t spin_limit(const VksortDeviceInfo& device) {
    switch (device.vendorId) {
    // The schedulers of these vendors let started workgroups finish. NVIDIA's also start workgroups in order, and tiles take
    // no ticket there. The limit is only a fallback.
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
