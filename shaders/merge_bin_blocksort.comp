#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First step of merge sort for keys of 4 bytes with an order of their own, one workgroup a list: sorts lists of LIST_TILES tiles by bins
// (workgroup/bin_sort.glsl), which takes less time than merging does. Lists that are too uneven for that are merged here, too.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#define SEGMENTED 0
#define EXTRA_TILE_WORDS (KEYS_PER_THREAD / 2)
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#define CELLS_IN s_tile
#define BIN_SEGMENTS 0
#include "workgroup/tags.glsl"
#include "workgroup/bin_sort.glsl"
#include "workgroup/tagged_bins.glsl"
#include "workgroup/sort_by_merging.glsl"
#include "workgroup/load_tile.glsl"
#include "device/fourway_lists.glsl"
#include "workgroup/store_samples.glsl"

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

// True if the keys have been tagged. Then tagged_places[] tells where values are, or else bins[].
bool sort_list(uint length) {
    clear_bins();
    KeyRange range = find_range();
    if (TAG_BITS == 0) {
        if (!sort_by_bins(range, length, false)) {
            merge_instead(length);
        }
        return false;
    }
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

// The slot may be the input's memory: nobody writes before everybody has read.
#define STORE_ELEMENTS(element, slot1, slot2) \
    STORE_TO_SLOT(element, KEYS_PER_THREAD, slot, begin + element_of(i), element_of(i) < length, slot1, slot2)
#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES_BY(type, slot0, length, STORE_ELEMENTS(values[i], slot1, slot2))

void move_values(uint slot, uint begin, uint length) {
    LOAD_INPUT_WORDS(words, begin, length)
    MOVE_INPUT_VALUES_BY(words, length, STORE_ELEMENTS(s_cells[element_of(i)], values1, values2))
}

void move_tagged_values(uint slot, uint begin, uint length) {
    if (VALUE_WORDS == 1) {
        LOAD_INPUT_WORDS(words, begin, length)
        READ_BEFORE_WRITTEN
        SHARE_WORDS(words[i])
        STORE_ELEMENTS(s_cells[tagged_places[i]], values1, values2)
    } else {
        SHARE_WORDS(begin + tagged_places[i])
        FOR_VALUE_TYPE(MOVE_VALUES)
    }
}

void main() {
    start_control_by_host();
    uint tile = group_index * LIST_TILES;
    if (tile >= whole_tiles()) {
        return;
    }
    uint begin = tile * pc.tileSize;
    uint length = min(whole_count() - begin, LIST_TILES * pc.tileSize);
    uint slot = source_slot(first_pass());
    LOAD_INPUT_KEYS(keys, begin, length)
    bool tagged = sort_list(length);
    if (has_flag(kFlagFourWay)) {
        store_samples(begin, 0, length);
    }
    if (!has_flag(kFlagDiscardKeys) || whole_passes() > 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = bits_from_ordered(cell_key(element_of(i)));
        }
        STORE_ELEMENTS(keys[i], keys1, keys2)
    }
    if (TAG_BITS > 0 && tagged) {
        move_tagged_values(slot, begin, length);
    } else {
        move_values(slot, begin, length);
    }
}
