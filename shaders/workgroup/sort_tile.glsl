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

void sort_tile(uint length) {
    if (pc.keyBytes >= 4 && sorts_all_bits()) { // narrow keys have few values, and few digits
        clear_bins();
        if (sort_by_bins(find_range(), length, false)) {
            return;
        }
    }
    sort_by_digits(length, pc.digitPasses);
}
