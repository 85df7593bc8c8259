#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort of few elements, second and last step: an element belongs where as many stand before it as its own tile and,
// by a search in each, all the others have. A workgroup takes neighbours of a sorted tile. How many samples precede every
// kRankedGap-th element bounds the search interval of those between. An interval of the other tile is in shared memory: each
// element of it or, if the bounds are far apart, every second, fourth and so on, between which the search goes on in memory.
// Several invocations share an element's searches, and each has SEARCHES of them under way at once.
#include "config.glsl"
#include "buffers.glsl"
#define FIRST_TILE TILE_KEYS
#include "device/samples.glsl"

const uint SEARCHERS = KEYS_PER_THREAD; // of an element
const uint ELEMENTS = WORKGROUP_SIZE / SEARCHERS;
// The first one of each group of kRankedGap elements, and the one behind the last.
const uint LEADERS = ELEMENTS / kRankedGap + 1;
const uint SAMPLES_EACH = SAMPLES / WORKGROUP_SIZE; // that an invocation loads
const uint ROW = FIRST_TILE / kRankedGap;           // samples of a tile, a power of two
const uint INTERVAL_KEYS = kRankedInterval / kRankedGap;
const uint INTERVALS_AT_ONCE = KEY_WORDS == 1 ? SEARCHES : 1; // as many as fit in shared memory

shared Key s_samples[SAMPLES];
shared Key s_leaders[LEADERS];
// Of a tile, one leader after another: how many of its samples precede the leader.
shared uint s_bounds[LEADERS * kMostRankedTiles];
shared uint s_before[SEARCHERS * ELEMENTS];       // of each searcher: elements of its tiles before each
shared Key s_intervals[WORKGROUP_SIZE / kRankedGap * INTERVALS_AT_ONCE * kRankedInterval];

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

bool precedes(Key other, Key key, bool from_earlier) {
    return key_before(other, key) || (from_earlier && other == key);
}

// How many samples of a tile precede a leader. Behind the last sample of all that one is repeated.
uint samples_before(Key leader, Home home, uint tile, uint samples) {
    uint first = tile * ROW;
    uint before = 0;
    [[unroll]] for (uint step = ROW / 2; step > 0; step /= 2) {
        before += precedes(s_samples[first + before + step - 1], leader, tile < home.tile) ? step : 0;
    }
    before += precedes(s_samples[first + before], leader, tile < home.tile) ? 1 : 0;
    return min(before, samples);
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
    uint lows[SEARCHES];    // elements of the tile that precede the group
    uint lengths[SEARCHES]; // and further ones that may precede some of it
    uint strides[SEARCHES]; // that there are from one element of the interval to the next
    Key interval[SEARCHES * INTERVAL_KEYS];
    uint lane = thread_index % kRankedGap;
    uint most = 1;
    [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
        uint tile = min(first + i * SEARCHERS, tiles - 1);
        uint end = tile_length(count, tile);
        lows[i] = s_bounds[tile * LEADERS + group] * kRankedGap;
        lengths[i] = min(s_bounds[tile * LEADERS + group + 1] * kRankedGap + kRankedGap - 1, end) - lows[i];
        strides[i] = 1u << (findMSB(lengths[i] / kRankedInterval) + 1);
        most = max(most, strides[i]);
        [[unroll]] for (uint k = 0; k < INTERVAL_KEYS; ++k) {
            uint at = lows[i] + (k * kRankedGap + lane + 1) * strides[i] - 1;
            interval[i * INTERVAL_KEYS + k] = keys2[tile * FIRST_TILE + min(at, end - 1)];
        }
    }
    uint before[SEARCHES];
    [[unroll]] for (uint begin = 0; begin < SEARCHES; begin += INTERVALS_AT_ONCE) {
        if (begin > 0) {
            barrier();
        }
        uint own = thread_index / kRankedGap * INTERVALS_AT_ONCE * kRankedInterval;
        [[unroll]] for (uint i = 0; i < INTERVALS_AT_ONCE; ++i) {
            [[unroll]] for (uint k = 0; k < INTERVAL_KEYS; ++k) {
                s_intervals[own + i * kRankedInterval + k * kRankedGap + lane] = interval[(begin + i) * INTERVAL_KEYS + k];
            }
            before[begin + i] = 0;
        }
        barrier();
        [[unroll]] for (uint step = kRankedInterval / 2; step > 0; step /= 2) {
            [[unroll]] for (uint i = 0; i < INTERVALS_AT_ONCE; ++i) {
                uint at = begin + i;
                Key other = s_intervals[own + i * kRankedInterval + before[at] + step - 1];
                before[at] += precedes(other, key, first + at * SEARCHERS < home.tile) ? step : 0;
            }
        }
    }
    [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
        before[i] *= strides[i];
    }
    for (; most > 1; most /= 2) { // between elements of the interval
        [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
            uint tile = min(first + i * SEARCHERS, tiles - 1);
            strides[i] /= 2;
            uint next = before[i] + strides[i];
            Key other = keys2[tile * FIRST_TILE + min(lows[i] + max(next, 1) - 1, tile_length(count, tile) - 1)];
            before[i] = strides[i] > 0 && precedes(other, key, tile < home.tile) ? next : before[i];
        }
    }
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < SEARCHES; ++i) {
        uint tile = first + i * SEARCHERS;
        sum += tile < tiles && tile != home.tile ? lows[i] + min(before[i], lengths[i]) : 0;
    }
    return sum;
}

#define MOVE_VALUE(type, slot0, slot1, slot2, second) slot1[target] = slot2[element];

void main() {
    if (!is_own_count()) {
        return;
    }
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
    for (uint first = 0; first < tiles; first += SEARCHERS * SEARCHES) {
        if (first > 0) {
            barrier();
        }
        before += elements_before_key(key, home, own / kRankedGap, first + searcher, tiles, count);
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
