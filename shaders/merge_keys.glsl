// SPDX-License-Identifier: MIT
//
// Keys as the merge kernels compare them: unsigned numbers whose order is the order asked for (keys.glsl), or the
// caller's own words under the caller's `before` (comparator.glsl, see include/vksort/vksort_compiler.h).
#ifdef COMPARATOR

Key ordered_from_bits(Key bits) {
    return bits;
}

Key bits_from_ordered(Key ordered) {
    return ordered;
}

uint key_word(Key key, uint w) {
    return key.words[w];
}

void set_key_word(inout Key key, uint w, uint word) {
    key.words[w] = word;
}

bool key_before(Key a, Key b) {
    if (has_flag(kFlagReversed)) {
        return before(b, a);
    }
    return before(a, b);
}

#else
#include "keys.glsl"
#endif
