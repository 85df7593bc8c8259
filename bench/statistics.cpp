// SPDX-License-Identifier: MIT
#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vksort::bench {

double quantile(std::span<const double> sorted, double fraction) {
    const double place = fraction * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

Summary summarize(std::vector<double> times) {
    if (times.empty()) {
        return {};
    }
    std::sort(times.begin(), times.end());
    return {quantile(times, 0.5), quantile(times, 0.05), quantile(times, 0.95), times.front(), times.back()};
}

double median_uncertainty(std::span<const double> sorted) {
    constexpr size_t kLeast = 6; // 1 - 2 * 2^-5 is less than 0.95
    if (sorted.size() < kLeast) {
        return std::numeric_limits<double>::infinity();
    }
    // Ranks n/2 -+ 1.96 sqrt(n)/2, the normal approximation of the binomial distribution.
    const auto count = static_cast<double>(sorted.size());
    const double reach = 0.98 * std::sqrt(count);
    const auto low = static_cast<size_t>(std::max(0.0, std::floor(count / 2 - reach)));
    const auto high = std::min(sorted.size() - 1, static_cast<size_t>(std::ceil(count / 2 + reach)));
    const double median = quantile(sorted, 0.5);
    return median > 0 ? (sorted[high] - sorted[low]) / (2 * median) : 0;
}

std::vector<double> sample(const Steadiness& steadiness, const std::function<std::optional<double>()>& once,
                           const std::function<double()>& clock) {
    std::vector<double> sorted;
    const double begin = clock();
    while (sorted.size() < std::max(steadiness.most_runs, steadiness.least_runs)) {
        const std::optional<double> time = once();
        if (!time) {
            break;
        }
        sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), *time), *time);
        if (sorted.size() >= steadiness.least_runs &&
            (median_uncertainty(sorted) <= steadiness.uncertainty || clock() - begin >= steadiness.most_seconds)) {
            break;
        }
    }
    return sorted;
}

} // namespace vksort::bench
