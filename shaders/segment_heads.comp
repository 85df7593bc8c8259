#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Head flags from head indices or pairs, in two dispatches whose stages pc.pass names: set a bit where each segment begins,
// and in another field where it ends; make a segment of its own of every element between segments. merge_setup.comp has
// cleared the bits. Pairs may come in any order.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "device/segment_parity.glsl"

// Sets bits of a field, of elements below `count`. Neighbours mostly share a word, whose bits are joined before they are
// stored.
void set_bits(uint field, uint elements[kSegmentChunk], uint count) {
    uint joined = 0;
    [[unroll]] for (uint i = 0; i < kSegmentChunk; ++i) {
        uint word = elements[i] / 32;
        joined |= elements[i] < count ? 1u << (elements[i] % 32) : 0;
        bool ends = i + 1 == kSegmentChunk || elements[min(i + 1, kSegmentChunk - 1)] / 32 != word;
        if (ends && joined != 0) {
            atomicOr(state[field + word], joined);
        }
        joined = ends ? 0 : joined;
    }
}

// Of the segments from `first` to `last`, the last one more often.
void set_heads(uint first, uint last, uint count) {
    uint begins[kSegmentChunk];
    [[unroll]] for (uint i = 0; i < kSegmentChunk; ++i) {
        begins[i] = segments[min(first + i, last)];
    }
    set_bits(pc.headsOffset, begins, count);
}

// A pair's segment, clamped to the elements; kNoHead twice if there are none.
uvec2 bounds_of(uint segment, uint count) {
    uint begin = min(segments[2 * segment], count);
    uint second = segments[2 * segment + 1];
    uint end = pc.pass == kStageOffsetCounts ? begin + min(second, count - begin) : min(second, count);
    return begin < end ? uvec2(begin, end) : uvec2(kNoHead);
}

void set_heads_and_ends(uint first, uint last, uint count) {
    uint begins[kSegmentChunk];
    uint ends[kSegmentChunk];
    [[unroll]] for (uint i = 0; i < kSegmentChunk; ++i) {
        uvec2 bounds = bounds_of(min(first + i, last), count);
        begins[i] = bounds.x;
        ends[i] = bounds.y;
    }
    set_bits(pc.headsOffset, begins, count);
    set_bits(pc.endsOffset, ends, count);
    for (uint i = 0; i < kSegmentChunk; ++i) {
        if (first + i <= last) {
            toggle_parities(begins[i], ends[i], count);
        }
    }
}

uint heads_of_word(uint w, uint count) {
    uint begins = state[pc.headsOffset + w];
    uint ends = state[pc.endsOffset + w];
    bool inside = goes_on(w, count);
    uint heads = 0;
    for (uint i = 0; i < 32; ++i) {
        inside = (begins >> i & 1u) != 0 || (inside && (ends >> i & 1u) == 0);
        heads |= inside ? begins & (1u << i) : 1u << i;
    }
    return heads;
}

void main() {
    uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
    uint first = gl_WorkGroupID.x * WORKGROUP_SIZE + thread_index;
    // Read once: no compiler can tell that the bits are other words than these.
    uint count = control.count;
    uint segment_count = control.segments;
    if (pc.pass != kStageGaps) {
        for (uint i = first * kSegmentChunk; i < segment_count; i += stride * kSegmentChunk) {
            if (pc.pass == kStageHeadIndices) {
                set_heads(i, segment_count - 1, count);
            } else {
                set_heads_and_ends(i, segment_count - 1, count);
            }
        }
    } else {
        for (uint w = first; w < divide_up(count, 32); w += stride) {
            state[pc.headsOffset + w] = heads_of_word(w, count);
        }
    }
}
