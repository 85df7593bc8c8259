#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One pass of merge sort for keys alone whose first lists bins have sorted, WAYS lists at a time: each workgroup makes one tile of the output. What
// belongs into it of each list has been found; that is sorted by bins as if it were in no order, which takes less time than merging so
// many lists.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "workgroup/list_sort.glsl"
#include "device/multiway_lists.glsl"

const uint HALF_LISTS = WAYS > 32 ? 32 : WAYS > 16 ? 16 : 8;
const uint MOST_LISTS = 2 * HALF_LISTS;
shared uint s_begins[MOST_LISTS + 1]; // where each list's elements begin in the tile; of lists that there are not, no element does
shared uint s_sources[MOST_LISTS];    // an element of the tile is so far on in memory, modulo 2^32
shared uint s_output;                 // where the tile's output begins

// What the tile has from each list. Returns how many elements that are.
uint load_shares(uint tile) {
    for (uint list = thread_index; list <= MOST_LISTS; list += WORKGROUP_SIZE) {
        uint at = 0xFFFFFFFFu;
        if (list <= WAYS) {
            uint before = state[multiway_split(tile, list)];
            uint behind = state[multiway_split(tile, min(list + 1, WAYS))]; // what comes before of this list, too
            uint end = state[multiway_split(tile + 1, list)];
            uint each = lists_each();
            uint output_begin = list_begin(tile, 0, each);
            uint own_begin = list_begin(tile, list, each);
            if ((tile + 1) % (WAYS * each) == 0 || tile + 1 == list_count()) {
                end = own_begin - output_begin;
            }
            at = end - before;
            if (list < WAYS) {
                s_sources[list] = own_begin + (behind - before) - at;
            } else {
                s_output = output_begin + before;
            }
        }
        s_begins[list] = at;
    }
    barrier();
    return s_begins[WAYS];
}

// Where an element of the tile is in memory.
uint source_of(uint element) {
    uint list = 0;
    [[unroll]] for (uint step = HALF_LISTS; step > 0; step /= 2) {
        list += s_begins[list + step] <= element ? step : 0;
    }
    return s_sources[list] + element;
}

void main() {
    uint tile = group_index;
    uint length = load_shares(min(tile, divide_up(pc.maxTiles, LIST_TILES) - 1)); // asked for before it is known whether there is such a tile
    if (tile >= list_count() || length == 0) { // the last tile may be empty, if the one before has as much room
        return;
    }
    uint begin = s_output;
    uint slot = source_slot(pc.pass);
    LOAD_SLOT_KEYS(keys, slot, source_of(min(element_of(i), length - 1)))
    sort_list(length);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = bits_from_ordered(cell_key(element_of(i)));
    }
    uint destination = destination_slot(pc.pass);
    STORE_TO_SLOT(keys[i], KEYS_PER_THREAD, destination, begin + element_of(i), element_of(i) < length, keys1, keys2)
}
