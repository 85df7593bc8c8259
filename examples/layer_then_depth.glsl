// SPDX-License-Identifier: MIT
//
// struct { uint32_t layer; float depth; }: by layer, and within a layer by depth. KEY_SIZE 8.
// A depth is never NaN: `<` on numbers with NaN among them is no order.

bool before(Key a, Key b) {
    if (a.words[0] != b.words[0]) {
        return a.words[0] < b.words[0];
    }
    return uintBitsToFloat(a.words[1]) < uintBitsToFloat(b.words[1]);
}
