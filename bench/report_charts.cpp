// SPDX-License-Identifier: MIT
#include "report_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "report_series.h"

namespace vksort::bench::report {

namespace {

// A result a line, with its ratio to the subject's at the same place.
std::string figures_table(const Slice& slice, const std::string& head, const ResultText& place) {
    const std::string subject = subject_of(slice);
    Table table = {{head, "contender", "median", "p5", "p95", "items/s", "of roofline", "clock"}, {}, 2};
    if (!subject.empty()) {
        table.heads.push_back(subject + " is");
    }
    for (const Result* result : slice) {
        const Times& times = *measured(*result);
        std::vector<Cell> row = {{place(*result)},
                                 {result->contender},
                                 {time_text(times.median)},
                                 {time_text(times.p5)},
                                 {time_text(times.p95)},
                                 {rate_text(rate(*result))},
                                 {result->roofline_share ? share_text(*result->roofline_share) : "-"},
                                 {result->gpu ? "GPU" : "wall"}};
        const Result* ours = find(slice, result->scenario, subject);
        if (ours != nullptr && ours != result && !is_roofline(result->contender)) {
            row.push_back(ratio_cell(ratio_of(*ours, *result)));
        } else if (!subject.empty()) {
            row.push_back({ours == nullptr || is_roofline(result->contender) ? "-" : ""});
        }
        table.rows.push_back(std::move(row));
    }
    return folded_table_html(table, "Figures");
}

std::string figure(const std::string& title, const std::string& note, const std::string& body) {
    return fmt::format("<figure>\n<h3>{}</h3>\n<p class=\"note\">{}</p>\n{}</figure>\n", escape(title), escape(note), body);
}

// "digit pass" of "digit pass 3": passes that do the same look the same.
std::string stem_of(const std::string& name) {
    const size_t end = name.find_last_not_of("0123456789 ");
    return end == std::string::npos ? name : name.substr(0, end + 1);
}

// What the charts of one kind are made with.
class Charts {
public:
    Charts(std::string kind, const Contenders& contenders) : kind_(std::move(kind)), contenders_(contenders) {}

    std::string over_count(Slice slice) const {
        if (slice.empty()) {
            return "";
        }
        sort_slice(slice, contenders_, count_of);
        const auto place = [](const Result& result) { return raised_count_text(result.scenario.count); };
        const std::string fixed = keys_text(slice.front()->scenario, false, true, true);
        const std::string whiskers = "; both axes logarithmic, whiskers from the 5th to the 95th percentile";
        std::string html =
            figure("Throughput", fixed + whiskers,
                   lines("Throughput", "n", "items a second", slice, count_of, false) + figures_table(slice, "n", place));
        Slice small;
        std::set<uint64_t> counts;
        for (const Result* result : slice) {
            if (result->scenario.count <= kSmallCount && result->scenario.count > 0) {
                small.push_back(result);
                counts.insert(result->scenario.count);
            }
        }
        if (counts.size() > 1) {
            html += figure("Time for small n", fixed + "; lower is better",
                           lines("Time for small n", "n", "time", small, count_of, true) + figures_table(small, "n", place));
        }
        return html + ratios(slice);
    }

    std::string over_segments(Slice slice) const {
        if (slice.empty()) {
            return "";
        }
        sort_slice(slice, contenders_, segment_of);
        const auto place = [](const Result& result) { return segment_text(result.scenario.mean_segment); };
        return figure("Length of segments",
                      keys_text(slice.front()->scenario, true, true, false) + "; both axes logarithmic",
                      lines("Throughput over the length of segments", "mean length of a segment", "items a second", slice,
                            segment_of, false) +
                          figures_table(slice, "length", place));
    }

    std::string over_distributions(Slice slice) const {
        if (slice.empty()) {
            return "";
        }
        sort_by_distribution(slice, contenders_);
        const auto place = [](const Result& result) { return result.scenario.distribution; };
        return figure("Distributions", keys_text(slice.front()->scenario, true, false, true) + "; throughput, from zero",
                      bars("Throughput by distribution", slice, place) + figures_table(slice, "keys", place));
    }

    std::string by_scenario(const Slice& slice) const {
        const auto place = [](const Result& result) { return scenario_text(result.scenario); };
        return figure("Single sizes", "what was measured at one size only; throughput, from zero",
                      bars("Throughput by scenario", slice, place) + figures_table(slice, "scenario", place));
    }

    std::string passes(const Slice& slice) const {
        if (slice.empty()) {
            return "";
        }
        std::vector<LegendEntry> names;
        std::map<std::string, Style> styles;
        std::vector<Stack> stacks;
        Table table = {{"contender", "pass", "time", "share"}, {}, 2};
        for (const Result* result : slice) {
            double whole = 0;
            for (const PassTime& pass : result->passes) {
                whole += pass.us;
            }
            Stack& stack = stacks.emplace_back();
            stack.name = fmt::format("{}: {} in {} passes", result->contender, time_text(whole), result->passes.size());
            for (const PassTime& pass : result->passes) {
                const std::string stem = stem_of(pass.name);
                const auto [style, fresh] = styles.emplace(stem, styles.size());
                if (fresh) {
                    names.push_back({stem, style->second});
                }
                const std::string share = share_text(whole > 0 ? pass.us / whole : 0);
                stack.parts.push_back(
                    {style->second, pass.us, fmt::format("{}: {}, {}", pass.name, time_text(pass.us), share)});
                table.rows.push_back({{result->contender}, {pass.name}, {time_text(pass.us)}, {share}});
            }
        }
        const std::string svg = stack_chart(kind_ + ": time by pass", stacks);
        return figure("Passes", keys_text(slice.front()->scenario, true, true, true) + "; GPU time, in the order they run",
                      svg + (svg.empty() ? "" : area_legend(names)) + folded_table_html(table, "Figures"));
    }

private:
    std::string drawn(const LineChart& chart) const {
        std::vector<LegendEntry> entries;
        for (const Line& line : chart.lines) {
            entries.push_back(line.name);
        }
        const std::string svg = line_chart(chart);
        return svg.empty() ? "" : svg + line_legend(entries);
    }

