// SPDX-License-Identifier: MIT
//
// The definition of right: the key orders, the stable sort by a bit range, and the gather, on raw little-endian bytes.
// Every GPU result is compared with what these few functions say. They are written to be read, not to be fast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <vector>

#include "vksort/vksort.h"

namespace vksort::reference {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

inline constexpr VksortKeyType kAllKeyTypes[] = {
    VKSORT_KEY_U32, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_I64, VKSORT_KEY_F64,
    VKSORT_KEY_U16, VKSORT_KEY_I16, VKSORT_KEY_F16, VKSORT_KEY_U8,  VKSORT_KEY_I8,
};

enum class Kind { unsigned_integer, signed_integer, floating };

inline Kind kind_of(VksortKeyType type) {
    switch (type) {
    case VKSORT_KEY_I8:
    case VKSORT_KEY_I16:
    case VKSORT_KEY_I32:
    case VKSORT_KEY_I64: return Kind::signed_integer;
    case VKSORT_KEY_F16:
    case VKSORT_KEY_F32:
    case VKSORT_KEY_F64: return Kind::floating;
    default: return Kind::unsigned_integer;
    }
}

// Stated here again, not asked of the library: this file must be right on its own.
inline uint32_t key_size(VksortKeyType type) {
    switch (type) {
    case VKSORT_KEY_U8:
    case VKSORT_KEY_I8: return 1;
    case VKSORT_KEY_U16:
    case VKSORT_KEY_I16:
    case VKSORT_KEY_F16: return 2;
    case VKSORT_KEY_U64:
    case VKSORT_KEY_I64:
    case VKSORT_KEY_F64: return 8;
    default: return 4;
    }
}

inline uint32_t key_bits(VksortKeyType type) { return 8 * key_size(type); }

inline uint64_t low_bits(uint32_t count) { return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1; }

inline uint64_t load_bits(const std::byte* bytes, uint32_t size) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < size; ++i) {
        bits |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
    }
    return bits;
}

inline void store_bits(std::byte* bytes, uint32_t size, uint64_t bits) {
    for (uint32_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>(bits >> (8 * i));
    }
}

// A number that grows as the key does. Signed: the sign bit flipped. Floats, in IEEE 754 total order: all bits of the
// negative ones flipped, the sign bit of the others.
inline uint64_t ordered_from_bits(VksortKeyType type, uint64_t bits) {
    uint64_t sign = uint64_t{1} << (key_bits(type) - 1);
    switch (kind_of(type)) {
    case Kind::signed_integer: return bits ^ sign;
    case Kind::floating: return (bits & sign) != 0 ? ~bits & low_bits(key_bits(type)) : bits ^ sign;
    default: return bits;
    }
}

inline uint64_t bits_from_ordered(VksortKeyType type, uint64_t ordered) {
    uint64_t sign = uint64_t{1} << (key_bits(type) - 1);
    switch (kind_of(type)) {
    case Kind::signed_integer: return ordered ^ sign;
    case Kind::floating: return (ordered & sign) == 0 ? ~ordered & low_bits(key_bits(type)) : ordered ^ sign;
    default: return ordered;
    }
}

struct Order {
    VksortKeyType type = VKSORT_KEY_U32;
    bool descending = false;
    uint32_t begin_bit = 0; // of the ordered form; both 0: all bits
    uint32_t end_bit = 0;
};

// What the sort compares: the bits [begin, end) of the ordered form.
inline uint64_t digit_of(const Order& order, uint64_t bits) {
    uint32_t end = order.begin_bit == 0 && order.end_bit == 0 ? key_bits(order.type) : order.end_bit;
    return (ordered_from_bits(order.type, bits) & low_bits(end)) >> order.begin_bit;
}

// Keys of `size` bytes, one every `stride` bytes from `offset` on.
inline Bytes dense_keys(ByteSpan bytes, uint64_t count, uint32_t size, uint64_t stride, uint64_t offset) {
    Bytes keys(count * size);
    for (uint64_t i = 0; i < count; ++i) {
        std::memcpy(keys.data() + i * size, bytes.data() + offset + i * stride, size);
    }
    return keys;
}

// The indices that sort dense keys. Equal digits keep their input order, ascending and descending.
inline std::vector<uint32_t> argsort(ByteSpan keys, const Order& order) {
    uint32_t size = key_size(order.type);
    std::vector<uint64_t> digits(keys.size() / size);
    for (size_t i = 0; i < digits.size(); ++i) {
        digits[i] = digit_of(order, load_bits(keys.data() + i * size, size));
    }
    std::vector<uint32_t> indices(digits.size());
    std::iota(indices.begin(), indices.end(), 0u);
    std::stable_sort(indices.begin(), indices.end(), [&](uint32_t a, uint32_t b) {
        return order.descending ? digits[a] > digits[b] : digits[a] < digits[b];
    });
    return indices;
}

// out[i] = records[indices[i]]; a record of zeros for an index past the last record.
inline Bytes gather(ByteSpan records, uint32_t record_size, std::span<const uint32_t> indices) {
    uint64_t record_count = record_size == 0 ? 0 : records.size() / record_size;
    Bytes out(indices.size() * record_size);
    for (size_t i = 0; i < indices.size(); ++i) {
        if (indices[i] < record_count) {
            std::memcpy(out.data() + i * record_size, records.data() + uint64_t{indices[i]} * record_size, record_size);
        }
    }
    return out;
}

} // namespace vksort::reference
