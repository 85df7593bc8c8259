// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: what the host and the merge kernels agree on.
#ifndef VKSORT_SHADERS_HOST_MERGE_H
#define VKSORT_SHADERS_HOST_MERGE_H

#include "bindings.h"

VKSORT_INTEROP_BEGIN

VKSORT_CONST_UINT(kMaxMergePasses, 32)

// MergePush::flags, besides those of bindings.h
VKSORT_CONST_UINT(kFlagTwoInputs, 32)               // merge: list A in slot 0, list B in kBindingSecond...
VKSORT_CONST_UINT(kFlagReversed, 64)                // comparator keys, largest first
VKSORT_CONST_UINT(kFlagSegments, 128)               // there are segments: MergePush::headsOffset or kBindingSegments
VKSORT_CONST_UINT(kFlagHeadsGiven, 256)             // their head flags are the caller's, in kBindingSegments
VKSORT_CONST_UINT(kFlagOffsets, 512)                // the caller's segments are offset pairs; otherwise head indices
VKSORT_CONST_UINT(kFlagSegmentCountFromBuffer, 1024)
VKSORT_CONST_UINT(kFlagWorkQueues, 2048)            // locality and segmented: passes drain work queues

// Push constants of every merge kernel.
struct MergePush {
    UINT count; // PushHeader; merge: of A
    UINT flags;
    UINT pass;  // merge pass, or stage of the segment kernels
    UINT countB;
    UINT segmentCount;
    UINT keyBytes;
    UINT keyStride; // bytes
    UINT keyOffset;
    // ordered = key ^ invert ^ (key negative ? invertNegative : 0), see keys.glsl
    UINT invertLow, invertHigh;
    UINT invertNegativeLow, invertNegativeHigh;
    UINT tileSize;
    UINT maxTiles;   // of the plan
    UINT maxPasses;  // of the plan; fewer tiles leave out the first ones
    UINT drainGroups; // work queues: workgroups that drain them, at most
    UINT drainEvenly; // not 0: each takes its even share of jobs and no more
    UINT copyChunk;  // keys a workgroup of the pack kernel
    UINT maxGroupsX; // maxComputeWorkGroupCount[0]
    // Words after MergeControl:
    UINT splitsOffset; // merge: how much of list A stands before each tile; work queues: 4 words a job
    UINT statusOffset; // work queues: 1 where both slots hold the tile
    UINT rangesOffset; // work queues: first and last head of each list, level by level
    UINT headsOffset;  // head flags, one bit an element
    UINT endsOffset;   // offset pairs: where segments end, one bit an element
};

// At the start of the state binding. The first four words are VksortStatistics, then follows VksortWorkStatistics.
struct MergeControl {
    UINT count;
    UINT digitPassesRun;
    UINT fallbacks;
    UINT copied;
    UINT tiles;
    UINT passes;
    UINT work[64]; // a pass's merge jobs and copy jobs
    UINT countA;   // merge
    UINT segments;
    UINT jobsEach;    // work queues: a workgroup takes no more
    UINT tickets[32]; // a pass's next job
    DispatchArgs tileArgs;
    DispatchArgs packArgs;
    DispatchArgs partitionArgs[32];
    DispatchArgs passArgs[32];
};

// A tile whose list holds no head, or a list without one.
VKSORT_CONST_UINT(kNoHead, 0xFFFFFFFFu)

#ifdef __cplusplus
static_assert(sizeof(MergePush) <= 128, "the push-constant size every device has");
#endif

VKSORT_INTEROP_END
#endif
