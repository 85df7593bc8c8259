// SPDX-License-Identifier: MIT
//
// One contender on one scenario: verified, then timed.
#pragma once

#include <atomic>

#include "results.h"

namespace vksort::bench {

struct Method {
    uint32_t warm_up_runs = 2;
    // A GPU that idled takes its time to raise its clocks: at least so long, and as long as it idled, to kMostWarmUp times
    // as long.
    double warm_up_seconds = 0.3;
    static constexpr double kMostWarmUp = 5;
    Steadiness gpu;
    Steadiness wall;
    bool passes = true;
};

nlohmann::json to_json(const Method& method);

class Bench {
public:
    Bench(const Method& method, std::optional<double> roofline, const std::atomic<bool>& interrupted)
        : method_(method), roofline_(roofline), interrupted_(interrupted) {}

    // Throws only what the device throws.
    Result measure(Contender& contender, const Input& input);

private:
    std::string check(const Contender& contender, const Input& input, Job& job);
    void time(const Contender& contender, Job& job, Result& result);

    Method method_;
    std::optional<double> roofline_;
    const std::atomic<bool>& interrupted_;
    HostBytes keys_, values_;          // of results, kept: they are large
    std::optional<double> last_timed_; // when the device was last busy for long
};

} // namespace vksort::bench
