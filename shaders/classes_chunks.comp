#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd with values, first level: the scan of so many tiles takes one workgroup too long. Before it each chunk of tiles adds up its counts
// (pc.pass 0), the scan turns those sums into where the chunks' keys go, and then each chunk does the same for its tiles (pc.pass 1).
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

const uint kTilesAtOnce = 8; // whose counts are asked for together

void main() {
    uint tiles = control.rangeTiles[0];
    uint first = group_index * kChunkTiles;
    if (first >= tiles) {
        return;
    }
    uint last = min(first + kChunkTiles, tiles) - 1;
    for (uint digit = thread_index; digit < kRadix; digit += WORKGROUP_SIZE) {
        uint next = pc.pass == 0 ? 0 : state[chunk_word(group_index) + digit];
        for (uint tile = first; tile <= last; tile += kTilesAtOnce) {
            uint counts[kTilesAtOnce];
            [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
                counts[k] = state[counts_word(min(tile + k, last)) + digit];
            }
            [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
                if (tile + k <= last) {
                    if (pc.pass != 0) {
                        state[counts_word(tile + k) + digit] = next;
                    }
                    next += counts[k];
                }
            }
        }
        if (pc.pass == 0) {
            state[chunk_word(group_index) + digit] = next;
        }
    }
}
