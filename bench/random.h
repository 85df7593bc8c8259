// SPDX-License-Identifier: MIT
//
// Random numbers by position, so that any number of threads makes the same input.
#pragma once

#include <cstdint>

namespace vksort::bench {

// SplitMix64's finalizer: a good 64-bit hash.
constexpr uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

constexpr uint64_t mix(uint64_t a, uint64_t b) { return mix(a ^ mix(b)); }

// From 0 to just under 1.
constexpr double unit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

} // namespace vksort::bench
