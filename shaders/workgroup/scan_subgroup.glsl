// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, in the order of thread_index. One barrier; callers place another
// before the next scan.
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
        before += at < gl_SubgroupID ? s_scan[at] : 0;
    }
    return subgroupAdd(before) + inclusive - value;
}
