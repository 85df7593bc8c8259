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

void main() {
    uint tile = group_index;
    if (tile >= control.tiles) {
        return;
    }
    Lists lists = lists_of_tile(tile);
    uint a_count = lists.a_end - lists.a_begin;
    uint total = a_count + (lists.b_end - lists.b_begin);
    uint diagonal = tile * TILE_SIZE - output_begin(lists);
    uint next = min(total - diagonal, TILE_SIZE) + diagonal;
    uint split = state[pc.splitsOffset + tile];
    uint next_split = next == total ? a_count : state[pc.splitsOffset + tile + 1];
    next_split = next_split_in_range(split, next_split, next - diagonal);
    uint pass = pc.pass;
    bool last = pass + 1 == pc.maxPasses;
    merge_tile(source_slot(pass), destination_slot(pass), lists.a_begin + split,
               next_split - split, lists.b_begin + diagonal - split, (next - next_split) - (diagonal - split),
               tile * TILE_SIZE, !(last && has_flag(kFlagDiscardKeys)));
}
