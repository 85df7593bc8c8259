#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd, one workgroup a block of head flags: makes jobs of the segments that begin in it. One invocation goes from the end of
// one job to the end of the next, which is the last head that a tile of the finish reaches. The first and the last heads of
// the block's spans of words say where in the head flags to look. A segment that no tile holds is a range for the partition.
// A segment that only the large finish's tile holds is a large job, together with those behind it that fit.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "device/head_spans.glsl"

shared uint s_first[WORKGROUP_SIZE]; // first head of each span, kNoHead where there is none
shared uint s_last[WORKGROUP_SIZE];  // last head of each span
shared uint s_headed[WORKGROUP_SIZE]; // bit i: word i of the span has heads
shared uint s_next; // first head after the block

// The pieces that become jobs and ranges, one after another: where the first one begins, and the ends of all. Two for each
// span are enough: pieces that ended only at the first and last heads of spans would be two a span, and pieces that end as
// late as possible are no more than these.
shared uint s_ends[2 * WORKGROUP_SIZE + 1];
shared uint s_pieces;
shared uint s_jobs;
shared uint s_large_jobs;
shared uint s_first_job;
shared uint s_first_large_job;
// Long segments, which have to be partitioned: first element, length, and first entry of the tile table.
const uint kMostLong = WORKGROUP_SIZE; // segments that do not fit a tile begin with the last heads of spans
shared uvec2 s_long[kMostLong];
shared uint s_long_tile[kMostLong];
shared uint s_long_count;
shared uint s_tiles;
shared uint s_first_range;
shared uint s_first_tile;

void find_heads(uint words) {
    uint first = kNoHead;
    uint last = kNoHead;
    uint headed = 0;
    [[unroll]] for (uint i = 0; i < SPAN_WORDS; ++i) {
        uint w = group_index * BLOCK_WORDS + thread_index * SPAN_WORDS + i;
        uint heads = w < words ? heads_in(w) : 0;
        first = min(first, heads != 0 ? 32 * w + findLSB(heads) : kNoHead);
        last = heads != 0 ? 32 * w + findMSB(heads) : last;
        headed |= heads != 0 ? 1u << i : 0;
    }
    s_first[thread_index] = first;
    s_last[thread_index] = last;
    s_headed[thread_index] = headed;
}

// The last head up to `most`, which is not before the block's first one.
uint last_head(uint most) {
    if (s_next <= most) {
        return s_next;
    }
    uint span = min((most / 32 - group_index * BLOCK_WORDS) / SPAN_WORDS, WORKGROUP_SIZE - 1);
    while (s_first[span] > most) { // also true of a span without heads
        --span;
    }
    if (s_last[span] <= most) {
        return s_last[span];
    }
    uint begin = group_index * BLOCK_WORDS + span * SPAN_WORDS;
    uint headed = s_headed[span] & (0xFFFFFFFFu >> (31 - (most / 32 - begin)));
    uint heads = 0;
    uint w;
    while (heads == 0) { // the heads in the word of `most` may all be beyond it
        w = findMSB(headed);
        headed ^= 1u << w;
        w += begin;
        heads = heads_in(w) & (w == most / 32 ? 0xFFFFFFFFu >> (31 - most % 32) : 0xFFFFFFFFu);
    }
    return 32 * w + findMSB(heads);
}

// The first head behind the span of `head`, which is the last head of its span.
uint next_head(uint head) {
    uint span = (head / 32 - group_index * BLOCK_WORDS) / SPAN_WORDS + 1;
    while (span < WORKGROUP_SIZE && s_first[span] == kNoHead) {
        ++span;
    }
    return span < WORKGROUP_SIZE ? s_first[span] : s_next;
}

bool is_job(uint length) {
    return length <= pc.tileSize;
}

bool is_large_job(uint length) {
    return !is_job(length) && length <= LARGE_TILE;
}

void cut_pieces(uint begin) {
    s_ends[0] = begin;
    uint pieces = 0;
    uint jobs = 0;
    uint large_jobs = 0;
    while (begin != s_next) {
        uint end = last_head(begin + pc.tileSize);
        if (end == begin && LARGE_TILE != 0) {
            end = last_head(begin + LARGE_TILE);
        }
        if (end == begin) {
            end = next_head(begin);
        }
        jobs += is_job(end - begin) ? 1 : 0;
        large_jobs += is_large_job(end - begin) ? 1 : 0;
        s_ends[++pieces] = end;
        begin = end;
    }
    s_pieces = pieces;
    s_first_job = jobs != 0 ? reserve_jobs(jobs) : 0;
    s_first_large_job = large_jobs != 0 ? reserve_large_jobs(large_jobs) : 0;
}

void hand_on(uint begin, uint length) {
    if (is_job(length)) {
        store_job(s_first_job + atomicAdd(s_jobs, 1), begin, length | kJobHeads | input_flags(), 0);
    } else if (is_large_job(length)) {
        store_job(large_job(s_first_large_job + atomicAdd(s_large_jobs, 1)), begin, length | kJobHeads | input_flags(), 0);
    } else {
        uint i = atomicAdd(s_long_count, 1);
        s_long[i] = uvec2(begin, length);
        s_long_tile[i] = atomicAdd(s_tiles, divide_up(length, pc.partitionTile));
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
            store_range(0, range, s_long[i].x, s_long[i].y, first_tile, input_flags(), 0);
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
    uint words = divide_up(control.count, 32);
    uint blocks = divide_up(words, BLOCK_WORDS);
    if (group_index >= blocks) {
        return;
    }
    uint begin = state[block_word(group_index)];
    if (begin == kNoHead) {
        return;
    }
    if (thread_index == 0) {
        s_next = kNoHead;
        s_jobs = 0;
        s_large_jobs = 0;
        s_long_count = 0;
        s_tiles = 0;
    }
    find_heads(words);
    barrier();
    for (uint block = group_index + 1; block < blocks; block += WORKGROUP_SIZE) {
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
        s_next = min(s_next, control.count);
        cut_pieces(begin);
    }
    barrier();
    for (uint i = thread_index; i < s_pieces; i += WORKGROUP_SIZE) {
        hand_on(s_ends[i], s_ends[i + 1] - s_ends[i]);
    }
    barrier();
    hand_on_long();
}
