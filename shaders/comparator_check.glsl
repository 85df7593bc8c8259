#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Compiled before a comparator's kernels and then thrown away: what is wrong with the caller's text shows here, with its own
// lines and without the kernels.
#include "comparator_key.glsl"

layout(local_size_x = 1) in;

void main() {
    Key vksort_a;
    Key vksort_b;
    bool vksort_result = before(vksort_a, vksort_b);
}
