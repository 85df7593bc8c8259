// SPDX-License-Identifier: MIT
//
// Files that say where the segments of a segmented sort are.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "vksort/vksort.h"

struct SegmentOptions {
    std::string heads;
    std::string flags;
    std::string offsets;
    std::string pairs;

    void add_to(CLI::App& command, const std::string& purpose);
    // The one file that was given; nullptr: none. Fails where there are several.
    const std::string* path() const;
    // Of the file that was given.
    VksortSegments kind() const;
};

struct Segments {
    struct Range {
        uint64_t begin;
        uint64_t end;
    };
    VksortSegments kind = VKSORT_SEGMENTS_HEAD_FLAGS;
    std::vector<uint32_t> words; // as vksort.h says of the kind
    std::vector<Range> ranges;   // the segments in rising order, without what lies between them; none is empty
};

// Fails in words where the file breaks the rules for `count` keys.
Segments read_segments(const SegmentOptions& options, uint64_t count);

// The segments and, as segments of their own, the elements between them.
std::vector<Segments::Range> cover(const Segments& segments, uint64_t count);
