// SPDX-License-Identifier: MIT
//
// Keys with values go to a slot of their bin each (workgroup/bin_sort.glsl). A key that shares its bin finds its rank there
// by comparing, so that the order is stable, and bins[] tells which slot each key has gone to.

uint bin_begin(uint i) {
    return bins[i] & 0xFFFFu;
}

uint earlier_in_bin(uint i) {
    return bins[i] >> 16 & 0xFFu;
}

uint bin_size(uint i) {
    return bins[i] >> 24;
}

#ifndef IS_EARLIER
#define IS_EARLIER(a, b) ((a) < (b))
#endif

// The element whose key is in the slot; the key shares its bin.
uint slot_element(uint slot) {
    return s_indices[slot / 2] >> (slot % 2 * 16) & 0xFFFFu;
}

#if COMPARES_TOGETHER

// Of the first keys of key i's bin, how many are before it | bit 8 + j: the j-th equals it.
uint compare_in_bin(uint i) {
    Key others[kStraightComparisons];
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) { // where there is none, in the invocation's own bank
        others[j] = shared_key(j < bin_size(i) ? bin_begin(i) + j : thread_index);
    }
    uint found = 0;
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
        found += j < bin_size(i) && key_before(others[j], keys[i]) ? 1 : 0;
        found |= j < bin_size(i) && others[j] == keys[i] ? 0x100u << j : 0;
    }
    return found;
}

// How many of its bin come before key i, of which `found` is known. Which of two equal keys does is asked for only where
// there are such.
uint before_in_bin(uint i, uint found) {
    uint before = found & 0xFFu;
    uint self = earlier_in_bin(i);
    uint equal = found >> 8 & ~(1u << min(self, 31));
    while (equal != 0) {
        uint j = findLSB(equal);
        equal &= equal - 1;
        before += IS_EARLIER(slot_element(bin_begin(i) + j), element_of(i)) ? 1 : 0;
    }
    for (uint j = kStraightComparisons; j < bin_size(i); ++j) {
        Key other = shared_key(bin_begin(i) + j);
        before += key_before(other, keys[i]) ? 1 : 0;
        if (other == keys[i] && j != self) {
            before += IS_EARLIER(slot_element(bin_begin(i) + j), element_of(i)) ? 1 : 0;
        }
    }
    return before;
}
#define BEFORE_IN_BIN(i) before_in_bin(i, found[i])

#else

void compare_slot(uint slot, uint i, inout uint before, inout uint equal) {
    Key other = shared_key(slot);
    before += key_before(other, keys[i]) ? 1 : 0;
    equal += other == keys[i] ? 1 : 0;
}

uint before_in_bin(uint i) {
    uint before = 0;
    uint equal = 0;
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
        if (j < bin_size(i)) {
            compare_slot(bin_begin(i) + j, i, before, equal);
        }
    }
    for (uint j = kStraightComparisons; j < bin_size(i); ++j) {
        compare_slot(bin_begin(i) + j, i, before, equal);
    }
    if (equal > 1) { // one is itself
        for (uint slot = bin_begin(i); slot < bin_begin(i) + bin_size(i); ++slot) {
            if (shared_key(slot) == keys[i]) {
                before += IS_EARLIER(slot_element(slot), element_of(i)) ? 1 : 0;
            }
        }
    }
    return before;
}
#define BEFORE_IN_BIN(i) before_in_bin(i)

#endif

// The same, stably; leaves in bins[] where each key went.
void sort_bins_with_values(uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            uint slot = bin_begin(i) + earlier_in_bin(i);
            store_shared_key(slot, keys[i]);
            if (bin_size(i) > 0) {
                atomicOr(s_indices[slot / 2], element_of(i) << (slot % 2 * 16));
            }
        }
    }
    barrier();
#if COMPARES_TOGETHER
    uint found[KEYS_PER_THREAD];
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        found[i] = compare_in_bin(i);
    }
#endif
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint before = BEFORE_IN_BIN(i);
        bool moves = bin_size(i) > 0 && before != earlier_in_bin(i);
        bins[i] = (bin_begin(i) + before) | (moves ? 0x10000u : 0);
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool moves = bins[i] > 0xFFFFu;
        bins[i] &= 0xFFFFu;
        if (moves) {
            store_shared_key(bins[i], keys[i]);
        }
    }
    barrier();
}
