// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: what the host and the merge kernels agree on.
#ifndef VKSORT_SHADERS_HOST_MERGE_H
#define VKSORT_SHADERS_HOST_MERGE_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

VKSORT_CONST_UINT(kMaxMergePasses, 32)
VKSORT_CONST_UINT(kMaxClassLevels, 8)
VKSORT_CONST_UINT(kPartitionTiles, 64) // tiles that a workgroup of the partition searches for
VKSORT_CONST_UINT(kBoundSearchers, 16) // invocations that search for one of their two bounds
VKSORT_CONST_UINT(kSampleStep, 64)     // passes of four lists: distance of the keys of a list that stand apart, too
VKSORT_CONST_UINT(kSegmentChunk, 8)    // segments whose heads an invocation sets at once
VKSORT_CONST_UINT(kClassBlock, 128)    // spans of head flags in a block, of which one workgroup makes jobs
// Msd with values: tiles whose counts are added up to those of a chunk, or a multiple; see msd_scan.comp.
VKSORT_CONST_UINT(kChunkTiles, 64)
VKSORT_CONST_UINT(kMostChunks, 256) // of a level, but for those that ranges end with

// MergePush::flags, besides those of bindings.h
VKSORT_CONST_UINT(kFlagTwoInputs, 32)   // merge: list A in slot 0, list B in kBindingSecond...
VKSORT_CONST_UINT(kFlagReversed, 64)    // comparator keys, largest first
VKSORT_CONST_UINT(kFlagSegments, 128)   // there are segments: MergePush::headsOffset or kBindingSegments
VKSORT_CONST_UINT(kFlagHeadsGiven, 256) // their head flags are the caller's, in kBindingSegments
VKSORT_CONST_UINT(kFlagOffsets, 512)    // the caller's segments are pairs, of either kind; otherwise head indices
VKSORT_CONST_UINT(kFlagSegmentCountFromBuffer, 1024)
VKSORT_CONST_UINT(kFlagWorkQueues, 2048)  // locality and segmented: passes drain work queues
VKSORT_CONST_UINT(kFlagMsd, 4096)         // segmented sort by size classes
VKSORT_CONST_UINT(kFlagSeparate, 8192)    // msd: the result is another buffer than the input
VKSORT_CONST_UINT(kFlagOneSegment, 16384) // msd: the whole input is one segment
VKSORT_CONST_UINT(kFlagCursors, 32768)    // msd: the partition need not be stable
// Msd with values: the finish sorts words of a key's last bits and its index.
VKSORT_CONST_UINT(kFlagIndexed, 65536)
VKSORT_CONST_UINT(kFlagFallback, 131072) // msd: skewed keys are left to passes of onesweep
VKSORT_CONST_UINT(kFlagFourWay, 262144)  // merge sort: passes merge four lists
// Merge sort, merge: the counts of the push constants hold, and there is no setup.
VKSORT_CONST_UINT(kFlagHostCounts, 524288)
// No partition: a pass searches for its tiles' shares of the lists itself.
VKSORT_CONST_UINT(kFlagPassSearches, 1048576)
// Msd without values: uniform keys are partitioned by the first digit uncounted.
VKSORT_CONST_UINT(kFlagCoarseBuckets, 2097152)
// Msd: few of the finish's register runs, and words of flags, have heads of segments.
VKSORT_CONST_UINT(kFlagFewHeads, 4194304)
VKSORT_CONST_UINT(kFlagReadsInput, 8388608) // msd: elements are in slot 0 at first, and not copied to slot 1
// Work queues: each workgroup takes its even share of jobs and no more.
VKSORT_CONST_UINT(kFlagDrainEvenly, 16777216)
// Msd: what its levels leave is for IndirectArgs::tiles, and what its setup leaves for IndirectArgs::fallback.
VKSORT_CONST_UINT(kFlagLate, 33554432)
// Always read from the push constants: pipelines that differ in these alone would be alike.
VKSORT_CONST_UINT(kFlagsOfPush, kFlagCountFromBuffer | kFlagHeadsGiven | kFlagOffsets | kFlagSegmentCountFromBuffer |
                                    kFlagSeparate | kFlagCoarseBuckets | kFlagLate)
// In the specialization constant FLAGS only.
// Msd_partition_keys: to the padded buckets of kFlagCoarseBuckets, before anything is counted.
VKSORT_CONST_UINT(kFlagUncounted, 0x20000000u)

// MergePush::pass in segment_heads.comp: what the caller's segments are, or, behind these, that gaps are to be marked.
VKSORT_CONST_UINT(kStageHeadIndices, 0)
VKSORT_CONST_UINT(kStageOffsets, 1)
VKSORT_CONST_UINT(kStageOffsetCounts, 2)
VKSORT_CONST_UINT(kStageGaps, 3)

