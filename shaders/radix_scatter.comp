#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// onesweep's lowest digit position where keys without values are sorted by all their bits. No order of the keys has to be
// kept yet, and equal keys cannot be told apart: an atomic addition in shared memory ranks each key of a tile, one in global
// memory takes the tile's slots of a digit, and no tile waits for another. After Stehle and Jacobsen, "A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
#include "config.glsl"
#extension GL_KHR_shader_subgroup_ballot : require
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "subgroup/hot_digit.glsl"

shared Key s_stage[STAGE_SIZE];

#include "workgroup/scattered_keys.glsl"
#include "workgroup/scattered_digits.glsl"

// In s_digits; leaves which of its digit each key is. A barrier must follow.
void count_digits(DigitPosition position, uint tile_count) {
    if (tile_count < TILE_SIZE) {
        RANK_SOME_BY_ADDING(s_digits, digit_of(keys[i], position), tile_count)
        return;
    }
    uint hot = hot_digit(digit_of(keys[0], position));
    if (hot < kRadix) {
        uint hot_count = 0;
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint digit = digit_of(keys[i], position);
            uvec4 peers = subgroupBallot(digit == hot);
            uint rank = hot_count + subgroupBallotExclusiveBitCount(peers);
            bool alone = digit != hot;
            uint found = atomicAdd(s_digits[alone ? digit : gl_SubgroupInvocationID], alone ? 1 : 0);
            set_rank(i, alone ? found : rank);
            hot_count += subgroupBallotBitCount(peers);
        }
        uint before = 0; // by other subgroups
        if (gl_SubgroupInvocationID == 0) {
            before = atomicAdd(s_digits[hot], hot_count);
        }
        before = subgroupBroadcast(before, 0);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            rank_pairs[i / 2] += digit_of(keys[i], position) == hot ? before << (i % 2 * 16) : 0;
        }
        return;
    }
    RANK_BY_ADDING(s_digits, digit_of(keys[i], position))
}

void main() {
    PassControl pass = control.passes[pc.pass];
    uint base = group_from_last * TILE_SIZE;
    uint count = control.count;
    if (pass.enabled == 0 || base >= count) {
        return;
    }
    uint tile_count = min(count - base, TILE_SIZE);
    DigitPosition position = digit_position(0);
    clear_digits();
    // This is the first pass that is needed: its keys are the caller's.
    LOAD_CALLERS_KEYS(base, tile_count)
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = ordered_from_bits(keys[i]);
    }
    barrier();
    count_digits(position, tile_count);
    barrier();
    place_digits(pc.binsOffset);
    RANK_IN_TILE(s_digits, digit_of(keys[i], position))
    bool last = (pass.flags & kPassLast) != 0;
    bool to_slot1 = pass.destination == 1;
    [[unroll]] for (uint round = 0; round < STAGE_ROUNDS; ++round) {
        STAGE_KEYS(round, tile_count)
        Key moved[KEYS_PER_ROUND];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i] = s_stage[tile_element(i)];
        }
        // Nothing waits for stores. A loop for either slot would take NVIDIA's compiler 93 registers, and not 62.
        KEY_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            uint slot = round * STAGE_SIZE + tile_element(i);
            uint destination = s_destinations[digit_of(moved[i], position)] + slot;
            Key key = last ? bits_from_ordered(moved[i]) : moved[i];
            if (slot < tile_count) {
                if (to_slot1) {
                    keys1[destination] = key;
                } else {
                    keys2[destination] = key;
                }
            }
        }
    }
}
