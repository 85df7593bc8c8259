// SPDX-License-Identifier: MIT
//
// Sorts up to a tile of keys in shared memory at a cost that does not depend on how many there are of what: there are as many
// bins as keys, and a key's bin is where it would stand if the keys were spread evenly over their range. The bins are
// counted and scanned, and each key goes to a cell of its own in its bin. Keys alone are then put in order by odd-even rounds of
// short sorts in registers; with BIN_VALUES, which would have to move along, a key that shares its bin finds its rank by comparing.
//
// Bins are in the keys' order whatever the keys, so that uneven ones cost time only; what would cost too much is refused. After
// Neubert, "The Flashsort1 Algorithm", 1998, and the in-memory finish of Stehle and Jacobsen, "A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
//
// BIN_VALUES: 0 if nothing but the keys is to be put in order; a constant expression.
// IS_EARLIER(a, b), if defined: whether element a comes before element b where their keys are equal; it is asked for these only. Otherwise
// they come in the order of their numbers.
// BIN_SEGMENTS 1: the keys may be in segments, which are sorted side by side; segment_of(element) is where the element's
// segment begins | its length << 16, and bit i of heads_from(element) is whether element + i begins one. FEW_HEADS: whether most windows
// have none; a constant expression.
// MORE_BINS 1: as many bins as a tile has cells, for tiles that are seldom full. SKIPS_PADDING 1: windows of nothing but padding are left out there.
// LEAST_BIN_WORDS: of bins, two to a word, an invocation has so many words at least; KEYS_PER_THREAD at most.
// BINS_APART, if defined: whether keys are to be ordered within bins only; a constant expression, with BIN_VALUES 0 and BIN_SEGMENTS 0 where it is true.
// COMPARES_TOGETHER, with values: whether all that an invocation's keys are compared with is asked for at once, which hides latency where workgroups
// are few, and takes registers. Loads in branches are waited for one by one.
// Needs config.glsl, keys.glsl and one of the scans.
#include "cells.glsl"
#include "extremes.glsl"

#ifndef BIN_VALUES
#define BIN_VALUES VALUE_WORDS
#endif

#ifndef MOST_IN_BIN
#define MOST_IN_BIN (UNROLL != 0 ? 64 : 32)
#endif
#ifndef MORE_BINS
#define MORE_BINS 0
#endif
const uint kMostInBin = MOST_IN_BIN; // beyond, another way to sort is cheaper
#ifndef COMPARES_TOGETHER
#define COMPARES_TOGETHER UNROLL
#endif
const uint kStraightComparisons = 4; // that a key makes in straight code; a bin of more keys takes a loop
const uint kBinCounter = 0xFF;       // of 8 bits
#ifndef LEAST_BIN_WORDS
#define LEAST_BIN_WORDS 1
#endif
const uint KEY_BIN_WORDS = (KEYS_PER_THREAD + 1) / 2 | 1;
// An invocation's; odd where there is room, so that they stand in different banks.
const uint BIN_WORDS = KEY_BIN_WORDS < (LEAST_BIN_WORDS) ? (LEAST_BIN_WORDS) : KEY_BIN_WORDS;

// s_cells holds the bins first, two to a word: counters in bits 0 and 8, and from bit 16 on the cell where the first one begins.
// Then the keys, each in a cell of its bin, and padding behind them.
shared uint s_places[BIN_VALUES > 0 ? TILE_SIZE / 2 + 1 : 1]; // of keys that share a bin: their elements, two to a word
shared uint s_overflow; // not 0: it would take too long; and if a bin has too many keys, the one before this invocation has one of them
shared uint s_rounds;

// bins[i] is the bin of a key | how many came to it before << 16. Then, for keys alone, the key's cell; with values where the bin
// begins | how many came before << 16 | keys of the bin, or 0 if it is alone, << 24, and at last where the key ends.

