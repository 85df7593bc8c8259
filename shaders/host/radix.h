// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: what the host and the radix kernels agree on.
#ifndef VKSORT_SHADERS_HOST_RADIX_H
#define VKSORT_SHADERS_HOST_RADIX_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

VKSORT_CONST_UINT(kRadixBits, 8)
VKSORT_CONST_UINT(kRadix, 256)
VKSORT_CONST_UINT(kMaxDigitPasses, 8)

// Specialization constants.
VKSORT_CONST_UINT(kSpecWorkgroupSize, 0)
VKSORT_CONST_UINT(kSpecKeysPerThread, 1)
VKSORT_CONST_UINT(kSpecSubgroupSize, 2) // 1 for the subgroup-free kernels
VKSORT_CONST_UINT(kSpecValueWords, 3)
VKSORT_CONST_UINT(kSpecSpinLimit, 4)       // failed status reads before a workgroup recounts a predecessor's tile
VKSORT_CONST_UINT(kSpecStallModulo, 5)     // tests: every STALL-th tile withholds its status; 0: none
VKSORT_CONST_UINT(kSpecDigitPasses, 6)     // histogram
VKSORT_CONST_UINT(kSpecStageRounds, 7)     // rounds in which a tile goes through shared memory; divides keys per thread
VKSORT_CONST_UINT(kSpecFlags, 8)           // known when the pipeline is made, see bindings.h; 0: none
VKSORT_CONST_UINT(kSpecSourceSlot, 9)      // merge passes: 1 or 2, or 0: it follows from the pass
VKSORT_CONST_UINT(kSpecDisorderModulo, 10) // tests: of this number of tiles one is ranked out of order at first; 0: none
VKSORT_CONST_UINT(kSpecPrefetchTiles, 11)  // merges: a workgroup asks for the keys of so much later a tile; 0: it does not
VKSORT_CONST_UINT(kSpecBuckets, 12)        // bucket_sort: that a kernel scatters keys to, at most
VKSORT_CONST_UINT(kSpecCoarseBucketsEach, 13) // bucket_sort: coarse buckets that a pass takes; the pass says which
// Bits of an element's index in its tile, where workgroup/indexed_bins.glsl sorts; 0: it does not.
VKSORT_CONST_UINT(kSpecIndexedKeyBits, 14)
// Msd, in the jobs, the scan of a level and the large finish: the tile of the large finish; 0 in the other finish, and where
// there is no large one.
VKSORT_CONST_UINT(kSpecLargeTile, 15)
// Sample_sort: samples of all elements, which every workgroup reads; by ranks, second step: the most samples that fit.
VKSORT_CONST_UINT(kSpecSamples, 16)
VKSORT_CONST_UINT(kSpecSearches, 17) // sample_sort by ranks: searches that an invocation has under way at once
// Sample_sort: keys an invocation has of its tile; of the samples it may have more, or fewer. By ranks, second step:
// elements of a tile.
VKSORT_CONST_UINT(kSpecTileKeys, 18)
VKSORT_CONST_UINT(kSpecHistogramCells, 19) // bucket_sort by distribution: histogram cells, at most
VKSORT_CONST_UINT(kSpecKeyWords, 20) // of the kernels that only move keys: words of a key, 1 or 2
VKSORT_CONST_UINT(kSpecWordBins, 21) // msd: bins that its setup hashes a sample's words to, a power of two
VKSORT_CONST_UINT(kSpecCountOf, 22)

VKSORT_CONST_UINT(kOverflowOfInput, 1) // by where the keys are that were to be scattered
VKSORT_CONST_UINT(kOverflowOfCoarseBucket, 2)
// Bucket_sort: that tell the elements of a bucket apart, where values are sorted with their keys.
VKSORT_CONST_UINT(kBucketSlotBits, 13)
// Bucket_sort: coarse buckets, or buckets of a coarse bucket, that keys are scattered to at once.
VKSORT_CONST_UINT(kMostCoarseBuckets, 1024)
VKSORT_CONST_UINT(kLeastSampled, 4096) // bucket_sort: fewer keys are left to the passes behind
VKSORT_CONST_UINT(kSetupStages, 6) // bucket_sort: stages of the setup's code, each of which a workgroup may prefetch
// Bucket_sort: a kBucketSlack-th of the buckets, and one, may be added, see device/buckets.glsl.
VKSORT_CONST_UINT(kBucketSlack, 32)

