// SPDX-License-Identifier: MIT
//
// What the kernels of bucket_sort hand on to each other. A key's distance from the least one is shifted so that the greatest
// one fills the key's words. Its highest word times control.scale has the bucket above bit 32 and below, how far into the
// bucket the key is: buckets of uniformly distributed keys are uniform, however many there are.
//
// With values, equal keys are told apart by their source indices, which are scattered along. INDICES 1, for keys of one
// word: elements of two words are scattered and sorted, the key above its source index, and only the upper word is scaled.
// INDICES 2, for keys of two words: source indices are words of their own, in state, and are read where keys are equal.
// Values of one word move along, in slots 2 and 3 of their own. Wider values are read by source index once the order is
// known.
//
// With many buckets, keys are scattered in two levels: first to coarse buckets, of 2^pc.coarseBucketBits neighbouring
// buckets each. What the memory holds; keys are scaled in slots 2 and 3:
//   slot 2     the keys of bucket b, from b * pc.bucketSize on; with two levels those of each coarse bucket, from where its
//              first bucket would have them
//   slot 3     with two levels: the keys of bucket b, from b * pc.bucketSize on. Where memory is too small for all buckets,
//              passes take chunks of COARSE_BUCKETS_EACH coarse buckets one after the other, and b counts from the chunk's
//              first bucket
//   state      from pc.coarseBucketsOffset on: the number of keys in each of kMostCoarseBuckets coarse buckets; the number
//              of keys in each bucket; where each bucket is to begin. With one level each bucket is a coarse bucket, and
//              only the first of these tables exists. Then, with INDICES 2, the source indices of the keys in slots 2 and 3
#include "dispatch.glsl"
#include "begin_passes.glsl"

const bool BY_DISTRIBUTION = (FLAGS & kFlagByDistribution) != 0;

layout(set = 0, binding = kBindingBuckets, std430) buffer Keys3 { Key keys3[]; };
#if INDICES
layout(set = 0, binding = kBindingBucketValues, std430) buffer Values3 { uint values3[]; };

// Whether there are values that move along: an argsort's are the source indices.
bool carries_values() {
    return VALUE_WORDS == 1 && !has_flag(kFlagArgsort);
}
#endif

uint bucket_word(uint bucket) {
    return pc.coarseBucketsOffset + (pc.coarseBucketBits > 0 ? kMostCoarseBuckets : 0) + bucket;
}

// Where the bucket is to begin.
uint begin_word(uint bucket) {
    return bucket_word(control.buckets + bucket);
}

uint coarse_bucket_word(uint coarse_bucket) {
    return pc.coarseBucketsOffset + coarse_bucket;
}

uint coarse_bucket_count(uint buckets) {
    return divide_up(buckets, 1u << pc.coarseBucketBits);
}

// The number of keys that there is memory for: somewhat more than they would fill if the ends of their range were known.
uint bucket_capacity(uint count) {
    uint most = divide_up(count, pc.bucketMean - pc.bucketMean / kBucketSlack) + 1;
    return pc.coarseBucketBits > 0 ? most : min(most, kMostCoarseBuckets);
}

#if INDICES == 2
// Of the key that is so far into slot 2 or 3.
uint wide_index_word(uint slot, uint at) {
    uint most = bucket_capacity(pc.count);
    uint slot2 = pc.coarseBucketsOffset + kMostCoarseBuckets + (pc.coarseBucketBits > 0 ? 2 * most : 0);
    return slot2 + at + (slot == 3 ? (coarse_bucket_count(most) << pc.coarseBucketBits) * pc.bucketSize : 0);
}
#endif

// Of the coarse buckets that a pass takes, the first one, and the one behind the last.
uint first_coarse_bucket() {
    return pc.pass * COARSE_BUCKETS_EACH;
}

uint end_coarse_bucket() {
    return min(first_coarse_bucket() + COARSE_BUCKETS_EACH, coarse_bucket_count(control.buckets));
}

// Of the second level, if the coarse bucket is full.
uint tiles_of_coarse_bucket() {
    return divide_up(pc.bucketSize << pc.coarseBucketBits, pc.firstTile);
}

