// SPDX-License-Identifier: MIT
//
// The finish of msd and of segmented sorts: its tiles, and how long segments are for which it has others.
#include <algorithm>

#include "tuning_rows.h"

namespace vksort {

uint32_t finish_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords) {
    const uint32_t tile = tuning.tile_size();
    const uint32_t finish = bin_shared_bytes(tuning, keyWords, valueWords) + (tile / 32 + 2) * 8 + (tile / 1024 + 1) * 4 +
                            tuning.workgroupSize * 5 + 128;
    const uint32_t merging = keyWords * tile * 4 + 2 * tuning.workgroupSize * 4;
    const uint32_t digits = rank_shared_bytes(tuning) + bin_shared_bytes(tuning, keyWords, 0) - tile * 4 + (tile / 32 + 2) * 8;
    return std::max({finish, merging, digits});
}

namespace {

// The finish of msd and msd: the first row whose tile is large enough.
constexpr Row kFinishRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of the finish. u32 keys without segments, 2^24: 93 (384x6 and 512x10
    // 100, 256x6 102, 448x10 106, 512x6 109); 2^28: 1460 (384x12 1500, 512x10 1520, 768x6 1590). Pairs at mean lengths 10, 1000 and 100,000,
    // 2^24: 259, 325, 248 (384x6 272, 339, 267; 512x7 294, 382, 271).
    {kVendorNvidia, 1, 0, 256, 10, 1},
    {kVendorNvidia, 1, kAnyValues, 512, 5, 1},
    // u64 keys without segments, 2^24 and 2^26: 172, 978, and with the larger tile, which two digits of 2^26 fill, 191, 730 (448x6 182,
    // 256x6 190 at 2^24). 2^27: 1420 with 384x6, 1830 with 768x6 (512x10 1900, 576x8 2320).
    {kVendorNvidia, 2, 0, 320, 6, 1},
    {kVendorNvidia, 2, 0, 384, 6, 1},
    {kVendorNvidia, 2, kAnyValues, 384, 5, 1},
    {kVendorNvidia, 1, 0, 448, 10, 1},
    {kVendorNvidia, 1, 0, 512, 10, 1},
    {kVendorNvidia, 1, kAnyValues, 768, 6, 1},
    {kVendorNvidia, 2, 0, 768, 6, 1},
    // Any device. Not measured.
    {0, 1, kAnyValues, 256, 10, 1},
    {0, 2, kAnyValues, 256, 6, 1},
    {0, 1, kAnyValues, 128, 14, 1},
    {0, 2, kAnyValues, 128, 8, 1},
    {0, 1, kAnyValues, 64, 14, 1}, // for subgroups of two lanes
    {0, 2, kAnyValues, 64, 8, 1},
};

// The finish of segmented sorts, where it is another: the first row whose tile is large enough for segments of that length
// (segment_tile()). How many registers the driver's compiler gives a size decides, so that neighbouring sizes differ by a sixth.
constexpr Row kSegmentFinishRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, G/s of the whole sort. u32 keys, 2^26, of mean length 10, 30, 300, 1000 and
    // 10,000: 97.3, 98.6, 77.2, 58.7, 66.9 (384x6 84.6, 84.1, 75.9, 54.2, 67.0; 320x6 95.6, 97.2, 75.6, 50.3, 66.7). NVIDIA H100, without checks of
    // bounds, of 10, 30, 100 and 150: 256x6 109.6, 110.3, 104.5, 99.6 (320x6 106.6, 103.4, 100.9, 102.0; 448x6 103.3, 103.9, 99.4, 99.8).
    {kVendorNvidia, 1, 0, 256, 6, 1},
    {kVendorNvidia, 1, 0, 448, 6, 1},
    // 2^26, of 100,000 and 1,000,000: 82.5, 59.9 (512x10 83.0, 59.2; 448x10 80.8, 57.8; 384x12 80.3, 57.1; 640x8 77.8, 56.4; 512x12 68.4, 53.9).
    {kVendorNvidia, 1, 0, 448, 12, 1},
    // u32+4, 2^25, of 10, 1000 and 100,000 by 448x5 59.2, 35.0, 40.6, by 512x5 56.2, 38.2, 41.2 (640x4 56.2, 37.9, 41.4). 2^26, of 100,000 and 1,000,000
    // 44.4, 30.1, by 768x5 45.0, 31.2 (640x6 45.0, 31.2). NVIDIA H100, without checks, 2^26, of 10, 30, 70, 100 and 150: 256x5 82.7, 82.9, 79.7, 74.8, 74.1,
    // 384x5 81.3, 79.6, 79.5, 79.0, 77.0 (448x5 77.1, 75.2, 72.9, 73.4, 71.7). u32+8, 2^25, of 10, 50, 100 and 150: 384x5 67.7, 65.3, 63.6, 62.0 (320x6
    // 66.6, –, 62.4, 61.0; 512x5 65.7, 63.4, 60.4, 60.4).
    {kVendorNvidia, 1, 1, 256, 5, 1},
    {kVendorNvidia, 1, kAnyValues, 384, 5, 1},
    {kVendorNvidia, 1, kAnyValues, 512, 5, 1},
    {kVendorNvidia, 1, 1, 768, 5, 1},
    // u64 keys, 2^25, of 10 and 1000: 51.7, 31.1, and with the larger tile 48.3, 31.7 (384x6 41.6, 30.0). u64+8, 2^24: 33.6, 21.0 (384x5
    // 31.5 at 10, 384x6 20.8 at 1000).
    {kVendorNvidia, 2, 0, 320, 6, 1},
    {kVendorNvidia, 2, 0, 448, 6, 1},
    {kVendorNvidia, 2, kAnyValues, 448, 5, 1},
};

