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
        LOAD_FROM(target, KEYS_PER_THREAD, keys0, (begin) + min(element_of(i), length - 1)) \
    }                                                                                       \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                   \
        target[i] = ordered_from_bits(target[i]);                                           \
    }

// One-word values.
#define LOAD_INPUT_VALUES(target, begin, length)                                              \
    if (has_flag(kFlagArgsort)) {                                                             \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                 \
            target[i] = (begin) + element_of(i);                                              \
        }                                                                                     \
    } else {                                                                                  \
        LOAD_FROM(target, KEYS_PER_THREAD, values0, (begin) + min(element_of(i), length - 1)) \
    }

// Brings the values to where the keys have been sorted to: one-word values, then in s_cells, by `store`, wider ones by the includer's
// MOVE_VALUES.
#define MOVE_INPUT_VALUES_BY(begin, length, store)            \
    uint words[KEYS_PER_THREAD];                              \
    if (VALUE_WORDS == 1) {                                   \
        LOAD_INPUT_VALUES(words, begin, length)               \
        MOVE_WORDS(words, length)                             \
        store                                                 \
    } else if (VALUE_WORDS > 1) {                             \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) { \
            words[i] = (begin) + element_of(i);               \
        }                                                     \
        MOVE_WORDS(words, length)                             \
        FOR_VALUE_TYPE(MOVE_VALUES)                           \
    }
#define MOVE_INPUT_VALUES(begin, length, to)                                                                                    \
    MOVE_INPUT_VALUES_BY(begin, length,                                                                                         \
                         STORE_TO(s_cells[element_of(i)], KEYS_PER_THREAD, to, (begin) + element_of(i), element_of(i) < length))
