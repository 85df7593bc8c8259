// SPDX-License-Identifier: MIT
//
// What the kernels of sample_sort hand on to each other: the sorted tiles in slot 2, in ordered form, and in state
//   cuts      by buckets: a row for each bucket but the first: how many elements of each tile stand before it
//   splitters likewise from pc.splittersOffset on, the least key of each
//   samples   by ranks, instead of these: the last key of each kRankedGap of a tile, pc.rowLength of a whole one, tile after
//             tile
// All elements have one strict order, by key, then by tile, then by position in the tile.
#include "dispatch.glsl"

// Elements of a tile, pc.firstTile; a constant where they are divided by.
#ifndef FIRST_TILE
#define FIRST_TILE pc.firstTile
#endif

// The last tile may have fewer.
uint tile_count(uint count) {
    return divide_up(count, FIRST_TILE);
}

uint tile_length(uint count, uint tile) {
    return min(count - tile * FIRST_TILE, FIRST_TILE);
}

// Of uniformly distributed keys, at even distances in their range.
uint uniform_bucket_count(uint count) {
    return divide_up(count, pc.bucketMean);
}

// Of others, at samples.
uint sampled_bucket_count(uint count) {
    return divide_up(count, pc.bucketSize);
}

// Of the splitter that begins the bucket.
uint splitter_word(uint bucket) {
    return pc.splittersOffset + (bucket - 1) * KEY_WORDS;
}

uint cut_word(uint bucket, uint tile) {
    return (bucket - 1) * pc.rowLength + tile;
}

// Of a tile of `length` elements.
uint sample_count(uint length) {
    return length / kRankedGap;
}

uint sample_word(uint tile, uint j) {
    return (tile * pc.rowLength + j) * KEY_WORDS;
}

// In the first step. Of the first workgroup one invocation `begins`, which later writes to the control block again.
void begin_sample_sort(uint count, bool begins) {
    if (!begins) {
        return;
    }
    control.count = count;
    control.digitPassesRun = 0;
    control.fallbacks = 0;
    control.copied = has_flag(kFlagPacked) ? 1 : 0;
    control.copyFrom = 1;
    control.copyFlags = kCopyKeys;
    control.buckets = 0;
    control.sweeping = 0;
}
