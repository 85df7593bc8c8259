// SPDX-License-Identifier: MIT
//
// The sizes of sample_sort's kernels, and whether they find ranks or buckets. docs/log/tuning.md has the figures behind
// them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// Sizes of the kernels that sort tiles and buckets. A row names its fields, in this order, and leaves out those with the
// value given here.
struct SampleRow {
    uint32_t vendorId = 0;            // as in Row
    uint32_t keyWords = 1;            // as in Row
    uint32_t valueWords = kAnyValues; // as in Row
    uint32_t workgroupSize = 0;       // of both kernels
    uint32_t tileKeys = 0;            // keys of an invocation in its tile
    uint32_t sampleKeys = 0;          // samples of an invocation
    uint32_t bucketKeys = 0;          // the most keys of an invocation in a bucket
};

// Rows by rising count.
// clang-format off
constexpr SampleRow kSampleRows[] = {
    // Each row is the fastest of the measured sizes for uniform keys of its count, or within 1 % of the fastest.
    // Log: tuning-sample-1 and tuning-sample-2.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .tileKeys = 1, .sampleKeys = 2, .bucketKeys = 2},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .tileKeys = 1, .sampleKeys = 2, .bucketKeys = 2},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 2, .sampleKeys = 2, .bucketKeys = 4},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .tileKeys = 2, .sampleKeys = 2, .bucketKeys = 3},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 2, .sampleKeys = 4, .bucketKeys = 4},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .tileKeys = 2, .sampleKeys = 4, .bucketKeys = 3},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 4, .sampleKeys = 4, .bucketKeys = 6},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 768, .tileKeys = 3, .sampleKeys = 3, .bucketKeys = 4},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 4, .sampleKeys = 4, .bucketKeys = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .tileKeys = 4, .sampleKeys = 4, .bucketKeys = 5},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 5, .sampleKeys = 6, .bucketKeys = 6},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .tileKeys = 6, .sampleKeys = 6, .bucketKeys = 7},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 6, .sampleKeys = 6, .bucketKeys = 8},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .tileKeys = 6, .sampleKeys = 6, .bucketKeys = 7},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 10},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 9},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 512, .tileKeys = 10, .sampleKeys = 10, .bucketKeys = 12},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0,
     .workgroupSize = 1024, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 10},
    // Any device. These rows are not measured.
    {.keyWords = 1, .workgroupSize = 256, .tileKeys = 2, .sampleKeys = 4, .bucketKeys = 4},
    {.keyWords = 2, .workgroupSize = 256, .tileKeys = 2, .sampleKeys = 4, .bucketKeys = 4},
    {.keyWords = 1, .workgroupSize = 256, .tileKeys = 4, .sampleKeys = 6, .bucketKeys = 6},
    {.keyWords = 2, .workgroupSize = 256, .tileKeys = 4, .sampleKeys = 6, .bucketKeys = 6},
    {.keyWords = 1, .workgroupSize = 512, .tileKeys = 4, .sampleKeys = 6, .bucketKeys = 6},
    {.keyWords = 2, .workgroupSize = 512, .tileKeys = 4, .sampleKeys = 6, .bucketKeys = 6},
    {.keyWords = 1, .workgroupSize = 512, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 10},
    {.keyWords = 1, .workgroupSize = 128, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 16},
    {.keyWords = 2, .workgroupSize = 128, .tileKeys = 4, .sampleKeys = 4, .bucketKeys = 8},
    {.keyWords = 2, .workgroupSize = 128, .tileKeys = 8, .sampleKeys = 8, .bucketKeys = 16},
    // These fit 16 KiB of shared memory.
    {.keyWords = 1, .workgroupSize = 128, .tileKeys = 2, .sampleKeys = 2, .bucketKeys = 4},
    {.keyWords = 2, .workgroupSize = 128, .tileKeys = 2, .sampleKeys = 2, .bucketKeys = 4},
};
// clang-format on

// At least this number of workgroups of either kernel execute at once on the devices that have rows of their own.
constexpr uint64_t kAtOnce = 132;

