// SPDX-License-Identifier: MIT
//
// Structs and push constants that the shaders of this example share. splats.h and main.cpp have the same structs.

struct Splat {
    vec3 position;
    float opacity;
    vec3 scale; // standard deviation along each axis
    float padding0;
    vec4 rotation; // quaternion, w first
    vec3 color;
    float padding1;
};

// A splat in one view: a two-dimensional Gaussian.
struct Footprint {
    vec2 center; // in pixels
    float depth;
    float opacity;
    vec3 conic; // inverse of the covariance matrix: xx, xy, yy
    uint color; // 8 bits each of red, green and blue
    uvec4 tiles; // first column and row of tiles, then those after the last; empty if the splat is not visible
};

layout(push_constant, std430) uniform Push {
    vec3 eye;
    float focal; // in pixels
    vec3 right;
    uint count; // of splats
    vec3 down;
    uint capacity; // pairs of tile and splat that there is memory for
    vec3 forward;
    float near;
    uvec2 size; // of the picture in pixels
    uvec2 tileCount;
};

const uint TILE = 16; // pixels on a side
