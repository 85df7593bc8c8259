#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a merge pass's output begins in list A: a search along its diagonal. Several invocations a tile look at places
// of the diagonal at even distances, so that a step, which takes as long as two reads of memory, rules out more than half of it.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

const uint SEARCHERS = WORKGROUP_SIZE / kPartitionTiles; // of a tile

shared uint s_from_a[WORKGROUP_SIZE];

void main() {
    uint tile = group_index * kPartitionTiles + thread_index / SEARCHERS;
    uint searcher = thread_index % SEARCHERS;
    bool has_tile = tile < control.tiles;
    uint slot = source_slot(pc.pass);
    // As merge_path(): [low, high] holds the number of elements from A.
    uint low = 0;
    uint high = 0;
    uint b_last = 0; // B's element that A's element 0 would meet
    Lists lists = Lists(0, 0, 0, 0);
    if (has_tile) {
        lists = lists_of_tile(tile);
        uint diagonal = tile * pc.tileSize - output_begin(lists);
        uint b_count = lists.b_end - lists.b_begin;
        low = diagonal > b_count ? diagonal - b_count : 0;
        high = min(diagonal, lists.a_end - lists.a_begin);
        b_last = lists.b_begin + diagonal - 1;
    }
    // A step leaves a part of SEARCHERS + 1 at most, whatever a comparator answers; so many steps are enough for all.
    uint longest = has_flag(kFlagTwoInputs) ? min(control.countA, control.count - control.countA)
                                            : min(pc.tileSize << pass_level(), control.count);
    for (uint most = longest; most > 0; most /= SEARCHERS + 1) {
        uint part = (high - low) / (SEARCHERS + 1);
        uint rest = (high - low) % (SEARCHERS + 1);
        if (low < high) {
            uint middle = low + part * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1);
            Key a = list_key(slot, true, lists.a_begin + middle);
            Key b = list_key(slot, false, b_last - middle);
            s_from_a[thread_index] = key_before(b, a) ? 0 : 1;
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
    if (has_tile && searcher == 0) {
        state[pc.splitsOffset + tile] = low;
    }
}
