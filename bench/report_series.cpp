// SPDX-License-Identifier: MIT
#include "report_series.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

namespace vksort::bench::report {

namespace {

std::string whole_text(const Result& result) {
    const Times& times = *measured(result);
    return fmt::format("{}, {}: {}, {}", result.contender, scenario_text(result.scenario), rate_text(rate(result)),
                       time_text(times.median));
}

} // namespace

std::vector<std::pair<std::string, Slice>> by_kind(const Slice& results) {
    std::vector<std::pair<std::string, Slice>> kinds;
    for (const Result* result : results) {
        const std::string kind = kind_text(result->scenario);
        auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.first == kind; });
        if (found == kinds.end()) {
            found = kinds.insert(kinds.end(), {kind, {}});
        }
        found->second.push_back(result);
    }
    return kinds;
}

Slice over_counts(const Slice& results) {
    return widest(
        results, [](const Scenario& s) { return std::tuple(s.distribution != "uniform", s.distribution, s.mean_segment); },
        [](const Scenario& s) { return s.count; });
}

Slice over_distributions(const Slice& results) {
    return widest(
        results, [](const Scenario& s) { return std::tuple(~s.count, s.mean_segment); },
        [](const Scenario& s) { return s.distribution; });
}

Slice over_segments(const Slice& results) {
    return widest(
        results, [](const Scenario& s) { return std::tuple(~s.count, s.distribution != "uniform", s.distribution); },
        [](const Scenario& s) { return s.mean_segment; });
}

double count_of(const Result& result) { return static_cast<double>(result.scenario.count); }

double segment_of(const Result& result) { return result.scenario.mean_segment; }

void sort_by_distribution(Slice& slice, const Contenders& contenders) {
    std::vector<std::string> order;
    for (const Result* result : slice) {
        if (std::find(order.begin(), order.end(), result->scenario.distribution) == order.end()) {
            order.push_back(result->scenario.distribution);
        }
    }
    sort_slice(slice, contenders,
               [&](const Result& result) { return std::find(order.begin(), order.end(), result.scenario.distribution); });
}

std::string keys_text(const Scenario& scenario, bool with_count, bool with_distribution, bool with_segments) {
    std::string text = with_count ? "n = " + raised_count_text(scenario.count) : "";
    if (with_distribution) {
        text += (text.empty() ? "" : ", ") + scenario.distribution + " keys";
    }
    if (with_segments && scenario.mean_segment > 0) {
        text += fmt::format("{}segments of {} on average", text.empty() ? "" : ", ", segment_text(scenario.mean_segment));
    }
    return text;
}

std::vector<Line> lines_of(const Slice& slice, const Contenders& contenders, double (*x)(const Result&), bool as_time) {
    std::vector<Line> lines;
    for (const std::string& name : contenders.names()) {
        Line line = {contenders.legend(name), {}};
        for (const Result* result : slice) {
            if (result->contender != name || x(*result) <= 0 || rate(*result) <= 0) {
                continue;
            }
            const Times& times = *measured(*result);
            const double y = as_time ? times.median : rate(*result);
            const auto at = [&](double us) { return us <= 0 ? y : as_time ? us : y * times.median / us; };
            line.points.push_back({x(*result), y, std::min(at(times.p5), at(times.p95)),
                                   std::max(at(times.p5), at(times.p95)), whole_text(*result)});
        }
        if (!line.points.empty()) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

Bars bars_of(const Slice& slice, const Contenders& contenders, const ResultText& place) {
    Bars bars;
    std::set<std::string> present;
    for (const Result* result : slice) {
        if (is_roofline(result->contender)) {
            continue;
        }
        present.insert(result->contender);
        const std::string name = place(*result);
        if (bars.groups.empty() || bars.groups.back().name != name) {
            bars.groups.push_back({name, {}});
        }
        const Times& times = *measured(*result);
        const double value = rate(*result);
        const auto at = [&](double us) { return us > 0 ? value * times.median / us : value; };
        bars.groups.back().bars.push_back(
            {contenders.style(result->contender), value, at(times.p95), at(times.p5), rate_text(value)});
    }
    for (const std::string& name : contenders.names()) {
        if (present.contains(name)) {
            bars.legend.push_back(contenders.legend(name));
        }
    }
    return bars;
}

} // namespace vksort::bench::report
