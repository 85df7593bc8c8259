// SPDX-License-Identifier: MIT
//
// The sizes of bucket_sort's kernels, and of its buckets and coarse buckets.
#include <algorithm>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// bucket_sort: what a bucket has room for. The first row of which kMostCoarseBuckets are enough or, with two levels, kMostBuckets.
constexpr uint64_t kMostBuckets = 115'000; // in more the first level's tiles write short runs
constexpr Row kBucketRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, uniform keys, 2026-11, µs of the sort. u32 of 2^20: 36 with any from 256x10 to 512x10;
    // 2^22, which 3840 are too few for: 77 (512x10 76, 448x12 79); 2^24 257 (256x10 258, 512x10 262, 448x10 268, 384x6 287).
    {kVendorNvidia, 1, 0, 384, 10, 1},
    {kVendorNvidia, 1, 0, 512, 10, 1}, // NVIDIA H100, 2^22: 80 (448x10 81)
    // u64: 2^20 48.8 (384x6 48.9, 768x6 50.8), 2^22 with the larger tile 137, 2^24 410 (448x6 415, 256x6 421, 384x6 424), 2^27 2940 (448x6
    // 3000, 768x6 3230).
    {kVendorNvidia, 2, 0, 320, 6, 1},
    {kVendorNvidia, 2, 0, 448, 6, 1},
    {kVendorNvidia, 2, 0, 768, 6, 1},
    // Any device. Not measured.
    {0, 1, 0, 256, 10, 1},
    {0, 2, 0, 256, 6, 1},
    {0, 1, 0, 128, 14, 1},
    {0, 2, 0, 128, 8, 1},
    {0, 1, 0, 64, 14, 1}, // for subgroups of two lanes
    {0, 2, 0, 64, 8, 1},
};

// By distribution: of what a bucket has room for, what it would have if keys of a cell were even.
constexpr double kUniformInCells = 15.0 / 16.0;

// The kernel that scatters keys to buckets at once: the first row of which kBucketTiles are enough.
constexpr uint32_t kBucketTiles = 200;
constexpr Row kBucketPartitionRows[] = {
    // As above. u32: 2^20 36.0 (512x16/2 36.3, 1024x16/2 37.1), 2^22 77 (1024x8/1 83, 512x16/2 89, 512x20/2 92). u64: 2^20 50 (512x12/3 54,
    // 1024x6/2 55), 2^22 133 (1024x6/2 146, 512x12/3 143).
    {kVendorNvidia, 1, 0, 1024, 8, 1},
    {kVendorNvidia, 1, 0, 1024, 16, 2},
    {kVendorNvidia, 2, 0, 1024, 8, 2},
    // Any device. Not measured.
    {0, 1, 0, 256, 16, 2},
    {0, 2, 0, 256, 8, 2},
    {0, 1, 0, 128, 16, 2},
    {0, 2, 0, 128, 8, 2},
};

// The same with two levels, of which kCoarseBucketTiles are to be enough, so that 2^26 u32 keys are left to the second row; what is missing here is as above.
constexpr uint32_t kCoarseBucketTiles = 6600;
constexpr Row kCoarseBucketRows[] = {
    // NVIDIA H100, otherwise as above. u32: 2^23 158 (512x16/2 159, 512x20/2 165), 2^24 252 (384x12/2 253, 384x16/2 256, 512x20/2 261), 2^25 452
    // (384x12/2 449, 512x20/2 462).
    {kVendorNvidia, 1, 0, 512, 12, 2},
    // NVIDIA H200 again. u32: 2^26 823 (512x24/3 833, 512x27/3 842).
    {kVendorNvidia, 1, 0, 512, 20, 2},
    // u32: 2^28 3010 (512x27/3 3030, 512x28/4 3040, 384x28/2 3050, 512x20/2 3060, 384x30/3 3080, 512x24/4 3080, 512x30/3, of 111 registers, 3510).
    {kVendorNvidia, 1, 0, 512, 24, 3},
    // u64: 2^23 221 (512x12/3 223), 2^24 375 (385), 2^26 1395 (1439), 2^27 2700 (512x15/5 2700, 512x12/4 2790, 512x12/3 2800, 512x16/4 2890).
    {kVendorNvidia, 2, 0, 512, 15, 3},
    {kVendorNvidia, 2, 0, 512, 12, 3}, // with places of their own, which take registers
    // Keys above their places, with values: 2^24 500 (1024x4/2 500, 512x8/4 504, 1024x8/2 526, 512x12/2 540, 512x12/3 552). Those of one level are
    // as above: 2^20 47 (1024x8/4 48, 1024x4/4 49, 512x8/2 53), 2^22 152 (1024x12/4 158, 512x12/2 164).
    {kVendorNvidia, 2, 1, 512, 8, 2},
};

} // namespace

