#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort, last step, one workgroup a bucket: sorts the bucket's keys by bins (workgroup/bin_sort.glsl) and writes them
// behind those of all buckets before. Where too many share a bin, the keys are written as they are, and the passes behind
// sort them; with values, whose order these could not tell, they are sorted by comparing each key with all others.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#define MOST_IN_BIN 255 // since all else is to sort everything anew
#define BIN_SEGMENTS 0
#if INDICES == 2
uint first_index_word; // word of the bucket's first element
#define INDEX_OF(element) state[first_index_word + (element)]
#define IS_EARLIER(a, b) (INDEX_OF(a) < INDEX_OF(b))
#define BIN_VALUES 1
#else
#define BIN_VALUES 0
#endif
#include "workgroup/bin_sort.glsl"

#if INDICES == 1
layout(set = 0, binding = kBindingKeys1, std430) buffer Keys1Words { uint keys1_words[]; };
#endif

// Keys of all the buckets before, a sum for each subgroup.
shared uint s_before[SUBGROUPS];

// With one level. Each sum is a subgroup's to write, so that no invocation waits for a cleared sum. A barrier must follow.
void note_before(uint bucket) {
    uint sum = 0;
    for (uint i = thread_index; i < min(bucket, kMostCoarseBuckets); i += WORKGROUP_SIZE) {
        sum += state[bucket_word(i)];
    }
    sum = subgroupInclusiveAdd(sum);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_before[gl_SubgroupID] = sum;
    }
}

// A barrier must come between.
uint noted_before() {
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < SUBGROUPS; ++i) {
        sum += s_before[i];
    }
    return sum;
}

// Keys come from slot 2, or with two levels from slot 3.
const bool BY_COARSE_BUCKETS = SOURCE_SLOT == 3;

#if INDICES
#include "workgroup/sort_by_comparing.glsl"
#include "workgroup/bring_values.glsl"
#endif
#if INDICES == 1
#include "workgroup/pack_slots.glsl"
#endif

#if INDICES == 1

void store_keys(uint first, uint length) {
    if (!has_flag(kFlagDiscardKeys)) {
        STORE_TO(bits_from_ordered(keys[i]).y, KEYS_PER_THREAD, keys1_words, first + element_of(i), element_of(i) < length)
    }
}

#elif INDICES == 2

void store_keys(uint first, uint length) {
    if (!has_flag(kFlagDiscardKeys)) {
        STORE_TO(bits_from_ordered(keys[i]), KEYS_PER_THREAD, keys1, first + element_of(i), element_of(i) < length)
    }
}

#else

void store_keys(uint first, uint length) {
    STORE_TO(bits_from_ordered(keys[i]), KEYS_PER_THREAD, keys1, first + element_of(i), element_of(i) < length)
}

#endif

// By the first workgroup, where a bucket has had too few slots: leaves all keys to the later passes.
void leave_all(uint own, uint overflow) {
    if (own == 0 && thread_index == 0) {
        leave_keys(control.count);
        if (has_flag(kFlagBeforeMsd) && overflow == kOverflowOfCoarseBucket) {
            args.bucketRestore = dispatch_args(coarse_bucket_count(control.buckets) * tiles_of_coarse_bucket());
        }
    }
}

// Loads the bucket's keys, which begin at `first`, and with them the values that move along, or the keys' source indices.
void load_bucket(uint first, uint length) {
    LOAD_FROM_SLOT(keys, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), keys2, keys3)
#if INDICES
    if (carries_values()) {
        LOAD_FROM_SLOT(value_words, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1),
            values2, values3)
    }
#endif
#if INDICES == 2
    first_index_word = wide_index_word(SOURCE_SLOT, first);
    if (!carries_values()) {
        LOAD_FROM(value_words, KEYS_PER_THREAD, state, first_index_word + min(element_of(i), max(length, 1) - 1))
    }
#endif
}

// Leaves in bins[] the bin of each of the invocation's keys, by how far into the bucket the key is.
void choose_bins(uint scale, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint fraction, bin, rest; // `fraction`: how far into the bucket
        bucket_of(keys[i], scale, fraction);
        umulExtended(fraction, length, bin, rest);
        bins[i] = bin;
    }
}

// Leaves the bucket's keys in their slots: in order or, without values and if the bins are refused, unsorted.
void sort_bucket(uint length) {
    if (!sort_in_bins(length, false)) {
#if INDICES
        sort_by_comparing(length);
#else
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            store_shared_key(element_of(i), keys[i]);
        }
        if (thread_index == 0) {
            leave_keys(control.count);
        }
        barrier();
#endif
    }
}

// Takes the sorted keys out of the slots again.
void take_shared_keys() {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = shared_key(element_of(i));
    }
}

void unscale_keys(Scaling scaling) {
    if (!is_plain(scaling)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = unscaled_key(scaling, keys[i]);
        }
    }
}

void main() {
    uint own = group_from_last; // bucket of the pass
    uint bucket = (first_coarse_bucket() << pc.coarseBucketBits) + own;
    // All that there is to wait for before the keys is asked for at once, also by workgroups that have no bucket.
    uint length = state[bucket_word(BY_COARSE_BUCKETS ? bucket : min(bucket, kMostCoarseBuckets - 1))];
    uint end = min(control.buckets, end_coarse_bucket() << pc.coarseBucketBits);
    uint overflow = control.overflow;
    uint scale = control.scale;
    Scaling scaling = control_scaling();
    if (BY_DISTRIBUTION) {
        numbering = control_numbering();
    }
    if (!BY_COARSE_BUCKETS) {
        note_before(bucket);
    }
    if (bucket >= end) {
        return;
    }
    if (overflow != 0) {
        leave_all(own, overflow);
        return;
    }
    uint before = BY_COARSE_BUCKETS ? state[begin_word(bucket)] : 0;
    uint first = own * pc.bucketSize;
    load_bucket(first, length);
    clear_bins();
    choose_bins(scale, length);
#if INDICES == 1
    if (BY_DISTRIBUTION && carries_values()) {
        find_extremes();
    }
    Packing packing = packing_of(bucket, scale);
    bool packs = carries_values() && packing.fits_the_device;
    if (packs) {
        pack_keys(packing);
    }
#endif
    barrier();
    sort_bucket(length);
    before += BY_COARSE_BUCKETS ? 0 : noted_before();
    take_shared_keys();
#if INDICES == 1
    if (packs) {
        unpack_keys(packing);
    } else if (carries_values()) {
        find_slots(first, length);
    }
#endif
    unscale_keys(scaling);
#if INDICES
    bring_values(before, length);
#endif
    store_keys(before, length);
}
