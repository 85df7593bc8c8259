#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, last step, one or more buckets a workgroup: gathers a bucket and sorts it. The elements that a bucket has in
// a tile are a span. The spans are taken in the order of the tiles, so that the stable sort of each bucket makes the whole
// stable.
//
// A bucket with more elements than the samples foresaw is cut into pieces of half a tile at least and a tile at most. To
// find how many elements of each span are in a piece, an element is tried, whose exact rank a search in each span tells.
// Trying the weighted median of the spans' medians rules out a quarter of the candidates at least (multiway selection, after
// Varman, Scheufler, Iyer and Ricard, "Merging Multiple Lists on Hierarchical-Memory Multiprocessors", 1991).
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#define SKIPS_PADDING 1
#define MORE_BINS 1
#define MOVES_ELSEWHERE
#include "workgroup/sort_tile.glsl"
#include "workgroup/equal_bins.glsl"
#include "workgroup/scan_pair.glsl"

const uint SPANS = WORKGROUP_SIZE < kMostSpans ? WORKGROUP_SIZE : kMostSpans;
const uint kSpanLanes = 16; // invocations that write down a span's source indices; about as many as it has elements

// For each tile: where its span begins in the piece, and what to add to an index in the piece for the source index in slot
// 2. While a piece is cut off: how many elements of the span may be in it.
shared uint s_span_starts[SPANS];
shared uint s_span_offsets[SPANS];
shared uint s_sum;
shared uint s_chosen;
shared uint s_chosen_digit;

uint sources[KEYS_PER_THREAD]; // source index of each key in slot 2

// Sum of one number an invocation. Ends with a barrier.
uint wg_add(uint value) {
    barrier();
    uint before = wg_exclusive_add(value);
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_sum = before + value;
    }
    barrier();
    return s_sum;
}

void note_span_start(uint start) {
    if (thread_index < SPANS) {
        s_span_starts[thread_index] = start;
    }
}

Key tile_key(uint tile, uint slot_at) {
    return keys2[tile * pc.firstTile + slot_at];
}

struct Pivot {
    Key key;
    uint tile;
    uint slot_at;
};

// Each tile's element at `share` of its search interval, low to high, is a candidate. The pivot is the candidate at `share`
// of all candidates, weighted by the lengths of their intervals.
Pivot pivot_at(uint tiles, uint low, uint high, float share) {
    uint weight = high - low;
    uint slot_at = low + min(uint(float(weight) * share), max(weight, 1) - 1);
    note_span_start(weight);
    Key own = weight > 0 ? tile_key(thread_index, slot_at) : Key(0);
    store_shared_key(thread_index, own);
    uint all = wg_add(weight);
    uint before = 0;
    for (uint some = 0; some < tiles; some += 8) { // lavapipe ends an invocation's loops after 65,535 iterations in all
        [[unroll]] for (uint i = 0; i < 8; ++i) {
            uint tile = min(some + i, SPANS - 1);
            Key key = shared_key(tile);
            bool precedes = some + i < tiles && (key_before(key, own) || (key == own && tile < thread_index));
            before += precedes ? s_span_starts[tile] : 0;
        }
    }
    uint wanted = min(uint(float(all) * share), all - 1);
    if (weight > 0 && before <= wanted && wanted - before < weight) {
        s_chosen = thread_index;
        s_chosen_digit = slot_at;
    }
    barrier();
    return Pivot(shared_key(s_chosen), s_chosen, s_chosen_digit);
}

// Elements of a tile before the pivot, of which there are `low` at least and `high` at most.
uint elements_before_pivot(Pivot pivot, uint tile, uint low, uint high) {
    uint slot_at = low;
    for (uint step = 1u << findMSB(pc.firstTile); step > 0; step /= 2) {
        uint next = slot_at + step;
        Key key = tile_key(tile, min(next, max(high, 1)) - 1);
        bool precedes = key_before(key, pivot.key) || (key == pivot.key && tile < pivot.tile);
        slot_at = next <= high && precedes ? next : slot_at;
    }
    return tile == pivot.tile ? pivot.slot_at : slot_at;
}

// Where a piece of the bucket ends in the span of this invocation's tile, `first` to `last`. All spans together have more
// elements than a tile.
uint end_of_piece(uint first, uint last, uint tiles) {
    const uint kTolerance = TILE_SIZE / 4;
    const uint kTarget = TILE_SIZE - kTolerance;
    uint low = first;
    uint high = last;
    for (uint round = 0;; ++round) {
        uint least = wg_add(low - first);
        uint most = wg_add(high - first);
        // A proportional share soon hits where spans are alike or follow each other; half of it makes sure that the search
        // ends.
        float share = round % 2 == 0 ? float(kTarget - least) / float(most - least) : 0.5;
        Pivot pivot = pivot_at(tiles, low, high, share);
        uint end = thread_index < tiles ? elements_before_pivot(pivot, thread_index, low, high) : first;
        uint rank = wg_add(end - first);
        if (max(rank, kTarget) - min(rank, kTarget) <= kTolerance) {
            return end;
        }
        if (rank < kTarget) {
            low = thread_index == pivot.tile ? end + 1 : end; // behind the pivot
        } else {
            high = end;
        }
    }
}

