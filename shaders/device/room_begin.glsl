// SPDX-License-Identifier: MIT
//
// bucket_sort: where a room's keys are to begin, added up by a workgroup. Needs device/buckets.glsl.
//
//   clear_room_begin(), barrier(), note_room_begin(room), barrier(), s_room_begin

shared uint s_room_begin;

void clear_room_begin() {
    if (thread_index == 0) {
        s_room_begin = 0;
    }
}

void note_room_begin(uint room) {
    uint own = 0;
    for (uint i = thread_index; i < room; i += WORKGROUP_SIZE) {
        own += state[room_word(i)];
    }
    if (own != 0) {
        atomicAdd(s_room_begin, own);
    }
}
