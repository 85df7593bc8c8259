#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd, one workgroup a block: its first head of a segment.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "device/head_spans.glsl"

shared uint s_first;

void main() {
    uint words = divide_up(control.count, 32);
    uint first_word = group_index * BLOCK_WORDS;
    if (first_word >= words) {
        return;
    }
    if (thread_index == 0) {
        s_first = kNoHead;
    }
    barrier();
    uint first = kNoHead;
    [[unroll]] for (uint i = 0; i < SPAN_WORDS; ++i) {
        uint w = first_word + i * WORKGROUP_SIZE + thread_index;
        uint heads = w < words ? heads_in(w) : 0;
        first = min(first, heads != 0 ? 32 * w + findLSB(heads) : kNoHead);
    }
    if (first != kNoHead) {
        atomicMin(s_first, first);
    }
    barrier();
    if (thread_index == 0) {
        state[block_word(group_index)] = s_first;
    }
}
