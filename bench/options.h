// SPDX-License-Identifier: MIT
//
// The command line of vksort-bench.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "presets.h"

namespace vksort::bench {

// Where to measure, and how.
struct CommonOptions {
    std::string device;
    bool compute_queue = false;
    uint64_t seed = 1;
    // What differs from the method in force.
    std::optional<uint32_t> runs;
    std::optional<double> seconds, noise;

    void apply(Steadiness& steadiness) const;
};

void add_common_options(CLI::App& app, CommonOptions& options);

struct Options : CommonOptions {
    bool quick = false, campaign = false;
    bool list = false;
    bool passes = false;
    // A scenario of one's own, where any of these is given.
    std::vector<std::string> operations, keys, bits, counts, orders, distributions;
    std::vector<uint32_t> values;
    std::vector<uint64_t> means;
    std::vector<std::string> contenders;
    std::string json, csv, html;
};

void add_options(CLI::App& app, Options& options);

// The command line that measures the same again, for a shell. It leaves out the files that it writes, whose names say
// nothing of what was measured.
std::string command_text(int argc, const char* const* argv);

// The preset that was asked for, or one made of what was. Throws std::invalid_argument.
Preset preset_of(const Options& options, bool cpu_device);

} // namespace vksort::bench
