// SPDX-License-Identifier: MIT
#include "capacity_table.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report_text.h"
#include "svg_picture.h"

namespace vksort::bench {

namespace {

constexpr double kMarkerGap = 8;
constexpr double kPictureHeight = 330;

const char* name_of(CapacityContender contender) {
    switch (contender) {
    case CapacityContender::exact: return "vksort exact";
    case CapacityContender::vrdx: return "VRDX";
    default: return "vksort capacity";
    }
}

std::string row_name(const CapacityCell& cell) {
    switch (cell.contender) {
    case CapacityContender::exact: return "exact plans";
    case CapacityContender::vrdx: return "VRDX, capacity " + report::raised_count_text(cell.capacity);
    default: return "capacity " + report::raised_count_text(cell.capacity);
    }
}

std::string table_name(const CapacityTable& table) {
    return fmt::format("{}, {}", kind_text(table.scenario), name_of(table.scenario.distribution));
}

const CapacityCell* find(const CapacityTable& table, CapacityContender contender, uint64_t capacity, uint64_t count) {
    for (const CapacityCell& cell : table.cells) {
        const bool same_plan = contender == CapacityContender::exact || cell.capacity == capacity;
        if (cell.contender == contender && same_plan && cell.count == count) {
            return &cell;
        }
    }
    return nullptr;
}

// The plan of a row: all exact plans share one.
struct Row {
    CapacityContender contender;
    uint64_t capacity;
    bool operator==(const Row&) const = default;
};

Row row_of(const CapacityCell& cell) {
    return {cell.contender, cell.contender == CapacityContender::exact ? 0 : cell.capacity};
}

// Exact plans, then vksort's capacities from the smallest, then VRDX's.
std::vector<Row> rows_of(const CapacityTable& table) {
    std::vector<Row> rows;
    for (const CapacityCell& cell : table.cells) {
        if (std::find(rows.begin(), rows.end(), row_of(cell)) == rows.end()) {
            rows.push_back(row_of(cell));
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.contender != b.contender ? a.contender < b.contender : a.capacity < b.capacity;
    });
    return rows;
}

std::string cell_text(const CapacityTable& table, const CapacityCell* cell) {
    if (cell == nullptr) {
        return "";
    }
    if (cell->status != Status::ok) {
        return cell->status == Status::wrong ? "wrong" : "-";
    }
    const std::optional<CapacityVerdict> verdict = verdict_of(table, *cell);
    const std::string time = fmt::format("{:.1f}", cell->gpu.median);
    const bool too_slow = cell->contender == CapacityContender::vksort && verdict && !verdict->is_within();
    return too_slow ? "**" + time + "**" : time;
}

// The time at the full capacity, with the exact plan's, which has no column of its own.
std::string full_text(const CapacityTable& table, const Row& row) {
    if (row.contender == CapacityContender::exact) {
        return "";
    }
    const CapacityCell* cell = find(table, row.contender, row.capacity, row.capacity);
    const CapacityCell* exact = find(table, CapacityContender::exact, 0, row.capacity);
    std::string text = cell_text(table, cell);
    if (cell != nullptr && exact != nullptr && exact->status == Status::ok) {
        text += fmt::format(" (exact {:.1f})", exact->gpu.median);
    }
    return text;
}

struct Tally {
    size_t within = 0, total = 0;
    void add(const CapacityTable& table, const CapacityCell& cell) {
        const std::optional<CapacityVerdict> verdict = verdict_of(table, cell);
        total += verdict ? 1 : 0;
        within += verdict && verdict->is_within() ? 1 : 0;
    }
};

std::string within_text(const CapacityTable& table, const Row& row) {
    Tally tally;
    for (const CapacityCell& cell : table.cells) {
        if (row_of(cell) == row) {
            tally.add(table, cell);
        }
    }
    return tally.total == 0 ? "" : fmt::format("{} of {}", tally.within, tally.total);
}

// Each reason once, with the rows and counts that it stands for.
std::string reasons_text(const CapacityTable& table) {
    std::vector<std::pair<std::string, std::string>> reasons; // a row and its reason; the counts
    for (const CapacityCell& cell : table.cells) {
        if (cell.status == Status::ok) {
            continue;
        }
        const std::string reason = fmt::format("{}: {}", row_name(cell), report::escape_markdown(cell.message));
        const std::string count = report::raised_count_text(cell.count);
        const auto found =
            std::find_if(reasons.begin(), reasons.end(), [&](const auto& one) { return one.first == reason; });
        if (found == reasons.end()) {
            reasons.emplace_back(reason, count);
        } else {
            found->second += ", " + count;
        }
    }
    std::string text;
    for (const auto& [reason, counts] : reasons) {
        text += fmt::format("- {} (counts {})\n", reason, counts);
    }
    return text.empty() ? "" : "\n" + text;
}

std::string csv_line(const CapacityTable& table, const CapacityCell& cell) {
    const bool timed = cell.status == Status::ok;
    const std::optional<CapacityVerdict> verdict = verdict_of(table, cell);
    std::string message = cell.message;
    std::replace_if(
        message.begin(), message.end(), [](char c) { return c == '"' || c == '\n' || c == '\r'; }, ' ');
    const Summary& gpu = cell.gpu;
    return fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n", vksortKeyTypeName(table.scenario.key), table.scenario.value_bytes,
        name_of(table.scenario.distribution), name_of(cell.contender), cell.capacity, cell.count, name_of(cell.status),
        message.empty() ? "" : '"' + message + '"', cell.algorithm, cell.runs,
        timed ? fmt::format("{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}", gpu.median, gpu.p5, gpu.p95, gpu.least, gpu.greatest)
              : ",,,,",
        verdict ? fmt::format("{:.3f},{:.3f},{:.4f},{:.4f},{}", verdict->exact_us, verdict->limit_us, verdict->to_exact,
                              verdict->to_limit, verdict->is_within() ? 1 : 0)
                : ",,,,");
}

report::Line line_of(const CapacityTable& table, const Row& row, report::Style style) {
    report::Line line;
    for (const CapacityCell& cell : table.cells) {
        // A logarithmic axis has no place for a count of 0, nor for a time that the clock is too coarse for.
        if (row_of(cell) != row || cell.status != Status::ok || cell.count == 0 || cell.gpu.least <= 0) {
            continue;
        }
        line.name = {row_name(cell), style};
        line.points.push_back({static_cast<double>(cell.count), cell.gpu.median, cell.gpu.p5, cell.gpu.p95,
                               fmt::format("{}, count {}: {}", line.name.name, report::raised_count_text(cell.count),
                                           report::time_text(cell.gpu.median))});
    }
    std::sort(line.points.begin(), line.points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    return line;
}

// VRDX has the colour of vksort at the same capacity, with other dashes and markers.
std::vector<report::Line> lines_of(const CapacityTable& table) {
    std::map<uint64_t, report::Style> colours;
    std::vector<report::Line> lines;
    for (const Row& row : rows_of(table)) {
        report::Style style = 0;
        if (row.contender != CapacityContender::exact) {
            style = colours.emplace(row.capacity, colours.size() + 1).first->second;
            style += row.contender == CapacityContender::vrdx ? report::kColours : 0;
        }
        report::Line line = line_of(table, row, style);
        if (!line.points.empty()) {
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace

double capacity_limit(uint64_t count, double exact_us) {
    return count <= 1 ? kFewestLimit : kExactFactor * exact_us + kExactAllowance;
}

std::optional<CapacityVerdict> verdict_of(const CapacityTable& table, const CapacityCell& cell) {
    const CapacityCell* exact = find(table, CapacityContender::exact, 0, cell.count);
    if (cell.contender == CapacityContender::exact || cell.status != Status::ok || exact == nullptr ||
        exact->status != Status::ok) {
        return std::nullopt;
    }
    CapacityVerdict verdict;
    verdict.exact_us = exact->gpu.median;
    verdict.limit_us = capacity_limit(cell.count, verdict.exact_us);
    verdict.to_exact = verdict.exact_us > 0 ? cell.gpu.median / verdict.exact_us : 0;
    verdict.to_limit = cell.gpu.median / verdict.limit_us;
    return verdict;
}

std::string capacity_markdown(const CapacityTable& table, const std::vector<uint64_t>& counts) {
    std::vector<std::string> heads = {table_name(table) + ", µs"};
    for (const uint64_t count : counts) {
        heads.push_back(report::raised_count_text(count));
    }
    heads.insert(heads.end(), {"full", "within"});
    std::string text;
    const auto add = [&text](const std::vector<std::string>& cells) {
        for (const std::string& cell : cells) {
            text += "| " + cell + (cell.empty() ? "" : " ");
        }
        text += "|\n";
    };
    add(heads);
    text += "|---|";
    for (size_t i = 1; i < heads.size(); ++i) {
        text += "---:|";
    }
    text += "\n";
    for (const Row& row : rows_of(table)) {
        CapacityCell named;
        named.contender = row.contender;
        named.capacity = row.capacity;
        std::vector<std::string> cells = {row_name(named)};
        for (const uint64_t count : counts) {
            cells.push_back(cell_text(table, find(table, row.contender, row.capacity, count)));
        }
        cells.push_back(full_text(table, row));
        cells.push_back(within_text(table, row));
        add(cells);
    }
    return text + reasons_text(table);
}

std::string capacity_summary(const std::vector<CapacityTable>& tables) {
    Tally tally;
    double worst = 0, worst_to_exact = 0;
    std::string where, where_to_exact;
    for (const CapacityTable& table : tables) {
        for (const CapacityCell& cell : table.cells) {
            const std::optional<CapacityVerdict> verdict = verdict_of(table, cell);
            if (cell.contender != CapacityContender::vksort || !verdict) {
                continue;
            }
            tally.add(table, cell);
            const std::string place =
                fmt::format("{}, {}, count {}", table_name(table), row_name(cell), report::raised_count_text(cell.count));
            if (verdict->to_limit > worst) {
                worst = verdict->to_limit;
                where = place;
            }
            if (cell.count > 1 && verdict->to_exact > worst_to_exact) {
                worst_to_exact = verdict->to_exact;
                where_to_exact = place;
            }
        }
    }
    if (tally.total == 0) {
        return "No cell has both a time and an exact plan to compare with.\n";
    }
    std::string text = fmt::format("{} of {} cells are within the target.", tally.within, tally.total);
    text += fmt::format(" The worst takes {:.2f} times its limit ({}).", worst, where);
    if (!where_to_exact.empty()) {
        text += fmt::format(" The worst ratio to an exact plan, of counts above 1, is {:.2f} ({}).", worst_to_exact,
                            where_to_exact);
    }
    return text + "\n";
}

std::string capacity_csv(const nlohmann::json& head, const std::vector<CapacityTable>& tables) {
    std::string text;
    for (const auto& [name, value] : head.items()) {
        text += fmt::format("# {}: {}\n", name, value.dump());
    }
    text += std::string(kCapacityCsvColumns) + "\n";
    for (const CapacityTable& table : tables) {
        for (const CapacityCell& cell : table.cells) {
            text += csv_line(table, cell);
        }
    }
    return text;
}

std::string capacity_picture(const CapacityTable& table, const std::string& device) {
    report::LineChart chart;
    chart.x_title = "count";
    chart.y_title = "time";
    chart.y_text = report::time_text;
    chart.lines = lines_of(table);
    chart.gap = kMarkerGap;
    chart.height = kPictureHeight;
    report::Picture picture;
    picture.title = "Count from a GPU buffer: " + table_name(table);
    picture.notes = {device, "Both axes logarithmic, without a count of 0; whiskers from the 5th to the 95th percentile"};
    for (const report::Line& line : chart.lines) {
        picture.legend.push_back(line.name);
    }
    return report::line_picture(picture, report::line_drawing(chart));
}

} // namespace vksort::bench
