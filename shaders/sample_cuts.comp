#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, second step, one workgroup a cut between two buckets: finds how many elements of each sorted tile stand before it, so
// that they are pc.cutTolerance more or fewer than they should be at most, whatever the keys. A sample begins; its rank among all
// elements is exact, because every tile is searched for it. If it is too far off, the sample that seems to be right is next, and
// after that the middle of what is still possible, weighted by how much that is in each tile, which leaves out a quarter at
// least (multiway selection, after Varman, Scheufler, Iyer and Ricard, "Merging Multiple Lists on Hierarchical-Memory
// Multiprocessors", 1991).
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "workgroup/scan.glsl"
#include "workgroup/select.glsl"

const uint kSampleRounds = 2;

shared uint s_sum;
shared Key s_candidates[WORKGROUP_SIZE];
shared uint s_weights[WORKGROUP_SIZE];
shared uint s_chosen;
shared uint s_chosen_place;

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

// An element that may be the first one behind the cut.
struct Pivot {
    Key key;
    uint tile;
    uint place;
};

Key tile_key(uint tile, uint place) {
    return keys2[tile * pc.tileSize + place];
}

// Loads all samples; how many there are.
uint load_samples(uint count) {
    uint last = tile_count(count) - 1;
    uint samples = last * pc.samplesEach + sample_count(last, tile_length(count, last));
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = pc.samplesOffset + min(element_of(i), samples - 1) * KEY_WORDS;
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            set_key_word(keys[i], w, state[at + w]);
        }
    }
    return samples;
}

// The sample that `rank` others precede.
Pivot sample_pivot(uint samples, uint rank) {
    uint number = select(samples, rank);
    uint tile = number / pc.samplesEach;
    uint place = sample_place(tile, number % pc.samplesEach);
    return Pivot(s_selected_key, tile, place);
}

// Each tile's element at `share` of what is possible in it, low to high, is a candidate; the middle one by weight.
Pivot middle_pivot(uint tiles, uint low, uint high, float share) {
    uint weight = high - low;
    uint place = low + min(uint(float(weight) * share), max(weight, 1) - 1);
    s_weights[thread_index] = weight;
    if (weight > 0) {
        s_candidates[thread_index] = tile_key(thread_index, place);
    }
    uint all = wg_add(weight);
    Key own = s_candidates[thread_index];
    uint before = 0;
    for (uint tile = 0; tile < tiles; ++tile) {
        Key key = s_candidates[tile];
        bool precedes = key_before(key, own) || (key == own && tile < thread_index);
        before += precedes ? s_weights[tile] : 0;
    }
    if (weight > 0 && before <= all / 2 && all / 2 - before < weight) {
        s_chosen = thread_index;
        s_chosen_place = place;
    }
    barrier();
    return Pivot(s_candidates[s_chosen], s_chosen, s_chosen_place);
}

// Elements of a tile before the pivot, of which there are `low` at least and `high` at most.
uint elements_before_pivot(Pivot pivot, uint tile, uint low, uint high) {
    uint place = low;
    for (uint step = 1u << findMSB(pc.tileSize); step > 0; step /= 2) {
        uint next = place + step;
        Key key = tile_key(tile, min(next, max(high, 1)) - 1);
        bool precedes = key_before(key, pivot.key) || (key == pivot.key && tile < pivot.tile);
        place = next <= high && precedes ? next : place;
    }
    return tile == pivot.tile ? pivot.place : place;
}

void main() {
    uint count = element_count();
    uint bucket = group_index + 1;
    if (bucket >= bucket_count(count)) {
        return;
    }
    uint tiles = tile_count(count);
    uint target = elements_before(count, bucket);
    uint tile = min(thread_index, tiles - 1);
    // Possible are cuts with so many elements of the tile before them.
    uint low = 0;
    uint high = thread_index < tiles ? tile_length(count, tile) : 0;
    // And samples with so many others before them.
    uint samples = load_samples(count);
    float samples_an_element = float(samples) / float(count);
    uint first_sample = 0;
    uint end_sample = samples;
    uint sample_rank = min(uint(float(target) * samples_an_element), samples - 1);
    uint cut = 0;
    for (uint round = 0;; ++round) {
        Pivot pivot;
        if (round < kSampleRounds && first_sample < end_sample) {
            pivot = sample_pivot(samples, sample_rank);
        } else {
            uint least = wg_add(low);
            uint most = wg_add(high);
            // Where tiles are alike, the share by numbers is soon right; the half makes sure of an end.
            float share = round % 2 == 0 ? float(target - least) / float(most - least) : 0.5;
            pivot = middle_pivot(tiles, low, high, share);
        }
        cut = thread_index < tiles ? elements_before_pivot(pivot, tile, low, high) : 0;
        uint rank = wg_add(cut);
        uint error = max(rank, target) - min(rank, target);
        if (error <= pc.cutTolerance) {
            break;
        }
        uint samples_off = uint(ceil(float(error) * samples_an_element));
        if (rank < target) {
            low = thread_index == pivot.tile ? cut + 1 : cut; // behind the pivot
            first_sample = sample_rank + 1;
            sample_rank = min(sample_rank + samples_off, end_sample - 1);
        } else {
            high = cut;
            end_sample = sample_rank;
            sample_rank = max(max(sample_rank, samples_off) - samples_off, first_sample);
        }
    }
    if (thread_index < tiles) {
        state[cut_word(bucket, tile)] = cut;
    }
}
