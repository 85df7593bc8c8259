// SPDX-License-Identifier: MIT
//
// Floats by absolute value, the largest first. KEY_SIZE 4.
// Without their sign, the bits of floats are in the order of the numbers; NaN comes before infinity.

bool before(Key a, Key b) {
    return (a.words[0] & 0x7FFFFFFFu) > (b.words[0] & 0x7FFFFFFFu);
}
