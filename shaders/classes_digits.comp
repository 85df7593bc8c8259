#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd: sorts the jobs that the finish has left over, because their keys are too uneven for bins, by their digits.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

DigitPlace digit_place(uint pass) {
    return DigitPlace(kRadixBits * pass, kRadix - 1);
}

#include "workgroup/sort_digits.glsl"
#include "device/job_data.glsl"

void main() {
    if (group_index >= control.fallbacks) {
        return;
    }
    uint job = state[skewed_word(group_index)];
    uint begin = state[job_word(job)];
    uint flags = state[job_word(job) + 1];
    uint length = flags & kJobLength;
    uint slot = (flags & kJobSlot2) != 0 ? 2 : 1;
    LOAD_SLOT_KEYS(keys, slot, begin + min(element_of(i), length - 1))
    if (VALUE_WORDS == 1) {
        load_value_words(slot, begin, length);
    }
    // What the levels before have sorted by is the same in all keys of the job, and skipped.
    sort_by_digits(length, 4 * KEY_WORDS);
    store_keys(begin, length);
    move_values(slot, begin, length);
}
