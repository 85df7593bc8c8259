// SPDX-License-Identifier: MIT
//
// Keys without values, each in a slot of its bin (workgroup/bin_sort.glsl), are put in order by odd-even rounds of short
// sorts in registers: an invocation sorts a register run, the keys of neighbouring slots, then the run that begins half a
// run later, and so on by turns.

#ifdef WITHIN_BINS
// Bit i: whether key i of the register run is the first one of its bin.
uint run_bins;
shared uint s_bin_begins[WITHIN_BINS ? TILE_SIZE / 32 + 2 : 1]; // the same of the tile's slots
#endif

#include "../thread/register_sort.glsl"

// Puts keys i and i + 1 of a register run in order, unless a segment begins between them.
void order_neighbours(uint i, bool apart) {
    bool swap = key_before(keys[i + 1], keys[i]) && !apart;
    Key key = keys[i];
    keys[i] = swap ? keys[i + 1] : key;
    keys[i + 1] = swap ? key : keys[i + 1];
}

void load_run(uint first) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = shared_key(first + i);
    }
}

void store_run(uint first) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_shared_key(first + i, keys[i]);
    }
}

// Sorts keys[], the register run from slot `first` on. by_halves: each half is sorted already. With heads of segments it
// sorts by odd-even transposition, which exchanges neighbours only; with FEW_HEADS only if the run has heads.
void order_run(uint first, bool segments, bool by_halves) {
#ifdef WITHIN_BINS
    if (WITHIN_BINS) {
        uint shift = first % 32;
        run_bins = s_bin_begins[first / 32] >> shift;
        if (shift + KEYS_PER_THREAD > 32) {
            run_bins |= s_bin_begins[first / 32 + 1] << (32 - shift);
        }
    }
#endif
#if BIN_SEGMENTS
    uint heads = segments ? heads_from(first) : 0;
    if (segments && by_halves && (heads & ((1u << KEYS_PER_THREAD) - 2u)) == 1u << HALF_RUN) {
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
// 1: the keys of two rounds go through the slots once. Not where runs are skipped: on an NVIDIA H200 sample_sort takes 2 to
// 7 µs more by it.
#define RUNS_BY_SHUFFLES (RANK_BALLOT && !SKIPS_PADDING)
#if SKIPS_PADDING
#define IF_NOT_PADDING(first, length) if ((first) < (length))
#else
#define IF_NOT_PADDING(first, length)
#endif

// How many halves of runs `size` neighbouring slots, two or more, may lie in. A bin is sorted after this number of rounds,
// as these are an odd-even transposition of sorted halves.
uint most_halves(uint size) {
    return (size + HALF_RUN - 2) / HALF_RUN + 1;
}

#if RUNS_BY_SHUFFLES
// Turns keys[] from the sorted run at `first` to the run that begins half a run later. The half that another invocation has
// comes by a shuffle, or through slots if another subgroup has sorted it. Has a barrier.
void shift_run(uint first) {
    if (gl_SubgroupInvocationID == 0) {
        KEY_LOOP for (uint i = 0; i < HALF_RUN; ++i) {
            store_shared_key(first + i, keys[i]);
        }
    }
    barrier();
    Key next[HALF_RUN];
    KEY_LOOP for (uint i = 0; i < HALF_RUN; ++i) {
        next[i] = subgroupShuffle(keys[i], gl_SubgroupInvocationID + 1); // undefined where there is none
    }
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        KEY_LOOP for (uint i = 0; i < HALF_RUN; ++i) {
            next[i] = shared_key(first + KEYS_PER_THREAD + i);
        }
    }
    KEY_LOOP for (uint i = 0; i < HALF_RUN; ++i) {
        keys[i] = keys[HALF_RUN + i];
        keys[HALF_RUN + i] = next[i];
    }
}
#endif

// Whether a run of sorted halves is in order, as most runs are after two rounds: it is if the keys on both sides of its
// middle are. Not worth reading where halves are of one key.
bool is_in_order(uint first, bool segments) {
    uint middle = first + HALF_RUN;
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
    return !key_before(shared_key(middle), shared_key(middle - 1));
}

// Puts the keys into their bins, and each bin in order.
void sort_bins(uint length, bool segments) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_shared_key(bins[i], element_of(i) < length ? keys[i] : kPadKey);
    }
    if (thread_index < HALF_RUN) {
        store_shared_key(TILE_SIZE + thread_index, kPadKey);
    }
    uint rounds = s_rounds;
    uint round = 1; // the next one
    barrier();
    uint first = thread_index * KEYS_PER_THREAD;
    IF_NOT_PADDING(first, length) {
        load_run(first);
        order_run(first, segments, false);
#if RUNS_BY_SHUFFLES
        shift_run(first);
        first += HALF_RUN;
        order_run(first, segments, true);
        round = 2;
#endif
        store_run(first); // in any case: the slots do not have these keys yet
    }
    barrier();
    for (; round < rounds; ++round) {
        first = thread_index * KEYS_PER_THREAD + round % 2 * HALF_RUN;
        IF_NOT_PADDING(first, length) {
            if (round < 2 || HALF_RUN == 1 || !is_in_order(first, segments)) {
                load_run(first);
                order_run(first, segments, true);
                store_run(first);
            }
        }
        barrier();
    }
}
