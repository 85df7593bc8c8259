#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a pass's output begins in the four lists that become one. After Varman, Scheufler, Iyer and Ricard, "Merging Multiple
// Lists on Hierarchical-Memory Multiprocessors", 1991: the lists are cut into steps of a power of two elements, then of half of it, and so
// on, and each time it is known which whole steps are the first ones by their last elements.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/fourway_lists.glsl"

// The last element of what is taken of a list.
struct Last {
    uint list;
    uint rank; // 0: nothing is taken, 1: an element of the list, 2: one behind them, where lists go on without end
    Key key;
};

Last last_taken(uint slot, uint list, uint begin, uint end, uint taken) {
    bool is_there = taken > 0 && taken <= end - begin;
    Last last;
    last.list = list;
    last.rank = taken == 0 ? 0 : is_there ? 1 : 2;
    last.key = load_slot_key(slot, is_there ? begin + taken - 1 : 0);
    return last;
}

Last later(Last a, Last b) { // b is of a list behind a's
    bool is_b = b.rank != a.rank ? b.rank > a.rank : b.rank != 1 || !key_before(b.key, a.key);
    if (is_b) {
        return b;
    }
    return a;
}

void main() {
    uint tile = group_index * WORKGROUP_SIZE + thread_index;
    if (tile >= control.tiles) {
        return;
    }
    uint slot = source_slot(pc.pass);
    uint begin[5];
    uint taken[4];
    Last last[4];
    Last last_before[4];
    [[unroll]] for (uint j = 0; j < 4; ++j) {
        begin[j] = list_begin(tile, j);
        taken[j] = 0;
        last[j] = last_taken(slot, j, 0, 0, 0);
    }
    begin[4] = list_begin(tile, 4);
    uint diagonal = tile * pc.tileSize - begin[0];
    // The first step is the same for all: the longest in all four lists, or in all there is.
    uint level = 2 * pass_level() + 2;
    uint longest = control.tiles >> level == 0 ? control.count : pc.tileSize << level;
    for (uint step = 1u << findMSB(longest); step > 0; step /= 2) {
        // Of steps of this length those belong to the first ones that did at twice the length, and one more of each list, but for 3 or 4
        // that come last of all these.
        [[unroll]] for (uint j = 0; j < 4; ++j) {
            last_before[j] = last[j];
            taken[j] += step;
            last[j] = last_taken(slot, j, begin[j], begin[j + 1], taken[j]);
        }
        uint surplus = 4 - (diagonal / step & 1u);
        uint given_back = 0; // bit j: by list j
        for (uint i = 0; i < surplus; ++i) {
            Last latest = later(later(last[0], last[1]), later(last[2], last[3]));
            uint list = latest.list;
            uint list_begin = 0;
            uint list_end = 0;
            uint list_taken = 0;
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                if (j == list) {
                    taken[j] -= step;
                    latest = last_before[j];
                    list_begin = begin[j];
                    list_end = begin[j + 1];
                    list_taken = taken[j];
                }
            }
            if ((given_back >> list & 1u) != 0) {
                latest = last_taken(slot, list, list_begin, list_end, list_taken);
            }
            given_back |= 1u << list;
            [[unroll]] for (uint j = 0; j < 4; ++j) {
                if (j == list) {
                    last[j] = latest;
                }
            }
        }
    }
    [[unroll]] for (uint j = 0; j < 3; ++j) {
        state[pc.splitsOffset + 3 * tile + j] = min(taken[j], begin[j + 1] - begin[j]);
    }
}
