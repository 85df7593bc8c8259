// SPDX-License-Identifier: MIT
//
// msd: how the kernels that find the segments read their head flags: an invocation reads a span of words, a workgroup a
// block of spans. Needs merge_buffers.glsl.
const uint SPAN_WORDS = KEYS_PER_THREAD;
const uint BLOCK_WORDS = WORKGROUP_SIZE * SPAN_WORDS;

// Word w of the head flags, up to the last element.
uint heads_in(uint w) {
    uint heads = head_word(w);
    uint left = control.count - 32 * w;
    heads = left < 32 ? heads & ((1u << left) - 1u) : heads;
    return w == 0 ? heads | 1u : heads; // the first element is always a head
}
