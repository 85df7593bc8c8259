// SPDX-License-Identifier: MIT
#include "generate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "failure.hpp"
#include "key_type.hpp"
#include "random.hpp"

namespace {

constexpr std::array<const char*, 10> kNames = {"uniform", "sorted", "reversed",      "equal",  "few",
                                                "and2",    "and3",   "nearly-sorted", "normal", "zipf"};
constexpr uint64_t kFewKeys = 16;
constexpr uint32_t kZipfOctaves = 20; // ranks 1 to 2^20 - 1, or what the type holds exactly

// Ordered forms of a type's keys that count as plain values: all of them for integers, the finite ones for floats.
class Domain {
public:
    explicit Domain(VksortKeyType type) : type_(type) {
        const uint64_t top = low_mask(key_bits(type));
        if (is_float(type)) {
            const uint64_t infinity = type == VKSORT_KEY_F16   ? 0x7c00
                                      : type == VKSORT_KEY_F32 ? 0x7f800000
                                                               : 0x7ff0000000000000;
            last_ = to_ordered(type, infinity - 1);
            first_ = top - last_;
        } else {
            last_ = top;
        }
    }
    // `fraction` / 2^64 of the way through the domain, as a key.
    uint64_t at(uint64_t fraction) const {
        const uint64_t size = last_ - first_ + 1; // 0 stands for 2^64
        return from_ordered(type_, first_ + (size == 0 ? fraction : multiply_high(fraction, size)));
    }
    bool contains(uint64_t key) const {
        const uint64_t ordered = to_ordered(type_, key);
        return ordered >= first_ && ordered <= last_;
    }

private:
    VksortKeyType type_;
    uint64_t first_ = 0;
    uint64_t last_ = 0;
};

// A whole number as a key of any type.
uint64_t from_number(VksortKeyType type, double number) {
    switch (type) {
    case VKSORT_KEY_F16: return double_to_half(number);
    case VKSORT_KEY_F32: return std::bit_cast<uint32_t>(static_cast<float>(number));
    case VKSORT_KEY_F64: return std::bit_cast<uint64_t>(number);
    default: return static_cast<uint64_t>(number);
    }
}

// The sum of twelve uniform numbers, near enough to normal (Irwin-Hall): mean 0 and deviation 1 for floats; for integers
// the middle of the range, and a twelfth of it.
uint64_t draw_normal(Random& random, VksortKeyType type, const Domain& domain) {
    constexpr uint32_t kTerms = 12;
    uint64_t sum = 0; // of 32-bit numbers
    for (uint32_t i = 0; i < kTerms; i += 2) {
        const uint64_t two = random.next();
        sum += (two & 0xffffffff) + (two >> 32);
    }
    if (is_float(type)) {
        // Exact in a double, so that rounding happens once.
        return from_number(type, static_cast<double>(static_cast<int64_t>(sum) - (int64_t{kTerms / 2} << 32)) * 0x1p-32);
    }
    return domain.at((sum << 28) / kTerms << 4);
}

// Rank r with probability proportional to 1/r: an octave [2^e, 2^(e+1)), a rank in it, and rejection by 2^e / rank.
uint64_t draw_zipf(Random& random, VksortKeyType type) {
    uint32_t octaves = std::min(kZipfOctaves, key_bits(type) - (is_signed_integer(type) ? 1 : 0));
    octaves = type == VKSORT_KEY_F16 ? 11 : octaves;
    for (;;) {
        const uint64_t octave = random.below(octaves);
        const uint64_t rank = (uint64_t{1} << octave) + random.below(uint64_t{1} << octave);
        if (random.below(uint64_t{1} << 32) * rank < uint64_t{1} << (32 + octave)) {
            return from_number(type, static_cast<double>(rank));
        }
    }
}

// Bits that are set with probability 2^-terms (Thearling and Smith's entropy test).
uint64_t draw_and(Random& random, VksortKeyType type, const Domain& domain, int terms) {
    for (;;) {
        uint64_t key = low_mask(key_bits(type));
        for (int i = 0; i < terms; ++i) {
            key &= random.next();
        }
        if (domain.contains(key)) {
            return key;
        }
    }
}

// Keys in increasing order: one at random from each of `count` equal parts of the domain.
class Ramp {
public:
    Ramp(const Domain& domain, uint64_t count) : domain_(domain), step_(count < 2 ? UINT64_MAX : UINT64_MAX / count) {}
    uint64_t at(uint64_t index, Random& random) const { return domain_.at(index * step_ + random.below(step_)); }

private:
    const Domain& domain_;
    uint64_t step_;
};

// One key in 64 changes places with one up to 256 places away.
void disturb(std::span<std::byte> keys, uint32_t size, Random& random) {
    constexpr uint64_t kDistance = 256;
    const uint64_t count = keys.size() / size;
    for (uint64_t i = 0; i < count / 64; ++i) {
        const uint64_t a = random.below(count);
        const uint64_t b = std::min(a + random.below(kDistance) + 1, count - 1);
        const uint64_t key = load_key(keys.data(), a, size);
        store_key(keys.data(), a, size, load_key(keys.data(), b, size));
        store_key(keys.data(), b, size, key);
    }
}

} // namespace

