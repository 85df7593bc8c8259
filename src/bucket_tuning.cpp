// SPDX-License-Identifier: MIT
//
// The sizes of bucket_sort's kernels, and of its buckets and coarse buckets. docs/log/tuning.md has the figures behind them.
#include <algorithm>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// The most elements that a bucket may have: the tile of the kernel that sorts it. The first row is taken for which
// kMostCoarseBuckets buckets are enough or, with two levels, kMostBuckets. With more buckets the tiles of the first level
// would write only a few neighbouring keys to each bucket.
constexpr uint64_t kMostBuckets = 115'000;
constexpr Row kBucketRows[] = {
    // u32 keys: 2^20 take the same time with any tile from 256x10 to 512x10, and 2^24 the least with 384x10. Log:
    // tuning-bucket-1.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 384, .keysPerThread = 10},
    // 2^22 u32 keys, for which buckets of 3840 are too small. Log: tuning-bucket-1.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 10},
    // u64 keys: the smallest tile is the fastest as long as its buckets suffice, by 1 % for 2^24 keys. Log: tuning-bucket-2.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 320, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 768, .keysPerThread = 6},
    // Any device. These rows are not measured.
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 10},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 6},
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 14},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 8},
    // These serve subgroups of two lanes.
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 64, .keysPerThread = 14},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 64, .keysPerThread = 8},
};

// By distribution, keys within a histogram cell need not be quite uniform: a bucket is planned with this share of its size.
constexpr double kUniformInCells = 15.0 / 16.0;

// The kernel that scatters keys to buckets in one level. The first row is taken whose count of tiles is at most
// kBucketTiles.
constexpr uint32_t kBucketTiles = 200;
constexpr Row kBucketPartitionRows[] = {
    // 1024 invocations scatter 2^22 u32 keys in 13 % less time than 512. Log: tuning-bucket-3.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 1024, .keysPerThread = 8},
    // clang-format off
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 1024, .keysPerThread = 16, .stageRounds = 2},
    // clang-format on
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 1024, .keysPerThread = 8, .stageRounds = 2},
    // Any device. These rows are not measured.
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 16, .stageRounds = 2},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 8, .stageRounds = 2},
    {.keyWords = 1, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 16, .stageRounds = 2},
    {.keyWords = 2, .valueWords = 0, .workgroupSize = 128, .keysPerThread = 8, .stageRounds = 2},
};

// The same with two levels. The first row is taken whose count of tiles is at most kCoarseBucketTiles, chosen so that 2^26
// u32 keys take the second row. Records without a row here take kBucketPartitionRows.
constexpr uint32_t kCoarseBucketTiles = 6600;
constexpr Row kCoarseBucketRows[] = {
    // Up to 2^25 u32 keys: 384x12/2 is within 1 % of this tile, and 512x20/2 is 2 to 4 % slower. Log: tuning-bucket-4.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 12, .stageRounds = 2},
    // 2^26 u32 keys: larger tiles are 1 to 2 % slower. Log: tuning-bucket-5.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 20, .stageRounds = 2},
    // More u32 keys: seven other sizes are 1 to 17 % slower for 2^28, and the slowest needs 111 registers. Log:
    // tuning-bucket-5.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 24, .stageRounds = 3},
    // u64 keys: 512x12/3 takes 4 % longer for 2^27 keys. Log: tuning-bucket-6.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 15, .stageRounds = 3},
    // Source indices in words of their own need registers, which leaves fewer for keys.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 12, .stageRounds = 3},
    // Keys packed with their source index, and with values: larger tiles take up to 10 % longer for 2^24. Log:
    // tuning-bucket-7.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 1, .workgroupSize = 512, .keysPerThread = 8, .stageRounds = 2},
};

} // namespace

