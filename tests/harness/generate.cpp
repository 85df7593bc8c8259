// SPDX-License-Identifier: MIT
#include "generate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vksort::test {

using reference::bits_from_ordered;
using reference::key_bits;
using reference::key_size;
using reference::Kind;
using reference::kind_of;
using reference::low_bits;
using reference::store_bits;

namespace {

struct FloatShape {
    uint32_t mantissa;
    uint32_t exponent;
};

FloatShape shape_of(VksortKeyType type) {
    switch (type) {
    case VKSORT_KEY_F16: return {10, 5};
    case VKSORT_KEY_F32: return {23, 8};
    default: return {52, 11};
    }
}

// Bit patterns at which an order goes wrong first.
std::vector<uint64_t> special_bits(VksortKeyType type) {
    uint32_t bits = key_bits(type);
    uint64_t sign = uint64_t{1} << (bits - 1);
    std::vector<uint64_t> special = {0, 1, 2, sign - 1, sign, sign + 1, low_bits(bits), low_bits(bits) - 1};
    if (kind_of(type) == Kind::floating) {
        FloatShape shape = shape_of(type);
        uint64_t infinity = low_bits(shape.exponent) << shape.mantissa;
        uint64_t quiet = uint64_t{1} << (shape.mantissa - 1);
        uint64_t one = low_bits(shape.exponent - 1) << shape.mantissa;
        uint64_t largest_denormal = low_bits(shape.mantissa);
        for (uint64_t magnitude : {infinity, infinity | 1, infinity | quiet, infinity | quiet | 1, infinity - 1, one,
                                   one + 1, largest_denormal, largest_denormal + 1}) {
            special.push_back(magnitude);
            special.push_back(magnitude | sign);
        }
    }
    return special;
}

uint64_t and_of(Random& random, int terms) {
    uint64_t bits = random.next();
    for (int i = 1; i < terms; ++i) {
        bits &= random.next();
    }
    return bits;
}

// Rank r of 1000 with probability about 1/r.
uint64_t zipf_rank(Random& random) { return static_cast<uint64_t>(std::exp(random.unit() * std::log(1000.0))); }

std::vector<uint64_t> uniform_ordered(uint64_t count, uint32_t bits, Random& random) {
    std::vector<uint64_t> keys(count);
    for (uint64_t& key : keys) {
        key = random.next() & low_bits(bits);
    }
    return keys;
}

std::vector<uint64_t> sorted_ordered(uint64_t count, uint32_t bits, Random& random) {
    std::vector<uint64_t> keys = uniform_ordered(count, bits, random);
    std::sort(keys.begin(), keys.end());
    return keys;
}

// In the ordered form, in which all key types are alike.
std::vector<uint64_t> ordered_keys(VksortKeyType type, uint64_t count, Distribution distribution, Random& random) {
    uint32_t bits = key_bits(type);
    std::vector<uint64_t> keys(count);
    switch (distribution) {
    case Distribution::sorted: return sorted_ordered(count, bits, random);
    case Distribution::reversed:
        keys = sorted_ordered(count, bits, random);
        std::reverse(keys.begin(), keys.end());
        return keys;
    case Distribution::nearly_sorted:
        keys = sorted_ordered(count, bits, random);
        for (uint64_t i = 0; i < count / 50 + 1 && count > 0; ++i) {
            std::swap(keys[random.below(count)], keys[random.below(count)]);
        }
        return keys;
    case Distribution::equal: std::fill(keys.begin(), keys.end(), random.next() & low_bits(bits)); return keys;
    case Distribution::few:
    case Distribution::zipf: {
        uint64_t salt = random.next();
        for (uint64_t& key : keys) {
            uint64_t rank = distribution == Distribution::few ? random.below(5) : zipf_rank(random);
            key = mix(salt, rank) & low_bits(bits);
        }
        return keys;
    }
    case Distribution::and2:
    case Distribution::and3:
    case Distribution::and4:
    case Distribution::and5: {
        int terms = 2 + static_cast<int>(distribution) - static_cast<int>(Distribution::and2);
        for (uint64_t& key : keys) {
            key = and_of(random, terms) & low_bits(bits);
        }
        return keys;
    }
    case Distribution::low16: {
        uint64_t high = bits <= 16 ? 0 : random.next() & low_bits(bits) & ~low_bits(16);
        for (uint64_t& key : keys) {
            key = high | (random.next() & low_bits(std::min(bits, 16u)));
        }
        return keys;
    }
    case Distribution::special: {
        std::vector<uint64_t> special = special_bits(type);
        for (uint64_t& key : keys) {
            uint64_t pattern = random.below(8) == 0 ? random.next() & low_bits(bits) : special[random.below(special.size())];
            key = reference::ordered_from_bits(type, pattern);
        }
        return keys;
    }
    case Distribution::clusters: {
        const uint64_t varying = (low_bits(12) << (bits - std::min(bits, 12u)) | low_bits(10)) & low_bits(bits);
        for (uint64_t& key : keys) {
            key = random.next() & varying;
        }
        return keys;
    }
    default: return uniform_ordered(count, bits, random);
    }
}

} // namespace

const char* name_of(Distribution distribution) {
    switch (distribution) {
    case Distribution::uniform: return "uniform";
    case Distribution::sorted: return "sorted";
    case Distribution::reversed: return "reversed";
    case Distribution::equal: return "equal";
    case Distribution::few: return "few";
    case Distribution::and2: return "and2";
    case Distribution::and3: return "and3";
    case Distribution::and4: return "and4";
    case Distribution::and5: return "and5";
    case Distribution::nearly_sorted: return "nearly-sorted";
    case Distribution::low16: return "low16";
    case Distribution::special: return "special";
    case Distribution::zipf: return "zipf";
    case Distribution::clusters: return "clusters";
    }
    return "?";
}

Bytes generate_keys(VksortKeyType type, uint64_t count, Distribution distribution, uint64_t seed) {
    Random random(mix(seed, hash(name_of(distribution))));
    return stored_keys(type, ordered_keys(type, count, distribution, random));
}

Bytes generate_digits(VksortKeyType type, uint64_t count, uint32_t mask, uint64_t seed) {
    Random random(mix(seed, mask));
    uint64_t varying = 0;
    for (uint32_t digit = 0; digit < key_size(type); ++digit) {
        varying |= (mask >> digit & 1) != 0 ? uint64_t{0xFF} << (8 * digit) : 0;
    }
    uint64_t constant = random.next() & low_bits(key_bits(type)) & ~varying;
    std::vector<uint64_t> keys(count);
    for (uint64_t& key : keys) {
        key = constant | (random.next() & varying);
    }
    if (count >= 2) {
        keys[count - 1] = constant | (~keys[0] & varying);
    }
    return stored_keys(type, keys);
}

Bytes stored_keys(VksortKeyType type, const std::vector<uint64_t>& ordered) {
    uint32_t size = key_size(type);
    Bytes bytes(ordered.size() * size);
    for (size_t i = 0; i < ordered.size(); ++i) {
        store_bits(bytes.data() + i * size, size, bits_from_ordered(type, ordered[i]));
    }
    return bytes;
}

Bytes generate_values(uint64_t count, uint32_t value_size) {
    uint32_t words = value_size / 4;
    Bytes bytes(count * value_size);
    for (uint64_t i = 0; i < count; ++i) {
        for (uint32_t word = 0; word < words; ++word) {
            uint64_t content = word == 0 ? i : mix(i, word);
            store_bits(bytes.data() + i * value_size + word * 4, 4, content & 0xFFFFFFFF);
        }
    }
    return bytes;
}

} // namespace vksort::test
