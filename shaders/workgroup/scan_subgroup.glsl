// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, in the order of thread_index. One barrier; callers place another
// before the next scan.
//
// Subgroup reductions (subgroupAdd, subgroupMin, ...) are used nowhere: NVIDIA's driver 580.159.04 compiles some of them to
// wrong results, depending on the code around them. Prefix operations it gets right.
shared uint s_scan[SUBGROUPS];

uint wg_exclusive_add(uint value) {
    uint inclusive = subgroupInclusiveAdd(value);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_scan[gl_SubgroupID] = inclusive;
    }
    barrier();
    uint before = 0;
    [[unroll]] for (uint i = 0; i < SUBGROUPS; i += SUBGROUP_SIZE) {
        uint at = i + gl_SubgroupInvocationID;
        uint sums = subgroupInclusiveAdd(at < gl_SubgroupID ? s_scan[at] : 0);
        before += subgroupShuffle(sums, SUBGROUP_SIZE - 1);
    }
    return before + inclusive - value;
}
