// SPDX-License-Identifier: MIT
#include "report_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "path_text.hpp"
#include "report_series.h"
#include "svg_picture.h"

namespace vksort::bench {

using namespace report;

namespace {

constexpr size_t kMostLines = 6;
constexpr double kLineHeight = 360; // there are no ratios beside it to tell close lines apart by
constexpr double kMarkerGap = 14;   // a campaign has hundreds of sizes

enum class Over { kCounts, kDistributions, kSegments };

struct Wanted {
    const char* file;
    const char* title;
    const char* operation;
    const char* key;
    uint64_t value_bytes;
    Over over;
};

constexpr Wanted kWanted[] = {
    {"sort-u32.svg", "Sorting u32 keys", "sort", "u32", 0, Over::kCounts},
    {"sort-u32-4.svg", "Sorting u32 keys with 4-byte values", "sort", "u32", 4, Over::kCounts},
    {"sort-u64.svg", "Sorting u64 keys", "sort", "u64", 0, Over::kCounts},
    {"distributions-u32.svg", "Sorting u32 keys by distribution", "sort", "u32", 0, Over::kDistributions},
    {"segments-u32.svg", "Sorting segments of u32 keys", "segmented_sort", "u32", 0, Over::kSegments},
    {"segments-u32-4.svg", "Sorting segments of u32 keys with 4-byte values", "segmented_sort", "u32", 4, Over::kSegments},
    {"merge-u32.svg", "Merging u32 keys", "merge", "u32", 0, Over::kCounts},
};

bool is_cub(const std::string& contender) { return contender.starts_with("CUB "); }

Slice kind_of(const Slice& results, const Wanted& wanted) {
    Slice slice;
    for (const Result* result : results) {
        const Scenario& s = result->scenario;
        const bool shown = is_vksort(result->contender) || is_cub(result->contender);
        if (shown && s.operation == wanted.operation && s.key == wanted.key && s.value_bytes == wanted.value_bytes &&
            !s.descending && s.end_bit == 0 && s.other.empty()) {
            slice.push_back(result);
        }
    }
    return slice;
}

// By the geometric mean of their shares of the highest throughput. Those that are in few of the scenarios come last: what
// only sorts few keys would else be ahead of what sorts any number.
std::vector<std::string> by_speed(const Slice& slice, const std::function<bool(const std::string&)>& belongs) {
    std::map<Scenario, double> highest;
    for (const Result* result : slice) {
        double& rate_there = highest[result->scenario];
        rate_there = std::max(rate_there, rate(*result));
    }
    std::map<std::string, std::pair<size_t, double>> sums; // results, logarithms
    for (const Result* result : slice) {
        if (belongs(result->contender)) {
            auto& [results, logarithms] = sums[result->contender];
            logarithms += std::log(rate(*result) / highest[result->scenario]);
            ++results;
        }
    }
    std::vector<size_t> counts;
    for (const auto& [name, sum] : sums) {
        counts.push_back(sum.first);
    }
    std::sort(counts.begin(), counts.end());
    std::vector<std::tuple<bool, double, std::string>> order;
    for (const auto& [name, sum] : sums) {
        order.emplace_back(2 * sum.first < counts[counts.size() / 2], -sum.second / static_cast<double>(sum.first), name);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::string> names;
    for (const auto& [few, mean, name] : order) {
        names.push_back(name);
    }
    return names;
}

// Who of CUB is its fastest anywhere: the others hide nothing by their absence.
std::set<std::string> best_of_cub(const Slice& slice) {
    std::map<Scenario, const Result*> best;
    for (const Result* result : slice) {
        const Result*& there = best[result->scenario];
        if (is_cub(result->contender) && (there == nullptr || rate(*result) > rate(*there))) {
            there = result;
        }
    }
    std::set<std::string> names;
    for (const auto& [scenario, result] : best) {
        if (result != nullptr) {
            names.insert(result->contender);
        }
    }
    return names;
}

std::set<std::string> shown_of(const Slice& slice, Over over) {
    const std::string subject = subject_of(slice);
    if (over == Over::kDistributions) {
        std::set<std::string> names = best_of_cub(slice);
        names.insert(subject);
        return names;
    }
    std::set<std::string> names = {subject};
    const auto fill = [&](bool (*belongs)(const std::string&)) {
        const auto other = [&](const std::string& name) { return belongs(name) && name != subject; };
        for (const std::string& name : by_speed(slice, other)) {
            if (names.size() < kMostLines) {
                names.insert(name);
            }
        }
    };
    fill(is_cub);
    if (over == Over::kCounts) {
        fill(is_vksort);
    }
    return names;
}

// `auto` takes msd, and is measured beside it at few lengths only.
Slice without_other_segmented(const Slice& slice) {
    const auto is_it = [](const Result* result) { return result->contender == "vksort size_classes"; };
    Slice kept;
    const bool there = std::any_of(slice.begin(), slice.end(), is_it);
    std::copy_if(slice.begin(), slice.end(), std::back_inserter(kept),
                 [&](const Result* result) { return !there || is_it(result) || is_cub(result->contender); });
    return kept;
}

struct Plan {
    Wanted wanted;
    Slice slice; // of those who are shown
    std::set<std::string> names;
};

Plan plan_of(const Slice& results, const Wanted& wanted) {
    Slice slice = kind_of(results, wanted);
    slice = wanted.over == Over::kCounts          ? over_counts(slice)
            : wanted.over == Over::kDistributions ? over_distributions(slice)
                                                  : over_segments(without_other_segmented(slice));
    Plan plan = {wanted, {}, {}};
    const std::set<std::string> shown = shown_of(slice, wanted.over);
    for (const Result* result : slice) {
        if (shown.contains(result->contender)) {
            plan.slice.push_back(result);
            plan.names.insert(result->contender);
        }
    }
    return plan;
}

// One look for a contender in all pictures, and no colour twice in one of them as long as there are enough. That of
// auto stays its own.
void set_styles(Contenders& contenders, const std::vector<Plan>& plans) {
    std::map<std::string, Style> styles;
    std::set<Style> taken;
    const std::string auto_name = "vksort auto";
    for (const Plan& plan : plans) {
        std::set<Style> colours;
        if (styles.contains(auto_name)) {
            colours.insert(styles[auto_name] % kColours);
        }
        for (const std::string& name : plan.names) {
            if (styles.contains(name)) {
                colours.insert(styles[name] % kColours);
            }
        }
        for (const std::string& name : contenders.names()) {
            if (!plan.names.contains(name) || styles.contains(name)) {
                continue;
            }
            Style style = 0;
            while (taken.contains(style) || (colours.size() < kColours && colours.contains(style % kColours))) {
                ++style;
            }
            styles[name] = style;
            taken.insert(style);
            colours.insert(style % kColours);
            contenders.restyle(name, style);
        }
    }
}

// "2^10 to 2^28 u32 keys with 4-byte values, uniform"
std::string what_text(const Plan& plan) {
    const auto by_count = [](const Result* a, const Result* b) { return a->scenario.count < b->scenario.count; };
    const auto [least, most] = std::minmax_element(plan.slice.begin(), plan.slice.end(), by_count);
    const Scenario& scenario = (*most)->scenario;
    std::string text = raised_count_text(scenario.count);
    if (scenario.count != (*least)->scenario.count) {
        text = raised_count_text((*least)->scenario.count) + " to " + text;
    }
    text += fmt::format(" {} keys", scenario.key);
    if (scenario.value_bytes != 0) {
        text += fmt::format(" with {}-byte values", scenario.value_bytes);
    }
    return text + (plan.wanted.over == Over::kDistributions ? "" : ", " + scenario.distribution);
}

std::string drawn(Plan plan, const Contenders& contenders, const std::string& device) {
    Picture picture = {plan.wanted.title, {device, what_text(plan)}, {}};
    if (plan.wanted.over == Over::kDistributions) {
        picture.notes.push_back("Throughput, from zero; whiskers from the 5th to the 95th percentile");
        sort_by_distribution(plan.slice, contenders);
        const Bars bars = bars_of(plan.slice, contenders, [](const Result& result) { return result.scenario.distribution; });
        picture.legend = bars.legend;
        return bar_picture(picture, bar_drawing(bars.groups));
    }
    picture.notes.push_back("Both axes logarithmic; whiskers from the 5th to the 95th percentile");
    const bool counts = plan.wanted.over == Over::kCounts;
    const auto x = counts ? count_of : segment_of;
    sort_slice(plan.slice, contenders, x);
    LineChart chart;
    chart.x_title = counts ? "n" : "mean length of a segment";
    chart.y_title = counts && plan.wanted.value_bytes != 0 ? "pairs a second" : "items a second";
    chart.y_text = rate_text;
    chart.lines = lines_of(plan.slice, contenders, x, false);
    chart.gap = kMarkerGap;
    chart.height = kLineHeight;
    for (const Line& line : chart.lines) {
        picture.legend.push_back(line.name);
    }
    return line_picture(picture, line_drawing(chart));
}

} // namespace

std::vector<PictureFile> report_pictures(const nlohmann::json& whole) {
    const Results results = read_results(whole);
    const Slice all = all_measured(results);
    std::vector<Plan> plans;
    for (const Wanted& wanted : kWanted) {
        Plan plan = plan_of(all, wanted);
        if (!plan.slice.empty()) {
            plans.push_back(std::move(plan));
        }
    }
    Contenders contenders(results.results);
    set_styles(contenders, plans);
    const std::string device = results.about["device"]["name"].get<std::string>();
    std::vector<PictureFile> pictures;
    for (const Plan& plan : plans) {
        std::string svg = drawn(plan, contenders, device);
        if (!svg.empty()) {
            pictures.push_back({plan.wanted.file, std::move(svg)});
        }
    }
    return pictures;
}

void write_pictures(files::OutputFiles& outputs, const std::string& directory, const std::vector<PictureFile>& pictures) {
    const std::filesystem::path folder = files::path_of(directory);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder, error)) {
        throw std::invalid_argument(
            fmt::format("{} cannot be written: it is no directory, and cannot become one", directory));
    }
    for (const PictureFile& picture : pictures) {
        outputs.add(files::text_of(folder / picture.name)).write(picture.svg);
    }
}

} // namespace vksort::bench
