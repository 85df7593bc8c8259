// SPDX-License-Identifier: MIT
//
// A draw is a card, a rectangle at one depth. Instances are drawn in the order in which they are numbered, so instance i is
// the draw that the sort has put at position i.
#version 460

struct Draw {
    vec2 position; // -1 to 1
    vec2 size;
    float depth; // 0 (near) to 1
    uint layer;  // 0: opaque, 1: translucent
    uint pipeline;
    uint material;
};
layout(std430, binding = 0) readonly buffer Draws { Draw draws[]; };
layout(std430, binding = 1) readonly buffer Order { uint order[]; };
layout(location = 0) out vec2 place; // position on the card, 0 to 1
layout(location = 1) flat out uvec3 look;

void main() {
    Draw draw = draws[order[gl_InstanceIndex]];
    place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    look = uvec3(draw.layer, draw.pipeline, draw.material);
    gl_Position = vec4(draw.position + (place - 0.5) * draw.size, draw.depth, 1);
}
