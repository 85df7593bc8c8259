// SPDX-License-Identifier: MIT
//
// The tiles of the finish of msd and of segmented sorts, and the segment lengths that have other tiles. docs/log/tuning.md
// has the figures behind them.
#include <algorithm>

#include "tuning_rows.h"

namespace vksort {

uint32_t finish_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords) {
    const uint32_t tile = tuning.tile_size();
    const uint32_t finish = bin_shared_bytes(tuning, keyWords, valueWords) + (tile / 32 + 2) * 8 + (tile / 1024 + 1) * 4 +
                            tuning.workgroupSize * 5 + 128;
    const uint32_t merging = keyWords * tile * 4 + 2 * tuning.workgroupSize * 4;
    const uint32_t digits =
        rank_shared_bytes(tuning) + bin_shared_bytes(tuning, keyWords, 0) - tile * 4 + (tile / 32 + 2) * 8;
    return std::max({finish, merging, digits});
}

namespace {

// The finish of msd and size_classes. The first row is taken whose tile is large enough.
constexpr Row kFinishRows[] = {
    // u32 keys: the fastest of six sizes for 2^24 keys, by 7 %. Log: tuning-finish-1.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 10},
    // Pairs: 512x7 takes 9 to 18 % longer. Log: tuning-finish-2.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .keysPerThread = 5},
    // u64 keys: the small tile is faster for 2^24 keys. A larger one takes 25 % less time once two digits of 2^26 keys fill
    // it. Log: tuning-finish-3.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 320, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 384, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 384, .keysPerThread = 5},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 10},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 10},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 768, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 768, .keysPerThread = 6},
    // Any device. These rows are not measured.
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 10},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 6},
    {.keyWords = 1, .workgroupSize = 128, .keysPerThread = 14},
    {.keyWords = 2, .workgroupSize = 128, .keysPerThread = 8},
    // These serve subgroups of two lanes.
    {.keyWords = 1, .workgroupSize = 64, .keysPerThread = 14},
    {.keyWords = 2, .workgroupSize = 64, .keysPerThread = 8},
};

// The finish of segmented sorts, where it has other tiles. The first row is taken whose tile is large enough for segments of
// that length (segment_tile()). The number of registers that the driver's compiler gives a size decides, so that
// neighbouring sizes differ in speed by up to a sixth.
constexpr Row kSegmentFinishRows[] = {
    // u32 keys: 256x6 is the fastest for segments of 10 to 100 keys, 448x6 from 300 on. Log: tuning-finish-4.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 256, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 6},
    // Long segments: the fastest of six sizes for 1,000,000 keys, and within 1 % of it for 100,000. Log: tuning-finish-5.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 12},
    // Pairs: the fastest of the measured sizes grows with the mean length of segments. Log: tuning-finish-6. Wider values
    // are fastest with 384x5 for mean lengths of 10 to 150. Log: tuning-finish-7.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 256, .keysPerThread = 5},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 384, .keysPerThread = 5},
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 512, .keysPerThread = 5},
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 768, .keysPerThread = 5},
    // 8-byte keys: 384x6 is 20 % slower than 320x6 for segments of 10 keys. Log: tuning-finish-8.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 320, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 448, .keysPerThread = 6},
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 448, .keysPerThread = 5},
};

// Mean lengths of segments between which many segments are longer than a small tile and fit one of twice its size, or,
// between the middle two, of four times its size. Beyond kFewTileSegments a second finish saves 1 to 3 %, and nothing where
// values are wider than keys or keys wider than a word. Lengths between 30,000 and 100,000 are not measured.
constexpr uint64_t kMediumSegments = 200;
constexpr uint64_t kTwoTileSegments = 2000;
constexpr uint64_t kFewTileSegments = 6000;
constexpr uint64_t kLongSegments = 50'000;

// The elements that a tile should have for segments of this mean length: more where levels leave digits of segments to it.
uint32_t segment_tile(uint64_t meanLength, uint32_t valueWords) {
    const uint64_t shortSegments = valueWords == 0 ? 125 : 80;
    return meanLength < shortSegments ? 0 : meanLength < kMediumSegments ? 1900 : meanLength < kLongSegments ? 2500 : 4096;
}

