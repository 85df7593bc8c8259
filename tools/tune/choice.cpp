// SPDX-License-Identifier: MIT
#include "choice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "vksort_job.h"

namespace vksort::tune {

namespace {

constexpr size_t kRunnersUp = 4;
constexpr size_t kColumns = 125;

// As src/tuning.cpp calls them.
std::string vendor_name(const Provenance& provenance) {
    if (provenance.cpu_device) {
        return "kAnyCpu";
    }
    switch (provenance.vendor_id) {
    case 0x10DE: return "kVendorNvidia";
    case 0x1002: return "kVendorAmd";
    case 0x8086: return "kVendorIntel";
    default: return fmt::format("0x{:04X}", provenance.vendor_id);
    }
}

// A row holds for values of at most this number of words.
std::string most_value_words(const Sweep& sweep) {
    const bool any = sweep.target->id == TargetId::one_workgroup; // which fetch values at the end
    return any || value_words(sweep.kind) == 4 ? "kAnyValues" : fmt::format("{}", value_words(sweep.kind));
}

std::string join(const std::vector<std::string>& words, const char* between, const char* last) {
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == words.size() ? last : between, words[i]);
    }
    return text;
}

// Rates of all scenarios in one unit.
class Rates {
public:
    Rates(const Sweep& sweep, const Measured& best) : sweep_(sweep) {
        const double least = sweep.items_per_second(*std::max_element(best.us.begin(), best.us.end()));
        giga_ = least >= 1e8;
    }
    const char* unit() const { return giga_ ? "G/s" : "M/s"; }
    std::string of(const Measured& measured) const {
        std::vector<std::string> rates;
        for (const double us : measured.us) {
            const double rate = sweep_.items_per_second(us) / (giga_ ? 1e9 : 1e6);
            rates.push_back(rate >= 10 ? fmt::format("{:.1f}", rate) : fmt::format("{:.2f}", rate));
        }
        return join(rates, ", ", ", ");
    }

private:
    const Sweep& sweep_;
    bool giga_;
};

// What was measured, where the table alone does not tell.
const char* work_text(TargetId id) {
    switch (id) {
    case TargetId::segment_partition: return "size_classes' partition, ";
    case TargetId::merge: return "merges of two halves of ";
    case TargetId::merge_sort: return "merge sorts of ";
    default: return "";
    }
}

std::string input_text(const Sweep& sweep) {
    const Target& target = *sweep.target;
    std::string text = fmt::format("{}{} {} {}", work_text(target.id), bench::count_text(sweep.kind.count),
                                   bench::kind_text(sweep.kind), sweep.kind.value_bytes != 0 ? "pairs" : "keys");
    if (target.is_segmented()) {
        std::vector<std::string> means;
        for (const uint64_t mean : sweep.means) {
            means.push_back(fmt::format("{}", mean));
        }
        text += fmt::format(" in segments of {}", join(means, ", ", " and "));
    }
    return text;
}

// A comment of whole words.
std::string wrapped(const std::string& text) {
    constexpr const char* kStart = "    //";
    std::string lines, line = kStart;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size());
        if (line.size() + 1 + end - begin > kColumns) {
            lines += line + "\n";
            line = kStart;
        }
        line += " " + text.substr(begin, end - begin);
        begin = end + 1;
    }
    return lines + line + "\n";
}

} // namespace

std::vector<Scenario> Sweep::scenarios() const {
    std::vector<Scenario> scenarios;
    for (const uint64_t mean : means) {
        scenarios.push_back(kind);
        scenarios.back().mean_segment = mean;
    }
    return scenarios;
}

VksortPlanDesc Sweep::description(size_t scenario) const {
    const Scenario of_mean = scenarios()[scenario];
    return bench::describe(of_mean, target->algorithm, kind.count / std::max<uint64_t>(of_mean.mean_segment, 1)); // about
}

std::string Sweep::text() const {
    return fmt::format("{}, {}, {}", target->name, bench::kind_text(kind), bench::count_text(kind.count));
}

double mean_time(const Measured& measured) {
    double logarithms = 0;
    for (const double us : measured.us) {
        logarithms += std::log(us);
    }
    return std::exp(logarithms / static_cast<double>(measured.us.size()));
}

void sort_by_time(std::vector<Measured>& measured) {
    std::stable_sort(measured.begin(), measured.end(), [](const Measured& a, const Measured& b) {
        const double time_a = mean_time(a), time_b = mean_time(b);
        return time_a != time_b ? time_a < time_b : a.candidate.tile_size() < b.candidate.tile_size();
    });
}

std::string row_text(const Provenance& provenance, const Sweep& sweep, const std::vector<Measured>& sorted) {
    const Target& target = *sweep.target;
    const Measured& best = sorted.front();
    const Rates rates(sweep, best);
    std::vector<std::string> others;
    for (size_t i = 1; i < std::min(sorted.size(), 1 + kRunnersUp); ++i) {
        others.push_back(fmt::format("{} {}", target.text_of(sorted[i].candidate, sweep.show_rank), rates.of(sorted[i])));
    }
    const char* between = sweep.means.size() > 1 ? "; " : ", "; // of several figures each, or of one
    const std::string runners_up = others.empty() ? "" : fmt::format(" ({})", join(others, between, between));
    const std::string text =
        wrapped(fmt::format("{}, driver {}, {} queue, {}, {}: {} {}{}.", provenance.device, provenance.driver,
                            provenance.compute_queue ? "compute" : "graphics", input_text(sweep), provenance.date,
                            rates.of(best), rates.unit(), runners_up));
    const Candidate& candidate = best.candidate;
    if (target.id == TargetId::sample_tiles) { // keys of the tile, of the samples and of a bucket
        return text + fmt::format("    {{{}, {}, {}, {}, {}, {}, {}}},\n", vendor_name(provenance),
                                  target.key_words(sweep.kind), most_value_words(sweep), candidate.workgroup_size,
                                  candidate.keys_per_thread, candidate.keys_per_thread, 2 * candidate.keys_per_thread);
    }
    if (target.has_rows()) {
        return text + fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", vendor_name(provenance), target.key_words(sweep.kind),
                                  most_value_words(sweep), candidate.workgroup_size, candidate.keys_per_thread,
                                  candidate.rounds);
    }
    return text + fmt::format("    tuning.workgroupSize = {}; // keys of {} word{}\n    tuning.keysPerThread = {};\n",
                              candidate.workgroup_size, target.key_words(sweep.kind),
                              target.key_words(sweep.kind) == 1 ? "" : "s", candidate.keys_per_thread);
}

} // namespace vksort::tune
