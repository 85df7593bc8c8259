// SPDX-License-Identifier: MIT
//
// bucket_sort: where a coarse bucket's keys are to begin, added up by a workgroup. Needs device/buckets.glsl.
//
//   clear_coarse_bucket_begin(), barrier(), note_coarse_bucket_begin(coarse_bucket), barrier(), s_coarse_bucket_begin

shared uint s_coarse_bucket_begin;

void clear_coarse_bucket_begin() {
    if (thread_index == 0) {
        s_coarse_bucket_begin = 0;
    }
}

void note_coarse_bucket_begin(uint coarse_bucket) {
    uint own = 0;
    for (uint i = thread_index; i < coarse_bucket; i += WORKGROUP_SIZE) {
        own += state[coarse_bucket_word(i)];
    }
    if (own != 0) {
        atomicAdd(s_coarse_bucket_begin, own);
    }
}
