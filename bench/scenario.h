// SPDX-License-Identifier: MIT
//
// What is sorted: one line of the tables, apart from who sorts it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vksort/vksort.h"

namespace vksort::bench {

enum class Operation { sort, merge, segmented_sort };

enum class Distribution {
    uniform, // every bit pattern: 1.000 bit of entropy a bit of key
    and2,    // the bits of 2 to 5 uniform keys, ANDed: .811, .544, .337, .201 bits (Thearling and Smith)
    and3,
    and4,
    and5,
    sorted, // in the order asked for
    reversed,
    equal,
    few,           // 5 different keys
    nearly_sorted, // one key in 50 is out of place
    low16,         // 16 significant bits: the higher ones are the same
    zipf,          // 1000 different keys, the r-th with a frequency of about 1/r
    unit,          // numbers from 0 to 1, as floats order them
    normal,        // normally distributed ones of mean 0 and deviation 1, the same
    offset,        // of mean 1,000,000
    // Depths as a projection has them, 1 - 1 / d, d from 10 to 1000 and uniformly distributed: most are near 1.
    projected,
    splats, // tile of a screen, then depth, as renderers of Gaussian splats sort them
    morton, // Morton codes of points in space, most of them in clusters
};

inline constexpr Distribution kDistributions[] = {
    Distribution::uniform,   Distribution::and2,     Distribution::and3,   Distribution::and4,   Distribution::and5,
    Distribution::sorted,    Distribution::reversed, Distribution::equal,  Distribution::few,    Distribution::nearly_sorted,
    Distribution::low16,     Distribution::zipf,     Distribution::unit,   Distribution::normal, Distribution::offset,
    Distribution::projected, Distribution::splats,   Distribution::morton,
};

// The bits [begin, end) of a key's ordered form; both 0: all of them, as in VksortPlanDesc.
struct BitRange {
    uint32_t begin = 0, end = 0;
    bool operator==(const BitRange&) const = default;
    bool is_all() const { return *this == BitRange{}; }
    uint64_t mask() const {
        const uint64_t below_end = end % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << end) - 1;
        return below_end & ~((uint64_t{1} << begin) - 1);
    }
};

struct Scenario {
    Operation operation = Operation::sort;
    VksortKeyType key = VKSORT_KEY_U32;
    uint32_t value_bytes = 0;
    bool descending = false;
    BitRange bits;      // that are sorted by; sorts only
    uint64_t count = 0; // merge: of both inputs together
    Distribution distribution = Distribution::uniform;
    uint64_t mean_segment = 0; // elements; segmented sorts only

    bool operator==(const Scenario&) const = default;
    uint64_t key_bytes() const { return vksortKeySize(key); }
    // A whole input or output.
    uint64_t bytes() const { return count * (key_bytes() + value_bytes); }
    uint64_t count_a() const { return operation == Operation::merge ? count / 2 : count; }
};

const char* name_of(Operation operation);
const char* name_of(Distribution distribution);
Operation parse_operation(std::string_view name); // these throw std::invalid_argument with the names there are
Distribution parse_distribution(std::string_view name);
VksortKeyType parse_key_type(std::string_view name);
uint64_t parse_count(const std::string& text);          // "1000000" or "2^20"
uint64_t parse_sorted_count(const std::string& text);   // not 0
uint32_t checked_value_bytes(uint32_t bytes);           // what a value may have
BitRange parse_bits(const std::string& text);           // "16:32"
BitRange bits_of_key(BitRange bits, VksortKeyType key); // where the key has them; its whole width is all bits

// "u32+4": the key type and the bytes of its value.
std::string kind_text(const Scenario& scenario);
void parse_kind(const std::string& text, Scenario& scenario);
// "sort u32+4, 2^20, uniform", "sort u32, bits 16 to 31, 2^20, uniform"
std::string text_of(const Scenario& scenario);
std::string count_text(uint64_t count); // "2^20" or "1000000"

} // namespace vksort::bench
