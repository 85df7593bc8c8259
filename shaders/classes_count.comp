#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, first step of a level: counts the digits of each tile of the long ranges.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

shared uint s_bins[kRadix];

void main() {
    uint tile = group_index;
    if (tile >= control.rangeTiles[pc.pass]) {
        return;
    }
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_bins[i] = 0;
    }
    RangeTile run = range_tile(pc.pass, tile);
    DigitPlace place = level_place(pc.pass);
    uint slot = (run.flags & kRangeSlot2) != 0 ? 2 : 1;
    barrier();
    for (uint first = 0; first < run.count; first += TILE_SIZE) {
        Key loaded[KEYS_PER_THREAD]; // asked for together
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint element = first + i * WORKGROUP_SIZE + thread_index;
            loaded[i] = load_slot_key(slot, run.begin + min(element, run.count - 1));
        }
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (first + i * WORKGROUP_SIZE + thread_index < run.count) {
                atomicAdd(s_bins[digit_of(loaded[i], place)], 1);
            }
        }
    }
    barrier();
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        state[counts_word(tile) + i] = s_bins[i];
    }
}
