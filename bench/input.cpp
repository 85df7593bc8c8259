// SPDX-License-Identifier: MIT
#include "input.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "keys.h"
#include "parallel.h"
#include "random.h"

namespace vksort::bench {

namespace {

// The i-th key in its ordered form, in the low bits.
class KeySource {
public:
    KeySource(Distribution distribution, uint64_t count, uint32_t bits, uint64_t seed)
        : distribution_(distribution), count_(count), bits_(bits),
          mask_(bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1),
          seed_(mix(seed, static_cast<uint64_t>(distribution) + 1)), part_(count == 0 ? 1 : mask_ / count) {}

    uint64_t at(uint64_t i) const {
        const uint64_t random = mix(seed_, i);
        switch (distribution_) {
        case Distribution::and2: return and_of(random, 2);
        case Distribution::and3: return and_of(random, 3);
        case Distribution::and4: return and_of(random, 4);
        case Distribution::and5: return and_of(random, 5);
        case Distribution::sorted: return sorted(i, random);
        case Distribution::reversed: return sorted(count_ - 1 - i, random);
        case Distribution::equal: return mix(seed_) & mask_;
        case Distribution::few: return mix(seed_, ~(random % 5)) & mask_;
        case Distribution::nearly_sorted: return random % 50 == 0 ? mix(random) & mask_ : sorted(i, mix(random));
        case Distribution::low16: return ((mix(seed_) & ~uint64_t{0xFFFF}) | (random & 0xFFFF)) & mask_;
        case Distribution::zipf:
            return mix(seed_, ~static_cast<uint64_t>(std::exp(unit(random) * std::log(1000.0)))) & mask_;
        case Distribution::unit: return ordered(unit(random));
        case Distribution::normal: return ordered(normal(random));
        case Distribution::offset: return ordered(1e6 + normal(random));
        case Distribution::projected: return ordered(1.0 - 1.0 / (10.0 + 990.0 * unit(random)));
        case Distribution::splats: return splat(random);
        case Distribution::morton: return morton(random);
        default: return random & mask_;
        }
    }

private:
    uint64_t and_of(uint64_t random, int terms) const {
        uint64_t bits = random;
        for (int i = 1; i < terms; ++i) {
            bits &= random = mix(random);
        }
        return bits & mask_;
    }
    static double normal(uint64_t random) { // Box and Muller
        return std::sqrt(-2.0 * std::log(1.0 - unit(random))) * std::cos(2.0 * std::acos(-1.0) * unit(mix(random)));
    }
    // What a float of as many bits, or of the upper ones of 32, is in ordered form.
    uint64_t ordered(double number) const {
        using Wide = Key<uint64_t, Kind::floating>;
        using Narrow = Key<uint32_t, Kind::floating>;
        return bits_ == 64 ? Wide::ordered(std::bit_cast<uint64_t>(number))
                           : Narrow::ordered(std::bit_cast<uint32_t>(static_cast<float>(number))) >> (32 - bits_);
    }
    // Which of a number of equal parts of [0, 1) the position is in; the first or the last one for what is outside.
    static uint64_t part_with(double place, uint64_t parts) {
        return static_cast<uint64_t>(std::clamp(place, 0.0, 1.0 - 1e-9) * static_cast<double>(parts));
    }
    // Half of the splats are all over a screen of 120 x 68 tiles, half about its middle; the depth's logarithm is normally
    // distributed. Keys of 64 bits have the tile above the depth as a float, others above the upper 16 bits of it but for
    // the sign.
    uint64_t splat(uint64_t random) const {
        constexpr uint64_t kWidth = 120, kHeight = 68;
        const bool is_central = (random & 1) != 0;
        const auto tile = [is_central](uint64_t number, uint64_t tiles) {
            return part_with(is_central ? 0.5 + normal(number) / 8 : unit(number), tiles);
        };
        const uint64_t place = tile(mix(random ^ 1), kHeight) * kWidth + tile(mix(random ^ 2), kWidth);
        const auto depth = std::bit_cast<uint32_t>(static_cast<float>(std::exp(normal(mix(random ^ 3)))));
        return bits_ == 64 ? place << 32 | depth : (place << 16 | depth >> 15) >> (32 - bits_);
    }
    // A fifth of the points are all over the unit cube, the others in a hundred clusters. As many bits an axis as a key has
    // room for.
    uint64_t morton(uint64_t random) const {
        const bool is_apart = random % 5 == 0;
        const uint64_t cluster = mix(seed_, ~(random / 5 % 100));
        const uint32_t axis_bits = bits_ / 3;
        uint64_t key = 0;
        for (uint64_t axis = 0; axis < 3; ++axis) {
            const uint64_t own = mix(random ^ (axis + 1));
            const double at = is_apart ? unit(own) : unit(mix(cluster, axis)) + normal(own) / 50;
            const uint64_t cell = part_with(at, uint64_t{1} << axis_bits);
            for (uint32_t bit = 0; bit < axis_bits; ++bit) {
                key |= (cell >> bit & 1) << (3 * bit + axis);
            }
        }
        return key;
    }
    // One key at random out of each of `count` equal parts of the range.
    uint64_t sorted(uint64_t i, uint64_t random) const {
        return part_ != 0 ? i * part_ + random % part_ : (i << bits_) / count_; // a part is empty only for narrow keys
    }

