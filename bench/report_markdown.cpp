// SPDX-License-Identifier: MIT
#include "report_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>

#include "report_facts.h"
#include "report_series.h"
#include "report_standing.h"

namespace vksort::bench {

using namespace report;

namespace {

constexpr size_t kMostColumns = 16; // a campaign has hundreds of sizes

enum class Over { kCounts, kDistributions, kSegments };

// Results that differ in their contender, and in the one thing that the columns of their table stand for.
struct Group {
    Over over;
    Slice slice;
};

std::string paragraph(const std::string& text) { return wrapped_markdown(text) + "\n\n"; }

std::string section(const std::string& title, const std::string& text) {
    return fmt::format("## {}\n\n{}", escape_markdown(title), text);
}

std::string head_of(Over over) {
    return over == Over::kCounts ? "n" : over == Over::kDistributions ? "distribution" : "mean segment";
}

std::string column_text(Over over, const Scenario& scenario) {
    return over == Over::kCounts          ? count_text(scenario.count)
           : over == Over::kDistributions ? scenario.distribution
                                          : segment_text(scenario.mean_segment);
}

// What is in none of the groups.
Slice without(const Slice& slice, const std::vector<Group>& groups) {
    std::set<const Result*> grouped;
    for (const Group& group : groups) {
        grouped.insert(group.slice.begin(), group.slice.end());
    }
    Slice rest;
    std::copy_if(slice.begin(), slice.end(), std::back_inserter(rest),
                 [&](const Result* result) { return !grouped.contains(result); });
    return rest;
}

// Every result of the kind is in one of them at least. Where two of them cross, as uniform keys of one size do, a result is
// in both.
std::vector<Group> groups_of(const Slice& kind) {
    std::vector<Group> groups;
    for (Slice rest = kind; !rest.empty(); rest = without(kind, groups)) {
        const size_t before = groups.size();
        for (const Group& group :
             {Group{Over::kCounts, over_counts(rest)}, Group{Over::kDistributions, over_distributions(rest)},
              Group{Over::kSegments, over_segments(rest)}}) {
            if (!group.slice.empty()) {
                groups.push_back(group);
            }
        }
        if (groups.size() == before) { // scenarios that stand alone: a table with one column for each
            const Scenario& first = rest.front()->scenario;
            Group& alone = groups.emplace_back(Group{Over::kCounts, {}});
            std::copy_if(rest.begin(), rest.end(), std::back_inserter(alone.slice),
                         [&](const Result* result) { return result->scenario == first; });
        }
    }
    return groups;
}

struct Unit {
    bool is_time = false;
    double size = 1;
    std::string words;
};

Unit unit_of(const Slice& slice) {
    if (slice.front()->scenario.count <= kSmallCount) {
        return {true, 1, "Time in µs, lower is better"};
    }
    double greatest = 0;
    for (const Result* result : slice) {
        greatest = std::max(greatest, rate(*result));
    }
    return greatest >= 1e9 ? Unit{false, 1e9, "Throughput in G/s (10^9 elements a second), higher is better"}
                           : Unit{false, 1e6, "Throughput in M/s (10^6 elements a second), higher is better"};
}

// What all results of a group share: "n = 2^24, uniform keys".
std::string caption_of(const Group& group, const Unit& unit) {
    const Scenario& scenario = group.slice.front()->scenario;
    std::string text = unit.words;
    if (group.over != Over::kCounts) {
        text += ", n = " + count_text(scenario.count);
    }
    const std::string keys = keys_text(scenario, false, group.over != Over::kDistributions, group.over != Over::kSegments);
    return text + (keys.empty() ? "" : ", " + keys) + ".";
}

// The results of one scenario.
class Column {
public:
    Column(const Slice& slice, const Scenario& scenario, const std::string& subject, const Contenders& contenders)
        : scenario_(scenario) {
        for (const std::string& name : contenders.names()) {
            const Result* result = find(slice, scenario, name);
            if (result == nullptr) {
                continue;
            }
            results_[name] = result;
            if (is_roofline(name)) {
                continue;
            }
            ++competitors_;
            fastest_ = faster_of(fastest_, result);
            if (name == subject) {
                ours_ = result;
            } else if (!is_vksort(name)) {
                fastest_other_ = faster_of(fastest_other_, result);
            }
        }
    }

    const Scenario& scenario() const { return scenario_; }

