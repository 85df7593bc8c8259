#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Head flags from head indices or offset pairs, in the stages that pc.pass counts: set a bit where each segment begins, and
// in another field where it ends; make a segment of its own of every element between segments. merge_setup.comp has cleared
// the bits.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"

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

void set_heads_and_ends(uint first, uint last, uint count) {
    uint begins[kSegmentChunk];
    uint ends[kSegmentChunk];
    [[unroll]] for (uint i = 0; i < kSegmentChunk; ++i) {
        uint at = 2 * min(first + i, last);
        uint begin = segments[at];
        uint end = segments[at + 1];
        begins[i] = begin < end ? begin : kNoHead;
        ends[i] = begin < end ? end : kNoHead;
    }
    set_bits(pc.headsOffset, begins, count);
    set_bits(pc.endsOffset, ends, count);
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
    uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
    uint first = gl_WorkGroupID.x * WORKGROUP_SIZE + thread_index;
    // Read once: no compiler can tell that the bits are other words than these.
    uint count = control.count;
    uint segment_count = control.segments;
    if (pc.pass == 0) {
        for (uint i = first * kSegmentChunk; i < segment_count; i += stride * kSegmentChunk) {
            if (has_flag(kFlagOffsets)) {
                set_heads_and_ends(i, segment_count - 1, count);
            } else {
                set_heads(i, segment_count - 1, count);
            }
        }
    } else {
        for (uint w = first; w < divide_up(count, 32); w += stride) {
            state[pc.headsOffset + w] = heads_of_word(w);
        }
    }
}