// 32 bits of a key, from `above` bits below its highest on.
uint key_window(Key key, uint above) {
#if KEY_WORDS == 1
    return key << above;
#else
    uint shift = above & 31u;
    uint high = above < 32 ? key.y : key.x;
    uint low = above < 32 ? key.x : 0;
    return (high << shift) | ((low >> 1) >> (31u - shift));
#endif
}

// The least and the greatest window of all the keys. Those beyond the end repeat one of the others.
void find_extremes(uint above) {
    clear_extremes();
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint window = key_window(keys[i], above);
        least = min(least, window);
        greatest = max(greatest, window);
    }
    add_extremes(least, greatest);
}

// What the keys are spread over: `above` bits that all share, and the least and the greatest of the 32 below them.
struct KeyRange {
    uint above;
    uint least;
    uint greatest;
};

KeyRange find_range() {
    uint above = 0;
    find_extremes(0);
    if (KEY_WORDS == 2 && s_least == s_greatest) {
        barrier();
        above = 32;
        find_extremes(above);
    }
    return KeyRange(above, s_least, s_greatest);
}

// 2^48 / greatest, rounded down, where bit 31 is the greatest number's highest.
uint factor_for(uint greatest) {
    return uint(281474976710656.0 / float(max(greatest, 1u << 31))) - 1; // rounding may have added 1
}

// Which of `count` equal parts of [0, greatest] a number is in, by factor_for(greatest).
uint part_of(uint number, uint count, uint factor) {
    uint high, low;
    umulExtended(number, (count * factor) << 1, high, low);
    return min(high >> 17, count - 1);
}

void choose_bins(KeyRange range, uint length, bool segments) {
    uint span = range.greatest - range.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint factor = factor_for(span << shift);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = element_of(i);
        uint segment = (MORE_BINS != 0 ? TILE_SIZE : length) << 16;
#if BIN_SEGMENTS
        if (segments && element < length) {
            segment = segment_of(element);
        }
#endif
        uint number = (key_window(keys[i], range.above) - range.least) << shift;
        uint bin = (segment & 0xFFFFu) + part_of(number, segment >> 16, factor);
        bins[i] = span == 0 ? element : bin; // equal keys are in order
    }
}

#if UNROLL

#ifdef BINS_APART
uint window_bins;                                              // bit i: whether key i of the window is the first one of its bin
shared uint s_bin_begins[BINS_APART ? TILE_SIZE / 32 + 2 : 1]; // the same of the tile's cells
#endif

#include "../thread/window_sort.glsl"

// Puts keys i and i + 1 of a window in order, unless a segment begins between them.
void order_neighbours(uint i, bool apart) {
    bool swap = key_before(keys[i + 1], keys[i]) && !apart;
    Key key = keys[i];
    keys[i] = swap ? keys[i + 1] : key;
    keys[i + 1] = swap ? key : keys[i + 1];
}

void load_window(uint first) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = cell_key(first + i);
    }
}

void store_window(uint first) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_cell(first + i, keys[i]);
    }
}

// Sorts keys[], a window of cells, of which, if it is not the first round, each half is sorted. Within segments by odd-even transposition,
// which exchanges neighbours only; where heads are few, by that only if the window has some. False if nothing has to move.
bool order_window(uint first, bool segments, bool by_halves) {
#ifdef BINS_APART
    if (BINS_APART) {
        uint shift = first % 32;
        window_bins = s_bin_begins[first / 32] >> shift;
        if (shift + KEYS_PER_THREAD > 32) {
            window_bins |= s_bin_begins[first / 32 + 1] << (32 - shift);
        }
    }
#endif
#if BIN_SEGMENTS
    uint heads = segments ? heads_from(first) : 0;
    if (segments && by_halves && (heads & ((1u << KEYS_PER_THREAD) - 2u)) == 1u << HALF_WINDOW) {
        return false; // the halves are of different segments
    }
    if (segments && (!FEW_HEADS || (heads & ((1u << KEYS_PER_THREAD) - 2u)) != 0)) {
        KEY_LOOP for (uint round = 0; round < KEYS_PER_THREAD; ++round) {
            KEY_LOOP for (uint i = 0; i + 1 < KEYS_PER_THREAD; ++i) {
                if (i % 2 == round % 2) {
                    order_neighbours(i, (heads >> (i + 1) & 1u) != 0);
                }
            }
        }
        return true;
    }
#endif
    if (by_halves) {
        merge_halves();
    } else {
        sort_keys();
    }
    return true;
}

