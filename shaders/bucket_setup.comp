#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of bucket_sort, one workgroup and those that run ahead of it, kSetupParts: reads the count, and decides by a sample of the keys
// whether they are spread so evenly that buckets which nobody has counted have room for them, and over which range. Keys that are in order,
// uneven, few or of few values are left to the passes behind.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "device/sampled_keys.glsl"
#include "device/ahead.glsl"
#define EXTREMES_OF 2 // by distribution, on two sides
#include "workgroup/extremes.glsl"
#define SAMPLED TILE_SIZE
#include "workgroup/evenness.glsl"
#include "workgroup/scan_shared.glsl"

// All sizes of msd's dispatches, and its statistics: of what does not run nobody else writes any.
layout(set = 0, binding = kBindingArgs, std430) buffer ArgsWords { uint args_words[]; };
layout(set = 0, binding = kBindingState, std430) buffer MsdStatistics { uvec4 msd_statistics; };

const uint kHashes = 1024; // of sampled keys

shared Key s_samples[TILE_SIZE];
shared uint s_hashed[kHashes]; // the first of the sampled keys that have this hash; of a hash that none has, the last one of all
shared uint s_repeated;        // sampled keys that equal the first one of their hash
shared uint s_disorder;
// By distribution.
const uint PARTS_PER_THREAD = (kRangeParts + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;
shared uint s_range_parts[BY_DISTRIBUTION ? kRangeParts : 1]; // sampled keys, then the part's cells as state has them
shared uint s_cell_firsts[BY_DISTRIBUTION ? kHashes : 1];     // as s_hashed, by the cell
shared uint s_near_parts;                                     // that have sampled keys, or whose neighbours do
shared uint s_in_cell;                                        // sampled keys that are in the same cell as the first one there
shared uint s_near_cell;                                      // and in the same part of it

Key samples[KEYS_PER_THREAD];
Key next[KEYS_PER_THREAD];

uint sample_number(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

void load_samples(uint count) {
    LOAD_SAMPLED_KEYS(samples, 0, count)
    LOAD_SAMPLED_KEYS(next, 1, count)
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        samples[i] = ordered_from_bits(samples[i]);
        next[i] = ordered_from_bits(next[i]);
    }
}

void clear_sums() {
    clear_parts();
    for (uint i = thread_index; i < kHashes; i += WORKGROUP_SIZE) {
        s_hashed[i] = TILE_SIZE - 1;
    }
    if (thread_index == 0) {
        s_disorder = 0;
        s_repeated = 0;
        s_near_parts = 0;
        s_in_cell = 0;
        s_near_cell = 0;
    }
    for (uint i = thread_index; BY_DISTRIBUTION && i < kHashes; i += WORKGROUP_SIZE) {
        s_cell_firsts[i] = TILE_SIZE - 1;
    }
    for (uint i = thread_index; BY_DISTRIBUTION && i < kRangeParts; i += WORKGROUP_SIZE) {
        s_range_parts[i] = 0;
    }
}

uint hash_of(Key key) {
    uint mixed = key_word(key, 0) * 0x9E3779B9u + highest_word(key);
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6Bu;
    return (mixed ^ mixed >> 13) * 0xC2B2AE35u / (0xFFFFFFFFu / kHashes + 1);
}

// Before find_range(), whose barriers it needs.
void note_samples() {
    bool in_order = true;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_samples[sample_number(i)] = samples[i];
        atomicMin(s_hashed[hash_of(samples[i])], sample_number(i));
        in_order = in_order && !key_before(next[i], samples[i]);
    }
    if (!in_order) {
        atomicOr(s_disorder, 1);
    }
}

void count_repeated() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint first = s_hashed[hash_of(samples[i])];
        if (first != sample_number(i) && s_samples[first] == samples[i]) {
            atomicAdd(s_repeated, 1);
        }
    }
}

Margins margins = Margins(0.0, 1.0);

