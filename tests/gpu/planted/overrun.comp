#version 460
// SPDX-License-Identifier: MIT
//
// For the test of the tests: reads one word too far.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };

void main() {
    words[0] = words[words.length()];
}
