// SPDX-License-Identifier: MIT
//
// Reads a tile of the caller's input, `length` elements from `begin` on, in the order of element_of(); what lies beyond the
// end repeats the last one. Macros, and branches around the loops: loads within a branch are waited for one by one.
#define LOAD_INPUT_KEYS(target, begin, length)                                              \
    if (!has_flag(kFlagStrided)) {                                                          \
        LOAD_FROM(target, KEYS_PER_THREAD, keys0, (begin) + min(element_of(i), length - 1)) \
    } else {                                                                                \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                               \
            target[i] = load_strided_key((begin) + min(element_of(i), length - 1));         \
        }                                                                                   \
    }                                                                                       \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                   \
        target[i] = ordered_from_bits(target[i]);                                           \
    }

// One-word values, in the same order.
#define LOAD_INPUT_VALUES(target, begin, length)                                              \
    if (has_flag(kFlagArgsort)) {                                                             \
        KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {                                      \
            target[i] = (begin) + element_of(i);                                              \
        }                                                                                     \
    } else {                                                                                  \
        LOAD_FROM(target, TILE_SLOTS, values0, (begin) + min(element_of(i), length - 1))      \
    }

// Declares `words` and puts there what is to move with the keys: one-word values, or the source indices of wider ones.
#define LOAD_INPUT_WORDS(words, begin, length)                \
    uint words[TILE_SLOTS];                                   \
    if (VALUE_WORDS == 1) {                                   \
        LOAD_INPUT_VALUES(words, begin, length)               \
    } else if (VALUE_WORDS > 1) {                             \
        KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {      \
            words[i] = (begin) + element_of(i);               \
        }                                                     \
    }

// Brings the values to where the keys have been sorted to, from `begin` on in `to`: one-word values out of s_slots, wider
// ones by the includer's MOVE_VALUES.
#define MOVE_INPUT_VALUES(words, begin, length, to)                                                               \
    if (VALUE_WORDS > 0) {                                                                                        \
        MOVE_WORDS(words, length)                                                                                 \
        if (VALUE_WORDS == 1) {                                                                                   \
            STORE_TO(s_slots[element_of(i)], TILE_SLOTS, to, (begin) + element_of(i), element_of(i) < length)     \
        } else {                                                                                                  \
            FOR_VALUE_TYPE(MOVE_VALUES)                                                                           \
        }                                                                                                         \
    }
