// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <algorithm>

#include "failure.hpp"
#include "format.hpp"

using vksort::host::SortOutcome;

namespace {

// "12.5%"
std::string share_text(double part, double whole) { return fmt::format("{:.1f}%", whole > 0 ? 100 * part / whole : 0); }

// Where the time went, beside the passes.
std::string counters_text(const SortOutcome& outcome) {
    if (outcome.plan.statisticsOffset == UINT64_MAX) {
        return ""; // a sort in one workgroup counts nothing
    }
    if (outcome.plan.digitPasses != 0) {
        return fmt::format("  {} of {} digit passes ran, {} look-back fallbacks\n", outcome.statistics.digitPassesRun,
                           outcome.plan.digitPasses, outcome.statistics.fallbacks);
    }
    if (outcome.plan.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES || outcome.plan.algorithm == VKSORT_ALGORITHM_MSD) {
        return fmt::format("  tiles of {} keys, {} of them sorted in a slower way, their keys being spread unevenly\n",
                           outcome.plan.tileSize, outcome.statistics.fallbacks);
    }
    if (outcome.plan.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        return fmt::format("  tiles of {} keys, joined in one more pass\n", outcome.plan.tileSize);
    }
    if (outcome.plan.algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        return fmt::format("  buckets of up to {} keys, where these are spread evenly\n", outcome.plan.tileSize);
    }
    return fmt::format("  tiles of {} keys, {} merge passes\n", outcome.plan.tileSize, outcome.plan.mergePasses);
}

} // namespace

std::string summary_text(const std::string& done, const std::string& device, uint64_t count, const SortOutcome& outcome) {
    const bool on_gpu = outcome.total_microseconds > 0;
    const double time = on_gpu ? outcome.total_microseconds : outcome.wall_microseconds;
    return fmt::format("{} on {} by {} in {}{} ({})\n", done, device, vksortAlgorithmName(outcome.plan.algorithm),
                       time_text(time), on_gpu ? "" : " with submission", rate_text(count, time));
}

std::string timings_text(const SortOutcome& outcome) {
    if (outcome.passes.empty()) {
        return "no times of single passes: the device has no timestamps, or there was nothing to sort\n";
    }
    std::vector<std::vector<std::string>> rows = {{"pass", "GPU time", "share"}};
    for (const vksort::host::PassTime& pass : outcome.passes) {
        rows.push_back({pass.name, time_text(pass.microseconds), share_text(pass.microseconds, outcome.total_microseconds)});
    }
    rows.push_back({"first to last pass", time_text(outcome.total_microseconds), ""});
    rows.push_back({"with submission", time_text(outcome.wall_microseconds), ""});
    return table_text(rows, 1) + counters_text(outcome);
}

std::string work_text(const SortOutcome& outcome) {
    const VksortWorkStatistics& work = outcome.work;
    const uint32_t passes = std::min<uint32_t>(work.mergePasses, VKSORT_MAX_MERGE_PASSES);
    std::string text = fmt::format("{} tiles of {} keys, {} merge passes\n", with_commas(work.tiles), outcome.plan.tileSize,
                                   work.mergePasses);
    if (passes == 0) {
        return text; // one tile is sorted at once
    }
    uint64_t merged = 0;
    uint64_t copied = 0;
    std::vector<std::vector<std::string>> rows = {{"pass", "merged", "share", "copied", "share"}};
    for (uint32_t i = 0; i < passes; ++i) {
        merged += work.passes[i].merged;
        copied += work.passes[i].copied;
        rows.push_back({std::to_string(i), with_commas(work.passes[i].merged), share_text(work.passes[i].merged, work.tiles),
                        with_commas(work.passes[i].copied), share_text(work.passes[i].copied, work.tiles)});
    }
    const auto sum_merged = static_cast<double>(merged);
    const auto sum_copied = static_cast<double>(copied);
    const double all = static_cast<double>(work.tiles) * passes;
    rows.push_back({"total", with_commas(merged), share_text(sum_merged, work.tiles), with_commas(copied),
                    share_text(sum_copied, work.tiles)});
    rows.push_back({"average", fmt::format("{:.1f}", sum_merged / passes), share_text(sum_merged, all),
                    fmt::format("{:.1f}", sum_copied / passes), share_text(sum_copied, all)});
    return text + table_text(rows, 1) +
           fmt::format("  {:.2f} of {} passes' worth of merging, {:.2f} of copying\n", sum_merged / work.tiles, passes,
                       sum_copied / work.tiles);
}
