#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd and size_classes without values, third step of a level: partitions the tiles of the long ranges, each by its own digit
// position. Equal keys cannot be told apart, so no order has to be kept: an atomic addition in shared memory ranks each key,
// and one in global memory allocates slots for a tile's keys of each digit. After Stehle and Jacobsen, "A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
//
// With kFlagUncounted, it is msd's first level before anything is counted: each digit has a padded bucket, for its share of
// uniform keys and a slack. Where one is too small, the level is counted and partitioned again, from the same source, which
// no kernel has written meanwhile.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#extension GL_KHR_shader_subgroup_ballot : require
#include "workgroup/scan.glsl"
#include "subgroup/add_digit.glsl"

const bool UNCOUNTED = (FLAGS & kFlagUncounted) != 0;

shared Key s_stage[STAGE_SIZE];
shared uint s_overflow; // not 0: a padded bucket is too small
#define NOTE_TAKEN(digit, count, before)                                                  \
    if (UNCOUNTED && count != 0 && before + count > (digit + 1) * control.coarseBucket) { \
        atomicOr(s_overflow, 1);                                                          \
    }

#include "workgroup/scattered_digits.glsl"
#include "workgroup/scattered_keys.glsl"

void count_digits(DigitPosition position, uint tile_count) {
    RANK_IN_BINS(s_digits, digit_of(keys[0], position), digit_of(keys[i], position), tile_count)
}

void main() {
    uint tile = UNCOUNTED ? group_index : group_from_last; // behind the count
    if (tile >= control.rangeTiles[pc.pass]) {
        return;
    }
    RangeTile current;
    uint cursors;
    if (UNCOUNTED) {
        current = RangeTile(0, tile * TILE_SIZE, min(control.count - tile * TILE_SIZE, TILE_SIZE), input_flags());
        cursors = coarse_bucket_word(0);
        if (thread_index == 0) {
            s_overflow = 0;
        }
    } else {
        current = range_tile(pc.pass, tile);
        if ((current.flags & kRangeStays) != 0) {
            return;
        }
        cursors = cursors_word(pc.pass, current.range);
    }
    uint source = slot_of(current.flags);
    DigitPosition position = top_position(position_number(current.flags));
    clear_digits();
    uint element = current.begin + thread_index;
    if (current.count == TILE_SIZE) {
        LOAD_KEYS_OF(keys, source, element + i * WORKGROUP_SIZE)
    } else {
        LOAD_KEYS_OF(keys, source, min(element + i * WORKGROUP_SIZE, current.begin + current.count - 1))
    }
    barrier();
    count_digits(position, current.count);
    place_digits(cursors);
    if (UNCOUNTED && s_overflow != 0) {
        if (thread_index == 0) {
            atomicOr(control.coarseBucketsOverflow, 1);
        }
        return;
    }
    RANK_IN_TILE(s_digits, digit_of(keys[i], position))
    [[unroll]] for (uint round = 0; round < STAGE_ROUNDS; ++round) {
        STAGE_KEYS(round, current.count)
        Key moved[KEYS_PER_ROUND];
        uint destinations[KEYS_PER_ROUND];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i] = s_stage[tile_element(i)];
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            destinations[i] = s_destinations[digit_of(moved[i], position)] + round * STAGE_SIZE + tile_element(i);
        }
        // A loop of its own: were this in the one above, LLVM 19 would abort on CPUs with AVX-512. docs/testing.md tells
        // why, under "Mended defects".
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i] = bits_from_ordered(moved[i]);
        }
        if (source == 2) {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
                if (round * STAGE_SIZE + tile_element(i) < current.count) {
                    keys1[destinations[i]] = moved[i];
                }
            }
        } else {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
                if (round * STAGE_SIZE + tile_element(i) < current.count) {
                    keys2[destinations[i]] = moved[i];
                }
            }
        }
    }
}
