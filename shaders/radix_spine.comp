#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// reduce_scan, second step of a digit position: one workgroup a digit turns its row of counts into destinations.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/scan_shared.glsl"

void main() {
    uint digit = group_index;
    if (digit >= kRadix) {
        return;
    }
    uint row = pc.statusOffset + digit * pc.spineGroups;
    uint share = (control.groups + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;
    uint begin = min(thread_index * share, control.groups);
    uint end = min(begin + share, control.groups);
    uint sum = 0;
    for (uint i = begin; i < end; ++i) {
        sum += state[row + i];
    }
    uint total;
    uint next = state[pc.binsOffset + pc.pass * kRadix + digit] + wg_exclusive_add(sum, total);
    for (uint i = begin; i < end; ++i) {
        uint count = state[row + i];
        state[row + i] = next;
        next += count;
    }
}