// RadixPush::flags, besides those of bindings.h
// Onesweep: the histogram also clears the first pass's look-back status, and decides the passes.
VKSORT_CONST_UINT(kFlagStatus, 32)
// Onesweep: the lowest digit position is not ranked in order, and needs no look-back.
VKSORT_CONST_UINT(kFlagScattered, 64)
VKSORT_CONST_UINT(kFlagBeforeMsd, 128)   // bucket_sort: msd sorts what is not for buckets, not onesweep
VKSORT_CONST_UINT(kFlagSizedByArgs, 256) // onesweep in one dispatch always sorts if it is dispatched
VKSORT_CONST_UINT(kFlagOneDispatch, 512) // bucket_sort, sample_sort: onesweep, behind them, is one dispatch
// Bucket_sort: its setup sizes the passes that scatter keys to buckets and sort these.
VKSORT_CONST_UINT(kFlagBucketArgs, 1024)
// With kFlagCountFromBuffer: counts above PushHeader::count are sorted by another plan of the same recording.
VKSORT_CONST_UINT(kFlagSmallCounts, 2048)
// Bucket_sort: what its setup leaves is sorted by a histogram and digit passes beside its own passes, and what later steps
// leave by onesweep in one dispatch.
VKSORT_CONST_UINT(kFlagPassesBeside, 4096)
// In the specialization constant FLAGS only.
VKSORT_CONST_UINT(kFlagLeavesSkewed, 0x20000000u)   // sample_sort: onesweep's passes, behind, sort what is not spread evenly
VKSORT_CONST_UINT(kFlagByDistribution, 0x10000000u) // bucket_sort: buckets are equal shares of the keys, not of their range
VKSORT_CONST_UINT(kFlagTileIsGroup, 0x08000000u)    // onesweep: a tile has the number of its workgroup, not one by a ticket
VKSORT_CONST_UINT(kFlagBackwards, 0x04000000u)      // tests, with that: as on a device that starts the last workgroup first
// One_workgroup, of packed keys and indices: values of one word have shared memory of their own.
VKSORT_CONST_UINT(kFlagSharesWords, 0x02000000u)

VKSORT_CONST_UINT(kRangeBins, 1024) // bucket_sort by distribution: equal bins of the key range
VKSORT_CONST_UINT(kCellsABucket, 8)  // histogram cells a bucket, about, at most

// Sample_sort by ranks: elements of a tile to a sample, and neighbours that share bounds.
VKSORT_CONST_UINT(kRankedGap, 32)
VKSORT_CONST_UINT(kMostRankedTiles, 64) // sample_sort by ranks: tiles
// Sample_sort by ranks: elements of another tile that the rank of an element is looked for among, at first.
VKSORT_CONST_UINT(kRankedInterval, 128)
// Sample_sort by buckets: that show whether keys are uniform, or more, to whole slots of a workgroup.
VKSORT_CONST_UINT(kUniformSamples, 512)
VKSORT_CONST_UINT(kUniformBins, 256)      // bins of the range in which workgroup/uniformity.glsl counts samples
VKSORT_CONST_UINT(kUniformCoarseBins, 16) // each of kUniformBins / kUniformCoarseBins bins
VKSORT_CONST_UINT(kUniformSums, 8)        // addresses of one sum, so that fewer additions meet
VKSORT_CONST_UINT(kMostSpans, 512) // sample_sort by buckets: spans of a bucket, one a tile; at most one an invocation

// Where a sort's first active pass must write, so that it does not overwrite what it reads.
VKSORT_CONST_UINT(kFirstAny, 0) // free: chosen so that the last active pass writes slot 1
VKSORT_CONST_UINT(kFirst1, 1)   // slot 0 is slot 2's memory
VKSORT_CONST_UINT(kFirst2, 2)   // slot 0 is slot 1's memory (in place)