// The most elements that a bucket of uniform keys is to have on average. If the ends of the keys' range are not known,
// workgroup/uniformity.glsl divides the range as if it were a 16th wider (from 512 samples). A bucket that overflows is five
// standard deviations from the mean, which does not occur in millions of buckets.
uint32_t most_uniform_mean(uint64_t bucket) {
    constexpr double kDeviations = 5;
    const double root = (std::sqrt(kDeviations * kDeviations + 4.0 * static_cast<double>(bucket)) - kDeviations) / 2;
    return static_cast<uint32_t>(root * root / (1 + 1.0 / 16));
}

// Elements that a bucket between samples is to have. The number of samples among the elements that fill a bucket varies by
// chance, as the number of arrivals in a time does. A number this many of its square roots below the mean is one in many
// thousands. A bucket that is too long after all takes longer to sort.
uint32_t sampled_mean(uint64_t bucket, uint64_t samples, uint64_t count) {
    constexpr double kRootsBelow = 3.5;
    constexpr double kLeastShare = 0.32;
    const double expected =
        static_cast<double>(samples) * static_cast<double>(bucket) / static_cast<double>(std::max<uint64_t>(count, 1));
    const double share = std::max(1 - kRootsBelow / std::sqrt(expected), kLeastShare);
    return static_cast<uint32_t>(static_cast<double>(bucket) * share);
}

// Shared memory of workgroup/uniformity.glsl and equal_bins.glsl, in bytes.
constexpr uint32_t kUniformityBytes = (kUniformBins + kUniformCoarseBins + kUniformSums + 1) * 4;

// The tiles and buckets of a row, or none if the device has not enough shared memory or invocations for them.
SampleTuning split_tuning(const VksortDeviceInfo& device, const SampleRow& row, uint32_t valueWords,
                          const PlanOverrides& overrides) {
    const bool sized = overrides.keysPerThread != 0;
    SampleTuning tuning;
    tuning.tile.ballot = true;
    tuning.tile.subgroupSize = known_subgroup_size(device);
    if (tuning.tile.subgroupSize == 0) {
        return {};
    }
    const uint32_t workgroupSize = overrides.workgroupSize != 0 ? overrides.workgroupSize : row.workgroupSize;
    const uint32_t narrowed = narrowed_by(workgroupSize, tuning.tile.subgroupSize);
    tuning.tile.workgroupSize = workgroupSize / narrowed;
    const uint32_t tileKeys = narrowed * (sized ? overrides.keysPerThread : row.tileKeys);
    const uint32_t sampleKeys = overrides.sampleKeysPerThread != 0 ? narrowed * overrides.sampleKeysPerThread
                                : sized                            ? tileKeys
                                                                   : narrowed * row.sampleKeys;
    const uint32_t bucketKeys = overrides.largeKeysPerThread != 0 ? narrowed * overrides.largeKeysPerThread
                                : sized                           ? 2 * tileKeys
                                                                  : narrowed * row.bucketKeys;
    tuning.tile.keysPerThread = std::max(tileKeys, sampleKeys);
    tuning.tile.stageRounds = 1;
    tuning.bucket = tuning.tile;
    tuning.bucket.keysPerThread = bucketKeys;
    if (valueWords == 0) { // bins without values split an invocation's keys into two halves, as in choose_for_bins()
        tuning.tile.keysPerThread += tuning.tile.keysPerThread % 2;
        tuning.bucket.keysPerThread += tuning.bucket.keysPerThread % 2;
    }
    tuning.tileSize = tuning.tile.workgroupSize * tileKeys;
    tuning.samples = tuning.tile.workgroupSize * sampleKeys;
    const auto shared_bytes = [&row, valueWords](const RankTuning& kernel) {
        return rank_shared_bytes(kernel) + bin_shared_bytes(kernel, row.keyWords, valueWords) - kernel.tile_size() * 4;
    };
    const uint32_t mostTiles = std::min(tuning.bucket.workgroupSize, kMostSpans);
    const uint32_t tileBytes = shared_bytes(tuning.tile) + kUniformityBytes + 64;
    const uint32_t bucketBytes =
        shared_bytes(tuning.bucket) + 2 * mostTiles * 4 + tuning.bucket.workgroupSize / tuning.bucket.subgroupSize * 8 + 64;
    const bool areRegisterRuns = std::max(tuning.tile.keysPerThread, tuning.bucket.keysPerThread) <= kMostRunKeys;
    if (!areRegisterRuns || !fits(device, tuning.tile, tileBytes) || !fits(device, tuning.bucket, bucketBytes)) {
        return {};
    }
    // Adversarial input can put every key into one bucket. lavapipe ends the loops of an invocation after 65,535 iterations
    // in all, and hung when a bucket had 53 times the elements that it has space for. Log: tuning-sample-3.
    constexpr uint64_t kMostCoarseBucketsOnCpu = 32;
    tuning.most = uint64_t{tuning.tileSize} * mostTiles;
    if (is_cpu(device)) {
        tuning.most = std::min(tuning.most, kMostCoarseBucketsOnCpu * tuning.bucket.tile_size());
    }
    // Two short buckets are sorted on a multiprocessor at once, and lavapipe's loops must not end early. For 2^16 Zipf keys,
    // a workgroup for each bucket takes 12 % less time than kAtOnce workgroups. Log: tuning-sample-4.
    constexpr uint32_t kShort = 2048;
    tuning.bucketGroups =
        is_cpu(device) || tuning.bucket.tile_size() <= kShort ? UINT32_MAX : static_cast<uint32_t>(kAtOnce);
    return tuning;
}

