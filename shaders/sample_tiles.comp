#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort, first step, one workgroup a tile: sorts the tile, and notes how many of its elements stand before each bucket. Where buckets begin
// every workgroup works out for itself, from the same sample of all the elements: where the sampled keys are spread evenly, at even distances in
// their range, or else at splitters, which are samples at even distances in the order of the samples, sorted before the tile is. Many keys that are
// not even are left to the passes behind: nothing has been written over them yet.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "device/sampled_keys.glsl"

#define LEAVES_UNEVEN ((FLAGS & kFlagLeavesUneven) != 0)

// Of an invocation's places for keys, those that the tile's and the samples' take.
#define TILE_SLOTS TILE_KEYS
const uint SAMPLE_SLOTS = SAMPLES / WORKGROUP_SIZE;

#define MOVES_ELSEWHERE
// Windows of two keys take a round for each key of a bin: more bins are cheaper. (NVIDIA H200, 2^16 and 2^17 elements: even keys 0 to 2 % more, AND-ed
// ones 0 to 8 % less.)
#define MORE_BINS (KEYS_PER_THREAD == 2 ? 2 : 1)
#define LEAST_BIN_WORDS MORE_BINS
#define SKIPS_PADDING 1
#define EXTREMES_OF 2
#include "workgroup/sort_tile.glsl"
#include "workgroup/equal_bins.glsl"
#include "workgroup/load_tile.glsl"
#include "device/begin_passes.glsl"

// Samples that show whether keys are even: not all of them, as loads from all over the keys are slow.
const uint EVEN_SLOTS = (kEvenSamples - 1) / WORKGROUP_SIZE + 1;
const uint SAMPLED = EVEN_SLOTS * WORKGROUP_SIZE;
#include "workgroup/evenness.glsl"

const uint kLeastSpan = 4096; // of even keys, so that parts and buckets of them have about as many values each

Key even_samples[EVEN_SLOTS];

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

#define NOTE_WINDOWS(k, some, slots, above)                                \
    {                                                                      \
        uint least = 0xFFFFFFFFu;                                          \
        uint greatest = 0;                                                 \
        KEY_LOOP for (uint i = 0; i < (slots); ++i) {                      \
            uint window = key_window(some[i], above);                      \
            least = min(least, window);                                    \
            greatest = max(greatest, window);                              \
        }                                                                  \
        note_extremes(k, least, greatest);                                 \
    }

// As find_range(), of the tile and of the samples. A barrier must come before, with clear_extremes() in front of it.
void find_ranges(out KeyRange tile, out KeyRange sampled) {
    uvec2 above = uvec2(0);
    for (uint round = 0; round < KEY_WORDS; ++round) {
        NOTE_WINDOWS(0, keys, TILE_SLOTS, above.x)
        NOTE_WINDOWS(1, even_samples, EVEN_SLOTS, above.y)
        barrier();
        bvec2 flat_windows = bvec2(s_leasts[0] == s_greatests[0], s_leasts[1] == s_greatests[1]);
        if (round + 1 == KEY_WORDS || !any(flat_windows)) {
            break;
        }
        above = mix(uvec2(0), uvec2(32), flat_windows);
        barrier();
        clear_extremes();
        barrier();
    }
    tile = KeyRange(above.x, s_leasts[0], s_greatests[0]);
    sampled = KeyRange(above.y, s_leasts[1], s_greatests[1]);
}

// Which of kEvenParts parts of the range that keys are expected in each sample is in.
void note_parts(KeyRange expected) {
    uint span = expected.greatest - expected.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint factor = factor_for(span << shift);
    KEY_LOOP for (uint i = 0; i < EVEN_SLOTS; ++i) {
        note_part(part_of((key_window(even_samples[i], expected.above) - expected.least) << shift, kEvenParts, factor));
    }
}

bool are_samples_even(KeyRange sampled, KeyRange expected) {
    uvec2 range = uvec2(expected.least, expected.greatest);
    Margins margins = margins_of(range, sampled.least, sampled.greatest);
    bool whole = range == uvec2(0, 0xFFFFFFFFu);
    return range.y - range.x >= kLeastSpan && are_even(margins, whole ? 1.0 : stretch(margins));
}

