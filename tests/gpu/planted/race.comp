#version 460
// SPDX-License-Identifier: MIT
//
// For the test of the tests: invocations store the same to one word of shared memory, as if that were allowed.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };

shared uint s_flag;

void main() {
    if (gl_LocalInvocationIndex == 0) {
        s_flag = 0;
    }
    barrier();
    if (gl_LocalInvocationIndex % 2 == 1) {
        s_flag = 1;
    }
    barrier();
    words[gl_LocalInvocationIndex % 4] = s_flag;
}
