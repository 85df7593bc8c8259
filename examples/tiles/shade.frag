// SPDX-License-Identifier: MIT
//
// Shades a pixel: the floor, lit by the lights of its tile, behind their discs. The discs are blended in the order of the
// list, the nearest first, so the picture is right only if the list is sorted.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lights.glsl"

layout(std430, binding = 0) readonly buffer Lights { Light lights[]; };
layout(std430, binding = 1) readonly buffer Tiles { uvec2 tiles[]; };
layout(std430, binding = 2) readonly buffer Entries { uint entries[]; };
layout(push_constant) uniform Push { uint tiles_in_row; };
layout(location = 0) out vec4 color;

void main() {
    uvec2 tile_position = uvec2(gl_FragCoord.xy) / TILE;
    uvec2 tile = tiles[tile_position.y * tiles_in_row + tile_position.x];
    vec3 light_sum = vec3(0.1);
    vec3 discs = vec3(0);
    float transparency = 1;
    for (uint i = tile.x; i < tile.x + tile.y; ++i) {
        Light light = lights[entries[i] & 0xFFFFu];
        float t = distance(gl_FragCoord.xy, light.position) / light.radius;
        if (t < 1) {
            light_sum += light.color.rgb * (1 - t) * (1 - t);
            float opacity = t < 0.3 ? 0.7 : 0; // A sharp edge shows which disc is in front.
            discs += transparency * opacity * light.color.rgb;
            transparency *= 1 - opacity;
        }
    }
    uvec2 square = uvec2(gl_FragCoord.xy) / 24;
    float floor_albedo = (square.x + square.y) % 2 == 0 ? 0.5 : 0.35;
    color = vec4(discs + transparency * floor_albedo * min(light_sum, vec3(2)), 1);
}
