// SPDX-License-Identifier: MIT
//
// The least and the greatest of numbers that the invocations bring, left in s_least and s_greatest.
shared uint s_least;
shared uint s_greatest;

// A barrier must come before add_extremes().
void clear_extremes() {
    if (thread_index == 0) {
        s_least = 0xFFFFFFFFu;
        s_greatest = 0;
    }
}

// All invocations take part. Ends with a barrier.
void add_extremes(uint least, uint greatest) {
#if RANK_MATCH
    // No reductions, see scan_subgroup.glsl; and of prefixes Metal has only sums and products.
    [[unroll]] for (uint distance = SUBGROUP_SIZE / 2; distance > 0; distance /= 2) {
        least = min(least, subgroupShuffleXor(least, distance));
        greatest = max(greatest, subgroupShuffleXor(greatest, distance));
    }
    if (gl_SubgroupInvocationID == 0) {
        atomicMin(s_least, least);
        atomicMax(s_greatest, greatest);
    }
#else
    atomicMin(s_least, least);
    atomicMax(s_greatest, greatest);
#endif
    barrier();
}