// Of the bucket but the first, the least key that the range has for it.
Key even_splitter(uint bucket, uint buckets, KeyRange expected) {
    uint above, below;
    umulExtended(expected.greatest - expected.least, bucket * (0xFFFFFFFFu / buckets), above, below);
    uint window = expected.least + above;
#if KEY_WORDS == 1
    return window;
#else
    return expected.above == 0 ? Key(0, window) : Key(window, even_samples[0].y);
#endif
}

// How many of the sorted `length` cells have keys before `key` or, if `up_to`, not behind it.
uint cells_before(Key key, bool up_to, uint length) {
    uint before = 0;
    for (uint step = 1u << (findMSB(max(length, 1)) & ~1u); step > 0; step /= 4) { // three looks at once, since each waits
        uint steps = 0;
        [[unroll]] for (uint i = 1; i < 4; ++i) {
            uint next = before + i * step;
            Key other = cell_key(max(min(next, length), 1) - 1);
            bool precedes = up_to ? !key_before(key, other) : key_before(other, key);
            steps += next <= length && precedes ? 1 : 0;
        }
        before += steps * step;
    }
    return before;
}

// A sample that begins a bucket. Elements that equal it are divided, or buckets could not be even where keys are few. With values by its place in the
// input, `mark`, so that the order is stable: of the tile those before it come first. Without by how many of the samples that equal it stand before it,
// of which `mark` has the share, a float's bits.
struct Splitter {
    Key key;
    uint mark;
};

// Of the buckets that an invocation marks off.
const uint kSplittersEach = 2;
Splitter splitters[kSplittersEach];

uint bucket_of_splitter(uint k) {
    return k * WORKGROUP_SIZE + thread_index + 1;
}

// In the order of the sorted samples the numbers that they had, two to a word, in s_places.
void note_sample_numbers() {
    if (VALUE_WORDS > 0) {
        for (uint i = thread_index; i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
            s_places[i] = 0;
        }
        barrier();
        KEY_LOOP for (uint i = 0; i < SAMPLE_SLOTS; ++i) {
            atomicOr(s_places[bins[i] / 2], element_of(i) << (bins[i] % 2 * 16));
        }
        barrier();
    }
}

void find_splitters(uint buckets, uint count) {
    note_sample_numbers();
    float samples_a_bucket = float(SAMPLES) / float(buckets);
    [[unroll]] for (uint k = 0; k < kSplittersEach; ++k) {
        uint rank = min(uint(float(bucket_of_splitter(k)) * samples_a_bucket), SAMPLES - 1);
        splitters[k].key = cell_key(rank);
        if (VALUE_WORDS > 0) {
            splitters[k].mark = sampled_element(cell_element(rank), SAMPLES, count);
        } else {
            uint first = cells_before(splitters[k].key, false, SAMPLES);
            uint end = cells_before(splitters[k].key, true, SAMPLES);
            splitters[k].mark = floatBitsToUint(float(rank - first) / float(end - first));
        }
    }
}

// Of the tile's elements that equal the splitter, the share that stands before the bucket.
float share_before(Splitter splitter, uint begin, uint length) {
    if (VALUE_WORDS > 0) {
        return clamp(float(int(splitter.mark - begin)) / float(length), 0.0, 1.0);
    }
    return uintBitsToFloat(splitter.mark);
}

uint cut_at(Splitter splitter, uint begin, uint length) {
    uint cut = cells_before(splitter.key, false, length);
    bool one = cut < length && cell_key(cut) == splitter.key;
    bool several = one && cut + 1 < length && cell_key(min(cut, length - 2) + 1) == splitter.key;
    if (several || (one && VALUE_WORDS > 0)) { // else it does not matter
        uint equal = several ? cells_before(splitter.key, true, length) - cut : 1;
        cut += min(uint(share_before(splitter, begin, length) * float(equal)), equal);
    }
    return cut;
}

void store_cut(uint tile, uint bucket, uint cut, Key splitter) {
    state[cut_word(bucket, tile)] = cut;
    if (tile == 0) {
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            state[splitter_word(bucket) + w] = key_word(splitter, w);
        }
    }
}

void store_even_cuts(uint tile, uint buckets, uint length, KeyRange expected) {
    for (uint bucket = thread_index + 1; bucket < buckets; bucket += WORKGROUP_SIZE) {
        Key splitter = even_splitter(bucket, buckets, expected);
        store_cut(tile, bucket, cells_before(splitter, false, length), splitter);
    }
}

