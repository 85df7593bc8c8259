// SPDX-License-Identifier: MIT
//
// What is made of the times of many runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace vksort::bench {

struct Summary { // microseconds
    double median = 0, p5 = 0, p95 = 0, least = 0, greatest = 0;
};

// `sorted` rises and is not empty; between two elements the quantile is interpolated.
double quantile(std::span<const double> sorted, double fraction);

Summary summarize(std::vector<double> times);

// Half the width of the median's 95 % confidence interval, as a share of the median. From order statistics, so it assumes
// nothing about the times' distribution. Infinite for less than 6 runs, which have no such interval.
double median_uncertainty(std::span<const double> sorted);

// When to stop.
struct Steadiness {
    uint32_t least_runs = 11;
    uint32_t most_runs = 101;
    double most_seconds = 0.5; // not counted before least_runs
    double uncertainty = 0.005;
};

// Runs `once`, which gives a time in microseconds or nothing where it was interrupted, until the median is steady. `clock`
// gives seconds.
std::vector<double> sample(const Steadiness& steadiness, const std::function<std::optional<double>()>& once,
                           const std::function<double()>& clock);

} // namespace vksort::bench
