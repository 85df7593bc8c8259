#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd and size_classes, second step of a level, one workgroup a range: turns the counts into where the keys go, and hands on
// what the level makes of the range: neighbouring digits that fit a tile together are jobs of the finish, longer ones that
// fit its tile of the large finish, if there is one, and those that are still too long are the next level's ranges.
//
// A range of many tiles would take one workgroup too long. Where range_groups() says so, a range has a workgroup for each
// chunk of its tiles. That workgroup writes where the chunk's keys go, by the counts of the chunks before, which the count
// has added up. The workgroup of the first chunk does the rest.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "workgroup/scan.glsl"
#include "device/hand_on_ranges.glsl"
#include "device/hand_on_digits.glsl"

// Each digit has SHARES invocations, which divide the rows of counts.
const uint SHARES = WORKGROUP_SIZE / DIGIT_THREADS;
const uint kRowsAtOnce = 8; // asked for together

shared uint s_sums[SHARES * kRadix];
shared uint s_whole[kRadix];  // counts of the range, where several workgroups have it
shared uint s_before[kRadix]; // counts of the chunks before this workgroup's

// Which rows of counts, a tile's each, the invocation adds up, and which digits in them.
struct Share {
    uint number;
    uint first_digit;
    uint first_row; // word where the rows of all shares begin
    uint begin;     // first row of this share
    uint end;       // row behind its last one
};

Share own_share(uint first_row, uint rows) {
    uint number = thread_index / DIGIT_THREADS;
    uint share_rows = divide_up(rows, SHARES);
    return Share(number, thread_index % DIGIT_THREADS * DIGITS_PER_THREAD, first_row, min(number * share_rows, rows),
                 min((number + 1) * share_rows, rows));
}

// Clears what add_chunks() adds to. Ends with a barrier.
void clear_sums() {
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_whole[i] = 0;
        s_before[i] = 0;
    }
    barrier();
}

// Leaves the sums of each share's rows in s_sums. A barrier must follow.
void sum_rows(Share share, uint range) {
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint sum = 0;
        if (has_flag(kFlagCursors)) {
            sum = share.number == 0 ? state[cursors_word(pc.pass, range) + share.first_digit + j] : 0;
        }
        for (uint row = share.begin; row < share.end; row += kRowsAtOnce) {
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                uint count = state[share.first_row + min(row + k, share.end - 1) * kRadix + share.first_digit + j];
                sum += row + k < share.end ? count : 0;
            }
        }
        s_sums[share.number * kRadix + share.first_digit + j] = sum;
    }
}

// Adds to s_whole the counts of all of a range's chunks, the first of which is chunk `level_chunk` of the level, and to
// s_before the counts of those before this workgroup's.
void add_chunks(uint level_chunk, uint chunks, uint own_chunk, uint share) {
    uint share_chunks = divide_up(chunks, SHARES);
    uint begin = min(share * share_chunks, chunks);
    uint end = min(begin + share_chunks, chunks);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = thread_index % DIGIT_THREADS * DIGITS_PER_THREAD + j;
        uint whole = 0;
        uint before = 0;
        for (uint chunk = begin; chunk < end; chunk += kRowsAtOnce) {
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                uint count = state[chunk_word(pc.pass, level_chunk + min(chunk + k, end - 1)) + digit];
                whole += chunk + k < end ? count : 0;
                before += chunk + k < min(end, own_chunk) ? count : 0;
            }
        }
        atomicAdd(s_whole[digit], whole);
        atomicAdd(s_before[digit], before);
    }
}

// Leaves in s_starts where each digit begins in the range, which has `groups` workgroups, and in `counts` how often the
// invocation's digits occur. Ends with a barrier.
void find_starts(Share share, uint groups, out uint counts[DIGITS_PER_THREAD]) {
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        counts[j] = groups > 1 && share.number == 0 ? s_whole[share.first_digit + j] : 0;
        for (uint k = 0; k < SHARES && share.number == 0 && groups == 1; ++k) {
            counts[j] += s_sums[k * kRadix + share.first_digit + j];
        }
        own += counts[j];
    }
    uint start = scan(own);
    if (share.number == 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_starts[share.first_digit + j] = start;
            start += counts[j];
        }
    }
    barrier();
}

