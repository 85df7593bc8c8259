#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort by two levels, before the buckets are sorted, one workgroup a coarse bucket: adds up where each of the coarse
// bucket's buckets is to begin. (With one level each bucket adds up what is before it.)
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/coarse_bucket_begin.glsl"

const uint BUCKETS_PER_THREAD = (BUCKETS + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

void main() {
    uint coarse_bucket = first_coarse_bucket() + group_index;
    if (coarse_bucket >= end_coarse_bucket() || control.overflow != 0) {
        return;
    }
    clear_coarse_bucket_begin();
    uint first = (coarse_bucket << pc.coarseBucketBits) + thread_index * BUCKETS_PER_THREAD;
    uint end = min((coarse_bucket + 1) << pc.coarseBucketBits, control.buckets);
    uint counts[BUCKETS_PER_THREAD];
    uint own = 0;
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        counts[j] = first + j < end ? state[bucket_word(first + j)] : 0;
        own += counts[j];
    }
    barrier();
    note_coarse_bucket_begin(coarse_bucket);
    uint index = wg_exclusive_add(own); // with a barrier for what has been noted
    index += s_coarse_bucket_begin;
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        if (first + j < end) {
            state[begin_word(first + j)] = index;
        }
        index += counts[j];
    }
}
