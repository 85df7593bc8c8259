#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Head flags from head indices or offset pairs, in the stages that pc.pass counts: clear the bits; set one where each
// segment begins, and in another field where it ends; make a segment of its own of every element between segments.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"

void set_bit(uint field, uint element) {
    if (element < control.count) {
        atomicOr(state[field + element / 32], 1u << (element % 32));
    }
}

// Whether some offset pair [begin, end) has begin <= element < end. Ends rise, so that the first end past the element tells.
bool is_covered(uint element) {
    uint low = 0;
    uint high = control.segments;
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (segments[2 * middle + 1] > element) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low < control.segments && segments[2 * low] <= element;
}

uint heads_of_word(uint w) {
    uint begins = state[pc.headsOffset + w];
    uint ends = state[pc.endsOffset + w];
    bool inside = is_covered(32 * w);
    uint heads = 0;
    for (uint i = 0; i < 32; ++i) {
        inside = (begins >> i & 1u) != 0 || (inside && (ends >> i & 1u) == 0);
        heads |= inside ? begins & (1u << i) : 1u << i;
    }
    return heads;
}

void main() {
    uint words = divide_up(control.count, 32);
    uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
    uint first = gl_WorkGroupID.x * WORKGROUP_SIZE + thread_index;
    if (pc.pass == 0) {
        for (uint w = first; w < words; w += stride) {
            state[pc.headsOffset + w] = 0;
            if (has_flag(kFlagOffsets)) {
                state[pc.endsOffset + w] = 0;
            }
        }
    } else if (pc.pass == 1) {
        for (uint i = first; i < control.segments; i += stride) {
            if (!has_flag(kFlagOffsets)) {
                set_bit(pc.headsOffset, segments[i]);
            } else if (segments[2 * i] < segments[2 * i + 1]) {
                set_bit(pc.headsOffset, segments[2 * i]);
                set_bit(pc.endsOffset, segments[2 * i + 1]);
            }
        }
    } else {
        for (uint w = first; w < words; w += stride) {
            state[pc.headsOffset + w] = heads_of_word(w);
        }
    }
}
