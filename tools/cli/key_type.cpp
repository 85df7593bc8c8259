// SPDX-License-Identifier: MIT
#include "key_type.hpp"

#include <cmath>

#include "failure.hpp"

VksortKeyType parse_key_type(const std::string& name) {
    std::string names;
    for (int i = 0;; ++i) {
        const auto type = static_cast<VksortKeyType>(i);
        const char* known = vksortKeyTypeName(type);
        if (known == nullptr) {
            break;
        }
        if (type == VKSORT_KEY_COMPARATOR) {
            continue; // has no order of its own
        }
        if (name == known) {
            return type;
        }
        names += fmt::format("{}{}", i == 0 ? "" : " ", known);
    }
    fail(kBadInput, "unknown key type '{}': use one of {}", name, names);
}

uint64_t to_ordered(VksortKeyType type, uint64_t key) {
    const uint32_t bits = key_bits(type);
    const uint64_t sign = uint64_t{1} << (bits - 1);
    if (is_float(type)) {
        return (key & sign) != 0 ? ~key & low_mask(bits) : key ^ sign;
    }
    return is_signed_integer(type) ? key ^ sign : key;
}

uint64_t from_ordered(VksortKeyType type, uint64_t ordered) {
    const uint32_t bits = key_bits(type);
    const uint64_t sign = uint64_t{1} << (bits - 1);
    if (is_float(type)) {
        return (ordered & sign) != 0 ? ordered ^ sign : ~ordered & low_mask(bits);
    }
    return is_signed_integer(type) ? ordered ^ sign : ordered;
}

double half_to_double(uint16_t half) {
    const int exponent = half >> 10 & 0x1f;
    const int fraction = half & 0x3ff;
    double value = 0;
    if (exponent == 0x1f) {
        value = fraction == 0 ? HUGE_VAL : std::nan("");
    } else if (exponent == 0) {
        value = std::ldexp(fraction, -24);
    } else {
        value = std::ldexp(fraction + 0x400, exponent - 25);
    }
    return (half & 0x8000) != 0 ? -value : value;
}

uint16_t double_to_half(double value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::fabs(value);
    if (std::isnan(value)) {
        return sign | 0x7e00;
    }
    if (magnitude >= 65520) { // halfway between the largest half and the next power of two
        return sign | 0x7c00;
    }
    if (magnitude < 0x1p-14) { // subnormal, or rounds up to the smallest normal, whose bits follow
        return sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24));
    }
    const int exponent = std::ilogb(magnitude);
    // 1024 to 2048; 2048 carries into the exponent, as it should.
    const auto significand = static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
    return sign | static_cast<uint16_t>(((exponent + 15) << 10) + (significand - 0x400));
}