#ifndef SKIPS_PADDING
#define SKIPS_PADDING BIN_SEGMENTS
#endif
// Two rounds for one trip through cells. Not where windows are skipped: on an NVIDIA H200 segments take 2 % more by it, small sample sorts 3 µs.
#define WINDOWS_BY_SHUFFLES (RANK_MATCH && !SKIPS_PADDING)
#if SKIPS_PADDING
#define IF_NOT_PADDING(first, length) if ((first) < (length))
#else
#define IF_NOT_PADDING(first, length)
#endif

// Halves of windows that `size` cells from `first` on lie in.
uint halves(uint first, uint size) {
    return (first + max(size, 1) - 1) / HALF_WINDOW - first / HALF_WINDOW + 1;
}

#if WINDOWS_BY_SHUFFLES
// keys[] from the sorted window at `first` to the one half a window later. What that has of the next window comes by shuffles, or through
// cells where another subgroup has sorted it. Has a barrier.
void shift_window(uint first) {
    if (gl_SubgroupInvocationID == 0) {
        KEY_LOOP for (uint i = 0; i < HALF_WINDOW; ++i) {
            store_cell(first + i, keys[i]);
        }
    }
    barrier();
    Key next[HALF_WINDOW];
    KEY_LOOP for (uint i = 0; i < HALF_WINDOW; ++i) {
        next[i] = subgroupShuffle(keys[i], gl_SubgroupInvocationID + 1); // undefined where there is none
    }
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        KEY_LOOP for (uint i = 0; i < HALF_WINDOW; ++i) {
            next[i] = cell_key(first + KEYS_PER_THREAD + i);
        }
    }
    KEY_LOOP for (uint i = 0; i < HALF_WINDOW; ++i) {
        keys[i] = keys[HALF_WINDOW + i];
        keys[HALF_WINDOW + i] = next[i];
    }
}
#endif

// Puts the keys into their bins and those in order.
void sort_bins(uint length, bool segments) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_cell(bins[i], element_of(i) < length ? keys[i] : kPadKey);
    }
    if (thread_index < HALF_WINDOW) {
        store_cell(TILE_SIZE + thread_index, kPadKey);
    }
    uint rounds = s_rounds;
    uint round = 1; // the next one
    barrier();
    uint first = thread_index * KEYS_PER_THREAD;
    IF_NOT_PADDING(first, length) {
        load_window(first);
        order_window(first, segments, false);
#if WINDOWS_BY_SHUFFLES
        shift_window(first);
        first += HALF_WINDOW;
        order_window(first, segments, true);
        round = 2;
#endif
        store_window(first);
    }
    barrier();
    for (; round < rounds; ++round) {
        first = thread_index * KEYS_PER_THREAD + round % 2 * HALF_WINDOW;
        IF_NOT_PADDING(first, length) {
            load_window(first);
            if (order_window(first, segments, true)) {
                store_window(first);
            }
        }
        barrier();
    }
}

#else

// By insertion, of an invocation: lavapipe ends its loops after 65,535 iterations in all.
#ifndef MOST_SHIFTS
#define MOST_SHIFTS 0x8000
#endif
const uint kMostShifts = MOST_SHIFTS;

// Of this invocation's bins: counters and where the first one begins, as they were in s_cells.
uint own_bins[BIN_WORDS];

