// SPDX-License-Identifier: MIT
//
// Lengths and places of segments.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common.h"

namespace vksort::test {

inline constexpr VksortSegments kKinds[] = {VKSORT_SEGMENTS_HEAD_FLAGS, VKSORT_SEGMENTS_HEAD_INDICES,
                                            VKSORT_SEGMENTS_OFFSETS, VKSORT_SEGMENTS_OFFSET_COUNTS};

// Of which elements may be in no segment.
inline constexpr VksortSegments kPairKinds[] = {VKSORT_SEGMENTS_OFFSETS, VKSORT_SEGMENTS_OFFSET_COUNTS};

struct Layout {
    std::string name;
    std::vector<Segment> segments;
};

// Segments of these lengths, one behind the other, until `count` elements are covered.
template <typename NextLength> Layout lengths(std::string name, uint64_t count, NextLength next) {
    Layout layout = {std::move(name), {}};
    for (uint64_t at = 0; at < count;) {
        const uint64_t length = std::clamp<uint64_t>(static_cast<uint64_t>(next(layout.segments.size())), 1, count - at);
        layout.segments.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(at + length)});
        at += length;
    }
    return layout;
}

inline std::vector<Layout> layouts(uint64_t count, uint64_t tile) {
    Random random(test_seed());
    std::vector<Layout> all;
    all.push_back({"none", {}});
    all.push_back(lengths("one", count, [&](size_t) { return count; }));
    all.push_back(lengths("all of length 1", count, [](size_t) { return 1; }));
    all.push_back(lengths("all of length 2", count, [](size_t) { return 2; }));
    all.push_back(lengths("0 to 3 tiles", count, [&](size_t) { return random.below(3 * tile); }));
    for (double mean : {3.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 10000.0}) {
        all.push_back(lengths("mean " + std::to_string(static_cast<int>(mean)), count,
                              [&](size_t) { return static_cast<uint64_t>(-std::log(1.0 - random.unit()) * mean) + 1; }));
    }
    all.push_back(
        lengths("one huge among tiny", count, [&](size_t i) { return i == 40 ? count / 2 : 1 + random.below(4); }));
    all.push_back(lengths("whole tiles", count, [&](size_t) { return tile; }));
    all.push_back(lengths("heads just before tile edges", count, [&](size_t i) { return i == 0 ? tile - 1 : tile; }));
    all.push_back(lengths("heads just after tile edges", count, [&](size_t i) { return i == 0 ? tile + 1 : tile; }));
    all.push_back(lengths("two tiles and one", count, [&](size_t) { return 2 * tile + 1; }));
    all.push_back(lengths("a head every word", count, [](size_t) { return 32; }));
    return all;
}

inline SegmentedCase with(SegmentedCase sort, const Layout& layout) {
    sort.segments = layout.segments;
    sort.segments_name = layout.name;
    // No segments at all: by heads everything is one, by pairs everything is outside.
    if (sort.segments.empty() && sort.kind != VKSORT_SEGMENTS_OFFSETS && sort.kind != VKSORT_SEGMENTS_OFFSET_COUNTS) {
        sort.segments = {{0, static_cast<uint32_t>(sort.count)}};
        sort.leave_out_zero = true;
    }
    return sort;
}

inline constexpr uint64_t kTile = 512; // of kSmallTiles

} // namespace vksort::test
