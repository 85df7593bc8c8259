// SPDX-License-Identifier: MIT
//
// Merges one tile's worth of two lists and writes it out, neighbouring elements by neighbouring invocations.

// Elements a_begin.. and b_begin.. of the lists, a_count + b_count in all, go to elements output.. of `destination`.
// The whole workgroup takes part. Begins without, ends with s_tile in use: barriers belong around it.
void merge_tile(uint slot, uint destination, uint a_begin, uint a_count, uint b_begin, uint b_count, uint output_first,
                bool keep_keys) {
    uint count = a_count + b_count;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = i * WORKGROUP_SIZE + thread_index;
        if (at < count) {
            set_tile_key(at, list_key(slot, at < a_count, at + (at < a_count ? a_begin : b_begin - a_count)));
        }
    }
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
            uint at = i * WORKGROUP_SIZE + thread_index;
            if (at < count) {
                store_slot_key(destination, output_first + at, tile_key(at));
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
    bool two_inputs = has_flag(kFlagTwoInputs);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = i * WORKGROUP_SIZE + thread_index;
        if (at < count) {
            uint place = s_tile[at];
            bool from_a = place < a_count;
            uint from = from_a ? a_begin + place : b_begin + place - a_count;
            uint to = output_first + at;
            if (two_inputs && has_flag(kFlagArgsort)) {
                store_slot_value(destination, to, from_a ? from : control.countA + from);
            } else {
                [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
                    uint word = from * VALUE_WORDS + component;
                    store_slot_value(destination, to * VALUE_WORDS + component,
                                     !two_inputs ? load_slot_value(slot, word)
                                     : from_a    ? values0[word]
                                                 : second_values[word]);
                }
            }
        }
    }
}
