// SPDX-License-Identifier: MIT
//
// Merges one tile's worth of two lists and writes it out, neighbouring elements by neighbouring invocations.

// An invocation issues all its loads together: with a branch around each, it would wait for them one by one.

// The element in memory that is element `at` of the tile.
uint list_slot(uint at, uint a_begin, uint a_count, uint b_begin) {
    return at < a_count ? a_begin + at : b_begin + at - a_count;
}

// With two inputs, both are read for every element, at an index that is valid in each.
uint index_in_a(bool from_a, uint slot_at) {
    return from_a ? slot_at : 0;
}

uint index_in_b(bool from_a, uint slot_at) {
    return from_a ? 0 : slot_at;
}

// A mask of all bits if element `at` of the tile is A's, otherwise 0.
uint mask_of_a(uint at, uint a_count) {
    return uint(int(at - a_count) >> 31);
}

// a or b, by such a mask. From a conditional expression NVIDIA's compiler would load b into a's register, and so wait until
// a has come.
uint pick(uint a, uint b, uint mask) {
    return (a & mask) | (b & ~mask);
}

uvec2 pick(uvec2 a, uvec2 b, uint mask) {
    return (a & mask) | (b & ~mask);
}

uvec4 pick(uvec4 a, uvec4 b, uint mask) {
    return (a & mask) | (b & ~mask);
}

ThreeWords pick(ThreeWords a, ThreeWords b, uint mask) {
    return ThreeWords(pick(a.x, b.x, mask), pick(a.y, b.y, mask), pick(a.z, b.z, mask));
}

#ifdef COMPARATOR
Key pick(Key a, Key b, uint mask) {
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        a.words[w] = pick(a.words[w], b.words[w], mask);
    }
    return a;
}
#endif

void stage_lists(uint a_count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = tile_index(i);
        set_tile_key(at < a_count ? at : TILE_SIZE - 1 + a_count - at, keys[i]);
    }
}

// Reads a_count elements of A from a_begin on and `count - a_count` of B from b_begin on, and leaves them mirrored in
// s_tile.
void load_lists(uint slot, uint a_begin, uint a_count, uint b_begin, uint count) {
    if (has_flag(kFlagTwoInputs)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = min(tile_index(i), count - 1);
            keys[i] = load_input_key(index_in_a(at < a_count, a_begin + at));
        }
        Key b_keys[KEYS_PER_THREAD];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = min(tile_index(i), count - 1);
            b_keys[i] = load_second_input_key(index_in_b(at < a_count, b_begin + at - a_count));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = pick(keys[i], b_keys[i], mask_of_a(min(tile_index(i), count - 1), a_count));
        }
    } else {
        LOAD_SLOT_KEYS(keys, slot, list_slot(min(tile_index(i), count - 1), a_begin, a_count, b_begin))
    }
    if (count == TILE_SIZE) { // separately, as in STORE_TILE
        stage_lists(a_count);
    } else {
#ifndef COMPARATOR
        // Where equals do not differ, the merge goes on to the end of the tile.
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_index(i) < count ? keys[i] : kPadKey;
        }
#endif
        stage_lists(a_count);
    }
}

#define MERGE_VALUES(type, slot0, slot1, slot2, second) \
    { \
        type values[KEYS_PER_THREAD]; \
        if (has_flag(kFlagTwoInputs)) { \
            type b_values[KEYS_PER_THREAD]; \
            LOAD_FROM(values, KEYS_PER_THREAD, slot0, index_in_a(sources[i] < a_count, a_begin + sources[i])) \
            LOAD_FROM(b_values, KEYS_PER_THREAD, second, index_in_b(sources[i] < a_count, b_begin + sources[i] - a_count)) \
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) { \
                values[i] = pick(values[i], b_values[i], mask_of_a(sources[i], a_count)); \
            } \
        } else { \
            LOAD_FROM_SLOT(values, KEYS_PER_THREAD, slot, list_slot(sources[i], a_begin, a_count, b_begin), slot1, slot2) \
        } \
        STORE_TILE(KEY_WORDS == 1 && has_flag(kFlagTwoInputs), values[i], destination, output_first, count, slot1, slot2) \
    }

// Moves the values by sources[], which are indices in the tile.
void move_values(uint slot, uint destination, uint a_begin, uint a_count, uint b_begin, uint count, uint output_first) {
    if (has_flag(kFlagTwoInputs) && has_flag(kFlagArgsort)) {
        STORE_TO_SLOT(list_slot(sources[i], a_begin, a_count, b_begin + first_count()), KEYS_PER_THREAD, destination,
                      output_first + tile_index(i), tile_index(i) < count, values1, values2)
    } else {
        FOR_VALUE_TYPE(MERGE_VALUES)
    }
}

// After load_lists() of the same lists: their elements, `count` in all, go to elements output_first.. of `destination`. The
// whole workgroup takes part. Ends with s_tile in use: a barrier belongs behind it.
void merge_tile(uint slot, uint destination, uint a_begin, uint a_count, uint b_begin, uint count, uint output_first,
                bool keep_keys) {
    barrier();
    uint first = thread_index * KEYS_PER_THREAD;
    serial_merge(0, a_count, EQUALS_DIFFER ? count : TILE_SIZE, TILE_SIZE - 1, first);
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(first + i, keys[i]);
    }
    barrier();
    if (keep_keys) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_key(tile_index(i));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = bits_from_ordered(keys[i]);
        }
        STORE_TILE(KEY_WORDS == 1, keys[i], destination, output_first, count, keys1, keys2)
    }
    if (VALUE_WORDS == 0) {
        return;
    }
    scatter_keys_with_indices(first, count);
    move_values(slot, destination, a_begin, a_count, b_begin, count, output_first);
}
