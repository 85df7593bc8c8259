#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, one workgroup: makes jobs of the segments. Those that begin in one window are one job if together they fit
// the finish's tile; if not, the last of them, which alone leaves the window, is a job of its own, or a range for the
// partition if it is too long for that.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "digits.glsl"
#include "device/size_classes.glsl"

shared uint s_first[WORKGROUP_SIZE]; // first head in each invocation's windows
shared uint s_jobs;

void add_extra_job(uint begin, uint length) {
    store_job(atomicAdd(s_jobs, 1), begin, length | kJobHeads);
}

void main() {
    uint windows = divide_up(control.count, pc.windowSize);
    uint share = divide_up(windows, WORKGROUP_SIZE);
    uint begin = min(thread_index * share, windows);
    uint end = min(begin + share, windows);
    uint first = kNoHead;
    for (uint window = begin; window < end && first == kNoHead; ++window) {
        first = state[window_word(window)];
    }
    s_first[thread_index] = first;
    if (thread_index == 0) {
        s_jobs = windows;
    }
    barrier();
    uint next = kNoHead; // head of the first segment after the window
    for (uint i = thread_index + 1; i < WORKGROUP_SIZE && next == kNoHead; ++i) {
        next = s_first[i];
    }
    next = next == kNoHead ? control.count : next;
    for (uint window = end; window > begin; --window) {
        uint first_head = state[window_word(window - 1)];
        uint last_head = state[window_word(window - 1) + 1];
        uint length = 0;
        if (first_head != kNoHead) {
            length = next - first_head;
            if (length > pc.tileSize) {
                length = last_head - first_head;
                if (next - last_head <= pc.tileSize) {
                    add_extra_job(last_head, next - last_head);
                } else {
                    add_range(0, last_head, next - last_head, 0);
                }
            }
            next = first_head;
        }
        store_job(window - 1, first_head, length | kJobHeads);
    }
    barrier();
    if (thread_index == 0) {
        control.jobs = s_jobs;
        control.jobArgs = dispatch_args(s_jobs);
    }
}
