// SPDX-License-Identifier: MIT
//
// A light: a lamp over the floor that lights it, and is seen as a translucent disc of the same radius.

struct Light {
    vec2 position; // pixels
    float depth;   // 0 (near) to 1
    float radius;  // pixels
    vec4 color;
};

const uint TILE = 16; // pixels
