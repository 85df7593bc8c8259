// SPDX-License-Identifier: MIT
//
// Merging in shared memory, an equal share of the output to each invocation: Green, McColl and Bader, "GPU Merge Path",
// 2012; the kernels' shape after Baxter, "Modern GPU", 2013.

// The tile's keys, one array of words after another, or one word of another kind an element.
shared uint s_tile[TILE_SIZE * KEY_WORDS];

// An invocation's i-th element of the tile where neighbours are read and written by neighbouring invocations.
uint tile_place(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

Key tile_key(uint at) {
    Key key;
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        set_key_word(key, w, s_tile[w * TILE_SIZE + at]);
    }
    return key;
}

void set_tile_key(uint at, Key key) {
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        s_tile[w * TILE_SIZE + at] = key_word(key, w);
    }
}

// How many of the first `diagonal` elements of merge(A, B) come from A, both in the tile; of equal keys A's come first.
uint tile_merge_path(uint a_begin, uint a_count, uint b_begin, uint b_count, uint diagonal) {
    uint low = diagonal > b_count ? diagonal - b_count : 0;
    uint high = min(diagonal, a_count);
    while (low < high) {
        uint middle = (low + high) / 2;
        if (key_before(tile_key(b_begin + diagonal - 1 - middle), tile_key(a_begin + middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Leaves in keys[] the elements first, first + 1, ... of the tile after merging the neighbours A = [.., a_end) and
// B = [a_end, ..), and in places[] where each stood. Only [a_begin, a_end) and [a_end, b_end) of them can move; what is
// outside stays where it is. Behind the last element of B anything may be left.
void serial_merge(uint a_begin, uint a_end, uint b_end, uint first) {
    uint diagonal = clamp(first, a_begin, b_end) - a_begin;
    uint from_a = tile_merge_path(a_begin, a_end - a_begin, a_end, b_end - a_end, diagonal);
    uint a = a_begin + from_a;
    uint b = a_end + diagonal - from_a;
#if SEGMENTED
    a = first < a_begin ? first : a;
    b = first > b_end ? first : b;
#endif
    Key a_key = tile_key(min(a, TILE_SIZE - 1));
    Key b_key = tile_key(min(b, TILE_SIZE - 1));
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool may_take_b = b < b_end;
#if SEGMENTED
        may_take_b = may_take_b && a >= a_begin;
#endif
        bool take_b = a >= a_end || (may_take_b && key_before(b_key, a_key));
        keys[i] = take_b ? b_key : a_key;
        places[i] = take_b ? b : a;
        uint next = places[i] + 1;
        Key next_key = tile_key(min(next, TILE_SIZE - 1));
        if (take_b) {
            b = next;
            b_key = next_key;
        } else {
            a = next;
            a_key = next_key;
        }
    }
}
