#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Where each tile of a pass's output begins in the WAYS lists that become one, an invocation a list and tile. A tile begins behind some element,
// the pivot, in the order of keys, and of equal ones of lists. Each list proposes the element that would be it if lists were alike; the one
// in the middle is looked for in all lists, and so on between what has turned out to come before and behind it. A tile may begin up to TILE_SLACK
// elements sooner or later than it should, for which two or three pivots do if keys are even. Whatever they are, a pivot is found: after
// kGuesses the list of which most elements are left proposes the one in their middle. On selection from sorted lists see Frederickson and
// Johnson, "The complexity of selection and ranking in X + Y and matrices with sorted columns", 1982.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/multiway_lists.glsl"
#include "thread/search_around.glsl"

const uint kGuesses = 6;
const uint TEAMS = WORKGROUP_SIZE / WAYS; // a team finds where a tile begins
const uint TILE_SLACK = TILE_KEYS;

shared uint s_open; // teams that have not
shared Key s_proposed[WORKGROUP_SIZE];
shared uint s_widths[WORKGROUP_SIZE]; // of what an element may still be proposed from; 0: none is
shared uint s_before[WORKGROUP_SIZE]; // elements of the list that come before the pivot
shared uint s_pivots[WORKGROUP_SIZE]; // a team's: the list that it is of

// Whether an element of one list comes before an element of another one.
bool comes_before(Key a, uint list_a, Key b, uint list_b) {
    return list_a < list_b ? !key_before(b, a) : key_before(a, b);
}

// A list that begins at element `begin` of `slot`, and the pivot, which is of another one.
struct Search {
    uint slot;
    uint begin;
    uint list;
    Key pivot;
    uint pivot_list;
};

bool is_before_pivot(Search search, uint i) {
    return comes_before(load_slot_key(search.slot, search.begin + i), search.list, search.pivot, search.pivot_list);
}

// About the square root.
uint root_of(uint number) {
    return number == 0 ? 1 : 1u << (findMSB(number) + 1) / 2;
}

// How many elements come before the pivot, known to be in [low, high]. Element `at` is `key`; there are about `density` elements to a step of the
// highest word. Looked for where the pivot should be, and around that by what even keys stray.
uint count_before(Search search, uint low, uint high, uint at, Key key, float density) {
    uint word = highest_word(key);
    uint pivot_word = highest_word(search.pivot);
    float gap = float(max(word, pivot_word) - min(word, pivot_word));
    uint expected = uint(min(gap * density, float(high - low)));
    if (comes_before(key, search.list, search.pivot, search.pivot_list)) {
        low = at + 1;
        at = low + expected;
    } else {
        high = at;
        at = high - min(expected + 1, high);
    }
    if (low >= high) {
        return low;
    }
    at = clamp(at, low, high - 1);
    uint stride = root_of(expected);
#define IS_BEFORE_PIVOT(i) is_before_pivot(search, i)
    SEARCH_AROUND(low, high, at, stride, 2, IS_BEFORE_PIVOT)
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (is_before_pivot(search, middle)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Whether of what the lists from `mates` on propose the list's `key` is the pivot: the one in the middle, or that of the list of which most is left.
bool is_pivot(uint mates, uint list, Key key, bool by_median) {
    uint width = s_widths[mates + list];
    uint proposed = 0;
    uint earlier = 0;
    bool widest = true;
    for (uint other = 0; other < WAYS; ++other) {
        uint other_width = s_widths[mates + other];
        if (other_width > 0) {
            ++proposed;
            earlier += other != list && comes_before(s_proposed[mates + other], other, key, list) ? 1 : 0;
            widest = widest && (other_width < width || (other_width == width && other >= list));
        }
    }
    return by_median ? earlier == proposed / 2 : widest;
}

// Of the first `lists` from `mates` on.
uint sum_before(uint mates, uint lists) {
    uint sum = 0;
    for (uint list = 0; list < lists; ++list) {
        sum += s_before[mates + list];
    }
    return sum;
}

void main() {
    uint local = gl_LocalInvocationIndex;
    uint team = local / WAYS;
    uint list = local % WAYS;
    uint mates = team * WAYS; // the first one of the team
    uint tile = group_index * TEAMS + team;
    bool is_there = team < TEAMS && tile < list_count();
    uint slot = source_slot(pc.pass);
    uint each = lists_each();
    uint begin = is_there ? list_begin(tile, list, each) : 0;
    uint length = is_there ? list_begin(tile, list + 1, each) - begin : 0;
    uint output_begin = is_there ? list_begin(tile, 0, each) : 0;
    uint total = is_there ? list_begin(tile, WAYS, each) - output_begin : 1;
    uint diagonal = is_there ? tile * LIST_TILES * pc.tileSize - output_begin : 0;
    uint low = 0; // what comes into tiles before, at least and at most, of this list and of all
    uint high = length;
    uint all_low = 0;
    uint all_high = total;
    bool open = diagonal > 0;
    uint guess = uint(float(diagonal) * (float(length) / float(total)));
    float density = 0.0;
    if (length > 1) {
        uint range = highest_word(load_slot_key(slot, begin + length - 1)) - highest_word(load_slot_key(slot, begin));
        density = float(length) / (float(range) + 1.0);
    }
    if (local == 0) {
        s_open = 0;
    }
    barrier();
    if (open && list == 0) {
        atomicAdd(s_open, 1);
    }
    for (uint round = 0;; ++round) {
        uint width = open ? high - low : 0;
        uint at = 0;
        Key key;
        if (width > 0) {
            at = round < kGuesses ? clamp(guess, low, high - 1) : low + width / 2;
            key = load_slot_key(slot, begin + at);
            s_proposed[local] = key;
        }
        s_widths[local] = width;
        barrier();
        if (s_open == 0) {
            break;
        }
        if (width > 0 && is_pivot(mates, list, key, round < kGuesses)) {
            s_pivots[team] = list;
        }
        barrier();
        uint pivot = open ? s_pivots[team] : 0;
        uint before = width > 0 ? at : low;
        if (width > 0 && list != pivot) {
            before = count_before(Search(slot, begin, list, s_proposed[mates + pivot], pivot), low, high, at, key, density);
        }
        s_before[local] = before;
        barrier();
        if (open) {
            uint found = sum_before(mates, WAYS);
            bool sooner = found < diagonal;
            if (sooner) { // so that the pivot comes before, too
                before += list == pivot ? 1 : 0;
                ++found;
                low = before;
                all_low = found;
            } else {
                high = before;
                all_high = found;
            }
            uint off = sooner ? diagonal - found : found - diagonal;
            uint share = uint(float(off) * (float(high - low) / float(max(all_high - all_low, 1))));
            guess = sooner ? low + share : high - min(share, high);
            if (off <= TILE_SLACK) {
                open = false;
                low = before;
                if (list == 0) {
                    atomicAdd(s_open, 0xFFFFFFFFu);
                }
            }
        }
    }
    if (is_there) {
        s_before[local] = low;
    }
    barrier();
    if (is_there) {
        uint lists_before = sum_before(mates, list);
        state[multiway_split(tile, list)] = lists_before;
        if (list == WAYS - 1) {
            state[multiway_split(tile, WAYS)] = lists_before + low;
        }
    }
}
