// SPDX-License-Identifier: MIT
//
// Results as the charts and tables of the report take them: by contender, in slices, as ratios.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report_data.h"
#include "report_text.h"
#include "svg_chart.h"

namespace vksort::bench::report {

// Every contender keeps its colour, dashes and marker through the whole page.
class Contenders {
public:
    explicit Contenders(const std::vector<Result>& results);
    const std::vector<std::string>& names() const { return names_; } // vksort's first
    Style style(const std::string& name) const { return styles_.at(name); }
    // With "(wall clock)" where the GPU's clock timed none of its results.
    LegendEntry legend(const std::string& name) const { return {labels_.at(name), styles_.at(name)}; }
    // Another look than the one that follows from its place.
    void restyle(const std::string& name, Style style) { styles_.at(name) = style; }
    size_t place(const std::string& name) const { return places_.at(name); }

private:
    std::vector<std::string> names_;
    std::map<std::string, Style> styles_;
    std::map<std::string, std::string> labels_;
    std::map<std::string, size_t> places_;
};

// Results with times, in the order of the file.
using Slice = std::vector<const Result*>;

Slice all_measured(const Results& results);

// Of the slices of `results` in which `fixed` is the same, the one in which `varying` has the most values, at least two. Of
// several such, that with the smallest `fixed`.
template <class Fixed, class Varying> Slice widest(const Slice& results, Fixed fixed, Varying varying) {
    using Values = std::set<decltype(varying(Scenario()))>;
    std::map<decltype(fixed(Scenario())), std::pair<Slice, Values>> slices;
    for (const Result* result : results) {
        auto& [slice, values] = slices[fixed(result->scenario)];
        slice.push_back(result);
        if (!is_roofline(result->contender)) {
            values.insert(varying(result->scenario));
        }
    }
    size_t most = 1;
    Slice best;
    for (const auto& [key, found] : slices) {
        if (found.second.size() > most) {
            most = found.second.size();
            best = found.first;
        }
    }
    return best;
}

// Whom the others of a slice are compared with: what a caller gets who asks for nothing, or what stands in for it.
std::string subject_of(const Slice& slice);

// Null if there is none.
const Result* find(const Slice& slice, const Scenario& scenario, const std::string& contender);

struct Ratio {
    double value = 0; // of throughputs
    double low = 0;   // at the ends of both distributions of times
    double high = 0;
    Change change = Change::kSame;
};

// Both must be measured.
Ratio ratio_of(const Result& ours, const Result& theirs);
Cell ratio_cell(const Ratio& ratio);

} // namespace vksort::bench::report
