// SPDX-License-Identifier: MIT
//
// Reads a tile of the caller's input, `length` elements from `begin` on, in the order of element_of(); what lies beyond the end repeats
// the last one. Macros, and branches around the loops: loads within a branch are waited for one by one.
#define LOAD_INPUT_KEYS(target, begin, length)                                              \
    if (has_flag(kFlagStrided)) {                                                           \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                               \
            target[i] = load_strided_key((begin) + min(element_of(i), length - 1));         \
        }                                                                                   \
    } else {                                                                                \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                               \
            target[i] = keys0[(begin) + min(element_of(i), length - 1)];                    \
        }                                                                                   \
    }                                                                                       \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                   \
        target[i] = ordered_from_bits(target[i]);                                           \
    }

// One-word values.
#define LOAD_INPUT_VALUES(target, begin, length)                                            \
    if (has_flag(kFlagArgsort)) {                                                           \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                               \
            target[i] = (begin) + element_of(i);                                            \
        }                                                                                   \
    } else {                                                                                \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                               \
            target[i] = values0[(begin) + min(element_of(i), length - 1)];                  \
        }                                                                                   \
    }
