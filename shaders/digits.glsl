// SPDX-License-Identifier: MIT
//
// A digit of a key: bits `shift` and up.

struct DigitPlace {
    uint shift;
    uint mask;
};

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
