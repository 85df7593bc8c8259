#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort in place, where passes take some rooms after the others and a later one's buckets overflow: brings all keys back to slot 1,
// from the rooms, which have them all.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "device/room_begin.glsl"

void main() {
    uint tiles = tiles_of_room();
    uint room = group_index / tiles;
    uint first = group_index % tiles * pc.firstTile;
    if (room >= room_count(control.buckets)) {
        return;
    }
    clear_room_begin();
    barrier();
    note_room_begin(room);
    barrier();
    Scaling scaling = control_scaling();
    uint length = state[room_word(room)];
    uint source = (room << pc.roomBits) * pc.bucketSize;
    for (uint i = first + thread_index; i < min(first + pc.firstTile, length); i += WORKGROUP_SIZE) {
        keys1[s_room_begin + i] = bits_from_ordered(unscaled_key(scaling, keys2[source + i]));
    }
}
