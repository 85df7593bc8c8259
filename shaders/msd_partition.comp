#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd, third step of a level: partitions the tiles of the long ranges, each by its own digit position, stably.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "workgroup/rank.glsl"
#include "workgroup/partition.glsl"

void main() {
    uint tile = group_from_last;
    if (tile >= control.rangeTiles[pc.pass]) {
        return;
    }
    RangeTile run = range_tile(pc.pass, tile);
    if ((run.flags & kRangeStays) != 0) {
        return;
    }
    uint source = slot_of(run.flags);
    PassControl pass = PassControl(1, source, source == 2 ? 1 : 2, kPassFirst | kPassLast, 0);
    DigitPosition position = top_position(place_number(run.flags));
    clear_counts();
    load_tile(pass, run.begin, run.count);
    barrier();
    count_digits(position, run.count);
    rank_keys(position);
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_destinations[own_digit(j)] = state[counts_word(tile) + own_digit(j)] - digit_starts[j];
        }
    }
    stage_first_round();
    prefetch_values(pass, run.begin, run.count);
    barrier();
    scatter_tile(pass, position, run.begin, run.count);
}
