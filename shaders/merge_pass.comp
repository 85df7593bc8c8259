#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One pass of merge sort, or a merge: each workgroup makes one tile of the output. Where its share of the lists begins and
// ends the partition has found; of few tiles the workgroup does it, which takes less time than a dispatch.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#include "device/merge_lists.glsl"
#include "workgroup/merge_tile.glsl"

// A quarter of the workgroup: of 256 invocations, half or twice as many searchers are no faster on NVIDIA's H200.
const uint SEARCHERS = WORKGROUP_SIZE < 4 ? 1 : WORKGROUP_SIZE / 4;
const uint SEARCH_GROUPS = 2;
#define SEARCH_SHARED s_tile // with words of its own one workgroup fewer would fit on a multiprocessor
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

// Where a tile begins in A, and where the next one does.
uvec2 read_splits(uint tile) {
    uint last = pc.maxTiles - 1;
    return uvec2(state[pc.splitsOffset + min(tile, last)], state[pc.splitsOffset + min(tile + 1, last)]);
}

// 0: what it is added to comes after the key.
uint nothing_of(Key key) {
    return key_word(key, 0) & OPAQUE_ZERO;
}

// Brings the keys of a merge's later tile, of `tiles`, to the second-level cache before a workgroup waits for them, by
// reading one word of every 64 bytes. Returns what was read: the caller has to use it, or the compiler leaves the reading
// out.
uint ask_for_later_tile(uint tile, uint tiles, uvec2 splits) {
    uint at = thread_index * 16 / KEY_WORDS;
    if (tile + 1 >= tiles || at >= TILE_SIZE) {
        return 0;
    }
    uint a_count = next_split_in_range(splits.x, splits.y, TILE_SIZE) - splits.x;
    Key key;
    if (at < a_count) {
        key = load_input_key(splits.x + at);
    } else {
        key = load_second_input_key(tile * TILE_SIZE - splits.x + at - a_count);
    }
    return key_word(key, 0);
}

void main() {
    uint tile = group_index;
    if (has_flag(kFlagTwoInputs) && has_flag(kFlagPassSearches)) {
        start_control_by_host();
    }
    // Asked for together, before it is known whether there is such a tile.
    uint tiles = tiles_at_hand();
    uvec2 splits = has_flag(kFlagPassSearches) ? uvec2(0) : read_splits(tile);
    uvec2 later_splits = TILES_AHEAD > 0 ? read_splits(tile + TILES_AHEAD) : uvec2(0);
    if (tile >= tiles || is_left_out(pc.pass)) {
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
    if (has_flag(kFlagPassSearches)) {
        splits = find_splits(slot, lists, diagonal, next);
    } else if (next == total) {
        splits.y = a_count;
    }
    uint from_a = next_split_in_range(splits.x, splits.y, next - diagonal) - splits.x;
    uint a_first = lists.a_begin + splits.x;
    uint b_first = lists.b_begin + diagonal - splits.x;
    load_lists(slot, a_first, from_a, b_first, next - diagonal);
    uint read_ahead = 0;
    if (TILES_AHEAD > 0) {
        // Behind the tile's own keys, which would have to wait otherwise.
        later_splits.x += nothing_of(keys[0]);
        read_ahead = ask_for_later_tile(tile + TILES_AHEAD, tiles, later_splits);
    }
    merge_tile(slot, destination_slot(pass), a_first, from_a, b_first, next - diagonal, tile * TILE_SIZE,
               !(last && has_flag(kFlagDiscardKeys)));
    if (OPAQUE_FALSE) {
        state[0] = read_ahead;
    }
}
