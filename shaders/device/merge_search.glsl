// SPDX-License-Identifier: MIT
//
// merge_path() by several invocations: SEARCHERS neighbours ask at as many places at once, so that a step leaves a part of SEARCHERS + 1.
// Reads wait for each other only from step to step. Needs merge_lists.glsl, SEARCHERS, and SEARCH_GROUPS of them at least.

shared uint s_parts[3 * SEARCH_GROUPS]; // of a group's parts, those that are from A; for three steps, so that one barrier a step is enough

// How many of the first `diagonal` elements of merge(A, B) come from A, known to be in [low, high], of lists of which A or B has `longest`
// elements at most. The whole workgroup takes part, groups without a question with low == high.
uint search_together(uint slot, Lists lists, uint diagonal, uint low, uint high, uint longest) {
    uint searcher = thread_index % SEARCHERS;
    uint group = min(thread_index / SEARCHERS, SEARCH_GROUPS - 1);
    uint step = 0;
    if (searcher == 0) {
        s_parts[3 * group] = 0;
    }
    barrier();
    // So many steps are enough whatever a comparator answers.
    for (uint most = longest; most > 0; most /= SEARCHERS + 1) {
        uint part = (high - low) / (SEARCHERS + 1);
        uint rest = (high - low) % (SEARCHERS + 1);
        uint next = step == 2 ? 0 : step + 1;
        if (searcher == 0) {
            s_parts[3 * group + next] = 0;
        }
        if (low < high && comes_from_a(slot, lists, diagonal, low + part * (searcher + 1) + rest * (searcher + 1) / (SEARCHERS + 1))) {
            atomicAdd(s_parts[3 * group + step], 1);
        }
        barrier();
        if (low < high) {
            uint parts = s_parts[3 * group + step]; // that are from A, all but the last element of the next one, which is not
            uint before = low;
            low = parts == 0 ? low : before + part * parts + rest * parts / (SEARCHERS + 1) + 1;
            high = parts == SEARCHERS ? high : before + part * (parts + 1) + rest * (parts + 1) / (SEARCHERS + 1);
        }
        step = next;
    }
    return low;
}
