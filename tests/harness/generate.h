// SPDX-License-Identifier: MIT
//
// Keys of every kind that has broken a sort before.
#pragma once

#include <cstdint>
#include <vector>

#include "../reference.h"
#include "random.h"

namespace vksort::test {

using reference::Bytes;
using reference::ByteSpan;

enum class Distribution {
    uniform, // every bit pattern, so NaNs among the floats
    sorted,  // ascending already
    reversed,
    equal, // one key
    few,   // 5 distinct keys
    and2,  // bits set with probability 2^-2 .. 2^-5 (Thearling and Smith's entropy levels)
    and3,
    and4,
    and5,
    nearly_sorted, // one key in 50 is out of place
    low16,         // only the low 16 bits of the ordered form differ, so higher digits are the same
    special,       // the ends of the range, zeros of both signs, infinities, NaNs, denormals, and some of everything
    zipf,          // a few keys are very frequent
    clusters,      // even from afar: near 4096 numbers that are spread evenly
};

inline constexpr Distribution kAllDistributions[] = {
    Distribution::uniform, Distribution::sorted,        Distribution::reversed, Distribution::equal,
    Distribution::few,     Distribution::and2,          Distribution::and3,     Distribution::and4,
    Distribution::and5,    Distribution::nearly_sorted, Distribution::low16,    Distribution::special,
    Distribution::zipf,    Distribution::clusters,
};

const char* name_of(Distribution distribution);

// `count` dense keys.
Bytes generate_keys(VksortKeyType type, uint64_t count, Distribution distribution, uint64_t seed);

// Keys in whose ordered form only the 8-bit digits of `mask` differ, the others are the same: bit d of the mask stands for
// digit d. Every digit of the mask has at least two values where count is at least 2.
Bytes generate_digits(VksortKeyType type, uint64_t count, uint32_t mask, uint64_t seed);

// Keys that are given in ordered form, in which all key types are alike.
Bytes stored_keys(VksortKeyType type, const std::vector<uint64_t>& ordered);

// Payload that tells where a value came from: the first word is the element's index, the others follow from it.
Bytes generate_values(uint64_t count, uint32_t value_size);

} // namespace vksort::test
