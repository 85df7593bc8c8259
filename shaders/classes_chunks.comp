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

const uint SHARES = WORKGROUP_SIZE > kRadix ? WORKGROUP_SIZE / kRadix : 1; // of a chunk's tiles, each of which an invocation a digit adds up
const uint DIGITS = WORKGROUP_SIZE / SHARES;         // at once
const uint kTilesAtOnce = 8;                         // whose counts are asked for together

shared uint s_sums[SHARES * DIGITS];

// Adds to `next` what tiles from `begin` to before `end` have of the digit. If they are `placed`, where each one's keys go takes the place
// of its count.
uint add_tiles(uint digit, uint begin, uint end, uint next, bool placed) {
    for (uint tile = begin; tile < end; tile += kTilesAtOnce) {
        uint counts[kTilesAtOnce];
        [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
            counts[k] = state[counts_word(min(tile + k, end - 1)) + digit];
        }
        [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
            if (tile + k < end) {
                if (placed) {
                    state[counts_word(tile + k) + digit] = next;
                }
                next += counts[k];
            }
        }
    }
    return next;
}

void main() {
    uint tiles = control.rangeTiles[0];
    uint each = chunk_tiles(tiles);
    uint first = group_index * each;
    if (first >= tiles) {
        return;
    }
    uint last = min(first + each, tiles);
    uint share = thread_index / DIGITS;
    uint share_tiles = each / SHARES;
    uint begin = min(first + share * share_tiles, last);
    uint end = min(begin + share_tiles, last);
    for (uint digit = thread_index % DIGITS; digit < kRadix; digit += DIGITS) {
        s_sums[thread_index] = add_tiles(digit, begin, end, 0, false);
        barrier();
        bool placed = pc.pass != 0;
        uint next = placed ? state[chunk_word(group_index) + digit] : 0;
        for (uint i = 0; i < (placed ? share : SHARES); ++i) {
            next += s_sums[i * DIGITS + thread_index % DIGITS];
        }
        if (placed) {
            add_tiles(digit, begin, end, next, true);
        } else if (share == 0) {
            state[chunk_word(group_index) + digit] = next;
        }
        barrier();
    }
}
