// SPDX-License-Identifier: MIT
//
// A digit of a key: bits `shift` and up.

struct DigitPosition {
    uint shift;
    uint mask;
};

uint digit_of(Key key, DigitPosition position) {
#if KEY_WORDS == 1
    return (key >> position.shift) & position.mask;
#else
    // A digit may straddle the two words. No shift is ever by 32 or more, whose result would be undefined.
    bool high = position.shift >= 32;
    uint lower = high ? key.y : key.x;
    uint upper = high ? 0 : key.y;
    uint shift = position.shift & 31u;
    return ((lower >> shift) | ((upper << 1) << (31u - shift))) & position.mask;
#endif
}
