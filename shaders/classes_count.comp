#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, first step of a level: counts the digits of each tile of the long ranges.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "digits.glsl"
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
    for (uint i = thread_index; i < run.count; i += WORKGROUP_SIZE) {
        atomicAdd(s_bins[digit_of(load_slot_key(slot, run.begin + i), place)], 1);
    }
    barrier();
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        state[counts_word(tile) + i] = s_bins[i];
    }
}
