// SPDX-License-Identifier: MIT
//
// Stable local ranks of a tile's keys by one digit: where each key stands once the tile is sorted by that digit.
//
// A tile is held in registers, KEYS_PER_THREAD keys an invocation; key i of this invocation is the tile's element
// tile_element(i), and ranks keep the order of elements. Two methods with the same result:
//   RANK_BALLOT 1  per-subgroup histograms and ballots (workgroup/rank_ballot.glsl)
//                 RANK_ATOMICS 1: ranks by what atomics return; the caller has to check that they are stable
//   otherwise     per-invocation counters of 4-bit halves, no subgroup operations (workgroup/rank_counter.glsl)
//
//   count_digits(position, tile_count) digit_counts[]: how often each of this invocation's digits occurs in the tile
//   rank_keys(position)               rank_of(i), and digit_starts[]: where each digit begins in the sorted tile
//
// Loops around shared memory have the same trip count in every subgroup: under the Vulkan memory model lavapipe (Mesa 22.3)
// makes a control barrier of each access, which must not be in divergent flow.
//
// Elements from tile_count on are padding: kPadKey ranks behind every real key and is not counted. All invocations of
// the workgroup take part. s_tile is free before count_digits and after rank_keys, with a barrier in between. An includer
// that needs it larger defines EXTRA_TILE_WORDS.

#if RANK_BALLOT
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif

Key keys[KEYS_PER_THREAD];
uint rank_pairs[(KEYS_PER_THREAD + 1) / 2]; // two to a word, as registers limit the tile

// Of the digits thread_index * DIGITS_PER_THREAD + j, in the first DIGIT_THREADS invocations.
uint digit_counts[DIGITS_PER_THREAD];
uint digit_starts[DIGITS_PER_THREAD];

uint own_digit(uint j) {
    return thread_index * DIGITS_PER_THREAD + j;
}

bool owns_digits() {
    return thread_index < DIGIT_THREADS;
}

void set_rank(uint i, uint rank) {
    rank_pairs[i / 2] = i % 2 == 0 ? rank : rank_pairs[i / 2] | (rank << 16);
}

uint rank_of(uint i) {
    return i % 2 == 0 ? rank_pairs[i / 2] & 0xFFFFu : rank_pairs[i / 2] >> 16;
}

// Slot of the sorted tile that this invocation writes out as its i-th: neighbours in memory for neighbouring lanes.
uint tile_slot(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

#if RANK_BALLOT
#include "rank_ballot.glsl"
#else
#include "rank_counter.glsl"
#endif
