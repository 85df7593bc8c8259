// SPDX-License-Identifier: MIT
#include "report_standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vksort::bench::report {

namespace {

// By contender.
using ByName = std::map<std::string, const Result*>;
using ByScenario = std::map<Scenario, ByName>;

bool is_other_library(const std::string& contender) { return !is_vksort(contender) && !is_roofline(contender); }

// Without a scenario where the two never met.
Pair pair_of(const std::string& ours, const std::string& theirs, const ByScenario& scenarios) {
    Pair pair;
    pair.ours = ours;
    pair.theirs = theirs;
    double logarithms = 0;
    for (const auto& [scenario, by_name] : scenarios) {
        if (!by_name.contains(ours) || !by_name.contains(theirs)) {
            continue;
        }
        const Result& our_result = *by_name.at(ours);
        const Ratio ratio = ratio_of(our_result, *by_name.at(theirs));
        ++(ratio.change == Change::kFaster ? pair.faster : ratio.change == Change::kSlower ? pair.slower : pair.same);
        logarithms += std::log(ratio.value);
        if (pair.worst.scenario == nullptr || ratio.value < pair.worst.ratio) {
            pair.worst = {ratio.value, &our_result.scenario};
        }
        if (pair.best.scenario == nullptr || ratio.value >= pair.best.ratio) {
            pair.best = {ratio.value, &our_result.scenario};
        }
    }
    pair.mean = std::exp(logarithms / static_cast<double>(pair.faster + pair.slower + pair.same));
    return pair;
}

void add_losses(std::vector<Loss>& losses, const ByName& by_name) {
    Slice slice;
    for (const auto& [name, result] : by_name) {
        slice.push_back(result);
    }
    const std::string subject = subject_of(slice);
    if (subject.empty()) {
        return;
    }
    for (const Result* theirs : slice) {
        const Result* ours = by_name.at(subject);
        if (is_other_library(theirs->contender) && ratio_of(*ours, *theirs).change == Change::kSlower) {
            losses.push_back({ours, theirs, ratio_of(*ours, *theirs)});
        }
    }
}

} // namespace

Standing standing_of(const Results& results, const Contenders& contenders) {
    ByScenario scenarios;
    for (const Result* result : all_measured(results)) {
        scenarios[result->scenario].emplace(result->contender, result);
    }
    Standing standing;
    for (const std::string& ours : contenders.names()) {
        for (const std::string& theirs : contenders.names()) {
            if (is_vksort(ours) && is_other_library(theirs)) {
                standing.pairs.push_back(pair_of(ours, theirs, scenarios));
            }
        }
    }
    std::erase_if(standing.pairs, [](const Pair& pair) { return pair.best.scenario == nullptr; });
    for (const auto& [scenario, by_name] : scenarios) {
        add_losses(standing.losses, by_name);
    }
    std::stable_sort(standing.losses.begin(), standing.losses.end(),
                     [](const Loss& a, const Loss& b) { return a.ratio.value < b.ratio.value; });
    return standing;
}

Table standing_table(const Standing& standing, const Contenders& contenders) {
    Table table = {{"", "faster", "slower", "same", "geometric mean", "worst", "best", "worst at", "best at"}, {}, 1};
    for (const Pair& pair : standing.pairs) {
        table.rows.push_back({{pair.ours + " against " + contenders.legend(pair.theirs).name, "w"},
                              {std::to_string(pair.faster), pair.faster != 0 ? "win" : nullptr},
                              {std::to_string(pair.slower), pair.slower != 0 ? "loss" : nullptr},
                              {std::to_string(pair.same)},
                              {ratio_text(pair.mean)},
                              {ratio_text(pair.worst.ratio)},
                              {ratio_text(pair.best.ratio)},
                              {scenario_text(*pair.worst.scenario), "t"},
                              {scenario_text(*pair.best.scenario), "t"}});
    }
    return table;
}

std::string standing_html(const Results& results, const Contenders& contenders) {
    const Standing standing = standing_of(results, contenders);
    if (standing.pairs.empty()) {
        return "";
    }
    std::string html = "<p class=\"note\">Ratios are of throughputs: above 1, vksort is faster, below, slower. Same: the "
                       "difference is within the noise, (p95 - p5) / median, of either.</p>\n" +
                       table_html(standing_table(standing, contenders));
    const std::string subject = subject_of(all_measured(results));
    Table losses = {{"scenario", "against", subject + " is"}, {}, 2};
    for (const Loss& loss : standing.losses) {
        if (loss.ours->contender == subject) {
            losses.rows.push_back({{scenario_text(loss.ours->scenario)}, {loss.theirs->contender}, ratio_cell(loss.ratio)});
        }
    }
    return losses.rows.empty() ? html : html + folded_table_html(losses, "Where " + subject + " is slower");
}

Table failures_table(const Results& results) {
    Table table = {{"status", "contender", "scenario", "message"}, {}, 4};
    for (const Result& result : results.results) {
        if (result.status != "ok") {
            table.rows.push_back({{result.status, result.status == "wrong" ? "loss" : nullptr},
                                  {result.contender},
                                  {scenario_text(result.scenario)},
                                  {result.message}});
        }
    }
    return table;
}

} // namespace vksort::bench::report
