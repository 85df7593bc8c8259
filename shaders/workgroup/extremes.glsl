// SPDX-License-Identifier: MIT
//
// The least and the greatest of numbers that the invocations bring, left in s_least and s_greatest. EXTREMES_OF: the number
// of sets of numbers, if not 1; s_leasts[k] and s_greatests[k] are those of set k.
#ifndef EXTREMES_OF
#define EXTREMES_OF 1
#endif
shared uint s_leasts[EXTREMES_OF + kOwnArrayType];
shared uint s_greatests[EXTREMES_OF + kOwnArrayType];
#define s_least s_leasts[0]
#define s_greatest s_greatests[0]

// A barrier must come before note_extremes().
void clear_extremes() {
    if (thread_index < EXTREMES_OF) {
        s_leasts[thread_index] = 0xFFFFFFFFu;
        s_greatests[thread_index] = 0;
    }
}

// All invocations take part. A barrier must follow. Compilers see that all invocations use one
// address, and reduce over the subgroup first: small sorts take 1 to 3 % less time than by shuffles (NVIDIA H200).
void note_extremes(uint k, uint least, uint greatest) {
    atomicMin(s_leasts[k], least);
    atomicMax(s_greatests[k], greatest);
}

// The same, ending with a barrier.
void add_extremes(uint least, uint greatest) {
    note_extremes(0, least, greatest);
    barrier();
}
