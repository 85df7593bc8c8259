// SPDX-License-Identifier: MIT
//
// Sorts a tile of keys in shared memory, stably: most keys by bins (workgroup/bin_sort.glsl). Skewed keys, sorts by some
// bits only and sorts of few keys take digits (workgroup/sort_digits.glsl) or the bins of workgroup/equal_bins.glsl.
//
//   keys[i]                                 this invocation's key number element_of(i) of the tile; those beyond the end
//                                           repeat one of the others
//   sort_uniform(length, range)             leaves the keys in order in shared_key(0), shared_key(1), ..., and with values
//                                           in bins[i] the slot that keys[i] went to; if it returns false, the includer
//                                           sorts by another method, which leaves the same
//
// A small sort executes its code once and waits for it to come from memory. So the code that most keys need stands right
// behind the code that decides for it, even if it stands there twice, and kernels have few methods. Sorting 2^16 u32 keys by
// sample_sort takes 15.9 µs so, and 17.3 µs with all methods in a row (NVIDIA H200).
//
// INDEXED 1: packed keys and indices instead, by workgroup/indexed_bins.glsl, to which the includer goes itself.
// Needs config.glsl and buffers.glsl.
#include "sort_digits.glsl"
#define BIN_SEGMENTS 0
#if INDEXED
#include "indexed_keys.glsl"
#endif
#include "bin_sort.glsl"
#if INDEXED
#include "indexed_bins.glsl"
#endif

// Narrow keys have few values, and few digits.
bool are_for_bins() {
    return pc.keyBytes >= 4 && sorts_all_bits();
}

// What may come before keys are waited for.
void clear_for_bins() {
    if (are_for_bins()) {
        clear_bins();
        clear_extremes();
    }
}

// Behind clear_for_bins().
bool sort_uniform(uint length, inout KeyRange range) {
    if (!are_for_bins()) {
        return false;
    }
    range = find_range_cleared();
    return sort_by_bins(range, length, false);
}
