#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes: the first and the last head of a segment in each window of pc.windowSize elements, one invocation a window,
// and the first head in each block of windows, one workgroup a block.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

shared uint s_first;

// Word w of the head flags, up to the last element.
uint heads_in(uint w) {
    uint heads = head_word(w);
    uint left = control.count - 32 * w;
    heads = left < 32 ? heads & ((1u << left) - 1u) : heads;
    return w == 0 ? heads | 1u : heads; // the first element is a head, said or not
}

void main() {
    uint windows = divide_up(control.count, pc.windowSize);
    if (group_index * WORKGROUP_SIZE >= windows) {
        return;
    }
    uint window = group_index * WORKGROUP_SIZE + thread_index;
    if (thread_index == 0) {
        s_first = kNoHead;
    }
    barrier();
    if (window < windows) {
        // windowSize is a multiple of 32: windows share no word.
        uint begin = window * (pc.windowSize / 32);
        uint end = min(begin + pc.windowSize / 32, divide_up(control.count, 32));
        uint first = kNoHead;
        for (uint w = begin; w < end && first == kNoHead; ++w) {
            uint heads = heads_in(w);
            first = heads != 0 ? 32 * w + findLSB(heads) : kNoHead;
        }
        uint last = first;
        if (first != kNoHead) {
            uint w = end - 1;
            while (heads_in(w) == 0) {
                --w;
            }
            last = 32 * w + findMSB(heads_in(w));
            atomicMin(s_first, first);
        }
        state[window_word(window)] = first;
        state[window_word(window) + 1] = last;
    }
    barrier();
    if (thread_index == 0) {
        state[block_word(group_index)] = s_first;
    }
}