BucketTuning bucket_tuning(const VksortDeviceInfo& device, const BucketRecord& record, uint64_t count,
                           const PlanOverrides& overrides) {
    PlanOverrides partitionOverrides = overrides;
    partitionOverrides.workgroupSize = overrides.partitionWorkgroupSize;
    partitionOverrides.keysPerThread = overrides.partitionKeysPerThread;
    PlanOverrides finishOverrides = overrides;
    finishOverrides.stageRounds = 0;
    // A bucket of uniform keys exceeds five and a half standard deviations once in tens of millions of buckets. Keys within
    // a histogram cell may be slightly skewed.
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
    // Only tiles for which `most` buckets are enough.
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
        // As many coarse buckets as buckets in each, but not beyond 2^kBitsAtBest buckets in each while there can be more
        // coarse buckets: with 512 instead of 256 buckets in each, the second level took 42 % longer. Log: tuning-bucket-8.
        constexpr uint32_t kBitsAtBest = 8;
        while (uint64_t{1} << 2 * tuning.coarseBucketBits < tuning.buckets &&
               (tuning.coarseBucketBits < kBitsAtBest ||
                uint64_t{kMostCoarseBuckets} << tuning.coarseBucketBits < tuning.buckets)) {
            ++tuning.coarseBucketBits;
        }
    }
    tuning.coarseBuckets =
        static_cast<uint32_t>((tuning.buckets + (uint64_t{1} << tuning.coarseBucketBits) - 1) >> tuning.coarseBucketBits);
    // A multiple, so that few pipelines serve all counts. Two levels have a smaller multiple: with 512 instead of 298 coarse
    // buckets the kernel takes more shared memory, and 14 % longer. Log: tuning-bucket-9.
    const uint32_t scatteredAlike = twoLevels ? 64 : 512;
    tuning.scatterCoarseBuckets =
        (std::max(tuning.coarseBuckets, 1u) + scatteredAlike - 1) / scatteredAlike * scatteredAlike;
    const uint32_t targets = std::max(tuning.scatterCoarseBuckets, 1u << tuning.coarseBucketBits);
    const auto partition_bytes = [&](const RankTuning& partition) {
        const uint64_t staged = partition.tile_size() / partition.stageRounds * record.words * 4;
        return static_cast<uint32_t>(staged + uint64_t{2} * targets * 4 + partition.workgroupSize * 5 + 64);
    };
    if (twoLevels) {
        const uint32_t mostKeys = record.wideIndices ? 12 : UINT32_MAX; // keys of an invocation
        const auto coarse_bucket_bytes = [&](const RankTuning& partition) {
            return partition.keysPerThread <= mostKeys ? partition_bytes(partition) : UINT32_MAX;
        };
        tuning.partition = choose(kCoarseBucketRows, device, record.words, record.valueWords, partitionOverrides,
                                  coarse_bucket_bytes, count / kCoarseBucketTiles);
    }
    if (tuning.partition.workgroupSize == 0) {
        tuning.partition =
            choose(kBucketPartitionRows, device, record.words, 0, partitionOverrides, partition_bytes, count / kBucketTiles);
    }
    return tuning;
}

PlainTuning bucket_sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, bool byDistribution, uint64_t count) {
    // Many keys have more samples, which take 10 µs on an H200. It takes 4096 samples to tell uniform keys from keys that
    // are spread over 15/16 of their range.
    constexpr uint64_t kManyKeys = uint64_t{1} << 26;
    const uint32_t manySamples = 4096;
    const uint32_t beside = (byDistribution ? 18u : 10u) << 10; // shared memory beside the samples, in bytes
    const bool fits = manySamples * keyWords * 4 + beside <= device.maxSharedMemorySize;
    const uint32_t samples = count >= kManyKeys && fits ? manySamples : 1024;
    const uint32_t workgroupSize = std::min(samples / 2, device.maxWorkgroupInvocations);
    return {.workgroupSize = std::min(workgroupSize, 1024u),
            .keysPerThread = samples / std::min(workgroupSize, 1024u),
            .maxGroups = 1};
}

PlainTuning bucket_distribution_tuning(const VksortDeviceInfo& device) {
    // Few workgroups, since each adds its counts to the counts of all: 264 with 512 invocations take 5 % longer for 2^20 f32
    // keys than 132 with 1024. Log: tuning-bucket-10.
    return {.workgroupSize = std::min(1024u, device.maxWorkgroupInvocations), .keysPerThread = 8, .maxGroups = 132};
}

bool can_scatter_by_distribution(const VksortDeviceInfo& device) { return device.maxSharedMemorySize >= 32 << 10; }

uint32_t histogram_cells(const VksortDeviceInfo& device) {
    const uint32_t most = 8192;
    return most * 4 + (10 << 10) <= device.maxSharedMemorySize ? most : most / 2;
}

} // namespace vksort
