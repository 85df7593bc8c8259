// SPDX-License-Identifier: MIT
#include "segments.hpp"

#include <algorithm>
#include <cstring>

#include "failure.hpp"
#include "file.hpp"
#include "sort_options.hpp"

namespace {

std::vector<uint32_t> read_words(const std::string& path) {
    const std::vector<std::byte> bytes = read_file(path);
    if (bytes.size() % sizeof(uint32_t) != 0) {
        fail(kBadInput, "{} holds {} bytes, not a multiple of the 4 of a u32: segments are raw u32 words", shown_name(path),
             bytes.size());
    }
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    if (!words.empty()) {
        std::memcpy(words.data(), bytes.data(), bytes.size());
    }
    return words;
}

std::vector<Segments::Range> ranges_between(const std::vector<uint64_t>& begins, uint64_t count) {
    std::vector<Segments::Range> ranges;
    for (size_t i = 0; i < begins.size(); ++i) {
        ranges.push_back({begins[i], i + 1 < begins.size() ? begins[i + 1] : count});
    }
    return ranges;
}

std::vector<Segments::Range> ranges_of_heads(const std::vector<uint32_t>& heads, const std::string& name, uint64_t count) {
    std::vector<uint64_t> begins;
    if (count != 0 && (heads.empty() || heads[0] != 0)) {
        begins.push_back(0); // element 0 begins a segment in any case
    }
    for (size_t i = 0; i < heads.size(); ++i) {
        if (i > 0 && heads[i] <= heads[i - 1]) {
            fail(kBadInput, "the heads in {} do not rise strictly: head {} is {}, after {}; sort them and leave out doubles",
                 name, i, heads[i], heads[i - 1]);
        }
        if (heads[i] >= count) {
            fail(kBadInput, "head {} in {} is {}, past the end of {} keys: heads are positions from 0 to the count less 1",
                 i, name, heads[i], count);
        }
        begins.push_back(heads[i]);
    }
    return ranges_between(begins, count);
}

std::vector<Segments::Range> ranges_of_flags(const std::vector<uint32_t>& flags, const std::string& name, uint64_t count) {
    const uint64_t needed = (count + 31) / 32;
    if (flags.size() < needed) {
        fail(kBadInput, "{} holds {} words of flags, but {} keys need {}: one bit a key, 32 bits a word", name, flags.size(),
             count, needed);
    }
    std::vector<uint64_t> begins;
    for (uint64_t i = 0; i < count; ++i) {
        if (i == 0 || (flags[i / 32] >> (i % 32) & 1) != 0) {
            begins.push_back(i);
        }
    }
    return ranges_between(begins, count);
}

std::vector<Segments::Range> ranges_of_offsets(const std::vector<uint32_t>& offsets, const std::string& name,
                                               uint64_t count) {
    if (offsets.size() % 2 != 0) {
        fail(kBadInput, "{} holds {} words, an odd number: offsets are pairs, the begin and the end of each segment", name,
             offsets.size());
    }
    std::vector<Segments::Range> ranges;
    uint32_t last_end = 0;
    for (size_t i = 0; i < offsets.size(); i += 2) {
        const uint32_t begin = offsets[i];
        const uint32_t end = offsets[i + 1];
        if (end < begin) {
            fail(kBadInput, "segment {} in {} ends at {}, before it begins at {}: write begin, then end", i / 2, name, end,
                 begin);
        }
        if (begin < last_end) {
            fail(kBadInput,
                 "segment {} in {} begins at {}, before the end of the one before it at {}: segments rise and do "
                 "not overlap",
                 i / 2, name, begin, last_end);
        }
        if (end > count) {
            fail(kBadInput, "segment {} in {} ends at {}, past the end of {} keys", i / 2, name, end, count);
        }
        last_end = end;
        if (begin != end) {
            ranges.push_back({begin, end});
        }
    }
    return ranges;
}

std::vector<Segments::Range> ranges_of_pairs(const std::vector<uint32_t>& pairs, const std::string& name, uint64_t count) {
    if (pairs.size() % 2 != 0) {
        fail(kBadInput, "{} holds {} words, an odd number: each segment is a pair of words, its offset and its count", name,
             pairs.size());
    }
    std::vector<Segments::Range> ranges;
    for (size_t i = 0; i < pairs.size(); i += 2) {
        const uint64_t begin = pairs[i];
        const uint64_t end = begin + pairs[i + 1];
        if (end > count) {
            fail(kBadInput, "segment {} in {} ends at {}, past the end of {} keys", i / 2, name, end, count);
        }
        if (begin != end) {
            ranges.push_back({begin, end});
        }
    }
    std::sort(ranges.begin(), ranges.end(),
              [](const Segments::Range& a, const Segments::Range& b) { return a.begin < b.begin; });
    for (size_t i = 1; i < ranges.size(); ++i) {
        if (ranges[i].begin < ranges[i - 1].end) {
            fail(kBadInput, "the segments at {} and {} in {} overlap: each key belongs to one segment at most",
                 ranges[i - 1].begin, ranges[i].begin, name);
        }
    }
    return ranges;
}

} // namespace

