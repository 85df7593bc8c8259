// SPDX-License-Identifier: MIT
//
// With COMPARATOR: the caller's key and the caller's order, before any other declaration, so that neither can get into
// the other's way. comparator.glsl is made by vksort_add_comparator or vksort_compiler.
#ifdef COMPARATOR
struct Key {
    uint words[KEY_WORDS];
};
#include "comparator.glsl"
#endif
