#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// reduce_scan, third step of a digit position: each workgroup partitions its run of tiles, one after another.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/rank.glsl"
#include "workgroup/partition.glsl"
#include "device/tile_runs.glsl"

void main() {
    if (group_index >= control.groups) {
        return;
    }
    PassControl pass = control.passes[pc.pass];
    DigitPosition position = digit_position(pc.pass);
    uint next[DIGITS_PER_THREAD]; // where the next key of each own digit goes
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            next[j] = state[pc.statusOffset + own_digit(j) * pc.spineGroups + group_index];
        }
    }
    uint end_tile = first_tile_of(group_index + 1);
    for (uint tile = first_tile_of(group_index); tile < end_tile; ++tile) {
        uint base = tile * TILE_SIZE;
        uint tile_count = min(control.count - base, TILE_SIZE);
        clear_counts();
        load_tile(pass, base, tile_count);
        barrier();
        count_digits(position, tile_count);
        rank_keys(position);
        if (owns_digits()) {
            [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
                s_destinations[own_digit(j)] = next[j] - digit_starts[j];
                next[j] += digit_counts[j];
            }
        }
        stage_first_round();
        prefetch_values(pass, base, tile_count);
        barrier();
        scatter_tile(pass, position, base, tile_count);
        barrier();
    }
}
