#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// The whole sort in one workgroup's shared memory (workgroup/sort_tile.glsl).
// INDEXED 1: with values, by workgroup/indexed_bins.glsl.
// SKEWED_BINS 1: bins follow the distribution of keys that are not even, which otherwise are sorted by digits.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/sort_tile.glsl"
#if SKEWED_BINS
#include "workgroup/equal_bins.glsl"
#endif
#include "workgroup/load_tile.glsl"

void store_keys(uint count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < count) {
            keys1[element_of(i)] = bits_from_ordered(shared_key(element_of(i)));
        }
    }
}

void store_packed_keys(uint count) {
#if KEY_WORDS == 1
    uint bits = 8 * pc.keyBytes;
    uint keys_per_word = 32 / bits;
    for (uint w = thread_index; w * keys_per_word < count; w += WORKGROUP_SIZE) {
        uint present = min(count - w * keys_per_word, keys_per_word);
        uint word = 0;
        for (uint k = 0; k < present; ++k) {
            word |= (bits_from_ordered(s_slots[w * keys_per_word + k]) >> (32 - bits)) << (k * bits);
        }
        if (present < keys_per_word) { // the bytes behind the last key are the caller's
            word |= packed_keys[w] & ~((1u << (present * bits)) - 1u);
        }
        packed_keys[w] = word;
    }
#endif
}

// A sort in place reads values by the name by which it writes them: a compiler may take a buffer that is never written by
// its name for constant, and read it late.
#define MOVE_VALUES(type, slot0, slot1, slot2, second)    \
    if (pc.firstSlot == kFirst2) {                        \
        GATHER_VALUES(type, slot1, slot1, 0, count)       \
    } else {                                              \
        GATHER_VALUES(type, slot0, slot1, 0, count)       \
    }

#define STORE_SORTED(count)                                        \
    if (!has_flag(kFlagPacked) && !has_flag(kFlagDiscardKeys)) {   \
        store_keys(count);                                         \
    } else if (!has_flag(kFlagDiscardKeys)) {                      \
        store_packed_keys(count);                                  \
    }                                                              \
    MOVE_INPUT_VALUES(words, 0, count, values1)

#if INDEXED

// If it is large enough, values of one word wait in shared memory of their own: otherwise they could go there only when the
// keys have left. (A constant of its own, since glslang writes it behind the array otherwise.)
const uint WORDS_FLAG = FLAGS & kFlagSharesWords;
#define SHARES_WORDS (VALUE_WORDS == 1 && WORDS_FLAG != 0)
shared uint s_words[WORDS_FLAG != 0 ? TILE_SIZE : 1];

#define COPY_IF_SHARED(target, source)                          \
    if (SHARES_WORDS) {                                         \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {   \
            target = source;                                    \
        }                                                       \
    }

// Stores the sorted keys and values; `words` are values of one word. Values that wait in shared memory are on their way to
// the result while the keys go to their slots. An invocation writes a key to a slot whose packed key and index it has read
// itself, so no barrier is needed before.
#define STORE_INDEXED(words, count)                                                                             \
    find_indices();                                                                                             \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                                       \
        s_slots[element_of(i)] = original_keys[i];                                                              \
    }                                                                                                           \
    COPY_IF_SHARED(words[i], s_words[indexed_sources[i]])                                                       \
    if (SHARES_WORDS) {                                                                                         \
        STORE_TO(words[i], KEYS_PER_THREAD, values1, element_of(i), element_of(i) < (count))                    \
    }                                                                                                           \
    barrier();                                                                                                  \
    if (!has_flag(kFlagDiscardKeys)) {                                                                          \
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                                                   \
            original_keys[i] = bits_from_ordered(s_slots[indexed_sources[i]]);                                  \
        }                                                                                                       \
        STORE_TO(original_keys[i], KEYS_PER_THREAD, keys1, element_of(i), element_of(i) < (count))              \
    }                                                                                                           \
    if (VALUE_WORDS == 1 && !SHARES_WORDS) {                                                                    \
        READ_BEFORE_WRITTEN                                                                                     \
        SHARE_WORDS(words[i])                                                                                   \
        STORE_TO(s_slots[indexed_sources[i]], KEYS_PER_THREAD, values1, element_of(i), element_of(i) < (count)) \
    }                                                                                                           \
    if (VALUE_WORDS > 1) {                                                                                      \
        SHARE_WORDS(indexed_sources[i])                                                                         \
        FOR_VALUE_TYPE(MOVE_VALUES)                                                                             \
    }

// Values are waited for behind the range, and not with the keys.
bool sort_indexed_uniform(uint count, inout KeyRange range, uint words[TILE_SLOTS]) {
    bool by_bins = are_for_bins();
    if (by_bins) {
        range = find_range_cleared();
        index_keys(range);
    }
    COPY_IF_SHARED(s_words[element_of(i)], words[i])
    if (!by_bins) {
        return false;
    }
    if (sort_in_bins(count, false)) {
        return true;
    }
    restore_keys();
    return false;
}

bool sort_indexed_skewed(uint count, KeyRange range) {
    if (ways_refused(count) == kWaysByBins) {
        return false;
    }
    index_keys_by_coarse_bins(range, count);
    if (sort_in_bins(count, false)) {
        return true;
    }
    restore_keys();
    return false;
}

#endif

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = element_count();
    if (has_flag(kFlagSmallCounts) && thread_index == 0) { // the other plans have statistics, so that this one has, too
        control.count = count;
        control.digitPassesRun = 0;
        control.fallbacks = 0;
        control.copied = 0;
    }
    if (count == 0) {
        return;
    }
    clear_for_bins();
    LOAD_INPUT_KEYS(keys, 0, count)
    LOAD_INPUT_WORDS(words, 0, count) // now, while the keys come
    KeyRange range = KeyRange(0, 0, 0);
#if INDEXED
    if (sort_indexed_uniform(count, range, words)) {
        STORE_INDEXED(words, count)
    } else if (sort_indexed_skewed(count, range)) {
        STORE_INDEXED(words, count)
    } else {
        sort_by_digits(count, pc.digitPasses);
        COPY_IF_SHARED(words[i], s_words[element_of(i)])
        STORE_SORTED(count)
    }
#else
    if (sort_uniform(count, range)) {
        STORE_SORTED(count)
    } else {
#if SKEWED_BINS
        sort_skewed(count, range, ways_refused(count));
#else
        sort_by_digits(count, pc.digitPasses);
#endif
        STORE_SORTED(count)
    }
#endif
}
