#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes and msd, second step of a level, one workgroup a range: turns the counts into where the keys go, and hands
// on what the level makes of the range: neighbouring digits that fit a tile together are jobs of the finish, those that
// are still too long are the next level's ranges.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"
#if RANK_MATCH
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "workgroup/scan_subgroup.glsl"
#else
#include "workgroup/scan_shared.glsl"
#endif

// Each digit has SHARES invocations, which divide the range's tiles.
const uint SHARES = WORKGROUP_SIZE / DIGIT_THREADS;
const uint kTilesAtOnce = 8; // whose counts are asked for together

shared uint s_sums[SHARES * kRadix];
shared uint s_starts[kRadix + 1];
shared uint s_present[kRadix]; // digits that occur
shared uint s_breaks[kRadix];  // those of them, by their place in s_present, that a run of digits begins with
shared uint s_total;
shared uint s_first_job;
shared uint s_stays;

// Exclusive prefix sum that also leaves the sum in s_total. Ends with a barrier.
uint scan(uint value) {
    barrier();
#if RANK_MATCH
    uint before = wg_exclusive_add(value);
#else
    uint total;
    uint before = wg_exclusive_add(value, total);
#endif
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_total = before + value;
    }
    barrier();
    return before;
}

uint digit_count(uint digit) {
    return s_starts[digit + 1] - s_starts[digit];
}

bool is_long(uint digit) {
    return digit_count(digit) > pc.tileSize;
}

// Runs end where a job of even digits has most of a tile.
uint run_of(uint digit) {
    return s_starts[digit] / (pc.tileSize * 7 / 8);
}

// Equal keys that are longer than a tile are moved to slot 1 if they are not there.
uint copy_jobs(uint length) {
    return divide_up(length, pc.tileSize);
}

void store_copies(uint job, uint begin, uint length) {
    for (uint skipped = 0; skipped < length; skipped += pc.tileSize) {
        store_job(job++, begin + skipped, min(length - skipped, pc.tileSize) | kJobSlot2 | kJobSorted);
    }
}