struct Scaling {
    Key least; // in ordered form
    Key span;  // by how much a key may be greater
    uint shift;
};

// As the control block has it.
Scaling scaling_of(uvec2 least, uvec2 span, uint shift) {
#if INDICES == 1
    return Scaling(Key(0, least.x), Key(0xFFFFFFFFu, span.x), shift);
#elif KEY_WORDS == 1
    return Scaling(least.x, span.x, shift);
#else
    return Scaling(least, span, shift);
#endif
}

Scaling control_scaling() {
    return scaling_of(uvec2(control.least[0], control.least[1]), uvec2(control.span[0], control.span[1]), control.shift);
}

#if KEY_WORDS == 1

// That of a lesser key is out of range, too.
Key distance_of(Scaling scaling, Key key) {
    return key - scaling.least;
}

Key scaled_key(Scaling scaling, Key distance) {
    return distance << scaling.shift;
}

Key unscaled_key(Scaling scaling, Key scaled) {
    return (scaled >> scaling.shift) + scaling.least;
}

#elif INDICES == 1

Key distance_of(Scaling scaling, Key key) {
    return Key(key.x, key.y - scaling.least.y);
}

Key scaled_key(Scaling scaling, Key distance) {
    return Key(distance.x, distance.y << scaling.shift);
}

Key unscaled_key(Scaling scaling, Key scaled) {
    return Key(scaled.x, (scaled.y >> scaling.shift) + scaling.least.y);
}

#else

Key distance_of(Scaling scaling, Key key) {
    uint borrow;
    uint low = usubBorrow(key.x, scaling.least.x, borrow);
    return Key(low, key.y - scaling.least.y - borrow);
}

Key scaled_key(Scaling scaling, Key distance) {
    uint shift = scaling.shift & 31u;
    uint low = scaling.shift < 32 ? distance.x : 0;
    uint high = scaling.shift < 32 ? distance.y : distance.x;
    return Key(low << shift, (high << shift) | ((low >> 1) >> (31u - shift)));
}

Key unscaled_key(Scaling scaling, Key scaled) {
    uint shift = scaling.shift & 31u;
    uint low = (scaled.x >> shift) | ((scaled.y << 1) << (31u - shift));
    uint high = scaled.y >> shift;
    Key distance = scaling.shift < 32 ? Key(low, high) : Key(high, 0);
    uint carry;
    low = uaddCarry(distance.x, scaling.least.x, carry);
    return Key(low, distance.y + scaling.least.y + carry);
}

#endif

// Whether keys are scaled as they are.
bool is_plain(Scaling scaling) {
    return scaling.least == Key(0) && scaling.shift == 0;
}

bool is_out_of_range(Scaling scaling, Key distance) {
    return key_before(scaling.span, distance);
}

// Leaves all keys to the later passes, where they are not for buckets or do not fit them: slot 0 or, in place, slot 1 holds
// all of them. Several workgroups may call this: the first one sets the sizes, which have been 0.
void leave_keys(uint count) {
    if (has_flag(kFlagBeforeMsd)) {
        if (atomicExchange(args.msd.x, 1) == 0) {
            args.msd.y = 1;
            args.msd.z = 1;
        }
    } else if (has_flag(kFlagOneDispatch)) {
        atomicOr(control.sweeping, 1);
    } else {
        PassSizes sizes = pass_sizes(count);
        if (atomicExchange(args.histogram.x, sizes.histogram.x) == 0) {
            args.histogram.y = sizes.histogram.y;
            args.histogram.z = sizes.histogram.z;
            size_digit_passes(sizes.passes);
        }
    }
}

#include "distribution.glsl"
Numbering numbering; // by distribution

// The product's word above bit 32; `rest` is the one below.
uint bucket_of(Key scaled, uint scale, out uint rest) {
    uint bucket;
    umulExtended(BY_DISTRIBUTION ? even_fraction(numbering, scaled) : highest_word(scaled), scale, bucket, rest);
    return bucket;
}
