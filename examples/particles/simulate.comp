// SPDX-License-Identifier: MIT
//
// Moves each particle by one time step, and appends the particles that the camera sees to the list to be sorted. Their
// number is the instance count of the draw.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "particles.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 0) buffer Particles { Particle particles[]; };
layout(std430, binding = 1) buffer Draw {
    uint vertexCount;
    uint instanceCount;
    uint firstVertex;
    uint firstInstance;
} draw;
layout(std430, binding = 2) writeonly buffer Keys { float keys[]; };
layout(std430, binding = 3) writeonly buffer Ids { uint ids[]; };

// Lets a particle leave its jet. Six jets stand in a circle, each inclined towards the next one. The seventh is in the
// middle.
void emit(uint id, inout Particle p) {
    p.jet = id % JETS;
    float angle = float(p.jet) * 1.0471976;
    vec3 outward = vec3(cos(angle), 0, sin(angle));
    vec3 along = vec3(-outward.z, 0, outward.x);
    bool middle = p.jet == JETS - 1;
    p.position = middle ? vec3(0) : 1.5 * outward;
    p.velocity = middle ? vec3(0, 4.4, 0) : vec3(0, 3.9, 0) - 0.4 * outward + 1.1 * along;
    float angle2 = 6.2831853 * random(4 * id);
    float spread = random(4 * id + 1);
    p.velocity += 0.36 * spread * vec3(cos(angle2), 0, sin(angle2));
    p.velocity.y *= 1 - 0.25 * random(4 * id + 2);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= count) {
        return;
    }
    Particle p = particles[id];
    float step = seconds;
    if (seconds == 0) { // The first frame puts particles at random points of their paths.
        emit(id, p);
        p.age = 0;
        step = random(4 * id + 3) * LIFE;
    }
    const vec3 gravity = vec3(0, -3.6, 0);
    p.age += step;
    p.position += p.velocity * step + 0.5 * gravity * step * step;
    p.velocity += gravity * step;
    if (p.position.y < 0) { // the floor
        p.position.y = -0.4 * p.position.y;
        p.velocity = vec3(0.6, -0.4, 0.6) * p.velocity;
    }
    if (p.age > LIFE) {
        emit(id, p);
        p.age -= LIFE;
    }
    particles[id] = p;

    vec3 seen = to_camera(p.position);
    float reach = radius_of(p) * max(length(right), length(up));
    if (seen.z > near && max(abs(seen.x), abs(seen.y)) < seen.z + reach && alpha_of(p) > 0.02) {
        uint slot = atomicAdd(draw.instanceCount, 1);
        keys[slot] = seen.z;
        ids[slot] = id;
    }
}
