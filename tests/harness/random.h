// SPDX-License-Identifier: MIT
//
// Deterministic numbers: the same seed gives the same data on every machine and compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../../bench/random.h"

namespace vksort::test {

using bench::mix;

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
    constexpr double unit() { return bench::unit(next()); }

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
