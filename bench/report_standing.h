// SPDX-License-Identifier: MIT
//
// vksort against the other libraries: how often it is faster, where it is slower, and what has no time at all.
#pragma once

#include <string>
#include <vector>

#include "report_slices.h"

namespace vksort::bench::report {

// One of vksort's contenders against one of another library, in all scenarios that both were timed in.
struct Pair {
    struct Extreme {
        double ratio = 0;
        const Scenario* scenario = nullptr;
    };
    std::string ours;
    std::string theirs;
    size_t faster = 0;
    size_t slower = 0;
    size_t same = 0;
    double mean = 0; // geometric
    Extreme worst;
    Extreme best;
};

// A scenario in which another library is faster by more than the noise. `ours` is the scenario's subject_of.
struct Loss {
    const Result* ours = nullptr;
    const Result* theirs = nullptr;
    Ratio ratio;
};

struct Standing {
    std::vector<Pair> pairs;
    std::vector<Loss> losses; // the worst first
};

Standing standing_of(const Results& results, const Contenders& contenders);

// A row for each pair.
Table standing_table(const Standing& standing, const Contenders& contenders);

// The pairs, and every scenario that is lost. Empty without a pair.
std::string standing_html(const Results& results, const Contenders& contenders);

// What has no figures, so that it is not taken for not tried.
Table failures_table(const Results& results);

} // namespace vksort::bench::report
