#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of the merge family: one workgroup reads the counts and sizes every later dispatch. With segments that come as head indices
// or offset pairs, all workgroups clear the bits that segment_heads.comp sets. Where bins may sort the first lists of merge sort, it chooses by
// a sample whether they do.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"
#include "device/sampled_keys.glsl"
#include "workgroup/extremes.glsl"

const uint kParts = 256;   // of the sampled keys' range
const uint kMostMeans = 6; // so many times its share of the sampled keys may be in a part; bins of fuller ones have too many keys
// Where lists are merged by bins, which refuse tiles of few values and of keys that are even from afar only: so many sampled keys may be equal to
// others, and in the same of kFineParts parts. Of 1024 even keys 8 are.
const uint kMostEqual = 1;
const uint kMostNear = 24;
const uint kFineParts = 65536;
const uint kHashBits = 11;

shared uint s_parts[kParts];
shared uint s_fullest;
shared uint s_hashes[1u << kHashBits]; // of the last key each, and of its fine part; then the samples
shared uint s_equal;
shared uint s_near;
shared uint s_rises; // of neighbouring samples, the latter one is greater
shared uint s_falls;

// Odd.
uint hash_of(Key key) {
    uint hash = 0;
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        hash = (hash ^ key_word(key, w)) * 0x9E3779B9u;
        hash ^= hash >> 15;
    }
    return hash * 0x85EBCA6Bu | 1u;
}

// What is told by a sample.
struct Choice {
    bool by_bins;  // whether bins sort the first lists
    bool multiway; // and merge them
};

Choice choose(uint count) {
    if (has_flag(kFlagMultiwayAlways)) {
        return Choice(true, true);
    }
    Key samples[KEYS_PER_THREAD];
    LOAD_SAMPLED_KEYS(samples, 0, count)
    for (uint i = thread_index; i < kParts; i += WORKGROUP_SIZE) {
        s_parts[i] = 0;
    }
    for (uint i = thread_index; i < 1u << kHashBits; i += WORKGROUP_SIZE) {
        s_hashes[i] = 0;
    }
    if (thread_index == 0) {
        s_fullest = 0;
        s_equal = 0;
        s_near = 0;
        s_rises = 0;
        s_falls = 0;
    }
    clear_extremes();
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        samples[i] = ordered_from_bits(samples[i]);
        least = min(least, highest_word(samples[i]));
        greatest = max(greatest, highest_word(samples[i]));
        uint hash = hash_of(samples[i]);
        if (atomicExchange(s_hashes[hash >> (32 - kHashBits)], hash) == hash) {
            atomicAdd(s_equal, 1);
        }
    }
    add_extremes(least, greatest);
    float part = float(kFineParts) / (float(s_greatest - s_least) + 1.0);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint fine = min(uint(float(highest_word(samples[i]) - s_least) * part), kFineParts - 1);
        atomicAdd(s_parts[fine / (kFineParts / kParts)], 1);
        if (atomicExchange(s_hashes[fine * 0x9E3779B9u >> (32 - kHashBits)], 2 * fine + 2) == 2 * fine + 2) {
            atomicAdd(s_near, 1);
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_hashes[i * WORKGROUP_SIZE + thread_index] = highest_word(samples[i]);
    }
    for (uint i = thread_index; i < kParts; i += WORKGROUP_SIZE) {
        atomicMax(s_fullest, s_parts[i]);
    }
    barrier();
    uint rises = 0;
    uint falls = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = i * WORKGROUP_SIZE + thread_index;
        uint next = s_hashes[min(at + 1, TILE_SIZE - 1)];
        rises += s_hashes[at] < next ? 1 : 0;
        falls += s_hashes[at] > next ? 1 : 0;
    }
    atomicAdd(s_rises, rises);
    atomicAdd(s_falls, falls);
    barrier();
    bool even = s_fullest * kParts <= kMostMeans * TILE_SIZE;
    // What is in order but for some keys has them in its lists, whose bins are too full of the others. Lists that are in order all in all are merged
    // fastest four at a time, as nearly all of a tile comes from one.
    uint astray = min(s_rises, s_falls);
    bool in_order = count >= TILE_SIZE && astray < TILE_SIZE / 4; // of fewer, samples repeat each other
    bool many = has_flag(kFlagMultiway) && even && !in_order && s_equal <= kMostEqual && s_near <= kMostNear;
    return Choice(even && (!in_order || astray == 0), many);
}

