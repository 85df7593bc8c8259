// SPDX-License-Identifier: MIT
//
// The four neighbouring lists, 0 to 3, that a pass of merge sort makes one of.

// Of the list that begins at element `begin`, the last key of each kSampleStep keys stands apart, in ordered form, so that a
// search need not go all over memory. Sample i of the list:
uint sample_word(uint begin, uint i) {
    return pc.splitsOffset + 3 * (pc.maxTiles + 1) + (begin / kSampleStep + i) * KEY_WORDS;
}

// Where list i of those begins that the tile's output is merged from, as an element of source_slot; 4: where they end. The
// last ones may be empty. In a pass of level p they have 4^p tiles.
uint list_begin(uint tile, uint i) {
    uint level = 2 * pass_level();
    uint first = (tile >> (level + 2) << (level + 2)) + (i << level);
    return first >= control.tiles ? control.count : first * pc.tileSize;
}