// Replaces each row of counts, or the range's cursors, by where the row's keys of each digit go.
void place_rows(Share share, uint range, uint begin) {
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint next = begin + s_starts[share.first_digit + j] + s_before[share.first_digit + j];
        if (has_flag(kFlagCursors) && share.number == 0) {
            state[cursors_word(pc.pass, range) + share.first_digit + j] = next;
        }
        for (uint k = 0; k < share.number; ++k) {
            next += s_sums[k * kRadix + share.first_digit + j];
        }
        for (uint row = share.begin; row < share.end; row += kRowsAtOnce) {
            uint loaded[kRowsAtOnce + kOwnArrayType];
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                loaded[k] = state[share.first_row + min(row + k, share.end - 1) * kRadix + share.first_digit + j];
            }
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                if (row + k < share.end) {
                    state[share.first_row + (row + k) * kRadix + share.first_digit + j] = next;
                    next += loaded[k];
                }
            }
        }
    }
}

// The first digit position in which keys differ.
uint first_position(uint differing) {
    return differing == 0 ? kSorted : findLSB(differing);
}

// Hands on a range that is not to be partitioned by its digit position: it stays where it is, and is a range of the next
// level by another one. Its words begin at `at`.
void hand_on_staying(uint at, uint begin, uint length, uint flags, uint differing) {
    note_whole(length);
    if (thread_index == 0) { // all have read the flags
        state[at + 3] = flags | kRangeStays;
    }
    hand_on_long(begin, 1, first_position(differing), flags & (kInSlot2 | kInInput));
}

void main() {
    uint groups = control.rangeGroups[pc.pass];
    uint range = group_index / groups;
    uint chunk = group_index % groups;
    if (range >= control.ranges[pc.pass]) {
        return;
    }
    if (has_flag(kFlagOneSegment) && pc.pass == 0 && control.disorder == 0) { // in order
        note_whole(control.count);
        hand_on_long(0, chunk == 0 ? 1 : 0, kSorted, input_flags());
        return;
    }
    if (has_flag(kFlagOneSegment) && pc.pass == 0 && fits_coarse_buckets()) {
        hand_on_coarse_buckets();
        return;
    }
    uint at = range_word(pc.pass, range);
    uint differing = state[at + 4] & kRangeVarying;
    uint position = position_number(state[at + 4]);
    // Either the keys agree at the range's position, or they differ in one before it, which a sample has not shown.
    bool stays = first_position(differing) != position;
    if (chunk > 0 && stays) {
        return; // the workgroup of the first chunk may write the flags
    }
    uint begin = state[at];
    uint length = state[at + 1];
    uint first_tile = state[at + 2];
    uint flags = state[at + 3];
    uint tiles = divide_up(length, pc.partitionTile);
    uint each = groups > 1 ? chunk_tiles(control.rangeTiles[pc.pass]) : tiles;
    uint chunks = divide_up(tiles, each);
    if (chunk >= chunks) {
        return;
    }
    // Rows of counts, of a tile each, to look through.
    uint rows = has_flag(kFlagCursors) ? 0 : min(tiles - chunk * each, each);
    uint first_row = counts_word(first_tile + chunk * each);
    if ((flags & kRangeCoarseBucket) != 0) {
        begin = state[coarse_bucket_word(range)];
    } else if (stays) {
        hand_on_staying(at, begin, length, flags, differing);
        return;
    }
    if (thread_index == 0) {
        RAISE_DISPATCH(args.rangePartitions[pc.pass], first_tile + tiles)
    }

    clear_sums();
    Share share = own_share(first_row, rows);
    sum_rows(share, range);
    if (groups > 1) {
        add_chunks(chunks_before(range, first_tile, each), chunks, chunk, share.number);
    }
    if (thread_index == 0) {
        s_starts[kRadix] = length;
    }
    barrier();
    uint counts[DIGITS_PER_THREAD];
    find_starts(share, groups, counts);
    place_rows(share, range, begin);
    if (chunk > 0) {
        return;
    }
    uint end_slot = kInSlot2 - (flags & kInSlot2);
    uint next_position = first_position(differing & kRangeVarying << (position + 1));
    if (next_position == kSorted) { // as soon as it is partitioned
        note_whole(length);
        hand_on_long(begin, 1, kSorted, end_slot);
        return;
    }
    uint present = list_digits(counts, share.first_digit);
    uint runs = find_digit_runs(present, length, share.first_digit, share.number == 0);
    hand_on_digit_runs(begin, length, present, runs, share.first_digit, share.number == 0, position, next_position,
                       end_slot);
}
