// SPDX-License-Identifier: MIT
//
// Sorts up to a tile of keys in shared memory at a cost that does not depend on how many there are of what: every key gets two
// bins, and its own is where it would stand if the keys were spread evenly between the least and the greatest. The bins are
// counted and scanned, each key goes to a cell of its own, and the few that share a bin find their ranks by comparing.
//
// Bins are in the keys' order whatever the keys, so that uneven ones cost time only; what would cost too much is refused. After
// Neubert, "The Flashsort1 Algorithm", 1998, and the in-memory finish of Stehle and Jacobsen, "A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
//
// BIN_SEGMENTS 1: the keys may be in segments, which are sorted side by side; segment_of(element) is where the element's
// segment begins | its length << 16.
// Needs config.glsl, keys, key_word() and key_before(), and one of the scans.

// Comparisons a key that are worth less than another way to sort; evenly spread keys take less than one.
const uint kMostComparisons = 16;
// Comparisons that a key makes in straight code; a bin of more keys takes a loop.
const uint kStraightComparisons = 3;
const uint kBinCounter = 0xFF; // of 8 bits

// First the bins, two to a word: counters in bits 0 and 8, and from bit 16 on the cell where the first one begins. Then the
// keys, each in a cell of its bin.
shared uint s_cells[TILE_SIZE];
#if KEY_WORDS == 2
shared uint s_high_words[TILE_SIZE];
#endif
shared uint s_places[VALUE_WORDS > 0 ? TILE_SIZE / 2 + 1 : 1]; // where the keys came from, two to a word
shared uint s_least;
shared uint s_greatest;
shared uint s_comparisons;
shared uint s_overflow; // not 0: a counter was full

Key keys[KEYS_PER_THREAD];
// The bin of a key | how many came to it before << 16; then the bin's first cell | its keys << 16 | how many came before << 24.
uint bins[KEYS_PER_THREAD];

uint element_of(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

Key cell_key(uint at) {
#if KEY_WORDS == 1
    return s_cells[at];
#else
    return uvec2(s_cells[at], s_high_words[at]);
#endif
}

void store_cell(uint at, Key key) {
    s_cells[at] = key_word(key, 0);
#if KEY_WORDS == 2
    s_high_words[at] = key.y;
#endif
}

uint first_cell(uint i) {
    return bins[i] & 0xFFFFu;
}

uint bin_size(uint i) {
    return (bins[i] >> 16) & kBinCounter;
}

uint own_cell(uint i) {
    return first_cell(i) + (bins[i] >> 24);
}

// The least and the greatest of one word of all the keys. Those beyond the end repeat one of the others.
void find_extremes(bool low) {
    if (thread_index == 0) {
        s_least = 0xFFFFFFFFu;
        s_greatest = 0;
    }
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = key_word(keys[i], low ? 0 : KEY_WORDS - 1);
        least = min(least, word);
        greatest = max(greatest, word);
    }
#if RANK_MATCH
    // No reductions, see scan_subgroup.glsl; and of prefixes Metal has only sums and products.
    [[unroll]] for (uint distance = SUBGROUP_SIZE / 2; distance > 0; distance /= 2) {
        least = min(least, subgroupShuffleXor(least, distance));
        greatest = max(greatest, subgroupShuffleXor(greatest, distance));
    }
    if (gl_SubgroupInvocationID == 0) {
        atomicMin(s_least, least);
        atomicMax(s_greatest, greatest);
    }
#else
    atomicMin(s_least, least);
    atomicMax(s_greatest, greatest);
#endif
    barrier();
}

// Which of `count` equal parts of [0, greatest] a number is in; `factor` is 2^48 / greatest rounded down, and the numbers are
// scaled so that bit 31 is the greatest one's highest.
uint part_of(uint number, uint count, uint factor) {
    uint high, low;
    umulExtended(number, (count * factor) << 1, high, low);
    return min(high >> 17, count - 1);
}

