// SPDX-License-Identifier: MIT
//
// What a sort costs whose count the GPU knows alone: by a plan made for a capacity, beside a plan made for that very count.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "capacity_table.h"

namespace vksort::bench {

// What is empty is chosen by the device: a CPU driver gets less to do.
struct CapacityOptions {
    std::string device;
    std::vector<std::string> kinds = {"u32", "u32+4", "f32", "f32+4", "u64", "u64+4"};
    std::vector<std::string> capacities, counts, distributions;
    uint32_t runs = 15;
    uint64_t seed = 1;
    std::string csv, svg;
};

void add_capacity_options(CLI::App& app, CapacityOptions& options);

// The tables without their cells, and what is measured for each of them. Throws std::invalid_argument.
struct CapacityWork {
    std::vector<CapacityTable> tables;
    std::vector<uint64_t> capacities, counts; // both rise
};
CapacityWork capacity_work(const CapacityOptions& options, bool cpu_device);

// The file of a table's picture: the name given, with the kind and the distribution in it where there are several.
std::string capacity_picture_path(const std::string& path, const CapacityTable& table, size_t tables);

// Prints the tables, and writes the files. `command` is what the CSV says of where it came from.
int time_capacities(const CapacityOptions& options, const std::string& command);

} // namespace vksort::bench
