#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort, second step: scatters the keys of each tile to buckets without counting them first. Each bucket has slots for
// its share of uniformly distributed keys and a slack. Or the keys go to coarse buckets of several buckets, and in a third
// step from each coarse bucket to its buckets. No order has to be kept: equal keys without values cannot be told apart, and
// keys with values are told apart by their source indices, which are scattered along. So an atomic addition in shared memory
// ranks each key, and one in global memory allocates slots for a tile's keys of each bucket. After Stehle and Jacobsen, "A
// Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017. Where a bucket has too few slots nothing is lost: the input
// or all coarse buckets are still there, and later passes sort them.
#extension GL_KHR_memory_scope_semantics : require
#include "config.glsl"
#extension GL_KHR_shader_subgroup_ballot : require
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "subgroup/add_digit.glsl"

const uint BUCKETS_PER_THREAD = (BUCKETS + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_starts[BUCKETS];       // counts, then where each bucket begins in the sorted tile
shared uint s_destinations[BUCKETS]; // of slot x of the sorted tile: s_destinations[bucket] + x
shared Key s_stage[STAGE_SIZE];
shared uint s_overflow; // not 0: a bin has too few slots, or a key is out of range

uint scale;
#include "workgroup/scattered_keys.glsl"

// Whether the keys come from a coarse bucket, scaled; otherwise they are the caller's.
#define FROM_COARSE_BUCKET (SOURCE_SLOT == 2)

// The key's target: the index of the bucket within the coarse bucket or, at the first level, of the coarse bucket.
uint target_of(Key key) {
    uint rest;
    uint bucket = bucket_of(key, scale, rest);
    return FROM_COARSE_BUCKET ? bucket & ((1u << pc.coarseBucketBits) - 1u) : bucket >> pc.coarseBucketBits;
}

// The targets of the invocation's keys, two to a word. Only by distribution, where a target takes long to find.
uint target_pairs[BY_DISTRIBUTION ? (KEYS_PER_THREAD + 1) / 2 : 1];

void find_targets() {
    KEY_LOOP for (uint i = 0; BY_DISTRIBUTION && i < KEYS_PER_THREAD; ++i) {
        uint bucket = target_of(keys[i]);
        target_pairs[i / 2] = i % 2 == 0 ? bucket : target_pairs[i / 2] | bucket << 16;
    }
}

uint own_target(uint i) {
    return BY_DISTRIBUTION ? target_pairs[i / 2] >> (i % 2 * 16) & 0xFFFFu : target_of(keys[i]);
}

void count_targets(uint tile_count) {
    find_targets();
    RANK_IN_BINS(s_starts, own_target(0), own_target(i), tile_count)
}

// Turns counts into positions in the sorted tile and in the targets, each of which has `size` slots. state has the number of
// slots already taken, from `counters` on.
void allocate_slots(uint counters, uint first, uint size) {
    uint counts[BUCKETS_PER_THREAD];
    uint taken[BUCKETS_PER_THREAD];
    uint sum = 0;
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        uint bucket = thread_index * BUCKETS_PER_THREAD + j;
        counts[j] = bucket < BUCKETS ? s_starts[bucket] : 0;
        taken[j] = counts[j] != 0 ? atomicAdd(state[counters + bucket], counts[j]) : 0;
        if (taken[j] + counts[j] > size) {
            atomicOr(s_overflow, 1);
        }
        sum += counts[j];
    }
    uint start = wg_exclusive_add(sum);
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        uint bucket = thread_index * BUCKETS_PER_THREAD + j;
        if (bucket < BUCKETS) {
            s_starts[bucket] = start;
            s_destinations[bucket] = first + bucket * size + taken[j] - start;
        }
        start += counts[j];
    }
    barrier();
}

#if INDICES
#include "workgroup/scatter_bucket_values.glsl"
#endif

#if INDICES == 1

void load_callers_keys(uint base, uint tile_count) {
    uint words[KEYS_PER_THREAD];
    if (has_flag(kFlagStrided)) {
        LOAD_FROM(words, KEYS_PER_THREAD, keys0_words, (pc.keyOffset + source_index(i, base, tile_count) * pc.keyStride) / 4)
    } else {
        LOAD_FROM(words, KEYS_PER_THREAD, keys0_words, source_index(i, base, tile_count))
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = Key(source_index(i, base, tile_count), words[i]);
    }
}

#else

void load_callers_keys(uint base, uint tile_count) {
    LOAD_CALLERS_KEYS(base, tile_count)
}

#endif

// Scales the keys as they were read; returns whether any is out of range.
bool scale_keys(Scaling scaling) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = ordered_from_bits(keys[i]);
    }
    if (is_plain(scaling) && scaling.span == kPadKey) {
        return false;
    }
    bool out_of_range = false;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        Key distance = distance_of(scaling, keys[i]);
        bool beyond = is_out_of_range(scaling, distance);
        out_of_range = out_of_range || beyond;
        keys[i] = scaled_key(scaling, beyond ? Key(0) : distance);
    }
    return out_of_range;
}

