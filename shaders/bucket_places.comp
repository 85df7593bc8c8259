#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort by two levels, before the buckets are sorted, one workgroup a room: adds up where each of the room's buckets is to begin.
// (With one level each bucket adds up what is before it.)
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/room_begin.glsl"

const uint BUCKETS_PER_THREAD = (BUCKETS + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

void main() {
    uint room = first_room() + group_index;
    if (room >= end_room() || control.overflow != 0) {
        return;
    }
    clear_room_begin();
    uint first = (room << pc.roomBits) + thread_index * BUCKETS_PER_THREAD;
    uint end = min((room + 1) << pc.roomBits, control.buckets);
    uint counts[BUCKETS_PER_THREAD];
    uint own = 0;
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        counts[j] = first + j < end ? state[bucket_word(first + j)] : 0;
        own += counts[j];
    }
    barrier();
    note_room_begin(room);
    uint place = wg_exclusive_add(own); // with a barrier for what has been noted
    place += s_room_begin;
    [[unroll]] for (uint j = 0; j < BUCKETS_PER_THREAD; ++j) {
        if (first + j < end) {
            state[begin_word(first + j)] = place;
        }
        place += counts[j];
    }
}
