// SPDX-License-Identifier: MIT
//
// Keys as the kernels see them: unsigned numbers of KEY_WORDS words whose order is the order asked for.
// Keys of 8 and 16 bits stand at the top of their word, so that their sign is where a 32-bit key has it.
#ifndef KEY_WORDS
#error "KEY_WORDS must be 1 or 2"
#endif

#if KEY_WORDS == 1
#define Key uint
const Key kPadKey = 0xFFFFFFFFu; // sorts last, whatever the digit
#else
#define Key uvec2                // x: low word
const Key kPadKey = uvec2(0xFFFFFFFFu);
#endif

// Unsigned: invert = invertNegative = 0. Signed: invert flips the sign bit. Float: negative numbers have their other
// bits flipped too, by invertNegative. Descending: invert has all bits flipped as well.
Key ordered_from_bits(Key bits) {
    if ((FLAGS & kFlagKeysInOrder) != 0) {
        return bits;
    }
#if KEY_WORDS == 1
    uint negative = uint(int(bits) >> 31);
    return bits ^ pc.invertHigh ^ (negative & pc.invertNegativeHigh);
#else
    uint negative = uint(int(bits.y) >> 31);
    return bits ^ uvec2(pc.invertLow, pc.invertHigh) ^
           (uvec2(negative) & uvec2(pc.invertNegativeLow, pc.invertNegativeHigh));
#endif
}

// invertNegative leaves the sign alone, so the sign of the undone inversion is the key's own.
Key bits_from_ordered(Key ordered) {
    if ((FLAGS & kFlagKeysInOrder) != 0) {
        return ordered;
    }
#if KEY_WORDS == 1
    uint bits = ordered ^ pc.invertHigh;
    return bits ^ (uint(int(bits) >> 31) & pc.invertNegativeHigh);
#else
    uvec2 bits = ordered ^ uvec2(pc.invertLow, pc.invertHigh);
    uint negative = uint(int(bits.y) >> 31);
    return bits ^ (uvec2(negative) & uvec2(pc.invertNegativeLow, pc.invertNegativeHigh));
#endif
}

#if KEY_WORDS == 1

uint key_word(Key key, uint w) {
    return key;
}

void set_key_word(inout Key key, uint w, uint word) {
    key = word;
}

bool key_before(Key a, Key b) {
    return a < b;
}

#else

uint key_word(Key key, uint w) {
    return w == 0 ? key.x : key.y;
}

void set_key_word(inout Key key, uint w, uint word) {
    if (w == 0) {
        key.x = word;
    } else {
        key.y = word;
    }
}

bool key_before(Key a, Key b) {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

#endif

uint highest_word(Key key) {
    return key_word(key, KEY_WORDS - 1);
}
