// SPDX-License-Identifier: MIT
//
// The sizes of sample_sort's kernels, and which of them find places.
#include <algorithm>
#include <cmath>

#include "tuning_rows.h"

namespace vksort {

namespace {

// The tiles of sample_sort, and what a bucket may have: the first row whose tile is large enough.
constexpr Row kSampleTileRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of the whole sort, of which the two sorts of tiles are half: u32 keys
    // 2^16 24.4, 2^17 26.1 (512x4 25.7), 2^18 27.8 (256x12 30.8), 2^19 34.6 (1024x6 33.8); pairs 2^16 26.9 (256x4 29.0), 2^18 35.4
    // (256x12 44.4); u64 2^16 26.5 (256x4 27.3), 2^18 33.6 (256x12 40.1).
    {kVendorNvidia, true, 1, kAnyValues, 512, 2, 1},
    {kVendorNvidia, true, 2, kAnyValues, 512, 2, 1},
    {kVendorNvidia, true, 1, kAnyValues, 256, 6, 1},
    {kVendorNvidia, true, 2, kAnyValues, 256, 6, 1},
    {kVendorNvidia, true, 1, kAnyValues, 512, 4, 1},
    {kVendorNvidia, true, 2, kAnyValues, 512, 4, 1},
    {kVendorNvidia, true, 1, kAnyValues, 512, 6, 1},
    {kVendorNvidia, true, 2, kAnyValues, 512, 6, 1},
    {kVendorNvidia, true, 1, kAnyValues, 512, 8, 1},
    {kVendorNvidia, true, 2, kAnyValues, 512, 8, 1},
    {kVendorNvidia, true, 1, kAnyValues, 512, 12, 1},
    {kVendorNvidia, true, 1, kAnyValues, 1024, 8, 1},
    // Any device. Not measured.
    {0, true, 1, kAnyValues, 256, 4, 1},
    {0, true, 2, kAnyValues, 256, 4, 1},
    {0, true, 1, kAnyValues, 128, 12, 1},
    {0, true, 2, kAnyValues, 128, 8, 1},
    {0, true, 1, kAnyValues, 512, 4, 1},
    {0, true, 2, kAnyValues, 512, 4, 1},
    {0, true, 1, kAnyValues, 512, 6, 1},
    {0, true, 2, kAnyValues, 512, 6, 1},
    {0, true, 1, kAnyValues, 512, 8, 1},
    {0, true, 2, kAnyValues, 512, 8, 1},
    {0, true, 1, kAnyValues, 512, 12, 1},
    {0, false, 2, kAnyValues, 128, 4, 1},
    {0, false, 1, kAnyValues, 128, 8, 1},
    {0, false, 2, kAnyValues, 128, 8, 1},
    {0, false, 1, kAnyValues, 128, 12, 1},
    {0, false, 1, kAnyValues, 128, 16, 1},
};

// The cuts of sample_sort: an invocation a tile, and room for all samples. The first row with samples enough; NVIDIA H200, as above: 256x16
// and 1024x4 are as quick as 512x8.
constexpr Row kSampleCutRows[] = {
    {0, true, 1, kAnyValues, 512, 8, 1},
    {0, true, 2, kAnyValues, 512, 8, 1},
    {0, true, 1, kAnyValues, 1024, 8, 1},
    {0, true, 2, kAnyValues, 1024, 8, 1},
    {0, true, 1, kAnyValues, 1024, 16, 1},
    {kVendorNvidia, true, 2, kAnyValues, 1024, 16, 1}, // RADV spills registers with 64 lanes a subgroup
    {0, true, 1, kAnyValues, 128, 16, 1},
    {0, true, 2, kAnyValues, 128, 16, 1},
    {0, false, 1, kAnyValues, 128, 16, 1},
    {0, false, 2, kAnyValues, 128, 16, 1},
};

constexpr uint64_t kFewRanked = 1 << 15;

// Up to so many elements places are found by ranks. NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs by ranks and by cuts: u32 2^13 12.3
// and 22.1, 2^14 13.2 and 22.8, 2^15 16.4 and 23.5, 2^16 21.8 and 23.6; u32+4 2^14 15.0 and 26.2, 2^15 19.3 and 26.7, 2^16 26.1 and 26.7; u64 2^14
// 15.5 and 25.5, 2^15 20.0 and 26.2, 2^16 28.7 and 26.7.
uint64_t most_ranked(uint32_t keyWords, uint32_t valueWords) { return keyWords == 1 && valueWords == 0 ? 1 << 16 : kFewRanked; }

// The tuning by ranks, if it fits: sorted tiles of that size, each sample in shared memory. Few elements have as many searchers as leave them one
// turn each. NVIDIA H200, as above, µs of 2^14 u32 keys, in 16 tiles by 8 searchers with 2 searches at once 13.2 (4 with 4 13.6, 4 with 2 14.1, 2 with
// 4 15.4), in 8 tiles by 4 with 2 13.4 (4 with 4 14.3); u32+4 in 16 tiles by 4 with 2 15.4, 4 with 4 16.7. 512 and 256 invocations alike, 1024 0.9 more.
SampleTuning ranked_tuning(const VksortDeviceInfo& device, const RankTuning& tile, uint32_t keyWords, uint64_t count) {
    const uint32_t tileSize = tile.tile_size();
    const uint64_t tiles = tileSize == 0 ? UINT64_MAX : (count + tileSize - 1) / tileSize;
    if (tiles > kMostRankedTiles || tileSize % kRankedGap != 0) {
        return {};
    }
    const bool few = count <= kFewRanked;
    const uint32_t searchers = few && tiles > 8 && device.maxWorkgroupInvocations >= 8 * kRankedGap ? 8 : 4;
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
    tuning.ranks = {workgroupSize, searchers, 0};
    tuning.rankSearches = few ? 2 : 4;
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
    PlanOverrides cutOverrides;
    cutOverrides.rank = overrides.rank;
    cutOverrides.workgroupSize = overrides.partitionWorkgroupSize;
    cutOverrides.keysPerThread = overrides.partitionKeysPerThread;
    const auto cut_shared_bytes = [keyWords](const RankTuning& cut) {
        const uint32_t fewKeys = 64 * (keyWords + 1) * 4;
        return cut.workgroupSize * (keyWords + 3) * 4 + fewKeys + 64;
    };
    const auto choose_cut = [&](const auto& bytes, uint64_t samples) {
        return choose(kSampleCutRows, device, keyWords, valueWords, cutOverrides, bytes, samples);
    };
    RankTuning cut = choose_cut(cut_shared_bytes, UINT64_MAX);
    // Each tile needs an invocation of both kernels.
    const auto most = [&cut](const RankTuning& tile) {
        return uint64_t{tile.tile_size()} * std::min(tile.workgroupSize, cut.workgroupSize);
    };
    const auto tile_shared_bytes = [keyWords, valueWords](const RankTuning& tile) {
        const uint32_t parts = 2 * tile.workgroupSize * 4;
        return rank_shared_bytes(tile) + bin_shared_bytes(tile, keyWords, valueWords) - tile.tile_size() * 4 + parts;
    };
    const auto choose_tile = [&](const auto& bytes, uint64_t wanted) {
        return choose_for_bins(kSampleTileRows, device, keyWords, valueWords, with_even_keys(overrides), bytes, wanted);
    };
    RankTuning tile = choose_tile(tile_shared_bytes, UINT64_MAX);
    const uint64_t largest = most(tile);
    const bool mayRank = overrides.sampleStep != PlanOverrides::SampleStep::cuts;
    const bool ranksAnyCount = overrides.sampleStep == PlanOverrides::SampleStep::ranks;
    if (mayRank && count <= largest && (ranksAnyCount || count <= most_ranked(keyWords, valueWords))) {
        constexpr uint64_t kRankedTiles = 16;
        SampleTuning ranked = ranked_tuning(device, choose_tile(tile_shared_bytes, count / kRankedTiles), keyWords, count);
        if (ranked.ranks.workgroupSize != 0) {
            ranked.most = largest;
            return ranked;
        }
    }
    if (count <= largest) {
        // Few tiles make for cuts that the first sample finds, many for work on all of the device.
        constexpr uint64_t kTilesWanted = 88;
        tile = choose_tile([&](const RankTuning& t) { return most(t) < count ? UINT32_MAX : tile_shared_bytes(t); },
                           count / kTilesWanted);
        const uint64_t tiles = (count + tile.tile_size() - 1) / std::max(tile.tile_size(), 1u);
        // Samples for which nearly all first cuts are near enough: a sample's rank is off by what sqrt(tiles) parts between two samples
        // of a tile hold, and may be by a sixth of a tile.
        const double samples = 4.3 * std::sqrt(static_cast<double>(tiles)) * static_cast<double>(tiles);
        cut = choose_cut([&](const RankTuning& c) { return c.workgroupSize < tiles ? UINT32_MAX : cut_shared_bytes(c); },
                         static_cast<uint64_t>(samples));
    }
    return {tile, cut, largest, {}, 0, 0};
}

} // namespace vksort
