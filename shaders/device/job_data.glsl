// SPDX-License-Identifier: MIT
//
// msd and size_classes: what a job's keys and values are read from and written to. Needs workgroup/shared_keys.glsl.
uint value_words[KEYS_PER_THREAD];

void load_value_words(uint slot, uint begin, uint length) {
    LOAD_FROM_ANY_SLOT(value_words, KEYS_PER_THREAD, slot, begin + min(element_of(i), length - 1), values0, values1, values2)
}

void store_keys(uint begin, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_slot_key(1, begin + element_of(i), shared_key(element_of(i)));
        }
    }
}

#define GATHER_JOB_VALUES(type, slot0, slot1, slot2, second) \
    if (has_flag(kFlagReadsInput) && slot == 0) {            \
        GATHER_VALUES(type, slot0, slot1, begin, length)     \
    } else if (slot == 1) {                                  \
        GATHER_VALUES(type, slot1, slot1, begin, length)     \
    } else {                                                 \
        GATHER_VALUES(type, slot2, slot1, begin, length)     \
    }

// Values wider than a word, to slot 1; s_slots says where they are.
void gather_values(uint slot, uint begin, uint length) {
    FOR_VALUE_TYPE(GATHER_JOB_VALUES)
}

// One-word values have been read already.
void move_values(uint slot, uint begin, uint length) {
    if (VALUE_WORDS == 1) {
        MOVE_WORDS(value_words, length)
        STORE_TO(s_slots[element_of(i)], KEYS_PER_THREAD, values1, begin + element_of(i), element_of(i) < length)
    } else if (VALUE_WORDS > 1) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            value_words[i] = begin + element_of(i);
        }
        MOVE_WORDS(value_words, length)
        gather_values(slot, begin, length);
    }
}