BucketTuning bucket_tuning(const VksortDeviceInfo& device, const BucketRecord& record, uint64_t count, const PlanOverrides& overrides) {
    PlanOverrides partitionOverrides = overrides;
    partitionOverrides.workgroupSize = overrides.partitionWorkgroupSize;
    partitionOverrides.keysPerThread = overrides.partitionKeysPerThread;
    PlanOverrides finishOverrides = overrides;
    finishOverrides.stageRounds = 0;
    // Of uniformly distributed keys a bucket is beyond five and a half standard deviations once in tens of millions. Those of a cell may be a little skewed.
    const auto mean_of = [&record](const RankTuning& tile) {
        const double size = record.byDistribution ? tile.tile_size() * kUniformInCells : tile.tile_size();
        const double root = std::sqrt(size + 7.5625) - 2.75;
        return std::max(static_cast<uint32_t>(root * root), 1u);
    };
    const auto shared_bytes = [&record](const RankTuning& tile) {
        const bool slotsFit = record.valueWords == 0 || record.wideIndices || tile.tile_size() <= 1u << kBucketSlotBits;
        return slotsFit ? finish_shared_bytes(tile, record.words, record.wideIndices ? 1 : 0) : UINT32_MAX;
    };
    BucketTuning tuning;
    const uint64_t atOnce = overrides.bucketsAtOnce != 0 ? overrides.bucketsAtOnce : kMostCoarseBuckets;
    // Of tiles of which so many buckets are enough.
    const auto bytes_within = [&](uint64_t most) {
        return [&, most](const RankTuning& tile) { return count <= most * mean_of(tile) ? shared_bytes(tile) : UINT32_MAX; };
    };
    const auto choose_finish = [&](const auto& bytes, uint64_t wanted) {
        return choose_for_bins(kBucketRows, device, record.words, 0, with_uniform_keys(finishOverrides), bytes, wanted);
    };
    tuning.finish = choose_finish(bytes_within(atOnce), 0);
    const bool twoLevels = tuning.finish.workgroupSize == 0;
    if (twoLevels) {
        tuning.finish = choose_finish(bytes_within(kMostBuckets), 0);
        if (tuning.finish.workgroupSize == 0) {
            tuning.finish = choose_finish(shared_bytes, UINT64_MAX); // the largest
        }
    }
    tuning.mean = mean_of(tuning.finish);
    // As bucket_capacity() in shaders/device/buckets.glsl.
    tuning.sparseMean = tuning.mean - tuning.mean / kBucketSlack;
    tuning.buckets = (count + tuning.sparseMean - 1) / tuning.sparseMean + 1;
    if (!twoLevels) {
        tuning.buckets = std::min(tuning.buckets, uint64_t{kMostCoarseBuckets});
    } else {
        // As many of either, but not beyond where scattering gets slower while there are coarse buckets enough: with 512 and 150 instead of 256 and 300 the
        // second level of 2^28 u32 keys took 1310 µs instead of 920.
        constexpr uint32_t kBitsAtBest = 8;
        while (uint64_t{1} << 2 * tuning.coarseBucketBits < tuning.buckets &&
               (tuning.coarseBucketBits < kBitsAtBest || uint64_t{kMostCoarseBuckets} << tuning.coarseBucketBits < tuning.buckets)) {
            ++tuning.coarseBucketBits;
        }
    }
    tuning.coarseBuckets = static_cast<uint32_t>((tuning.buckets + (uint64_t{1} << tuning.coarseBucketBits) - 1) >> tuning.coarseBucketBits);
    // A multiple, so that few pipelines do for all counts. (Where there are two levels, not of more: with 512 instead of 298
    // a kernel of 512x20/2 takes more than 24 KiB, and took 1328 µs instead of 1163 for 2^28 u32 keys on an NVIDIA H100.)
    const uint32_t scatteredAlike = twoLevels ? 64 : 512;
    tuning.scatterCoarseBuckets = (std::max(tuning.coarseBuckets, 1u) + scatteredAlike - 1) / scatteredAlike * scatteredAlike;
    const uint32_t parts = std::max(tuning.scatterCoarseBuckets, 1u << tuning.coarseBucketBits);
    const auto partition_bytes = [&](const RankTuning& partition) {
        const uint64_t staged = partition.tile_size() / partition.stageRounds * record.words * 4;
        return static_cast<uint32_t>(staged + uint64_t{2} * parts * 4 + partition.workgroupSize * 5 + 64);
    };
    if (twoLevels) {
        const uint32_t mostKeys = record.wideIndices ? 12 : UINT32_MAX; // an invocation
        const auto coarse_bucket_bytes = [&](const RankTuning& partition) {
            return partition.keysPerThread <= mostKeys ? partition_bytes(partition) : UINT32_MAX;
        };
        tuning.partition = choose(kCoarseBucketRows, device, record.words, record.valueWords, partitionOverrides, coarse_bucket_bytes, count / kCoarseBucketTiles);
    }
    if (tuning.partition.workgroupSize == 0) {
        tuning.partition = choose(kBucketPartitionRows, device, record.words, 0, partitionOverrides, partition_bytes, count / kBucketTiles);
    }
    return tuning;
}

