#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort of few elements, second and last step: an element belongs where as many stand before it as its own tile and, by a search in
// each, all the others have. A workgroup takes neighbours of a sorted tile. How many samples precede every kRankedGap-th of them bounds the
// searches of those between; several invocations share an element's searches, and each has some under way at once, since a search waits for
// memory step by step.
#include "config.glsl"
#include "buffers.glsl"
#define FIRST_TILE TILE_KEYS
#include "device/samples.glsl"

const uint SEARCHERS = KEYS_PER_THREAD; // of an element
const uint ELEMENTS = WORKGROUP_SIZE / SEARCHERS;
const uint LEADERS = ELEMENTS / kRankedGap + 1;     // the first one of each group of kRankedGap elements, and the one behind the last
const uint SAMPLES_EACH = SAMPLES / WORKGROUP_SIZE; // that an invocation loads

shared Key s_samples[SAMPLES];
shared Key s_leaders[LEADERS];
shared uint s_bounds[LEADERS * kMostRankedTiles]; // of a tile, one leader after another: how many of its samples precede the leader
shared uint s_before[SEARCHERS * ELEMENTS];       // of each searcher: elements of its tiles before each

// Of the workgroup's elements.
struct Home {
    uint tile;
    uint size;  // of the tile
    uint begin; // in the tile
};

void load_samples(uint tiles, uint count) {
    uint samples = (tiles - 1) * pc.rowLength + sample_count(tile_length(count, tiles - 1));
    Key loaded[SAMPLES_EACH];
    [[unroll]] for (uint i = 0; i < SAMPLES_EACH; ++i) {
        uint at = min(thread_index + i * WORKGROUP_SIZE, max(samples, 1) - 1) * KEY_WORDS;
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            set_key_word(loaded[i], w, state[at + w]);
        }
    }
    [[unroll]] for (uint i = 0; i < SAMPLES_EACH; ++i) {
        s_samples[thread_index + i * WORKGROUP_SIZE] = loaded[i];
    }
}

// How many samples of a tile precede a leader.
uint samples_before(Key leader, Home home, uint tile, uint samples) {
    uint before = 0;
    for (uint step = 1u << findMSB(pc.rowLength); step > 0; step /= 2) {
        uint next = before + step;
        Key key = s_samples[tile * pc.rowLength + min(next, max(samples, 1)) - 1];
        bool precedes = key_before(key, leader) || (key == leader && tile < home.tile);
        before = next <= samples && precedes ? next : before;
    }
    return before;
}

void find_bounds(Home home, uint tiles, uint count) {
    for (uint i = thread_index; i < LEADERS * tiles; i += WORKGROUP_SIZE) {
        uint tile = i / LEADERS;
        uint leader = i % LEADERS;
        uint samples = sample_count(tile_length(count, tile));
        bool is_there = home.begin + leader * kRankedGap < home.size;
        s_bounds[i] = is_there ? samples_before(s_leaders[leader], home, tile, samples) : samples;
    }
}

// Elements before `key` in the tiles `first`, `first` + SEARCHERS and so on, SEARCHES of them, but for its own.
uint elements_before_key(Key key, Home home, uint group, uint first, uint tiles, uint count) {
    uint begins[SEARCHES];
    uint lows[SEARCHES];
    uint highs[SEARCHES];
    uint most = 0;
    [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
        uint tile = first + i * SEARCHERS;
        bool is_other = tile < tiles && tile != home.tile;
        tile = min(tile, tiles - 1);
        uint low = s_bounds[tile * LEADERS + group] * kRankedGap;
        uint high = min(s_bounds[tile * LEADERS + group + 1] * kRankedGap + kRankedGap - 1, tile_length(count, tile));
        begins[i] = tile * FIRST_TILE;
        lows[i] = is_other ? low : 0;
        highs[i] = is_other ? high : 0;
        most = max(most, highs[i] - lows[i]);
    }
    for (; most > 0; most /= 2) {
        Key others[SEARCHES];
        uint middles[SEARCHES];
        [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
            middles[i] = (lows[i] + highs[i]) / 2;
            others[i] = keys2[min(begins[i] + middles[i], count - 1)];
        }
        [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
            bool precedes = key_before(others[i], key) || (others[i] == key && first + i * SEARCHERS < home.tile);
            bool goes_on = lows[i] < highs[i];
            lows[i] = goes_on && precedes ? middles[i] + 1 : lows[i];
            highs[i] = goes_on && !precedes ? middles[i] : highs[i];
        }
    }
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
        sum += lows[i];
    }
    return sum;
}

#define MOVE_VALUE(type, slot0, slot1, slot2, second) slot1[target] = slot2[element];

void main() {
    uint count = element_count();
    uint begin = group_index * ELEMENTS; // a tile is a multiple of it
    if (begin >= count) {
        return;
    }
    Home home;
    home.tile = begin / FIRST_TILE;
    home.begin = begin - home.tile * FIRST_TILE;
    home.size = tile_length(count, home.tile);
    uint tiles = tile_count(count);
    uint own = thread_index % ELEMENTS;
    uint searcher = thread_index / ELEMENTS;
    uint element = min(begin + own, count - 1);
    Key key = keys2[element];
    uint value = 0;
    if (VALUE_WORDS == 1 && searcher == SEARCHERS - 1) {
        value = values2[element]; // now, as it is waited for with the keys
    }
    if (thread_index < LEADERS) {
        s_leaders[thread_index] = keys2[min(begin + thread_index * kRankedGap, count - 1)];
    }
    load_samples(tiles, count);
    barrier();
    find_bounds(home, tiles, count);
    barrier();
    uint before = 0;
    for (uint first = searcher; first < tiles; first += SEARCHERS * SEARCHES) {
        before += elements_before_key(key, home, own / kRankedGap, first, tiles, count);
    }
    s_before[thread_index] = before;
    barrier();
    uint target = home.begin + own;
    [[unroll]] for (uint i = 0; i < SEARCHERS; ++i) {
        target += s_before[i * ELEMENTS + own];
    }
    if (begin + own >= count) {
        return;
    }
    if (searcher == 0 && !has_flag(kFlagDiscardKeys)) {
        keys1[target] = has_flag(kFlagPacked) ? key : bits_from_ordered(key);
    }
    if (searcher == SEARCHERS - 1) {
        if (VALUE_WORDS == 1) {
            values1[target] = value;
        } else if (VALUE_WORDS > 1) {
            FOR_VALUE_TYPE(MOVE_VALUE)
        }
    }
}
