// SPDX-License-Identifier: MIT
//
// Bindings and push constants of the merge kernels, and reading and writing keys and values by slot. Slots 1 and 2 hold
// keys as dense whole words, in the caller's bit patterns; they are put into ordered form on the way in.
#ifndef KEY_WORDS
#define KEY_WORDS 1
#endif

layout(push_constant, std430) uniform PushConstants { MergePush pc; };

bool has_flag(uint flag) {
    return (((FLAGS & kFlagsKnown) != 0 && (flag & kFlagsOfPush) == 0 ? FLAGS : pc.flags) & flag) != 0;
}

#include "merge_keys.glsl"

layout(set = 0, binding = kBindingState, std430) buffer State {
    MergeControl control;
    uint state[];
};
#include "device/merge_counts.glsl"

layout(set = 0, binding = kBindingCount, std430) readonly buffer CountBuffer { uint count_buffer[]; };

// The caller's counts as the buffer has them: the first one, or the second one.
uint held_count(uint i) {
    return count_buffer[(pc.flags >> kCountWordShift) + i];
}

layout(set = 0, binding = kBindingSegments, std430) readonly buffer Segments { uint segments[]; };
layout(set = 0, binding = kBindingKeys0, std430) readonly buffer Keys0 { Key keys0[]; };
layout(set = 0, binding = kBindingKeys0, std430) readonly buffer Keys0Words { uint keys0_words[]; };
layout(set = 0, binding = kBindingKeys1, std430) buffer Keys1 { Key keys1[]; };
layout(set = 0, binding = kBindingSecondKeys, std430) readonly buffer SecondKeys { Key second_keys[]; };
layout(set = 0, binding = kBindingSecondKeys, std430) readonly buffer SecondKeysWords { uint second_keys_words[]; };
layout(set = 0, binding = kBindingKeys2, std430) buffer Keys2 { Key keys2[]; };

#ifndef COMPARATOR
#include "strided_keys.glsl"
#endif
#include "slots.glsl"
layout(set = 0, binding = kBindingSecondValues, std430) readonly buffer SecondValues { uint second_values[]; };
layout(set = 0, binding = kBindingSecondValues, std430) readonly buffer SecondValuePairs { uvec2 second_value_pairs[]; };
layout(set = 0, binding = kBindingSecondValues,
    std430) readonly buffer SecondValueTriples { ThreeWords second_value_triples[]; };
layout(set = 0, binding = kBindingSecondValues, std430) readonly buffer SecondValueQuads { uvec4 second_value_quads[]; };

// Key i of the caller's input, in ordered form.
Key load_input_key(uint i) {
#ifndef COMPARATOR
    if (has_flag(kFlagStrided)) {
        return ordered_from_bits(load_strided_key(i));
    }
#endif
    return ordered_from_bits(keys0[i]);
}

// Key i of a merge's list B.
Key load_second_input_key(uint i) {
#if !defined(COMPARATOR) && KEY_WORDS == 1
    if (has_flag(kFlagPacked)) {
        uint at = i * pc.keyBytes;
        return ordered_from_bits((second_keys_words[at >> 2] >> ((at & 3u) * 8u)) << (32u - 8u * pc.keyBytes));
    }
#endif
    return ordered_from_bits(second_keys[i]);
}

Key load_slot_key(uint slot, uint i) {
    if (slot == 1) {
        return ordered_from_bits(keys1[i]);
    }
    return ordered_from_bits(keys2[i]);
}

void store_slot_key(uint slot, uint i, Key key) {
    if (slot == 1) {
        keys1[i] = bits_from_ordered(key);
    } else {
        keys2[i] = bits_from_ordered(key);
    }
}

// Keys in ordered form; `at_slot` may name i.
#define LOAD_SLOT_KEYS(target, slot, at_slot)                                   \
    LOAD_FROM_SLOT(target, KEYS_PER_THREAD, slot, at_slot, keys1, keys2)        \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                     \
        target[i] = ordered_from_bits(target[i]);                             \
    }

uint load_slot_value(uint slot, uint i) {
    return slot == 1 ? values1[i] : values2[i];
}

void store_slot_value(uint slot, uint i, uint word) {
    if (slot == 1) {
        values1[i] = word;
    } else {
        values2[i] = word;
    }
}

// Word w of the segments' head flags; 0 behind the last element's.
uint head_word(uint w) {
    if (w > (control.count - 1) / 32) {
        return 0;
    }
    return has_flag(kFlagHeadsGiven) ? segments[w] : state[pc.headsOffset + w];
}

// A sort's data moves between slots 1 and 2 so that the last of the planned passes writes slot 1. A count that needs fewer
// leaves out the first ones.
uint first_pass() {
    return pc.maxPasses - whole_passes();
}

// Passes of a sort that the host has sized may be left out, too.
bool is_left_out(uint pass) {
    return has_host_counts() && !has_flag(kFlagTwoInputs) && pass < first_pass();
}

uint source_slot(uint pass) {
    return SOURCE_SLOT != 0 ? SOURCE_SLOT : (pc.maxPasses - pass) % 2 == 1 ? 2 : 1;
}

uint destination_slot(uint pass) {
    return 3 - source_slot(pass);
}

// Pass `level` merges lists of 2^level tiles, or of 4^level.
uint pass_level() {
    return pc.pass - first_pass();
}
