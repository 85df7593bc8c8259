// SPDX-License-Identifier: MIT
//
// One contender on one scenario: verified, then timed.
#pragma once

#include <atomic>

#include "results.h"

namespace vksort::bench {

struct Method {
    uint32_t warm_up_runs = 2;
    double warm_up_seconds = 0.3; // a GPU that idled takes its time to raise its clocks
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
    void time(const Contender& contender, Job& job, Result& result) const;

    Method method_;
    std::optional<double> roofline_;
    const std::atomic<bool>& interrupted_;
    HostBytes keys_, values_; // of results, kept: they are large
};

} // namespace vksort::bench
