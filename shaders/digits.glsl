// SPDX-License-Identifier: MIT
//
// The digits of a key, counted from its least significant bit that counts.

struct DigitPlace {
    uint shift;
    uint mask;
};

DigitPlace digit_place(uint pass) {
    uint shift = pc.beginBit + pass * kRadixBits;
    return DigitPlace(shift, (1u << min(kRadixBits, pc.endBit - shift)) - 1u);
}

uint digit_of(Key key, DigitPlace place) {
#if KEY_WORDS == 1
    return (key >> place.shift) & place.mask;
#else
    // A digit may straddle the two words. No shift is ever by 32 or more, whose result would be undefined.
    bool high = place.shift >= 32;
    uint lower = high ? key.y : key.x;
    uint upper = high ? 0 : key.y;
    uint shift = place.shift & 31u;
    return ((lower >> shift) | ((upper << 1) << (31u - shift))) & place.mask;
#endif
}