// Mean lengths of segments between which many are longer than a small tile and fit one of twice its size, or between the middle two of four times. From 6000 on
// that is worth 1 to 3 %, and nothing where values are wider than keys or keys than a word. Between 30,000 and 100,000 nothing was measured.
constexpr uint64_t kMediumSegments = 200;
constexpr uint64_t kTwoTileSegments = 2000;
constexpr uint64_t kFewTileSegments = 6000;
constexpr uint64_t kLongSegments = 50'000;

// Elements that the tile should have for segments of so many: more where they are left over by levels.
uint32_t segment_tile(uint64_t meanLength, uint32_t valueWords) {
    const uint64_t shortSegments = valueWords == 0 ? 125 : 80;
    return meanLength < shortSegments ? 0 : meanLength < kMediumSegments ? 1900 : meanLength < kLongSegments ? 2500 : 4096;
}

// From here on the large finish is for digits of long segments, of which fewer take another level.
constexpr uint64_t kVeryLongSegments = 200'000;

// The finish of segments that are longer than that one's tile: the largest there are, from kTwoTileSegments to kFewTileSegments, and for digits of very long ones.
constexpr Row kLargestFinishRows[] = {
    // NVIDIA H100, driver 580.159.04, graphics queue, 2026-11, G/s of the sort of 2^26 keys, of mean length 100,000, 300,000 and 1,000,000. Of 3000 u32 78.4 and u32+4 47.1,
    // and by kLargeFinishRows 75.3 and 45.9; 10,000 73.1, 44.9 and 71.6, 45.0, 30,000 74.1, 43.9 and 75.2, 44.4. u32 76.7, 73.4, 63.4
    // (1024x8 76.8, 74.2, 62.3; 768x12 76.6, 73.3, 62.9; 640x12 76.7, 73.7, 61.4; none 78.7, 72.8, 57.0).
    {kVendorNvidia, 1, 0, 1024, 10, 1},
    // u32+4 41.8, 39.9, 33.3 (1024x6 42.0, 39.9, 33.0; 768x9 42.0, 39.8, 33.1; 640x10 41.7, 39.3, 32.8; none 42.5, 36.5, 30.0).
    {kVendorNvidia, 1, 1, 896, 7, 1},
    // Others of 2^25 elements. u32+8 32.6, 29.8, 24.8 (896x7 32.4, 29.8, 24.8; 768x8 32.4, 29.5, 24.6; none –, 27.5, 22.6), u32+16 23.9, 22.1, 18.3 (none –, 20.6, 16.6).
    {kVendorNvidia, 1, kAnyValues, 1024, 6, 1},
};

// The same for segments of other medium lengths, and for keys of two words of any.
constexpr Row kLargeFinishRows[] = {
    // NVIDIA H200, driver 580.159.04, graphics queue, 2^26 keys, 2026-11, µs of the sort, of mean length 1000, 3000 and 10,000: u32 760, 950, 1021
    // (448x10 781, 1003, 1036; 384x12 788, 1004, 1035; 512x12 846, 1035, 1038; none 954, 1192, 1056).
    {kVendorNvidia, 1, 0, 512, 10, 1},
    // u32+4 1250, 1522, 1529 (640x6 1256, 1529, 1532; none 1441, 1682, 1541).
    {kVendorNvidia, 1, 1, 768, 5, 1},
    // NVIDIA H100, otherwise as above, 2^25 elements, G/s of the sort, of 300, 1000 and 3000: u32+8 55.2, 44.2, 35.5 (none 54.5, 40.0, 33.3), u32+16 46.2, 38.5, 28.5 (none
    // 47.2, 34.6, 26.9).
    {kVendorNvidia, 1, kAnyValues, 768, 5, 1},
    // u64 49.0, 45.7, 38.6 (640x6 49.1, 44.3, 38.2); of 100,000, 300,000 and 1,000,000 39.2, 36.6, 30.3 (640x8 39.0, 36.0, 29.5; none 40.4, 33.1, 27.8).
    {kVendorNvidia, 2, 0, 768, 6, 1},
    // u64+4 37.7, 31.0, 26.6 (none 37.3, 28.9, 25.6), of the latter 24.5, 21.4, 18.2 (640x6 24.4, 21.3, 18.1; none –, 20.7, 17.6), u64+8 34.3, 27.8, 23.3 (none 33.9, 25.7, 22.4).
    {kVendorNvidia, 2, kAnyValues, 768, 5, 1},
    // For overrides. Where users' plans take these, no finish is smaller.
    {0, 1, kAnyValues, 256, 10, 1},
    {0, 2, kAnyValues, 256, 6, 1},
};

