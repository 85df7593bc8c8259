#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, one workgroup a block of windows: makes jobs of the segments that begin in it. A run of windows after
// another, neighbouring segments are joined as long as they fit the finish's tile; a segment that does not fit one
// is a range for the partition. What a window's segments are, is known of the last one only: the others go together.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"

// Windows an invocation goes through, one after another: four tiles, so that few jobs are cut short by a run's end.
const uint kRun = 32;

shared uint s_first[WORKGROUP_SIZE];
shared uint s_last[WORKGROUP_SIZE];
shared uint s_next; // first head after the block
shared uint s_jobs;
shared uint s_first_job;
// What has to be partitioned: where it begins, its elements, and its place in the tile table.
const uint kMostLong = WORKGROUP_SIZE; // the segments that end in a block and do not fit a tile are fewer than its windows
shared uvec2 s_long[kMostLong];
shared uint s_long_tile[kMostLong];
shared uint s_long_count;
shared uint s_tiles;
shared uint s_first_range;
shared uint s_first_tile;

// The job that grows: elements job_begin to job_end; empty if they are the same.
uint job_begin;
uint job_end;
bool emits; // otherwise jobs are counted only

void close_job() {
    if (job_begin != job_end) {
        uint job = atomicAdd(s_jobs, 1);
        if (emits) {
            store_job(s_first_job + job, job_begin, (job_end - job_begin) | kJobHeads, 0);
        }
    }
    job_begin = job_end;
}

// Takes segments that must stay together, from job_end up to `end`.
void add_piece(uint end) {
    if (end - job_begin > pc.tileSize) {
        close_job();
        if (end - job_begin > pc.tileSize) {
            if (emits) {
                uint i = atomicAdd(s_long_count, 1);
                s_long[i] = uvec2(job_begin, end - job_begin);
                s_long_tile[i] = atomicAdd(s_tiles, divide_up(end - job_begin, pc.partitionTile));
            }
            job_begin = end;
        }
    }
    job_end = end;
}

void make_jobs() {
    uint begin = thread_index * kRun;
    bool any = false;
    uint last_head = kNoHead;
    for (uint window = begin; window < begin + kRun; ++window) {
        if (s_first[window] != kNoHead) {
            if (any) {
                add_piece(last_head);
                add_piece(s_first[window]);
            } else {
                job_begin = s_first[window];
                job_end = job_begin;
            }
            any = true;
            last_head = s_last[window];
        }
    }
    if (any) {
        uint next = kNoHead;
        for (uint window = begin + kRun; window < WORKGROUP_SIZE && next == kNoHead; ++window) {
            next = s_first[window];
        }
        add_piece(last_head);
        add_piece(next == kNoHead ? s_next : next);
        close_job();
    }
}

// Makes ranges of the first level. One after another, since few are long, but each by all invocations.
void hand_on_long() {
    if (thread_index == 0 && s_long_count != 0) {
        s_first_range = reserve_ranges(0, s_long_count, s_tiles, s_first_tile);
    }
    barrier();
    for (uint i = 0; i < s_long_count; ++i) {
        uint range = s_first_range + i;
        uint first_tile = s_first_tile + s_long_tile[i];
        if (thread_index == 0) {
            store_range(0, range, s_long[i].x, s_long[i].y, first_tile, 0);
        }
        for (uint tile = thread_index; tile < divide_up(s_long[i].y, pc.partitionTile); tile += WORKGROUP_SIZE) {
            state[tile_table_word(0, first_tile + tile)] = range;
        }
        for (uint digit = thread_index; digit < kRadix && has_flag(kFlagCursors); digit += WORKGROUP_SIZE) {
            state[cursors_word(0, range) + digit] = 0;
        }
    }
}

void main() {
    uint windows = divide_up(control.count, pc.windowSize);
    uint blocks = divide_up(windows, WORKGROUP_SIZE);
    if (group_index >= blocks) {
        return;
    }
    uint window = group_index * WORKGROUP_SIZE + thread_index;
    s_first[thread_index] = window < windows ? state[window_word(window)] : kNoHead;
    s_last[thread_index] = window < windows ? state[window_word(window) + 1] : kNoHead;
    bool any = state[block_word(group_index)] != kNoHead;
    if (thread_index == 0) {
        s_next = kNoHead;
        s_jobs = 0;
        s_long_count = 0;
        s_tiles = 0;
    }
    barrier();
    for (uint block = group_index + 1; any && block < blocks; block += WORKGROUP_SIZE) {
        if (block + thread_index < blocks) {
            atomicMin(s_next, state[block_word(block + thread_index)]);
        }
        barrier();
        bool found = s_next != kNoHead;
        barrier();
        if (found) {
            break;
        }
    }
    if (thread_index == 0) {
        s_next = s_next == kNoHead ? control.count : s_next;
    }
    barrier();
    emits = false;
    if (thread_index < WORKGROUP_SIZE / kRun) {
        make_jobs();
    }
    barrier();
    if (thread_index == 0) {
        s_first_job = reserve_jobs(s_jobs);
        s_jobs = 0;
    }
    barrier();
    emits = true;
    if (thread_index < WORKGROUP_SIZE / kRun) {
        make_jobs();
    }
    barrier();
    hand_on_long();
}
