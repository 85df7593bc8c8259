// SPDX-License-Identifier: MIT
//
// How the partitions of keys without values scatter a tile to bins, which are digits, coarse buckets or buckets. The order
// within a bin may be any: an atomic addition in shared memory ranks each key in its bin, and the keys of a bin are then
// brought together there. These are macros, as they take names of arrays and the expression of a key's bin, which may name
// i. Needs config.glsl, keys.glsl and s_stage[STAGE_SIZE]; RANK_IN_BINS needs subgroup/add_digit.glsl, too.
Key keys[KEYS_PER_THREAD];
uint rank_pairs[(KEYS_PER_THREAD + 1) / 2]; // two to a word, as registers limit the tile

uint rank_of(uint i) {
    return i % 2 == 0 ? rank_pairs[i / 2] & 0xFFFFu : rank_pairs[i / 2] >> 16;
}

void set_rank(uint i, uint rank) {
    rank_pairs[i / 2] = i % 2 == 0 ? rank : rank_pairs[i / 2] | (rank << 16);
}

uint tile_element(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

// Counts keys[] in counts[bin], and leaves each key's rank in its bin. A barrier must follow.
#define RANK_BY_ADDING(counts, bin)                       \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) { \
        set_rank(i, atomicAdd(counts[bin], 1));           \
    }

// The same where only `count` keys are in the tile.
#define RANK_SOME_BY_ADDING(counts, bin, count)                                \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                      \
        uint before = tile_element(i) < count ? atomicAdd(counts[bin], 1) : 0; \
        set_rank(i, before);                                                   \
    }

// One or the other, as `count` says; a hot bin, which many keys of a subgroup have, is counted by ballots. Ends with a
// barrier.
#define RANK_IN_BINS(counts, bin_of_first, bin, count)            \
    if (count == TILE_SIZE) {                                     \
        bool hot_count = is_hot(bin_of_first);                    \
        if (hot_count) {                                          \
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) { \
                uint before = 0;                                  \
                TAKE_HOT_DIGIT(counts, bin, before)               \
                set_rank(i, before);                              \
            }                                                     \
        } else {                                                  \
            RANK_BY_ADDING(counts, bin)                           \
        }                                                         \
    } else {                                                      \
        RANK_SOME_BY_ADDING(counts, bin, count)                   \
    }                                                             \
    barrier();

// The caller's keys from element `base` on, of which `count` are in the tile.
#define LOAD_CALLERS_KEYS(base, count)                                                  \
    if (has_flag(kFlagStrided)) {                                                       \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                           \
            keys[i] = load_strided_key(base + min(tile_element(i), count - 1));         \
        }                                                                               \
    } else if (count == TILE_SIZE) {                                                    \
        LOAD_FROM(keys, KEYS_PER_THREAD, keys0, base + tile_element(i))                 \
    } else {                                                                            \
        LOAD_FROM(keys, KEYS_PER_THREAD, keys0, base + min(tile_element(i), count - 1)) \
    }

// From ranks in bins to ranks in the tile, where each bin begins at starts[bin].
#define RANK_IN_TILE(starts, bin)                                                    \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                            \
        uint rank = rank_of(i) + starts[bin];                                        \
        rank_pairs[i / 2] = i % 2 == 0 ? (rank_pairs[i / 2] & 0xFFFF0000u) | rank    \
                                       : (rank_pairs[i / 2] & 0xFFFFu) | rank << 16; \
    }

// Puts the keys whose ranks fall into the round in order into s_stage. Begins, but for the first round, and ends with a
// barrier.
#define STAGE_KEYS(round, count)                                                \
    if (round > 0) {                                                            \
        barrier();                                                              \
    }                                                                           \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                       \
        uint at = rank_of(i) - round * STAGE_SIZE;                              \
        if (at < STAGE_SIZE && tile_element(i) < count) {                       \
            s_stage[at] = keys[i];                                              \
        }                                                                       \
    }                                                                           \
    barrier();
