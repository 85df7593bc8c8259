// SPDX-License-Identifier: MIT
#include "report_slices.h"

#include <algorithm>

namespace vksort::bench::report {

Contenders::Contenders(const std::vector<Result>& results) {
    std::set<std::string> on_gpu;
    std::set<std::string> by_wall;
    for (const Result& result : results) {
        if (!places_.contains(result.contender)) {
            names_.push_back(result.contender);
            places_[result.contender] = 0; // its own follows from the order below
        }
        if (measured(result) != nullptr) {
            (result.gpu ? on_gpu : by_wall).insert(result.contender);
        }
    }
    const auto rank = [](const std::string& name) {
        return name == "vksort auto" ? 0 : is_vksort(name) ? 1 : is_roofline(name) ? 3 : 2;
    };
    std::stable_sort(names_.begin(), names_.end(),
                     [&](const std::string& a, const std::string& b) { return rank(a) < rank(b); });
    for (size_t i = 0; i < names_.size(); ++i) {
        const std::string& name = names_[i];
        places_[name] = i;
        styles_[name] = is_roofline(name) ? kRooflineStyle : i;
        labels_[name] = name + (by_wall.contains(name) && !on_gpu.contains(name) ? " (wall clock)" : "");
    }
}

Slice all_measured(const Results& results) {
    Slice slice;
    for (const Result& result : results.results) {
        if (measured(result) != nullptr) {
            slice.push_back(&result);
        }
    }
    return slice;
}

std::string subject_of(const Slice& slice) {
    std::map<std::string, size_t> counts;
    for (const Result* result : slice) {
        if (is_vksort(result->contender)) {
            ++counts[result->contender];
        }
    }
    if (counts.contains("vksort auto")) {
        return "vksort auto";
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? "" : most->first;
}

const Result* find(const Slice& slice, const Scenario& scenario, const std::string& contender) {
    const auto found = std::find_if(slice.begin(), slice.end(), [&](const Result* result) {
        return result->scenario == scenario && result->contender == contender;
    });
    return found == slice.end() ? nullptr : *found;
}

Ratio ratio_of(const Result& ours, const Result& theirs) {
    const Times& a = *measured(ours);
    const Times& b = *measured(theirs);
    Ratio ratio;
    ratio.value = b.median / a.median;
    ratio.low = a.p95 > 0 && b.p5 > 0 ? b.p5 / a.p95 : ratio.value;
    ratio.high = a.p5 > 0 ? b.p95 / a.p5 : ratio.value;
    ratio.change = change(ratio.value, std::max(noise(a), noise(b)));
    return ratio;
}

Cell ratio_cell(const Ratio& ratio) {
    switch (ratio.change) {
    case Change::kFaster: return {ratio_text(ratio.value) + " ▲ faster", "win"};
    case Change::kSlower: return {ratio_text(ratio.value) + " ▼ slower", "loss"};
    default: return {ratio_text(ratio.value) + " ≈ same"};
    }
}

} // namespace vksort::bench::report
