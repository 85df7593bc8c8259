// SPDX-License-Identifier: MIT
//
// merge_path() by several invocations: SEARCHERS neighbours read a probe each at once, so that a step leaves one of
// SEARCHERS + 1 intervals. In the first step the probes are about where lists of uniform keys would be divided, within the
// deviation that chance causes. Reads wait for each other only from step to step. Needs merge_lists.glsl, SEARCHERS,
// SEARCH_GROUPS, of which the workgroup has as many at least, and SEARCH_SHARED, a shared array of 3 * SEARCH_GROUPS + 3
// words that is free.

// The search interval of a step, and the probes in it.
struct SearchProbes {
    uint low, high; // [low, high)
    uint first;     // first step: the first probe
    uint distance;  // first step: from probe to probe; 0 afterwards
};

uint search_probe(SearchProbes probes, uint searcher) {
    if (probes.distance != 0) {
        return clamp(probes.first + probes.distance * searcher, probes.low, probes.high - 1);
    }
    uint step = (probes.high - probes.low) / (SEARCHERS + 1);
    uint rest = (probes.high - probes.low) % (SEARCHERS + 1);
    return probes.low + step * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1);
}

// Probes over eight standard deviations about where lists of uniform keys would be divided. A probe beyond the interval is
// moved into it.
SearchProbes uniform_indices(Lists lists, uint diagonal, uint low, uint high) {
    float share = float(diagonal) / float(max(length_of(lists), 1));
    float deviation = 0.5 * sqrt(float(diagonal) * (1.0 - min(share, 1.0)));
    uint distance = uint(deviation * (8.0 / float(SEARCHERS))) + 1;
    uint proportional = uint(float(lists.a_end - lists.a_begin) * share);
    uint before = distance * (SEARCHERS / 2);
    return SearchProbes(low, high, proportional > before ? proportional - before : 0, distance);
}

// How many of the first `diagonal` elements of merge(A, B) come from A, known to be in [low, high], of lists of which A or B
// has `longest` elements at most. The whole workgroup takes part, groups without a question with low == high.
uint search_together(uint slot, Lists lists, uint diagonal, uint low, uint high, uint longest) {
    uint searcher = thread_index % SEARCHERS;
    uint group = min(thread_index / SEARCHERS, SEARCH_GROUPS - 1);
    // SEARCH_SHARED has how many of each group's probes come from A, and whether any group still searches. It has these for
    // three steps, so that one barrier a step is enough.
    uint counts = 3 * group;
    const uint busy = 3 * SEARCH_GROUPS;
    uint step = 0;
    bool leads = searcher == 0 && thread_index < SEARCHERS * SEARCH_GROUPS;
    if (leads) {
        SEARCH_SHARED[counts] = 0;
    }
    if (thread_index == 0) {
        SEARCH_SHARED[busy] = 0;
    }
    barrier();
    SearchProbes probes = uniform_indices(lists, diagonal, low, high);
    // Bounds the number of steps after the first, whatever a comparator answers.
    for (uint most = longest; most > 0;) {
        uint next = step == 2 ? 0 : step + 1;
        if (leads) {
            SEARCH_SHARED[counts + next] = 0;
        }
        if (thread_index == 0) {
            SEARCH_SHARED[busy + next] = 0;
        }
        bool asks = probes.low < probes.high;
        if (asks) {
            if (leads) { // for the group
                atomicOr(SEARCH_SHARED[busy + step], 1);
            }
            if (comes_from_a(slot, lists, diagonal, search_probe(probes, searcher))) {
                atomicAdd(SEARCH_SHARED[counts + step], 1);
            }
        }
        barrier();
        if (SEARCH_SHARED[busy + step] == 0) {
            break;
        }
        if (asks) {
            uint from_a = SEARCH_SHARED[counts + step];
            uint after = from_a == 0 ? probes.low : search_probe(probes, from_a - 1) + 1;
            probes.high = from_a == SEARCHERS ? probes.high : search_probe(probes, from_a);
            probes.low = after;
        }
        most = probes.distance != 0 ? most : most / (SEARCHERS + 1);
        probes.distance = 0;
        step = next;
    }
    return probes.low;
}
