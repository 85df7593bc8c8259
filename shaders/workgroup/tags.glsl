// SPDX-License-Identifier: MIT
//
// What workgroup/bin_sort.glsl, included behind it, is told for workgroup/tagged_bins.glsl.
const uint TAGGED_VALUES = TAG_BITS > 0 ? VALUE_WORDS : 0;
#define BIN_VALUES (VALUE_WORDS - TAGGED_VALUES)
const uint TAG_BIN_WORDS = ((1u << TAG_BITS) - 1) / (2 * WORKGROUP_SIZE) + 1;
const uint ODD_TAG_BIN_WORDS = (TAG_BIN_WORDS | 1) <= KEYS_PER_THREAD ? TAG_BIN_WORDS | 1 : TAG_BIN_WORDS;
#define LEAST_BIN_WORDS (TAG_BITS > 0 ? ODD_TAG_BIN_WORDS : 1)
#define BINS_APART (TAG_BITS > 0)
