#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// One pass of merge sort, of four lists at a time: each workgroup makes one tile of the output.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#include "device/fourway_lists.glsl"
#include "workgroup/store_samples.glsl"
#include "workgroup/fourway_tile.glsl"

void main() {
    // Asked for before it is known whether there is such a tile.
    uint tile = group_index;
    uint splits[6];
    [[unroll]] for (uint i = 0; i < 6; ++i) {
        splits[i] = state[pc.splitsOffset + 3 * min(tile, pc.maxTiles - 1) + i];
    }
    if (tile >= control.tiles) {
        return;
    }
    uint output_begin = list_begin(tile, 0);
    uint output_first = tile * pc.tileSize;
    uint rest = list_begin(tile, 4) - output_first;
    uint count = min(rest, pc.tileSize);
    uint taken_before = output_first - output_begin;
    uint end = 0;
    Shares shares;
    [[unroll]] for (uint j = 0; j < 4; ++j) {
        uint taken = j == 3 ? taken_before : splits[j];
        taken_before -= taken;
        uint begin = list_begin(tile, j);
        uint first = begin + taken;
        uint length = count - end; // of the last list; of others at most, even if a comparator is no order
        if (j < 3) {
            uint next = rest == count ? list_begin(tile, j + 1) : begin + splits[3 + j];
            length = clamp(next, first, first + length) - first;
        }
        shares.source[j] = first - end;
        end += length;
        shares.end[j] = end;
    }
    shares.middle = divide_up(shares.end[1], KEYS_PER_THREAD) * KEYS_PER_THREAD;
    bool last = pc.pass + 1 == pc.maxPasses;
    merge_four(source_slot(pc.pass), destination_slot(pc.pass), shares, output_begin, output_first,
               !(last && has_flag(kFlagDiscardKeys)));
}
