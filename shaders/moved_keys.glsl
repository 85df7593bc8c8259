// SPDX-License-Identifier: MIT
//
// For kernels that only move keys: one module moves keys of one word and of two, which a specialization constant tells.
// KEY_WORDS is 1 there, and keys of two words have buffers of pairs beside those of single words. Needs the bindings of
// slots 0 to 2, and strided_keys.glsl.
layout(set = 0, binding = kBindingKeys0, std430) readonly buffer KeyPairs0 { uvec2 key_pairs0[]; };
layout(set = 0, binding = kBindingKeys1, std430) buffer KeyPairs1 { uvec2 key_pairs1[]; };
layout(set = 0, binding = kBindingKeys2, std430) buffer KeyPairs2 { uvec2 key_pairs2[]; };

// Key i of the caller's input, as it stands there, to slot 1.
void move_input_key(uint i) {
    if (MOVED_KEY_WORDS == 2) {
        if (has_flag(kFlagStrided)) {
            uint at = (pc.keyOffset + i * pc.keyStride) >> 2;
            key_pairs1[i] = uvec2(keys0_words[at], keys0_words[at + 1]);
        } else {
            key_pairs1[i] = key_pairs0[i];
        }
    } else {
        if (has_flag(kFlagStrided)) {
            keys1[i] = load_strided_key(i);
        } else {
            keys1[i] = keys0[i];
        }
    }
}

// Key i of slot 2 to slot 1.
void move_temporary_key(uint i) {
    if (MOVED_KEY_WORDS == 2) {
        key_pairs1[i] = key_pairs2[i];
    } else {
        keys1[i] = keys2[i];
    }
}