    Cell value_of(const std::string& contender, const Unit& unit) const {
        const auto found = results_.find(contender);
        if (found == results_.end()) {
            return {"-"};
        }
        const Result& result = *found->second;
        const bool best = competitors_ > 1 && !is_roofline(contender) && median(result) == median(*fastest_);
        return {number_text(unit.is_time ? median(result) : rate(result) / unit.size), best ? kBest : nullptr};
    }

    bool has_ratio() const { return ours_ != nullptr && fastest_other_ != nullptr; }
    Cell ratio() const { return {has_ratio() ? ratio_cell(ratio_of(*ours_, *fastest_other_)).text : "-"}; }

private:
    static double median(const Result& result) { return measured(result)->median; }
    static const Result* faster_of(const Result* a, const Result* b) {
        return a == nullptr || median(*b) < median(*a) ? b : a;
    }

    const Scenario& scenario_;
    std::map<std::string, const Result*> results_; // by contender
    size_t competitors_ = 0;
    const Result* fastest_ = nullptr;
    const Result* ours_ = nullptr;
    const Result* fastest_other_ = nullptr;
};

Table turned(const Table& table) {
    Table result;
    result.heads = {table.heads.front()};
    for (const std::vector<Cell>& row : table.rows) {
        result.heads.push_back(row.front().text);
    }
    for (size_t i = 1; i < table.heads.size(); ++i) {
        std::vector<Cell>& cells = result.rows.emplace_back();
        cells.push_back({table.heads[i]});
        for (const std::vector<Cell>& row : table.rows) {
            cells.push_back(row[i]);
        }
    }
    return result;
}

// A row for each contender, and one for the ratio to the fastest other library. Turned where it would be too wide.
std::string group_text(const Group& group, const Contenders& contenders) {
    const std::string subject = subject_of(group.slice);
    const Unit unit = unit_of(group.slice);
    std::vector<Column> columns;
    std::set<std::string> present;
    for (const Result* result : group.slice) {
        present.insert(result->contender);
        if (columns.empty() || columns.back().scenario() != result->scenario) {
            columns.emplace_back(group.slice, result->scenario, subject, contenders);
        }
    }
    Table table = {{head_of(group.over)}, {}, 1};
    for (const Column& column : columns) {
        table.heads.push_back(column_text(group.over, column.scenario()));
    }
    const auto add_row = [&](const std::string& title, const auto& cell_of) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row.push_back({title});
        std::transform(columns.begin(), columns.end(), std::back_inserter(row), cell_of);
    };
    for (const std::string& name : contenders.names()) {
        if (present.contains(name)) {
            add_row(contenders.legend(name).name, [&](const Column& column) { return column.value_of(name, unit); });
        }
    }
    if (std::any_of(columns.begin(), columns.end(), [](const Column& column) { return column.has_ratio(); })) {
        add_row(subject + " to the fastest other library", [](const Column& column) { return column.ratio(); });
    }
    return paragraph(escape_markdown(caption_of(group, unit))) +
           table_markdown(columns.size() > kMostColumns ? turned(table) : table) + "\n";
}

// The part of a group that belongs, sorted by its columns.
Group part_of(const Group& group, const Contenders& contenders, bool (*belongs)(const Scenario&)) {
    Group part = {group.over, {}};
    std::copy_if(group.slice.begin(), group.slice.end(), std::back_inserter(part.slice),
                 [&](const Result* result) { return belongs(result->scenario); });
    if (group.over == Over::kDistributions) {
        sort_by_distribution(part.slice, contenders);
    } else {
        sort_slice(part.slice, contenders,
                   [](const Result& result) { return std::tuple(result.scenario.count, result.scenario.mean_segment); });
    }
    return part;
}

size_t count_columns(const Slice& slice) {
    std::set<Scenario> scenarios;
    for (const Result* result : slice) {
        scenarios.insert(result->scenario);
    }
    return scenarios.size();
}

// Small arrays by their time, and large ones by throughput; many sizes in two tables, powers of two first.
std::string tables_of(const Group& group, const Contenders& contenders) {
    const auto is_power = [](const Scenario& scenario) { return std::has_single_bit(scenario.count); };
    const auto is_no_power = [](const Scenario& scenario) { return !std::has_single_bit(scenario.count); };
    const Group halves[] = {
        part_of(group, contenders, [](const Scenario& scenario) { return scenario.count <= kSmallCount; }),
        part_of(group, contenders, [](const Scenario& scenario) { return scenario.count > kSmallCount; })};
    std::string text;
    for (const Group& half : halves) {
        std::vector<Group> parts = {half};
        if (half.over == Over::kCounts && count_columns(half.slice) > kMostColumns) {
            parts = {part_of(half, contenders, is_power), part_of(half, contenders, is_no_power)};
        }
        for (const Group& part : parts) {
            text += part.slice.empty() ? "" : group_text(part, contenders);
        }
    }
    return text;
}

std::string how_measured(const nlohmann::json& about) {
    Table table = {{"", ""}, {}, 2};
    const Facts main = main_facts(about);
    const Facts method = method_facts(about);
    for (const Facts* facts : {&main, &method}) {
        for (const auto& [name, value] : *facts) {
            table.rows.push_back({{name}, {value}});
        }
    }
    const std::string silent = method.empty() ? paragraph("The results do not say how they were measured.") : "";
    return table_markdown(table) + "\n" + silent;
}

std::string how_to_read(bool with_copy) {
    std::string text =
        paragraph(
            "`vksort-bench report --markdown` made this page from one file of results. Each section is an operation on "
            "a key type: `u32+4` means 4-byte unsigned keys with values of 4 bytes, and n is the number of elements.") +
        paragraph("Times are medians by the device's clock, or by the host's where a contender's name is followed by \"wall "
                  "clock\". The fastest contender of a scenario is bold. Ratios are of throughputs: above 1, vksort is "
                  "faster than the other library, and below 1, slower. Two contenders are the same where their difference "
                  "is within the noise of either, which is (p95 - p5) / median. A scenario that a contender was not timed "
                  "in has a dash.");
    return with_copy ? text + paragraph("`copy` reads and writes keys and values once, which is the least that any sort "
                                        "does, and is not compared with the others.")
                     : text;
}

std::string standing_text(const Standing& standing, const Contenders& contenders) {
    return section("Faster and slower", table_markdown(standing_table(standing, contenders)) + "\n");
}

std::string losses_text(const Standing& standing) {
    if (standing.pairs.empty()) {
        return paragraph("The results have no other library's times to compare vksort's with.");
    }
    if (standing.losses.empty()) {
        return paragraph("No other library is faster than vksort by more than the noise.");
    }
    Table table = {{"scenario", "faster", "vksort's contender", "time of the faster", "vksort's time", "ratio"}, {}, 3};
    for (const Loss& loss : standing.losses) {
        table.rows.push_back({{scenario_text(loss.ours->scenario)},
                              {loss.theirs->contender},
                              {loss.ours->contender},
                              {time_text(measured(*loss.theirs)->median)},
                              {time_text(measured(*loss.ours)->median)},
                              {ratio_text(loss.ratio.value)}});
    }
    return paragraph("Scenarios in which another library is faster than vksort by more than the noise, the worst for vksort "
                     "first:") +
           table_markdown(table) + "\n";
}

} // namespace

std::string markdown_report(const nlohmann::json& whole) {
    const Results results = read_results(whole);
    const Contenders contenders(results.results);
    const Standing standing = standing_of(results, contenders);
    const auto& names = contenders.names();
    std::string page = fmt::format("# vksort on {}, driver {}\n\n", escape_markdown(device_text(results.about)),
                                   escape_markdown(driver_text(results.about)));
    if (results.results.empty()) {
        page += paragraph("There are no results.");
    } else {
        page += how_to_read(std::any_of(names.begin(), names.end(), is_roofline));
    }
    page += section("How it was measured", how_measured(results.about));
    if (!standing.pairs.empty()) {
        page += standing_text(standing, contenders);
    }
    if (!results.results.empty()) {
        page += section("Where another is faster", losses_text(standing));
    }
    for (const auto& [kind, slice] : by_kind(all_measured(results))) {
        std::string text;
        for (const Group& group : groups_of(slice)) {
            text += tables_of(group, contenders);
        }
        page += section(kind, text);
    }
    const Table failures = failures_table(results);
    if (!failures.rows.empty()) {
        page += section("Wrong or not measured", table_markdown(failures) + "\n");
    }
    page.pop_back(); // the empty line at the end
    return page;
}

} // namespace vksort::bench
