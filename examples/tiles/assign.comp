// SPDX-License-Identifier: MIT
//
// Each workgroup handles one tile: it finds the lights that reach the tile, reserves entries of the common list by one
// atomic addition, and writes the lights there. The order of tiles in the list, and of a tile's lights, may differ from run
// to run.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lights.glsl"

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Lights { Light lights[]; };
layout(std430, binding = 1) writeonly buffer Tiles { uvec2 tiles[]; }; // offset and count
layout(std430, binding = 2) writeonly buffer Entries { uint entries[]; };
layout(std430, binding = 3) buffer Counter { uint entry_count; };
layout(push_constant) uniform Push { uint light_count, capacity; };

shared uint s_count;
shared uint s_offset;

bool reaches_tile(Light light) {
    vec2 corner = vec2(gl_WorkGroupID.xy * TILE);
    vec2 nearest = clamp(light.position, corner, corner + TILE);
    return distance(nearest, light.position) < light.radius;
}

void main() {
    if (gl_LocalInvocationIndex == 0) {
        s_count = 0;
    }
    barrier();
    uint mine = 0;
    for (uint i = gl_LocalInvocationIndex; i < light_count; i += gl_WorkGroupSize.x) {
        mine += reaches_tile(lights[i]) ? 1 : 0;
    }
    uint slot = atomicAdd(s_count, mine);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        s_offset = min(atomicAdd(entry_count, s_count), capacity);
        uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
        tiles[tile] = uvec2(s_offset, min(s_count, capacity - s_offset));
    }
    barrier();
    slot += s_offset;
    for (uint i = gl_LocalInvocationIndex; i < light_count; i += gl_WorkGroupSize.x) {
        if (reaches_tile(lights[i])) {
            if (slot < capacity) {
                // The low bits have the light's index, so that no two keys of a tile are equal.
                entries[slot] = uint(lights[i].depth * 65535.0) << 16 | i;
            }
            ++slot;
        }
    }
}
