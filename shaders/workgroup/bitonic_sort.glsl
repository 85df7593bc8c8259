// SPDX-License-Identifier: MIT
//
// Sorts a tile by Batcher's bitonic network, "Sorting Networks and Their Applications", AFIPS 1968. It takes the same time
// whatever the keys are, and is little code, but its steps grow with the square of the tile's logarithm: for small tiles.
//
//   keys[i], origins[i]   the invocation's elements, in any order; with values origins must differ
//   sort_by_network()     puts those of all invocations in order, by key and then by origin: element thread_index *
//                         KEYS_PER_THREAD + i is left in keys[i] and origins[i]. Without values, nothing becomes of origins
//
// Invocations of a subgroup exchange elements by shuffles, others through shared memory. Of two lists that are merged the
// later one is taken backwards in the first step, so that in all steps the lesser of two elements comes first.
// WORKGROUP_SIZE and KEYS_PER_THREAD must be powers of two. Needs config.glsl and keys.glsl.
//
// What else means the same is not the same to NVIDIA's compiler (driver 580.159.04; 2^14 u32 keys 11.7 µs, pairs 13.5):
// elements as structures 12.1 and 15.9; `i ^ mask` instead of `backwards` 12.8 and 16.2, as macros, too.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

Key keys[KEYS_PER_THREAD];
uint origins[KEYS_PER_THREAD];
Key other_keys[KEYS_PER_THREAD]; // of the invocation that these are compared with
uint other_origins[KEYS_PER_THREAD];

// Two tiles, by turns, so that an exchange takes a single barrier.
shared Key s_keys[2 * TILE_SIZE];
shared uint s_origins[VALUE_WORDS > 0 ? 2 * TILE_SIZE : 1];
uint turn_begin = 0;

bool comes_before(Key a, uint a_origin, Key b, uint b_origin) {
    return key_before(a, b) || (VALUE_WORDS > 0 && a == b && a_origin < b_origin);
}

void order_two(uint i, uint j) {
    bool swaps = comes_before(keys[j], origins[j], keys[i], origins[i]);
    Key key = keys[i];
    keys[i] = swaps ? keys[j] : key;
    keys[j] = swaps ? key : keys[j];
    if (VALUE_WORDS > 0) {
        uint origin = origins[i];
        origins[i] = swaps ? origins[j] : origin;
        origins[j] = swaps ? origin : origins[j];
    }
}

// Of each `size` own elements, those that are as far from either end, or those half of that apart.
void order_own(uint size, bool backwards) {
    [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint j = backwards ? i ^ (size - 1) : i ^ (size / 2);
        if (i < j) {
            order_two(i, j);
        }
    }
}

void order_own_from(uint size) {
    [[unroll]] for (; size > 1; size /= 2) {
        order_own(size, false);
    }
}

// From the invocation of the subgroup that has `mask` as other bits of its index.
void take_from_subgroup(uint mask, bool backwards) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint from = backwards ? KEYS_PER_THREAD - 1 - i : i;
        other_keys[i] = subgroupShuffleXor(keys[from], mask);
        if (VALUE_WORDS > 0) {
            other_origins[i] = subgroupShuffleXor(origins[from], mask);
        }
    }
}

// From one anywhere in the workgroup, its element i ^ own_mask for element i.
void take_from_workgroup(uint mask, uint own_mask) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = turn_begin + i * WORKGROUP_SIZE + thread_index;
        s_keys[at] = keys[i];
        if (VALUE_WORDS > 0) {
            s_origins[at] = origins[i];
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = turn_begin + (i ^ own_mask) * WORKGROUP_SIZE + (thread_index ^ mask);
        other_keys[i] = s_keys[at];
        if (VALUE_WORDS > 0) {
            other_origins[i] = s_origins[at];
        }
    }
    turn_begin = TILE_SIZE - turn_begin;
}

// Keeps the lesser elements, or the other ones if the invocation's index has this bit, which is the highest one of those
// that the two differ in.
void keep_half(uint bit) {
    bool is_first = (thread_index & bit) == 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool takes = comes_before(other_keys[i], other_origins[i], keys[i], origins[i]) == is_first;
        keys[i] = takes ? other_keys[i] : keys[i];
        if (VALUE_WORDS > 0) {
            origins[i] = takes ? other_origins[i] : origins[i];
        }
    }
}

void sort_by_network() {
    [[unroll]] for (uint size = 2; size <= KEYS_PER_THREAD; size *= 2) {
        order_own(size, true);
        order_own_from(size / 2);
    }
    [[unroll]] for (uint first = 1; first < SUBGROUP_SIZE; first *= 2) {
        take_from_subgroup(2 * first - 1, true);
        keep_half(first);
        [[unroll]] for (uint bit = first / 2; bit > 0; bit /= 2) {
            take_from_subgroup(bit, false);
            keep_half(bit);
        }
        order_own_from(KEYS_PER_THREAD);
    }
    [[unroll]] for (uint first = SUBGROUP_SIZE; first < WORKGROUP_SIZE; first *= 2) {
        uint mask = 2 * first - 1;
        uint own_mask = KEYS_PER_THREAD - 1;
        [[dont_unroll]] for (uint bit = first; bit >= SUBGROUP_SIZE; bit /= 2) {
            take_from_workgroup(mask, own_mask);
            keep_half(bit);
            mask = bit / 2;
            own_mask = 0;
        }
        [[unroll]] for (uint bit = SUBGROUP_SIZE / 2; bit > 0; bit /= 2) {
            take_from_subgroup(bit, false);
            keep_half(bit);
        }
        order_own_from(KEYS_PER_THREAD);
    }
}
