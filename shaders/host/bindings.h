// SPDX-License-Identifier: MIT
//
// Shared by C++ and GLSL: the one descriptor set layout and the head of every push-constant block.
#ifndef VKSORT_SHADERS_HOST_BINDINGS_H
#define VKSORT_SHADERS_HOST_BINDINGS_H

#include "interop.h"

VKSORT_INTEROP_BEGIN

// Every kernel has this set 0. A sort moves its keys between three slots (its values likewise): slot 0 is the caller's
// input, slot 1 where the result belongs, slot 2 a temporary. Slots 0 and 1, or 0 and 2, may be the same memory.
VKSORT_CONST_UINT(kBindingKeys0, 0)
VKSORT_CONST_UINT(kBindingKeys1, 1)
VKSORT_CONST_UINT(kBindingKeys2, 2)
VKSORT_CONST_UINT(kBindingValues0, 3)
VKSORT_CONST_UINT(kBindingValues1, 4)
VKSORT_CONST_UINT(kBindingValues2, 5)
VKSORT_CONST_UINT(kBindingState, 6)  // merge family: MergeControl and what follows it
VKSORT_CONST_UINT(kBindingCount, 7)  // the caller's counts, one or two u32
VKSORT_CONST_UINT(kBindingPacked, 8) // where 8- and 16-bit keys end
// Bucket_sort: values of each bucket, where they come there by way of coarse buckets.
VKSORT_CONST_UINT(kBindingBucketValues, 8)
VKSORT_CONST_UINT(kBindingSegments, 9)   // the caller's segments, as u32
VKSORT_CONST_UINT(kBindingSecondKeys, 9) // a merge's list B
VKSORT_CONST_UINT(kBindingRadixState, 9) // radix: Control, digit bins, look-back status or spine table
VKSORT_CONST_UINT(kBindingSecondValues, 10)
// Bucket_sort: keys of each bucket, where they come there by way of coarse buckets.
VKSORT_CONST_UINT(kBindingBuckets, 10)
VKSORT_CONST_UINT(kBindingArgs, 11) // of indirect dispatches, see args.h
VKSORT_CONST_UINT(kBindingCountOf, 12)

// How every push-constant block begins.
struct PushHeader {
    UINT count; // from the host; with kFlagCountFromBuffer, the maximum
    UINT flags;
    UINT pass;
    UINT least; // with kFlagCountFromBuffer: smaller counts are sorted by another plan of the same recording
};
// Flags, of which the highest six bits are the word of kBindingCount that the first count is in: a binding begins at a
// multiple of minStorageBufferOffsetAlignment, which may be 256 bytes, and counts at any word.
VKSORT_CONST_UINT(kCountWordShift, 26)
VKSORT_CONST_UINT(kFlagCountFromBuffer, 1)
VKSORT_CONST_UINT(kFlagArgsort, 2)
VKSORT_CONST_UINT(kFlagDiscardKeys, 4)
VKSORT_CONST_UINT(kFlagPacked, 8)   // keys are narrower than a word: the result is packed into kBindingPacked
VKSORT_CONST_UINT(kFlagStrided, 16) // keys are not dense words: read through keyBytes, keyStride, keyOffset
// In the specialization constant FLAGS only:
// It holds all flags of the push constants, but for MergePush's kFlagsOfPush.
VKSORT_CONST_UINT(kFlagsKnown, 0x80000000u)
VKSORT_CONST_UINT(kFlagKeysInOrder, 0x40000000u) // unsigned, ascending: ordered form and bit pattern are the same

VKSORT_CONST_UINT(kMaxPushBytes, 128) // what every device has

VKSORT_INTEROP_END
#endif