    Distribution distribution_;
    uint64_t count_;
    uint32_t bits_;
    uint64_t mask_;
    uint64_t seed_;
    uint64_t part_;
};

void make_keys(const Scenario& scenario, Distribution distribution, uint64_t begin, uint64_t end, uint64_t seed,
               HostBytes& keys) {
    with_key(scenario.key, [&](auto key) {
        using K = decltype(key);
        using Word = typename K::Word;
        const KeySource source(distribution, end - begin, K::kBits, seed);
        const auto inverted = static_cast<Word>(scenario.descending ? ~uint64_t{0} : 0);
        parallel_for(end - begin, [&](uint64_t first, uint64_t last) {
            for (uint64_t i = first; i < last; ++i) {
                K::store(keys.data(), begin + i,
                         K::from_ordered(static_cast<Word>(static_cast<Word>(source.at(i)) ^ inverted)));
            }
        });
    });
}

} // namespace

uint32_t value_word(uint64_t index, uint32_t word) { return static_cast<uint32_t>(word == 0 ? index : mix(index, word)); }

void generate(const Scenario& scenario, uint64_t seed, Input& input) {
    input.scenario = scenario;
    input.keys.resize(scenario.count * scenario.key_bytes());
    input.values.resize(scenario.count * scenario.value_bytes);
    input.heads.clear();
    if (scenario.operation == Operation::merge) {
        make_keys(scenario, Distribution::sorted, 0, scenario.count_a(), seed, input.keys);
        make_keys(scenario, Distribution::sorted, scenario.count_a(), scenario.count, mix(seed), input.keys);
    } else {
        make_keys(scenario, scenario.distribution, 0, scenario.count, seed, input.keys);
    }
    const uint32_t words = scenario.value_bytes / 4;
    parallel_for(scenario.count, [&](uint64_t first, uint64_t last) {
        for (uint64_t i = first; i < last; ++i) {
            for (uint32_t word = 0; word < words; ++word) {
                const uint32_t content = value_word(i, word);
                std::memcpy(input.values.data() + (i * words + word) * 4, &content, 4);
            }
        }
    });
    if (scenario.operation == Operation::segmented_sort) {
        const double mean = static_cast<double>(scenario.mean_segment > 1 ? scenario.mean_segment - 1 : 0);
        for (uint64_t at = 0, i = 0; at < scenario.count; ++i) {
            input.heads.push_back(static_cast<uint32_t>(at));
            at += 1 + static_cast<uint64_t>(-std::log(1.0 - unit(mix(seed ^ 7, i))) * mean);
        }
    }
}

} // namespace vksort::bench
