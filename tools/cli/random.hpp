// SPDX-License-Identifier: MIT
//
// splitmix64 (Steele, Lea and Flood, 2014): tiny, and the same everywhere.
#pragma once

#include <cstdint>

// The upper half of a 64 x 64 bit product.
inline uint64_t multiply_high(uint64_t a, uint64_t b) {
    const uint64_t a_low = a & 0xffffffff;
    const uint64_t a_high = a >> 32;
    const uint64_t b_low = b & 0xffffffff;
    const uint64_t b_high = b >> 32;
    const uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    const uint64_t carry = (middle & 0xffffffff) + a_low * b_high;
    return a_high * b_high + (middle >> 32) + (carry >> 32);
}

class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        state_ += 0x9e3779b97f4a7c15;
        uint64_t z = state_;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    // 0 to n - 1, evenly up to a part in 2^64 / n.
    uint64_t below(uint64_t n) { return multiply_high(next(), n); }

private:
    uint64_t state_;
};
