#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// reduce_scan, first step of a digit position: each workgroup counts the digits of its run of tiles.
// Table layout: [digit][workgroup], so that the spine scans rows.
#include "config.glsl"
#include "buffers.glsl"
#include "device/tile_runs.glsl"

shared uint s_counts[kRadix];

void main() {
    if (group_index >= control.groups) {
        return;
    }
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_counts[i] = 0;
    }
    barrier();
    PassControl pass = control.passes[pc.pass];
    DigitPosition position = digit_position(pc.pass);
    bool first = (pass.flags & kPassFirst) != 0;
    uint begin = first_tile_of(group_index) * pc.tileSize;
    uint length = min(control.count - begin, (first_tile_of(group_index + 1) - first_tile_of(group_index)) * pc.tileSize);
    for (uint offset = thread_index; offset < length; offset += TILE_SIZE) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = offset + i * WORKGROUP_SIZE;
            if (at < length) {
                atomicAdd(s_counts[digit_of(load_ordered_key(pass.source, first, begin + at), position)], 1);
            }
        }
    }
    barrier();
    for (uint digit = thread_index; digit < kRadix; digit += WORKGROUP_SIZE) {
        state[pc.statusOffset + digit * pc.spineGroups + group_index] = s_counts[digit];
    }
}
