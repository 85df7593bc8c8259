// SPDX-License-Identifier: MIT
//
// Two files of results side by side.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace vksort::bench {

// Prints how the throughput of every scenario and contender changed. A change counts if it is larger than `threshold` (0.05:
// 5%) and than the noise, (p95 - p5) / median, of both measurements. Returns 0; 1 if something became slower by that
// measure, or wrong; 2, with words, if a file does not fit the schema.
int compare_results(const nlohmann::json& before, const nlohmann::json& after, double threshold, std::ostream& out);

} // namespace vksort::bench
