// SPDX-License-Identifier: MIT
//
// Blends the splats of each tile from front to back until the pixel is opaque, with one workgroup for each tile and one
// invocation for each pixel. All invocations of a workgroup read the same splats in the same order, which suits caches.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "splats.glsl"

layout(local_size_x = TILE, local_size_y = TILE) in;

layout(std430, binding = 0) readonly buffer Footprints { Footprint footprints[]; };
layout(std430, binding = 1) readonly buffer Ids { uint ids[]; };
layout(std430, binding = 2) readonly buffer Ranges { uvec2 ranges[]; };
layout(std430, binding = 3) writeonly buffer Pixels { uint pixels[]; };

const vec3 BACKGROUND = vec3(0.05, 0.06, 0.09);

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, size))) {
        return;
    }
    uvec2 range = ranges[gl_WorkGroupID.y * tileCount.x + gl_WorkGroupID.x];
    vec3 color = vec3(0);
    float transmittance = 1;
    for (uint i = range.x; i < range.y && transmittance > 1.0 / 512; ++i) {
        Footprint splat = footprints[ids[i]];
        vec2 d = vec2(pixel) + 0.5 - splat.center;
        float power = -0.5 * (splat.conic.x * d.x * d.x + splat.conic.z * d.y * d.y) - splat.conic.y * d.x * d.y;
        float alpha = min(0.99, splat.opacity * exp(power));
        if (alpha < 1.0 / 255) {
            continue;
        }
        color += transmittance * alpha * unpackUnorm4x8(splat.color).rgb;
        transmittance *= 1 - alpha;
    }
    pixels[pixel.y * size.x + pixel.x] = packUnorm4x8(vec4(color + transmittance * BACKGROUND, 1));
}