// Chooses the buckets for `count` elements: for uniform keys as many as execute at once, if buckets are long enough for
// that. False if that would be more buckets than the kernel of the tiles can mark off, which is two for each invocation.
bool choose_buckets(SampleTuning& tuning, uint64_t count) {
    const uint64_t most = 1 + uint64_t{2} * tuning.tile.workgroupSize;
    const uint32_t bucket = tuning.bucket.tile_size();
    const uint64_t least = std::max<uint64_t>(divide_up(count, most), 1);
    if (least > most_uniform_mean(bucket)) {
        return false;
    }
    const auto mean = static_cast<uint32_t>(std::max(divide_up(count, kAtOnce), least));
    tuning.bucketMean = std::min(mean, most_uniform_mean(bucket));
    const uint32_t sampled = std::min(sampled_mean(bucket, tuning.samples, count), tuning.bucketMean);
    tuning.bucketSize = std::max(sampled, static_cast<uint32_t>(least));
    tuning.mostBuckets = static_cast<uint32_t>(std::min(divide_up(count, sampled), most));
    return true;
}

// The first row whose tiles and buckets all execute at once for uniform keys, or else, of those that take all elements, the
// row with the largest product of samples and bucket size. If none takes all elements, the row that takes the most.
SampleTuning choose_split(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                          const PlanOverrides& overrides) {
    const auto is_better = [count](const SampleTuning& one, const SampleTuning& other) {
        if (one.most < count || other.most < count) {
            return one.most > other.most;
        }
        return uint64_t{one.samples} * one.bucket.tile_size() > uint64_t{other.samples} * other.bucket.tile_size();
    };
    SampleTuning best;
    for (const SampleRow& row : kSampleRows) {
        if (!applies(row.vendorId, device) || row.keyWords != keyWords || valueWords > row.valueWords) {
            continue;
        }
        SampleTuning tuning = split_tuning(device, row, valueWords, overrides);
        if (tuning.tileSize == 0 || !choose_buckets(tuning, std::min(count, tuning.most))) {
            continue;
        }
        if (count <= tuning.most && divide_up(count, tuning.tileSize) <= kAtOnce &&
            divide_up(count, tuning.bucketMean) <= kAtOnce) {
            return tuning;
        }
        best = is_better(tuning, best) ? tuning : best;
    }
    return best;
}

// Up to this number of elements, sample_sort finds the rank of every element, which takes the same time whatever the keys
// are: 16.9 µs for 2^15 u32 keys. Log: tuning-sample-5.
uint64_t most_ranked(uint32_t keyWords) { return keyWords == 1 ? 33'000 : 17'000; }

