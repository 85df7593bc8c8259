#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a merge pass's output begins in list A: one binary search along its diagonal, one invocation a tile.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/merge_lists.glsl"

void main() {
    uint tile = group_index * WORKGROUP_SIZE + thread_index;
    if (tile < control.tiles) {
        Lists lists = lists_of_tile(tile);
        state[pc.splitsOffset + tile] =
            merge_path(source_slot(pc.pass), lists, tile * pc.tileSize - output_begin(lists));
    }
}
