#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One pass of merge sort, or a merge: each workgroup makes one tile of the output.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#include "device/merge_lists.glsl"
#include "workgroup/merge_tile.glsl"

// Brings the keys of a merge's later tile to the second-level cache before a workgroup waits for them, by reading one word of every 64
// bytes. Returns what was read: the caller has to use it, or the compiler leaves the reading out.
uint ask_for_later_tile(uint tile) {
    tile += TILES_AHEAD;
    uint at = thread_index * 16 / KEY_WORDS;
    if (tile + 1 >= control.tiles || at >= TILE_SIZE) {
        return 0;
    }
    uint split = state[pc.splitsOffset + tile];
    uint a_count = next_split_in_range(split, state[pc.splitsOffset + tile + 1], TILE_SIZE) - split;
    Key key;
    if (at < a_count) {
        key = load_input_key(split + at);
    } else {
        key = load_second_input_key(tile * TILE_SIZE - split + at - a_count);
    }
    return key_word(key, 0);
}

void main() {
    uint tile = group_index;
    if (tile >= control.tiles) {
        return;
    }
    Lists lists = lists_of_tile(tile);
    uint a_count = lists.a_end - lists.a_begin;
    uint total = length_of(lists);
    uint diagonal = tile * TILE_SIZE - output_begin(lists);
    uint next = min(total - diagonal, TILE_SIZE) + diagonal;
    uint split = state[pc.splitsOffset + tile];
    uint next_split = next == total ? a_count : state[pc.splitsOffset + tile + 1];
    next_split = next_split_in_range(split, next_split, next - diagonal);
    uint pass = pc.pass;
    bool last = pass + 1 == pc.maxPasses;
    uint slot = source_slot(pass);
    uint a_first = lists.a_begin + split;
    uint b_first = lists.b_begin + diagonal - split;
    load_lists(slot, a_first, next_split - split, b_first, next - diagonal);
    uint read_ahead = 0;
    if (TILES_AHEAD > 0) {
        read_ahead = ask_for_later_tile(tile);
    }
    merge_tile(slot, destination_slot(pass), a_first, next_split - split, b_first, next - diagonal, tile * TILE_SIZE,
               !(last && has_flag(kFlagDiscardKeys)));
    if (pc.tileSize == 0) { // never
        state[0] = read_ahead;
    }
}
