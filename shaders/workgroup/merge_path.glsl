// SPDX-License-Identifier: MIT
//
// Merging in shared memory, an equal share of the output to each invocation: Green, McColl and Bader, "GPU Merge Path",
// 2012; the kernels' shape after Baxter, "Modern GPU", 2013.

// The tile's keys, one array of words after another, or one word of another kind an element.
shared uint s_tile[TILE_SIZE * KEY_WORDS];

// An invocation's i-th element of the tile where neighbours are read and written by neighbouring invocations.
uint tile_index(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

// Stores `element` as element tile_index(i) of the tile, in `slot` from `first` on. full_separately: full tiles have code of
// their own, which lets NVIDIA's compiler overlap loads and stores. Where it does so anyway the second copy costs up to 5 %.
#define STORE_TILE(full_separately, element, slot, first, count, slot1, slot2) \
    if ((full_separately) && (count) == TILE_SIZE) { \
        STORE_TO_SLOT(element, KEYS_PER_THREAD, slot, (first) + tile_index(i), true, slot1, slot2) \
    } else { \
        STORE_TO_SLOT(element, KEYS_PER_THREAD, slot, (first) + tile_index(i), tile_index(i) < (count), slot1, slot2) \
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

// Two lists to be merged stand mirrored in a region of the tile: A from its front on, B from its back on, so that their last
// elements face each other. On a diagonal, the elements of A and B that meet are then always equally far apart, and the
// least key that is left of both lists is the first or the last of what is left.

// Whether equal elements are to be told apart. If not, a merge need not look where the lists end: an end of one may be taken
// for the end of the other only where they are equal.
#if defined(COMPARATOR) || SEGMENTED
const bool EQUALS_DIFFER = true;
#else
const bool EQUALS_DIFFER = VALUE_WORDS > 0;
#endif

// How many of the first `diagonal` elements of merge(A, B) come from A; of equal keys A's come first. A begins at slot
// a_begin and goes up, B at b_front and goes down.
uint tile_merge_path(uint a_begin, uint a_count, uint b_front, uint b_count, uint diagonal) {
    uint low = diagonal > b_count ? diagonal - b_count : 0;
    uint rest = min(diagonal, a_count) - low;
    if (rest == 0) {
        return low;
    }
    uint opposite = b_front + 1 - diagonal - a_begin;
    uint a = a_begin + low;
    // The first comparison leaves an interval of 2^n - 1 elements, which each further one halves: after Shar, in Knuth, "The
    // Art of Computer Programming" 3, 6.2.1.
    uint step = 1u << findMSB(rest);
    uint middle = a + rest - step;
    a = key_before(tile_key(middle + opposite), tile_key(middle)) ? a : middle + 1;
    for (step /= 2; step > 0; step /= 2) {
        uint next = a + step;
        a = key_before(tile_key(next - 1 + opposite), tile_key(next - 1)) ? a : next;
    }
    return a - a_begin;
}

// Leaves in keys[] the elements first, first + 1, ... of the tile after merging the neighbours A = [.., a_end) and B =
// [a_end, ..), and in sources[] their source indices. Only [a_begin, a_end) and [a_end, b_end) can move; elements outside
// stay where they are. Behind the last element of B, keys[] and sources[] may have anything.
void serial_merge(uint a_begin, uint a_end, uint b_end, uint b_front, uint first) {
    uint diagonal = clamp(first, a_begin, b_end) - a_begin;
    uint from_a = tile_merge_path(a_begin, a_end - a_begin, b_front, b_end - a_end, diagonal);
    uint a = a_begin + from_a;
    uint b = b_front - (diagonal - from_a);
    uint b_last = b_front + 1 - (b_end - a_end);
#if SEGMENTED
    a = first < a_begin ? first : a;
    b = first > b_end ? b_front - (first - a_end) : b;
#endif
    Key a_key = tile_key(min(a, TILE_SIZE - 1));
    Key b_key = tile_key(min(b, TILE_SIZE - 1));
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool take_b = key_before(b_key, a_key);
        if (EQUALS_DIFFER) {
            bool may_take_b = b >= b_last;
#if SEGMENTED
            may_take_b = may_take_b && a >= a_begin;
#endif
            take_b = a >= a_end || (may_take_b && take_b);
        }
        keys[i] = take_b ? b_key : a_key;
        sources[i] = take_b ? a_end + b_front - b : a;
        if (i + 1 < KEYS_PER_THREAD) {
            uint next = take_b ? b - 1 : a + 1;
            Key next_key = tile_key(EQUALS_DIFFER ? min(next, TILE_SIZE - 1) : next);
            if (take_b) {
                b = next;
                b_key = next_key;
            } else {
                a = next;
                a_key = next_key;
            }
        }
    }
}

uint sources_before[KEYS_PER_THREAD];

// Turns sources[] from indices in the lists just merged into the sources_before[] of those elements. `first` is the index of
// sources_before[0].
void follow_sources(uint first) {
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[first + i] = sources_before[i];
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        sources[i] = s_tile[sources[i]];
    }
}

// Redistributes sources[]: from the elements from `first` on to the elements tile_index(i), of `count` elements.
void scatter_keys_with_indices(uint first, uint count) {
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[first + i] = sources[i];
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        sources[i] = s_tile[min(tile_index(i), count - 1)];
    }
}
