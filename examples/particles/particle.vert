// SPDX-License-Identifier: MIT
//
// A square for each instance. Instance i is the particle ids[i], so the order of `ids` is the order of blending.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "particles.glsl"

layout(std430, binding = 0) readonly buffer Particles { Particle particles[]; };
layout(std430, binding = 1) readonly buffer Ids { uint ids[]; };

layout(location = 0) out vec2 corner;
layout(location = 1) flat out vec4 color;

void main() {
    Particle p = particles[ids[gl_InstanceIndex]];
    corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2 - 1;
    vec3 seen = to_camera(p.position);
    // The lengths of `right` and `up` are the focal lengths, by which sizes grow as positions do.
    seen.xy += corner * radius_of(p) * vec2(length(right), length(up));
    gl_Position = vec4(seen.x, -seen.y, seen.z - near, seen.z);
    float hue = 6.2831853 * float(p.jet) / float(JETS);
    color.rgb = p.jet == JETS - 1 ? vec3(1, 0.95, 0.85) : 0.55 + 0.45 * cos(vec3(hue, hue - 2.0944, hue + 2.0944));
    color.a = alpha_of(p);
}
