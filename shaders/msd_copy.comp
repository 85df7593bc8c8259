#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd: brings the caller's input into slot 1 where it is not there already: another buffer, keys that are not whole
// words, values that are indices.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "moved_keys.glsl"

void main() {
    uint first = group_index * pc.copyChunk;
    if (first >= control.count) {
        return;
    }
    uint last = first + min(control.count - first, pc.copyChunk);
    for (uint i = first + thread_index; i < last; i += WORKGROUP_SIZE) {
        if (has_flag(kFlagSeparate) || has_flag(kFlagStrided)) {
            move_input_key(i);
        }
        if (has_flag(kFlagArgsort)) {
            store_slot_value(1, i, i);
        }
    }
    if (has_flag(kFlagSeparate) && !has_flag(kFlagArgsort)) {
        for (uint i = first * VALUE_WORDS + thread_index; i < last * VALUE_WORDS; i += WORKGROUP_SIZE) {
            store_slot_value(1, i, values0[i]);
        }
    }
}
