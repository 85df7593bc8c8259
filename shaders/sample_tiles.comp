#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, first step, one workgroup a tile: sorts the tile and, side by side with it, a sample of all the elements, which is the same in
// every workgroup. Samples at even distances are the splitters between buckets; how many elements of the tile stand before each is noted.
// Where ranks follow (sample_ranks.comp) there is no such sample, and the tile's own sorted elements are sampled instead.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "device/sampled_keys.glsl"

// Of an invocation's keys the first ones are samples, the others of the tile.
const uint SAMPLE_SLOTS = SAMPLES / WORKGROUP_SIZE;
#define TILE_SLOTS (KEYS_PER_THREAD - SAMPLE_SLOTS)
#define TILE_PLACE(i) (bins[i + SAMPLE_SLOTS] - SAMPLES)

const uint digit_groups = SAMPLES > 0 ? 2 : 1;
#define GROUP_OF(element) ((element) < SAMPLES ? 0 : 1)
#define MOVES_ELSEWHERE
#include "workgroup/sort_digits.glsl"

uint tile_end; // SAMPLES and the tile's length

uint segment_of(uint element) {
    return element < SAMPLES ? SAMPLES << 16 : SAMPLES | (tile_end - SAMPLES) << 16;
}

uint heads_from(uint element) {
    return (element == 0 ? 1 : 0) | (element <= SAMPLES && SAMPLES - element < 32 ? 1u << (SAMPLES - element) : 0);
}

#define BIN_SEGMENTS 1
#define FEW_HEADS true
#define EXTREMES_OF 2
#include "workgroup/bin_sort.glsl"
#include "workgroup/load_tile.glsl"

#define s_numbers s_places // with values, when all is sorted: of the samples in order, which number each had

void load_keys(uint begin, uint length, uint count) {
    uint elements[KEYS_PER_THREAD];
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool sampled = i < SAMPLE_SLOTS;
        elements[i] = sampled ? sampled_element(element_of(i), max(SAMPLES, 1), count) : begin + min(element_of(i) - SAMPLES, length - 1);
    }
    if (has_flag(kFlagStrided)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = load_strided_key(elements[i]);
        }
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = keys0[elements[i]];
        }
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = ordered_from_bits(keys[i]);
    }
}

void note_windows(uint k, uint first, uint end, uint above) {
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = first; i < end; ++i) {
        uint window = key_window(keys[i], above);
        least = min(least, window);
        greatest = max(greatest, window);
    }
    note_extremes(k, least, greatest);
}

// As find_range(), of the samples and of the tile.
void find_ranges(out KeyRange samples, out KeyRange tile) {
    uvec2 above = uvec2(0);
    clear_extremes();
    barrier();
    for (uint round = 0; round < KEY_WORDS; ++round) {
        if (SAMPLES > 0) {
            note_windows(1, 0, SAMPLE_SLOTS, above.y);
        }
        note_windows(0, SAMPLE_SLOTS, KEYS_PER_THREAD, above.x);
        barrier();
        bvec2 flat_windows = bvec2(s_leasts[0] == s_greatests[0], SAMPLES > 0 && s_leasts[1] == s_greatests[1]);
        if (round + 1 == KEY_WORDS || !any(flat_windows)) {
            break;
        }
        above = mix(uvec2(0), uvec2(32), flat_windows);
        barrier();
        clear_extremes();
        barrier();
    }
    tile = KeyRange(above.x, s_leasts[0], s_greatests[0]);
    samples = KeyRange(above.y, s_leasts[1], s_greatests[1]);
}

void sort_samples_and_tile() {
    if (pc.keyBytes >= 4 && sorts_all_bits()) { // as in sort_tile.glsl
        clear_bins();
        KeyRange samples, tile;
        find_ranges(samples, tile);
        if (SAMPLES > 0) {
            choose_bins(samples, 0, SAMPLE_SLOTS, tile_end, true);
        }
        choose_bins(tile, SAMPLE_SLOTS, KEYS_PER_THREAD, tile_end, SAMPLES > 0);
        if (sort_in_bins(tile_end, SAMPLES > 0)) {
            return;
        }
    }
    sort_by_digits(tile_end, pc.digitPasses);
}

