#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd and size_classes, first step of a level: counts the digits of the long ranges. Where the partition need not be stable,
// a workgroup takes a chunk of neighbouring tiles, and only the counts of whole ranges are kept. Otherwise it takes one
// tile, whose counts are kept. Also finds in which digit positions the keys of a range vary, and, at msd's first level,
// whether all keys are in order, if sampled ones are.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#include "subgroup/add_digit.glsl"

shared uint s_bins[kRadix];
shared uint s_varying;

// msd's first level has one range, whose table is not written yet.
bool is_first_level() {
    return has_flag(kFlagOneSegment) && pc.pass == 0;
}

Key first_key; // of the range
Key differing; // bits in which some key differs from it

// Before a range is counted.
void clear_counts() {
    differing = Key(0);
    if (thread_index == 0) {
        s_varying = 0;
    }
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_bins[i] = 0;
    }
    barrier();
}

// Whether no loaded key comes after its successor in the input.
#define ARE_IN_ORDER(in_order, loaded, keys)                                                                            \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                                               \
        Key next = ordered_from_bits(keys[min(min(element + i * WORKGROUP_SIZE, last) + 1, control.count - 1)]);        \
        in_order = in_order && !key_before(next, loaded[i]);                                                            \
    }

void count_tile(RangeTile tile) {
    bool looks_at_order = is_first_level() && control.sampleInOrder != 0;
    bool in_order = true;
    uint last = tile.begin + tile.count - 1;
    DigitPosition position = top_position(position_number(tile.flags));
    uint slot = slot_of(tile.flags);
    for (uint first = 0; first < tile.count; first += TILE_SIZE) {
        Key loaded[KEYS_PER_THREAD]; // asked for together
        bool full = first + TILE_SIZE <= tile.count;
        uint element = tile.begin + first + thread_index;
        if (full) {
            LOAD_KEYS_OF(loaded, slot, element + i * WORKGROUP_SIZE)
        } else {
            LOAD_KEYS_OF(loaded, slot, min(element + i * WORKGROUP_SIZE, last))
        }
        if (looks_at_order && has_flag(kFlagReadsInput)) {
            ARE_IN_ORDER(in_order, loaded, keys0)
        } else if (looks_at_order) {
            ARE_IN_ORDER(in_order, loaded, keys1)
        }
        Key own_differing = Key(0);
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            own_differing |= loaded[i] ^ first_key; // those beyond the end are repeated ones
        }
        differing |= own_differing;
        if (full && sg_none(own_differing != Key(0))) {
            ADD_DIGIT_OF_ALL(s_bins, digit_of(first_key, position), KEYS_PER_THREAD)
        } else if (full && is_hot(digit_of(loaded[0], position))) {
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                ADD_HOT_DIGIT(s_bins, digit_of(loaded[i], position))
            }
        } else if (full) {
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                atomicAdd(s_bins[digit_of(loaded[i], position)], 1);
            }
        } else {
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                if (first + i * WORKGROUP_SIZE + thread_index < tile.count) {
                    atomicAdd(s_bins[digit_of(loaded[i], position)], 1);
                }
            }
        }
    }
    if (!in_order) {
        atomicOr(control.disorder, 1);
    }
    barrier();
}

void write_table(uint begin, uint end) {
    for (uint tile = begin + thread_index; is_first_level() && tile < end; tile += WORKGROUP_SIZE) {
        state[tile_table_word(0, tile)] = 0;
    }
}

// Notes the digit positions in which the counted keys of the range vary. Between two barriers.
void note_varying_positions() {
    uint positions = 0;
    [[unroll]] for (uint number = 0; number < 4 * KEY_WORDS; ++number) {
        positions |= digit_of(differing, top_position(number)) != 0 ? 1u << number : 0;
    }
    if (positions != 0) {
        atomicOr(s_varying, positions);
    }
}

// After the second barrier.
void hand_on_varying_positions(uint range) {
    if (thread_index == 0 && s_varying != 0) {
        atomicOr(state[range_word(pc.pass, range) + 4], s_varying);
    }
}

Key key_in_slot(uint slot, uint i) {
    return has_flag(kFlagReadsInput) && slot == 0 ? load_input_key(i) : load_slot_key(slot, i);
}

// As range_tile() of msd.glsl, for a range that is known or stands in the table; not a function, for the same reason.
#define LOOK_UP_TILE(tile, current)                                                                                     \
    {                                                                                                                   \
        uint range = is_first_level() ? 0 : state[tile_table_word(pc.pass, tile)];                                      \
        uint at = range_word(pc.pass, range);                                                                           \
        uint skipped = (tile - state[at + 2]) * pc.partitionTile;                                                       \
        current = RangeTile(range, state[at] + skipped, min(state[at + 1] - skipped, pc.partitionTile), state[at + 3]); \
        first_key = key_in_slot(slot_of(current.flags), state[at]);                                                     \
    }

void main() {
    uint tiles = control.rangeTiles[pc.pass];
    uint groups = has_flag(kFlagCursors) ? min(tiles, pc.countGroups) : tiles;
    if (group_index >= groups) {
        return;
    }
    RangeTile current;
    if (!has_flag(kFlagCursors)) {
        write_table(group_index, group_index + 1);
        clear_counts();
        LOOK_UP_TILE(group_index, current)
        count_tile(current);
        note_varying_positions();
        for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
            state[counts_word(group_index) + i] = s_bins[i];
        }
        if (control.rangeGroups[pc.pass] > 1) {
            uint first_tile = state[range_word(pc.pass, current.range) + 2];
            uint each = chunk_tiles(tiles);
            uint chunk = chunk_word(pc.pass,
                chunks_before(current.range, first_tile, each) + (group_index - first_tile) / each);
            for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
                if (s_bins[i] != 0) {
                    atomicAdd(state[chunk + i], s_bins[i]);
                }
            }
        }
        barrier();
        hand_on_varying_positions(current.range);
        return;
    }
    // The second level's counts, which these workgroups clear sooner than the one that scans the first level.
    uint next_words = min(kRadix, pc.maxRanges) * kRadix;
    for (uint i = group_index * WORKGROUP_SIZE + thread_index; is_first_level() &&
            i < next_words; i += groups * WORKGROUP_SIZE) {
        state[cursors_word(1, 0) + i] = 0;
    }
    if (is_first_level() && fits_coarse_buckets()) {
        return;
    }
    uint tile = group_index * (tiles / groups) + min(group_index, tiles % groups);
    uint end = tile + tiles / groups + (group_index < tiles % groups ? 1 : 0);
    write_table(tile, end);
    LOOK_UP_TILE(tile, current)
    while (tile < end) {
        uint counted = current.range;
        clear_counts();
        while (tile < end && current.range == counted) {
            count_tile(current);
            ++tile;
            if (tile < end) {
                LOOK_UP_TILE(tile, current)
            }
        }
        note_varying_positions();
        for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
            if (s_bins[i] != 0) {
                atomicAdd(state[cursors_word(pc.pass, counted) + i], s_bins[i]);
            }
        }
        barrier();
        hand_on_varying_positions(counted);
    }
}