void store_sampled_cuts(uint tile, uint buckets, uint length) {
    [[unroll]] for (uint k = 0; k < kSplittersEach; ++k) {
        uint bucket = bucket_of_splitter(k);
        if (bucket < buckets) {
            store_cut(tile, bucket, cut_at(splitters[k], tile * pc.firstTile, length), splitters[k].key);
        }
    }
}

void note_buckets(uint tile, uint buckets, bool even) {
    if (tile == 0 && thread_index == 0) {
        control.buckets = buckets;
        control.fallbacks = even ? 0 : 1;
    }
}

// To the passes behind, which read the input. By the first workgroup.
void leave_elements(uint count) {
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
            keys2[begin + element_of(i)] = cell_key(element_of(i));
        }
    }
}

// As they were stored, by the same invocations.
void restore_cells(uint begin, uint length) {
    barrier();
    KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {
        if (element_of(i) < length) {
            store_cell(element_of(i), keys2[begin + element_of(i)]);
        }
    }
    barrier();
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second) GATHER_VALUES(type, slot0, slot2, begin, length)

void main() {
    uint count = element_count();
    uint tile = group_index;
    if (tile == 0 && thread_index == 0) {
        begin_sample_sort(count);
    }
    uint begin = tile * pc.firstTile;
    if (begin >= count) {
        return;
    }
    uint length = tile_length(count, tile);
    load_keys(begin, length);
    LOAD_SAMPLES(even_samples, EVEN_SLOTS, count)
    LOAD_INPUT_WORDS(words, begin, length) // now, as they are waited for with the keys
    bool by_bins = are_for_bins();
    clear_for_bins();
    if (by_bins) {
        clear_parts();
    }
    REPEAT_FIRST_FROM(TILE_SLOTS)
    ORDER_KEYS(keys, KEYS_PER_THREAD)
    ORDER_KEYS(even_samples, EVEN_SLOTS)
    bool even = false;
    bool sorted = false;
    KeyRange range = KeyRange(0, 0, 0);
    KeyRange expected = KeyRange(0, 0, 0);
    if (by_bins) {
        barrier();
        KeyRange sampled;
        find_ranges(range, sampled);
        uvec2 ends = with_margin(sampled.least, sampled.greatest);
        expected = KeyRange(sampled.above, ends.x, ends.y);
        note_parts(expected);
        sorted = sort_by_bins(range, length, false);
        even = are_samples_even(sampled, expected);
    }
    uint buckets = even ? even_bucket_count(count) : sampled_bucket_count(count);
    note_buckets(tile, buckets, even);
    if (even && sorted) {
        store_keys(begin, length);
        store_even_cuts(tile, buckets, length, expected);
        MOVE_INPUT_VALUES(words, begin, length, values2)
        return;
    }

    if (LEAVES_UNEVEN && !even) {
        if (tile == 0) {
            leave_elements(count);
        }
        return;
    }
    even = even || LEAVES_UNEVEN; // one turn
    // Other keys: the tile, if bins sort it after all, or keys are even; the samples; the tile's cells again. Code apart, as in sort_tile.glsl.
    uint refused = sorted ? 0 : ways_refused(length);
    bool stored = false;
    for (uint turn = 0; turn < 3; ++turn) {
        bool is_tile = turn != 1;
        uint some = is_tile ? length : SAMPLES;
        if (turn > 0 && !(is_tile && stored)) {
            load_again(is_tile, begin, length, count);
            if (refused < kWaysByBins) {
                clear_bins();
                range = find_range();
            }
            sorted = false;
        }
        if (is_tile && stored) {
            restore_cells(begin, length);
        } else {
            sorted = sorted || sort_by_other_bins(range, some, refused);
            if (!sorted && (even || turn > 0)) {
                sort_by_digits(some, pc.digitPasses);
                sorted = true;
            }
        }
        if (!is_tile) {
            find_splitters(buckets, count);
            continue;
        }
        bool stores = sorted && !stored;
        if (stores) {
            store_keys(begin, length);
        }
        if (even) {
            store_even_cuts(tile, buckets, length, expected);
        } else if (turn > 0) {
            store_sampled_cuts(tile, buckets, length);
        }
        if (stores) {
            MOVE_INPUT_VALUES(words, begin, length, values2)
        }
        stored = stored || sorted;
        if (even) {
            break;
        }
    }
}
