#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Last dispatch of a radix sort, often empty: moves what the passes did not leave where it belongs, and packs keys of 8
// and 16 bits. A workgroup takes pc.copyChunk elements, a multiple of 4 so that no two share a word.
#include "config.glsl"
#include "buffers.glsl"
#include "moved_keys.glsl"

void copy_whole_keys(uint from, uint begin, uint end) {
    for (uint i = begin + thread_index; i < end; i += WORKGROUP_SIZE) {
        if (from == 0) {
            move_input_key(i);
        } else { // what is in slot 1 already is not copied
            move_temporary_key(i);
        }
    }
}

void copy_packed_keys(uint from, uint begin, uint end) {
    uint bits = 8 * pc.keyBytes;
    uint keys_per_word = 32 / bits;
    for (uint i = begin + thread_index * keys_per_word; i < end; i += WORKGROUP_SIZE * keys_per_word) {
        uint present = min(end - i, keys_per_word);
        uint word = 0;
        for (uint k = 0; k < present; ++k) {
            uint key = load_key(from, i + k);
            if (from != 0) {
                key = bits_from_ordered(key);
            }
            word |= (key >> (32 - bits)) << (k * bits);
        }
        if (present < keys_per_word) { // the bytes behind the last key are the caller's
            uint own = (1u << (present * bits)) - 1u;
            word |= packed_keys[i / keys_per_word] & ~own;
        }
        packed_keys[i / keys_per_word] = word;
    }
}

void copy_values(uint from, uint begin, uint end) {
    bool made = from == 0 && has_flag(kFlagArgsort);
    for (uint i = begin * VALUE_WORDS + thread_index; i < end * VALUE_WORDS; i += WORKGROUP_SIZE) {
        values1[i] = made ? i : load_value_word(from, i);
    }
}

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = control.count;
    uint begin = group_index * pc.copyChunk;
    if (count == 0 || group_index > (count - 1) / pc.copyChunk) {
        return;
    }
    uint end = begin + min(count - begin, pc.copyChunk);
    uint from = control.copyFrom;
    if ((control.copyFlags & kCopyKeys) != 0) {
        if (MOVED_KEY_WORDS == 1 && has_flag(kFlagPacked)) { // packed keys are narrower than a word
            copy_packed_keys(from, begin, end);
        } else {
            copy_whole_keys(from, begin, end);
        }
    }
    if ((control.copyFlags & kCopyValues) != 0) {
        copy_values(from, begin, end);
    }
}
