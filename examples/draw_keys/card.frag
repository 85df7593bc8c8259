// SPDX-License-Identifier: MIT
//
// A material is a color. A pattern stands for a pipeline of an engine.
#version 460

layout(location = 0) in vec2 place;
layout(location = 1) flat in uvec3 look;
layout(location = 0) out vec4 color; // premultiplied by alpha

void main() {
    float hue = float(look.z) * 2.399963; // steps of the golden angle, so that the colors of neighboring materials differ
    vec3 rgb = 0.6 + 0.35 * cos(vec3(hue, hue - 2.0944, hue + 2.0944));
    uvec2 square = uvec2(place * 6);
    bool dark = look.y == 1 && square.x % 2 == 0                   // stripes
                || look.y == 2 && (square.x + square.y) % 2 == 0   // squares
                || look.y == 3 && distance(place, vec2(0.5)) < 0.3; // a disc
    bool edge = min(min(place.x, place.y), min(1 - place.x, 1 - place.y)) < 0.06;
    float alpha = look.x == 0 || edge ? 1 : 0.5;
    color = vec4(rgb * (edge ? 0.3 : dark ? 0.75 : 1), 1) * alpha;
}