void SegmentOptions::add_to(CLI::App& command, const std::string& purpose) {
    command.add_option("--heads", heads, purpose + ": raw u32 positions where segments begin, rising")->type_name("FILE");
    command.add_option("--flags", flags, purpose + ": bit i of raw u32 words is set where key i begins a segment")
        ->type_name("FILE");
    command
        .add_option("--offsets", offsets,
                    purpose + ": raw u32 pairs, begin and end of each segment; keys between segments stay")
        ->type_name("FILE");
    command
        .add_option("--pairs", pairs,
                    purpose + ": raw u32 pairs in any order, offset and count of each segment; keys in no segment stay")
        ->type_name("FILE");
}

const std::string* SegmentOptions::path() const {
    const std::string* given = nullptr;
    for (const std::string* file : {&heads, &flags, &offsets, &pairs}) {
        if (file->empty()) {
            continue;
        }
        if (given != nullptr) {
            fail(kBadInput, "segments are told in one way: give one of --heads, --flags, --offsets and --pairs");
        }
        given = file;
    }
    return given;
}

VksortSegments SegmentOptions::kind() const {
    return !heads.empty()     ? VKSORT_SEGMENTS_HEAD_INDICES
           : !flags.empty()   ? VKSORT_SEGMENTS_HEAD_FLAGS
           : !offsets.empty() ? VKSORT_SEGMENTS_OFFSETS
                              : VKSORT_SEGMENTS_OFFSET_COUNTS;
}

Segments read_segments(const SegmentOptions& options, uint64_t count) {
    Segments segments;
    segments.kind = options.kind();
    const std::string& path = *options.path();
    segments.words = read_words(path);
    const std::string name = shown_name(path);
    switch (segments.kind) {
    case VKSORT_SEGMENTS_HEAD_INDICES: segments.ranges = ranges_of_heads(segments.words, name, count); break;
    case VKSORT_SEGMENTS_HEAD_FLAGS: segments.ranges = ranges_of_flags(segments.words, name, count); break;
    case VKSORT_SEGMENTS_OFFSETS: segments.ranges = ranges_of_offsets(segments.words, name, count); break;
    default: segments.ranges = ranges_of_pairs(segments.words, name, count);
    }
    return segments;
}

std::vector<Segments::Range> cover(const Segments& segments, uint64_t count) {
    std::vector<Segments::Range> all;
    uint64_t next = 0;
    const auto fill = [&](uint64_t end) {
        for (; next < end; ++next) {
            all.push_back({next, next + 1});
        }
    };
    for (const Segments::Range& range : segments.ranges) {
        fill(range.begin);
        all.push_back(range);
        next = range.end;
    }
    fill(count);
    return all;
}
