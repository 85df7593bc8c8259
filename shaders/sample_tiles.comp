#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, first step, one workgroup a tile: sorts the tile and takes samples of it.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "workgroup/sort_tile.glsl"
#include "workgroup/load_tile.glsl"

void store_keys(uint begin, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            keys2[begin + element_of(i)] = cell_key(element_of(i));
        }
    }
}

void store_samples(uint tile, uint length) {
    uint samples = sample_count(tile, length);
    for (uint j = thread_index; j < samples; j += WORKGROUP_SIZE) {
        Key key = cell_key(sample_place(tile, j));
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            state[sample_word(tile, j) + w] = key_word(key, w);
        }
    }
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot0, slot2, begin, length)

void move_values(uint begin, uint length) {
    MOVE_INPUT_VALUES(begin, length, values2)
}

void main() {
    uint count = element_count();
    uint tile = group_index;
    if (tile == 0 && thread_index == 0) {
        control.count = count;
        control.digitPassesRun = 0;
        control.fallbacks = 0;
        control.copied = has_flag(kFlagPacked) ? 1 : 0;
        control.copyFrom = 1;
        control.copyFlags = kCopyKeys;
    }
    if (tile >= tile_count(count)) {
        return;
    }
    uint begin = tile * TILE_SIZE;
    uint length = tile_length(count, tile);
    LOAD_INPUT_KEYS(keys, begin, length)
    sort_tile(length);
    store_keys(begin, length);
    store_samples(tile, length);
    move_values(begin, length);
}
