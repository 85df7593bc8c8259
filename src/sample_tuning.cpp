// SPDX-License-Identifier: MIT
//
// The sizes of sample_sort's kernels, and which of them find places.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// Sizes by buckets: of both kernels' workgroups, and keys an invocation has of its tile, of the samples, and of a bucket at most.
struct SampleRow {
    uint32_t vendorId; // as in Row
    uint32_t keyWords;
    uint32_t valueWords;
    uint32_t workgroupSize;
    uint32_t tileKeys;
    uint32_t sampleKeys;
    uint32_t bucketKeys;
};

// In the order of the counts that they are for.
constexpr SampleRow kSampleRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of the whole sort of u32, u32+4, u64 and u64+4: 2^16 15.4, 17.0, 16.7, 20.8; 2^17 16.4,
    // 19.6, 20.3, 24.2; 2^18 18.1, 21.9, 20.8, 26.6; 2^19 u32, u32+4 21.6, 29.6. As first measured, with 1.5 to 2 more for all: u32 of 2^16 by 1024 1, 2, 2
    // 19.1, 512 2, 2, 4 17.3, 256 2, 4, 4 18.0; 2^17 256 4, 4, 8 19.7; 2^18 1024 2, 2, 4 21.6, 512 4, 4, 8 20.8; 2^19 1024 4, 4, 6 25.5, 512 8, 8, 10 23.6.
    // NVIDIA H100, without checks of bounds, u32+4, even, AND-ed, Zipf and few: 2^17 19.5, 65.9, 48.5, 40.4 (768 2, 2, 2 19.4, 46.6, 58.0, 50.1), 2^18
    // 768 3, 3, 4 21.7, 61.5, 71.9, 60.1 (512 4, 4, 5 21.8, 70.5, 79.0, 54.4), 300,000 24.2, 62.6, 63.4, 57.5 (512 6, 6, 7 27.0, 61.3, 58.9, 57.5); u32
    // 2^17 16.4, 43.8, 49.1, 42.9 (512 2, 3, 4 16.5, 36.0, 53.1, 46.9).
    {kVendorNvidia, 1, kAnyValues, 512, 1, 2, 2},
    {kVendorNvidia, 2, kAnyValues, 512, 1, 2, 2},
    {kVendorNvidia, 1, 0, 512, 2, 2, 4},
    {kVendorNvidia, 1, kAnyValues, 512, 2, 2, 3},
    {kVendorNvidia, 2, 0, 512, 2, 4, 4},
    {kVendorNvidia, 2, kAnyValues, 512, 2, 4, 3},
    {kVendorNvidia, 1, 0, 512, 4, 4, 6},
    {kVendorNvidia, 1, kAnyValues, 768, 3, 3, 4},
    {kVendorNvidia, 2, 0, 512, 4, 4, 6},
    {kVendorNvidia, 2, kAnyValues, 512, 4, 4, 5},
    {kVendorNvidia, 1, 0, 512, 5, 6, 6},
    {kVendorNvidia, 1, kAnyValues, 512, 6, 6, 7},
    {kVendorNvidia, 2, 0, 512, 6, 6, 8},
    {kVendorNvidia, 2, kAnyValues, 512, 6, 6, 7},
    {kVendorNvidia, 1, 0, 512, 8, 8, 10},
    {kVendorNvidia, 1, kAnyValues, 512, 8, 8, 9},
    {kVendorNvidia, 1, 0, 512, 10, 10, 12},
    {kVendorNvidia, 1, 0, 1024, 8, 8, 10},
    // Any device. Not measured.
    {0, 1, kAnyValues, 256, 2, 4, 4},
    {0, 2, kAnyValues, 256, 2, 4, 4},
    {0, 1, kAnyValues, 256, 4, 6, 6},
    {0, 2, kAnyValues, 256, 4, 6, 6},
    {0, 1, kAnyValues, 512, 4, 6, 6},
    {0, 2, kAnyValues, 512, 4, 6, 6},
    {0, 1, kAnyValues, 512, 8, 8, 10},
    {0, 1, kAnyValues, 128, 8, 8, 16},
    {0, 2, kAnyValues, 128, 4, 4, 8},
    {0, 2, kAnyValues, 128, 8, 8, 16},
    {0, 1, kAnyValues, 128, 2, 2, 4}, // in 16 KiB
    {0, 2, kAnyValues, 128, 2, 2, 4},
};

// Of both kernels so many workgroups run at once on the devices that there are rows for, or more.
constexpr uint64_t kAtOnce = 132;

