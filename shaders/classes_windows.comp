#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes: the first and the last head of a segment in each window of pc.windowSize elements, one workgroup a window.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "digits.glsl"
#include "device/size_classes.glsl"

shared uint s_first;
shared uint s_last; // 1 + element; 0: none

void main() {
    uint window = group_index;
    uint begin = window * pc.windowSize;
    if (window >= pc.maxWindows || begin >= control.count) {
        return;
    }
    if (thread_index == 0) {
        s_first = window == 0 ? 0 : kNoHead; // the first element is a head, said or not
        s_last = window == 0 ? 1 : 0;
    }
    barrier();
    uint end = begin + min(control.count - begin, pc.windowSize);
    // windowSize is a multiple of 32: windows share no word.
    for (uint w = begin / 32 + thread_index; 32 * w < end; w += WORKGROUP_SIZE) {
        uint heads = has_flag(kFlagHeadsGiven) ? segments[w] : state[pc.headsOffset + w];
        if (end - 32 * w < 32) {
            heads &= (1u << (end - 32 * w)) - 1u;
        }
        if (heads != 0) {
            atomicMin(s_first, 32 * w + findLSB(heads));
            atomicMax(s_last, 32 * w + findMSB(heads) + 1);
        }
    }
    barrier();
    if (thread_index == 0) {
        state[window_word(window)] = s_first;
        state[window_word(window) + 1] = s_last - 1; // kNoHead where there is none
    }
}
