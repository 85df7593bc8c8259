// SPDX-License-Identifier: MIT
//
// The reference against the language's own comparisons and results worked out by hand.
#include "../reference.h"

#include <bit>
#include <cmath>
#include <compare>
#include <limits>

#include <gtest/gtest.h>

namespace vksort::reference {
namespace {

template <typename T> Bytes bytes_of(const std::vector<T>& keys) {
    ByteSpan bytes = std::as_bytes(std::span(keys));
    return Bytes(bytes.begin(), bytes.end());
}

template <typename T> uint64_t ordered(VksortKeyType type, T key) {
    std::byte bytes[sizeof key];
    std::memcpy(bytes, &key, sizeof key);
    return ordered_from_bits(type, load_bits(bytes, sizeof key));
}

// Every pair of `keys` must compare in the ordered form as `compare` says.
template <typename T, typename Compare>
void expect_same_order(VksortKeyType type, const std::vector<T>& keys, const Compare& compare) {
    for (T a : keys) {
        EXPECT_EQ(key_size(type), sizeof(T));
        for (T b : keys) {
            auto expected = compare(a, b);
            auto got = ordered(type, a) <=> ordered(type, b);
            EXPECT_EQ(got < 0, expected < 0) << vksortKeyTypeName(type) << " " << +a << " " << +b;
            EXPECT_EQ(got == 0, expected == 0) << vksortKeyTypeName(type) << " " << +a << " " << +b;
        }
    }
}

template <typename T> void expect_integer_order(VksortKeyType type) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> keys = {0,
                           1,
                           2,
                           100,
                           T(-1),
                           T(-2),
                           T(-100),
                           Limits::min(),
                           T(Limits::min() + 1),
                           Limits::max(),
                           T(Limits::max() - 1),
                           T(Limits::max() / 2),
                           T(Limits::max() / 2 + 1)};
    expect_same_order(type, keys, [](T a, T b) { return a <=> b; });
}

TEST(Reference, IntegerOrders) {
    expect_integer_order<uint8_t>(VKSORT_KEY_U8);
    expect_integer_order<int8_t>(VKSORT_KEY_I8);
    expect_integer_order<uint16_t>(VKSORT_KEY_U16);
    expect_integer_order<int16_t>(VKSORT_KEY_I16);
    expect_integer_order<uint32_t>(VKSORT_KEY_U32);
    expect_integer_order<int32_t>(VKSORT_KEY_I32);
    expect_integer_order<uint64_t>(VKSORT_KEY_U64);
    expect_integer_order<int64_t>(VKSORT_KEY_I64);
}

template <typename T> std::vector<T> float_keys() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> keys;
    for (T magnitude : {T(0), Limits::denorm_min(), Limits::min() / 2, Limits::min(), T(0.5), T(1), T(1) + Limits::epsilon(),
                        T(1000), Limits::max(), Limits::infinity(), Limits::quiet_NaN(), Limits::signaling_NaN()}) {
        keys.push_back(magnitude);
        keys.push_back(std::copysign(magnitude, T(-1)));
    }
    return keys;
}

// std::strong_order is IEEE 754's totalOrder for these types. The library of GCC 11 does not have it for them.
template <typename T> void expect_total_order(VksortKeyType type) {
    if constexpr (requires(T a) { std::strong_order(a, a); }) {
        expect_same_order(type, float_keys<T>(), [](T a, T b) { return std::strong_order(a, b); });
    } else {
        GTEST_SKIP() << "this C++ library has no std::strong_order of floating-point numbers";
    }
}

TEST(Reference, FloatsAreInTotalOrder) { expect_total_order<float>(VKSORT_KEY_F32); }

TEST(Reference, DoublesAreInTotalOrder) { expect_total_order<double>(VKSORT_KEY_F64); }

double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    int mantissa = bits & 1023;
    double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