// The most elements that a bucket of uniformly distributed keys is to have on average: if the ends of their range are not known, it is divided as if it
// were a 16th wider (by workgroup/uniformity.glsl, of 512 samples), and five standard deviations are not met in millions of buckets.
uint32_t most_uniform_mean(uint64_t bucket) {
    constexpr double kDeviations = 5;
    const double root = (std::sqrt(kDeviations * kDeviations + 4.0 * static_cast<double>(bucket)) - kDeviations) / 2;
    return static_cast<uint32_t>(root * root / (1 + 1.0 / 16));
}

// Elements that a bucket between samples is to have. Of `count` elements in any order as many as fill a bucket have as many samples as chance gives
// them, like arrivals in a time; so far below their mean number, in its square roots, is one of many thousand. A bucket that is too long after all
// takes longer to sort.
uint32_t sampled_mean(uint64_t bucket, uint64_t samples, uint64_t count) {
    constexpr double kRootsBelow = 3.5;
    constexpr double kLeastShare = 0.32;
    const double expected = static_cast<double>(samples) * static_cast<double>(bucket) / static_cast<double>(std::max<uint64_t>(count, 1));
    const double share = std::max(1 - kRootsBelow / std::sqrt(expected), kLeastShare);
    return static_cast<uint32_t>(static_cast<double>(bucket) * share);
}

// Shared memory of workgroup/uniformity.glsl and equal_bins.glsl.
constexpr uint32_t kUniformityBytes = (kUniformParts + kUniformCoarseParts + kUniformSums + 1) * 4;

// The tiles and buckets of a row, if the device has room for them.
SampleTuning split_tuning(const VksortDeviceInfo& device, const SampleRow& row, uint32_t valueWords, const PlanOverrides& overrides) {
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
    if (valueWords == 0) { // bins without values halve an invocation's keys, as in choose_for_bins()
        tuning.tile.keysPerThread += tuning.tile.keysPerThread % 2;
        tuning.bucket.keysPerThread += tuning.bucket.keysPerThread % 2;
    }
    tuning.tileSize = tuning.tile.workgroupSize * tileKeys;
    tuning.samples = tuning.tile.workgroupSize * sampleKeys;
    const auto shared_bytes = [&row, valueWords](const RankTuning& kernel) {
        return rank_shared_bytes(kernel) + bin_shared_bytes(kernel, row.keyWords, valueWords) - kernel.tile_size() * 4;
    };
    const uint32_t mostTiles = std::min(tuning.bucket.workgroupSize, kMostParts);
    const uint32_t tileBytes = shared_bytes(tuning.tile) + kUniformityBytes + 64;
    const uint32_t bucketBytes = shared_bytes(tuning.bucket) + 2 * mostTiles * 4 + tuning.bucket.workgroupSize / tuning.bucket.subgroupSize * 8 + 64;
    const bool areWindows = std::max(tuning.tile.keysPerThread, tuning.bucket.keysPerThread) <= kMostWindowKeys;
    if (!areWindows || !fits(device, tuning.tile, tileBytes) || !fits(device, tuning.bucket, bucketBytes)) {
        return {};
    }
    // If keys are in league with the samples' places, all are in one bucket: lavapipe, which ends an invocation's loops after 65,535 iterations in
    // all, sorted 48 times as many as a bucket has room for, and hung with 53 times, before there were two ways by bins.
    constexpr uint64_t kMostCoarseBucketsOnCpu = 32;
    tuning.most = uint64_t{tuning.tileSize} * mostTiles;
    if (is_cpu(device)) {
        tuning.most = std::min(tuning.most, kMostCoarseBucketsOnCpu * tuning.bucket.tile_size());
    }
    // Of short buckets two are sorted on a multiprocessor at once, and lavapipe's loops are not to end early. (NVIDIA H200, as above, u32 of 2^16 even,
    // AND-ed and Zipf keys 17.2, 38.3, 50.0 with kAtOnce and 16.9, 35.2, 44.2 with as many as there are buckets between samples; 2^18 19.5, 50, 76 and
    // 20.5, 46, 69.)
    constexpr uint32_t kShort = 2048;
    tuning.bucketGroups = is_cpu(device) || tuning.bucket.tile_size() <= kShort ? UINT32_MAX : static_cast<uint32_t>(kAtOnce);
    return tuning;
}

// Buckets for so many elements. Where keys are uniform as many as run at once, if they are long enough then. False if they would be more than the
// tiles' kernel marks off, two an invocation.
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

// The first row of whose tiles and buckets all run at once where keys are uniform; or else the one with the most samples for what a bucket has room for.
SampleTuning choose_split(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count, const PlanOverrides& overrides) {
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
        if (count <= tuning.most && divide_up(count, tuning.tileSize) <= kAtOnce && divide_up(count, tuning.bucketMean) <= kAtOnce) {
            return tuning;
        }
        best = is_better(tuning, best) ? tuning : best;
    }
    return best;
}