    std::string lines(const std::string& title, const std::string& x_title, const std::string& y_title, const Slice& slice,
                      double (*x)(const Result&), bool as_time) const {
        LineChart chart = {kind_ + ": " + title, x_title, y_title, as_time ? time_text : rate_text, "", "", {}};
        chart.lines = lines_of(slice, contenders_, x, as_time);
        return drawn(chart);
    }

    std::string ratios(const Slice& slice) const {
        const std::string subject = subject_of(slice);
        std::vector<std::string> names = contenders_.names();
        // The other libraries first: a phone shows the first columns only.
        std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return !is_vksort(name); });
        LineChart chart = {kind_ + ": ratio of throughputs, " + subject + " to each other contender",
                           "n",
                           "throughput of " + subject + " / that of the other",
                           ratio_text,
                           subject + " is faster",
                           subject + " is slower",
                           {}};
        std::map<uint64_t, std::map<std::string, Cell>> cells;
        for (const std::string& name : names) {
            Line line = {contenders_.legend(name), {}};
            for (const Result* theirs : slice) {
                const Result* ours = find(slice, theirs->scenario, subject);
                if (theirs->contender != name || name == subject || is_roofline(name) || ours == nullptr) {
                    continue;
                }
                const Ratio ratio = ratio_of(*ours, *theirs);
                cells[theirs->scenario.count][name] = ratio_cell(ratio);
                if (theirs->scenario.count > 0) {
                    line.points.push_back({count_of(*theirs), ratio.value, ratio.low, ratio.high,
                                           fmt::format("{} to {}, {}: {}", subject, name, scenario_text(theirs->scenario),
                                                       ratio_text(ratio.value))});
                }
            }
            if (!line.points.empty()) {
                chart.lines.push_back(std::move(line));
            }
        }
        if (chart.lines.empty()) {
            return "";
        }
        Table table = {{"n"}, {}, 1};
        for (const Line& line : chart.lines) {
            table.heads.push_back("to " + line.name.name);
        }
        for (auto& [count, by_name] : cells) {
            std::vector<Cell> row = {{raised_count_text(count)}};
            for (const std::string& name : names) {
                const LegendEntry entry = contenders_.legend(name);
                const auto is_this = [&](const Line& line) { return line.name.name == entry.name; };
                if (std::any_of(chart.lines.begin(), chart.lines.end(), is_this)) {
                    row.push_back(by_name.contains(name) ? by_name[name] : Cell{"-"});
                }
            }
            table.rows.push_back(std::move(row));
        }
        return figure(
            "Ratio to each other contender",
            keys_text(slice.front()->scenario, false, true, true) +
                fmt::format("; above 1, {} is faster, below, slower; same: within the noise; beyond {} times at the edge",
                            subject, kFarRatio),
            drawn(chart) + folded_table_html(table, "Figures"));
    }

    std::string bars(const std::string& title, const Slice& slice, const ResultText& place) const {
        const Bars bars = bars_of(slice, contenders_, place);
        const std::string svg = bar_chart(kind_ + ": " + title, bars.groups);
        return svg.empty() ? "" : svg + area_legend(bars.legend);
    }

    std::string kind_;
    const Contenders& contenders_;
};

// The passes of the largest sort that any are known of.
Slice largest_with_passes(const Slice& results) {
    const auto order = [](const Result& result) {
        const Scenario& scenario = result.scenario;
        return std::tuple(~scenario.count, scenario.distribution != "uniform", scenario.distribution, scenario.mean_segment);
    };
    Slice best;
    for (const Result* result : results) {
        if (result->passes.empty()) {
            continue;
        }
        if (!best.empty() && order(*result) < order(*best.front())) {
            best.clear();
        }
        if (best.empty() || order(*result) == order(*best.front())) {
            best.push_back(result);
        }
    }
    return best;
}

} // namespace

std::vector<Section> chart_sections(const Results& results, const Contenders& contenders) {
    std::vector<Section> sections;
    Slice single;
    for (const auto& [kind, slice] : by_kind(all_measured(results))) {
        const Charts charts(kind, contenders);
        const std::string curves = charts.over_count(over_counts(slice)) +
                                   charts.over_distributions(over_distributions(slice)) +
                                   charts.over_segments(over_segments(slice));
        if (curves.empty()) {
            single.insert(single.end(), slice.begin(), slice.end());
        }
        const std::string html = curves + charts.passes(largest_with_passes(slice));
        if (!html.empty()) {
            sections.push_back({kind, "<div class=\"charts\">\n" + html + "</div>\n"});
        }
    }
    if (!single.empty()) {
        sections.push_back({"Single sizes", "<div class=\"charts\">\n" +
                                                Charts("Single sizes", contenders).by_scenario(single) + "</div>\n"});
    }
    return sections;
}

} // namespace vksort::bench::report
