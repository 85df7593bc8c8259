// SPDX-License-Identifier: MIT
//
// The sizes of sample_sort's kernels, and which of them find places.
#include <algorithm>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// Sizes by buckets: of both kernels' workgroups, and keys an invocation has of its tile, of the samples, and of a bucket at most.
struct SampleRow {
    uint32_t vendorId; // as in Row
    bool match;
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
    {kVendorNvidia, true, 1, kAnyValues, 512, 1, 2, 2},
    {kVendorNvidia, true, 2, kAnyValues, 512, 1, 2, 2},
    {kVendorNvidia, true, 1, 0, 512, 2, 2, 4},
    {kVendorNvidia, true, 1, kAnyValues, 512, 2, 2, 3},
    {kVendorNvidia, true, 2, 0, 512, 2, 4, 4},
    {kVendorNvidia, true, 2, kAnyValues, 512, 2, 4, 3},
    {kVendorNvidia, true, 1, 0, 512, 4, 4, 6},
    {kVendorNvidia, true, 1, kAnyValues, 768, 3, 3, 4},
    {kVendorNvidia, true, 2, 0, 512, 4, 4, 6},
    {kVendorNvidia, true, 2, kAnyValues, 512, 4, 4, 5},
    {kVendorNvidia, true, 1, 0, 512, 5, 6, 6},
    {kVendorNvidia, true, 1, kAnyValues, 512, 6, 6, 7},
    {kVendorNvidia, true, 2, 0, 512, 6, 6, 8},
    {kVendorNvidia, true, 2, kAnyValues, 512, 6, 6, 7},
    {kVendorNvidia, true, 1, 0, 512, 8, 8, 10},
    {kVendorNvidia, true, 1, kAnyValues, 512, 8, 8, 9},
    {kVendorNvidia, true, 1, 0, 512, 10, 10, 12},
    {kVendorNvidia, true, 1, 0, 1024, 8, 8, 10},
    // Any device. Not measured.
    {0, true, 1, kAnyValues, 256, 2, 4, 4},
    {0, true, 2, kAnyValues, 256, 2, 4, 4},
    {0, true, 1, kAnyValues, 256, 4, 6, 6},
    {0, true, 2, kAnyValues, 256, 4, 6, 6},
    {0, true, 1, kAnyValues, 512, 4, 6, 6},
    {0, true, 2, kAnyValues, 512, 4, 6, 6},
    {0, true, 1, kAnyValues, 512, 8, 8, 10},
    {0, true, 1, kAnyValues, 128, 8, 8, 16},
    {0, true, 2, kAnyValues, 128, 4, 4, 8},
    {0, false, 1, kAnyValues, 128, 4, 4, 8},
    {0, false, 2, kAnyValues, 128, 4, 4, 8},
    {0, false, 1, kAnyValues, 128, 8, 8, 16},
    {0, false, 2, kAnyValues, 128, 8, 8, 16},
    {0, false, 1, kAnyValues, 128, 2, 2, 4}, // in 16 KiB
    {0, false, 2, kAnyValues, 128, 2, 2, 4},
};

// Of both kernels so many workgroups run at once on the devices that there are rows for, or more.
constexpr uint64_t kAtOnce = 132;

uint64_t divide_up(uint64_t count, uint64_t size) { return (count + size - 1) / std::max<uint64_t>(size, 1); }

