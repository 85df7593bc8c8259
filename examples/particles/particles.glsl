// SPDX-License-Identifier: MIT
//
// Structs, push constants and functions that the shaders of this example share. main.cpp has the same structs.

struct Particle {
    vec3 position;
    float age; // seconds
    vec3 velocity;
    uint jet; // index of the particle's jet of the fountain
};

layout(push_constant, std430) uniform Push {
    vec3 eye;
    float seconds; // length of this time step; 0: the first frame, which makes the particles
    vec3 right;    // the axes of the camera, the first two scaled by the focal length of their direction
    float radius;
    vec3 up;
    uint count;
    vec3 forward;
    float near;
};

const uint JETS = 7;
const float LIFE = 2.3; // seconds

// Particles spread and fade.
float radius_of(Particle p) { return radius * (1 + p.age); }
float alpha_of(Particle p) { return 0.25 * (1 - p.age / LIFE); }

// The position in the camera's frame: z is the depth, and x and y are between -z and z inside the picture.
vec3 to_camera(vec3 position) {
    vec3 offset = position - eye;
    return vec3(dot(offset, right), dot(offset, up), dot(offset, forward));
}

// A random number from 0 to 1 (Jarzynski and Olano, "Hash Functions for GPU Rendering", 2020: pcg).
float random(uint seed) {
    uint state = seed * 747796405u + 2891336453u;
    uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return float((word >> 22u ^ word) >> 8) / 16777216.0;
}
