// SPDX-License-Identifier: MIT
//
// What the kernels of sample_sort hand on to each other: the sorted tiles in slot 2, in ordered form, and in state
//   cuts      by splitters: from pc.cutsOffset on, a row for each bucket but the first: how many elements of each tile stand before it
//   splitters likewise from pc.splittersOffset on, the key of each
//   samples   by ranks: from pc.samplesOffset on, the last key of each kRankedGap of a tile, pc.samplesEach of a whole one, tile after tile
// All elements have one strict order, by key, then by tile, then by place in the tile.
#include "dispatch.glsl"

// Tiles of pc.tileSize elements, the last one may have fewer.
uint tile_count(uint count) {
    return divide_up(count, pc.tileSize);
}

uint tile_length(uint count, uint tile) {
    return min(count - tile * pc.tileSize, pc.tileSize);
}

// Buckets of about pc.bucketSize elements.
uint bucket_count(uint count) {
    return divide_up(count, pc.bucketSize);
}

// Of the splitter that begins the bucket.
uint splitter_word(uint bucket) {
    return pc.splittersOffset + (bucket - 1) * KEY_WORDS;
}

uint cut_word(uint bucket, uint tile) {
    return pc.cutsOffset + (bucket - 1) * pc.maxTiles + tile;
}

// Of a tile of `length` elements.
uint sample_count(uint length) {
    return length / kRankedGap;
}

uint sample_word(uint tile, uint j) {
    return pc.samplesOffset + (tile * pc.samplesEach + j) * KEY_WORDS;
}
