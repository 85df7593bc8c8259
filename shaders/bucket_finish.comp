#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort, last step, one workgroup a bucket: sorts the bucket's keys by bins (workgroup/bin_sort.glsl) and writes them behind those
// of all buckets before. Where too many share a bin, the keys are written as they are, and the passes behind sort them.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#define MOST_IN_BIN (UNROLL != 0 ? 255 : 32) // since all else is to sort everything anew
#define BIN_SEGMENTS 0
#include "workgroup/bin_sort.glsl"

// Keys of all the buckets before, in parts.
#if RANK_MATCH
const uint BEFORE_PARTS = SUBGROUPS;
#else
const uint BEFORE_PARTS = 8;
#endif
shared uint s_before[BEFORE_PARTS];

// With one level. Each part is an invocation's or a subgroup's to write, so that nobody waits for a cleared sum. A barrier must follow.
void note_before(uint bucket) {
#if RANK_MATCH
    const uint counters = WORKGROUP_SIZE;
#else
    const uint counters = BEFORE_PARTS;
#endif
    uint sum = 0;
    for (uint i = thread_index; i < bucket && thread_index < counters; i += counters) {
        sum += state[bucket_word(i)];
    }
#if RANK_MATCH
    sum = subgroupInclusiveAdd(sum);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_before[gl_SubgroupID] = sum;
    }
#else
    if (thread_index < counters) {
        s_before[thread_index] = sum;
    }
#endif
}

// A barrier must come between.
uint noted_before() {
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < BEFORE_PARTS; ++i) {
        sum += s_before[i];
    }
    return sum;
}

// Keys come from slot 2, or with two levels from slot 3.
const bool BY_ROOMS = SOURCE_SLOT == 3;

void main() {
    uint bucket = (first_room() << pc.roomBits) + group_index;
    if (bucket >= min(control.buckets, end_room() << pc.roomBits)) {
        return;
    }
    if (control.overflow != 0) {
        if (group_index == 0 && thread_index == 0) {
            leave_keys(control.count);
            if (has_flag(kFlagBeforeMsd) && control.overflow == kOverflowOfRoom) {
                args.bucketRestore = dispatch_args(room_count(control.buckets) * tiles_of_room());
            }
        }
        return;
    }
    uint before = BY_ROOMS ? state[place_word(bucket)] : 0;
    uint length = state[bucket_word(bucket)];
    uint first = group_index * pc.bucketSize;
    LOAD_FROM_SLOT(keys, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), keys2, keys3)
    uint scale = control.scale;
    Scaling scaling = control_scaling();
    clear_bins();
    if (!BY_ROOMS) {
        note_before(bucket);
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint part, bin, rest;
        bucket_of(keys[i], scale, part);
        umulExtended(part, length, bin, rest);
        bins[i] = bin;
    }
    barrier();
    if (!sort_in_bins(length, false)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            store_cell(element_of(i), keys[i]);
        }
        if (thread_index == 0) {
            leave_keys(control.count);
        }
        barrier();
    }
    before += BY_ROOMS ? 0 : noted_before();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = cell_key(element_of(i));
    }
    if (!is_plain(scaling)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = unscaled_key(scaling, keys[i]);
        }
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            keys1[before + element_of(i)] = bits_from_ordered(keys[i]);
        }
    }
}
