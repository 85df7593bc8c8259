// SPDX-License-Identifier: MIT
//
// Sorts whose count the GPU knows alone, beside plans made for exactly that count: the target, and the table, CSV and
// picture of what was measured.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "results.h"

namespace vksort::bench {

// Whoever is measured at a count.
enum class CapacityContender {
    exact,  // vksort, by a plan made for the count, which the host knows
    vksort, // by a plan made for the capacity, with the count in a buffer
    vrdx,   // the same by VRDX
};

struct CapacityCell {
    CapacityContender contender = CapacityContender::exact;
    uint64_t capacity = 0; // exact: the count
    uint64_t count = 0;
    Status status = Status::ok;
    std::string message;   // why there is no time
    std::string algorithm; // that vksort chose
    uint32_t runs = 0;
    Summary gpu; // microseconds
};

// One table: a kind of sort and a distribution.
struct CapacityTable {
    Scenario scenario; // its count says nothing
    std::vector<CapacityCell> cells;
};

// Counts of 0 and 1 leave nothing to compare with, so their limit is a time. All others may take the exact plan's time, a
// quarter more, and what a few empty dispatches take.
inline constexpr double kFewestLimit = 8;
inline constexpr double kExactFactor = 1.25;
inline constexpr double kExactAllowance = 5;
double capacity_limit(uint64_t count, double exact_us);

struct CapacityVerdict {
    double exact_us = 0;
    double limit_us = 0;
    double to_exact = 0; // the cell's time over the exact plan's
    double to_limit = 0; // 1 and less is within the target
    bool is_within() const { return to_limit <= 1; }
};
// Nothing where the cell or the exact plan of its count has no time, or where the cell is an exact plan itself.
std::optional<CapacityVerdict> verdict_of(const CapacityTable& table, const CapacityCell& cell);

// A row for the exact plans and one for each capacity, a column for each of `counts` and one for the full capacity; below
// it the reasons of cells without a time.
std::string capacity_markdown(const CapacityTable& table, const std::vector<uint64_t>& counts);
// How many cells of vksort's are within the target, and which is the worst.
std::string capacity_summary(const std::vector<CapacityTable>& tables);

inline constexpr const char* kCapacityCsvColumns =
    "key,value_bytes,distribution,contender,capacity,count,status,message,algorithm,runs,gpu_us_median,gpu_us_p5,gpu_us_p95,"
    "gpu_us_least,gpu_us_greatest,exact_us_median,limit_us,to_exact,to_limit,within";
// Comments with "#" that say where it was measured, a line of column names, a line a cell.
std::string capacity_csv(const nlohmann::json& head, const std::vector<CapacityTable>& tables);

// Time over count, a line for each capacity, the exact plans and VRDX beside them; empty where nothing was measured.
std::string capacity_picture(const CapacityTable& table, const std::string& device);

} // namespace vksort::bench
