#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, first step, one workgroup a tile: sorts the tile, and notes how many of its elements stand before each
// bucket. Where buckets begin every workgroup works out for itself, from the same sample of all the elements: where the
// sampled keys are spread evenly, at even distances in their range, or else at splitters, which are samples at even
// distances in the order of the samples, sorted before the tile is. Many keys that are not even are left to the passes
// behind: nothing has been written over them yet.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "device/sampled_keys.glsl"

#define LEAVES_SKEWED ((FLAGS & kFlagLeavesSkewed) != 0)

// How many of an invocation's KEYS_PER_THREAD keys are the tile's, and how many are samples.
#define TILE_SLOTS TILE_KEYS
const uint SAMPLE_SLOTS = SAMPLES / WORKGROUP_SIZE;

#define MOVES_ELSEWHERE
// Register runs of two keys take a round for each key of a bin, so that more bins are cheaper: for AND-ed keys by up to 8 %
// (NVIDIA H200, 2^16 and 2^17 elements).
#define MORE_BINS (KEYS_PER_THREAD == 2 ? 2 : 1)
#define LEAST_BIN_WORDS MORE_BINS
#define SKIPS_PADDING 1
#define EXTREMES_OF 2
#include "workgroup/sort_tile.glsl"
#include "workgroup/equal_bins.glsl"
#include "workgroup/load_tile.glsl"
#include "device/begin_passes.glsl"

// Samples that show whether keys are uniform: not all of them, as loads from all over the keys are slow.
const uint UNIFORM_SLOTS = (kUniformSamples - 1) / WORKGROUP_SIZE + 1;
const uint SAMPLED = UNIFORM_SLOTS * WORKGROUP_SIZE;
#include "workgroup/uniformity.glsl"

const uint kLeastSpan = 4096; // values of the range of uniform keys, so that bins and buckets have about as many values each

Key uniform_samples[UNIFORM_SLOTS];

// Of a tile, from `begin` on, what lies beyond the end repeats the last one.
void load_keys(uint begin, uint length) {
    if (!has_flag(kFlagStrided)) {
        LOAD_FROM(keys, TILE_SLOTS, keys0, begin + min(element_of(i), length - 1))
    } else {
        KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {
            keys[i] = load_strided_key(begin + min(element_of(i), length - 1));
        }
    }
}

#define LOAD_SAMPLES(target, slots, count)                                                                  \
    if (!has_flag(kFlagStrided)) {                                                                          \
        LOAD_FROM(target, slots, keys0, sampled_element(element_of(i), (slots) * WORKGROUP_SIZE, count))    \
    } else {                                                                                                \
        KEY_LOOP for (uint i = 0; i < (slots); ++i) {                                                       \
            target[i] = load_strided_key(sampled_element(element_of(i), (slots) * WORKGROUP_SIZE, count));  \
        }                                                                                                   \
    }

#define ORDER_KEYS(target, slots)                     \
    KEY_LOOP for (uint i = 0; i < (slots); ++i) {     \
        target[i] = ordered_from_bits(target[i]);     \
    }

// What lies beyond an invocation's keys is to repeat one of them.
#define REPEAT_FIRST_FROM(slots)                                  \
    KEY_LOOP for (uint i = (slots); i < KEYS_PER_THREAD; ++i) {   \
        keys[i] = keys[0];                                        \
    }

// Once more the tile's keys, which have gone to other invocations, or else the samples. Ends with a barrier.
void load_again(bool is_tile, uint begin, uint length, uint count) {
    if (is_tile) {
        load_keys(begin, length);
        REPEAT_FIRST_FROM(TILE_SLOTS)
    } else {
        LOAD_SAMPLES(keys, SAMPLE_SLOTS, count)
        REPEAT_FIRST_FROM(SAMPLE_SLOTS)
    }
    ORDER_KEYS(keys, KEYS_PER_THREAD)
    barrier();
}

