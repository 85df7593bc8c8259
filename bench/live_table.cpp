// SPDX-License-Identifier: MIT
#include "live_table.h"

#include <fmt/format.h>

#include "output_files.hpp"
#include "text.h"

namespace vksort::bench {

std::string table_head() {
    return fmt::format("{:<28} {:>5} {:>11} {:>11} {:>11} {:>11} {:>10} {:>9} {:>6} {:>11}\n", "contender", "runs", "device",
                       "5 %", "95 %", "wall", "items", "bytes/it.", "roof", "scratch");
}

std::string table_row(const Result& result) {
    std::string name = result.contender;
    if (result.status != Status::ok) {
        const char* what = result.status == Status::wrong ? "WRONG RESULT, dropped" : name_of(result.status);
        return fmt::format("{:<28} {}{}{}\n", name, what, result.message.empty() ? "" : ": ", result.message);
    }
    if (!result.message.empty()) {
        name += fmt::format(" ({})", result.message);
    }
    const auto time = [](const std::optional<Summary>& times, double Summary::*field) {
        return times ? time_text((*times).*field) : std::string("-");
    };
    const std::optional<Summary>& spread = result.gpu ? result.gpu : result.wall;
    const std::string each =
        result.model_bytes ? fmt::format("{:.1f}", static_cast<double>(*result.model_bytes) /
                                                       static_cast<double>(std::max<uint64_t>(result.scenario.count, 1)))
                           : "-";
    return fmt::format("{:<28} {:>5} {:>11} {:>11} {:>11} {:>11} {:>10} {:>9} {:>6} {:>11}\n", name, result.runs,
                       time(result.gpu, &Summary::median), time(spread, &Summary::p5), time(spread, &Summary::p95),
                       time(result.wall, &Summary::median), rate_text(result.items_per_second()), each,
                       result.roofline_share ? fmt::format("{:.0f} %", *result.roofline_share * 100) : "-",
                       result.scratch_bytes ? bytes_text(*result.scratch_bytes) : "-");
}

LiveTable::LiveTable(size_t total, bool with_passes)
    : total_(total), with_passes_(with_passes), terminal_(files::is_terminal(stderr)) {}

LiveTable::~LiveTable() { finish(); }

void LiveTable::finish() {
    if (drawn_) {
        files::print_error("\r\033[K");
        drawn_ = false;
    }
}

void LiveTable::print(const std::string& text) {
    finish();
    files::print_output(text);
}

void LiveTable::starting(const Scenario& scenario, const std::string& contender) {
    if (!terminal_ || total_ == 0) {
        return;
    }
    constexpr size_t kWidth = 24;
    const size_t filled = std::min(kWidth, done_ * kWidth / total_);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    const std::string left = done_ < 3
                                 ? ""
                                 : fmt::format(", {:.0f} s left", elapsed.count() / static_cast<double>(done_) *
                                                                      static_cast<double>(total_ - std::min(total_, done_)));
    // \r and "erase to the end of the line" redraw in place.
    files::print_error(fmt::format("\r[{}{}] {}/{}{}: {}, {}\033[K", std::string(filled, '#'),
                                   std::string(kWidth - filled, '.'), done_, total_, left, text_of(scenario), contender));
    drawn_ = true;
}

void LiveTable::add(const Result& result) {
    ++done_;
    std::string text;
    if (const std::string scenario = text_of(result.scenario); scenario != scenario_) {
        text = fmt::format("{}{}\n{}", scenario_.empty() ? "" : "\n", scenario, table_head());
        scenario_ = scenario;
    }
    text += table_row(result);
    if (with_passes_) {
        for (const PassTime& pass : result.passes) {
            text += fmt::format("    {:<24} {:>17}\n", pass.name, time_text(pass.us));
        }
    }
    print(text);
    if (result.status == Status::wrong) {
        files::print_error(fmt::format("vksort-bench: {} gives a wrong result for {}: {}\n", result.contender,
                                       text_of(result.scenario), result.message));
    }
}

} // namespace vksort::bench
