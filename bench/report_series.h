// SPDX-License-Identifier: MIT
//
// From slices of results to what the charts draw, for the page and for the pictures.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "report_slices.h"

namespace vksort::bench::report {

using ResultText = std::function<std::string(const Result&)>;

inline constexpr uint64_t kSmallCount = 1 << 16; // up to here the time says more than the throughput

// The kinds with their results, in the order of the file.
std::vector<std::pair<std::string, Slice>> by_kind(const Slice& results);

// Of results of one kind, those that differ in their count, keys or segments only.
Slice over_counts(const Slice& results);
Slice over_distributions(const Slice& results);
Slice over_segments(const Slice& results);

double count_of(const Result& result);
double segment_of(const Result& result);

// By what `by` says of a result; at the same place in the order of the contenders.
template <class By> void sort_slice(Slice& slice, const Contenders& contenders, By by) {
    std::stable_sort(slice.begin(), slice.end(), [&](const Result* a, const Result* b) {
        const auto x = by(*a);
        const auto y = by(*b);
        return x != y ? x < y : contenders.place(a->contender) < contenders.place(b->contender);
    });
}
// By distribution, in the order of the file.
void sort_by_distribution(Slice& slice, const Contenders& contenders);

// "n = 2^24, uniform keys, segments of 100 on average"
std::string keys_text(const Scenario& scenario, bool with_count, bool with_distribution, bool with_segments);

// A line for each contender of the sorted slice: its throughput, or its time.
std::vector<Line> lines_of(const Slice& slice, const Contenders& contenders, double (*x)(const Result&), bool as_time);

struct Bars {
    std::vector<BarGroup>
        groups; // by what `place` says, without a copy: it would dwarf them, and has its column in the table
    std::vector<LegendEntry> legend;
};
Bars bars_of(const Slice& slice, const Contenders& contenders, const ResultText& place);

} // namespace vksort::bench::report
