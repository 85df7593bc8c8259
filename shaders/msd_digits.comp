#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd and size_classes: sorts the jobs that the finish has left over, because their keys are too skewed for bins, by their
// digits and by the segments they are in.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#extension GL_KHR_shader_subgroup_basic : require
#include "device/job_heads.glsl"

shared uint s_heads_before[HEAD_WORDS]; // each word of s_heads
uint digit_groups = 1;                  // segments

uint segment_number(uint element) {
    uint up_to = s_heads[element / 32] & (0xFFFFFFFFu >> (31 - element % 32));
    return s_heads_before[element / 32] + bitCount(up_to) - 1;
}
#define GROUP_OF(element) segment_number(element)

DigitPosition digit_position(uint pass) {
    return DigitPosition(kRadixBits * pass, kRadix - 1);
}

#include "workgroup/sort_digits.glsl"
#include "device/job_data.glsl"

void number_segments(uint begin, uint length) {
    read_job_heads(begin, length);
    barrier();
    uint words = divide_up(HEAD_WORDS, WORKGROUP_SIZE);
    uint first = thread_index * words;
    uint heads = 0;
    for (uint w = first; w < min(first + words, HEAD_WORDS); ++w) {
        heads += bitCount(s_heads[w]);
    }
    uint before = wg_exclusive_add(heads);
    for (uint w = first; w < min(first + words, HEAD_WORDS); ++w) {
        s_heads_before[w] = before;
        before += bitCount(s_heads[w]);
    }
    barrier();
    digit_groups = segment_number(length - 1) + 1;
}

void main() {
    if (group_index >= control.skewed[LARGE]) {
        return;
    }
    uint job = state[skewed_word(job_number(group_index))];
    uint begin = state[job_word(job)];
    uint flags = state[job_word(job) + 1];
    uint length = flags & kJobLength;
    uint slot = slot_of(flags);
    LOAD_KEYS_OF(keys, slot, begin + min(element_of(i), length - 1))
    if (VALUE_WORDS == 1) {
        load_value_words(slot, begin, length);
    }
    if (!has_flag(kFlagOneSegment) && (flags & kJobHeads) != 0) {
        number_segments(begin, length);
    }
    // What the levels before have sorted by is the same in all keys of the job, and skipped.
    sort_by_digits(length, 4 * KEY_WORDS);
    store_keys(begin, length);
    move_values(slot, begin, length);
}
