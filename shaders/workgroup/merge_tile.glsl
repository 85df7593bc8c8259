// SPDX-License-Identifier: MIT
//
// Merges one tile's worth of two lists and writes it out, neighbouring elements by neighbouring invocations.

// What an invocation reads is asked for together: in a branch around each load they would be waited for one by one.

// Place `at` of the tile as an element of its list.
uint list_place(uint at, uint a_begin, uint a_count, uint b_begin) {
    return at < a_count ? a_begin + at : b_begin + at - a_count;
}

// With two inputs, each of them is read for every element, at a place that it has.
uint place_in_a(bool from_a, uint place) {
    return from_a ? place : 0;
}

uint place_in_b(bool from_a, uint place) {
    return from_a ? 0 : place;
}

void load_lists(uint slot, uint a_begin, uint a_count, uint b_begin, uint count) {
    if (has_flag(kFlagTwoInputs)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = min(tile_place(i), count - 1);
            keys[i] = load_input_key(place_in_a(at < a_count, a_begin + at));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = min(tile_place(i), count - 1);
            Key b_key = load_second_input_key(place_in_b(at < a_count, b_begin + at - a_count));
            if (at >= a_count) {
                keys[i] = b_key;
            }
        }
    } else {
        LOAD_SLOT_KEYS(keys, slot, list_place(min(tile_place(i), count - 1), a_begin, a_count, b_begin))
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(tile_place(i), keys[i]);
    }
}

// places[]: of the tile.
void move_values(uint slot, uint destination, uint a_begin, uint a_count, uint b_begin, uint count, uint output_first) {
    bool two_inputs = has_flag(kFlagTwoInputs);
    uint words[KEYS_PER_THREAD];
    [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
        if (two_inputs && has_flag(kFlagArgsort)) {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                words[i] = list_place(places[i], a_begin, a_count, b_begin + control.countA);
            }
        } else if (two_inputs) {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                uint place = place_in_a(places[i] < a_count, a_begin + places[i]);
                words[i] = values0[place * VALUE_WORDS + component];
            }
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                uint place = place_in_b(places[i] < a_count, b_begin + places[i] - a_count);
                uint b_word = second_values[place * VALUE_WORDS + component];
                words[i] = places[i] < a_count ? words[i] : b_word;
            }
        } else {
            LOAD_SLOT_VALUES(words, slot, list_place(places[i], a_begin, a_count, b_begin) * VALUE_WORDS + component)
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (tile_place(i) < count) {
                store_slot_value(destination, (output_first + tile_place(i)) * VALUE_WORDS + component, words[i]);
            }
        }
    }
}

// Elements a_begin.. and b_begin.. of the lists, a_count + b_count in all, go to elements output.. of `destination`.
// The whole workgroup takes part. Begins without, ends with s_tile in use: barriers belong around it.
void merge_tile(uint slot, uint destination, uint a_begin, uint a_count, uint b_begin, uint b_count, uint output_first,
                bool keep_keys) {
    uint count = a_count + b_count;
    load_lists(slot, a_begin, a_count, b_begin, count);
    barrier();
    uint first = thread_index * KEYS_PER_THREAD;
    serial_merge(0, a_count, count, min(first, count));
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(first + i, keys[i]);
    }
    barrier();
    if (keep_keys) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_key(tile_place(i));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (tile_place(i) < count) {
                store_slot_key(destination, output_first + tile_place(i), keys[i]);
            }
        }
    }
    if (VALUE_WORDS == 0) {
        return;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[first + i] = places[i];
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        places[i] = s_tile[min(tile_place(i), count - 1)];
    }
    move_values(slot, destination, a_begin, a_count, b_begin, count, output_first);
}
