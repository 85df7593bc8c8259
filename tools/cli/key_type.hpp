// SPDX-License-Identifier: MIT
//
// What the tool knows of a key type: its name, its order, its bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "vksort/vksort.h"

static_assert(std::endian::native == std::endian::little, "files hold little-endian keys, read as they are");

// Fails with the list of names.
VksortKeyType parse_key_type(const std::string& name);

inline bool is_float(VksortKeyType type) {
    return type == VKSORT_KEY_F16 || type == VKSORT_KEY_F32 || type == VKSORT_KEY_F64;
}
inline bool is_signed_integer(VksortKeyType type) {
    return type == VKSORT_KEY_I8 || type == VKSORT_KEY_I16 || type == VKSORT_KEY_I32 || type == VKSORT_KEY_I64;
}
inline uint32_t key_bits(VksortKeyType type) { return 8 * vksortKeySize(type); }

// The low `bits` bits set.
inline uint64_t low_mask(uint32_t bits) { return bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1; }

inline uint64_t load_key(const std::byte* bytes, uint64_t index, uint32_t size) {
    uint64_t key = 0;
    std::memcpy(&key, bytes + index * size, size);
    return key;
}
inline void store_key(std::byte* bytes, uint64_t index, uint32_t size, uint64_t key) {
    std::memcpy(bytes + index * size, &key, size);
}

// A key's bits to the unsigned number that orders as the key does, and back.
uint64_t to_ordered(VksortKeyType type, uint64_t key);
uint64_t from_ordered(VksortKeyType type, uint64_t ordered);

// IEEE 754 binary16; double_to_half rounds to nearest even.
double half_to_double(uint16_t half);
uint16_t double_to_half(double value);
