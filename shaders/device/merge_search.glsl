// SPDX-License-Identifier: MIT
//
// merge_path() by several invocations: SEARCHERS neighbours ask at as many places at once, so that a step leaves a part of SEARCHERS + 1.
// Reads wait for each other only from step to step. Needs merge_lists.glsl, SEARCHERS, SEARCH_GROUPS, of which the workgroup has as many at
// least, and SEARCH_SHARED, a shared array of 3 * SEARCH_GROUPS words that is free.

// How many of the first `diagonal` elements of merge(A, B) come from A, known to be in [low, high], of lists of which A or B has `longest`
// elements at most. The whole workgroup takes part, groups without a question with low == high.
uint search_together(uint slot, Lists lists, uint diagonal, uint low, uint high, uint longest) {
    uint searcher = thread_index % SEARCHERS;
    uint group = min(thread_index / SEARCHERS, SEARCH_GROUPS - 1);
    // Of the group's parts, those that are from A; for three steps, so that one barrier a step is enough.
    uint counts = 3 * group;
    uint step = 0;
    if (searcher == 0) {
        SEARCH_SHARED[counts] = 0;
    }
    barrier();
    // So many steps are enough whatever a comparator answers.
    for (uint most = longest; most > 0; most /= SEARCHERS + 1) {
        uint part = (high - low) / (SEARCHERS + 1);
        uint rest = (high - low) % (SEARCHERS + 1);
        uint next = step == 2 ? 0 : step + 1;
        if (searcher == 0) {
            SEARCH_SHARED[counts + next] = 0;
        }
        if (low < high && comes_from_a(slot, lists, diagonal, low + part * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1))) {
            atomicAdd(SEARCH_SHARED[counts + step], 1);
        }
        barrier();
        if (low < high) {
            uint parts = SEARCH_SHARED[counts + step]; // that are from A, all but the last element of the next one, which is not
            uint before = low;
            low = parts == 0 ? low : before + part * parts + rest * parts / (SEARCHERS + 1) + 1;
            high = parts == SEARCHERS ? high : before + part * (parts + 1) + rest * (parts + 1) / (SEARCHERS + 1);
        }
        step = next;
    }
    return low;
}
