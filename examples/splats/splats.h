// SPDX-License-Identifier: MIT
//
// Scenes of Gaussian splats: made by the program, or read from a file.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace splats {

struct Vector {
    float x = 0, y = 0, z = 0;
};
inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector operator*(float s, Vector a) { return {s * a.x, s * a.y, s * a.z}; }
inline float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector cross(Vector a, Vector b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline Vector unit(Vector a) { return 1.0f / std::sqrt(dot(a, a)) * a; }

// As in splats.glsl.
struct Splat {
    Vector position;
    float opacity = 1;
    Vector scale;
    float padding0 = 0;
    float rotation[4] = {1, 0, 0, 0}; // quaternion, w first
    Vector color;
    float padding1 = 0;
};

// Makes a knot, three balls and a floor of `count` splats that lie flat on the surfaces. y points up.
std::vector<Splat> make_scene(uint32_t count);

// Reads a binary .ply file of the kind that programs for training splats write: each vertex has x, y, z, f_dc_0 to f_dc_2,
// opacity, scale_0 to scale_2, rot_0 to rot_3, and any other properties. Throws example::Error with one sentence.
std::vector<Splat> read_ply(const std::string& file);
// Writes such a file.
void write_ply(const std::string& file, const std::vector<Splat>& splats);

} // namespace splats
