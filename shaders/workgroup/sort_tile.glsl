// SPDX-License-Identifier: MIT
//
// Sorts a tile of keys in shared memory, stably: by bins (workgroup/bin_sort.glsl), and if the keys are too uneven for that, or not all of their bits
// count, or they have few, by digits (workgroup/sort_digits.glsl).
//
//   keys[i]             this invocation's key number element_of(i) of the tile; those beyond the end repeat one of the others
//   sort_evenly(length, range, is_known), and if it is false sort_unevenly(length, range, ways_refused(length))
//                       leave the keys in order in cell_key(0), cell_key(1), ..., and with values in bins[i] where keys[i] went
//
// A small sort runs its code once, and waits for it to come from memory: what follows on the way for most keys is to stand in front of the way
// for the others, even if it stands there twice. (NVIDIA H200, 2^16 u32 keys by sample_sort 17.3 us with one behind the other, 16.0 with that.)
//
// Needs config.glsl and buffers.glsl.
#include "sort_digits.glsl"
#define BIN_SEGMENTS 0
#include "bin_sort.glsl"
#include "equal_bins.glsl"

// Narrow keys have few values, and few digits.
bool are_for_bins() {
    return pc.keyBytes >= 4 && sorts_all_bits();
}

// For keys that are in `range` if it `is_known`.
void begin_bins(inout KeyRange range, bool is_known) {
    clear_bins();
    if (is_known) {
        barrier();
    } else {
        range = find_range();
    }
}

// The way for most keys. False if it is not for these.
bool sort_evenly(uint length, inout KeyRange range, bool is_known) {
    if (!are_for_bins()) {
        return false;
    }
    begin_bins(range, is_known);
    return sort_by_bins(range, length, false);
}

// Where it was not, how many of the ways by bins are not.
uint ways_refused(uint length) {
    return !are_for_bins() || are_repeated(length) ? kWaysByBins : 1;
}

// The ways for other keys.
void sort_unevenly(uint length, KeyRange range, uint refused) {
    if (!sort_by_other_bins(range, length, refused)) {
        sort_by_digits(length, pc.digitPasses);
    }
}
