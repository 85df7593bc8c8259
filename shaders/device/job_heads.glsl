// SPDX-License-Identifier: MIT
//
// msd: the head flags of a job, of which bit 0 is the job's first element.
const uint HEAD_WORDS = TILE_SIZE / 32 + 1;

shared uint s_heads[HEAD_WORDS + 1];

// Word w of them.
uint job_heads(uint begin, uint length, uint w) {
    uint bit = begin + 32 * w;
    uint shift = bit % 32;
    uint first = bit / 32;
    uint heads = head_word(first) >> shift;
    if (shift != 0) {
        heads |= head_word(first + 1) << (32 - shift);
    }
    uint left = length - 32 * w;
    return left < 32 ? heads & ((1u << left) - 1u) : heads;
}

// Into s_heads, whose last word is empty. The first element begins a segment in any case.
void read_job_heads(uint begin, uint length) {
    for (uint w = thread_index; w < HEAD_WORDS + 1; w += WORKGROUP_SIZE) {
        uint heads = 32 * w < length ? job_heads(begin, length, w) : 0;
        s_heads[w] = w == 0 ? heads | 1u : heads;
    }
}
