// SPDX-License-Identifier: MIT
//
// What workgroup/bin_sort.glsl, included behind it, is told for workgroup/indexed_bins.glsl.
const uint INDEXED_VALUES = INDEXED_KEY_BITS > 0 ? VALUE_WORDS : 0;
#define BIN_VALUES (VALUE_WORDS - INDEXED_VALUES)
const uint INDEXED_BIN_WORDS = ((1u << INDEXED_KEY_BITS) - 1) / (2 * WORKGROUP_SIZE) + 1;
const uint ODD_INDEXED_BIN_WORDS = (INDEXED_BIN_WORDS | 1) <= KEYS_PER_THREAD ? INDEXED_BIN_WORDS | 1 : INDEXED_BIN_WORDS;
#define LEAST_BIN_WORDS (INDEXED_KEY_BITS > 0 ? ODD_INDEXED_BIN_WORDS : 1)
#define WITHIN_BINS (INDEXED_KEY_BITS > 0)
