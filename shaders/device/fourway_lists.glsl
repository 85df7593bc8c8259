// SPDX-License-Identifier: MIT
//
// The four neighbouring lists, 0 to 3, that a pass of merge sort makes one of.

// Where list i of those begins that the tile's output is merged from, as an element of source_slot; 4: where they end. The last ones may
// be empty. In a pass of level p they have 4^p tiles.
uint list_begin(uint tile, uint i) {
    uint level = 2 * pass_level();
    uint first = (tile >> (level + 2) << (level + 2)) + (i << level);
    return first >= control.tiles ? control.count : first * pc.tileSize;
}