// Push constants of every merge kernel.
struct MergePush {
    UINT count; // PushHeader; merge: of A
    UINT flags;
    UINT pass; // merge pass, or stage of segment_heads.comp
    UINT least;
    UINT countB; // 0 but in a merge
    UINT segmentCount;
    UINT keyBytes;
    UINT keyStride; // bytes
    UINT keyOffset;
    // ordered = key ^ invert ^ (key negative ? invertNegative : 0), see keys.glsl
    UINT invertLow, invertHigh;
    UINT invertNegativeLow, invertNegativeHigh;
    UINT tileSize;
    UINT maxTiles;    // of the plan
    UINT maxPasses;   // of the plan; fewer tiles leave out the first ones
    UINT drainGroups; // work queues: workgroups that drain them, at most
    UINT copyChunk;   // keys a workgroup of the pack kernel
    UINT maxGroupsX;  // maxComputeWorkGroupCount[0]
    // Words after MergeControl: merge: how much of list A stands before each tile. Four lists: of A, B and C, 3 words a tile
    // and a tile more, then samples (device/fourway_lists.glsl). Work queues: 4 words a job
    UINT splitsOffset;
    UINT statusOffset; // work queues: 1 where both slots hold the tile
    UINT rangesOffset; // work queues: first and last head of each list, level by level
    UINT headsOffset;  // head flags, one bit an element
    UINT endsOffset;   // pairs: where segments end, one bit an element; then parities, see device/segment_parity.glsl
    // msd; device/msd.glsl has the order of what begins at msdOffset.
    UINT msdOffset;
    UINT maxBlocks;
    UINT maxJobs;
    UINT maxRanges;
    UINT partitionTile; // keys a tile of the partition; maxTiles counts these
    // Of the partition, at most: as many as a key has digits, or fewer, if onesweep sorts what they leave together.
    UINT levels;
    UINT countGroups;    // with kFlagCursors: workgroups that count, at most
    UINT fallbackGroups; // with kFlagFallback: workgroups of its first dispatch
};

// At the start of the state binding. The first four words are VksortStatistics, then follows VksortWorkStatistics.
struct MergeControl {
    UINT count;
    UINT digitPassesRun;
    UINT fallbacks;
    UINT copied;
    UINT tiles;
    UINT passes;
    UINT work[64]; // each pass's merge jobs and copy jobs
    UINT countA;   // merge
    UINT segments;
    UINT jobsEach;    // work queues: a workgroup takes no more
    UINT tickets[32]; // each pass's next job
    // msd
    UINT jobs;      // `fallbacks` of them, and of large ones, are skewed: not for bins
    UINT ranges[8]; // each level's ranges, and their tiles
    UINT rangeTiles[8];
    // Workgroups that scan each of a level's ranges; if there are several, counts are added up by chunks, too.
    UINT rangeGroups[8];
    UINT sampleInOrder; // msd: not 0: sampled keys are in order, and the first level's count looks at all of them
    UINT disorder;      // msd: 0: the keys are in order already
    // msd: elements of slot 2 in the padded bucket of each first digit, 0 if the first level does not partition to these;
    // and whether a padded bucket has been too small.
    UINT coarseBucket;
    UINT coarseBucketsOverflow;
    UINT largeJobs; // msd
    UINT skewed[2]; // of its jobs, of the large ones
};

// msd. Large jobs fill the table of jobs from its end on. A job is three words: its first element, its length with these
// flags, and with kJobDigits the digit position that made it, its first digit there << 8 and its last one << 16.
VKSORT_CONST_UINT(kJobLength, 0xFFFFu)
VKSORT_CONST_UINT(kInSlot2, 0x10000u)   // a job's or a range's elements stand in slot 2, otherwise in slot 1
VKSORT_CONST_UINT(kInInput, 0x100000u)  // or, with kFlagReadsInput, in slot 0
VKSORT_CONST_UINT(kJobHeads, 0x20000u)  // heads of segments are in it
VKSORT_CONST_UINT(kJobSorted, 0x40000u) // in order already: only to be moved to slot 1
VKSORT_CONST_UINT(kJobDigits, 0x80000u)
// A chunk of the keys that the last level has left together: in order if all keys equal the one that the third word names,
// otherwise left to onesweep.
VKSORT_CONST_UINT(kJobEqual, 0x200000u)

// msd's first level, uncounted: the padded bucket of each digit has its uniform share, an eighth of that, and kCoarseSlack
// keys. For few keys that is eight times the standard deviation of the share.
VKSORT_CONST_UINT(kCoarseSlackDivisor, 8)
VKSORT_CONST_UINT(kCoarseSlack, 512)
VKSORT_CONST_UINT(kCoarseBucketAlignment, 32)

// A range is a long segment, or the keys of one whose digits so far are the same: first element, length, first tile, flags,
// and the digit positions in which some key differs from the first one, a bit each. Position 0 is the most significant one.
// Both last words have the digit position that the range is partitioned by, << kRangeDigitShift.
VKSORT_CONST_UINT(kRangeWords, 5)
VKSORT_CONST_UINT(kRangeStays, 2)        // is not to be partitioned by this digit: this level moves nothing
VKSORT_CONST_UINT(kRangeCoarseBucket, 4) // begins with a coarse bucket in slot 2, and elsewhere when it is partitioned
VKSORT_CONST_UINT(kRangeDigitShift, 8)
VKSORT_CONST_UINT(kRangeVarying, 0xFFu) // in the last word

// A tile whose list holds no head, or a list without one.
VKSORT_CONST_UINT(kNoHead, 0xFFFFFFFFu)

#ifdef __cplusplus
static_assert(sizeof(MergePush) <= 128, "the push-constant size every device has");
#endif

VKSORT_INTEROP_END
#endif