#if KEY_WORDS == 1

Key sum_to_most(Key a, Key b) {
    return a + min(b, ~a);
}

Key difference_from_0(Key a, Key b) {
    return a - min(a, b);
}

uint leading_zeros(Key key) {
    return key == 0 ? 31 : 31 - findMSB(key);
}

Key four_times_to_far(Key span) {
    return min(span, kFar / 4) * 4;
}

// Of keys that have these highest words, all there may be.
Scaling range_of_words(uint first, uint last) {
    return Scaling(first, last - first, 0);
}

#else

// `b` is below 2^63.
Key sum_to_most(Key a, Key b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    uint high = a.y + b.y + carry;
    return high < a.y ? kPadKey : Key(low, high);
}

Key difference_from_0(Key a, Key b) {
    return key_before(a, b) ? Key(0) : distance_of(Scaling(b, Key(0), 0), a);
}

uint leading_zeros(Key key) {
    return key.y != 0 ? 31 - findMSB(key.y) : key.x != 0 ? 63 - findMSB(key.x) : 63;
}

Key four_times_to_far(Key span) {
    return span.y >= kFar / 4 ? Key(0, kFar) : Key(span.x << 2, span.y << 2 | span.x >> 30);
}

Scaling range_of_words(uint first, uint last) {
    return Scaling(Key(0, first), Key(0xFFFFFFFFu, last - first), 0);
}

#endif

#if KEY_WORDS == 1

// Range of the sampled keys and of what they stand for. Its shift is that of its greatest distance's highest word.
Scaling find_range() {
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        least = min(least, samples[i]);
        greatest = max(greatest, samples[i]);
    }
    add_extremes(least, greatest);
    uvec2 range = with_margin(s_least, s_greatest);
    uint span = range.y - range.x;
    margins = margins_of(range, s_least, s_greatest);
    return Scaling(range.x, span, leading_zeros(span));
}

#else

// First by the high words alone, and then by the 32 bits that tell distances from there apart.
Scaling find_range() {
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        least = min(least, samples[i].y);
        greatest = max(greatest, samples[i].y);
    }
    add_extremes(least, greatest);
    uvec2 high = with_margin(s_least, s_greatest);
    high = uvec2(high.x - min(high.x, 1), high.y + min(0xFFFFFFFFu - high.y, 1));
    uint bits = findMSB(high.y - high.x) + 1; // 1 to 32, of the high words' distances
    Scaling from_high = Scaling(Key(0, high.x), kPadKey, 32 - bits);
    barrier();
    clear_extremes();
    barrier();
    least = 0xFFFFFFFFu;
    greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint window = scaled_key(from_high, distance_of(from_high, samples[i])).y;
        least = min(least, window);
        greatest = max(greatest, window);
    }
    add_extremes(least, greatest);
    uvec2 range = with_margin(s_least, s_greatest);
    uint width = range.y - range.x;
    margins = margins_of(range, s_least, s_greatest);
    uint shift = width == 0 ? 31 : 31 - findMSB(width);
    // Back to distances, of which a window leaves out the last `bits`.
    bool by_word = bits == 32;
    uint below = by_word ? 0xFFFFFFFFu : (1u << bits) - 1u;
    Key first = by_word ? Key(0, range.x) : Key(range.x << bits, range.x >> (32 - bits));
    Key span = by_word ? Key(below, width) : Key(width << bits | below, width >> (32 - bits));
    return Scaling(Key(first.x, first.y + high.x), span, shift + 32 - bits);
}

#endif

