// SPDX-License-Identifier: MIT
//
// Finds the range of each tile's pairs in the sorted list. The range of a tile without pairs stays 0 to 0.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "splats.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer PairCount { uint pairCount; };
layout(std430, binding = 1) readonly buffer Keys { uvec2 keys[]; };
layout(std430, binding = 2) writeonly buffer Ranges { uvec2 ranges[]; };

void main() {
    uint pairs = min(pairCount, capacity);
    // The host does not know the count, so a fixed number of workgroups strides over the pairs.
    for (uint i = gl_GlobalInvocationID.x; i < pairs; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
        uint tile = keys[i].y;
        if (i == 0 || keys[i - 1].y != tile) {
            ranges[tile].x = i;
        }
        if (i == pairs - 1 || keys[i + 1].y != tile) {
            ranges[tile].y = i + 1;
        }
    }
}