#define NOTE_KEY_WORDS(k, some, slots, above)           \
    {                                                   \
        uint least = 0xFFFFFFFFu;                       \
        uint greatest = 0;                              \
        KEY_LOOP for (uint i = 0; i < (slots); ++i) {   \
            uint word = key_word_below(some[i], above); \
            least = min(least, word);                   \
            greatest = max(greatest, word);             \
        }                                               \
        note_extremes(k, least, greatest);              \
    }

// As find_range(), of the tile and of the samples. A barrier must come before, with clear_extremes() in front of it.
void find_ranges(out KeyRange tile, out KeyRange sampled) {
    uvec2 above = uvec2(0);
    for (uint round = 0; round < KEY_WORDS; ++round) {
        NOTE_KEY_WORDS(0, keys, TILE_SLOTS, above.x)
        NOTE_KEY_WORDS(1, uniform_samples, UNIFORM_SLOTS, above.y)
        barrier();
        bvec2 constant_words = bvec2(s_leasts[0] == s_greatests[0], s_leasts[1] == s_greatests[1]);
        if (round + 1 == KEY_WORDS || !any(constant_words)) {
            break;
        }
        above = mix(uvec2(0), uvec2(32), constant_words);
        barrier();
        clear_extremes();
        barrier();
    }
    tile = KeyRange(above.x, s_leasts[0], s_greatests[0]);
    sampled = KeyRange(above.y, s_leasts[1], s_greatests[1]);
}

// Which of kUniformBins bins of the range that keys are expected in each sample is in.
void note_uniform_bins(KeyRange expected) {
    uint span = expected.greatest - expected.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint factor = factor_for(span << shift);
    KEY_LOOP for (uint i = 0; i < UNIFORM_SLOTS; ++i) {
        note_uniform_bin(equal_bin_of((key_word_below(uniform_samples[i], expected.above) - expected.least) << shift,
            kUniformBins, factor));
    }
}

bool are_samples_uniform(KeyRange sampled, KeyRange expected) {
    uvec2 range = uvec2(expected.least, expected.greatest);
    Margins margins = margins_of(range, sampled.least, sampled.greatest);
    bool whole = range == uvec2(0, 0xFFFFFFFFu);
    return range.y - range.x >= kLeastSpan && are_uniform(margins, whole ? 1.0 : stretch(margins));
}

#include "workgroup/splitters.glsl"

void note_buckets(uint tile, uint buckets, bool is_uniform) {
    if (tile == 0 && thread_index == 0) {
        control.buckets = buckets;
        control.fallbacks = is_uniform ? 0 : 1;
    }
}

// To the passes behind, which read the input. By the first workgroup.
void leave_elements(uint count) {
    if (group_index != 0) {
        return;
    }
    clear_digit_bins();
    if (thread_index == 0) {
        begin_control(count);
        control.buckets = 0;
        begin_sweeps(true);
    }
}

void store_keys(uint begin, uint length) {
    KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {
        if (element_of(i) < length) {
            keys2[begin + element_of(i)] = shared_key(element_of(i));
        }
    }
}

// As they were stored, by the same invocations.
void restore_shared_keys(uint begin, uint length) {
    barrier();
    KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {
        if (element_of(i) < length) {
            store_shared_key(element_of(i), keys2[begin + element_of(i)]);
        }
    }
    barrier();
}

// Puts the loaded keys and samples into ordered form.
void order_loaded() {
    REPEAT_FIRST_FROM(TILE_SLOTS)
    ORDER_KEYS(keys, KEYS_PER_THREAD)
    ORDER_KEYS(uniform_samples, UNIFORM_SLOTS)
}

