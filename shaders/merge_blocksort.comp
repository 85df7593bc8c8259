#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Sorts each tile by itself: every invocation its own keys in registers, then lists merged pairwise in shared memory. With
// SEGMENTED, heads of segments are never crossed, and the first and last head of each tile are left for the merge passes.
// With JOBS, the tiles are the jobs that the finish of msd has left over.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "thread/odd_even_sort.glsl"
#include "workgroup/merge_path.glsl"
#if SEGMENTED
#include "workgroup/segment_ranges.glsl"
#elif defined(COMPARATOR)
#include "device/fourway_lists.glsl"
#include "workgroup/store_samples.glsl"
#endif
#include "workgroup/sort_by_merging.glsl"
#if JOBS
#include "device/msd.glsl"
#endif

// Where the value is that comes to tile_index(i).
#define VALUE_SOURCE (base + s_tile[min(tile_index(i), tile_count - 1)])
#if JOBS
#define LOAD_TILE_VALUES(values, slot0, slot1, slot2) LOAD_FROM_ANY_SLOT(values, KEYS_PER_THREAD, input_slot, VALUE_SOURCE, \
    slot0, slot1, slot2)
#else
#define LOAD_TILE_VALUES(values, slot0, slot1, slot2) LOAD_FROM(values, KEYS_PER_THREAD, slot0, VALUE_SOURCE)
#endif

// The slot may be the input's memory: all have read before any writes.
#define STORE_TILE_VALUES(type, slot0, slot1, slot2, second)                                                            \
    {                                                                                                                   \
        type values[KEYS_PER_THREAD];                                                                                   \
        LOAD_TILE_VALUES(values, slot0, slot1, slot2)                                                                   \
        memoryBarrierBuffer();                                                                                          \
        barrier();                                                                                                      \
        STORE_TO_SLOT(values[i], KEYS_PER_THREAD, slot, base + tile_index(i), tile_index(i) < tile_count, slot1, slot2) \
    }

void main() {
#if JOBS
    if (group_index >= control.skewed[LARGE]) {
        return;
    }
    uint job = job_word(state[skewed_word(job_number(group_index))]);
    uint base = state[job];
    uint tile_count = state[job + 1] & kJobLength;
    uint input_slot = slot_of(state[job + 1]);
    bool has_heads = (state[job + 1] & kJobHeads) != 0;
    uint slot = 1;
#else
    uint tile = group_index;
#if !SEGMENTED
    start_control_by_host();
#endif
    if (tile >= whole_tiles()) {
        return;
    }
    uint base = tile * pc.tileSize;
    uint tile_count = min(whole_count() - base, pc.tileSize);
    uint slot = source_slot(first_pass());
    const bool has_heads = true;
#endif

    // Asked for together: in a branch around each load they would be waited for one by one.
#if JOBS
    LOAD_KEYS_OF(keys, input_slot, base + min(tile_index(i), tile_count - 1))
#else
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = load_input_key(base + min(tile_index(i), tile_count - 1));
    }
#endif
    const uint staged_count = EQUALS_DIFFER ? tile_count : TILE_SIZE;
#ifndef COMPARATOR
    if (!EQUALS_DIFFER && tile_count < TILE_SIZE) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_index(i) < tile_count ? keys[i] : kPadKey;
        }
    }
#endif
    sort_by_merging(staged_count, base, has_heads);
    uint first = thread_index * KEYS_PER_THREAD;
#if defined(COMPARATOR) && !SEGMENTED
    if (has_flag(kFlagFourWay)) {
        store_samples(base, 0, tile_count);
    }
#endif
    if (JOBS != 0 || !has_flag(kFlagDiscardKeys) || whole_passes() > 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_key(tile_index(i));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = bits_from_ordered(keys[i]);
        }
        STORE_TILE(true, keys[i], slot, base, tile_count, keys1, keys2)
    }
#if SEGMENTED && !JOBS
    store_ranges(tile);
#endif
    if (VALUE_WORDS == 0) {
        return;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[first + i] = sources[i];
    }
    barrier();
    if (JOBS == 0 && has_flag(kFlagArgsort)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint at = tile_index(i);
            if (at < tile_count) {
                store_slot_value(slot, base + at, base + s_tile[at]);
            }
        }
        return;
    }
    FOR_VALUE_TYPE(STORE_TILE_VALUES)
}