// The most elements that a bucket of evenly spread keys is to have on average: if the ends of their range are not known, it is divided as if it
// were a 16th wider (by workgroup/evenness.glsl, of 512 samples), and five standard deviations are not met in millions of buckets.
uint32_t most_even_mean(uint64_t bucket) {
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

// Shared memory of workgroup/evenness.glsl and equal_bins.glsl.
constexpr uint32_t kEvennessBytes = (kEvenParts + kEvenCoarseParts + kEvenSums + 1) * 4;

// The tiles and buckets of a row, if the device has room for them.
SampleTuning split_tuning(const VksortDeviceInfo& device, const SampleRow& row, uint32_t valueWords, const PlanOverrides& overrides) {
    const bool sized = overrides.keysPerThread != 0;
    const uint32_t tileKeys = sized ? overrides.keysPerThread : row.tileKeys;
    const uint32_t sampleKeys = overrides.sampleKeysPerThread != 0 ? overrides.sampleKeysPerThread : sized ? tileKeys : row.sampleKeys;
    const uint32_t bucketKeys = overrides.largeKeysPerThread != 0 ? overrides.largeKeysPerThread : sized ? 2 * tileKeys : row.bucketKeys;
    SampleTuning tuning;
    tuning.tile.match = row.match;
    tuning.tile.subgroupSize = row.match ? known_subgroup_size(device) : 1;
    tuning.tile.workgroupSize = overrides.workgroupSize != 0 ? overrides.workgroupSize : row.workgroupSize;
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
    const uint32_t tileBytes = shared_bytes(tuning.tile) + kEvennessBytes + 64;
    const uint32_t bucketBytes = shared_bytes(tuning.bucket) + 2 * mostTiles * 4 + tuning.bucket.workgroupSize / tuning.bucket.subgroupSize * 8 + 64;
    if (!fits(device, tuning.tile, tileBytes) || !fits(device, tuning.bucket, bucketBytes)) {
        return {};
    }
    // If keys are in league with the samples' places, all are in one bucket: lavapipe, which ends an invocation's loops after 65,535 iterations in
    // all, sorted 48 times as many as a bucket has room for, and hung with 53 times, before there were two ways by bins.
    constexpr uint64_t kMostRoomsOnCpu = 32;
    tuning.most = uint64_t{tuning.tileSize} * mostTiles;
    if (is_cpu(device)) {
        tuning.most = std::min(tuning.most, kMostRoomsOnCpu * tuning.bucket.tile_size());
    }
    // Of short buckets two are sorted on a multiprocessor at once, and lavapipe's loops are not to end early. (NVIDIA H200, as above, u32 of 2^16 even,
    // AND-ed and Zipf keys 17.2, 38.3, 50.0 with kAtOnce and 16.9, 35.2, 44.2 with as many as there are buckets between samples; 2^18 19.5, 50, 76 and
    // 20.5, 46, 69.)
    constexpr uint32_t kShort = 2048;
    tuning.bucketGroups = is_cpu(device) || tuning.bucket.tile_size() <= kShort ? UINT32_MAX : static_cast<uint32_t>(kAtOnce);
    return tuning;
}

// Buckets for so many elements. Where keys are even as many as run at once, if they are long enough then. False if they would be more than the
// tiles' kernel marks off, two an invocation.
bool choose_buckets(SampleTuning& tuning, uint64_t count) {
    const uint64_t most = 1 + uint64_t{2} * tuning.tile.workgroupSize;
    const uint32_t bucket = tuning.bucket.tile_size();
    const uint64_t least = std::max<uint64_t>(divide_up(count, most), 1);
    if (least > most_even_mean(bucket)) {
        return false;
    }
    const auto mean = static_cast<uint32_t>(std::max(divide_up(count, kAtOnce), least));
    tuning.bucketMean = std::min(mean, most_even_mean(bucket));
    const uint32_t sampled = std::min(sampled_mean(bucket, tuning.samples, count), tuning.bucketMean);
    tuning.bucketSize = std::max(sampled, static_cast<uint32_t>(least));
    tuning.mostBuckets = static_cast<uint32_t>(std::min(divide_up(count, sampled), most));
    return true;
}

// The first row of whose tiles and buckets all run at once where keys are even; or else the one with the most samples for what a bucket has room for.
SampleTuning choose_split(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count, const PlanOverrides& overrides) {
    const auto is_better = [count](const SampleTuning& one, const SampleTuning& other) {
        if (one.most < count || other.most < count) {
            return one.most > other.most;
        }
        return uint64_t{one.samples} * one.bucket.tile_size() > uint64_t{other.samples} * other.bucket.tile_size();
    };
    SampleTuning best;
    for (const SampleRow& row : kSampleRows) {
        if (!applies(row.vendorId, device) || row.keyWords != keyWords || valueWords > row.valueWords || !may_rank(row.match, device, overrides)) {
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

// Up to so many elements places are found by ranks. NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs by ranks and by buckets: u32 2^13
// 12.1 and 14.1, 2^14 13.3 and 14.4, 18,000 15.5 and 14.6; u32+4 12.5 and 16.0, 14.0 and 16.1, 16.3 and 16.2.
constexpr uint64_t kMostRanked = 17'000;

// Tiles for it: about sixteen. NVIDIA H200, as above, u32 2^14 by ranks 13.2 to 15 with 512x2, 512x4, 256x4.
constexpr Row kRankedTileRows[] = {
    {kVendorNvidia, true, 1, kAnyValues, 512, 2, 1}, {kVendorNvidia, true, 2, kAnyValues, 512, 2, 1}, {0, true, 1, kAnyValues, 256, 4, 1},
    {0, true, 2, kAnyValues, 256, 4, 1},             {0, true, 1, kAnyValues, 128, 8, 1},            {0, true, 2, kAnyValues, 128, 8, 1},
    {0, false, 1, kAnyValues, 128, 8, 1},            {0, false, 2, kAnyValues, 128, 8, 1},           {0, false, 2, kAnyValues, 128, 4, 1},
};

// The tuning by ranks, if it fits: each sample in shared memory, and as many searchers of an element as leave them about one turn each. NVIDIA H200,
// as above, µs of 2^14 u32 keys, in 16 tiles by 8 searchers with 2 searches at once 13.2 (4 with 4 13.6, 4 with 2 14.1, 2 with 4 15.4), in 8 tiles by
// 4 with 2 13.4 (4 with 4 14.3); u32+4 in 16 tiles by 4 with 2 15.4, 4 with 4 16.7. 512 and 256 invocations alike, 1024 0.9 more.
SampleTuning ranked_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count, const PlanOverrides& overrides) {
    const auto tile_shared_bytes = [keyWords, valueWords](const RankTuning& tile) {
        return rank_shared_bytes(tile) + bin_shared_bytes(tile, keyWords, valueWords) - tile.tile_size() * 4 + kEvennessBytes + 64;
    };
    const RankTuning tile = choose_for_bins(kRankedTileRows, device, keyWords, valueWords, with_even_keys(overrides), tile_shared_bytes, 0);
    const uint32_t tileSize = tile.tile_size();
    const uint64_t tiles = tileSize == 0 ? UINT64_MAX : (count + tileSize - 1) / tileSize;
    if (tiles > kMostRankedTiles || tileSize % kRankedGap != 0) {
        return {};
    }
    const uint32_t searchers = tiles > 8 && device.maxWorkgroupInvocations >= 8 * kRankedGap ? 8 : 4;
    // A workgroup's elements are whole groups, of one tile.
    const uint32_t least = searchers * kRankedGap;
    const uint32_t most = std::min(device.maxWorkgroupInvocations, device.maxWorkgroupSizeX);
    uint32_t workgroupSize = 512;
    while (workgroupSize >= least && (workgroupSize > most || tileSize % (workgroupSize / searchers) != 0)) {
        workgroupSize /= 2;
    }
    if (workgroupSize < least) {
        return {};
    }
    const uint32_t elements = workgroupSize / searchers;
    SampleTuning tuning;
    tuning.tile = tile;
    tuning.tileSize = tileSize;
    tuning.ranks = {workgroupSize, searchers, 0};
    tuning.rankSearches = 2;
    tuning.rankSamples = workgroupSize;
    while (tuning.rankSamples < tiles * (tileSize / kRankedGap)) { // a power of two times: few kernels for all counts
        tuning.rankSamples *= 2;
    }
    const uint32_t leaders = elements / kRankedGap + 1;
    const uint32_t sharedBytes =
        (tuning.rankSamples + leaders) * keyWords * 4 + leaders * kMostRankedTiles * 4 + elements * 4;
    return sharedBytes <= device.maxSharedMemorySize ? tuning : SampleTuning{};
}

} // namespace

SampleTuning sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                           const PlanOverrides& overrides) {
    const SampleTuning split = choose_split(device, keyWords, valueWords, count, overrides);
    const bool mayRank = overrides.sampleStep != PlanOverrides::SampleStep::buckets;
    const bool ranksAnyCount = overrides.sampleStep == PlanOverrides::SampleStep::ranks;
    if (mayRank && (ranksAnyCount || count <= kMostRanked)) {
        SampleTuning ranked = ranked_tuning(device, keyWords, valueWords, count, overrides);
        if (ranked.ranks.workgroupSize != 0) {
            ranked.most = split.most;
            return ranked;
        }
    }
    return split;
}

} // namespace vksort
