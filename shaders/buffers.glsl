// SPDX-License-Identifier: MIT
//
// Bindings and push constants of the radix kernels, and reading and writing keys and values by slot.
#ifndef KEY_WORDS
#define KEY_WORDS 1
#endif

layout(push_constant, std430) uniform PushConstants { RadixPush pc; };

#include "keys.glsl"
#include "digits.glsl"

// Digits are counted from the least significant bit that counts.
DigitPosition digit_position(uint pass) {
    uint shift = pc.beginBit + pass * kRadixBits;
    return DigitPosition(shift, (1u << min(kRadixBits, pc.endBit - shift)) - 1u);
}

#ifndef SHARED_BY_STAGES
#define SHARED_BY_STAGES 0
#endif
#if SHARED_BY_STAGES // of one dispatch
#define HANDED_ON nonprivate
#else
#define HANDED_ON
#endif

layout(set = 0, binding = kBindingRadixState, std430) HANDED_ON buffer State {
    Control control;
    uint state[];
};
layout(set = 0, binding = kBindingCount, std430) readonly buffer CountBuffer { uint count_buffer[]; };
layout(set = 0, binding = kBindingKeys0, std430) readonly HANDED_ON buffer Keys0 { Key keys0[]; };
layout(set = 0, binding = kBindingKeys0, std430) readonly buffer Keys0Words { uint keys0_words[]; };
// nonprivate where two invocations write the same element: those of one workgroup, or of another in a later stage.
#if RANK_ATOMICS || SHARED_BY_STAGES
#define WRITTEN_AGAIN nonprivate
#else
#define WRITTEN_AGAIN
#endif
layout(set = 0, binding = kBindingKeys1, std430) WRITTEN_AGAIN buffer Keys1 { Key keys1[]; };
layout(set = 0, binding = kBindingKeys2, std430) WRITTEN_AGAIN buffer Keys2 { Key keys2[]; };
layout(set = 0, binding = kBindingPacked, std430) buffer Packed { uint packed_keys[]; };

bool has_flag(uint flag) {
    return (pc.flags & flag) != 0;
}

bool sorts_all_bits() {
    return pc.endBit - pc.beginBit == 8 * pc.keyBytes;
}

// As the caller's buffer has it.
uint held_count() {
    return count_buffer[pc.flags >> kCountWordShift];
}

uint element_count() {
    return has_flag(kFlagCountFromBuffer) ? min(held_count(), pc.count) : pc.count;
}

// Whether the count is one that this plan sorts. If several plans share a recording, each kernel that is dispatched for all
// counts leaves others alone: it writes nothing but sizes of dispatches, which no other plan uses.
bool is_own_count() {
    if (!has_flag(kFlagCountFromBuffer)) {
        return true;
    }
    uint held = held_count();
    return held >= pc.least && (held <= pc.count || !has_flag(kFlagSmallCounts));
}

#include "strided_keys.glsl"
#include "slots.glsl"

// Key i of a slot as it is stored there.
Key load_key(uint slot, uint i) {
    if (slot == 0) {
        if (has_flag(kFlagStrided)) {
            return load_strided_key(i);
        }
        return keys0[i];
    }
    if (slot == 1) {
        return keys1[i];
    }
    return keys2[i];
}

// Key i of a slot in ordered form.
Key load_ordered_key(uint slot, bool first, uint i) {
    Key key = load_key(slot, i);
    return first ? ordered_from_bits(key) : key;
}

uint load_value_word(uint slot, uint i) {
    return slot == 0 ? values0[i] : slot == 1 ? values1[i] : values2[i];
}
