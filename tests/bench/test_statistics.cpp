// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "random.h"
#include "statistics.h"

namespace vksort::bench {
namespace {

TEST(Statistics, QuantilesInterpolate) {
    const std::vector<double> times = {1, 2, 3, 4, 10};
    EXPECT_DOUBLE_EQ(quantile(times, 0), 1);
    EXPECT_DOUBLE_EQ(quantile(times, 0.5), 3);
    EXPECT_DOUBLE_EQ(quantile(times, 1), 10);
    EXPECT_DOUBLE_EQ(quantile(times, 0.875), 7);
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{5}, 0.95), 5);
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{1, 2}, 0.5), 1.5);
}

TEST(Statistics, SummaryOfUnsortedTimes) {
    std::vector<double> times(101);
    std::iota(times.begin(), times.end(), 0.0);
    std::swap(times[0], times[100]);
    std::swap(times[7], times[50]);
    const Summary summary = summarize(times);
    EXPECT_DOUBLE_EQ(summary.median, 50);
    EXPECT_DOUBLE_EQ(summary.p5, 5);
    EXPECT_DOUBLE_EQ(summary.p95, 95);
    EXPECT_DOUBLE_EQ(summary.least, 0);
    EXPECT_DOUBLE_EQ(summary.greatest, 100);
    EXPECT_EQ(summarize({}).median, 0);
}

TEST(Statistics, UncertaintyOfTheMedian) {
    EXPECT_TRUE(std::isinf(median_uncertainty(std::vector<double>(5, 1.0))));
    EXPECT_DOUBLE_EQ(median_uncertainty(std::vector<double>(6, 1.0)), 0);
    // An outlier does not matter.
    std::vector<double> times(21, 100.0);
    times.back() = 1e9;
    EXPECT_DOUBLE_EQ(median_uncertainty(times), 0);
}

// The interval must hold the true median about 95 times in 100.
TEST(Statistics, TheIntervalOfTheMedianHoldsIt) {
    constexpr int kTrials = 2000;
    for (const size_t count : {11u, 31u, 101u}) {
        int held = 0;
        for (int trial = 0; trial < kTrials; ++trial) {
            std::vector<double> times;
            for (size_t i = 0; i < count; ++i) {
                times.push_back(1000 + unit(mix(count * kTrials + static_cast<size_t>(trial), i)));
            }
            std::sort(times.begin(), times.end());
            const double median = quantile(times, 0.5);
            // Twice the half-width, since the interval is not centred on the median.
            held += std::abs(median - 1000.5) <= 2 * median_uncertainty(times) * median ? 1 : 0;
        }
        EXPECT_GT(held, kTrials * 95 / 100) << count;
    }
}

class Sampling : public testing::Test {
protected:
    // Each run takes `step` on the clock and gives the next time.
    std::vector<double> run(const Steadiness& steadiness, std::vector<double> times, double step) {
        double now = 0;
        size_t next = 0;
        return sample(
            steadiness,
            [&]() -> std::optional<double> {
                now += step;
                return next < times.size() ? std::optional(times[next++]) : std::nullopt;
            },
            [&] { return now; });
    }
};

TEST_F(Sampling, StopsWhenSteady) { EXPECT_EQ(run({7, 100, 1e9, 0.01}, std::vector<double>(200, 5.0), 1).size(), 7u); }

TEST_F(Sampling, GoesOnWhileNoisy) {
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        times.push_back(i % 2 == 0 ? 1.0 : 2.0);
    }
    EXPECT_EQ(run({7, 50, 1e9, 0.01}, times, 1).size(), 50u);
    EXPECT_EQ(run({7, 50, 20, 0.01}, times, 1).size(), 20u);
}

TEST_F(Sampling, TheFloorComesBeforeTheCeilings) {
    EXPECT_EQ(run({9, 3, 0.5, 0.01}, std::vector<double>(200, 5.0), 1).size(), 9u);
}

TEST_F(Sampling, AnInterruptionEndsIt) {
    const std::vector<double> times = run({9, 30, 1e9, 0.01}, {3, 1, 2}, 1);
    EXPECT_EQ(times, (std::vector<double>{1, 2, 3}));
}

} // namespace
} // namespace vksort::bench