// How many of the sorted `length` cells from `first` on have keys before `key` or, if `up_to`, not behind it.
uint cells_before(Key key, bool up_to, uint first, uint length) {
    uint before = 0;
    for (uint step = 1u << (findMSB(max(length, 1)) & ~1u); step > 0; step /= 4) { // three looks at once, since each waits
        uint steps = 0;
        [[unroll]] for (uint i = 1; i < 4; ++i) {
            uint next = before + i * step;
            Key other = cell_key(first + max(min(next, length), 1) - 1);
            bool precedes = up_to ? !key_before(key, other) : key_before(other, key);
            steps += next <= length && precedes ? 1 : 0;
        }
        before += steps * step;
    }
    return before;
}

// Of the samples in order, the one that begins a bucket.
uint splitter_rank(uint bucket, float samples_a_bucket) {
    return min(uint(float(bucket) * samples_a_bucket), max(SAMPLES, 1) - 1);
}

// Elements that equal the splitter are divided, or buckets could not be even where keys are few. With values by its place in the input, so that the
// order is stable: of the tile those before it come first. Without by how many of the samples that equal it stand before it.
float share_before(Key splitter, uint rank, uint tile, uint length, uint count) {
    if (VALUE_WORDS > 0) {
        int place = int(sampled_element(s_numbers[rank], max(SAMPLES, 1), count)) - int(tile * pc.tileSize);
        return clamp(float(place) / float(length), 0.0, 1.0);
    }
    uint first = cells_before(splitter, false, 0, SAMPLES);
    return float(rank - first) / float(cells_before(splitter, true, 0, SAMPLES) - first);
}

void store_cuts(uint tile, uint length, uint count) {
    if (VALUE_WORDS > 0) {
        KEY_LOOP for (uint i = 0; i < SAMPLE_SLOTS; ++i) {
            s_numbers[bins[i]] = element_of(i);
        }
        barrier();
    }
    uint buckets = bucket_count(count);
    float samples_a_bucket = float(SAMPLES) / float(buckets);
    for (uint bucket = thread_index + 1; bucket < buckets; bucket += WORKGROUP_SIZE) {
        uint rank = splitter_rank(bucket, samples_a_bucket);
        Key splitter = cell_key(rank);
        uint cut = cells_before(splitter, false, SAMPLES, length);
        bool one = cut < length && cell_key(SAMPLES + cut) == splitter;
        bool several = one && cut + 1 < length && cell_key(SAMPLES + min(cut, length - 2) + 1) == splitter;
        if (several || (one && VALUE_WORDS > 0)) { // else it does not matter
            uint equal = several ? cells_before(splitter, true, SAMPLES, length) - cut : 1;
            cut += min(uint(share_before(splitter, rank, tile, length, count) * float(equal)), equal);
        }
        state[cut_word(bucket, tile)] = cut;
        if (tile == 0) {
            [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                state[splitter_word(bucket) + w] = key_word(splitter, w);
            }
        }
    }
}

void store_keys(uint begin, uint length) {
    KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {
        if (element_of(i) < length) {
            keys2[begin + element_of(i)] = cell_key(SAMPLES + element_of(i));
        }
    }
}

void store_samples(uint tile, uint length) {
    for (uint j = thread_index; j < sample_count(length); j += WORKGROUP_SIZE) {
        Key key = cell_key((j + 1) * kRankedGap - 1);
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            state[sample_word(tile, j) + w] = key_word(key, w);
        }
    }
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot0, slot2, begin, length)

void main() {
    uint count = element_count();
    uint tile = group_index;
    if (tile == 0 && thread_index == 0) {
        control.count = count;
        control.digitPassesRun = 0;
        control.fallbacks = 0;
        control.copied = has_flag(kFlagPacked) ? 1 : 0;
        control.copyFrom = 1;
        control.copyFlags = kCopyKeys;
    }
    if (tile >= tile_count(count)) {
        return;
    }
    uint begin = tile * pc.tileSize;
    uint length = tile_length(count, tile);
    tile_end = SAMPLES + length;
    load_keys(begin, length, count);
    LOAD_INPUT_WORDS(words, begin, length) // now, as they are waited for with the keys
    sort_samples_and_tile();
    store_keys(begin, length);
    if (SAMPLES > 0) {
        store_cuts(tile, length, count);
    } else {
        store_samples(tile, length);
    }
    MOVE_INPUT_VALUES(words, begin, length, values2)
}
