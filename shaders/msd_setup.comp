#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of msd, one workgroup: reads the count and makes all elements one job of the finish, or one range of the
// first level. By a sample of the keys it sees that they are not in order, which spares the first level's count to find out,
// and which digit position that level is to partition by. By the sample it decides, too, whether they are left to passes of
// onesweep: where the digits are skewed at every level, ranges stay long and the keys of a job skewed; where most keys agree
// in their upper halves with more than a tile of others, a third level takes longer than all passes; and where few digits
// differ, few passes are needed. And whether the first digits are so even that the first level need not count them.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "device/clear_args.glsl"
#include "device/sampled_keys.glsl"
#include "workgroup/sampled_digits.glsl"

shared uint s_fallback;
shared uint s_disorder;
shared uint s_coarse_bucket;
shared uint s_position; // digit position of the first level

// Sets s_disorder and s_fallback, for all invocations to read.
void look_at_sample(uint count) {
    clear_sample();
    Key sampled[KEYS_PER_THREAD];
    Key next[KEYS_PER_THREAD];
    LOAD_SAMPLED_KEYS(sampled, 0, count)
    LOAD_SAMPLED_KEYS(next, 1, count)
    Key first = load_input_key(0);
    barrier();
    Key differing = Key(0);
    bool in_order = true;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        Key key = ordered_from_bits(sampled[i]);
        count_pairs(key);
        differing |= key ^ first;
        in_order = in_order && !key_before(ordered_from_bits(next[i]), key);
    }
    note_differing(differing);
    if (!in_order) {
        atomicOr(s_disorder, 1);
    }
    barrier();
    if (thread_index == 0 && has_flag(kFlagFallback)) {
        bool fallback = few_digits_differ() || digits_are_skewed();
#if KEY_WORDS == 1
        fallback = fallback || needs_third_level(count);
#endif
        s_fallback = fallback ? 1 : 0;
        s_position = first_differing_digit();
    }
    // Padded buckets need a second level, however short they are.
    if (thread_index == WORKGROUP_SIZE - 1 && has_flag(kFlagCoarseBuckets) && s_disorder != 0 &&
            count / kRadix > pc.tileSize &&
        first_digits_are_uniform()) {
        s_coarse_bucket = first_digit_coarse_bucket(count);
    }
    barrier();
}

// Sets each level's ranges and tiles, which only the first level has yet, and the sizes of dispatches that are raised later.
void begin_levels(uint range, uint tiles, uint groups) {
    if (thread_index < kMaxClassLevels) {
        uint level = thread_index;
        control.ranges[level] = level == 0 ? range : 0;
        control.rangeTiles[level] = level == 0 ? tiles : 0;
        control.rangeGroups[level] = level == 0 ? groups : 1;
        args.ranges[level] = DispatchArgs(level == 0 ? range * groups : 0, 1, 1);
        args.rangePartitions[level] = DispatchArgs(0, 0, 1);
        args.passes[level] = DispatchArgs(0, 0, 1); // onesweep's scan sets them
        if (level > 0) {
            args.rangeTiles[level] = DispatchArgs(0, 0, 1);
            args.rangeCounts[level] = DispatchArgs(0, 0, 1);
        }
    }
}

// Sizes the dispatches that come before the scan of the first level.
void size_first_level(uint count, uint tiles, uint coarse_bucket, bool fallback) {
    // One an invocation: code that is executed once takes as long as it is.
    if (thread_index < 4) {
        uint groups = thread_index == 0   ? tiles
                      : thread_index == 1 ? min(tiles, pc.countGroups)
                      : thread_index == 2 ? (coarse_bucket != 0 ? tiles : 0)
                      : fallback           ? 0
                                          : divide_up(count, pc.copyChunk);
        DispatchArgs size = dispatch_args(groups);
        if (thread_index == 0) {
            args.rangeTiles[0] = size;
        } else if (thread_index == 1) {
            args.rangeCounts[0] = size;
        } else if (thread_index == 2) {
            args.coarseBuckets = size;
        } else {
            args.pack = size;
        }
    }
}

// Clears the control block and counts of onesweep in one dispatch, which may follow the levels.
void clear_fallback() {
    for (uint i = thread_index; i < pc.msdOffset; i += WORKGROUP_SIZE) {
        state[i] = 0;
    }
}

// Clears what the first level adds to: cursors, which begin with their coarse buckets, or chunks of counts.
void clear_first_level(uint range, uint groups, uint coarse_bucket) {
    if (has_flag(kFlagCursors) && range > 0) {
        for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
            state[cursors_word(0, 0) + i] = 0;
            if (coarse_bucket != 0) {
                state[coarse_bucket_word(i)] = i * coarse_bucket;
            }
        }
    }
    if (groups > 1) {
        for (uint i = thread_index; i < groups * kRadix; i += WORKGROUP_SIZE) {
            state[chunk_word(0, 0) + i] = 0;
        }
    }
}

// By one invocation: begins the control block, and all else that is sized once.
void begin_sort(uint count, uint job, uint coarse_bucket, bool fallback) {
    control.count = count;
    control.digitPassesRun = fallback ? 4 * KEY_WORDS : 0;
    control.fallbacks = 0;
    control.copied = 0;
    control.jobs = job;
    control.skewed[0] = 0;
    control.sampleInOrder = s_disorder == 0 ? 1 : 0;
    control.disorder = s_disorder;
    control.coarseBucket = coarse_bucket;
    control.coarseBucketsOverflow = 0;
    args.jobs = DispatchArgs(job, job, 1);
    args.skewed[0] = DispatchArgs(0, 0, 1);
    args.fallback = DispatchArgs(s_fallback * (has_flag(kFlagLate) ? 1 : pc.fallbackGroups), 1, 1);
    args.tiles = DispatchArgs(0, 1, 1);
    args.histogram = DispatchArgs(0, 0, 1);
    args.copy = DispatchArgs(0, 0, 1);
}

void main() {
    if (has_flag(kFlagCountFromBuffer) && held_count(0) < pc.least) {
        clear_args(kArgsWords); // another plan of the same recording sorts
        return;
    }
    uint count = has_flag(kFlagCountFromBuffer) ? min(held_count(0), pc.count) : pc.count;
    if (thread_index == 0) {
        s_fallback = 0;
        s_disorder = 0;
        s_coarse_bucket = 0;
        s_position = 0;
    }
    barrier();
    bool is_range = count > pc.tileSize;
    if (is_range && count > TILE_SIZE) {
        look_at_sample(count);
    }
    bool fallback = s_fallback != 0;
    uint tiles = is_range && !fallback ? divide_up(count, pc.partitionTile) : 0;
    uint coarse_bucket = tiles > 0 ? s_coarse_bucket : 0;
    uint range = tiles > 0 ? 1 : 0;
    uint job = is_range || count == 0 ? 0 : 1;
    uint groups = range_groups(range, tiles, tiles);
    begin_levels(range, tiles, groups);
    size_first_level(count, tiles, coarse_bucket, fallback);
    clear_fallback();
    clear_first_level(range, groups, coarse_bucket);
    if (thread_index == 0) {
        begin_sort(count, job, coarse_bucket, fallback);
        if (range > 0) {
            store_range(0, 0, 0, count, 0, input_flags(), s_position);
        }
        if (job > 0) {
            store_job(0, 0, count | input_flags(), 0);
        }
    }
}
