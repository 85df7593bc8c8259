// SPDX-License-Identifier: MIT
//
// The command line of vksort-bench.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "presets.h"

namespace vksort::bench {

struct Options {
    std::string device;
    bool compute_queue = false;
    bool quick = false, campaign = false;
    bool list = false;
    bool passes = false;
    uint64_t seed = 1;
    // A scenario of one's own, where any of these is given.
    std::vector<std::string> operations, keys, counts, orders, distributions;
    std::vector<uint32_t> values;
    std::vector<uint64_t> means;
    std::vector<std::string> contenders;
    // What differs from the preset's method.
    std::optional<uint32_t> runs;
    std::optional<double> seconds, noise;
    std::string json, csv, html;
};

void add_options(CLI::App& app, Options& options);

// The preset that was asked for, or one made of what was. Throws std::invalid_argument.
Preset preset_of(const Options& options, bool cpu_device);

} // namespace vksort::bench
