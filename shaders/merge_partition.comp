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

shared uint s_search[3 * SEARCH_GROUPS + 3];
shared uint s_bounds[2];
#define SEARCH_SHARED s_search
#include "device/merge_search.glsl"

// Random lists are within the first of these of even ones, some times the square root of kPartitionTiles tiles, and within the next of what
// two places tell that are as far apart as the one before.
const uint kNear[2] = {512, 32};

// By how much A's element comes before B's of the two that meet on the diagonal there; negative if it comes after.
float lead_of_a(uint slot, Lists lists, uint diagonal, uint a) {
    Key a_key = list_key(slot, true, lists.a_begin + a);
    Key b_key = list_key(slot, false, lists.b_begin + diagonal - 1 - a);
#ifdef COMPARATOR
    return key_before(b_key, a_key) ? -1.0 : 1.0;
#else
    bool before = key_before(b_key, a_key);
    Key greater = before ? a_key : b_key;
    Key less = before ? b_key : a_key;
#if KEY_WORDS == 1
    float lead = float(greater - less);
#else
    uint borrow;
    uint low = usubBorrow(greater.x, less.x, borrow);
    float lead = float(greater.y - less.y - borrow) * 4294967296.0 + float(low);
#endif
    return before ? -lead : lead;
#endif
}

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
    // Where even lists would be divided; then where keys that are even between the last two places would meet.
    uint even = a0 + uint(float(a1 - a0) * (float(diagonal - d0) / float(d1 - d0)));
    [[unroll]] for (uint i = 0; i < kNear.length(); ++i) {
        uint near = kNear[i];
        if (high - low <= 4 * near) {
            continue;
        }
        uint first = clamp(even, low + near, high - near - 1) - near;
        uint second = first + 2 * near;
        float lead = lead_of_a(slot, lists, diagonal, first);
        float last_lead = lead_of_a(slot, lists, diagonal, second);
        if (lead < 0.0) {
            high = first;
        } else if (last_lead >= 0.0) {
            low = second + 1;
        } else {
            low = first + 1;
            high = second;
            even = first + uint(float(2 * near) * (lead / (lead - last_lead)));
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
