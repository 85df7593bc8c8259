// SPDX-License-Identifier: MIT
//
// Keys alone, each in a cell of its bin (workgroup/bin_sort.glsl), are put in order by an invocation for each few bins.

// By insertion, of an invocation: lavapipe ends its loops after 65,535 iterations in all.
#ifndef MOST_SHIFTS
#define MOST_SHIFTS 0x8000
#endif
const uint kMostShifts = MOST_SHIFTS;

// Of this invocation's bins: counters and where the first one begins, as they were in s_cells.
uint own_bins[BIN_WORDS];

// Puts `size` cells from `begin` on in order, by insertion.
void sort_bin(uint begin, uint size) {
    for (uint i = begin + 1; i < begin + size; ++i) {
        Key key = cell_key(i);
        uint place = i;
        while (place > begin && key_before(key, cell_key(place - 1))) {
            store_cell(place, cell_key(place - 1));
            --place;
        }
        store_cell(place, key);
    }
}

// Puts the keys into their bins and those in order.
void sort_bins(uint length, bool segments) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_cell(bins[i], keys[i]);
        }
    }
    barrier();
    for (uint i = 0; i < BIN_WORDS; ++i) {
        uint first = own_bins[i] & kBinCounter;
        uint begin = own_bins[i] >> 16;
        sort_bin(begin, first);
        sort_bin(begin + first, own_bins[i] >> 8 & kBinCounter);
    }
    barrier();
}
