// SPDX-License-Identifier: MIT
//
// What the library knows of each key type, in one table.
#pragma once

#include <cstdint>

#include "vksort/vksort.h"

namespace vksort {

enum class KeyClass : uint8_t { is_unsigned, is_signed, is_float };

struct KeyTraits {
    VksortKeyType type;
    const char* name;
    uint32_t size; // bytes
    KeyClass keyClass;
};

// ordered = key ^ invert ^ (key negative ? invertNegative : 0), see shaders/keys.glsl.
struct KeyInversion {
    uint32_t low = 0, high = 0;
    uint32_t negativeLow = 0, negativeHigh = 0;
};
KeyInversion key_inversion(VksortKeyType type, bool descending);

// As make_plan() has it, where a range that is the whole key is none.
inline bool sorts_all_bits(const VksortPlanDesc& desc) { return desc.beginBit == 0 && desc.endBit == 0; }

inline bool has_values(const VksortPlanDesc& desc) {
    return desc.valueSize != 0 || (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
}

// nullptr for an unknown value.
const KeyTraits* key_traits(VksortKeyType type);
// Not under a comparator, whose keys have no traits.
inline bool has_floats(const VksortPlanDesc& desc) { return key_traits(desc.keyType)->keyClass == KeyClass::is_float; }

} // namespace vksort