// From this mean length on, the large finish sorts digits of long segments, so that fewer of them take another level.
constexpr uint64_t kVeryLongSegments = 200'000;

// The large finish sorts segments that are longer than the tile of the finish. These are its largest tiles, for mean lengths
// from kTwoTileSegments to kFewTileSegments, and for digits of very long segments.
constexpr Row kLargestFinishRows[] = {
    // u32 keys: for segments of 1,000,000 keys this tile is 1 % faster than the next best, and 11 % faster than no large
    // finish. Log: tuning-finish-9, tuning-finish-10.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 1024, .keysPerThread = 10},
    // Pairs: for segments of 1,000,000 pairs this tile is 1 % faster than the next best. Log: tuning-finish-11.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 896, .keysPerThread = 7},
    // Wider values: three sizes are within 1 % of each other; without a large finish, segments of 1,000,000 elements are 9 %
    // slower. Log: tuning-finish-12.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 1024, .keysPerThread = 6},
};

// Tiles of the large finish for segments of other medium lengths, and for 8-byte keys of any of these lengths.
constexpr Row kLargeFinishRows[] = {
    // u32 keys: for segments of 1000 keys this tile takes 20 % less time than no large finish. Log: tuning-finish-13.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 0, .workgroupSize = 512, .keysPerThread = 10},
    // Pairs: this tile is slightly faster than 640x6, and takes 13 % less time than none for segments of 1000.
    // Log: tuning-finish-14.
    {.vendorId = kVendorNvidia, .keyWords = 1, .valueWords = 1, .workgroupSize = 768, .keysPerThread = 5},
    // Wider values: segments of 1000 elements are sorted 11 % faster than without a large finish. Log: tuning-finish-15.
    {.vendorId = kVendorNvidia, .keyWords = 1, .workgroupSize = 768, .keysPerThread = 5},
    // 8-byte keys: 640x6 is 3 % slower for segments of 1000 keys. Log: tuning-finish-16.
    {.vendorId = kVendorNvidia, .keyWords = 2, .valueWords = 0, .workgroupSize = 768, .keysPerThread = 6},
    // 8-byte keys with values: segments of 1000 elements are sorted 7 % faster than without a large finish. Log:
    // tuning-finish-17.
    {.vendorId = kVendorNvidia, .keyWords = 2, .workgroupSize = 768, .keysPerThread = 5},
    // Any device, for overrides. A plan without overrides takes these only where no finish is smaller.
    {.keyWords = 1, .workgroupSize = 256, .keysPerThread = 10},
    {.keyWords = 2, .workgroupSize = 256, .keysPerThread = 6},
};

template <size_t Count>
RankTuning choose_for_finish(const Row (&rows)[Count], const VksortDeviceInfo& device, uint32_t keyWords,
                             uint32_t valueWords, const PlanOverrides& overrides, uint64_t wanted) {
    constexpr uint32_t kMostMerged = 31; // keys of one invocation where jobs that the finish leaves over are merged
    const auto shared_bytes = [keyWords, valueWords](const RankTuning& tuning) {
        return tuning.keysPerThread <= kMostMerged ? finish_shared_bytes(tuning, keyWords, valueWords) : UINT32_MAX;
    };
    // With values, too, an override of one key per invocation is rounded up to two, since half of one key is none.
    const bool isUniform = valueWords == 0 || overrides.keysPerThread == 1;
    return choose_for_bins(rows, device, keyWords, valueWords, isUniform ? with_uniform_keys(overrides) : overrides,
                           shared_bytes, wanted);
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

// For segments of 150 u32 keys and of 60 pairs, kernels that expect few heads of segments are the faster ones. For segments
// of 30 u32 keys they take 10 % longer. Log: tuning-finish-18.
bool has_few_heads(uint64_t meanLength, uint32_t valueWords) { return meanLength >= (valueWords == 0 ? 125 : 50); }

// Jobs that the finish leaves over have no heads if they are digits of a long segment. Passes over their digits then sort
// them faster than merging does: 1,000,000-key segments of Zipf keys take 32 % less time. Where there are heads, segments
// take passes, too, so that merging is faster for segments of 1000 keys. Log: tuning-finish-19.
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
