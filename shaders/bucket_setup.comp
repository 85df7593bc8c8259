#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of bucket_sort: one workgroup, and kSetupStages further ones that prefetch its code. Reads the count, and
// decides by a sample of the keys in which range they are, and whether they are so uniform that buckets can be filled
// without counting. Keys that are in order, skewed, few or of few values are left to the later passes.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "device/sampled_keys.glsl"
#include "device/prefetch.glsl"
#include "device/clear_args.glsl"
#define EXTREMES_OF 2 // by distribution, on two sides
#include "workgroup/extremes.glsl"
#define SAMPLED TILE_SIZE
#include "workgroup/uniformity.glsl"
#include "workgroup/scan_shared.glsl"

// The statistics of msd, which nothing else writes if msd does not run.
layout(set = 0, binding = kBindingState, std430) buffer MsdStatistics { uvec4 msd_statistics; };

const uint kHashes = 1024; // of sampled keys

shared Key s_samples[TILE_SIZE];
// The first of the sampled keys that have this hash; of a hash that none has, the last one of all.
shared uint s_hashed[kHashes];
shared uint s_repeated;        // sampled keys that equal the first one of their hash
shared uint s_disorder;

Key samples[KEYS_PER_THREAD];
Key next[KEYS_PER_THREAD];

uint sample_number(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

#include "workgroup/sampled_range.glsl"
#include "workgroup/sampled_cells.glsl"

void load_samples(uint count) {
    LOAD_SAMPLED_KEYS(samples, 0, count)
    LOAD_SAMPLED_KEYS(next, 1, count)
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        samples[i] = ordered_from_bits(samples[i]);
        next[i] = ordered_from_bits(next[i]);
    }
}

