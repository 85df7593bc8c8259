// SPDX-License-Identifier: MIT
#include "capacity.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "capacity_bench.h"
#include "environment.h"
#include "output_files.hpp"
#include "path_text.hpp"
#include "program.h"

namespace vksort::bench {

namespace {

using Texts = std::vector<std::string>;

// The counts of the target, and what a CPU driver gets through in a minute.
const Texts kCapacities = {"2^16", "2^20", "2^22", "2^24", "2^26"};
const Texts kCounts = {"0", "1", "100", "1000", "4096", "10000", "2^16", "300000", "1000000", "6000000"};
const Texts kCpuCapacities = {"2^12", "2^16"};
const Texts kCpuCounts = {"0", "1", "100", "1000", "4096", "10000"};

std::vector<uint64_t> parsed(const Texts& given, const Texts& usual, uint64_t (*parse)(const std::string&)) {
    std::vector<uint64_t> numbers;
    for (const std::string& text : given.empty() ? usual : given) {
        numbers.push_back(parse(text));
        if (numbers.back() > UINT32_MAX) {
            throw std::invalid_argument(fmt::format("{} elements: a count in a buffer has 32 bits", text));
        }
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

// Floats come as renderers have them: uniform bit patterns would be NaNs and numbers of any size.
std::vector<Distribution> distributions_of(const Texts& given, VksortKeyType key, bool cpu_device) {
    std::vector<Distribution> distributions;
    for (const std::string& text : given) {
        distributions.push_back(parse_distribution(text));
    }
    if (given.empty()) {
        const bool floats = key == VKSORT_KEY_F16 || key == VKSORT_KEY_F32 || key == VKSORT_KEY_F64;
        distributions = floats ? std::vector{Distribution::unit, Distribution::projected, Distribution::normal}
                               : std::vector{Distribution::uniform, Distribution::splats, Distribution::and2};
        distributions.resize(cpu_device ? 1 : distributions.size());
    }
    return distributions;
}

// What is measured at all: the counts, and the capacities, which then are full.
std::vector<uint64_t> all_counts(const CapacityWork& work) {
    std::vector<uint64_t> counts;
    for (const uint64_t count : work.counts) {
        if (count <= work.capacities.back()) {
            counts.push_back(count);
        }
    }
    counts.insert(counts.end(), work.capacities.begin(), work.capacities.end());
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

// Fails now, not after an hour.
void check_files(const CapacityOptions& options, const std::vector<CapacityTable>& tables) {
    files::OutputFiles outputs;
    if (!options.csv.empty()) {
        outputs.add(options.csv);
    }
    for (const CapacityTable& table : tables) {
        if (!options.svg.empty()) {
            outputs.add(capacity_picture_path(options.svg, table, tables.size()));
        }
    }
}

void write_files(const CapacityOptions& options, const nlohmann::json& head, const std::vector<CapacityTable>& tables,
                 const std::string& device) {
    files::OutputFiles outputs;
    if (!options.csv.empty()) {
        outputs.add(options.csv).write(capacity_csv(head, tables));
    }
    for (const CapacityTable& table : tables) {
        const std::string svg = options.svg.empty() ? "" : capacity_picture(table, device);
        if (!svg.empty()) {
            outputs.add(capacity_picture_path(options.svg, table, tables.size())).write(svg);
        }
    }
    outputs.commit();
}

bool same_kind(const Scenario& a, const Scenario& b) { return a.key == b.key && a.value_bytes == b.value_bytes; }

void measure_tables(host::Device& device, const CapacityOptions& options, const CapacityMethod& method, CapacityWork& work) {
    std::unique_ptr<CapacityBench> bench;
    const Scenario* kind = nullptr;
    for (CapacityTable& table : work.tables) {
        if (kind == nullptr || !same_kind(*kind, table.scenario)) {
            bench.reset(); // before the next kind takes its memory
            bench = std::make_unique<CapacityBench>(device, method, table.scenario, work.capacities);
            kind = &table.scenario;
        }
        for (const uint64_t count : all_counts(work)) {
            bench->measure(table, count, options.seed);
        }
        files::print_output(capacity_markdown(table, work.counts) + "\n");
    }
}

nlohmann::json head_of(const host::Device& device, const CapacityOptions& options, const CapacityMethod& method,
                       const std::string& command) {
    return {{"program", program_json()},
            {"device", device_json(device, false)},
            {"date", date_text()},
            {"command", command},
            {"seed", options.seed},
            {"least_runs", method.runs},
            {"warm_up_seconds", method.warm_up_seconds}};
}

} // namespace

void add_capacity_options(CLI::App& app, CapacityOptions& options) {
    app.add_option("--device", options.device, "index or part of the name of a device");
    const auto many = [&app](const char* name, Texts& values, const char* text) {
        return app.add_option(name, values, text)->delimiter(',');
    };
    many("--kinds", options.kinds, "keys, with the bytes of their values: u32, u64+4, ...")->capture_default_str();
    many("--capacities", options.capacities, "what plans are made for: 2^16 to 2^26, or 2^12 and 2^16 on a CPU driver");
    many("--counts", options.counts, "elements in the buffer, as far as a capacity goes; each is also filled");
    many("--distributions", options.distributions,
         "of the keys: uniform, splats, and2, or of floats unit, projected, normal, if not given");
    app.add_option("--runs", options.runs, "runs of each cell at least")->capture_default_str()->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed, "of everything that is random")->capture_default_str();
    app.add_option("--csv", options.csv, "write the cells to this file");
    app.add_option("--svg", options.svg,
                   "write a picture to this file; of several, each has its kind and distribution in the name");
}

CapacityWork capacity_work(const CapacityOptions& options, bool cpu_device) {
    CapacityWork work;
    work.capacities = parsed(options.capacities, cpu_device ? kCpuCapacities : kCapacities, parse_sorted_count);
    work.counts = parsed(options.counts, cpu_device ? kCpuCounts : kCounts, parse_count);
    for (const std::string& kind : options.kinds) {
        CapacityTable table;
        parse_kind(kind, table.scenario);
        for (const Distribution distribution : distributions_of(options.distributions, table.scenario.key, cpu_device)) {
            table.scenario.distribution = distribution;
            const bool known = std::any_of(work.tables.begin(), work.tables.end(),
                                           [&](const CapacityTable& other) { return other.scenario == table.scenario; });
            if (!known) {
                work.tables.push_back(table);
            }
        }
    }
    return work;
}

std::string capacity_picture_path(const std::string& path, const CapacityTable& table, size_t tables) {
    if (tables == 1) {
        return path;
    }
    if (path == "-") {
        throw std::invalid_argument("standard output takes one picture, and there are several");
    }
    std::string kind = kind_text(table.scenario);
    std::replace(kind.begin(), kind.end(), '+', '-');
    const std::filesystem::path whole = files::path_of(path);
    const std::string name = fmt::format("{}-{}-{}{}", files::text_of(whole.stem()), kind,
                                         name_of(table.scenario.distribution), files::text_of(whole.extension()));
    return files::text_of(whole.parent_path() / files::path_of(name));
}

int time_capacities(const CapacityOptions& options, const std::string& command) {
    check_files(options, capacity_work(options, false).tables); // of any device
    host::DeviceOptions device_options;
    device_options.selector = options.device;
    host::Device device(device_options);
    const bool cpu_device = device.info().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    CapacityWork work = capacity_work(options, cpu_device);
    CapacityMethod method = CapacityMethod::of(cpu_device);
    method.runs = options.runs;
    files::print_output(fmt::format("{}, {}\n\n", device.listing().name, device.listing().driver));
    files::print_output(
        fmt::format("Median GPU times. A plan for a capacity reads the count from a buffer. Target: {} times the exact plan "
                    "plus {} µs, and {} µs for counts of 0 and 1; a time beyond it is bold.\n\n",
                    kExactFactor, kExactAllowance, kFewestLimit));
    measure_tables(device, options, method, work);
    files::print_output(capacity_summary(work.tables));
    write_files(options, head_of(device, options, method, command), work.tables, device.listing().name);
    const bool wrong = std::any_of(work.tables.begin(), work.tables.end(), [](const CapacityTable& table) {
        return std::any_of(table.cells.begin(), table.cells.end(),
                           [](const CapacityCell& cell) { return cell.status == Status::wrong; });
    });
    return wrong ? kWrong : kSuccess;
}

} // namespace vksort::bench
