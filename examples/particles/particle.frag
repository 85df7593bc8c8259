// SPDX-License-Identifier: MIT
//
// A translucent ball, lit from above. Colors are premultiplied by alpha.
#version 450

layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec3 color;
layout(location = 0) out vec4 result;

void main() {
    float square = dot(corner, corner);
    if (square >= 1) {
        discard;
    }
    float alpha = 0.7 * (1 - square * square);
    result = vec4(alpha * color * (0.55 + 0.45 * corner.y), alpha);
}
