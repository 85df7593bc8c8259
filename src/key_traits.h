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

// nullptr for an unknown value.
const KeyTraits* key_traits(VksortKeyType type);

} // namespace vksort
