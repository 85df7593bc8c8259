// SPDX-License-Identifier: MIT
//
// How keys are distributed, for bucket_sort: how many keys come before each of up to HISTOGRAM_CELLS histogram cells of
// their range. By that count a key becomes a fraction of all keys. Fractions are in the keys' order, and are uniform as long
// as the keys of each cell are.
//
// Each key first gets a number of 32 bits, in the keys' order. Of floats on both sides of 0 those from lowerEnd to
// upperBegin, where hardly any are, count for nothing. The inner piece is the sampled range and up to four times as much on
// either side. Its numbers take the upper 31 bits of a key's distance, so that even a key's last bits count where the range
// is narrow. On either side of it kFarBins bins hold the keys that are at most kFar highest words away. A key further away
// has the first or the last number. The numbers are divided into kRangeBins equal bins, and each bin into a power of two of
// cells, which the sample decides.
//
// state, from pc.distributionOffset on, has a word for each bin: the number of its first cell << 5 | bits of a cell. Behind
// them it has a word for each cell and one for their end. That word is the number of the cell's keys, and once all keys are
// counted the share of all keys that comes before the cell, as a fraction of 2^32.

const uint kRangeBinBits = 22; // bits of a number that tell keys of the same bin apart
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

// `bin` is the word that state has for the number's bin.
CellPosition position_in_cell(uint number, uint bin) {
    uint bits = bin & 31u;
    return CellPosition((bin >> 5) + ((number & ((1u << kRangeBinBits) - 1u)) >> bits), number << (32 - bits));
}

// The share of all keys that comes before this one, as a fraction of 2^32.
uint even_fraction(Numbering numbering, Key key) {
    uint number = number_of(numbering, key);
    CellPosition position = position_in_cell(number, state[bin_word(bin_of_number(number))]);
    uint begin = state[cell_word(position.cell)];
    uint end = state[cell_word(position.cell) + 1];
    return begin + high_product(position.rest, end - begin);
}
