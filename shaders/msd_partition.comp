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
    RangeTile current = range_tile(pc.pass, tile);
    if ((current.flags & kRangeStays) != 0) {
        return;
    }
    uint source = slot_of(current.flags);
    PassControl pass = PassControl(1, source, source == 2 ? 1 : 2, kPassFirst | kPassLast, 0);
    DigitPosition position = top_position(position_number(current.flags));
    clear_counts();
    load_tile(pass, current.begin, current.count);
    barrier();
    count_digits(position, current.count);
    rank_keys(position);
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_destinations[own_digit(j)] = state[counts_word(tile) + own_digit(j)] - digit_starts[j];
        }
    }
    stage_first_round();
    prefetch_values(pass, current.begin, current.count);
    barrier();
    scatter_tile(pass, position, current.begin, current.count);
}
