// SPDX-License-Identifier: MIT
//
// A light is a lamp that lights the floor below it. The picture shows it as a translucent disc in the middle of that area.

struct Light {
    vec2 position; // pixels
    float depth;   // 0 (near) to 1
    float radius;  // pixels
    vec4 color;
};

const uint TILE = 16; // pixels