// Puts `size` cells from `begin` on in order, by insertion.
void sort_bin(uint begin, uint size) {
    for (uint i = begin + 1; i < begin + size; ++i) {
        Key key = cell_key(i);
        uint place = i;
        while (place > begin && key_before(key, cell_key(place - 1))) {
            store_cell(place, cell_key(place - 1));
            --place;
        }
        store_cell(place, key);
    }
}

// Puts the keys into their bins and those in order.
void sort_bins(uint length, bool segments) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_cell(bins[i], keys[i]);
        }
    }
    barrier();
    for (uint i = 0; i < BIN_WORDS; ++i) {
        uint first = own_bins[i] & kBinCounter;
        uint begin = own_bins[i] >> 16;
        sort_bin(begin, first);
        sort_bin(begin + first, own_bins[i] >> 8 & kBinCounter);
    }
    barrier();
}

#endif

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

// Of the cell's key, which shares its bin.
uint cell_element(uint cell) {
    return s_places[cell / 2] >> (cell % 2 * 16) & 0xFFFFu;
}

#if COMPARES_TOGETHER

// Of the first keys of key i's bin, how many are before it | bit 8 + j: the j-th equals it.
uint compare_in_bin(uint i) {
    Key others[kStraightComparisons];
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) { // where there is none, in the invocation's own bank
        others[j] = cell_key(j < bin_size(i) ? bin_begin(i) + j : thread_index);
    }
    uint found = 0;
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
        found += j < bin_size(i) && key_before(others[j], keys[i]) ? 1 : 0;
        found |= j < bin_size(i) && others[j] == keys[i] ? 0x100u << j : 0;
    }
    return found;
}

// How many of its bin come before key i, of which `found` is known. Which of two equal keys does is asked for only where there are such.
uint before_in_bin(uint i, uint found) {
    uint before = found & 0xFFu;
    uint self = earlier_in_bin(i);
    uint equal = found >> 8 & ~(1u << min(self, 31));
    while (equal != 0) {
        uint j = findLSB(equal);
        equal &= equal - 1;
        before += IS_EARLIER(cell_element(bin_begin(i) + j), element_of(i)) ? 1 : 0;
    }
    for (uint j = kStraightComparisons; j < bin_size(i); ++j) {
        Key other = cell_key(bin_begin(i) + j);
        before += key_before(other, keys[i]) ? 1 : 0;
        if (other == keys[i] && j != self) {
            before += IS_EARLIER(cell_element(bin_begin(i) + j), element_of(i)) ? 1 : 0;
        }
    }
    return before;
}
#define BEFORE_IN_BIN(i) before_in_bin(i, found[i])

#else

void compare_cell(uint cell, uint i, inout uint before, inout uint equal) {
    Key other = cell_key(cell);
    before += key_before(other, keys[i]) ? 1 : 0;
    equal += other == keys[i] ? 1 : 0;
}

