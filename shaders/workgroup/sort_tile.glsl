// SPDX-License-Identifier: MIT
//
// Sorts a tile of keys in shared memory, stably: by bins (workgroup/bin_sort.glsl), and if the keys are too uneven for that, or not
// all of their bits count, by digits (workgroup/sort_digits.glsl).
//
//   keys[i]             this invocation's key number element_of(i) of the tile; those beyond the end repeat one of the others
//   sort_tile(length)   leaves the keys in order in cell_key(0), cell_key(1), ..., and with values in bins[i] where keys[i] went
//
// Needs config.glsl and buffers.glsl.
#include "sort_digits.glsl"
#define BIN_SEGMENTS 0
#include "bin_sort.glsl"

// Narrow keys have few values, and few digits.
bool are_for_bins() {
    return pc.keyBytes >= 4 && sorts_all_bits();
}

void sort_tile(uint length) {
    if (are_for_bins()) {
        clear_bins();
        if (sort_by_bins(find_range(), length, false)) {
            return;
        }
    }
    sort_by_digits(length, pc.digitPasses);
}

// The same of keys that are in `range` if it `is_known`.
void sort_tile(uint length, KeyRange range, bool is_known) {
    if (are_for_bins()) {
        clear_bins();
        if (is_known) {
            barrier();
        } else {
            range = find_range();
        }
        if (sort_by_bins(range, length, false)) {
            return;
        }
    }
    sort_by_digits(length, pc.digitPasses);
}
