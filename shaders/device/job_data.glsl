// SPDX-License-Identifier: MIT
//
// size_classes and msd: what a job's keys and values are read from and written to. Needs workgroup/cells.glsl.
uint value_words[KEYS_PER_THREAD];

void load_value_words(uint slot, uint begin, uint length, uint component) {
    LOAD_SLOT_VALUES(value_words, slot, (begin + min(element_of(i), length - 1)) * VALUE_WORDS + component)
}

void store_keys(uint begin, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_slot_key(1, begin + element_of(i), cell_key(element_of(i)));
        }
    }
}

// One word of each has been read already, if it is all.
void move_values(uint slot, uint begin, uint length) {
    [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
        if (VALUE_WORDS > 1) {
            load_value_words(slot, begin, length, component);
        }
        MOVE_WORDS(value_words, length)
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                store_slot_value(1, (begin + element_of(i)) * VALUE_WORDS + component, s_cells[element_of(i)]);
            }
        }
    }
}
