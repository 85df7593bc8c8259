#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of a radix sort, one workgroup: reads the count, clears the digit bins and sizes the histogram.
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"

void main() {
    for (uint i = thread_index; i < pc.digitPasses * kRadix; i += WORKGROUP_SIZE) {
        state[pc.binsOffset + i] = 0;
    }
    if (thread_index != 0) {
        return;
    }
    uint count = element_count();
    uint groups = clamp(divide_up(count, pc.histogramChunk), 1, pc.histogramGroups); // the last one decides, also of nothing
    control.count = count;
    control.digitPassesRun = 0;
    control.fallbacks = 0;
    control.copied = 0;
    control.disorder = sorts_all_bits() ? 0 : 1;
    control.tiles = divide_up(count, pc.tileSize);
    control.groups = min(control.tiles, pc.spineGroups);
    control.histogramGroups = groups;
    control.counted = 0;
    args.histogram = dispatch_args(groups);
}
