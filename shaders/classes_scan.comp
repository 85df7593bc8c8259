#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, second step of a level, one workgroup a range: turns the tiles' counts into where their keys go, and hands
// on what the level makes of the range: neighbouring digits that fit a tile together are jobs of the finish, those that
// are still too long are the next level's ranges.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "digits.glsl"
#include "device/size_classes.glsl"
#include "workgroup/scan_shared.glsl"

// Each digit has SHARES invocations, which divide the range's tiles.
const uint SHARES = WORKGROUP_SIZE >= kRadix ? WORKGROUP_SIZE / kRadix : 1;

shared uint s_sums[SHARES * kRadix];
shared uint s_starts[kRadix + 1];
shared uint s_stays;
shared uint s_jobs;     // of this workgroup
shared uint s_first_job;

// The digits that share a job with `digit`, the first of it, end before the result.
uint end_of_run(uint digit) {
    uint window = s_starts[digit] / pc.windowSize;
    uint end = digit + 1;
    while (end < kRadix && s_starts[end] / pc.windowSize == window && s_starts[end + 1] - s_starts[end] <= pc.tileSize) {
        ++end;
    }
    return end;
}

// A digit begins a job if it has keys, but not too many, and no digit before it with keys of its own is in its window.
bool begins_run(uint digit) {
    uint count = s_starts[digit + 1] - s_starts[digit];
    if (count == 0 || count > pc.tileSize) {
        return false;
    }
    uint window = s_starts[digit] / pc.windowSize;
    uint before = digit;
    while (before > 0 && s_starts[before] == s_starts[digit]) {
        --before;
    }
    // `before` is the digit with keys in front of this one, unless there is none.
    uint before_count = s_starts[before + 1] - s_starts[before];
    return s_starts[before] == s_starts[digit] || s_starts[before] / pc.windowSize != window || before_count > pc.tileSize;
}

// Adds the jobs of the range; with `count_only`, only reserves room for them.
void emit_jobs(uint begin, uint digit, uint flags, bool count_only) {
    uint end = end_of_run(digit);
    uint last = end - 1;
    while (s_starts[last] == s_starts[end]) { // the last digit that has keys
        --last;
    }
    bool split = s_starts[end] - s_starts[digit] > pc.tileSize;
    if (count_only) {
        atomicAdd(s_jobs, split ? 2 : 1);
        return;
    }
    uint job = s_first_job + atomicAdd(s_jobs, split ? 2 : 1);
    uint first_end = split ? last : end;
    store_job(job, begin + s_starts[digit], (s_starts[first_end] - s_starts[digit]) | flags);
    if (split) {
        store_job(job + 1, begin + s_starts[last], (s_starts[end] - s_starts[last]) | flags);
    }
}

// Equal keys that are longer than a tile: moved to slot 1 if they are not there.
uint copy_jobs(uint length) {
    return divide_up(length, pc.tileSize);
}

void add_copies(uint begin, uint length) {
    uint jobs = copy_jobs(length);
    uint job = s_first_job + atomicAdd(s_jobs, jobs);
    for (uint i = 0; i < jobs; ++i) {
        uint skipped = i * pc.tileSize;
        store_job(job + i, begin + skipped, min(length - skipped, pc.tileSize) | kJobSlot2 | kJobSorted);
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
    uint tiles = divide_up(length, pc.partitionTile);
    if (thread_index == 0) {
        s_stays = 0;
        s_jobs = 0;
    }

    // Sums of each share.
    uint own_share = thread_index / DIGIT_THREADS;
    uint share_tiles = divide_up(tiles, SHARES);
    uint share_begin = first_tile + min(own_share * share_tiles, tiles);
    uint share_end = first_tile + min((own_share + 1) * share_tiles, tiles);
    uint first_digit = thread_index % DIGIT_THREADS * DIGITS_PER_THREAD;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = first_digit + j;
        uint sum = 0;
        for (uint tile = share_begin; tile < share_end; ++tile) {
            sum += state[counts_word(tile) + digit];
        }
        s_sums[own_share * kRadix + digit] = sum;
    }
    barrier();
    uint own = 0;
    if (own_share == 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            [[unroll]] for (uint share = 0; share < SHARES; ++share) {
                own += s_sums[share * kRadix + first_digit + j];
            }
        }
    }
    uint total;
    uint start = wg_exclusive_add(own, total);
    if (own_share == 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_starts[first_digit + j] = start;
            uint count = 0;
            [[unroll]] for (uint share = 0; share < SHARES; ++share) {
                count += s_sums[share * kRadix + first_digit + j];
            }
            start += count;
            if (count == length) {
                s_stays = 1;
            }
        }
    }
    if (thread_index == 0) {
        s_starts[kRadix] = length;
    }
    barrier();

    bool last_level = pc.pass + 1 == pc.levels;
    bool was_in_slot2 = (flags & kRangeSlot2) != 0;
    if (s_stays != 0) {
        if (thread_index == 0) {
            state[at + 3] = flags | kRangeStays;
            if (!last_level) {
                add_range(pc.pass + 1, begin, length, flags);
            } else if (was_in_slot2) {
                s_first_job = atomicAdd(control.jobs, copy_jobs(length));
                add_copies(begin, length);
                DispatchArgs args = dispatch_args(s_first_job + s_jobs);
                atomicMax(control.jobArgs.x, args.x);
                atomicMax(control.jobArgs.y, args.y);
            }
        }
        return;
    }

    // Where each tile's keys go.
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = first_digit + j;
        uint next = begin + s_starts[digit];
        for (uint share = 0; share < own_share; ++share) {
            next += s_sums[share * kRadix + digit];
        }
        for (uint tile = share_begin; tile < share_end; ++tile) {
            uint count = state[counts_word(tile) + digit];
            state[counts_word(tile) + digit] = next;
            next += count;
        }
    }

    // What comes of the digits, first counted, then written down.
    bool ends_in_slot2 = !was_in_slot2;
    uint job_flags = ends_in_slot2 ? kJobSlot2 : 0;
    [[unroll]] for (uint phase = 0; phase < 2; ++phase) {
        if (own_share == 0) {
            [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
                uint digit = first_digit + j;
                uint count = s_starts[digit + 1] - s_starts[digit];
                uint first = begin + s_starts[digit];
                if (count > pc.tileSize) {
                    if (!last_level) {
                        if (phase == 1) {
                            add_range(pc.pass + 1, first, count, ends_in_slot2 ? kRangeSlot2 : 0);
                        }
                    } else if (ends_in_slot2) {
                        if (phase == 0) {
                            atomicAdd(s_jobs, copy_jobs(count));
                        } else {
                            add_copies(first, count);
                        }
                    }
                } else if (begins_run(digit)) {
                    emit_jobs(begin, digit, job_flags, phase == 0);
                }
            }
        }
        barrier();
        if (phase == 0 && thread_index == 0) {
            s_first_job = atomicAdd(control.jobs, s_jobs);
            DispatchArgs args = dispatch_args(s_first_job + s_jobs);
            atomicMax(control.jobArgs.x, args.x);
            atomicMax(control.jobArgs.y, args.y);
            s_jobs = 0;
        }
        barrier();
    }
}
