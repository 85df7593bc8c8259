// SPDX-License-Identifier: MIT
//
// How keys are distributed, for bucket_sort: how many come before each of up to RANGE_CELLS cells of their range. By that keys become numbers that
// are spread evenly, in the keys' order, as long as those of a cell are spread evenly over it. The range of the keys' highest words has kRangeParts
// equal parts, of 2^partBits numbers each, and each part as many cells as a power of two that a sample finds for it. Parts and so cells begin at multiples of their
// sizes: the density of floats has steps where exponents change.
//
// state, from pc.distributionOffset on: of each part, the number of its first cell << 5 | bits of a cell; then, of each cell, how many keys it has, and
// when they are counted, which part of all keys is before it, of it and of the end, as a fraction of 2^32.

struct Parts {
    uvec2 begin; // on either side of 0
    uvec2 span;  // of numbers; others are taken for the first or the last one
    uint bits;   // of a part
};

Parts control_parts() {
    return Parts(uvec2(control.partsBegin[0], control.partsBegin[1]), uvec2(control.partsSpan[0], control.partsSpan[1]), control.partBits);
}

uint part_word(uint part) {
    return pc.distributionOffset + part;
}

uint cell_word(uint cell) {
    return pc.distributionOffset + kRangeParts + cell;
}

uint high_product(uint a, uint b) {
    uint high, low;
    umulExtended(a, b, high, low);
    return high;
}

uint part_number(Parts parts, uint word) {
    uvec2 numbers = min(max(uvec2(word), parts.begin) - parts.begin, parts.span);
    return numbers.x + numbers.y;
}

// Of the range, that a key of this highest word is in.
uint range_part(Parts parts, uint word) {
    return part_number(parts, word) >> parts.bits;
}

struct CellPlace {
    uint cell;
    uint rest; // how far into it, as a fraction of 2^32
};

// Of a key whose highest word is `word`, and the next one `low`; `part` is what state has of its part.
CellPlace place_in_cell(Parts parts, uint word, uint low, uint part) {
    uint number = part_number(parts, word);
    uint bits = part & 31u;
    uint cell = (part >> 5) + ((number & ((1u << parts.bits) - 1u)) >> bits);
    uvec2 beyond = uvec2(word) - parts.begin;
    uint below = beyond.x < parts.span.x || beyond.y < parts.span.y ? low : 0;
    return CellPlace(cell, number << (32 - bits) | below >> bits);
}

uint even_number(Parts parts, uint word, uint low) {
    CellPlace place = place_in_cell(parts, word, low, state[part_word(range_part(parts, word))]);
    uint begin = state[cell_word(place.cell)];
    uint end = state[cell_word(place.cell) + 1];
    return begin + high_product(place.rest, end - begin);
}