void clear_heads(uint count) {
    uint stride = gl_NumWorkGroups.x * WORKGROUP_SIZE;
    for (uint w = group_index * WORKGROUP_SIZE + thread_index; w < divide_up(count, 32); w += stride) {
        state[pc.headsOffset + w] = 0;
        if (has_flag(kFlagOffsets)) {
            state[pc.endsOffset + w] = 0;
        }
    }
}

// What merge passes and work queues find.
void start_passes(uint tiles, uint tiles_of_list, bool multiway) {
    uint passes = passes_of(tiles, tiles_of_list, multiway);
    uint lists = divide_up(tiles, tiles_of_list);
    for (uint after = thread_index; after < kMaxMultiwayPasses; after += WORKGROUP_SIZE) {
        bool runs = multiway && after < passes;
        args.multiwayPartitions[after] = dispatch_args(runs ? divide_up(lists, kMultiwayGroup / WAYS) : 0);
        args.multiwayMerges[after] = dispatch_args(runs ? lists : 0);
    }
    for (uint pass = thread_index; pass < kMaxMergePasses; pass += WORKGROUP_SIZE) {
        bool runs = !multiway && pass + passes >= pc.maxPasses && pass < pc.maxPasses;
        control.work[2 * pass] = 0;
        control.work[2 * pass + 1] = 0;
        control.tickets[pass] = 0;
        args.partitions[pass] = dispatch_args(runs ? divide_up(tiles, kPartitionTiles) : 0);
        args.merges[pass] =
            dispatch_args(!runs ? 0 : has_flag(kFlagWorkQueues) ? min(tiles, pc.drainGroups) : tiles);
    }
    if (thread_index == 0) {
        control.jobsEach = pc.drainEvenly != 0 ? divide_up(tiles, pc.drainGroups) : tiles;
        args.tiles = dispatch_args(tiles_of_list == 1 ? tiles : 0);
        args.lists = dispatch_args(tiles_of_list == LIST_TILES ? divide_up(tiles, LIST_TILES) : 0);
    }
}

// And what size_classes does. Code that runs once takes as long as it is: a level an invocation.
void start_levels() {
    for (uint level = thread_index; level < kMaxClassLevels; level += WORKGROUP_SIZE) {
        control.ranges[level] = 0;
        control.rangeTiles[level] = 0;
        control.rangeParts[level] = 1;
        args.ranges[level] = DispatchArgs(0, 0, 1);
        args.rangeTiles[level] = DispatchArgs(0, 0, 1);
        args.rangeCounts[level] = DispatchArgs(0, 0, 1);
        args.rangePartitions[level] = DispatchArgs(0, 0, 1);
    }
    if (thread_index == 0) {
        control.jobs = 0;
        control.largeJobs = 0;
        args.jobs = DispatchArgs(0, 0, 1);
        args.largeJobs = DispatchArgs(0, 0, 1);
        for (uint large = 0; large < 2; ++large) {
            control.skewed[large] = 0;
            args.skewed[large] = DispatchArgs(0, 0, 1);
        }
    }
}

void main() {
    uint count_a = has_flag(kFlagCountFromBuffer) ? min(count_buffer[0], pc.count) : pc.count;
    if (has_flag(kFlagSegments) && !has_flag(kFlagHeadsGiven)) {
        clear_heads(count_a);
    }
    if (group_index > 0) {
        return;
    }
    uint count = count_a;
    if (has_flag(kFlagTwoInputs)) { // with counts of the host there is no setup
        count += min(count_buffer[1], pc.countB);
    }
    uint tiles_of_list = 1; // tiles of a first list
    bool multiway = false;
    if (LIST_TILES > 1 && count > 0) {
        Choice choice = choose(count);
        tiles_of_list = choice.by_bins ? LIST_TILES : 1;
        multiway = choice.multiway;
    }
    if (has_flag(kFlagSizeClasses)) {
        start_levels();
    } else {
        start_passes(divide_up(count, pc.tileSize), tiles_of_list, multiway);
    }
    if (thread_index == 0) {
        start_control(count_a, count, tiles_of_list, multiway);
        control.segments = has_flag(kFlagSegmentCountFromBuffer) ? min(count_buffer[1], pc.segmentCount) : pc.segmentCount;
        args.pack = dispatch_args(divide_up(count, pc.copyChunk));
    }
}
