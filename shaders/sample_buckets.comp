#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, last step, one workgroup a bucket: gathers the bucket's part of every tile and sorts it. Parts are taken in the order of
// the tiles, so that the stable sort of each bucket makes a stable whole.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "workgroup/sort_tile.glsl"

// Of each tile: where its part begins in the bucket, and what to add to a place in the bucket for the element's place in slot 2.
shared uint s_part_starts[WORKGROUP_SIZE];
shared uint s_part_offsets[WORKGROUP_SIZE];
shared uint s_before; // elements of all the buckets before
shared uint s_length;

uint sources[KEYS_PER_THREAD]; // place of each key in slot 2

void find_parts(uint count, uint bucket) {
    uint tile = thread_index;
    uint first = 0;
    uint last = 0;
    if (tile < tile_count(count)) {
        first = bucket == 0 ? 0 : state[cut_word(bucket, tile)];
        last = bucket + 1 == bucket_count(count) ? tile_length(count, tile) : state[cut_word(bucket + 1, tile)];
    }
    uint start = wg_exclusive_add(last - first);
    barrier();
    uint before = wg_exclusive_add(first);
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_length = start + last - first;
        s_before = before + first;
    }
    s_part_starts[thread_index] = start;
    s_part_offsets[thread_index] = tile * pc.tileSize + first - start;
    barrier();
}

// Tile that an element of the bucket comes from: the last one whose part begins there or before.
uint tile_of(uint element) {
    uint tile = 0;
    [[unroll]] for (uint step = 512; step > 0; step /= 2) {
        if (step < WORKGROUP_SIZE) {
            uint next = tile + step;
            tile = next < WORKGROUP_SIZE && s_part_starts[min(next, WORKGROUP_SIZE - 1)] <= element ? next : tile;
        }
    }
    return tile;
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot2, slot1, begin, length)

void move_values(uint begin, uint length) {
    if (VALUE_WORDS == 1) {
        uint words[KEYS_PER_THREAD];
        LOAD_FROM(words, KEYS_PER_THREAD, values2, sources[i])
        MOVE_WORDS(words, length)
        STORE_TO(s_cells[element_of(i)], KEYS_PER_THREAD, values1, begin + element_of(i), element_of(i) < length)
    } else if (VALUE_WORDS > 1) {
        MOVE_WORDS(sources, length)
        FOR_VALUE_TYPE(MOVE_VALUES)
    }
}

void main() {
    uint count = element_count();
    uint bucket = group_index;
    if (bucket >= bucket_count(count)) {
        return;
    }
    find_parts(count, bucket);
    uint begin = s_before;
    uint length = s_length;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = min(element_of(i), length - 1);
        sources[i] = element + s_part_offsets[tile_of(element)];
    }
    LOAD_FROM(keys, KEYS_PER_THREAD, keys2, sources[i])
    sort_tile(length);
    if (!has_flag(kFlagDiscardKeys)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                Key key = cell_key(element_of(i));
                keys1[begin + element_of(i)] = has_flag(kFlagPacked) ? key : bits_from_ordered(key);
            }
        }
    }
    move_values(begin, length);
}