// By distribution.
Numbering find_numbering() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = highest_word(samples[i]);
        note_extremes(word >> 31, word, word);
    }
    barrier();
    uvec2 leasts = uvec2(s_leasts[0], s_leasts[1]);
    uvec2 greatests = uvec2(s_greatests[0], s_greatests[1]);
    uvec2 gap = uvec2(0xFFFFFFFFu);
    Scaling sampled;
    if (all(lessThanEqual(leasts, greatests))) { // on both sides of 0
        gap = uvec2(greatests.x + min(~greatests.x & 0x7FFFFFFFu, kFar), leasts.y - min(leasts.y & 0x7FFFFFFFu, kFar));
        sampled = range_of_words(leasts.x, gap.x + (greatests.y - gap.y));
    } else {
        barrier();
        clear_extremes();
        barrier();
        sampled = find_range();
    }
    Key beside = four_times_to_far(sampled.span);
    Key least = difference_from_0(sampled.least, beside);
    Key span = difference_from_0(sum_to_most(sum_to_most(sampled.least, sampled.span), beside), least);
    return Numbering(gap.x, gap.y, Scaling(least, span, min(leading_zeros(span), 31)));
}

void note_parts() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        atomicAdd(s_range_parts[part_of_number(number_of(numbering, samples[i]))], 1);
    }
}

// How many cells there are. A barrier must come before; one comes at the end.
uint divide_parts(uint buckets) {
    uint sampled[PARTS_PER_THREAD];
    uint near = 0;
    [[unroll]] for (uint j = 0; j < PARTS_PER_THREAD; ++j) {
        uint part = thread_index * PARTS_PER_THREAD + j;
        // Neighbours' count, too, as of the outermost parts few keys are sampled.
        sampled[j] = part < kRangeParts ? 2 * s_range_parts[part] + s_range_parts[max(part, 1) - 1] + s_range_parts[min(part + 1, kRangeParts - 1)] : 0;
        near += sampled[j] != 0 ? 1 : 0;
    }
    if (near != 0) {
        atomicAdd(s_near_parts, near);
    }
    barrier();
    // A quarter of the cells are the same for all that have some: the density of few keys may fall by orders of magnitude within a part. And a few are
    // every part's, for keys where nobody is sampled.
    const uint kLeastCells = max(RANGE_CELLS / (4 * kRangeParts), 1);
    uint budget = min(RANGE_CELLS - kLeastCells * kRangeParts, kCellsABucket * buckets);
    uint alike = budget / 4 / max(s_near_parts, 1); // none in who runs ahead
    uint bits[PARTS_PER_THREAD]; // of a part's cell
    uint own = 0;
    [[unroll]] for (uint j = 0; j < PARTS_PER_THREAD; ++j) {
        uint part = thread_index * PARTS_PER_THREAD + j;
        uint most = sampled[j] * (budget - budget / 4) / (4 * TILE_SIZE) + (sampled[j] != 0 ? alike : 0);
        bits[j] = kPartBits - min(uint(findMSB(max(most, kLeastCells))), kPartBits - 1);
        own += part < kRangeParts ? 1u << (kPartBits - bits[j]) : 0;
    }
    uint cells;
    uint first = wg_exclusive_add(own, cells);
    [[unroll]] for (uint j = 0; j < PARTS_PER_THREAD; ++j) {
        uint part = thread_index * PARTS_PER_THREAD + j;
        if (part < kRangeParts) {
            s_range_parts[part] = first << 5 | bits[j];
        }
        first += 1u << (kPartBits - bits[j]);
    }
    barrier();
    return cells;
}

// Two steps, with a barrier between: keys of a cell are spread evenly over it if as many are near the first one as there should be.
const uint kNear = 16;

CellPlace place_of_sample(Key key) {
    uint number = number_of(numbering, key);
    return place_in_cell(number, s_range_parts[part_of_number(number)]);
}

void note_cells() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        atomicMin(s_cell_firsts[place_of_sample(samples[i]).cell % kHashes], sample_number(i));
    }
}

