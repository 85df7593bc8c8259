// SPDX-License-Identifier: MIT
#include "spirv_hints.h"

namespace vksort {

namespace {

constexpr size_t kHeaderWords = 5;
// OpLoopMerge: the first word with length and opcode, the merge block, the continue target, and the loop control.
constexpr uint32_t kOpLoopMerge = 246;
constexpr size_t kLoopMergeWords = 4; // without parameters
constexpr size_t kLoopControl = 3;
constexpr uint32_t kUnroll = 1;
constexpr uint32_t kDontUnroll = 2;

} // namespace

void keep_loops(uint32_t* words, size_t wordCount) {
    for (size_t at = kHeaderWords; at < wordCount;) {
        const size_t length = words[at] >> 16;
        if (length == 0 || length > wordCount - at) {
            return;
        }
        if ((words[at] & 0xFFFF) == kOpLoopMerge && length == kLoopMergeWords) {
            uint32_t& control = words[at + kLoopControl];
            control = (control & kUnroll) != 0 ? (control & ~kUnroll) | kDontUnroll : control;
        }
        at += length;
    }
}

} // namespace vksort
