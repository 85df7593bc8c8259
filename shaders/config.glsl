// SPDX-License-Identifier: MIT
//
// Extensions, specialization constants and the names that follow from them. The defaults fit every device.
#extension GL_EXT_control_flow_attributes : require

#include "host/radix.h"

layout(local_size_x_id = kSpecWorkgroupSize) in;
layout(constant_id = kSpecWorkgroupSize) const uint WORKGROUP_SIZE = 128;
layout(constant_id = kSpecKeysPerThread) const uint KEYS_PER_THREAD = 8;
layout(constant_id = kSpecSubgroupSize) const uint SUBGROUP_SIZE = 1;
layout(constant_id = kSpecValueWords) const uint VALUE_WORDS = 0;
layout(constant_id = kSpecSpinLimit) const uint SPIN_LIMIT = 16;
layout(constant_id = kSpecStallModulo) const uint STALL_MODULO = 0;
layout(constant_id = kSpecDigitPasses) const uint DIGIT_PASSES = 8;

layout(constant_id = kSpecStageRounds) const uint STAGE_ROUNDS = 1;
layout(constant_id = kSpecFlags) const uint FLAGS = 0;
layout(constant_id = kSpecSourceSlot) const uint SOURCE_SLOT = 0;
layout(constant_id = kSpecDisorderModulo) const uint DISORDER_MODULO = 0;
layout(constant_id = kSpecPrefetchTiles) const uint TILES_AHEAD = 0;
layout(constant_id = kSpecBuckets) const uint BUCKETS = 1;
layout(constant_id = kSpecCoarseBucketsEach) const uint COARSE_BUCKETS_EACH = 0x40000000;
layout(constant_id = kSpecIndexedKeyBits) const uint INDEXED_KEY_BITS = 0;
layout(constant_id = kSpecSamples) const uint SAMPLES = 128;
layout(constant_id = kSpecSearches) const uint SEARCHES = 2;
layout(constant_id = kSpecHistogramCells) const uint HISTOGRAM_CELLS = 1024;
layout(constant_id = kSpecTileKeys) const uint TILE_KEYS = 8;
layout(constant_id = kSpecKeyWords) const uint MOVED_KEY_WORDS = 1;
layout(constant_id = kSpecWordBins) const uint WORD_BINS = 1024;

const uint TILE_SIZE = WORKGROUP_SIZE * KEYS_PER_THREAD;
const uint STAGE_SIZE = TILE_SIZE / STAGE_ROUNDS;
const uint KEYS_PER_ROUND = KEYS_PER_THREAD / STAGE_ROUNDS;
const uint SUBGROUPS = WORKGROUP_SIZE / SUBGROUP_SIZE;

// The digits are scattered to the first invocations, DIGITS_PER_THREAD neighbours each.
const uint DIGITS_PER_THREAD = WORKGROUP_SIZE >= kRadix ? 1 : kRadix / WORKGROUP_SIZE;
const uint DIGIT_THREADS = kRadix / DIGITS_PER_THREAD;

// Added to the length of an array in shared or private memory that is else as long as an array in a buffer. glslang 12 gives
// both one type, with a stride that is for buffers only. Drivers ignore it; validation layers since 2025 report it.
const uint kOwnArrayType = 2;

// Loops over an invocation's keys are unrolled, or the keys could not stay in registers. For CPU drivers, which would take
// tens of seconds to compile that, src/pipelines.cpp takes the hint back.
#define KEY_LOOP [[unroll]]

// Linear index of the invocation. Kernels that use subgroups order invocations by subgroup and lane, since Vulkan does
// not tie gl_LocalInvocationIndex to them.
#if RANK_BALLOT
#define thread_index (gl_SubgroupID * SUBGROUP_SIZE + gl_SubgroupInvocationID)
#else
#define thread_index gl_LocalInvocationIndex
#endif

// Index of the workgroup in a dispatch that was folded into two dimensions.
#define group_index (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)

// The same from the last one on: what the dispatch before has read or written last may still be in the second-level cache.
#define group_from_last (gl_NumWorkGroups.x * gl_NumWorkGroups.y - 1 - group_index)

// Compiler barriers, by push constants whose values compilers do not know. OPAQUE_ZERO is 0: what it is added to is neither
// computed before nor kept in a register from an earlier computation. OPAQUE_FALSE is false: what is stored where it is true
// counts as used, so that reads whose only purpose is to warm a cache are not removed. Both need pc with keyBytes and
// tileSize.
#define OPAQUE_ZERO (pc.keyBytes >> 16)
#define OPAQUE_FALSE (pc.tileSize == 0)

uint divide_up(uint a, uint b) {
    return a == 0 ? 0 : (a - 1) / b + 1; // a + b could pass 2^32
}
