// SPDX-License-Identifier: MIT
//
// Exclusive prefix sums of two numbers an invocation, and the sums of all, as scan.glsl has of one: at the cost of one,
// which is mostly latency. One barrier; callers place another before the next such scan.
shared uvec2 s_scan_pair[SUBGROUPS];

uvec2 subgroup_inclusive_add(uvec2 value) {
    return uvec2(subgroup_inclusive_add(value.x), subgroup_inclusive_add(value.y));
}

uvec2 wg_exclusive_add(uvec2 value, out uvec2 total) {
    uvec2 inclusive = subgroup_inclusive_add(value);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_scan_pair[gl_SubgroupID] = inclusive;
    }
    barrier();
    total = uvec2(0);
    uvec2 before = uvec2(0);
    [[unroll]] for (uint i = 0; i < SUBGROUPS; i += SUBGROUP_SIZE) {
        uint at = i + gl_SubgroupInvocationID;
        uvec2 own = s_scan_pair[min(at, SUBGROUPS - 1)];
        own = at < SUBGROUPS ? own : uvec2(0);
        uvec2 sums = subgroup_inclusive_add(own);
        uvec2 here = subgroupShuffle(sums - own, (gl_SubgroupID - i) % SUBGROUP_SIZE);
        before = gl_SubgroupID >= i ? total + here : before;
        total += subgroupShuffle(sums, SUBGROUP_SIZE - 1);
    }
    return before + inclusive - value;
}
