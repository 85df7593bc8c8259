#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Drains the queues of one pass of a locality or segmented sort. Any number of workgroups will do: each takes the next job
// as long as there is one, and none waits for another.
#include "comparator_key.glsl"
#define UNROLL 1
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#include "device/merge_lists.glsl"
#include "workgroup/merge_tile.glsl"

shared uint s_job;

// Elements first..last-1 go to where they stood, in the other slot.
void copy_elements(uint slot, uint destination, uint first, uint last) {
    for (uint i = first + thread_index; i < last; i += WORKGROUP_SIZE) {
        store_slot_key(destination, i, load_slot_key(slot, i));
    }
    for (uint i = first * VALUE_WORDS + thread_index; i < last * VALUE_WORDS; i += WORKGROUP_SIZE) {
        store_slot_value(destination, i, load_slot_value(slot, i));
    }
}

void main() {
    uint slot = source_slot(pc.pass);
    uint destination = destination_slot(pc.pass);
    uint merges = control.work[2 * pass_level()];
    uint jobs = merges + control.work[2 * pass_level() + 1];
    uint most = control.jobsEach;
    for (uint taken = 0; taken < most; ++taken) {
        barrier();
        if (thread_index == 0) {
            s_job = atomicAdd(control.tickets[pass_level()], 1);
        }
        barrier();
        uint job = s_job;
        if (job >= jobs) {
            break;
        }
        if (job < merges) {
            uint at = pc.splitsOffset + 4 * job;
            uint tile = state[at];
            uint a_first = state[at + 1];
            uint a_count = state[at + 2];
            uint tile_begin = tile * TILE_SIZE;
            uint tile_end = tile_begin + min(control.count - tile_begin, TILE_SIZE);
            uint begin = tile_begin + (state[at + 3] & 0xFFFFu);
            uint end = tile_begin + (state[at + 3] >> 16) + 1;
            Lists lists = lists_of_tile(tile);
            // What is before `begin` in the merged lists: A up to a_first, and B up to the rest of it.
            uint b_first = lists.b_begin + begin - a_first;
            load_lists(slot, a_first, a_count, b_first, end - begin);
            merge_tile(slot, destination, a_first, a_count, b_first, end - begin, begin, true);
            copy_elements(slot, destination, tile_begin, begin);
            copy_elements(slot, destination, end, tile_end);
        } else {
            uint tile = state[pc.splitsOffset + 4 * (pc.maxTiles - 1 - (job - merges))];
            uint tile_begin = tile * TILE_SIZE;
            copy_elements(slot, destination, tile_begin, tile_begin + min(control.count - tile_begin, TILE_SIZE));
        }
    }
}
