// SPDX-License-Identifier: MIT
//
// Which scenarios are run, by whom and how long.
#pragma once

#include "measure.h"

namespace vksort::bench {

struct Task {
    Scenario scenario;
    std::vector<std::string> contenders; // parts of names; empty: everybody
};

struct Preset {
    std::string name;
    Method method;
    uint64_t largest_host_count = 1 << 22; // std::sort and its like take no more: they would take most of the time
    std::vector<Task> tasks;
};

Preset quick_preset(bool cpu_device); // under a minute, on a CPU driver too
Preset default_preset(bool cpu_device, uint64_t seed);
Preset campaign_preset(bool cpu_device, uint64_t seed);

// Is `name` one of them? "vksort" means all of vksort's, an exact name only that one.
bool is_chosen(const std::string& name, const std::vector<std::string>& chosen);

// Every combination. A merge takes uniform keys, and only segmented sorts have mean lengths. Throws std::invalid_argument
// where a key has no such bits.
struct Choice {
    std::vector<Operation> operations{Operation::sort};
    std::vector<VksortKeyType> keys{VKSORT_KEY_U32};
    std::vector<uint32_t> value_bytes{0};
    std::vector<bool> descending{false};
    std::vector<BitRange> bits{BitRange{}};
    std::vector<uint64_t> counts{1 << 20};
    std::vector<Distribution> distributions{Distribution::uniform};
    std::vector<uint64_t> mean_segments{1000};
};
std::vector<Scenario> combine(const Choice& choice);

// Log-uniform between the two, ends included; neither even nor powers of two by design.
std::vector<uint64_t> random_counts(size_t how_many, uint64_t least, uint64_t greatest, uint64_t seed);

} // namespace vksort::bench
