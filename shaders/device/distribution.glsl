// SPDX-License-Identifier: MIT
//
// How keys are distributed, for bucket_sort: how many come before each of up to HISTOGRAM_CELLS cells of their range. By that
// keys become fractions that are spread evenly, in the keys' order, as long as those of a cell are spread evenly over it.
//
// First keys have numbers, in their order. Of floats on both sides of 0 those from lowerEnd to upperBegin, where hardly any
// are, count for nothing. The sampled range, and up to four times as much on either side, is the inner piece, of which
// numbers have the upper 31 bits, so that even the last bits of keys count where the range is narrow. On either side of it
// the few keys that are far off have kFar highest words, kFarBins bins; what is further away has the first or the last
// number. Numbers have kRangeBins equal bins, and each bin as many cells as a power of two that a sample finds for it.
//
// state, from pc.distributionOffset on: of each bin, the number of its first cell << 5 | bits of a cell; then, of each
// cell, how many keys it has, and when they are counted, which bin of all keys is before it, of it and of the end, as a
// fraction of 2^32.

const uint kRangeBinBits = 22; // of kRangeBins bins
const uint kFarBins = kRangeBins / 4;
const uint kInnerBegin = kFarBins << kRangeBinBits;
#if KEY_WORDS == 2 && INDICES != 1
const uint kFar = 1u << 24; // 16 octaves
const uint kFarShift = 6;   // 2^6 numbers to a word
#else
const uint kFar = 1u << 27;
const uint kFarShift = 3;
#endif

struct Numbering {
    uint lowerEnd; // highest words; both 0xFFFFFFFF: keys are on one side of 0
    uint upperBegin;
    Scaling inner; // that of the inner piece
};

Numbering control_numbering() {
    return Numbering(control.lowerEnd, control.upperBegin, scaling_of(uvec2(control.innerLeast[0], control.innerLeast[1]),
                                                                       uvec2(control.innerSpan[0], control.innerSpan[1]),
                                                                           control.innerShift));
}

uint bin_word(uint bin) {
    return pc.distributionOffset + bin;
}

uint cell_word(uint cell) {
    return pc.distributionOffset + kRangeBins + cell;
}

uint high_product(uint a, uint b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}

// Without what counts for nothing; on both sides of 0 highest words are all that counts.
Key without_gap(Numbering numbering, Key key) {
    uint word = highest_word(key);
    set_key_word(key, KEY_WORDS - 1, min(word, numbering.lowerEnd) + (max(word,
        numbering.upperBegin) - numbering.upperBegin));
#if KEY_WORDS == 2 && INDICES != 1
    key.x = numbering.lowerEnd == 0xFFFFFFFFu ? key.x : 0;
#endif
    return key;
}

uint last_word(Scaling scaling) {
#if KEY_WORDS == 1
    return scaling.least + scaling.span;
#else
    uint carry;
    uaddCarry(scaling.least.x, scaling.span.x, carry);
    return scaling.least.y + scaling.span.y + carry;
#endif
}

// Of a key outside of the inner piece.
uint far_number(Scaling inner, Key key) {
    uint word = highest_word(key);
    if (key_before(key, inner.least)) {
        return kInnerBegin - (min(highest_word(inner.least) - word, kFar) << kFarShift);
    }
    uint inner_bins = (highest_word(scaled_key(inner, inner.span)) >> (kRangeBinBits + 1)) + 1;
    return kInnerBegin + (inner_bins << kRangeBinBits) + (min(word - last_word(inner), kFar - 1) << kFarShift);
}

uint number_of(Numbering numbering, Key key) {
    key = without_gap(numbering, key);
    Key distance = distance_of(numbering.inner, key);
    if (is_out_of_range(numbering.inner, distance)) {
        return far_number(numbering.inner, key);
    }
#if KEY_WORDS == 2 && INDICES != 1
    // As scaled_key(), for shifts below 32.
    uint top = distance.y << numbering.inner.shift | (distance.x >> 1) >> (31 - numbering.inner.shift);
#else
    uint top = highest_word(scaled_key(numbering.inner, distance));
#endif
    return kInnerBegin + (top >> 1);
}

uint bin_of_number(uint number) {
    return number >> kRangeBinBits;
}

struct CellPosition {
    uint cell;
    uint rest; // how far into it, as a fraction of 2^32
};

// `bin` is what state has of the number's bin.
CellPosition position_in_cell(uint number, uint bin) {
    uint bits = bin & 31u;
    return CellPosition((bin >> 5) + ((number & ((1u << kRangeBinBits) - 1u)) >> bits), number << (32 - bits));
}

// Of all keys, which are before this one.
uint even_fraction(Numbering numbering, Key key) {
    uint number = number_of(numbering, key);
    CellPosition position = position_in_cell(number, state[bin_word(bin_of_number(number))]);
    uint begin = state[cell_word(position.cell)];
    uint end = state[cell_word(position.cell) + 1];
    return begin + high_product(position.rest, end - begin);
}
