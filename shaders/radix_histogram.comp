#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Counts every digit position of every key in one read of the input. For onesweep the workgroup that is done last decides
// what follows.
#extension GL_KHR_memory_scope_semantics : require
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/decide_passes.glsl"
#include "workgroup/count_all_digits.glsl"

shared uint s_is_last;

void main() {
    if (group_index >= control.histogramGroups) {
        return;
    }
    clear_digit_counts();
    barrier();
    bool in_order = atomicLoad(control.disorder, gl_ScopeDevice, 0, 0) == 0; // other workgroups may set it
    // Each workgroup takes one contiguous share of the chunks of keys.
    uint chunks = divide_up(control.count, pc.histogramChunk);
    uint share = divide_up(chunks, control.histogramGroups);
    uint begin = min(group_index * share, chunks) * pc.histogramChunk;
    uint length = group_index * share < chunks ? min(control.count - begin, share * pc.histogramChunk) : 0;
    count_all_digits(begin, length, control.count, in_order);
    if (!in_order) {
        note_disorder();
    }
    if (has_flag(kFlagStatus)) {
        uint words = control.tiles * kRadix;
        for (uint i = group_index * WORKGROUP_SIZE +
                thread_index; i < words; i += control.histogramGroups * WORKGROUP_SIZE) {
            state[pc.statusOffset + i] = 0;
        }
    }
    barrier();
    add_digit_counts();
    if (!has_flag(kFlagStatus)) {
        return;
    }
    memoryBarrierBuffer(); // the additions come before this workgroup's mark
    barrier();
    if (thread_index == 0) {
        s_is_last = atomicAdd(control.counted, 1) + 1 == control.histogramGroups ? 1 : 0;
    }
    barrier();
    if (s_is_last != 0) {
        memoryBarrierBuffer();
        scan_bins(control.count);
    }
}
