// SPDX-License-Identifier: MIT
//
// The best of what was measured, and the rows for src/tuning.cpp that follow from it. Pure.
#pragma once

#include <string>
#include <vector>

#include "target.h"

namespace vksort::tune {

// A candidate's median times, one for each scenario of the sweep.
struct Measured {
    Candidate candidate;
    std::vector<double> us;
};

// The one target, kind and count that candidates compete in; scenarios differ by the mean length of segments.
struct Sweep {
    const Target* target = nullptr;
    Scenario kind; // with the count
    std::vector<uint64_t> means;
    bool show_rank = false; // both ways to rank take part

    std::vector<Scenario> scenarios() const;
    // For deciding what can run, before the segments are there: as many as there can be.
    VksortPlanDesc description(size_t scenario) const;
    std::string text() const; // "partition, u32+4, 2^26"
    double items_per_second(double us) const { return static_cast<double>(kind.count) / us * 1e6; }
};

// Best first: by the geometric mean of the times, of equal ones the smaller tile.
void sort_by_time(std::vector<Measured>& measured);
double mean_time(const Measured& measured);

// Where the figures come from.
struct Provenance {
    std::string device, driver;
    uint32_t vendor_id = 0;
    bool cpu_device = false;
    bool compute_queue = false;
    std::string date; // 2026-11-21
};

// The row of the best, with a comment that says how it was found, as in src/tuning.cpp: indented, lines of at most 125
// columns. `sorted` is as sort_by_time leaves it, and not empty.
std::string row_text(const Provenance& provenance, const Sweep& sweep, const std::vector<Measured>& sorted);

} // namespace vksort::tune
