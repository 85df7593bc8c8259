#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Last dispatch for keys of 8 and 16 bits: packs the words that they travelled in.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"

layout(set = 0, binding = kBindingPacked, std430) buffer Packed { uint packed_keys[]; };

void main() {
    uint first = group_index * pc.copyChunk;
    if (first >= whole_count()) {
        return;
    }
    uint last = first + min(whole_count() - first, pc.copyChunk);
    uint bits = 8 * pc.keyBytes;
    uint keys_per_word = 32 / bits;
    // copyChunk is a multiple of 4: words do not straddle workgroups.
    for (uint i = first + thread_index * keys_per_word; i < last; i += WORKGROUP_SIZE * keys_per_word) {
        uint present = min(last - i, keys_per_word);
        uint word = 0;
        for (uint k = 0; k < present; ++k) {
            word |= (keys1[i + k] >> (32 - bits)) << (k * bits);
        }
        uint at = i / keys_per_word;
        if (present < keys_per_word) { // the bytes behind the last key are the caller's
            word |= packed_keys[at] & ~((1u << (present * bits)) - 1u);
        }
        packed_keys[at] = word;
    }
}
