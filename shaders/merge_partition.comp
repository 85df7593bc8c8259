#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a merge's output begins in list A: searches along diagonals. What they cost is reads all over memory,
// one after the other. So first the bounds of a workgroup's tiles are found, by several invocations each; then each tile is
// searched for between them: where even lists would have it, and on from there by how far the keys are apart that meet there
// (interpolation search: Peterson, "Addressing for random-access storage", 1957).
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

const uint SEARCHERS = kBoundSearchers;
const uint SEARCH_GROUPS = WORKGROUP_SIZE / SEARCHERS;

shared uint s_search[3 * SEARCH_GROUPS + 3];
shared uint s_bounds[2 + kOwnArrayType];
#define SEARCH_SHARED s_search
#include "device/merge_search.glsl"
#include "thread/search_around.glsl"

#ifndef COMPARATOR
// Random lists are a few hundred elements from uniform ones here. A guess leaves about the square root of that open, and so
// does the next one.
const uint kGuesses = 3;

float distance_between(Key less, Key greater) {
#if KEY_WORDS == 1
    return float(greater - less);
#else
    uint borrow;
    uint low = usubBorrow(greater.x, less.x, borrow);
    return float(greater.y - less.y - borrow) * 4294967296.0 + float(low);
#endif
}

// From an element of [begin, end) of a list to the next one, on average; 0 if that is not known.
float distance_of_neighbours(uint slot, bool of_a, uint begin, uint end) {
    if (end <= begin + 1) { // or even less, if a list is not in order
        return 0.0;
    }
    return distance_between(list_key(slot, of_a, begin), list_key(slot, of_a, end - 1)) / float(end - begin);
}
#endif

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
    // Where even lists would be divided.
    uint at = a0 + uint(float(a1 - a0) * (float(diagonal - d0) / float(d1 - d0)));
#ifdef COMPARATOR
    uint stride = 256;
#else
    uint stride = 2;
    // One element more of A, and one less of B, brings their keys nearer by the distances of neighbours in both.
    float step_of_both = distance_of_neighbours(slot, true, lists.a_begin + a0, lists.a_begin + a1) +
                         distance_of_neighbours(slot, false, lists.b_begin + d0 - a0, lists.b_begin + d1 - a1);
    float elements = 1.0 / max(step_of_both, 1e-30); // for a distance of 1
    [[unroll]] for (uint i = 0; i < kGuesses; ++i) {
        if (high - low > stride) {
            at = clamp(at, low, high - 1);
            Key a_key = list_key(slot, true, lists.a_begin + at);
            Key b_key = list_key(slot, false, lists.b_begin + diagonal - 1 - at);
            if (key_before(b_key, a_key)) {
                high = at;
                at -= uint(min(distance_between(b_key, a_key) * elements, float(high - low)));
            } else {
                low = at + 1;
                at += uint(min(distance_between(a_key, b_key) * elements, float(high - low)));
            }
        }
    }
#endif
    if (low == high) {
        return low;
    }
    // And around there, further and further.
    at = clamp(at, low, high - 1);
#define IS_FROM_A(i) comes_from_a(slot, lists, diagonal, i)
    SEARCH_AROUND(low, high, at, stride, 4, IS_FROM_A)
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
