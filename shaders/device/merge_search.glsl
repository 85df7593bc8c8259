// SPDX-License-Identifier: MIT
//
// merge_path() by several invocations: SEARCHERS neighbours ask at as many probes at once, so that a step leaves a step of
// SEARCHERS + 1. In the first step the probes are about where even lists would be divided, as near as chance divides random
// ones. Reads wait for each other only from step to step. Needs merge_lists.glsl, SEARCHERS, SEARCH_GROUPS, of which the
// workgroup has as many at least, and SEARCH_SHARED, a shared array of 3 * SEARCH_GROUPS + 3 words that is free.

// Where the searchers of a step ask.
struct SearchProbes {
    uint low, high; // [low, high)
    uint first;     // of the first step, with a distance of 0 afterwards
    uint distance;
};

uint search_probe(SearchProbes probes, uint searcher) {
    if (probes.distance != 0) {
        return clamp(probes.first + probes.distance * searcher, probes.low, probes.high - 1);
    }
    uint step = (probes.high - probes.low) / (SEARCHERS + 1);
    uint rest = (probes.high - probes.low) % (SEARCHERS + 1);
    return probes.low + step * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1);
}

// Eight standard deviations about the even place. Lists of which one has a few elements only have no more probes.
SearchProbes uniform_indices(Lists lists, uint diagonal, uint low, uint high) {
    float share = float(diagonal) / float(max(length_of(lists), 1));
    float deviation = 0.5 * sqrt(float(diagonal) * (1.0 - min(share, 1.0)));
    uint distance = uint(deviation * (8.0 / float(SEARCHERS))) + 1;
    uint proportional = uint(float(lists.a_end - lists.a_begin) * share);
    uint before = distance * (SEARCHERS / 2);
    return SearchProbes(low, high, proportional > before ? proportional - before : 0, distance);
}

// How many of the first `diagonal` elements of merge(A, B) come from A, known to be in [low, high], of lists of which A or B
// has `longest` elements at most. The whole workgroup takes step, groups without a question with low == high.
uint search_together(uint slot, Lists lists, uint diagonal, uint low, uint high, uint longest) {
    uint searcher = thread_index % SEARCHERS;
    uint group = min(thread_index / SEARCHERS, SEARCH_GROUPS - 1);
    // Of the group's probes, those that are from A; whether any group has a question. For three steps, so that one barrier a
    // step is enough.
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
    // This number of steps behind the first is enough, whatever a comparator answers.
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
