// SPDX-License-Identifier: MIT
//
// A translucent ball, lit from above. Colors are premultiplied by alpha.
#version 450

layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec4 color;
layout(location = 0) out vec4 result;

void main() {
    float square = dot(corner, corner);
    if (square >= 1) {
        discard;
    }
    float alpha = color.a * (1 - square * square);
    result = vec4(alpha * color.rgb * (0.75 + 0.25 * corner.y), alpha);
}
