#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a pass's output begins in the four lists that become one. After Varman, Scheufler, Iyer and Ricard,
// "Merging Multiple Lists on Hierarchical-Memory Multiprocessors", 1991: the lists are cut into steps of a power of two
// elements, then of half of it, and so on, and each time it is known which whole steps are the first ones by their last
// elements. Long steps end at samples (fourway_lists.glsl), so that few reads are all over memory.
#include "comparator_key.glsl"
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/fourway_lists.glsl"

uint begin[5]; // of the lists, and where they end
uint taken[4];

// The last element of what is taken of a list.
struct Last {
    uint list;
    uint rank; // 0: nothing is taken, 1: an element of the list, 2: one behind them, where lists go on without end
    Key key;
};
Last last[4];

// `sampled`, a constant: all that is taken of any list are whole kSampleSteps.
Last last_taken(bool sampled, uint slot, uint list, uint first, uint behind, uint count) {
    bool is_there = count > 0 && count <= behind - first;
    Last end;
    end.list = list;
    end.rank = count == 0 ? 0 : is_there ? 1 : 2;
    if (sampled) {
        uint word = sample_word(is_there ? first : 0, is_there ? count / kSampleStep - 1 : 0);
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            set_key_word(end.key, w, state[word + w]);
        }
    } else {
        end.key = load_slot_key(slot, is_there ? first + count - 1 : 0);
    }
    return end;
}

Last later(Last a, Last b) { // b is of a list behind a's
    bool is_b = b.rank != a.rank ? b.rank > a.rank : b.rank != 1 || !key_before(b.key, a.key);
    if (is_b) {
        return b;
    }
    return a;
}

// Of steps of this length those belong to the first ones that did at twice the length, and one more of each list, but for
// `surplus` that come last of all these.
void halve_steps(bool sampled, uint slot, uint step, uint surplus) {
    Last last_before[4];
    // Asked for together with the others; among samples, which are near each other, that does not pay.
    Last last_two_before[4];
    [[unroll]] for (uint j = 0; j < 4; ++j) {
        last_before[j] = last[j];
        if (!sampled) {
            last_two_before[j] = last_taken(sampled, slot, j, begin[j], begin[j + 1], taken[j] - min(step, taken[j]));
        }
        taken[j] += step;
        last[j] = last_taken(sampled, slot, j, begin[j], begin[j + 1], taken[j]);
    }
    const uint known = sampled ? 1 : 2;
    uint given_back = 0; // by list j: bits 2 * j and the next
    for (uint i = 0; i < surplus; ++i) {
        Last latest = later(later(last[0], last[1]), later(last[2], last[3]));
        uint list = latest.list;
        uint given = given_back >> 2 * list & 3u;
        uint first = 0;
        uint behind = 0;
        uint count = 0;
        [[unroll]] for (uint j = 0; j < 4; ++j) {
            if (j == list) {
                taken[j] -= step;
                latest = given == 0 || sampled ? last_before[j] : last_two_before[j];
                first = begin[j];
                behind = begin[j + 1];
                count = taken[j];
            }
        }
        if (given >= known) {
            latest = last_taken(sampled, slot, list, first, behind, count);
        }
        given_back += 1u << 2 * list;
        [[unroll]] for (uint j = 0; j < 4; ++j) {
            if (j == list) {
                last[j] = latest;
            }
        }
    }
}

void main() {
    uint tile = group_index * WORKGROUP_SIZE + thread_index;
    if (tile >= control.tiles) {
        return;
    }
    uint slot = source_slot(pc.pass);
    [[unroll]] for (uint j = 0; j < 4; ++j) {
        begin[j] = list_begin(tile, j);
        taken[j] = 0;
        last[j] = last_taken(false, slot, j, 0, 0, 0);
    }
    begin[4] = list_begin(tile, 4);
    uint diagonal = tile * pc.tileSize - begin[0];
    // The first step is the same for all: the longest in all four lists, or in all there is.
    uint level = 2 * pass_level() + 2;
    uint longest = control.tiles >> level == 0 ? control.count : pc.tileSize << level;
    uint step = 1u << findMSB(longest);
    for (; step >= kSampleStep; step /= 2) {
        halve_steps(true, slot, step, 4 - (diagonal / step & 1u));
    }
    for (; step > 0; step /= 2) {
        halve_steps(false, slot, step, 4 - (diagonal / step & 1u));
    }
    [[unroll]] for (uint j = 0; j < 3; ++j) {
        state[pc.splitsOffset + 3 * tile + j] = min(taken[j], begin[j + 1] - begin[j]);
    }
}