// Up to so many elements places are found by ranks, whatever the keys are. NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs by ranks, and by
// buckets for even, AND-ed and Zipf keys: u32 20,000 15.3 (13.4, 28.5, 33.5), 2^15 16.9 (13.6, 28.6, 33.3), 40,000 28.6 (13.9, 29.9, 33.8); u32+4 of 2^15
// 18.7 (15.3, 28.8, 34.4); u64 20,000 23.6 (14.3, 32.4, 52.7), u64+4 26.1 (16.4, 29.0, 52.0).
uint64_t most_ranked(uint32_t keyWords) { return keyWords == 1 ? 33'000 : 17'000; }

// Tiles for it: about sixteen, of powers of two, as the network that sorts them asks. NVIDIA H200, as above, by a first form of it, u32 of 2^14 13.2 (256x4
// 13.8), u32+4 15.6 (18.1).
constexpr Row kRankedTileRows[] = {
    {kVendorNvidia, 1, kAnyValues, 512, 2, 1}, {kVendorNvidia, 2, kAnyValues, 512, 2, 1}, {0, 1, kAnyValues, 256, 4, 1},
    {0, 2, kAnyValues, 256, 4, 1},             {0, 1, kAnyValues, 128, 8, 1},            {0, 2, kAnyValues, 128, 8, 1},
    {0, 1, kAnyValues, 128, 4, 1},             {0, 2, kAnyValues, 128, 4, 1},
};

RankTuning ranked_tile_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, const PlanOverrides& overrides) {
    const auto shared_bytes = [keyWords, valueWords](const RankTuning& tile) {
        if (!std::has_single_bit(tile.workgroupSize) || !std::has_single_bit(tile.keysPerThread) || tile.tile_size() % kRankedGap != 0) {
            return UINT32_MAX;
        }
        const uint32_t exchangedWords = keyWords + (valueWords > 0 ? 1 : 0);
        return tile.tile_size() * (2 * exchangedWords + (valueWords == 1 ? 1 : 0)) * 4 + 8;
    };
    return choose(kRankedTileRows, device, keyWords, valueWords, overrides, shared_bytes);
}

// Shared memory of the kernel that finds ranks.
uint32_t ranks_shared_bytes(const SampleTuning& tuning, uint32_t keyWords) {
    const uint32_t workgroupSize = tuning.ranks.workgroupSize;
    const uint32_t leaders = workgroupSize / tuning.ranks.keysPerThread / kRankedGap + 1;
    const uint32_t windows = workgroupSize / kRankedGap * (keyWords == 1 ? tuning.rankSearches : 1);
    return (tuning.rankSamples + leaders + windows * kRankedInterval) * keyWords * 4 + leaders * kMostRankedTiles * 4 + workgroupSize * 4;
}

// The tuning by ranks, if it fits: each sample in shared memory, and as many searchers of an element as leave them about one turn each. NVIDIA H200,
// as above, µs of 2^14 u32 keys, before there were windows, in 16 tiles by 8 searchers with 2 searches at once 13.2 (4 with 4 13.6, 4 with 2 14.1, 2 with 4
// 15.4), in 8 tiles by 4 with 2 13.4 (4 with 4 14.3); u32+4 in 16 tiles by 4 with 2 15.4, 4 with 4 16.7. 512 and 256 invocations alike, 1024 0.9 more.
SampleTuning ranked_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count, const PlanOverrides& overrides) {
    SampleTuning tuning;
    tuning.tile = ranked_tile_tuning(device, keyWords, valueWords, overrides);
    tuning.tileSize = tuning.tile.tile_size();
    const uint64_t tiles = tuning.tileSize == 0 ? UINT64_MAX : (count + tuning.tileSize - 1) / tuning.tileSize;
    if (tiles > kMostRankedTiles) {
        return {};
    }
    tuning.rankSearches = 2;
    const uint32_t searchers = tiles > 8 && device.maxWorkgroupInvocations >= 8 * kRankedGap ? 8 : 4;
    // A workgroup's elements are whole groups, of one tile.
    const uint32_t least = searchers * kRankedGap;
    const uint32_t most = std::min(device.maxWorkgroupInvocations, device.maxWorkgroupSizeX);
    for (uint32_t workgroupSize = 512; workgroupSize >= least; workgroupSize /= 2) {
        tuning.ranks = {workgroupSize, searchers, 0};
        tuning.rankSamples = workgroupSize;
        while (tuning.rankSamples < tiles * (tuning.tileSize / kRankedGap)) { // a power of two times: few kernels for all counts
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