template <size_t Count>
RankTuning choose_for_finish(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                             const PlanOverrides& overrides, uint64_t wanted) {
    constexpr uint32_t kMostMerged = 31; // by an invocation, of what is left over
    const auto shared_bytes = [keyWords, valueWords](const RankTuning& tuning) {
        return tuning.keysPerThread <= kMostMerged ? finish_shared_bytes(tuning, keyWords, valueWords) : UINT32_MAX;
    };
    // With values one key would make nothing of half of them.
    const bool isUniform = valueWords == 0 || overrides.keysPerThread == 1;
    return choose_for_bins(rows, device, keyWords, valueWords, isUniform ? with_uniform_keys(overrides) : overrides, shared_bytes, wanted);
}

} // namespace

RankTuning finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                         const PlanOverrides& overrides, uint32_t wanted) {
    return choose_for_finish(kFinishRows, device, keyWords, valueWords, overrides, wanted);
}

RankTuning segment_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                 const PlanOverrides& overrides, uint64_t meanLength) {
    const RankTuning tuning =
        choose_for_finish(kSegmentFinishRows, device, keyWords, valueWords, overrides, segment_tile(meanLength, valueWords));
    return tuning.workgroupSize != 0 ? tuning : finish_tuning(device, keyWords, valueWords, overrides);
}

bool are_very_long(uint64_t meanLength) { return meanLength >= kVeryLongSegments; }

// NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, 2^26 elements, µs of the sort as for few heads and as for many, of mean length 30, 60, 100
// and 150: u32 724 and 660, 720 and 684, 710 and 700, 701 and 714; u32+4 1013 and 1014, 1026 and 1030, 1045 and 1064, 1058 and 1100.
bool has_few_heads(uint64_t meanLength, uint32_t valueWords) { return meanLength >= (valueWords == 0 ? 125 : 50); }

// Jobs that the finish leaves over and that are digits of a long segment have no heads, and are sorted by passes over their digits in less time than
// by merging; where there are heads, segments take passes, too. NVIDIA H200, driver 580.159.04, graphics queue, 2026-11, µs of 2^26 elements by
// digits and by merging, in segments of 1000, 10,000 and 1,000,000: u32 keys, Zipf 2825 and 2161, 2631 and 2571, 1786 and 2618; of five values
// 2798 and 2204, 1292 and 1578, 730 and 731; u32+4, Zipf 3265 and 2929, 3214 and 3345, 2638 and 2966; of five values 3202 and 2931, 1685 and
// 2080, 1109 and 1115.
bool leaves_over_digits(uint64_t meanLength, const RankTuning& finish) {
    return meanLength >= uint64_t{2} * finish.tile_size();
}

RankTuning large_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                               const PlanOverrides& overrides, uint64_t meanLength, const RankTuning& finish) {
    const bool asked = overrides.largeWorkgroupSize != 0;
    const bool wide = keyWords + valueWords > 2;
    const bool medium = meanLength >= kMediumSegments && meanLength < (wide ? kFewTileSegments : kLongSegments);
    const bool isTodays = overrides.workgroupSize == 0 && overrides.keysPerThread == 0;
    const bool veryLong = are_very_long(meanLength);
    if (!asked && !((medium || veryLong) && isTodays)) {
        return {};
    }
    PlanOverrides of_large = overrides;
    of_large.workgroupSize = overrides.largeWorkgroupSize;
    of_large.keysPerThread = overrides.largeKeysPerThread;
    const bool largest = !asked && (veryLong || (meanLength >= kTwoTileSegments && meanLength < kFewTileSegments));
    RankTuning large;
    if (largest) {
        large = choose_for_finish(kLargestFinishRows, device, keyWords, valueWords, of_large, 0);
    }
    if (large.workgroupSize == 0) {
        large = choose_for_finish(kLargeFinishRows, device, keyWords, valueWords, of_large, 0);
    }
    return large.tile_size() > finish.tile_size() ? large : RankTuning{};
}

} // namespace vksort
