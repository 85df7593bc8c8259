#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of the merge family, one workgroup: reads the counts and sizes every later dispatch.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

void main() {
    uint count_a = has_flag(kFlagCountFromBuffer) ? min(count_buffer[0], pc.count) : pc.count;
    uint count = count_a;
    if (has_flag(kFlagTwoInputs)) { // with counts of the host there is no setup
        count += min(count_buffer[1], pc.countB);
    }
    uint tiles = divide_up(count, pc.tileSize);
    uint passes = passes_of(tiles);
    for (uint pass = thread_index; pass < kMaxMergePasses; pass += WORKGROUP_SIZE) {
        bool runs = pass + passes >= pc.maxPasses && pass < pc.maxPasses;
        control.work[2 * pass] = 0;
        control.work[2 * pass + 1] = 0;
        control.tickets[pass] = 0;
        args.partitions[pass] = dispatch_args(runs ? divide_up(tiles, kPartitionTiles) : 0);
        args.merges[pass] =
            dispatch_args(!runs ? 0 : has_flag(kFlagWorkQueues) ? min(tiles, pc.drainGroups) : tiles);
    }
    if (thread_index == 0) {
        start_control(count_a, count);
        control.segments = has_flag(kFlagSegmentCountFromBuffer) ? min(count_buffer[1], pc.segmentCount) : pc.segmentCount;
        control.jobsEach = pc.drainEvenly != 0 ? divide_up(tiles, pc.drainGroups) : tiles;
        args.tiles = dispatch_args(tiles);
        args.pack = dispatch_args(divide_up(count, pc.copyChunk));
        if (has_flag(kFlagSizeClasses)) {
            args.skewed = DispatchArgs(0, 0, 1);
            args.windows = dispatch_args(divide_up(divide_up(count, pc.windowSize), kClassBlock));
            control.jobs = 0;
            args.jobs = DispatchArgs(0, 0, 1);
            for (uint level = 0; level < kMaxClassLevels; ++level) {
                control.ranges[level] = 0;
                control.rangeTiles[level] = 0;
                args.ranges[level] = DispatchArgs(0, 0, 1);
                args.rangeTiles[level] = DispatchArgs(0, 0, 1);
                args.rangeCounts[level] = DispatchArgs(0, 0, 1);
            }
        }
    }
}
