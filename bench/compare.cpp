// SPDX-License-Identifier: MIT
#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "report_data.h"

namespace vksort::bench {

using namespace report;

namespace {

enum Verdict { kFaster, kSlower, kSame, kWrong, kOnlyBefore, kOnlyAfter, kNotComparable, kNeither, kVerdicts };

constexpr const char* kVerdictNames[kVerdicts] = {"faster",      "slower",     "same",           "WRONG NOW",
                                                  "only before", "only after", "not comparable", "not measured"};

struct Key {
    Scenario scenario;
    std::string contender;
    auto operator<=>(const Key&) const = default;
};

struct Pair {
    Key key;
    const Result* before = nullptr;
    const Result* after = nullptr;
};

// In the order of the first file, then what the second has besides.
std::vector<Pair> match(const Results& before, const Results& after) {
    std::vector<Pair> pairs;
    std::map<Key, size_t> places;
    const auto add = [&](const Results& file, const Result* Pair::*side, const char* name) {
        for (const Result& result : file.results) {
            const Key key = {result.scenario, result.contender};
            const auto [place, fresh] = places.emplace(key, pairs.size());
            if (fresh) {
                pairs.push_back({key});
            }
            const Result*& slot = pairs[place->second].*side;
            if (slot != nullptr) {
                throw SchemaError(fmt::format("the results {} name '{}' by '{}' twice", name, scenario_text(result.scenario),
                                              result.contender));
            }
            slot = &result;
        }
    };
    add(before, &Pair::before, "before");
    add(after, &Pair::after, "after");
    return pairs;
}

struct Comparison {
    Verdict verdict = kNeither;
    std::string note;
    double ratio = 0; // of throughputs, after / before
    double noise_before = 0;
    double noise_after = 0;
};

std::string status_of(const Result* result) {
    if (result == nullptr) {
        return "absent";
    }
    std::string text = result->status == "ok" ? "no times" : result->status;
    return result->message.empty() ? text : text + ": " + result->message;
}

Comparison compare(const Pair& pair, double threshold) {
    const Times* before = pair.before != nullptr ? measured(*pair.before) : nullptr;
    const Times* after = pair.after != nullptr ? measured(*pair.after) : nullptr;
    Comparison result;
    if (pair.after != nullptr && pair.after->status == "wrong" &&
        (pair.before == nullptr || pair.before->status != "wrong")) {
        result = {kWrong, status_of(pair.after)};
        return result;
    }
    if (before == nullptr && after == nullptr) {
        result.note = fmt::format("before {}; after {}", status_of(pair.before), status_of(pair.after));
        return result;
    }
    if (before == nullptr || after == nullptr) {
        result = {after == nullptr ? kOnlyBefore : kOnlyAfter, status_of(after == nullptr ? pair.after : pair.before)};
        return result;
    }
    if (pair.before->gpu.has_value() != pair.after->gpu.has_value()) {
        // A wall clock may still be common to both.
        if (!pair.before->wall || !pair.after->wall || pair.before->wall->median <= 0 || pair.after->wall->median <= 0) {
            result = {kNotComparable, "one by the GPU's clock, the other by the wall clock"};
            return result;
        }
        before = &*pair.before->wall;
        after = &*pair.after->wall;
    }
    result.note = pair.before->gpu && pair.after->gpu ? "GPU" : "wall";
    result.ratio = before->median / after->median;
    result.noise_before = noise(*before);
    result.noise_after = noise(*after);
    switch (change(result.ratio, std::max({threshold, result.noise_before, result.noise_after}))) {
    case Change::kFaster: result.verdict = kFaster; break;
    case Change::kSlower: result.verdict = kSlower; break;
    case Change::kSame: result.verdict = kSame; break;
    }
    return result;
}

// Times that two devices, drivers or builds gave say little of the change between them.
void warn_of_differences(const Results& before, const Results& after, std::ostream& out) {
    constexpr std::array<std::array<const char*, 2>, 6> kMembers = {{{"device", "name"},
                                                                     {"device", "driver"},
                                                                     {"device", "driver_version"},
                                                                     {"device", "queue"},
                                                                     {"program", "build_type"},
                                                                     {"program", "compiler"}}};
    const auto text = [](const Results& results, const std::array<const char*, 2>& member) -> std::string {
        const nlohmann::json value =
            results.about.value(member[0], nlohmann::json::object()).value(member[1], nlohmann::json());
        return value.is_null() ? "not given" : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    };
    for (const auto& member : kMembers) {
        const std::string was = text(before, member);
        const std::string is = text(after, member);
        if (was != is) {
            out << fmt::format("warning: {} {} differs: {} before, {} after\n", member[0], member[1], was, is);
        }
    }
}

// A message must not break the table, nor steer the terminal.
std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    return text;
}

// The first two columns to the left, the numbers to the right, the rest as it comes.
void print_table(const std::vector<std::vector<std::string>>& rows, std::ostream& out) {
    std::vector<size_t> widths(rows.front().size());
    for (const auto& row : rows) {
        for (size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const auto& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            const bool left = i < 2 || i >= 5;
            line += left ? fmt::format("{:<{}}  ", row[i], widths[i]) : fmt::format("{:>{}}  ", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

int print_comparison(const Results& before, const Results& after, double threshold, std::ostream& out) {
    const std::vector<Pair> pairs = match(before, after);
    warn_of_differences(before, after, out);
    if (pairs.empty()) {
        out << "there are no results in either file\n";
        return 0;
    }
    std::array<size_t, kVerdicts> counts = {};
    std::vector<std::vector<std::string>> rows = {
        {"scenario", "contender", "ratio", "noise before", "noise after", "verdict", ""}};
    for (const Pair& pair : pairs) {
        const Comparison result = compare(pair, threshold);
        ++counts[result.verdict];
        const bool both = result.ratio > 0;
        rows.push_back({one_line(scenario_text(pair.key.scenario)), one_line(pair.key.contender),
                        both ? fmt::format("{:.3f}", result.ratio) : "-",
                        both ? fmt::format("{:.1f}%", 100 * result.noise_before) : "-",
                        both ? fmt::format("{:.1f}%", 100 * result.noise_after) : "-", kVerdictNames[result.verdict],
                        one_line(result.note)});
    }
    print_table(rows, out);
    std::string summary;
    for (size_t i = 0; i < kVerdicts; ++i) {
        if (counts[i] != 0) {
            summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", counts[i], kVerdictNames[i]);
        }
    }
    out << fmt::format("{}; a change counts beyond {:g}% and the noise of both\n", summary, 100 * threshold);
    return counts[kSlower] + counts[kWrong] != 0 ? 1 : 0;
}

} // namespace

int compare_results(const nlohmann::json& before, const nlohmann::json& after, double threshold, std::ostream& out) {
    if (!(threshold >= 0)) {
        out << fmt::format("a threshold of {} makes no sense: give a share such as 0.05\n", threshold);
        return 2;
    }
    const char* file = "before";
    try {
        const Results first = read_results(before);
        file = "after";
        const Results second = read_results(after);
        file = nullptr;
        return print_comparison(first, second, threshold, out);
    } catch (const SchemaError& error) {
        out << (file != nullptr ? fmt::format("the results {} do not fit the schema: {}\n", file, error.what())
                                : fmt::format("{}\n", error.what()));
        return 2;
    }
}

} // namespace vksort::bench
