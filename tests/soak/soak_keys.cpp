// SPDX-License-Identifier: MIT
#include "soak_keys.h"

#include <algorithm>
#include <cmath>

#include "../reference.h"

namespace vksort::test {

namespace {

using reference::key_bits;
using reference::low_bits;

// As the keys of splats: a tile of the screen in the high half, few of which have most of them, and a depth below.
void tiles_above_depths(std::vector<uint64_t>& keys, uint32_t bits, Random& random) {
    const uint32_t low = bits / 2;
    const uint64_t tiles = 1 + random.below(std::min<uint64_t>(uint64_t{1} << low, 5000));
    for (uint64_t& key : keys) {
        const auto tile = static_cast<uint64_t>(std::pow(random.unit(), 3) * static_cast<double>(tiles));
        const double depth = std::exp2(static_cast<double>(low) * (1 - std::pow(random.unit(), 2) / 8));
        key = tile << low | (static_cast<uint64_t>(depth) & low_bits(low));
    }
}

// Near few numbers, more or less closely; among floats with zeros of both signs, infinities and NaNs.
void near_few(std::vector<uint64_t>& keys, VksortKeyType type, Random& random) {
    const uint32_t bits = key_bits(type);
    const uint64_t near = low_bits(static_cast<uint32_t>(random.below(bits)));
    std::vector<uint64_t> centers(1 + random.below(40));
    for (uint64_t& center : centers) {
        center = random.next() & low_bits(bits);
    }
    const uint64_t sign = uint64_t{1} << (bits - 1);
    const uint32_t mantissa = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    const uint64_t infinity = low_bits(bits - 1) & ~low_bits(mantissa);
    const uint64_t patterns[] = {0, sign,    infinity, infinity | sign, infinity | 1, low_bits(bits), low_bits(bits - 1),
                                 1, sign | 1};
    const bool floats = reference::kind_of(type) == reference::Kind::floating;
    const uint64_t one_in = 2 + random.below(200);
    for (uint64_t& key : keys) {
        const uint64_t center = centers[random.below(centers.size())];
        key = (center + (random.next() & near)) & low_bits(bits);
        if (floats && random.below(one_in) == 0) {
            key = reference::ordered_from_bits(type, patterns[random.below(std::size(patterns))]);
        }
    }
}

// Evenly spread over some range, some perhaps far outside of it.
void over_a_range(std::vector<uint64_t>& keys, uint32_t bits, Random& random) {
    const uint64_t width = 1 + (random.next() & low_bits(static_cast<uint32_t>(1 + random.below(bits))));
    const uint64_t least = random.next() & low_bits(bits);
    const uint64_t strays = random.below(2) == 0 ? 0 : 1 + random.below(2000);
    for (uint64_t& key : keys) {
        const bool stray = strays != 0 && random.below(strays) == 0;
        key = (stray ? random.next() : least + (width == 0 ? random.next() : random.next() % width)) & low_bits(bits);
    }
}

// Up and down, or up again and again.
void waves(std::vector<uint64_t>& keys, uint32_t bits, Random& random) {
    const uint64_t period = 1 + random.below(std::max<uint64_t>(keys.size(), 1));
    const bool falls = random.below(2) == 0;
    const uint64_t step = 1 + (random.next() & low_bits(static_cast<uint32_t>(random.below(bits))));
    for (uint64_t i = 0; i < keys.size(); ++i) {
        const uint64_t place = i % period;
        keys[i] = step * (falls && i / period % 2 == 1 ? period - place : place) & low_bits(bits);
    }
}

// Each value several times.
void some_values(std::vector<uint64_t>& keys, uint32_t bits, Random& random) {
    const uint64_t values = 1 + random.below(static_cast<uint64_t>(std::exp2(random.unit() * 14)));
    const uint64_t salt = random.next();
    for (uint64_t& key : keys) {
        key = mix(salt, random.below(values)) & low_bits(bits);
    }
}

} // namespace

NamedKeys draw_keys(VksortKeyType type, uint64_t count, Random& random) {
    NamedKeys keys = {"", std::vector<uint64_t>(count)};
    switch (random.below(5)) {
    case 0:
        keys.name = "tiles above depths";
        tiles_above_depths(keys.ordered, key_bits(type), random);
        break;
    case 1:
        keys.name = "near few numbers";
        near_few(keys.ordered, type, random);
        break;
    case 2:
        keys.name = "over a range";
        over_a_range(keys.ordered, key_bits(type), random);
        break;
    case 3:
        keys.name = "waves";
        waves(keys.ordered, key_bits(type), random);
        break;
    default:
        keys.name = "some values";
        some_values(keys.ordered, key_bits(type), random);
        break;
    }
    return keys;
}

} // namespace vksort::test
