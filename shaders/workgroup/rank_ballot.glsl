// SPDX-License-Identifier: MIT
//
// Ranking by subgroup ballots: each subgroup owns SUBGROUP_SIZE * KEYS_PER_THREAD neighbouring elements and a histogram. It
// ranks them among themselves first, which counts its digits, too; where the digits of all subgroups begin is added
// afterwards. After Ashkiani et al., "GPU Multisplit", 2016. (Adinets and Merrill, "Onesweep", 2022, section 3, count before
// they match, so that other workgroups know the counts earlier. On NVIDIA's H200 that is one addition a key too many.)
//
// With RANK_ATOMICS nothing is matched: the additions that count a subgroup's digits return how many of them came before.
// That is stable where a device adds for the lanes of a subgroup in their order. No specification promises it, so the caller
// looks.
#include "scan.glsl"
#include "../subgroup/ballot.glsl"
#if RANK_ATOMICS
#include "../subgroup/hot_digit.glsl"
#endif

const uint kHistogramWords = SUBGROUPS * kRadix;
#ifndef EXTRA_TILE_WORDS
#define EXTRA_TILE_WORDS 0
#endif
shared uint s_tile[(STAGE_SIZE > kHistogramWords ? STAGE_SIZE : kHistogramWords) + EXTRA_TILE_WORDS];

uint tile_element(uint i) {
    return gl_SubgroupID * (SUBGROUP_SIZE * KEYS_PER_THREAD) + i * SUBGROUP_SIZE + gl_SubgroupInvocationID;
}

// Before count_digits; the caller's next barrier covers it.
void clear_counts() {
    [[unroll]] for (uint i = 0; i < kHistogramWords; i += WORKGROUP_SIZE) {
        s_tile[i + thread_index] = 0;
    }
}

// s_tile[at], a word of this subgroup, as if its lanes added 1 one after another and each took what it found: `peers` are
// those that add to the same word, and a lane takes part if `present`. Without atomics: the last of the peers writes for all
// of them.
uint take_rank(uint at, uvec4 peers, bool present) {
    uint position = s_tile[at] + sg_count(peers & gl_SubgroupLtMask);
    subgroupBarrier();
    if (present && !sg_any(peers & gl_SubgroupGtMask)) {
        s_tile[at] = position + 1;
    }
    subgroupBarrier();
    return position;
}

#if RANK_ATOMICS
bool ranks_backwards = false; // tests: as on a device that adds for the last lane first

// From "how many came before" to "how many came after" among the subgroup's keys of a digit.
void mirror_ranks(DigitPosition position) {
    subgroupBarrier();
    [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint count = s_tile[gl_SubgroupID * kRadix + digit_of(keys[i], position)];
        rank_pairs[i / 2] ^= ((count - 1 - rank_of(i)) ^ rank_of(i)) << (i % 2 * 16);
    }
}
#endif

void count_digits(DigitPosition position, uint tile_count) {
    uint histogram = gl_SubgroupID * kRadix;
#if RANK_ATOMICS
    uint hot_count = 0;
    // Additions to one address take their turns: where many lanes have one digit, it is counted by ballots.
    uint hot = hot_digit(digit_of(keys[0], position));
    if (hot < kRadix) {
        uint before = 0;
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint digit = digit_of(keys[i], position);
            uvec4 peers = subgroupBallot(digit == hot);
            uint rank = before + subgroupBallotExclusiveBitCount(peers);
            bool alone = digit != hot;
            uint found = atomicAdd(s_tile[histogram + (alone ? digit : gl_SubgroupInvocationID)], alone ? 1 : 0);
            set_rank(i, alone ? found : rank);
            before += subgroupBallotBitCount(peers);
        }
        hot_count = before;
    } else {
        [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            set_rank(i, atomicAdd(s_tile[histogram + digit_of(keys[i], position)], 1));
        }
    }
    if (hot < kRadix && gl_SubgroupInvocationID == 0) {
        atomicAdd(s_tile[histogram + hot], hot_count);
    }
    if (ranks_backwards) {
        mirror_ranks(position);
    }
#else
    [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint digit = digit_of(keys[i], position);
        set_rank(i, take_rank(histogram + digit, sg_match(digit), true));
    }
#endif
    barrier();
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint digit = own_digit(j);
            uint count = 0;
            [[unroll]] for (uint s = 0; s < SUBGROUPS; ++s) {
                count += s_tile[s * kRadix + digit];
            }
            // The padding has the greatest digit, position.mask.
            digit_counts[j] = digit == position.mask ? count - (TILE_SIZE - tile_count) : count;
        }
    }
}

void rank_keys(DigitPosition position) {
    uint sum = 0;
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            sum += digit_counts[j];
        }
    }
    // No key has a digit greater than position.mask, so it does no harm that the padding is missing from the sum.
    uint start = wg_exclusive_add(sum);
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            digit_starts[j] = start;
            start += digit_counts[j];
            uint next = digit_starts[j];
            [[unroll]] for (uint s = 0; s < SUBGROUPS; ++s) {
                uint at = s * kRadix + own_digit(j);
                uint count = s_tile[at];
                s_tile[at] = next;
                next += count;
            }
        }
    }
    barrier();
#ifdef DIGITS_ANEW
    if (DIGITS_ANEW) {
        position.shift += OPAQUE_ZERO; // otherwise each word's address stays in a register from count_digits() on
    }
#endif
    uint histogram = gl_SubgroupID * kRadix;
    [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        rank_pairs[i / 2] += s_tile[histogram + digit_of(keys[i], position)] << (i % 2 * 16);
    }
}
