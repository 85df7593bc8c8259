// SPDX-License-Identifier: MIT
//
// What a sort, a merge or a segmented sort tells of itself.
#pragma once

#include <cstdint>
#include <string>

#include "vksort/vksort_host.hpp"

// "<done> on <device> by <algorithm> in <time> (<rate>)"; `done` as in "sorted 100 u32 keys".
std::string summary_text(const std::string& done, const std::string& device, uint64_t count,
                         const vksort::host::SortOutcome& outcome);

// A table of the passes with their times.
std::string timings_text(const vksort::host::SortOutcome& outcome);

// A table of what each pass of a locality or segmented sort merged and copied.
std::string work_text(const vksort::host::SortOutcome& outcome);
