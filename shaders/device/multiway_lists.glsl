// SPDX-License-Identifier: MIT
//
// The WAYS neighbouring lists that a pass of merge sort makes one of, where bins have sorted the first lists. A tile of such a pass has about as
// many elements as a first list, and there are as many tiles.
uint list_count() {
    return divide_up(control.tiles, LIST_TILES);
}

// First lists that each of the pass's lists has come of.
uint lists_each() {
    uint each = 1;
    for (uint level = pass_level(); level > 0; --level) {
        each *= WAYS;
    }
    return each;
}

// Where list i begins of those that the tile's output is merged from, as an element of source_slot; WAYS: where they end. The last ones may be
// empty.
uint list_begin(uint tile, uint i, uint each) {
    uint first = tile / (WAYS * each) * (WAYS * each) + i * each;
    return first >= list_count() ? control.count : first * LIST_TILES * pc.tileSize;
}

// How many elements of the lists before list i come into tiles before; WAYS: of all lists.
uint multiway_split(uint tile, uint i) {
    return pc.splitsOffset + tile * (WAYS + 1) + i;
}
