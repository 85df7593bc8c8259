#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of the merge family: one workgroup reads the counts and sizes every later dispatch. With segments that come
// as head indices or pairs, all workgroups clear the bits that segment_heads.comp sets.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "device/segment_parity.glsl"

void clear_heads(uint count) {
    uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
    uint parities = has_flag(kFlagOffsets) ? parity_words(count) : 0; // fewer than words of flags
    for (uint w = group_index * WORKGROUP_SIZE + thread_index; w < divide_up(count, 32); w += stride) {
        state[pc.headsOffset + w] = 0;
        if (has_flag(kFlagOffsets)) {
            state[pc.endsOffset + w] = 0;
        }
        if (w < parities) {
            state[first_parity_level(count) + w] = 0;
        }
    }
}

// Sets what merge passes and work queues read.
void start_passes(uint tiles) {
    uint passes = passes_of(tiles);
    for (uint pass = thread_index; pass < kMaxMergePasses; pass += WORKGROUP_SIZE) {
        bool is_needed = pass + passes >= pc.maxPasses && pass < pc.maxPasses;
        control.work[2 * pass] = 0;
        control.work[2 * pass + 1] = 0;
        control.tickets[pass] = 0;
        args.partitions[pass] = dispatch_args(is_needed ? divide_up(tiles, kPartitionTiles) : 0);
        args.merges[pass] =
            dispatch_args(!is_needed ? 0 : has_flag(kFlagWorkQueues) ? min(tiles, pc.drainGroups) : tiles);
    }
    if (thread_index == 0) {
        control.jobsEach = has_flag(kFlagDrainEvenly) ? divide_up(tiles, pc.drainGroups) : tiles;
        args.tiles = dispatch_args(tiles);
    }
}

// Sets what msd reads, a level an invocation: code that is executed once takes as long as it is.
void start_levels() {
    for (uint level = thread_index; level < kMaxClassLevels; level += WORKGROUP_SIZE) {
        control.ranges[level] = 0;
        control.rangeTiles[level] = 0;
        control.rangeGroups[level] = 1;
        args.ranges[level] = DispatchArgs(0, 0, 1);
        args.rangeTiles[level] = DispatchArgs(0, 0, 1);
        args.rangeCounts[level] = DispatchArgs(0, 0, 1);
        args.rangePartitions[level] = DispatchArgs(0, 0, 1);
    }
    if (thread_index == 0) {
        control.jobs = 0;
        control.largeJobs = 0;
        args.jobs = DispatchArgs(0, 0, 1);
        args.largeJobs = DispatchArgs(0, 0, 1);
        for (uint large = 0; large < 2; ++large) {
            control.skewed[large] = 0;
            args.skewed[large] = DispatchArgs(0, 0, 1);
        }
    }
}

void main() {
    uint count_a = has_flag(kFlagCountFromBuffer) ? min(held_count(0), pc.count) : pc.count;
    if (has_flag(kFlagSegments) && !has_flag(kFlagHeadsGiven)) {
        clear_heads(count_a);
    }
    if (group_index > 0) {
        return;
    }
    uint count = count_a;
    if (has_flag(kFlagTwoInputs)) { // with counts of the host there is no setup
        count += min(held_count(1), pc.countB);
    }
    if (has_flag(kFlagMsd)) {
        start_levels();
    } else {
        start_passes(divide_up(count, pc.tileSize));
    }
    if (thread_index == 0) {
        start_control(count_a, count);
        control.segments = has_flag(kFlagSegmentCountFromBuffer) ? min(held_count(1), pc.segmentCount) : pc.segmentCount;
        args.pack = dispatch_args(divide_up(count, pc.copyChunk));
    }
}
