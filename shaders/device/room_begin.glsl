// SPDX-License-Identifier: MIT
//
// bucket_sort: where a room's keys are to begin, added up by a workgroup. Needs device/buckets.glsl and workgroup/scan_shared.glsl.
uint room_begin(uint room) {
    uint own = 0;
    for (uint i = thread_index; i < room; i += WORKGROUP_SIZE) {
        own += state[room_word(i)];
    }
    uint before;
    wg_exclusive_add(own, before);
    return before;
}
