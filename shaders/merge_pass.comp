#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One pass of merge sort, or a merge: each workgroup makes one tile of the output. Where its share of the lists begins and ends the partition
// has found; of few tiles the workgroup does it, which takes less time than a dispatch.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#include "device/merge_lists.glsl"
#include "workgroup/merge_tile.glsl"

const uint SEARCHERS = WORKGROUP_SIZE < 4 ? 1 : WORKGROUP_SIZE / 4; // of 256, half as many or twice as many are no faster on NVIDIA's H200
const uint SEARCH_GROUPS = 2;
#define SEARCH_SHARED s_tile // words of their own would have one workgroup fewer find room on a multiprocessor
#include "device/merge_search.glsl"

// How much of A comes before either diagonal.
uvec2 find_splits(uint slot, Lists lists, uint begin, uint end) {
    uint group = thread_index / SEARCHERS;
    uint diagonal = group == 0 ? begin : end;
    uint low = group < SEARCH_GROUPS ? least_from_a(lists, diagonal) : 0;
    uint high = group < SEARCH_GROUPS ? most_from_a(lists, diagonal) : 0;
    uint split = search_together(slot, lists, diagonal, low, high, longest_list());
    barrier();
    if (group < SEARCH_GROUPS && thread_index % SEARCHERS == 0) {
        s_tile[group] = split;
    }
    barrier();
    uvec2 splits = uvec2(s_tile[0], s_tile[1]);
    barrier();
    return splits;
}

// The partition has left the number behind, which is read sooner than it is computed.
uint tiles_at_hand() {
    return has_flag(kFlagPassSearches) ? whole_tiles() : control.tiles;
}

// Brings the keys of a merge's later tile to the second-level cache before a workgroup waits for them, by reading one word of every 64
// bytes. Returns what was read: the caller has to use it, or the compiler leaves the reading out.
uint ask_for_later_tile(uint tile) {
    tile += TILES_AHEAD;
    uint at = thread_index * 16 / KEY_WORDS;
    if (tile + 1 >= tiles_at_hand() || at >= TILE_SIZE) {
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
    if (has_flag(kFlagTwoInputs) && has_flag(kFlagPassSearches)) {
        start_control_by_host();
    }
    if (tile >= tiles_at_hand() || is_left_out(pc.pass)) {
        return;
    }
    Lists lists = lists_of_tile(tile);
    uint a_count = lists.a_end - lists.a_begin;
    uint total = length_of(lists);
    uint diagonal = tile * TILE_SIZE - output_begin(lists);
    uint next = min(total - diagonal, TILE_SIZE) + diagonal;
    uint pass = pc.pass;
    bool last = pass + 1 == pc.maxPasses;
    uint slot = source_slot(pass);
    uint split;
    uint next_split;
    if (has_flag(kFlagPassSearches)) {
        uvec2 splits = find_splits(slot, lists, diagonal, next);
        split = splits.x;
        next_split = splits.y;
    } else {
        split = state[pc.splitsOffset + tile];
        next_split = next == total ? a_count : state[pc.splitsOffset + tile + 1];
    }
    next_split = next_split_in_range(split, next_split, next - diagonal);
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
