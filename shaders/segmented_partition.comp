#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Decides what a pass of a locality or segmented sort has to do, one invocation a tile: merge it, copy it to the other
// slot, or nothing, because both slots hold it already. Jobs go to two queues, which grow towards each other in one array.
// After Baxter, "Segmented Sort and Locality Sort", Modern GPU, 2013.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

// The first word of a level's ranges: level p has one pair of words for each list of 2^p tiles.
uint level_offset(uint level) {
    uint offset = pc.rangesOffset;
    for (uint p = 0; p < level; ++p) {
        offset += 2 * ((pc.maxTiles - 1 >> p) + 1);
    }
    return offset;
}

// Cuts the lists down to the segment that spans both, and makes the next level's range of theirs.
Lists active_lists(uint tile, Lists lists) {
    uint level = pass_level();
    uint ranges = level_offset(level);
    uint left = tile >> (level + 1) << 1; // list A, in lists of this level
    bool has_right = lists.b_begin < lists.b_end;
    uint first_a = state[ranges + 2 * left];
    uint last_a = state[ranges + 2 * left + 1];
    uint first_b = has_right ? state[ranges + 2 * left + 2] : kNoHead;
    uint last_b = has_right ? state[ranges + 2 * left + 3] : kNoHead;
    if (tile == left << level) {
        uint next = level_offset(level + 1) + left;
        state[next] = first_a != kNoHead ? first_a : first_b;
        state[next + 1] = last_b != kNoHead ? last_b : last_a;
    }
    if (last_a != kNoHead) {
        lists.a_begin = last_a;
    }
    if (first_b != kNoHead) {
        lists.b_end = first_b;
    }
    return lists;
}

void main() {
    uint tile = group_index * WORKGROUP_SIZE + thread_index;
    if (tile >= control.tiles) {
        return;
    }
    uint slot = source_slot(pc.pass);
    Lists lists = lists_of_tile(tile);
    if (has_flag(kFlagSegments)) {
        lists = active_lists(tile, lists);
    }
    uint tile_begin = tile * pc.tileSize;
    uint tile_end = tile_begin + min(control.count - tile_begin, pc.tileSize);
    uint begin = max(tile_begin, lists.a_begin);
    uint end = min(tile_end, lists.b_end);
    if (begin < end && lists.b_begin < lists.b_end) {
        uint split = merge_path(slot, lists, begin - lists.a_begin);
        uint next_split = merge_path(slot, lists, end - lists.a_begin);
        next_split = next_split_in_range(split, next_split, end - begin);
        // In place already: all comes from where it goes to. A tile lies in one of the lists entirely.
        bool in_a = tile_begin < lists.a_end;
        bool in_place = in_a ? lists.a_begin + split == begin && lists.a_begin + next_split == end
                             : lists.a_begin + split == lists.a_end && lists.a_begin + next_split == lists.a_end;
        if (!in_place) {
            uint job = atomicAdd(control.work[2 * pass_level()], 1);
            uint at = pc.splitsOffset + 4 * job;
            state[at] = tile;
            state[at + 1] = lists.a_begin + split;
            state[at + 2] = next_split - split;
            state[at + 3] = (begin - tile_begin) | (end - tile_begin - 1) << 16;
            state[pc.statusOffset + tile] = 0;
            return;
        }
    }
    if (pass_level() == 0 || state[pc.statusOffset + tile] == 0) {
        uint job = atomicAdd(control.work[2 * pass_level() + 1], 1);
        state[pc.splitsOffset + 4 * (pc.maxTiles - 1 - job)] = tile;
        state[pc.statusOffset + tile] = 1;
    }
}
