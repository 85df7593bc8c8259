// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report_charts.h"

namespace vksort::bench::report {

std::string standing_html(const Results& results, const Contenders& contenders) {
    std::map<Scenario, std::map<std::string, const Result*>> scenarios;
    const Slice all = all_measured(results);
    for (const Result* result : all) {
        scenarios[result->scenario].emplace(result->contender, result);
    }
    const std::string subject = subject_of(all);
    Table table = {{"", "faster", "slower", "same", "geometric mean", "worst", "best", "worst at", "best at"}, {}, 1};
    std::vector<std::pair<double, std::vector<Cell>>> lost;
    for (const std::string& ours : contenders.names()) {
        for (const std::string& theirs : contenders.names()) {
            if (!is_vksort(ours) || is_vksort(theirs) || is_roofline(theirs)) {
                continue;
            }
            size_t counts[3] = {};
            double logs = 0;
            std::vector<std::pair<double, std::string>> found;
            for (const auto& [scenario, by_name] : scenarios) {
                if (!by_name.contains(ours) || !by_name.contains(theirs)) {
                    continue;
                }
                const Ratio ratio = ratio_of(*by_name.at(ours), *by_name.at(theirs));
                ++counts[static_cast<size_t>(ratio.change)];
                logs += std::log(ratio.value);
                found.emplace_back(ratio.value, scenario_text(scenario));
                if (ours == subject && ratio.change == Change::kSlower) {
                    lost.push_back({ratio.value, {{scenario_text(scenario)}, {theirs}, ratio_cell(ratio)}});
                }
            }
            if (found.empty()) {
                continue;
            }
            const auto [worst, best] = std::minmax_element(found.begin(), found.end());
            table.rows.push_back({{ours + " against " + contenders.legend(theirs).name, "w"},
                                  {std::to_string(counts[0]), counts[0] != 0 ? "win" : nullptr},
                                  {std::to_string(counts[1]), counts[1] != 0 ? "loss" : nullptr},
                                  {std::to_string(counts[2])},
                                  {ratio_text(std::exp(logs / static_cast<double>(found.size())))},
                                  {ratio_text(worst->first)},
                                  {ratio_text(best->first)},
                                  {worst->second, "t"},
                                  {best->second, "t"}});
        }
    }
    if (table.rows.empty()) {
        return "";
    }
    std::string html = "<p class=\"note\">Ratios are of throughputs: above 1, vksort is faster, below, slower. Same: the "
                       "difference is within the noise, (p95 - p5) / median, of either.</p>\n" +
                       table_html(table);
    if (!lost.empty()) {
        std::sort(lost.begin(), lost.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Table losses = {{"scenario", "against", subject + " is"}, {}, 2};
        for (auto& [ratio, row] : lost) {
            losses.rows.push_back(std::move(row));
        }
        html += folded_table_html(losses, "Where " + subject + " is slower");
    }
    return html;
}

} // namespace vksort::bench::report
