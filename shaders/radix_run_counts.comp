#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Keys alone of which two digit places differ, after they were dealt by the higher one: counts the lower one's digits within each digit of
// the higher one, one workgroup a stretch of keys. That is all there is to know of such keys, see radix_runs.comp.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/dealt_parts.glsl"

shared uint s_counts[kRadix];

void count_key(Key key, DigitPlace place) {
    atomicAdd(s_counts[digit_of(key, place)], 1);
}

// Those of a part, from `begin` to `end`.
void count_keys(uint begin, uint end, DigitPlace place) {
    uint at = begin;
    for (; at + TILE_SIZE <= end; at += TILE_SIZE) {
        Key loaded[KEYS_PER_THREAD];
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            loaded[i] = keys2[at + i * WORKGROUP_SIZE + thread_index];
        }
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            count_key(loaded[i], place);
        }
    }
    for (uint i = at + thread_index; i < end; i += WORKGROUP_SIZE) {
        count_key(keys2[i], place);
    }
}

void main() {
    uint begin = group_index * RUN_ELEMENTS;
    if (begin >= control.count) {
        return;
    }
    uint end = min(begin + RUN_ELEMENTS, control.count);
    DigitPlace place = digit_place(control.countedPlace);
    load_part_ends();
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_counts[i] = 0;
    }
    barrier();
    for (uint part = part_of(begin); begin < end; ++part) {
        uint part_end = min(s_part_ends[part], end);
        if (begin >= part_end) { // nothing has this digit
            continue;
        }
        count_keys(begin, part_end, place);
        barrier();
        for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
            uint count = s_counts[i];
            if (count != 0) {
                atomicAdd(state[run_count_word(part, i)], count);
                s_counts[i] = 0;
            }
        }
        barrier();
        begin = part_end;
    }
}