// Leaves in sources[] the source index of each element of the piece, `length` in all. The spans of the tiles follow each
// other: this invocation's begins with element `first` of its tile, and is element `start` of the piece.
void find_sources(uint first, uint start, uint length, uint tiles) {
    note_span_start(start);
    if (thread_index < SPANS) {
        s_span_offsets[thread_index] = thread_index * pc.firstTile + first - start;
    }
    barrier();
    for (uint tile = thread_index / kSpanLanes; tile < tiles; tile += WORKGROUP_SIZE / kSpanLanes) {
        uint end = tile + 1 < tiles ? s_span_starts[min(tile + 1, SPANS - 1)] : length;
        uint offset = s_span_offsets[tile];
        for (uint i = s_span_starts[tile] + thread_index % kSpanLanes; i < end; i += kSpanLanes) {
            s_slots[i] = i + offset;
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        sources[i] = s_slots[min(element_of(i), length - 1)];
    }
    barrier();
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot2, slot1, begin, length)

Key load_splitter(uint bucket) {
    Key key;
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        set_key_word(key, w, state[splitter_word(bucket) + w]);
    }
    return key;
}

KeyRange range_between(Key least, Key greatest) {
    uint above = KEY_WORDS == 2 && key_word(least, KEY_WORDS - 1) == key_word(greatest, KEY_WORDS - 1) ? 32 : 0;
    return KeyRange(above, key_word_below(least, above), key_word_below(greatest, above));
}

// Values of one word, in the order of the spans.
uint words[KEYS_PER_THREAD];

void load_piece() {
    LOAD_FROM(keys, KEYS_PER_THREAD, keys2, sources[i])
    if (VALUE_WORDS == 1) {
        LOAD_FROM(words, KEYS_PER_THREAD, values2, sources[i]) // now, as they are waited for with the keys
    }
}

void store_piece(uint begin, uint length) {
    if (!has_flag(kFlagDiscardKeys)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                Key key = shared_key(element_of(i));
                keys1[begin + element_of(i)] = has_flag(kFlagPacked) ? key : bits_from_ordered(key);
            }
        }
    }
    if (VALUE_WORDS == 1) {
        MOVE_WORDS(words, length)
        STORE_TO(s_slots[element_of(i)], KEYS_PER_THREAD, values1, begin + element_of(i), element_of(i) < length)
    } else if (VALUE_WORDS > 1) {
        MOVE_WORDS(sources, length)
        FOR_VALUE_TYPE(MOVE_VALUES)
    }
}

// For keys that are in `range` if it `is_known`.
void begin_bins(inout KeyRange range, bool is_known) {
    clear_bins();
    if (is_known) {
        barrier();
    } else {
        range = find_range();
    }
}

// A bucket, of which an invocation's tile has the elements from `first` on, before `last`. Its keys are in `range` if that
// `is_known`.
void sort_bucket(uint first, uint last, uint tiles, KeyRange range, bool is_known) {
    uvec2 total;
    uvec2 before = wg_exclusive_add(uvec2(first, last - first), total);
    uint begin = total.x; // elements of all the buckets before
    uint rest = total.y;
    if (rest == 0) {
        return;
    }
    uint length = rest;
    bool whole = rest <= TILE_SIZE;
    if (whole) {
        find_sources(first, before.y, length, tiles);
        load_piece();
        if (are_for_bins()) {
            begin_bins(range, is_known);
            if (sort_by_bins(range, length, false)) {
                store_piece(begin, length);
                return;
            }
        }
    }
    // Skewed keys, and pieces.
    while (rest > 0) {
        uint end = last;
        uint refused = 0;
        if (whole) {
            refused = ways_refused(length);
        } else {
            end = rest > TILE_SIZE ? end_of_piece(first, last, tiles) : last;
            uint start = wg_exclusive_add(end - first);
            length = wg_add(end - first);
            find_sources(first, start, length, tiles);
            load_piece();
            begin_bins(range, is_known);
            refused = are_for_bins() ? 0 : kWaysByBins;
        }
        sort_skewed(length, range, refused);
        store_piece(begin, length);
        begin += length;
        rest -= length;
        first = end;
        barrier();
    }
}

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = element_count();
    uint tiles = tile_count(count);
    uint tile = min(thread_index, max(tiles, 1) - 1);
    uint most = sampled_bucket_count(count); // there is memory for their cuts
    for (uint bucket = group_index; bucket < most; bucket += gl_NumWorkGroups.x * gl_NumWorkGroups.y) {
        // Asked for before it is known how many buckets there are, as all is waited for together.
        uint buckets = control.buckets;
        uint first = state[cut_word(max(bucket, 1), tile)];
        uint last = state[cut_word(bucket + 1, tile)];
        Key least = load_splitter(max(bucket, 1));
        Key greatest = load_splitter(bucket + 1);
        if (bucket >= buckets) {
            return;
        }
        first = bucket == 0 ? 0 : first;
        last = bucket + 1 == buckets ? tile_length(count, tile) : last;
        if (thread_index >= tiles) {
            first = 0;
            last = 0;
        }
        // The first and the last bucket have keys beyond all splitters.
        bool is_between = bucket > 0 && bucket + 1 < buckets;
        sort_bucket(first, last, tiles, range_between(least, greatest), is_between);
        barrier();
    }
}
