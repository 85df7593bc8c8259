#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First step of merge sort for keys with an order of their own, one workgroup a list: sorts lists of LIST_TILES tiles by bins, which takes less
// time than merging does.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "workgroup/list_sort.glsl"
#include "workgroup/load_tile.glsl"
#include "device/fourway_lists.glsl"
#include "workgroup/store_samples.glsl"

// The slot may be the input's memory: nobody writes before everybody has read.
#define STORE_ELEMENTS(element, slot1, slot2) \
    STORE_TO_SLOT(element, KEYS_PER_THREAD, slot, begin + element_of(i), element_of(i) < length, slot1, slot2)
#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES_BY(type, slot0, length, STORE_ELEMENTS(values[i], slot1, slot2))

void move_values(uint slot, uint begin, uint length) {
    LOAD_INPUT_WORDS(words, begin, length)
    MOVE_INPUT_VALUES_BY(words, length, STORE_ELEMENTS(s_cells[element_of(i)], values1, values2))
}

#if KEY_WORDS == 1
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
#endif

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
    if (has_flag(kFlagFourWay) && (!has_flag(kFlagMultiway) || control.multiway == 0)) {
        store_samples(begin, 0, length);
    }
    if (!has_flag(kFlagDiscardKeys) || whole_passes() > 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = bits_from_ordered(cell_key(element_of(i)));
        }
        STORE_ELEMENTS(keys[i], keys1, keys2)
    }
#if KEY_WORDS == 1
    if (TAG_BITS > 0 && tagged) {
        move_tagged_values(slot, begin, length);
        return;
    }
#endif
    move_values(slot, begin, length);
}
