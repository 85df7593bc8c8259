// SPDX-License-Identifier: MIT
//
// A plain copy: what memory allows, beside which a sort's traffic is put.
#version 450

layout(local_size_x = 128) in;
layout(std430, set = 0, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Destination { uvec4 destination[]; };
layout(push_constant) uniform Push { uint count; };

const uint EACH = 4; // loads of an invocation on their way at once
const uint TILE = 128 * EACH;

void main() {
    for (uint tile = gl_WorkGroupID.x * TILE; tile < count; tile += gl_NumWorkGroups.x * TILE) {
        uvec4 held[EACH];
        for (uint i = 0; i < EACH; ++i) {
            const uint at = tile + i * 128 + gl_LocalInvocationID.x;
            if (at < count) {
                held[i] = source[at];
            }
        }
        for (uint i = 0; i < EACH; ++i) {
            const uint at = tile + i * 128 + gl_LocalInvocationID.x;
            if (at < count) {
                destination[at] = held[i];
            }
        }
    }
}
