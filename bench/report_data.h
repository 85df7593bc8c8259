// SPDX-License-Identifier: MIT
//
// The results of vksort-bench, read back from their JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vksort::bench::report {

// One sentence: which member does not fit the schema, and why.
struct SchemaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Scenario {
    std::string operation;
    std::string key;
    uint64_t value_bytes = 0;
    bool descending = false;
    uint64_t begin_bit = 0; // sorted by the bits [begin_bit, end_bit); both 0, or absent: by all
    uint64_t end_bit = 0;
    uint64_t count = 0;
    std::string distribution;
    double mean_segment = 0; // 0: not segmented
    std::string other;       // members that this version does not know; scenarios that differ in one are not the same
    auto operator<=>(const Scenario&) const = default;
};

// Microseconds.
struct Times {
    double median = 0;
    double p5 = 0;
    double p95 = 0;
    double least = 0;
    double greatest = 0;
};

struct PassTime {
    std::string name;
    double us = 0;
};

struct Result {
    Scenario scenario;
    std::string contender;
    std::string status;
    std::string message;
    std::optional<double> runs;
    std::optional<Times> gpu;
    std::optional<Times> wall;
    std::optional<double> items_per_second;
    std::optional<double> model_bytes;
    std::optional<double> roofline_share;
    std::optional<double> scratch_bytes;
    std::vector<PassTime> passes;
};

struct Results {
    nlohmann::json about; // everything but the results: program, device, date, method
    std::vector<Result> results;
};

// Throws SchemaError.
Results read_results(const nlohmann::json& json);

// By the GPU's clock if there is one, else by the wall clock. Null where nothing was measured.
const Times* measured(const Result& result);
// Items a second; 0 where nothing was measured.
double rate(const Result& result);
// (p95 - p5) / median
double noise(const Times& times);

enum class Change { kFaster, kSlower, kSame };
// What a ratio of throughputs says when it may be off by `tolerance`, a share.
Change change(double ratio, double tolerance);

bool is_vksort(const std::string& contender);
// A copy bounds a sort; it does not compete with it.
bool is_roofline(const std::string& contender);

// "segmented sort u32+4 descending", "sort u32, bits 16 to 31": the scenario without count, distribution and segments.
std::string kind_text(const Scenario& scenario);
// "sort u32, n = 2^24, uniform"
std::string scenario_text(const Scenario& scenario);
// "2^24", or "1,000,000"
std::string count_text(uint64_t count);
// The same of a mean, which may be broken.
std::string segment_text(double mean);

} // namespace vksort::bench::report