void count_in_cells() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        CellPlace place = place_of_sample(samples[i]);
        Key key = s_samples[s_cell_firsts[place.cell % kHashes]];
        CellPlace first = place_of_sample(key);
        if (key != samples[i] && first.cell == place.cell) {
            atomicAdd(s_in_cell, 1);
            if (first.rest / (0xFFFFFFFFu / kNear + 1) == place.rest / (0xFFFFFFFFu / kNear + 1)) {
                atomicAdd(s_near_cell, 1);
            }
        }
    }
}

bool are_even_in_cells() {
    float expected = float(s_in_cell) / float(kNear);
    return float(s_near_cell) <= 1.5 * expected + 4.0 * sqrt(expected) + 4.0;
}

// The factor whose product with `greatest`, of which bit 31 is set, is just below parts * 2^32.
uint scale_for(uint parts, uint greatest) {
    uint scale = max(uint(float(parts) * (4294967296.0 / (float(greatest) + 1.0))), 1);
    uint part, rest;
    umulExtended(greatest, scale, part, rest); // floats may have rounded up
    return part < parts ? scale : scale - 1;
}

// Buckets of all the keys, and in control.scale the factor that tells a key's. It is a whole number, and of few buckets a small one: there, rounded
// up, it makes one more of them.
uint choose_buckets(uint count, float stretched, uint greatest) {
    const uint kFew = 40;
    uint most = bucket_capacity(count);
    uint wanted = stretched == 1.0 ? divide_up(count, pc.bucketMean) : uint(ceil(float(count) * stretched / float(pc.bucketMean)));
    bool few = wanted < kFew;
    wanted = min(wanted, few ? most - 1 : most);
    uint scale = scale_for(wanted, greatest) + (few ? 1 : 0);
    if (group_index == 0 && thread_index == 0) {
        control.scale = scale;
    }
    uint last, rest;
    umulExtended(greatest, scale, last, rest);
    return last + 1;
}

void count_parts(Scaling scaling, uint greatest) {
    uint scale = scale_for(kEvenParts, greatest);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint rest;
        note_part(bucket_of(scaled_key(scaling, distance_of(scaling, samples[i])), scale, rest));
    }
}

// Of an eighth as many values as keys, which buckets sort as quickly as any, about so many samples are seen to repeat.
bool are_few_values(uint count) {
    return s_repeated > clamp(4 * TILE_SIZE * TILE_SIZE / count, 3, TILE_SIZE / 4);
}

// Whether the range has so few values that there are a hundred keys of each, though of many values few samples repeat. Bins are slow to put so many equal
// keys in order, and overflow with twice as many.
bool is_narrow(Key span, uint count) {
    const uint kKeysEach = 100;
    return (KEY_WORDS == 1 || key_word(span, 1) == 0) && key_word(span, 0) < count / kKeysEach;
}

// By one invocation.
void size_buckets(uint count, uint buckets) {
    uint rooms_each = min(room_count(buckets), ROOMS_EACH);
    args.bucketRooms = dispatch_args(buckets == 0 ? 0 : divide_up(count, pc.firstTile));
    args.buckets = dispatch_args(rooms_each * tiles_of_room());
    args.bucketPlaces = dispatch_args(rooms_each);
    args.bucketFinish = dispatch_args(min(buckets, rooms_each << pc.roomBits));
    args.bucketRestore = dispatch_args(0);
}

