// SPDX-License-Identifier: MIT
//
// Deterministic numbers: the same seed gives the same data on every machine and compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vksort::test {

// SplitMix64's finalizer: a good 64-bit hash.
constexpr uint64_t mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

constexpr uint64_t mix(uint64_t a, uint64_t b) { return mix(a ^ mix(b)); }

constexpr uint64_t hash(std::string_view text) {
    uint64_t h = 0;
    for (char c : text) {
        h = mix(h, static_cast<unsigned char>(c));
    }
    return h;
}

class Random {
public:
    explicit constexpr Random(uint64_t seed) : state_(seed) {}

    constexpr uint64_t next() { return mix(state_++); }

    // 0 .. bound-1; the bias is below 2^-32 for the bounds in use here.
    constexpr uint64_t below(uint64_t bound) { return bound == 0 ? 0 : next() % bound; }

    // From 0 to just under 1.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    void fill(std::span<std::byte> bytes) {
        uint64_t word = 0;
        for (size_t i = 0; i < bytes.size(); ++i) {
            if (i % 8 == 0) {
                word = next();
            }
            bytes[i] = static_cast<std::byte>(word);
            word >>= 8;
        }
    }

private:
    uint64_t state_;
};

} // namespace vksort::test