Distribution parse_distribution(const std::string& name) {
    std::string names;
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (name == kNames[i]) {
            return static_cast<Distribution>(i);
        }
        names += fmt::format("{}{}", i == 0 ? "" : " ", kNames[i]);
    }
    fail(kBadInput, "unknown distribution '{}': use one of {}", name, names);
}

std::vector<std::byte> generate_keys(VksortKeyType type, uint64_t count, Distribution distribution, uint64_t seed) {
    const uint32_t size = vksortKeySize(type);
    std::vector<std::byte> keys(count * size);
    const Domain domain(type);
    const Ramp ramp(domain, count);
    Random random(seed);

    std::array<uint64_t, kFewKeys> few = {};
    for (uint64_t& key : few) {
        key = domain.at(random.next());
    }
    const auto draw = [&](uint64_t index) {
        switch (distribution) {
        case Distribution::uniform: return domain.at(random.next());
        case Distribution::sorted:
        case Distribution::nearly_sorted: return ramp.at(index, random);
        case Distribution::reversed: return ramp.at(count - 1 - index, random);
        case Distribution::equal: return few[0];
        case Distribution::few: return few[random.below(kFewKeys)];
        case Distribution::and2: return draw_and(random, type, domain, 2);
        case Distribution::and3: return draw_and(random, type, domain, 3);
        case Distribution::normal: return draw_normal(random, type, domain);
        case Distribution::zipf: return draw_zipf(random, type);
        }
        return uint64_t{0};
    };
    for (uint64_t i = 0; i < count; ++i) {
        store_key(keys.data(), i, size, draw(i));
    }
    if (distribution == Distribution::nearly_sorted) {
        disturb(keys, size, random);
    }
    return keys;
}

// Objects scattered through a scene, each drawn in several passes and in one to four parts that share a key, so that
// stability shows. The key is packed as engines do, most important field first:
//
//   bits 63..60  pass: 0 shadows, 1 opaque, 2 transparent, 3 overlay
//   opaque and shadows       bits 59..40  material, so that state changes are few
//                            bits 39..16  depth, front to back, so that hidden pixels are rejected early
//   transparent and overlay  bits 59..36  inverted depth, back to front, as blending demands
//                            bits 35..16  material
//   bits 15..0   mesh
std::vector<std::byte> generate_draw_keys(uint64_t count, uint64_t seed) {
    enum Pass : uint64_t { kShadows, kOpaque, kTransparent, kOverlay };
    constexpr uint64_t kMaterials = 1 << 10;
    constexpr uint64_t kDepths = 1 << 24;
    constexpr uint64_t kMeshes = 1 << 9;
    constexpr uint32_t kSize = sizeof(uint64_t);

    std::vector<std::byte> keys(count * kSize);
    Random random(seed);
    uint64_t filled = 0;
    const auto emit = [&](uint64_t key) {
        if (filled < count) {
            store_key(keys.data(), filled++, kSize, key);
        }
    };
    while (filled < count) {
        // Products of two uniform numbers: few materials are common and many rare, and the scene is dense nearby.
        const uint64_t material = random.below(random.below(kMaterials) + 1);
        const uint64_t depth = random.below(random.below(kDepths) + 1);
        const uint64_t mesh = random.below(kMeshes);
        const uint64_t kind = random.below(20); // one object in five is transparent, one in twenty an overlay
        const Pass pass = kind == 0 ? kOverlay : kind < 5 ? kTransparent : kOpaque;
        const uint64_t front_to_back = material << 40 | depth << 16 | mesh;
        const uint64_t back_to_front = (kDepths - 1 - depth) << 36 | material << 16 | mesh;
        const uint64_t parts = 1 + random.below(4);
        for (uint64_t part = 0; part < parts; ++part) {
            emit(uint64_t{pass} << 60 | (pass == kOpaque ? front_to_back : back_to_front));
        }
        if (pass == kOpaque) {
            emit(uint64_t{kShadows} << 60 | front_to_back);
        }
    }
    return keys;
}