// Whether the keys are for buckets: how many.
uint decide(uint count) {
    if (runs_part(1)) {
        load_samples(count);
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            samples[i] = Key(0);
        }
    }
    clear_sums();
    clear_extremes();
    barrier();
    if (runs_part(1)) {
        note_samples();
    }
    Scaling scaling = Scaling(Key(0), Key(0), 31);
    uint greatest = 1u << 31;
    numbering = Numbering(0xFFFFFFFFu, 0xFFFFFFFFu, scaling);
    if (runs_part(2) && BY_DISTRIBUTION) {
        numbering = find_numbering();
        note_parts();
        scaling = Scaling(Key(0), kPadKey, 0);
        greatest = 0xFFFFFFFFu;
    } else if (runs_part(2)) {
        scaling = find_range();
        greatest = highest_word(scaled_key(scaling, scaling.span)) | 1u << 31; // of equal keys, too
    }
    if (runs_part(3)) {
        count_repeated();
    }
    if (runs_part(4) && !BY_DISTRIBUTION) {
        count_parts(scaling, greatest);
    }
    barrier();
    float stretched = 1.0;
    uint chosen = 0;
    if (runs_part(5)) {
        bool whole = scaling.least == Key(0) && scaling.span == kPadKey;
        stretched = whole ? 1.0 : stretch(margins);
        chosen = choose_buckets(count, stretched, greatest);
    }
    uint cells = 0;
    if (runs_part(4) && BY_DISTRIBUTION) {
        cells = divide_parts(chosen);
        note_cells();
        barrier();
        count_in_cells();
        barrier();
    }
    bool even = false;
    if (runs_part(6)) {
        bool spread = BY_DISTRIBUTION ? are_even_in_cells() : are_even(margins, stretched); // first, as who runs ahead knows of no disorder
        even = spread && s_disorder != 0 && !are_few_values(count) && !is_narrow(scaling.span, count);
    }
    if (group_index == 0 && thread_index == 0) {
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            control.least[w] = key_word(scaling.least, w);
            control.span[w] = key_word(scaling.span, w);
        }
        control.shift = scaling.shift;
        if (BY_DISTRIBUTION) {
            [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                control.innerLeast[w] = key_word(numbering.inner.least, w);
                control.innerSpan[w] = key_word(numbering.inner.span, w);
            }
            control.innerShift = numbering.inner.shift;
            control.lowerEnd = numbering.lowerEnd;
            control.upperBegin = numbering.upperBegin;
            control.leastNumber = 0xFFFFFFFFu;
            control.greatestNumber = 0;
            control.cells = cells;
            control.cellsCounted = 0;
        }
    }
    if (BY_DISTRIBUTION && even && group_index == 0) {
        for (uint i = thread_index; i < kRangeParts; i += WORKGROUP_SIZE) {
            state[part_word(i)] = s_range_parts[i];
        }
        for (uint i = thread_index; i < cells; i += WORKGROUP_SIZE) {
            state[cell_word(i)] = 0;
        }
    }
    return even ? chosen : 0;
}

void main() {
    uint count = element_count();
    bool begins = group_index == 0 && thread_index == WORKGROUP_SIZE - 1;
    PassSizes passes;
    if (begins) { // while others wait for samples
        begin_control(count);
        passes = pass_sizes(count);
    }
    uint buckets = 0;
    if (count >= max(kLeastSampled, 4 * TILE_SIZE)) {
        buckets = decide(count);
    }
    if (group_index != 0) {
        return;
    }
    uint rooms = room_count(buckets); // what is in their buckets is cleared by who fills the rooms
    for (uint i = thread_index; i < rooms; i += WORKGROUP_SIZE) {
        state[room_word(i)] = 0;
    }
    clear_digit_bins();
    bool left = buckets == 0 && count > 0;
    if (thread_index == 0) {
        control.buckets = buckets;
        control.overflow = 0;
    }
    if (has_flag(kFlagBucketArgs) && thread_index == 0) {
        size_buckets(count, buckets);
    }
    if (has_flag(kFlagBeforeMsd)) {
        for (uint i = thread_index; i < kMsdArgsWords; i += WORKGROUP_SIZE) {
            args_words[i] = 0;
        }
        if (thread_index == 0) {
            args.msd = dispatch_args(left ? 1 : 0);
            msd_statistics = uvec4(count, 0, 0, 0);
        }
    } else if (thread_index == 0 && has_flag(kFlagOneDispatch)) {
        begin_sweeps(left);
    } else if (begins) {
        size_passes(left ? passes : PassSizes(dispatch_args(0), dispatch_args(0)));
    }
}