uint before_in_bin(uint i) {
    uint before = 0;
    uint equal = 0;
    [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
        if (j < bin_size(i)) {
            compare_cell(bin_begin(i) + j, i, before, equal);
        }
    }
    for (uint j = kStraightComparisons; j < bin_size(i); ++j) {
        compare_cell(bin_begin(i) + j, i, before, equal);
    }
    if (equal > 1) { // one is itself
        for (uint cell = bin_begin(i); cell < bin_begin(i) + bin_size(i); ++cell) {
            if (cell_key(cell) == keys[i]) {
                before += IS_EARLIER(cell_element(cell), element_of(i)) ? 1 : 0;
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
            uint cell = bin_begin(i) + earlier_in_bin(i);
            store_cell(cell, keys[i]);
            if (bin_size(i) > 0) {
                atomicOr(s_places[cell / 2], element_of(i) << (cell % 2 * 16));
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
            store_cell(bins[i], keys[i]);
        }
    }
    barrier();
}

// Before sort_by_bins; a barrier must come between, as find_range() has.
void clear_bins() {
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        s_cells[element_of(i)] = 0;
    }
    for (uint i = thread_index; BIN_VALUES > 0 && i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
        s_places[i] = 0;
    }
#if UNROLL && defined(BINS_APART)
    for (uint i = thread_index; BINS_APART && i < TILE_SIZE / 32 + 2; i += WORKGROUP_SIZE) {
        s_bin_begins[i] = 0;
    }
#endif
    if (thread_index == 0) {
        s_overflow = 0;
        s_rounds = 2;
    }
}

// Sorts keys[], the first `length` by element_of(), of which bins[] has the bins, in the keys' order. Leaves them in s_cells and s_high_words; false
// if that would take too long, and then bins[i] >> 16 is how many came before. With BIN_VALUES it is stable, and bins[i] is where keys[i] went.
bool sort_in_bins(uint length, bool segments) {
    // Counts, and who came how late.
    uint latest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            uint shift = bins[i] % 2 * 8;
            uint before = (atomicAdd(s_cells[bins[i] / 2], 1u << shift) >> shift) & kBinCounter;
            latest = max(latest, before);
            bins[i] |= before << 16;
        }
    }
    if (latest >= kMostInBin) {
        atomicMax(s_overflow, thread_index + 1);
    }
    barrier();

    // Where each bin begins.
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        uint word = s_cells[thread_index * BIN_WORDS + i];
        sum += (word & kBinCounter) + (word >> 8);
    }
    uint next = wg_exclusive_add(sum);
    // A bin in h halves of windows is sorted after h rounds: odd-even transposition of sorted halves.
    uint rounds = 0;
#if !UNROLL
    uint shifts = 0;
#endif
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        uint at = thread_index * BIN_WORDS + i;
        uint word = s_cells[at];
        s_cells[at] = word | next << 16;
        uint first = word & kBinCounter;
        uint second = word >> 8;
#if UNROLL
        if (BIN_VALUES == 0 && max(first, second) > HALF_WINDOW + 1) { // what is shorter is in two halves at most
            rounds = max(rounds, halves(next, first));
            rounds = max(rounds, halves(next + first, second));
        }
#else
        own_bins[i] = s_cells[at];
        shifts += (first * first + second * second) / 2;
#endif
        next += first + second;
    }
    if (rounds > 2) {
        atomicMax(s_rounds, rounds);
    }
#if !UNROLL
    if (BIN_VALUES == 0 && shifts > kMostShifts) {
        atomicMax(s_overflow, WORKGROUP_SIZE + 1);
    }
#endif
    barrier();
    if (s_overflow != 0) {
        return false;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = s_cells[(bins[i] & 0xFFFFu) / 2];
        uint in_first = word & kBinCounter;
        bool is_first = bins[i] % 2 == 0;
        uint begin = (word >> 16) + (is_first ? 0 : in_first);
        if (BIN_VALUES > 0) {
            uint size = is_first ? in_first : word >> 8 & kBinCounter;
            size = size > 1 && element_of(i) < length ? size : 0;
            bins[i] = begin + (bins[i] & 0xFF0000u) + (size << 24);
        } else {
#if UNROLL && defined(BINS_APART)
            if (BINS_APART && element_of(i) < length && bins[i] >> 16 == 0) {
                atomicOr(s_bin_begins[begin / 32], 1u << (begin % 32));
            }
#endif
            bins[i] = element_of(i) < length ? begin + (bins[i] >> 16) : element_of(i); // padding is where it belongs
        }
    }
    barrier();
    if (BIN_VALUES > 0) {
        sort_bins_with_values(length);
    } else {
        sort_bins(length, segments);
    }
    return true;
}

bool sort_by_bins(KeyRange range, uint length, bool segments) {
    choose_bins(range, length, segments);
    return sort_in_bins(length, segments);
}
