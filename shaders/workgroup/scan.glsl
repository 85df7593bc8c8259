// SPDX-License-Identifier: MIT
//
// Exclusive prefix sum of one number an invocation, in the order of thread_index. One barrier; callers place another
// before the next scan.
//
// By shuffles: NVIDIA's driver 580.159.04 makes slower code of subgroupInclusiveAdd, by 2 to 5 % of most sorts
// (small-1 in docs/log/small-sorts.md). SCAN_BY_PREFIX 1: by that all the same, as it takes fewer registers.
//
// Subgroup reductions (subgroupAdd, subgroupMin, ...) are used nowhere: that driver compiles some of them to
// wrong results, depending on the code around them. Prefix operations it gets right.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require

shared uint s_scan[SUBGROUPS];

#ifndef SCAN_BY_PREFIX
#define SCAN_BY_PREFIX 0
#endif

uint subgroup_inclusive_add(uint value) {
#if SCAN_BY_PREFIX
    return subgroupInclusiveAdd(value);
#else
    [[unroll]] for (uint distance = 1; distance < SUBGROUP_SIZE; distance *= 2) {
        uint other = subgroupShuffle(value, gl_SubgroupInvocationID - distance); // undefined where there is none
        value += gl_SubgroupInvocationID >= distance ? other : 0;
    }
    return value;
#endif
}

uint wg_exclusive_add(uint value) {
    uint inclusive = subgroup_inclusive_add(value);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_scan[gl_SubgroupID] = inclusive;
    }
    barrier();
    uint before = 0;
    [[unroll]] for (uint i = 0; i < SUBGROUPS; i += SUBGROUP_SIZE) {
        uint at = i + gl_SubgroupInvocationID;
        before += at < gl_SubgroupID ? s_scan[at] : 0;
    }
#if SCAN_BY_PREFIX
    before = subgroupShuffle(subgroupInclusiveAdd(before), SUBGROUP_SIZE - 1);
#else
    [[unroll]] for (uint distance = SUBGROUP_SIZE / 2; distance > 0; distance /= 2) {
        before += subgroupShuffleXor(before, distance);
    }
#endif
    return before + inclusive - value;
}
