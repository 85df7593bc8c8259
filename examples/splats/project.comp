// SPDX-License-Identifier: MIT
//
// Projects each splat, and appends one pair of key and value for each tile that it touches. The key has the tile's number
// above the bits of the depth, so the sorted pairs of a tile are consecutive, from front to back.
// Zwicker, Pfister, van Baar and Gross, "EWA Splatting", 2002; Kerbl, Kopanas, Leimkuehler and Drettakis, "3D Gaussian
// Splatting for Real-Time Radiance Field Rendering", 2023.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "splats.glsl"

layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Splats { Splat splats[]; };
layout(std430, binding = 1) writeonly buffer Footprints { Footprint footprints[]; };
layout(std430, binding = 2) buffer PairCount { uint pairCount; };
layout(std430, binding = 3) writeonly buffer Keys { uvec2 keys[]; }; // u64, the low word first
layout(std430, binding = 4) writeonly buffer Ids { uint ids[]; };

mat3 matrix_of(vec4 q) {
    vec3 v = q.yzw;
    return mat3(1 - 2 * (v.y * v.y + v.z * v.z), 2 * (v.x * v.y + q.x * v.z), 2 * (v.x * v.z - q.x * v.y), //
                2 * (v.x * v.y - q.x * v.z), 1 - 2 * (v.x * v.x + v.z * v.z), 2 * (v.y * v.z + q.x * v.x), //
                2 * (v.x * v.z + q.x * v.y), 2 * (v.y * v.z - q.x * v.x), 1 - 2 * (v.x * v.x + v.y * v.y));
}

// Returns the footprint of a splat at the position `seen` in the camera's frame. It has no tiles if it is too small or
// outside the picture.
Footprint project(Splat splat, vec3 seen) {
    Footprint result;
    result.center = focal * seen.xy / seen.z + 0.5 * vec2(size);
    result.depth = seen.z;
    result.opacity = splat.opacity;
    result.color = packUnorm4x8(vec4(splat.color, 0));
    result.tiles = uvec4(0);

    // Covariance in space, then in the picture by the derivative of the projection. A splat is at least as wide as a pixel.
    mat3 axes = matrix_of(splat.rotation);
    axes = mat3(axes[0] * splat.scale.x, axes[1] * splat.scale.y, axes[2] * splat.scale.z);
    vec2 edge = 0.65 * vec2(size) / focal; // Far outside the picture the derivative would make splats too large.
    vec2 slope = clamp(seen.xy / seen.z, -edge, edge);
    vec3 x = focal / seen.z * (right - slope.x * forward) * axes;
    vec3 y = focal / seen.z * (down - slope.y * forward) * axes;
    float xx = dot(x, x) + 0.3;
    float xy = dot(x, y);
    float yy = dot(y, y) + 0.3;
    float determinant = xx * yy - xy * xy;
    result.conic = vec3(yy, -xy, xx) / determinant;

    // Three standard deviations in each direction.
    vec2 reach = 3 * sqrt(vec2(xx, yy));
    vec2 first = clamp(floor((result.center - reach) / TILE), vec2(0), vec2(tileCount));
    vec2 last = clamp(floor((result.center + reach) / TILE) + 1, vec2(0), vec2(tileCount));
    result.tiles = determinant > 0 ? uvec4(first, last) : uvec4(0);
    return result;
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Splat splat = splats[id];
    vec3 offset = splat.position - eye;
    vec3 seen = vec3(dot(offset, right), dot(offset, down), dot(offset, forward));
    Footprint footprint;
    footprint.tiles = uvec4(0);
    if (seen.z > near) {
        footprint = project(splat, seen);
    }
    footprints[id] = footprint;
    uvec4 tiles = footprint.tiles;
    uint touched = (tiles.z - tiles.x) * (tiles.w - tiles.y);
    if (touched == 0) {
        return;
    }
    // The count may exceed the capacity, by which the host detects that the capacity is too small. Pairs beyond it are not
    // written.
    uint slot = atomicAdd(pairCount, touched);
    for (uint row = tiles.y; row < tiles.w; ++row) {
        for (uint column = tiles.x; column < tiles.z; ++column) {
            if (slot < capacity) {
                keys[slot] = uvec2(floatBitsToUint(footprint.depth), row * tileCount.x + column);
                ids[slot] = id;
            }
            ++slot;
        }
    }
}
