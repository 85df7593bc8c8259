// SPDX-License-Identifier: MIT
//
// Keys of one word that have values, sorted stably by bins nearly as quickly as keys-only. The range is divided into
// 2^INDEXED_KEY_BITS coarse bins, and a bin is one of these or lies within one. So all keys of a bin share their first
// INDEXED_KEY_BITS bits, and the element's number in the tile replaces these: the word is then a packed key and index. The
// words of a bin all differ, and in the end tell where each key was.
//
//   INDEXED_KEY_BITS                           0: keys are not packed; else the tile may be larger, but there are
//                                              2^INDEXED_KEY_BITS elements at most
//   index_keys(range)                          makes packed keys and indices of keys[], and chooses their bins, for
//                                              sort_in_bins()
//   index_keys_by_coarse_bins(range, length)   the same for skewed keys, with SKEWED_BINS
//   restore_keys()                             leaves the keys in keys[] again, where sort_in_bins() was false
//   find_indices()                             where it was true: indexed_sources[i] is the element whose key and value
//                                              belong to element_of(i)
//
// Needs workgroup/indexed_keys.glsl and, behind it, workgroup/bin_sort.glsl.

Key original_keys[KEYS_PER_THREAD];
uint indexed_sources[KEYS_PER_THREAD];

const uint kOtherBits = 32 - INDEXED_KEY_BITS;

// Spreads the keys of a range over 32 bits, as different as they were: `shift` makes bit 31 the highest of the greatest, and
// all are then made greater by `more` 2^-32s of themselves.
struct Stretch {
    uint shift;
    uint more;
};

Stretch stretch_for(KeyRange range) {
    uint span = range.greatest - range.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint greatest = max(span << shift, 1u << 31);
    return Stretch(shift, uint(float(~greatest) / float(greatest) * 4294963200.0)); // 2^32 - 2^12, as floats are rounded
}

uint stretched(Key key, KeyRange range, Stretch stretch) {
    uint number = (key - range.least) << stretch.shift;
    uint high, low;
    umulExtended(number, stretch.more, high, low);
    return number + high;
}

void index_keys(KeyRange range) {
    Stretch stretch = stretch_for(range);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        original_keys[i] = keys[i];
        uint number = stretched(keys[i], range, stretch);
        bins[i] = range.least == range.greatest ? element_of(i) : number >> kOtherBits; // equal keys are in order
        keys[i] = number << INDEXED_KEY_BITS | element_of(i);
    }
}

#if SKEWED_BINS

// As in workgroup/equal_bins.glsl, each of the 2^INDEXED_KEY_BITS coarse bins gets as many bins as it has keys.
// Begins with a barrier, and ends with one behind clear_bins().
void index_keys_by_coarse_bins(KeyRange range, uint length) {
    // Words of an invocation, each for two coarse bins: their counts, then the ranks of their first keys.
    const uint words = ((1u << INDEXED_KEY_BITS) / 2 - 1) / WORKGROUP_SIZE + 1;
    const uint others = (1u << kOtherBits) - 1u;
    Stretch stretch = stretch_for(range);
    barrier();
    [[unroll]] for (uint i = 0; i < words; ++i) {
        s_slots[element_of(i)] = 0;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        original_keys[i] = keys[i];
        bins[i] = stretched(keys[i], range, stretch);
        keys[i] = bins[i] << INDEXED_KEY_BITS | element_of(i);
        uint coarse_bin = bins[i] >> kOtherBits;
        if (element_of(i) < length) {
            atomicAdd(s_slots[coarse_bin / 2], 1u << (coarse_bin % 2 * 16));
        }
    }
    barrier();
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < words; ++i) {
        uint counts = s_slots[thread_index * words + i];
        sum += (counts & 0xFFFFu) + (counts >> 16);
    }
    uint next = wg_exclusive_add(sum);
    [[unroll]] for (uint i = 0; i < words; ++i) {
        uint counts = s_slots[thread_index * words + i];
        s_slots[thread_index * words + i] = next | (next + (counts & 0xFFFFu)) << 16;
        next += (counts & 0xFFFFu) + (counts >> 16);
    }
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_slots[WORKGROUP_SIZE * words] = next;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint coarse_bin = bins[i] >> kOtherBits;
        uint own = s_slots[coarse_bin / 2];
        uint begin = coarse_bin % 2 == 0 ? own & 0xFFFFu : own >> 16;
        uint end = coarse_bin % 2 == 0 ? own >> 16 : s_slots[coarse_bin / 2 + 1] & 0xFFFFu;
        bins[i] = begin + ((bins[i] & others) * (end - begin) >> kOtherBits);
    }
    barrier();
    clear_bins();
    barrier();
}

#endif

void restore_keys() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = original_keys[i];
    }
}

void find_indices() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint index = s_slots[element_of(i)] & ((1u << INDEXED_KEY_BITS) - 1u);
        indexed_sources[i] = min(index, TILE_SIZE - 1); // the index of padding has all bits set
    }
}

// Leaves each element's `word` in s_slots, for the invocation that has found the element's rank.
#define SHARE_WORDS(word)                                     \
    barrier();                                                \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {     \
        s_slots[element_of(i)] = word;                        \
    }                                                         \
    barrier();
