// SPDX-License-Identifier: MIT
//
// Keys without values, each in a cell of its bin (workgroup/bin_sort.glsl), are put in order by odd-even rounds of short
// sorts in registers: an invocation sorts a window of neighbouring cells, then one half a window later, and so on by turns.

#ifdef WITHIN_BINS
// Bit i: whether key i of the window is the first one of its bin.
uint window_bins;
shared uint s_bin_begins[WITHIN_BINS ? TILE_SIZE / 32 + 2 : 1]; // the same of the tile's cells
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

// Sorts keys[], a window of cells, of which, if it is not the first round, each half is sorted. Within segments by odd-even
// transposition, which exchanges neighbours only; where heads are few, by that only if the window has some.
void order_window(uint first, bool segments, bool by_halves) {
#ifdef WITHIN_BINS
    if (WITHIN_BINS) {
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
        return; // the halves are of different segments
    }
    if (segments && (!FEW_HEADS || (heads & ((1u << KEYS_PER_THREAD) - 2u)) != 0)) {
        KEY_LOOP for (uint round = 0; round < KEYS_PER_THREAD; ++round) {
            KEY_LOOP for (uint i = 0; i + 1 < KEYS_PER_THREAD; ++i) {
                if (i % 2 == round % 2) {
                    order_neighbours(i, (heads >> (i + 1) & 1u) != 0);
                }
            }
        }
        return;
    }
#endif
    if (by_halves) {
        merge_halves();
    } else {
        sort_keys();
    }
}

#ifndef SKIPS_PADDING
#define SKIPS_PADDING BIN_SEGMENTS
#endif
// Two rounds for one trip through cells. Not where windows are skipped: on an NVIDIA H200 segments take 2 % more by it,
// sample_sort 2 to 7 µs.
#define WINDOWS_BY_SHUFFLES (RANK_BALLOT && !SKIPS_PADDING)
#if SKIPS_PADDING
#define IF_NOT_PADDING(first, length) if ((first) < (length))
#else
#define IF_NOT_PADDING(first, length)
#endif

// Halves of windows that `size` neighbouring cells, two or more, may lie in. A bin is sorted after this number of rounds:
// odd-even transposition of sorted halves.
uint most_halves(uint size) {
    return (size + HALF_WINDOW - 2) / HALF_WINDOW + 1;
}

#if WINDOWS_BY_SHUFFLES
// keys[] from the sorted window at `first` to the one half a window later. What that has of the next window comes by
// shuffles, or through cells where another subgroup has sorted it. Has a barrier.
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

// Whether a window of sorted halves is in order, as most are after two rounds: nothing moves if it need not from one half to
// the other. Not worth asking where halves are of one key.
bool is_in_order(uint first, bool segments) {
    uint middle = first + HALF_WINDOW;
#ifdef WITHIN_BINS
    if (WITHIN_BINS && (s_bin_begins[middle / 32] >> middle % 32 & 1u) != 0) {
        return true;
    }
#endif
#if BIN_SEGMENTS
    if (segments && (heads_from(middle) & 1u) != 0) {
        return true;
    }
#endif
    return !key_before(cell_key(middle), cell_key(middle - 1));
}

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
        store_window(first); // in any case: no cell has it yet
    }
    barrier();
    for (; round < rounds; ++round) {
        first = thread_index * KEYS_PER_THREAD + round % 2 * HALF_WINDOW;
        IF_NOT_PADDING(first, length) {
            if (round < 2 || HALF_WINDOW == 1 || !is_in_order(first, segments)) {
                load_window(first);
                order_window(first, segments, true);
                store_window(first);
            }
        }
        barrier();
    }
}