void choose_bins(uint length, bool segments) {
    find_extremes(false);
    bool low = KEY_WORDS == 2 && s_least == s_greatest;
    if (low) {
        barrier();
        find_extremes(true);
    }
    uint least = s_least;
    uint range = s_greatest - least;
    uint shift = range == 0 ? 0 : 31 - findMSB(range);
    uint factor = uint(281474976710656.0 / float(max(range << shift, 1u << 31))) - 1; // rounding may have added 1
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = element_of(i);
        uint segment = length << 16;
#if BIN_SEGMENTS
        if (segments && element < length) {
            segment = segment_of(element);
        }
#endif
        uint word = key_word(keys[i], low ? 0 : KEY_WORDS - 1);
        uint bin = 2 * (segment & 0xFFFFu) + part_of((word - least) << shift, 2 * (segment >> 16), factor);
        bins[i] = range == 0 ? 2 * element : bin; // equal keys are in order
    }
}

// Whether key i comes after the j-th of its bin.
bool follows(uint i, uint j) {
    uint other = first_cell(i) + j;
    Key key = cell_key(other);
    bool earlier = other < own_cell(i);
    if (VALUE_WORDS > 0) {
        earlier = (s_places[other / 2] >> (other % 2 * 16) & 0xFFFFu) < element_of(i);
    }
    return key_before(key, keys[i]) || (key == keys[i] && earlier);
}

// Sorts keys[], the first `length` by element_of(); those behind must repeat one of them. Leaves them in s_cells (and
// s_high_words), and in ends[] where each went; false if that would take too long. Stable where there are values.
bool sort_by_bins(uint length, bool segments, out uint ends[KEYS_PER_THREAD]) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_cells[element_of(i)] = 0;
    }
    if (VALUE_WORDS > 0) {
        for (uint i = thread_index; i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
            s_places[i] = 0;
        }
    }
    if (thread_index == 0) {
        s_comparisons = 0;
        s_overflow = 0;
    }
    choose_bins(length, segments); // with a barrier

    // Counts, and who came how late.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            uint shift = bins[i] % 2 * 8;
            uint before = (atomicAdd(s_cells[bins[i] / 2], 1u << shift) >> shift) & kBinCounter;
            if (before == kBinCounter) {
                s_overflow = 1;
            }
            bins[i] |= before << 16;
        }
    }
    barrier();

    // Where each bin begins.
    uint sum = 0;
    uint squares = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = s_cells[thread_index * KEYS_PER_THREAD + i];
        uint first = word & kBinCounter;
        uint second = word >> 8;
        sum += first + second;
        squares += first * first + second * second;
    }
#if RANK_MATCH
    squares = subgroupInclusiveAdd(squares);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        atomicAdd(s_comparisons, squares);
    }
    uint next = wg_exclusive_add(sum);
#else
    atomicAdd(s_comparisons, squares);
    uint total;
    uint next = wg_exclusive_add(sum, total);
#endif
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = thread_index * KEYS_PER_THREAD + i;
        uint word = s_cells[at];
        s_cells[at] = word | next << 16;
        next += (word & kBinCounter) + (word >> 8);
    }
    barrier();
    if (s_overflow != 0 || s_comparisons > kMostComparisons * max(length, 64)) {
        return false;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint before = bins[i] >> 16;
        uint word = s_cells[(bins[i] & 0xFFFFu) / 2];
        uint first = word & kBinCounter;
        uint second = word >> 8 & kBinCounter;
        uint cell = word >> 16;
        bins[i] = (bins[i] % 2 == 0 ? cell | first << 16 : (cell + first) | second << 16) | before << 24;
    }
    barrier();

    // The keys into their bins. One that is alone is where it belongs.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            uint cell = own_cell(i);
            store_cell(cell, keys[i]);
            if (VALUE_WORDS > 0 && bin_size(i) > 1) {
                atomicOr(s_places[cell / 2], element_of(i) << (cell % 2 * 16));
            }
        }
    }
    barrier();

    // Ranks in the bins. Equal keys stay in order: without values, any order is that.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint before = 0;
        uint size = element_of(i) < length ? bin_size(i) : 0;
        if (size > 1) {
            [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
                before += j < size && follows(i, j) ? 1 : 0;
            }
            for (uint j = kStraightComparisons; j < size; ++j) {
                before += follows(i, j) ? 1 : 0;
            }
        }
        ends[i] = first_cell(i) + before;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length && ends[i] != own_cell(i)) {
            store_cell(ends[i], keys[i]);
        }
    }
    barrier();
    return true;
}
