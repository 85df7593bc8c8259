// SPDX-License-Identifier: MIT
//
// For a kernel that one workgroup executes once, which takes as long as its instructions take to arrive: 6 of the 14 µs of
// bucket_sort's setup on an NVIDIA H100 where the second-level cache has none of them. So further workgroups, if there are
// any, execute one stage of the code each, only to have it fetched, while the first workgroup executes all stages. The
// further ones write only shared memory, and each stage must define by itself what it reads there.

// Whether this workgroup executes a stage of the code; stages are numbered from 1 on.
bool executes_stage(uint stage) {
    return group_index == 0 || group_index == stage;
}
