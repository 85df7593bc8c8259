#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a merge pass's output begins in list A: searches along diagonals. What they cost is reads all over memory, one after
// the other. With few tiles several invocations search for each, so that a step rules out more than half; with many, first the bounds of
// a workgroup's tiles are found so, and then each tile is searched for between them, beginning where even lists would have it.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

const uint TILE_SEARCHERS = WORKGROUP_SIZE / kPartitionTiles; // of a tile; 1: many tiles
const uint SEARCHERS = TILE_SEARCHERS > 1 ? TILE_SEARCHERS : kBoundSearchers;

shared uint s_from_a[WORKGROUP_SIZE];
shared uint s_bounds[2];

uint diagonal_of(uint tile, Lists lists) {
    return tile * pc.tileSize - output_begin(lists);
}

// merge_path() at the beginning of a tile, by SEARCHERS neighbouring invocations. The whole workgroup takes part.
uint search_together(uint slot, bool has_tile, uint tile) {
    uint searcher = thread_index % SEARCHERS;
    Lists lists = Lists(0, 0, 0, 0);
    uint diagonal = 0;
    uint low = 0;
    uint high = 0;
    if (has_tile) {
        lists = lists_of_tile(tile);
        diagonal = diagonal_of(tile, lists);
        low = least_from_a(lists, diagonal);
        high = most_from_a(lists, diagonal);
    }
    // A step leaves a part of SEARCHERS + 1 at most, whatever a comparator answers; so many steps are enough for all.
    uint longest = has_flag(kFlagTwoInputs) ? min(first_count(), whole_count() - first_count())
                                            : min(pc.tileSize << pass_level(), control.count);
    for (uint most = longest; most > 0; most /= SEARCHERS + 1) {
        uint part = (high - low) / (SEARCHERS + 1);
        uint rest = (high - low) % (SEARCHERS + 1);
        if (low < high) {
            uint a = low + part * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1);
            s_from_a[thread_index] = comes_from_a(slot, lists, diagonal, a) ? 1 : 0;
        }
        barrier();
        if (low < high) {
            uint parts = 0; // that are from A, all but the last element of the next one, which is not
            for (uint i = 0; i < SEARCHERS; ++i) {
                parts += s_from_a[thread_index - searcher + i];
            }
            uint before = low;
            low = parts == 0 ? low : before + part * parts + rest * parts / (SEARCHERS + 1) + 1;
            high = parts == SEARCHERS ? high : before + part * (parts + 1) + rest * (parts + 1) / (SEARCHERS + 1);
        }
        barrier();
    }
    return low;
}

// merge_path() at the beginning of a tile, between what s_bounds has of the lists of `begin` and of `end`.
uint search_between(uint slot, uint tile, uint begin, uint end) {
    Lists lists = lists_of_tile(tile);
    uint diagonal = diagonal_of(tile, lists);
    // The bounds, if they are of the same lists: diagonals and what comes from A.
    Lists begin_lists = lists_of_tile(begin);
    Lists end_lists = lists_of_tile(end);
    bool has_begin = begin_lists.a_begin == lists.a_begin;
    bool has_end = end < whole_tiles() && end_lists.a_begin == lists.a_begin;
    uint d0 = has_begin ? diagonal_of(begin, lists) : 0;
    uint a0 = has_begin ? s_bounds[0] : 0;
    uint d1 = has_end ? diagonal_of(end, lists) : length_of(lists);
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
    if (has_host_counts() && group_index == 0 && thread_index == 0) {
        start_control(pc.count, pc.count + pc.countB);
    }
    uint tiles = whole_tiles();
    uint begin = group_index * kPartitionTiles;
    if (TILE_SEARCHERS > 1) {
        uint tile = begin + thread_index / SEARCHERS;
        uint split = search_together(slot, tile < tiles, tile);
        if (tile < tiles && thread_index % SEARCHERS == 0) {
            state[pc.splitsOffset + tile] = split;
        }
    } else {
        uint end = begin + kPartitionTiles;
        uint bound = thread_index / SEARCHERS;
        uint bound_tile = begin + bound * kPartitionTiles;
        uint split = search_together(slot, bound < 2 && bound_tile < tiles, bound_tile);
        if (bound < 2 && thread_index % SEARCHERS == 0) {
            s_bounds[bound] = split;
        }
        barrier();
        uint tile = begin + thread_index;
        if (tile < tiles) {
            state[pc.splitsOffset + tile] = search_between(slot, tile, begin, end);
        }
    }
}
