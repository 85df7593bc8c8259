// SPDX-License-Identifier: MIT
//
// One-word values, brought to the caches long before load_values waits for them, though no register is free for them yet: a
// word of every 32 bytes is read. The caller has to call keep_values, too, later on, or the compiler leaves the reading out.
// Needs buffers.glsl.

uint touched_words[(KEYS_PER_THREAD + 7) / 8];

#define TOUCH_VALUES(slot_array)                                                                               \
    [[unroll]] for (uint i = 0; i < touched_words.length(); ++i) {                                             \
        touched_words[i] = slot_array[base + min((i * WORKGROUP_SIZE + thread_index) * 8, tile_count - 1)];    \
    }

void touch_values(PassControl pass, uint base, uint tile_count) {
    if (pass.source == 1) {
        TOUCH_VALUES(values1)
    } else if (pass.source == 2) {
        TOUCH_VALUES(values2)
    } else if (!has_flag(kFlagArgsort)) {
        TOUCH_VALUES(values0)
    }
}

void keep_values() {
    if (OPAQUE_FALSE) {
        uint all = 0; // depends on every word, so that no read is removed
        [[unroll]] for (uint i = 0; i < touched_words.length(); ++i) {
            all ^= touched_words[i];
        }
        state[0] = all;
    }
}