// Clears what is counted in a tile. A barrier must follow.
void clear_counts() {
    for (uint i = thread_index; i < BUCKETS; i += WORKGROUP_SIZE) {
        s_starts[i] = 0;
    }
    if (thread_index == 0) {
        s_overflow = 0;
    }
}

// By all workgroups of the dispatch: clears the counts of the buckets, which the second level adds to.
void clear_buckets() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint i = group_index * WORKGROUP_SIZE + thread_index; i < control.buckets; i += groups * WORKGROUP_SIZE) {
        state[bucket_word(i)] = 0;
    }
}

// Loads the tile's keys, scaled, and saves the values that the finish would overwrite. Returns whether any key is out of
// range.
bool load_keys(uint base, uint tile_count, Scaling scaling) {
    bool out_of_range = false;
    if (!FROM_COARSE_BUCKET) {
        load_callers_keys(base, tile_count);
        out_of_range = scale_keys(scaling);
#if INDICES
        save_values(base, tile_count);
#endif
        if (pc.coarseBucketBits > 0) {
            clear_buckets();
        }
    } else if (tile_count == TILE_SIZE) {
        LOAD_FROM(keys, KEYS_PER_THREAD, keys2, base + tile_element(i))
    } else {
        LOAD_FROM(keys, KEYS_PER_THREAD, keys2, base + min(tile_element(i), tile_count - 1))
    }
    return out_of_range;
}

// Writes the ranked keys of the tile to their targets, round by round, with their values or source indices.
void scatter_tile(uint tile_count) {
    [[unroll]] for (uint round = 0; round < STAGE_ROUNDS; ++round) {
        STAGE_KEYS(round, tile_count)
        Key moved[KEYS_PER_ROUND];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i] = s_stage[tile_element(i)];
        }
        if (tile_count < TILE_SIZE) { // slots without a key must not have a target that does not exist
            KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
                moved[i] = round * STAGE_SIZE + tile_element(i) < tile_count ? moved[i] : Key(0);
            }
        }
        uint destinations[KEYS_PER_ROUND];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            uint slot = round * STAGE_SIZE + tile_element(i);
            destinations[i] = s_destinations[target_of(moved[i])] + slot;
            if (slot < tile_count) {
                if (FROM_COARSE_BUCKET) {
                    keys3[destinations[i]] = moved[i];
                } else {
                    keys2[destinations[i]] = moved[i];
                }
            }
        }
#if INDICES
        if (carries_values()) {
            scatter_values(round, tile_count, destinations);
        }
#endif
#if INDICES == 2
        scatter_indices(round, tile_count, destinations);
#endif
    }
}

void main() {
    uint coarse_bucket = 0;
    uint tile = group_index;
    // All loads before those of the keys are issued together, even in workgroups that have no tile.
    uint count = control.count;
    uint overflow = 0;
    if (FROM_COARSE_BUCKET) {
        uint tiles = tiles_of_coarse_bucket();
        coarse_bucket = first_coarse_bucket() + group_index / tiles;
        tile = group_index % tiles;
        count = state[coarse_bucket_word(min(coarse_bucket, kMostCoarseBuckets - 1))];
        overflow = atomicLoad(control.overflow, gl_ScopeDevice, 0, 0);
    }
    scale = control.scale;
    Scaling scaling = control_scaling();
    if (BY_DISTRIBUTION) {
        numbering = control_numbering();
    }
    if (control.buckets == 0) {
        return;
    }
    // Not for kOverflowOfCoarseBucket, which others of this dispatch may set: all invocations must see the same.
    if (FROM_COARSE_BUCKET && (coarse_bucket >= end_coarse_bucket() || overflow == kOverflowOfInput)) {
        return;
    }
    if (tile * TILE_SIZE >= count) {
        return;
    }
    uint first_bucket = coarse_bucket << pc.coarseBucketBits;
    uint base = first_bucket * pc.bucketSize + tile * TILE_SIZE;
    uint tile_count = min(count - tile * TILE_SIZE, TILE_SIZE);
    clear_counts();
    bool out_of_range = load_keys(base, tile_count, scaling);
#if INDICES
    load_values(base, tile_count);
#endif
#if INDICES == 2
    load_indices(base, tile_count);
#endif
    barrier();
    if (out_of_range) {
        atomicOr(s_overflow, 1);
    }
    count_targets(tile_count);
    if (FROM_COARSE_BUCKET) {
        uint bucket_of_pass = first_bucket - (first_coarse_bucket() << pc.coarseBucketBits);
        allocate_slots(bucket_word(first_bucket), bucket_of_pass * pc.bucketSize, pc.bucketSize);
    } else {
        allocate_slots(coarse_bucket_word(0), 0, pc.bucketSize << pc.coarseBucketBits);
    }
    if (s_overflow != 0) {
        if (thread_index == 0) {
            atomicOr(control.overflow, FROM_COARSE_BUCKET ? kOverflowOfCoarseBucket : kOverflowOfInput);
        }
        return;
    }
    RANK_IN_TILE(s_starts, own_target(i))
    scatter_tile(tile_count);
}