TEST(Reference, EveryHalfInOrder) {
    std::vector<uint16_t> keys;
    for (uint32_t bits = 0; bits < 65536; ++bits) {
        keys.push_back(static_cast<uint16_t>(bits));
    }
    std::vector<uint32_t> order = argsort(bytes_of(keys), {.type = VKSORT_KEY_F16});
    // 1023 NaNs and an infinity on either end; between them by value, -0 before +0.
    auto is_nan = [](uint32_t bits) { return (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0; };
    for (size_t i = 0; i < order.size(); ++i) {
        bool at_end = i < 1023 || i >= 65536 - 1023;
        EXPECT_EQ(is_nan(order[i]), at_end) << i;
        EXPECT_EQ((order[i] & 0x8000) != 0, i < 32768) << i;
    }
    EXPECT_EQ(order[1023], 0xFC00u);
    EXPECT_EQ(order[32767], 0x8000u);
    EXPECT_EQ(order[32768], 0x0000u);
    EXPECT_EQ(order[65536 - 1024], 0x7C00u);
    for (size_t i = 1025; i < 65536 - 1024; ++i) {
        uint16_t a = static_cast<uint16_t>(order[i - 1]);
        uint16_t b = static_cast<uint16_t>(order[i]);
        EXPECT_TRUE(half_value(a) < half_value(b) || (a == 0x8000 && b == 0)) << a << " " << b;
    }
}

TEST(Reference, OrderedFormHasAnInverse) {
    for (VksortKeyType type : kAllKeyTypes) {
        for (uint64_t i = 0; i < 70'000; ++i) {
            uint64_t bits = (i * 0x9E3779B97F4A7C15 ^ i) & low_bits(key_bits(type));
            EXPECT_EQ(bits_from_ordered(type, ordered_from_bits(type, bits)), bits);
            EXPECT_LE(ordered_from_bits(type, bits), low_bits(key_bits(type)));
        }
    }
}

TEST(Reference, SizesAreTheLibrarys) {
    for (VksortKeyType type : kAllKeyTypes) {
        EXPECT_EQ(key_size(type), vksortKeySize(type));
    }
}

using Indices = std::vector<uint32_t>;

TEST(Reference, StableBothWays) {
    Bytes keys = bytes_of<uint32_t>({2, 1, 2, 1, 0, 2});
    EXPECT_EQ(argsort(keys, {.type = VKSORT_KEY_U32}), (Indices{4, 1, 3, 0, 2, 5}));
    EXPECT_EQ(argsort(keys, {.type = VKSORT_KEY_U32, .descending = true}), (Indices{0, 2, 5, 1, 3, 4}));
}

TEST(Reference, SignedExtremes) {
    Bytes keys = bytes_of<int8_t>({0, -128, 127, -1, 1});
    EXPECT_EQ(argsort(keys, {.type = VKSORT_KEY_I8}), (Indices{1, 3, 0, 4, 2}));
    EXPECT_EQ(argsort(keys, {.type = VKSORT_KEY_U8}), (Indices{0, 4, 2, 1, 3})); // the same bytes unsigned
}

TEST(Reference, ZerosAndNans) {
    float nan = std::numeric_limits<float>::quiet_NaN();
    float infinity = std::numeric_limits<float>::infinity();
    Bytes keys = bytes_of<float>({0.0f, nan, -0.0f, infinity, -infinity, std::copysign(nan, -1.0f), 1.0f});
    EXPECT_EQ(argsort(keys, {.type = VKSORT_KEY_F32}), (Indices{5, 4, 2, 0, 6, 3, 1}));
}

TEST(Reference, BitRanges) {
    Bytes keys = bytes_of<uint32_t>({0x12'34, 0x11'44, 0x13'24, 0xF2'14});
    // Bits 8 to 12: 2, 1, 3, 2.
    Order order = {.type = VKSORT_KEY_U32, .begin_bit = 8, .end_bit = 12};
    EXPECT_EQ(argsort(keys, order), (Indices{1, 0, 3, 2}));
    order.descending = true;
    EXPECT_EQ(argsort(keys, order), (Indices{2, 0, 3, 1}));
    EXPECT_EQ(digit_of(order, 0x1234), 2u);
    // One bit, the sign of the ordered form: negative keys come first.
    Bytes signs = bytes_of<int32_t>({5, -1, 3, -7});
    EXPECT_EQ(argsort(signs, {.type = VKSORT_KEY_I32, .begin_bit = 31, .end_bit = 32}), (Indices{1, 3, 0, 2}));
    // A range from bit 0 that is not all bits, and the whole 64.
    Bytes wide = bytes_of<uint64_t>({0x1'0000'0000, 0x0'0000'0001, 0x2'0000'0000});
    EXPECT_EQ(argsort(wide, {.type = VKSORT_KEY_U64, .begin_bit = 0, .end_bit = 32}), (Indices{0, 2, 1}));
    EXPECT_EQ(argsort(wide, {.type = VKSORT_KEY_U64, .begin_bit = 0, .end_bit = 64}), (Indices{1, 0, 2}));
    EXPECT_EQ(argsort(wide, {.type = VKSORT_KEY_U64}), (Indices{1, 0, 2}));
}

TEST(Reference, Gather) {
    Bytes records = bytes_of<uint32_t>({10, 11, 20, 21, 30, 31});
    Indices indices = {2, 0, 3, 0xFFFFFFFF, 1};
    EXPECT_EQ(gather(records, 8, indices), bytes_of<uint32_t>({30, 31, 10, 11, 0, 0, 0, 0, 20, 21}));
}

TEST(Reference, DenseKeysFromStructs) {
    Bytes bytes = bytes_of<uint16_t>({9, 1, 9, 9, 2, 9, 9, 3, 9});
    EXPECT_EQ(dense_keys(bytes, 3, 2, 6, 2), bytes_of<uint16_t>({1, 2, 3}));
}

} // namespace
} // namespace vksort::reference
