// SPDX-License-Identifier: MIT
//
// msd: the head flags of segments as the kernels read them that find out which segments there are: a span of words an
// invocation, a block of spans a workgroup. Needs merge_buffers.glsl.
const uint SPAN_WORDS = KEYS_PER_THREAD;
const uint BLOCK_WORDS = WORKGROUP_SIZE * SPAN_WORDS;

// Word w of the head flags, up to the last element.
uint heads_in(uint w) {
    uint heads = head_word(w);
    uint left = control.count - 32 * w;
    heads = left < 32 ? heads & ((1u << left) - 1u) : heads;
    return w == 0 ? heads | 1u : heads; // the first element is a head, said or not
}
