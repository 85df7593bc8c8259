// SPDX-License-Identifier: MIT
//
// A sample of the caller's keys. Needs config.glsl and the bindings.

// The i-th of `samples` elements, which lie evenly, but not at equal distances.
uint sampled_element(uint i, uint samples, uint count) {
    uint distance = count / samples;
    uint jitter = (i * 0x9E3779B9u >> 16) * (min(distance, 0xFFFFu)) >> 16;
    return i * distance + i * (count % samples) / samples + jitter;
}

// target[i] = the key that is so far behind the i-th of an invocation's sampled ones, of TILE_SIZE in all, if there is one.
// All are asked for together.
#define LOAD_SAMPLED_KEYS(target, behind, count)                                                     \
    {                                                                                                \
        uint elements[KEYS_PER_THREAD];                                                              \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                        \
            uint number = i * WORKGROUP_SIZE + thread_index;                                         \
            elements[i] = min(sampled_element(number, TILE_SIZE, count) + behind, count - 1);        \
        }                                                                                            \
        if (has_flag(kFlagStrided)) {                                                                \
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                    \
                target[i] = load_strided_key(elements[i]);                                           \
            }                                                                                        \
        } else {                                                                                     \
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                    \
                target[i] = keys0[elements[i]];                                                      \
            }                                                                                        \
        }                                                                                            \
    }