void main() {
    if (group_index >= control.ranges[pc.pass]) {
        return;
    }
    uint at = range_word(pc.pass, group_index);
    uint begin = state[at];
    uint length = state[at + 1];
    uint first_tile = state[at + 2];
    uint flags = state[at + 3];
    uint tiles = has_flag(kFlagCursors) ? 0 : divide_up(length, pc.partitionTile); // whose counts are looked through
    bool last_level = pc.pass + 1 == pc.levels;
    bool was_in_slot2 = (flags & kRangeSlot2) != 0;

    // Sums of each share of the tiles, then where each digit begins.
    uint share = thread_index / DIGIT_THREADS;
    uint share_tiles = divide_up(tiles, SHARES);
    uint share_begin = first_tile + min(share * share_tiles, tiles);
    uint share_end = first_tile + min((share + 1) * share_tiles, tiles);
    uint first_digit = thread_index % DIGIT_THREADS * DIGITS_PER_THREAD;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint sum = 0;
        if (has_flag(kFlagCursors)) {
            sum = share == 0 ? state[cursors_word(pc.pass, group_index) + first_digit + j] : 0;
        }
        for (uint tile = share_begin; tile < share_end; tile += kTilesAtOnce) {
            [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
                uint count = state[counts_word(min(tile + k, share_end - 1)) + first_digit + j];
                sum += tile + k < share_end ? count : 0;
            }
        }
        s_sums[share * kRadix + first_digit + j] = sum;
    }
    if (thread_index == 0) {
        s_stays = 0;
        s_starts[kRadix] = length;
    }
    barrier();
    uint counts[DIGITS_PER_THREAD];
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        counts[j] = 0;
        for (uint k = 0; k < SHARES && share == 0; ++k) {
            counts[j] += s_sums[k * kRadix + first_digit + j];
        }
        own += counts[j];
    }
    uint start = scan(own);
    if (share == 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_starts[first_digit + j] = start;
            start += counts[j];
            if (counts[j] == length) {
                s_stays = 1;
            }
        }
    }
    barrier();

    if (s_stays != 0) {
        if (thread_index == 0) {
            state[at + 3] = flags | kRangeStays;
            if (!last_level) {
                add_range(pc.pass + 1, begin, length, flags);
            } else if (was_in_slot2) {
                store_copies(reserve_jobs(copy_jobs(length)), begin, length);
            }
        }
        return;
    }

    // Where each tile's keys go.
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint next = begin + s_starts[first_digit + j];
        if (has_flag(kFlagCursors) && share == 0) {
            state[cursors_word(pc.pass, group_index) + first_digit + j] = next;
        }
        for (uint k = 0; k < share; ++k) {
            next += s_sums[k * kRadix + first_digit + j];
        }
        for (uint tile = share_begin; tile < share_end; tile += kTilesAtOnce) {
            uint loaded[kTilesAtOnce];
            [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
                loaded[k] = state[counts_word(min(tile + k, share_end - 1)) + first_digit + j];
            }
            [[unroll]] for (uint k = 0; k < kTilesAtOnce; ++k) {
                if (tile + k < share_end) {
                    state[counts_word(tile + k) + first_digit + j] = next;
                    next += loaded[k];
                }
            }
        }
    }

    // The digits that occur, and the runs of them that are handed on together.
    own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        own += counts[j] != 0 ? 1 : 0;
    }
    uint place = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (counts[j] != 0) {
            s_present[place++] = first_digit + j;
        }
    }
    uint present = s_total;
    barrier();
    // One a digit again, so that the order of places is that of invocations.
    bool breaks[DIGITS_PER_THREAD];
    own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint i = first_digit + j;
        breaks[j] = false;
        if (share == 0 && i < present) {
            uint digit = s_present[i];
            uint before = i > 0 ? s_present[i - 1] : 0;
            breaks[j] = i == 0 || is_long(digit) || run_of(digit) != run_of(before); // after a long one, the run is another
        }
        own += breaks[j] ? 1 : 0;
    }
    place = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (breaks[j]) {
            s_breaks[place++] = first_digit + j;
        }
    }
    uint runs = s_total;
    barrier();

    bool ends_in_slot2 = !was_in_slot2;
    uint own_jobs = 0;
    [[unroll]] for (uint phase = 0; phase < 2; ++phase) { // counted, then written down
        uint job = phase == 0 ? 0 : s_first_job + own_jobs;
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint run = first_digit + j;
            if (share == 0 && run < runs) {
                uint end_place = run + 1 < runs ? s_breaks[run + 1] : present;
                uint digit = s_present[s_breaks[run]];
                uint first = s_starts[digit];
                uint end = end_place < present ? s_starts[s_present[end_place]] : length;
                if (is_long(digit)) {
                    if (!last_level) {
                        if (phase == 1) {
                            add_range(pc.pass + 1, begin + first, end - first, ends_in_slot2 ? kRangeSlot2 : 0);
                        }
                    } else if (ends_in_slot2) {
                        if (phase == 1) {
                            store_copies(job, begin + first, end - first);
                        }
                        job += copy_jobs(end - first);
                    }
                } else {
                    uint job_flags = ends_in_slot2 ? kJobSlot2 : 0;
                    uint middle = end - first <= pc.tileSize ? end : s_starts[s_present[end_place - 1]];
                    if (phase == 1) {
                        store_job(job, begin + first, (middle - first) | job_flags);
                        if (middle != end) {
                            store_job(job + 1, begin + middle, (end - middle) | job_flags);
                        }
                    }
                    job += middle != end ? 2 : 1;
                }
            }
        }
        if (phase == 0) {
            own_jobs = scan(job);
            if (thread_index == 0 && s_total != 0) {
                s_first_job = reserve_jobs(s_total);
            }
            barrier();
        }
    }
}
