// SPDX-License-Identifier: MIT
//
// What the kernels of sample_sort hand on to each other: the sorted tiles in slot 2, in ordered form, and in state
//   samples   from pc.samplesOffset on: keys of each tile at even distances, tile after tile
//   cuts      from pc.cutsOffset on, a row for each bucket but the first: how many elements of each tile stand before it
// All elements have one strict order, by key, then by tile, then by place in the tile.
#include "dispatch.glsl"

// Tiles of pc.tileSize elements, the last one may have fewer.
uint tile_count(uint count) {
    return divide_up(count, pc.tileSize);
}

uint tile_length(uint count, uint tile) {
    return min(count - tile * pc.tileSize, pc.tileSize);
}

// From tile to tile the samples are shifted, by parts of their distance that the golden ratio spreads, or tiles alike would have
// samples alike. For ranks each is the last one of kRankedGap elements. In units of which pc.samplesEach are a place.
uint sample_shift(uint tile) {
    if (has_flag(kFlagRanked)) {
        return pc.tileSize - pc.samplesEach;
    }
    return (tile * 40503u & 0xFFFFu) * pc.tileSize >> 16;
}

// Place of a tile's j-th sample.
uint sample_place(uint tile, uint j) {
    return (j * pc.tileSize + sample_shift(tile)) / pc.samplesEach;
}

// Samples of a tile of `length` elements.
uint sample_count(uint tile, uint length) {
    uint shift = sample_shift(tile);
    uint scaled = length * pc.samplesEach;
    return scaled > shift ? (scaled - shift - 1) / pc.tileSize + 1 : 0;
}

uint sample_word(uint tile, uint j) {
    return pc.samplesOffset + (tile * pc.samplesEach + j) * KEY_WORDS;
}

uint cut_word(uint bucket, uint tile) {
    return pc.cutsOffset + (bucket - 1) * pc.maxTiles + tile;
}

// Buckets of about pc.bucketSize elements.
uint bucket_count(uint count) {
    return divide_up(count, pc.bucketSize);
}

// How many elements are to stand before a bucket.
uint elements_before(uint count, uint bucket) {
    return bucket * divide_up(count, bucket_count(count));
}