// Push constants of every radix kernel.
struct RadixPush {
    UINT count; // PushHeader
    UINT flags;
    UINT pass; // digit position, for the kernels that handle one
    UINT least;
    UINT digitPasses;
    UINT beginBit; // of the key held in keyWords 32-bit words, narrow keys at the top of their word
    UINT endBit;
    UINT firstSlot; // kFirst...
    UINT keyBytes;
    UINT keyStride; // bytes
    UINT keyOffset;
    // ordered = key ^ invert ^ (key negative ? invertNegative : 0), see keys.glsl
    UINT invertLow, invertHigh;
    UINT invertNegativeLow, invertNegativeHigh;
    UINT tileSize;        // keys a tile of the partition kernels
    UINT histogramChunk;  // keys a histogram workgroup takes at a time
    UINT histogramGroups; // at most this many histogram workgroups
    UINT copyChunk;       // elements a copy workgroup
    UINT maxGroupsX;      // maxComputeWorkGroupCount[0]
    UINT maxTiles;        // of the plan: rows in each of the two status arrays
    UINT spineGroups;     // reduce_scan: workgroups that share the tiles, at most
    UINT binsOffset;      // words after Control: first word of a digit position's bin 0
    UINT statusOffset;    // words after Control: status arrays (onesweep) or spine table (reduce_scan)
    // sample_sort and bucket_sort; device/samples.glsl and device/buckets.glsl say what is at the offsets.
    UINT firstTile;  // elements a tile of the kernel that sorts tiles, or scatters keys to buckets
    UINT bucketSize; // elements, about, where keys are not spread evenly; bucket_sort: slots of a bucket
    UINT bucketMean; // elements that a bucket of uniformly distributed keys has
    // sample_sort
    UINT rowLength;       // by ranks: samples of a tile; by buckets: a bucket's cuts, one a tile
    UINT splittersOffset; // words after Control
    // bucket_sort
    // 2^coarseBucketBits buckets share a coarse bucket of the first level; 0: there is one level.
    UINT coarseBucketBits;
    // Words after Control: keys in each coarse bucket, of which there is space for kMostCoarseBuckets, and then in each
    // bucket.
    UINT coarseBucketsOffset;
    UINT distributionOffset; // words after Control: see device/distribution.glsl
};

// One digit position as the scan kernel decided it.
struct PassControl {
    UINT enabled;     // 0: every key has the same digit here, nothing to do
    UINT source;      // slot 0..2
    UINT destination; // slot 1..2
    UINT flags;       // kPass...
    UINT parity;      // onesweep: which of the two status arrays
};
VKSORT_CONST_UINT(kPassFirst, 1)  // the source holds the caller's keys as they came
VKSORT_CONST_UINT(kPassLast, 2)   // the destination holds the caller's result
VKSORT_CONST_UINT(kPassNoKeys, 4) // only the values are wanted

// At the start of the state binding. The first four words are VksortStatistics.
struct Control {
    UINT count;
    UINT digitPassesRun;
    UINT fallbacks;
    UINT copied;
    UINT tiles;
    UINT groups;          // reduce_scan: workgroups in use
    UINT histogramGroups; // workgroups in use
    UINT copyFrom;        // slot the copy reads
    UINT copyFlags;       // kCopy...
    PassControl passes[8];
    // Onesweep, atomic: a digit position's next tile; the last one: in one dispatch, of the tiles that are counted.
    UINT tickets[9];
    UINT disorder; // 0: the keys are in order already
    UINT counted;  // atomic: histogram workgroups that are done
    // onesweep in one dispatch
    UINT sweeping; // whether it sorts at all
    // Atomic: chunks that are done. Stage 0: tiles that are counted, and 1 for the decision. Then a stage for each digit
    // position that is sorted by: its tiles.
    UINT stageChunks[9];
    UINT buckets; // of sample_sort; of bucket_sort, whose keys are left to the passes behind where there are none
    // bucket_sort: device/buckets.glsl has what bucket a key goes to.
    UINT least[2]; // that a key may be, low word first, in ordered form
    UINT span[2];  // by how much it may be greater
    UINT shift;
    UINT scale;
    UINT overflow; // kOverflow...: a coarse bucket or a bucket has too few slots for its keys, or a key is out of range
    // By distribution, see device/distribution.glsl.
    UINT lowerEnd;
    UINT upperBegin;
    UINT innerLeast[2]; // as least, span and shift
    UINT innerSpan[2];
    UINT innerShift;
    UINT leastNumber; // atomic: of the keys that are counted
    UINT greatestNumber;
    UINT cells;        // histogram cells
    UINT cellsCounted; // atomic: workgroups that have counted their keys
};
VKSORT_CONST_UINT(kCopyKeys, 1)
VKSORT_CONST_UINT(kCopyValues, 2)

// Look-back status of one digit in one tile, range-coded in one word so that it grows monotonically:
//   0                     not ready
//   1 .. T+1              partial: count of the tile + 1          (T = tile size)
//   T+2 .. 2^32-1         inclusive: count of all tiles up to this one + T + 2
VKSORT_CONST_UINT(kStatusPartial, 1)

#ifdef __cplusplus
static_assert(sizeof(RadixPush) <= 128, "the push-constant size every device has");
static_assert(sizeof(PassControl) == 20, "std430 layout");
#endif

VKSORT_INTEROP_END
#endif
