// SPDX-License-Identifier: MIT
//
// A scene that needs no file: splats on the surfaces of a knot, of balls and of a floor, lit by one lamp.
#include <algorithm>
#include <numbers>
#include <random>

#include "splats.h"

namespace splats {

namespace {

constexpr float kTurn = 2 * std::numbers::pi_v<float>;

// Computes the rotation of the z axis to a unit vector.
void turn_z_to(Vector normal, float (&rotation)[4]) {
    const bool is_opposite = normal.z < -0.9999f; // Then the rotation is about any axis perpendicular to z.
    const float w = is_opposite ? 0 : 1 + normal.z;
    const float x = is_opposite ? 1 : -normal.y;
    const float y = is_opposite ? 0 : normal.x;
    const float length = std::sqrt(w * w + x * x + y * y);
    const float values[] = {w / length, x / length, y / length, 0};
    std::copy_n(values, 4, rotation);
}

Splat surface_splat(Vector position, Vector normal, Vector color, float size, float opacity) {
    const Vector to_lamp = unit(Vector{3, 6, 2} - position);
    const float light = 0.25f + 0.75f * std::max(0.0f, dot(normal, to_lamp));
    Splat splat;
    splat.position = position;
    splat.scale = {size, size, 0.2f * size};
    splat.color = light * color;
    splat.opacity = opacity;
    turn_z_to(normal, splat.rotation);
    return splat;
}

// Center line of a (2, 3) torus knot.
Vector knot(float t) {
    const float radius = 1 + 0.42f * std::cos(3 * t);
    return {radius * std::cos(2 * t), 1.15f + 0.5f * std::sin(3 * t), radius * std::sin(2 * t)};
}

} // namespace

std::vector<Splat> make_scene(uint32_t count) {
    std::mt19937 engine(7); // its values are standardized, unlike those of distributions: each machine has the same scene
    const auto random = [&engine] { return float(engine() >> 8) / 16777216.0f; };
    // The fewer splats, the larger they are.
    const float size = 0.021f * std::sqrt(100'000.0f / float(count));
    std::vector<Splat> splats;
    while (splats.size() < count) {
        const float what = random();
        if (what < 0.5f) {
            const float t = kTurn * random();
            const Vector center = knot(t);
            const Vector along = unit(knot(t + 0.001f) - center);
            const Vector side = unit(cross(along, {0, 1, 0}));
            const Vector up = cross(side, along);
            const float angle = kTurn * random();
            const Vector normal = std::cos(angle) * side + std::sin(angle) * up;
            const auto hue = [t](float shift) { return 0.55f + 0.45f * std::cos(2 * t + shift); };
            splats.push_back(
                surface_splat(center + 0.2f * normal, normal, {hue(0), hue(-kTurn / 3), hue(kTurn / 3)}, size, 0.9f));
        } else if (what < 0.7f) {
            // The last of the balls is of glass.
            constexpr Vector kCenters[] = {{-1.5f, 0.4f, 1.3f}, {1.6f, 0.5f, 1.0f}, {0.2f, 0.55f, 1.9f}};
            constexpr Vector kColors[] = {{0.9f, 0.85f, 0.8f}, {0.95f, 0.7f, 0.2f}, {0.6f, 0.85f, 1}};
            const size_t ball = engine() % 3;
            const float z = 2 * random() - 1;
            const float angle = kTurn * random();
            const float ring = std::sqrt(1 - z * z);
            const Vector normal = {ring * std::cos(angle), ring * std::sin(angle), z};
            splats.push_back(surface_splat(kCenters[ball] + kCenters[ball].y * normal, normal, kColors[ball], size,
                                           ball == 2 ? 0.12f : 0.9f));
        } else {
            const float radius = 3.2f * std::sqrt(random());
            const float angle = kTurn * random();
            const Vector position = {radius * std::cos(angle), 0, radius * std::sin(angle)};
            const bool dark = (int(std::floor(position.x / 0.5f)) + int(std::floor(position.z / 0.5f))) % 2 == 0;
            const Vector color = dark ? Vector{0.25f, 0.28f, 0.33f} : Vector{0.75f, 0.75f, 0.72f};
            splats.push_back(surface_splat(position, {0, 1, 0}, color, 2 * size, 0.9f));
        }
    }
    return splats;
}

} // namespace splats