PlainTuning bucket_sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, bool byDistribution, uint64_t count) {
    // Of many keys more, 10 µs' worth on an H200: it takes 4096 to tell keys that are spread over 15/16 of their range.
    constexpr uint64_t kManyKeys = uint64_t{1} << 26;
    const uint32_t manySamples = 4096;
    const uint32_t beside = (byDistribution ? 18u : 10u) << 10; // in shared memory
    const bool fits = manySamples * keyWords * 4 + beside <= device.maxSharedMemorySize;
    const uint32_t samples = count >= kManyKeys && fits ? manySamples : 1024;
    const uint32_t workgroupSize = std::min(samples / 2, device.maxWorkgroupInvocations);
    return {std::min(workgroupSize, 1024u), samples / std::min(workgroupSize, 1024u), 1};
}

PlainTuning bucket_distribution_tuning(const VksortDeviceInfo& device) {
    // Few workgroups, as each adds its counts to those of all. NVIDIA H100, driver 580.159.04, f32 keys and pairs, 2026-11, µs of the sort: 2^20 50.2 and
    // 68.1 (512x8, of 132 workgroups 50.8 and 68.7, of 264 52.5 and 72.5), 2^22 122 and 211 (121 and 211, 121 and 213).
    return {std::min(1024u, device.maxWorkgroupInvocations), 8, 132};
}

bool can_scatter_by_distribution(const VksortDeviceInfo& device) { return device.maxSharedMemorySize >= 32 << 10; }

uint32_t bucket_cells(const VksortDeviceInfo& device) {
    const uint32_t most = 8192;
    return most * 4 + (10 << 10) <= device.maxSharedMemorySize ? most : most / 2;
}

} // namespace vksort
