// SPDX-License-Identifier: MIT
//
// How long vksortCreatePlan takes where the driver has compiled nothing before: each plan in a process of its own, with the
// driver's caches on disk turned off.
#pragma once

#include <string>
#include <vector>

namespace vksort::bench {

struct PlanOptions {
    std::string device;
    std::vector<std::string> kinds = {"u32", "u32+4", "u64", "u64+4", "f32+4", "u16+4"};
    std::vector<std::string> counts = {"2^10", "2^13", "2^16", "2^20", "2^24", "2^28"};
    std::vector<std::string> segmented_kinds = {"u32", "u32+4", "u64", "u64+4"}; // of 2^24 elements in 2^20 segments
    bool prepare_later = false;
    bool side_by_side = false; // pipelines compile on all processors, not one after another
};

// Prints a table. `program` is what to start again for each plan.
int time_plans(const std::string& program, const PlanOptions& options);

// The part of the process that is started: one plan, whose figures are printed in one line. kind: "u32+4", or
// "segments:u32+4".
int time_one_plan(const PlanOptions& options, const std::string& kind, const std::string& count);

} // namespace vksort::bench
