// SPDX-License-Identifier: MIT
//
// Ranking without subgroup operations: two stable counting sorts of the tile's digits, 4 bits each, with one private
// 16-bit counter for each half digit and invocation, two of them to a word (Merrill and Grimshaw, "High Performance and
// Scalable Radix Sorting", 2011, section 3.3). Right for narrow subgroups, unknown subgroup sizes and CPU drivers.
#include "scan_plain.glsl"

const uint kHalfBits = 4;
const uint kCounterRows = 8; // counters of half digits r and r + 8 share a word

#ifndef EXTRA_TILE_WORDS
#define EXTRA_TILE_WORDS 0
#endif
shared uint s_tile[TILE_SIZE + EXTRA_TILE_WORDS];
shared uint s_counters[kCounterRows * WORKGROUP_SIZE];
shared uint s_digit_counts[kRadix];

uint tile_element(uint i) {
    return tile_slot(i);
}

void clear_counts() {
    [[unroll]] for (uint i = 0; i < kRadix; i += WORKGROUP_SIZE) {
        if (i + thread_index < kRadix) {
            s_digit_counts[i + thread_index] = 0;
        }
    }
}

void count_digits(DigitPosition position, uint tile_count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (tile_element(i) < tile_count) {
            atomicAdd(s_digit_counts[digit_of(keys[i], position)], 1);
        }
    }
    barrier();
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            digit_counts[j] = s_digit_counts[own_digit(j)];
        }
    }
}

// One counting sort of s_tile by the half digit at `shift`. Each invocation owns KEYS_PER_THREAD neighbouring elements.
void sort_by_half(uint shift) {
    uint items[KEYS_PER_THREAD];
    uint before[KEYS_PER_THREAD]; // equal half digits among this invocation's earlier elements
    KEY_LOOP for (uint row = 0; row < kCounterRows; ++row) {
        s_counters[row * WORKGROUP_SIZE + thread_index] = 0;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        items[i] = s_tile[thread_index * KEYS_PER_THREAD + i];
    }
    // A loop of its own: were this in the one above, LLVM 19 would abort on CPUs with AVX-512. docs/testing.md tells why,
    // under "Mended defects".
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint half_digit = (items[i] >> shift) & 15u;
        uint at = (half_digit & 7u) * WORKGROUP_SIZE + thread_index;
        uint lane_shift = (half_digit >> 3) * 16u;
        uint counters = s_counters[at];
        before[i] = (counters >> lane_shift) & 0xFFFFu;
        s_counters[at] = counters + (1u << lane_shift);
    }
    barrier();
    // The scan goes over rows, then invocations, with both halves of a word at once. The upper counters follow all lower
    // ones.
    uint sum = 0;
    KEY_LOOP for (uint i = 0; i < kCounterRows; ++i) {
        sum += s_counters[thread_index * kCounterRows + i];
    }
    uint total;
    uint next = wg_exclusive_add(sum, total);
    next += total << 16;
    KEY_LOOP for (uint i = 0; i < kCounterRows; ++i) {
        uint at = thread_index * kCounterRows + i;
        uint counters = s_counters[at];
        s_counters[at] = next;
        next += counters;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint half_digit = (items[i] >> shift) & 15u;
        uint counters = s_counters[(half_digit & 7u) * WORKGROUP_SIZE + thread_index];
        s_tile[((counters >> ((half_digit >> 3) * 16u)) & 0xFFFFu) + before[i]] = items[i];
    }
    barrier();
}

void rank_keys(DigitPosition position) {
    uint sum = 0;
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            sum += digit_counts[j];
        }
    }
    uint total;
    uint start = wg_exclusive_add(sum, total);
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            digit_starts[j] = start;
            start += digit_counts[j];
        }
    }
    // Elements are sorted as (digit << 16 | element); padding comes last by its digit and its index.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[tile_element(i)] = (digit_of(keys[i], position) << 16) | tile_element(i);
    }
    barrier();
    sort_by_half(16);
    if (position.mask > 15u) {
        sort_by_half(16 + kHalfBits);
    }
    // s_tile says which element stands where; ranks need the inverse.
    uint elements[KEYS_PER_THREAD];
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        elements[i] = s_tile[tile_slot(i)] & 0xFFFFu;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[elements[i]] = tile_slot(i);
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_rank(i, s_tile[tile_element(i)]);
    }
}