// Sorts the tile by bins of equal width and, as it waits, judges the samples. Returns whether keys are uniform; leaves
// whether bins have sorted the tile, the tile's range and the one that all keys are expected in. A barrier comes first.
bool sort_if_uniform(uint length, inout KeyRange range, out KeyRange expected, out bool sorted) {
    barrier();
    KeyRange sampled;
    find_ranges(range, sampled);
    uvec2 ends = with_margin(sampled.least, sampled.greatest);
    expected = KeyRange(sampled.above, ends.x, ends.y);
    note_uniform_bins(expected);
    sorted = sort_by_bins(range, length, false);
    return are_samples_uniform(sampled, expected);
}

// Loads once more what a later turn sorts, and finds its range unless all bins have been refused.
void begin_turn(bool is_tile, uint begin, uint length, uint count, uint refused, inout KeyRange range) {
    load_again(is_tile, begin, length, count);
    if (refused < kWaysByBins) {
        clear_bins();
        range = find_range();
    }
}

// Sorts keys that bins of equal width have not: by other bins or, if that fails and `by_digits` allows, by digits. Returns
// whether they are sorted.
bool sort_others(KeyRange range, uint length, inout uint refused, bool by_digits) {
    bool sorted = sort_by_other_bins(range, length, refused);
    if (!sorted && by_digits) {
        sort_by_digits(length, pc.digitPasses);
        sorted = true;
    }
    return sorted;
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot0, slot2, begin, length)

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = element_count();
    uint tile = group_index;
    begin_sample_sort(count, tile == 0 && thread_index == 0);
    uint begin = tile * pc.firstTile;
    if (begin >= count) {
        return;
    }
    uint length = tile_length(count, tile);
    load_keys(begin, length);
    LOAD_SAMPLES(uniform_samples, UNIFORM_SLOTS, count)
    LOAD_INPUT_WORDS(words, begin, length) // now, as they are waited for with the keys
    bool by_bins = are_for_bins();
    clear_for_bins();
    if (by_bins) {
        clear_uniform_bins();
    }
    order_loaded();
    bool sorted = false;
    KeyRange range = KeyRange(0, 0, 0);
    KeyRange expected = KeyRange(0, 0, 0);
    bool is_uniform = false;
    if (by_bins) {
        is_uniform = sort_if_uniform(length, range, expected, sorted);
    }
    uint buckets = is_uniform ? uniform_bucket_count(count) : sampled_bucket_count(count);
    note_buckets(tile, buckets, is_uniform);
    if (is_uniform && sorted) {
        store_keys(begin, length);
        store_uniform_cuts(tile, buckets, length, expected);
        MOVE_INPUT_VALUES(words, begin, length, values2)
        return;
    }

    if (LEAVES_SKEWED && !is_uniform) {
        leave_elements(count);
        return;
    }
    is_uniform = is_uniform || LEAVES_SKEWED; // one turn
    // Other keys: the tile, if bins sort it after all; the samples; its slots again. Code apart, as in sort_tile.glsl.
    uint refused = sorted ? 0 : ways_refused(length);
    bool stored = false;
    for (uint turn = 0; turn < 3; ++turn) {
        bool is_tile = turn != 1;
        uint some = is_tile ? length : SAMPLES;
        if (turn > 0 && !(is_tile && stored)) {
            begin_turn(is_tile, begin, length, count, refused, range);
            sorted = false;
        }
        if (is_tile && stored) {
            restore_shared_keys(begin, length);
        } else if (!sorted) {
            sorted = sort_others(range, some, refused, is_uniform || turn > 0);
        }
        if (!is_tile) {
            find_splitters(buckets, count);
            continue;
        }
        bool stores = sorted && !stored;
        if (stores) {
            store_keys(begin, length);
        }
        if (is_uniform) {
            store_uniform_cuts(tile, buckets, length, expected);
        } else if (turn > 0) {
            store_sampled_cuts(tile, buckets, length);
        }
        if (stores) {
            MOVE_INPUT_VALUES(words, begin, length, values2)
        }
        stored = stored || sorted;
        if (is_uniform) {
            break;
        }
    }
}
