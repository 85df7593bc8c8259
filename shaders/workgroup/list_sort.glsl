// SPDX-License-Identifier: MIT
//
// Sorts a list of merge sort by bins (workgroup/bin_sort.glsl), or by merging if it is too uneven for them. Needs config.glsl, one of the scans
// and merge_buffers.glsl.
//
//   keys[i]             this invocation's key element_of(i)
//   sort_list(length)   leaves the keys in order in cells; true if they have been tagged, and then tagged_places[] tells where values are, or
//                       else bins[]
#define SEGMENTED 0
#define TILE_PLACES (TILE_SIZE + KEYS_PER_THREAD / 2)
#include "../thread/odd_even_sort.glsl"
#include "merge_path.glsl"
#define CELLS_IN s_tile
#define HIGH_WORD(at) s_tile[TILE_PLACES + (at)]
#define BIN_SEGMENTS 0
#include "tags.glsl"
#include "bin_sort.glsl"
#if KEY_WORDS == 1
#include "tagged_bins.glsl"
#endif
#include "sort_by_merging.glsl"

// As sort_by_bins() leaves a tile.
void merge_instead(uint length) {
    if (!EQUALS_DIFFER) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = element_of(i) < length ? keys[i] : kPadKey;
        }
    }
    sort_by_merging(EQUALS_DIFFER ? length : TILE_SIZE, 0, false);
    if (VALUE_WORDS == 0) {
        return;
    }
    uint first = thread_index * KEYS_PER_THREAD;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (first + i < length) {
            s_tile[places[i]] = first + i;
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bins[i] = s_tile[element_of(i)];
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_cell(first + i, keys[i]);
    }
    barrier();
}

bool sort_list(uint length) {
    clear_bins();
    KeyRange range = find_range();
#if KEY_WORDS == 1
    if (TAG_BITS > 0) {
        tag_keys(range);
        if (!sort_in_bins(length, false)) {
            untag_keys();
            merge_instead(length);
            return false;
        }
        find_places();
        SHARE_WORDS(untagged[i])
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = s_cells[tagged_places[i]];
        }
        SHARE_WORDS(keys[i])
        return true;
    }
#endif
    if (!sort_by_bins(range, length, false)) {
        merge_instead(length);
    }
    return false;
}
