#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd, before the first level, where a sample has not answered it: whether the keys are in order already. Each workgroup looks at a
// share of them, until it finds one that comes after its successor.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

shared uint s_disorder;

#define LOAD_NEIGHBOURS(keys)                                                     \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                         \
        uint place = min(first + i * WORKGROUP_SIZE + thread_index, end - 1);     \
        own[i] = keys[place];                                                     \
        next[i] = keys[min(place + 1, count - 1)];                                \
    }

void main() {
    uint count = control.count;
    uint share = divide_up(count, min(control.rangeTiles[0], pc.countGroups));
    uint begin = min(group_index * share, count);
    uint end = min(begin + share, count);
    if (thread_index == 0) {
        s_disorder = 0;
    }
    barrier();
    for (uint first = begin; first < end; first += TILE_SIZE) {
        Key own[KEYS_PER_THREAD];
        Key next[KEYS_PER_THREAD];
        if (has_flag(kFlagReadsInput)) {
            LOAD_NEIGHBOURS(keys0)
        } else {
            LOAD_NEIGHBOURS(keys1)
        }
        bool in_order = true;
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            in_order = in_order && !key_before(ordered_from_bits(next[i]), ordered_from_bits(own[i]));
        }
        if (!in_order) {
            atomicOr(s_disorder, 1);
        }
        barrier();
        bool found = s_disorder != 0;
        barrier();
        if (found) {
            break;
        }
    }
    if (thread_index == 0 && s_disorder != 0) {
        atomicOr(control.disorder, 1);
    }
}
