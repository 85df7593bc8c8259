#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a merge's output begins in list A: searches along diagonals. What they cost is reads all over memory, one after
// the other. So first the bounds of a workgroup's tiles are found, by several invocations each; then each tile is searched for between
// them, beginning where even lists would have it.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

const uint SEARCHERS = kBoundSearchers;
const uint SEARCH_GROUPS = WORKGROUP_SIZE / SEARCHERS;

shared uint s_search[3 * SEARCH_GROUPS];
shared uint s_bounds[2];
#define SEARCH_SHARED s_search
#include "device/merge_search.glsl"

// merge_path() at the beginning of a tile, between what s_bounds has of those of `begin` and of `end`.
uint search_between(uint slot, Lists lists, uint tile, uint begin, uint end) {
    uint diagonal = tile * pc.tileSize;
    bool has_end = end < whole_tiles();
    uint d0 = begin * pc.tileSize;
    uint a0 = s_bounds[0];
    uint d1 = has_end ? end * pc.tileSize : length_of(lists);
    uint a1 = has_end ? s_bounds[1] : lists.a_end - lists.a_begin;
    // Even if a comparator is no order: no reads beyond the lists.
    uint most = most_from_a(lists, diagonal);
    uint low = clamp(max(a0, a1 - min(a1, d1 - diagonal)), least_from_a(lists, diagonal), most);
    uint high = clamp(min(a1, a0 + (diagonal - d0)), low, most);
    // Random lists are within this of even ones: some times the square root of kPartitionTiles tiles.
    const uint near = 512;
    if (high - low > 4 * near) {
        uint even = a0 + uint(float(a1 - a0) * (float(diagonal - d0) / float(d1 - d0)));
        even = clamp(even, low + near, high - near - 1);
        bool after_first = comes_from_a(slot, lists, diagonal, even - near);
        bool after_second = comes_from_a(slot, lists, diagonal, even + near);
        if (!after_first) {
            high = even - near;
        } else if (after_second) {
            low = even + near + 1;
        } else {
            low = even - near + 1;
            high = even + near;
        }
    }
    return merge_path(slot, lists, diagonal, low, high);
}

void main() {
    uint slot = source_slot(pc.pass);
    start_control_by_host();
    uint tiles = whole_tiles();
    Lists lists = lists_of_tile(0);
    uint begin = group_index * kPartitionTiles;
    uint end = begin + kPartitionTiles;
    uint bound = thread_index / SEARCHERS;
    uint bound_tile = begin + bound * kPartitionTiles;
    uint diagonal = bound < 2 && bound_tile < tiles ? bound_tile * pc.tileSize : 0;
    uint least = least_from_a(lists, diagonal);
    uint split = search_together(slot, lists, diagonal, least, most_from_a(lists, diagonal), longest_list());
    if (bound < 2 && thread_index % SEARCHERS == 0) {
        s_bounds[bound] = split;
    }
    barrier();
    uint tile = begin + thread_index;
    if (tile < tiles) {
        state[pc.splitsOffset + tile] = search_between(slot, lists, tile, begin, end);
    }
}
