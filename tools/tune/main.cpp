// SPDX-License-Identifier: MIT
//
// vksort-tune: which sizes of the kernels are the fastest on a device, and the rows of src/tuning.cpp that say so.
// README.md tells how it is used.
#include <algorithm>

#include <fmt/format.h>

#include "environment.h"
#include "options.h"
#include "output_files.hpp"
#include "program.h"
#include "tuner.h"

namespace vksort::tune {

namespace {

struct Options : bench::CommonOptions {
    std::vector<std::string> targets, kinds{"u32", "u32+4", "u64"}, counts;
    std::vector<uint64_t> means;
    Grid grid; // empty lists: the target's own
    std::string rank;
    double budget = 0;
    size_t top = 10;
    bool passes = false, statistics = false;
};

void add_options(CLI::App& app, Options& options) {
    std::string names;
    for (const Target& target : all_targets()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", target.name);
    }
    app.add_option("targets", options.targets, names + "; or all")->required()->delimiter(',');
    const auto many = [&app](const char* name, auto& values, const char* text) {
        return app.add_option(name, values, text)->delimiter(',');
    };
    many("--kinds", options.kinds, "key type and bytes of the value: u32, u32+4, u64, f64+16, ...")->capture_default_str();
    many("--counts", options.counts,
         "elements: 1000000 or 2^20 (by default 2^26; 2^14 on a CPU driver, 2^12 in one workgroup)");
    many(
        "--means", options.means,
        "mean lengths of segments (finish: 10,1000,100000, large-finish: 300,1000,10000, segment-partition: 10000,1000000)");
    many("--workgroups", options.grid.workgroup_sizes, "workgroup sizes")->group("Candidates: every combination of");
    many("--keys-per-thread", options.grid.keys_per_thread, "keys an invocation")->group("Candidates: every combination of");
    many("--rounds", options.grid.rounds, "rounds in which a tile goes through shared memory")
        ->group("Candidates: every combination of");
    app.add_option("--rank", options.rank, "ballots, counters, both, or atomics (by default as today)")
        ->group("Candidates: every combination of");
    add_common_options(app, options);
    app.add_option("--budget", options.budget,
                   "begin no candidate after this number of seconds a sweep; those nearest to today's come first")
        ->group("Method");
    app.add_option("--top", options.top, "candidates listed in the end; 0: all")->capture_default_str();
    app.add_flag("--passes", options.passes, "the time of every pass");
    app.add_flag("--statistics", options.statistics, "all that the driver's compiler tells of the kernel");
    app.footer("Exit status: 0 success, 1 a candidate was wrong, 2 bad usage, nothing that can run or standard output that\n"
               "cannot be written, 3 no device or a device failure.");
}

void check_positive(const std::vector<uint32_t>& numbers, const char* what) {
    if (std::find(numbers.begin(), numbers.end(), 0u) != numbers.end()) {
        throw std::invalid_argument(fmt::format("{} of 0 cannot be", what));
    }
}

// None where none are asked for.
std::vector<Rank> parse_ranks(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    if (text == "both") {
        return {Rank::ballots, Rank::counters};
    }
    for (const Rank rank : {Rank::ballots, Rank::counters, Rank::atomics}) {
        if (text == name_of(rank)) {
            return {rank};
        }
    }
    throw std::invalid_argument(fmt::format("there is no rank {}, only ballots, counters, both, atomics", text));
}

// Everything in the command line that can be wrong without a device.
std::vector<Sweep> parse_sweeps(const Options& options) {
    std::vector<const Target*> targets;
    for (const std::string& name : options.targets) {
        if (name == "all") {
            for (const Target& target : all_targets()) {
                targets.push_back(&target);
            }
        } else {
            targets.push_back(&parse_target(name));
        }
    }
    check_positive(options.grid.workgroup_sizes, "a workgroup");
    check_positive(options.grid.keys_per_thread, "a share");
    check_positive(options.grid.rounds, "a number of rounds");
    parse_ranks(options.rank);
    std::vector<uint64_t> counts;
    for (const std::string& text : options.counts) {
        counts.push_back(bench::parse_sorted_count(text));
    }
    std::vector<Sweep> sweeps;
    for (const Target* target : targets) {
        for (const std::string& text : options.kinds) {
            Sweep sweep;
            sweep.target = target;
            bench::parse_kind(text, sweep.kind);
            sweep.kind.operation = target->operation;
            sweep.means = target->default_means();
            if (target->is_segmented() && !options.means.empty()) {
                sweep.means = options.means;
                std::replace(sweep.means.begin(), sweep.means.end(), uint64_t{0}, uint64_t{1});
            }
            for (const uint64_t count : counts.empty() ? std::vector<uint64_t>{0} : counts) {
                sweep.kind.count = count; // 0: the target's own, which depends on the device
                sweeps.push_back(sweep);
            }
        }
    }
    return sweeps;
}

// The ways to rank that are compared: those asked for, else today's, or ballots where there is none.
std::vector<Rank> ranks_of(const Options& options, const Target& target, const std::optional<Candidate>& todays) {
    if (!target.ranks) {
        return {Rank::none};
    }
    const std::vector<Rank> asked = parse_ranks(options.rank);
    return !asked.empty() ? asked : std::vector<Rank>{todays ? todays->rank : Rank::ballots};
}

std::vector<Candidate> candidates_of(const Options& options, const Sweep& sweep, const std::vector<Rank>& ranks,
                                     bool cpu_device) {
    Grid grid = sweep.target->default_grid(sweep.kind, cpu_device);
    const auto replace = [](std::vector<uint32_t>& list, const std::vector<uint32_t>& given) {
        list = given.empty() ? list : given;
    };
    replace(grid.workgroup_sizes, options.grid.workgroup_sizes);
    replace(grid.keys_per_thread, options.grid.keys_per_thread);
    replace(grid.rounds, options.grid.rounds);
    return combine(grid, ranks);
}

TunerOptions tuner_options(const Options& options, bool cpu_device) {
    TunerOptions tuner;
    tuner.method.warm_up_seconds = cpu_device ? 0 : 0.1;
    tuner.method.warm_up_runs = cpu_device ? 1 : 2;
    tuner.method.gpu = {11, 101, 0.3, 0.005};
    options.apply(tuner.method.gpu);
    tuner.method.wall = {0, 0, 0, 0}; // only where there is no device time
    tuner.method.passes = options.passes;
    tuner.seed = options.seed;
    tuner.budget_seconds = options.budget;
    tuner.passes = options.passes;
    tuner.statistics = options.statistics;
    tuner.top = options.top;
    return tuner;
}

Provenance provenance_of(const host::Device& device, const Options& options) {
    const nlohmann::json json = bench::device_json(device, options.compute_queue);
    Provenance provenance;
    provenance.device = device.listing().name;
    provenance.driver = json["driver_version"].get<std::string>();
    if (provenance.driver.empty()) {
        provenance.driver = device.listing().driver;
    }
    provenance.vendor_id = device.info().vendorId;
    provenance.cpu_device = device.info().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    provenance.compute_queue = options.compute_queue;
    provenance.date = bench::date_text().substr(0, 10);
    return provenance;
}

// The rows by table, in the order of their sweeps.
void print_rows(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::vector<std::string> tables;
    for (const auto& [table, row] : rows) {
        if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
            tables.push_back(table);
        }
    }
    for (const std::string& table : tables) {
        files::print_output(fmt::format("\n    // {}:\n", table));
        for (const auto& [of_table, row] : rows) {
            files::print_output(of_table == table ? row : "");
        }
    }
}

int tune(const Options& options) {
    std::vector<Sweep> sweeps = parse_sweeps(options);
    host::DeviceOptions device_options;
    device_options.selector = options.device;
    device_options.prefer_compute_queue = options.compute_queue;
    device_options.pipeline_statistics = true;
    host::Device device(device_options);
    const Provenance provenance = provenance_of(device, options);
    files::print_output(fmt::format("{}, {}, {} queue\n", device.listing().name, device.listing().driver,
                                    options.compute_queue ? "compute" : "graphics"));
    Tuner tuner(device, provenance, tuner_options(options, provenance.cpu_device));
    std::vector<std::pair<std::string, std::string>> rows;
    bool nothing_ran = false;
    for (Sweep& sweep : sweeps) {
        const Target& target = *sweep.target;
        if (sweep.kind.count == 0) {
            sweep.kind.count = target.default_count(provenance.cpu_device);
        }
        const std::optional<Candidate> todays = target.todays(device.info(), sweep.description(0));
        const std::vector<Rank> ranks = ranks_of(options, target, todays);
        sweep.show_rank = ranks.size() > 1 || (todays && todays->rank != ranks.front());
        const std::vector<Candidate> candidates = candidates_of(options, sweep, ranks, provenance.cpu_device);
        try {
            std::string row = tuner.sweep(sweep, candidates);
            if (!row.empty()) {
                rows.emplace_back(target.table_for(sweep.kind, ranks.front()), std::move(row));
            }
        } catch (const bench::TooLarge& error) {
            files::print_error(fmt::format("vksort-tune: {}: {}\n", sweep.text(), error.what()));
            nothing_ran = true;
        } catch (...) { // a lost device, say: the rows of the sweeps before it are kept
            print_rows(rows);
            throw;
        }
    }
    print_rows(rows);
    return tuner.any_wrong() ? bench::kWrong : nothing_ran ? bench::kBadUsage : bench::kSuccess;
}

} // namespace

} // namespace vksort::tune

int main(int argc, char** argv) {
    using namespace vksort;
    CLI::App app("Finds the fastest sizes of vksort's kernels on this device, and prints them as rows of src/tuning.cpp.",
                 "vksort-tune");
    // On Windows an argument with a leading slash is a path as well, and no option.
    app.allow_windows_style_options(false);
    tune::Options options;
    tune::add_options(app, options);
    return bench::run_program(app, argc, argv, [&options] { return tune::tune(options); });
}
