// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: the sizes of the dispatches that the GPU decides on. They have a binding of their own, which few
// kernels write, so that the other barriers of a sort need not cover the reads of indirect commands.
#ifndef VKSORT_SHADERS_HOST_ARGS_H
#define VKSORT_SHADERS_HOST_ARGS_H

#include "merge.h"
#include "radix.h"
#ifdef __cplusplus
#include <cstddef>
#endif

VKSORT_INTEROP_BEGIN

struct DispatchArgs {
    UINT x, y, z;
};

struct IndirectArgs {
    // radix
    DispatchArgs fallback; // msd: the first pass of onesweep, if the keys are left to it
    DispatchArgs histogram;
    DispatchArgs copy;
    DispatchArgs passes[8]; // a digit position's tiles (onesweep) or groups (reduce_scan)
    DispatchArgs spines[8]; // reduce_scan
    // merge family
    DispatchArgs tiles; // msd with kFlagLate: onesweep in one dispatch, if the levels leave keys to it
    DispatchArgs pack;
    DispatchArgs partitions[32];
    DispatchArgs merges[32];
    // msd and size_classes
    DispatchArgs jobs;
    DispatchArgs largeJobs;
    DispatchArgs skewed[2]; // of jobs, of large ones
    DispatchArgs ranges[8]; // a level's
    DispatchArgs rangeTiles[8];
    DispatchArgs rangeCounts[8];
    DispatchArgs rangePartitions[8]; // of ranges that do not stay where they are
    DispatchArgs coarseBuckets;      // msd without
    DispatchArgs firstBuckets;       // bucket_sort before msd
    DispatchArgs buckets;
    DispatchArgs bucketIndices;
    DispatchArgs bucketFinish;
    DispatchArgs bucketRestore;
    DispatchArgs msd; // one workgroup if bucket_sort leaves the keys to it
};
VKSORT_CONST_UINT(kMsdArgsWords, 366) // all words before firstBuckets
VKSORT_CONST_UINT(kArgsWords, 384)

#ifdef __cplusplus
static_assert(sizeof(DispatchArgs) == 12, "std430 layout");
static_assert(offsetof(IndirectArgs, firstBuckets) == 4 * kMsdArgsWords, "what msd may need");
static_assert(sizeof(IndirectArgs) == 4 * kArgsWords, "all of it");
static_assert(kMaxDigitPasses == 8 && kMaxMergePasses == 32 && kMaxClassLevels == 8, "the arrays above");
#endif

VKSORT_INTEROP_END
#endif
