#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort in place, where passes take one chunk of the coarse buckets after the other and a bucket of a later chunk
// overflows: brings all keys back to slot 1, from the coarse buckets, which have them all. A key of one word is taken for
// the high word of a key of two.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "device/coarse_bucket_begin.glsl"

layout(set = 0, binding = kBindingKeys1, std430) buffer Keys1Words { uint keys1_words[]; };
layout(set = 0, binding = kBindingKeys2, std430) readonly buffer Keys2Words { uint keys2_words[]; };

void main() {
    uint tiles = tiles_of_coarse_bucket();
    uint coarse_bucket = group_index / tiles;
    uint first = group_index % tiles * pc.firstTile;
    if (coarse_bucket >= coarse_bucket_count(control.buckets)) {
        return;
    }
    clear_coarse_bucket_begin();
    barrier();
    note_coarse_bucket_begin(coarse_bucket);
    barrier();
    Scaling scaling = control_scaling();
    uint length = state[coarse_bucket_word(coarse_bucket)];
    uint source = (coarse_bucket << pc.coarseBucketBits) * pc.bucketSize;
    for (uint i = first + thread_index; i < min(first + pc.firstTile, length); i += WORKGROUP_SIZE) {
        if (MOVED_KEY_WORDS == 2) {
            keys1[s_coarse_bucket_begin + i] = bits_from_ordered(unscaled_key(scaling, keys2[source + i]));
        } else {
            uint word = (keys2_words[source + i] >> control.shift) + control.least[0];
            keys1_words[s_coarse_bucket_begin + i] = bits_from_ordered(Key(0, word)).y;
        }
    }
}