// Tiles for it, about 16 of them. Sizes are powers of two, as the sorting network of the tiles needs. Pairs take 14 % less
// time than with 256x4. Log: tuning-sample-6.
constexpr Row kRankedTileRows[] = {
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .keysPerThread = 2},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 512, .keysPerThread = 2},
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 4},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 4},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 8},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 4},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 4},
};

RankTuning ranked_tile_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                              const PlanOverrides& overrides) {
    const auto shared_bytes = [keyWords, valueWords](const RankTuning& tile) {
        if (!std::has_single_bit(tile.workgroupSize) || !std::has_single_bit(tile.keysPerThread) ||
            tile.tile_size() % kRankedGap != 0) {
            return UINT32_MAX;
        }
        const uint32_t exchangedWords = keyWords + (valueWords > 0 ? 1 : 0);
        return tile.tile_size() * (2 * exchangedWords + (valueWords == 1 ? 1 : 0)) * 4 + 8;
    };
    return choose(kRankedTileRows, device, keyWords, valueWords, overrides, shared_bytes);
}

// Shared memory of the kernel that finds ranks, in bytes.
uint32_t ranks_shared_bytes(const SampleTuning& tuning, uint32_t keyWords) {
    const uint32_t workgroupSize = tuning.ranks.workgroupSize;
    const uint32_t leaders = workgroupSize / tuning.ranks.keysPerThread / kRankedGap + 1;
    const uint32_t intervals = workgroupSize / kRankedGap * (keyWords == 1 ? tuning.rankSearches : 1);
    return (tuning.rankSamples + leaders + intervals * kRankedInterval) * keyWords * 4 + leaders * kMostRankedTiles * 4 +
           workgroupSize * 4;
}

// The sizes of the kernels that find ranks, or none if they do not fit. Every sample is in shared memory, and enough
// invocations share an element to leave each about one search. Eight of them with two searches at once are the fastest in 16
// tiles, four in 8 tiles. Log: tuning-sample-7.
SampleTuning ranked_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                           const PlanOverrides& overrides) {
    SampleTuning tuning;
    tuning.tile = ranked_tile_tuning(device, keyWords, valueWords, overrides);
    tuning.tileSize = tuning.tile.tile_size();
    const uint64_t tiles = tuning.tileSize == 0 ? UINT64_MAX : (count + tuning.tileSize - 1) / tuning.tileSize;
    if (tiles > kMostRankedTiles) {
        return {};
    }
    tuning.rankSearches = 2;
    const uint32_t searchers = tiles > 8 && device.maxWorkgroupInvocations >= 8 * kRankedGap ? 8 : 4;
    // The elements of a workgroup are whole groups of kRankedGap, all of one tile.
    const uint32_t least = searchers * kRankedGap;
    const uint32_t most = std::min(device.maxWorkgroupInvocations, device.maxWorkgroupSizeX);
    for (uint32_t workgroupSize = 512; workgroupSize >= least; workgroupSize /= 2) {
        tuning.ranks = {.workgroupSize = workgroupSize, .keysPerThread = searchers};
        tuning.rankSamples = workgroupSize;
        while (tuning.rankSamples < tiles * (tuning.tileSize / kRankedGap)) { // powers of two: few kernels serve all counts
            tuning.rankSamples *= 2;
        }
        if (workgroupSize <= most && tuning.tileSize % (workgroupSize / searchers) == 0 &&
            ranks_shared_bytes(tuning, keyWords) <= device.maxSharedMemorySize) {
            return tuning;
        }
    }
    return {};
}

} // namespace

SampleTuning sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                           const PlanOverrides& overrides) {
    const SampleTuning split = choose_split(device, keyWords, valueWords, count, overrides);
    const bool mayRank = overrides.sampleStep != PlanOverrides::SampleStep::buckets;
    const bool ranksAnyCount = overrides.sampleStep == PlanOverrides::SampleStep::ranks;
    if (mayRank && (ranksAnyCount || count <= most_ranked(keyWords))) {
        SampleTuning ranked = ranked_tuning(device, keyWords, valueWords, count, overrides);
        if (ranked.ranks.workgroupSize != 0) {
            ranked.most = split.most;
            return ranked;
        }
    }
    return split;
}

} // namespace vksort