void clear_sums() {
    clear_uniform_bins();
    for (uint i = thread_index; i < kHashes; i += WORKGROUP_SIZE) {
        s_hashed[i] = TILE_SIZE - 1;
    }
    if (thread_index == 0) {
        s_disorder = 0;
        s_repeated = 0;
    }
    clear_cells();
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

// The factor whose product with `greatest`, of which bit 31 is set, is just below bins * 2^32.
uint scale_for(uint bins, uint greatest) {
    uint scale = max(uint(float(bins) * (4294967296.0 / (float(greatest) + 1.0))), 1);
    uint bin, rest;
    umulExtended(greatest, scale, bin, rest); // floats may have rounded up
    return bin < bins ? scale : scale - 1;
}

// Buckets of all the keys, and in control.scale the factor that tells a key's. It is a whole number, and of few buckets a
// small one: there, rounded up, it makes one more of them.
uint choose_buckets(uint count, float stretched, uint greatest) {
    const uint kFew = 40;
    uint most = bucket_capacity(count);
    uint wanted = stretched == 1.0 ? divide_up(count, pc.bucketMean) :
        uint(ceil(float(count) * stretched / float(pc.bucketMean)));
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

void count_uniform_bins(Scaling scaling, uint greatest) {
    uint scale = scale_for(kUniformBins, greatest);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint rest;
        note_uniform_bin(bucket_of(scaled_key(scaling, distance_of(scaling, samples[i])), scale, rest));
    }
}

// Of an eighth as many values as keys, which buckets sort as quickly as any, about this number of samples repeat.
bool are_few_values(uint count) {
    return s_repeated > clamp(4 * TILE_SIZE * TILE_SIZE / count, 3, TILE_SIZE / 4);
}

// Whether the range has so few values that there are a hundred keys of each, though of many values few samples repeat. Bins
// are slow to put that many equal keys in order, and overflow with twice as many.
bool is_narrow(Key span, uint count) {
    const uint kKeysEach = 100;
    return (KEY_WORDS == 1 || key_word(span, 1) == 0) && key_word(span, 0) < count / kKeysEach;
}

// By one invocation.
void size_buckets(uint count, uint buckets) {
    uint coarse_buckets_each = min(coarse_bucket_count(buckets), COARSE_BUCKETS_EACH);
    args.firstBuckets = dispatch_args(buckets == 0 ? 0 : divide_up(count, pc.firstTile));
    args.buckets = dispatch_args(coarse_buckets_each * tiles_of_coarse_bucket());
    args.bucketIndices = dispatch_args(coarse_buckets_each);
    args.bucketFinish = dispatch_args(min(buckets, coarse_buckets_each << pc.coarseBucketBits));
    args.bucketRestore = dispatch_args(0);
}

// By one invocation: leaves the scaling to the steps behind and, by distribution, the numbering and how many cells there
// are.
void store_scaling(Scaling scaling, uint cells) {
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

// Whether the keys are for buckets: how many.
uint decide(uint count) {
    if (executes_stage(1)) {
        load_samples(count);
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            samples[i] = Key(0);
        }
    }
    clear_sums();
    clear_extremes();
    barrier();
    if (executes_stage(1)) {
        note_samples();
    }
    Scaling scaling = Scaling(Key(0), Key(0), 31);
    uint greatest = 1u << 31;
    numbering = Numbering(0xFFFFFFFFu, 0xFFFFFFFFu, scaling);
    if (executes_stage(2) && BY_DISTRIBUTION) {
        numbering = find_numbering();
        note_range_bins();
        scaling = Scaling(Key(0), kPadKey, 0);
        greatest = 0xFFFFFFFFu;
    } else if (executes_stage(2)) {
        scaling = find_range();
        greatest = highest_word(scaled_key(scaling, scaling.span)) | 1u << 31; // of equal keys, too
    }
    if (executes_stage(3)) {
        count_repeated();
    }
    if (executes_stage(4) && !BY_DISTRIBUTION) {
        count_uniform_bins(scaling, greatest);
    }
    barrier();
    float stretched = 1.0;
    uint chosen = 0;
    if (executes_stage(5)) {
        bool whole = scaling.least == Key(0) && scaling.span == kPadKey;
        stretched = whole ? 1.0 : stretch(margins);
        chosen = choose_buckets(count, stretched, greatest);
    }
    uint cells = 0;
    if (executes_stage(4) && BY_DISTRIBUTION) {
        cells = divide_bins(chosen);
        note_cells();
        barrier();
        count_in_cells();
        barrier();
    }
    bool is_uniform = false;
    if (executes_stage(6)) {
        // First in the expression, as a workgroup that prefetches code has found no disorder.
        bool spread = BY_DISTRIBUTION ? are_uniform_in_cells() : are_uniform(margins, stretched);
        is_uniform = spread && s_disorder != 0 && !are_few_values(count) && !is_narrow(scaling.span, count);
    }
    if (group_index == 0 && thread_index == 0) {
        store_scaling(scaling, cells);
    }
    if (BY_DISTRIBUTION && is_uniform && group_index == 0) {
        store_range_bins(cells);
    }
    return is_uniform ? chosen : 0;
}

void main() {
    if (!is_own_count()) {
        if (group_index == 0) {
            clear_args(kArgsWords);
        }
        return;
    }
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
    // The kernel that fills the coarse buckets clears the counts of their buckets.
    uint coarse_buckets = coarse_bucket_count(buckets);
    for (uint i = thread_index; i < coarse_buckets; i += WORKGROUP_SIZE) {
        state[coarse_bucket_word(i)] = 0;
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
        clear_args(kMsdArgsWords);
        if (thread_index == 0) {
            args.msd = dispatch_args(left ? 1 : 0);
            msd_statistics = uvec4(count, 0, 0, 0);
        }
    } else {
        bool beside = has_flag(kFlagPassesBeside);
        if (thread_index == 0 && has_flag(kFlagOneDispatch)) {
            begin_sweeps(left && !beside);
        }
        if (begins && (beside || !has_flag(kFlagOneDispatch))) {
            size_passes(left ? passes : PassSizes(dispatch_args(0), dispatch_args(0)));
        }
    }
}
