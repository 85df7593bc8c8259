// SPDX-License-Identifier: MIT
//
// What the partition of bucket_sort does with values: one-word values, and the source indices of keys of two words, are
// loaded with a tile's keys and follow them through shared memory. With INDICES only; needs FROM_COARSE_BUCKET,
// device/buckets.glsl, workgroup/scattered_keys.glsl and s_stage[STAGE_SIZE].

// The index in the input, or in slot 2, of key i of the invocation; what lies beyond the tile's end repeats its last one.
uint source_index(uint i, uint base, uint tile_count) {
    return base + min(tile_element(i), tile_count - 1);
}

#define COPY_VALUES(type, slot0, slot1, slot2, second) \
    { \
        type copied[KEYS_PER_THREAD]; \
        LOAD_FROM(copied, KEYS_PER_THREAD, slot0, source_index(i, base, tile_count)) \
        STORE_TO(copied[i], KEYS_PER_THREAD, slot2, source_index(i, base, tile_count), tile_element(i) < tile_count) \
    }

// Saves the values of a sort in place, whose finish writes values over those that other workgroups have yet to read.
void save_values(uint base, uint tile_count) {
    if (VALUE_WORDS > 1 && pc.firstSlot == kFirst2) {
        FOR_VALUE_TYPE(COPY_VALUES)
    }
}

uint value_words[KEYS_PER_THREAD]; // those that move along

void load_values(uint base, uint tile_count) {
    if (carries_values()) {
        if (FROM_COARSE_BUCKET) {
            LOAD_FROM(value_words, KEYS_PER_THREAD, values2, source_index(i, base, tile_count))
        } else {
            LOAD_FROM(value_words, KEYS_PER_THREAD, values0, source_index(i, base, tile_count))
        }
    }
}

// Sends words of a round after their keys: to `index`, which may name i, in `coarse buckets` or, from a coarse bucket, in
// `buckets`. Begins with a barrier.
#define SCATTER_WORDS(words, buckets, coarse_buckets, index, round, tile_count) \
    barrier();                                                                  \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                       \
        uint at = rank_of(i) - round * STAGE_SIZE;                              \
        if (at < STAGE_SIZE && tile_element(i) < tile_count) {                  \
            s_stage[at / 2][at % 2] = words[i];                                 \
        }                                                                       \
    }                                                                           \
    barrier();                                                                  \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {                        \
        uint at = tile_element(i);                                              \
        uint word = s_stage[at / 2][at % 2];                                    \
        if (round * STAGE_SIZE + at < tile_count) {                             \
            if (FROM_COARSE_BUCKET) {                                           \
                buckets[index] = word;                                          \
            } else {                                                            \
                coarse_buckets[index] = word;                                   \
            }                                                                   \
        }                                                                       \
    }

void scatter_values(uint round, uint tile_count, uint destinations[KEYS_PER_ROUND]) {
    SCATTER_WORDS(value_words, values3, values2, destinations[i], round, tile_count)
}

#if INDICES == 2

uint index_words[KEYS_PER_THREAD];

void load_indices(uint base, uint tile_count) {
    if (FROM_COARSE_BUCKET) {
        uint first = wide_index_word(2, 0);
        LOAD_FROM(index_words, KEYS_PER_THREAD, state, first + source_index(i, base, tile_count))
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            index_words[i] = source_index(i, base, tile_count);
        }
    }
}

void scatter_indices(uint round, uint tile_count, uint destinations[KEYS_PER_ROUND]) {
    uint first = wide_index_word(FROM_COARSE_BUCKET ? 3 : 2, 0);
    SCATTER_WORDS(index_words, state, state, first + destinations[i], round, tile_count)
}

#endif
