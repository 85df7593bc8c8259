#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// sample_sort of few elements, first step, one workgroup a tile: sorts the tile into slot 2 by a network, and notes samples
// of it for sample_ranks.comp.
#include "config.glsl"
#include "buffers.glsl"
#include "device/samples.glsl"
#include "workgroup/bitonic_sort.glsl"

// Values of one word wait here for their keys.
shared uint s_words[VALUE_WORDS == 1 ? TILE_SIZE : 1];

uint loaded_element(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

uint sorted_element(uint i) {
    return thread_index * KEYS_PER_THREAD + i;
}

void load_keys(uint begin, uint length) {
    if (!has_flag(kFlagStrided)) {
        LOAD_FROM(keys, KEYS_PER_THREAD, keys0, begin + min(loaded_element(i), length - 1))
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = load_strided_key(begin + min(loaded_element(i), length - 1));
        }
    }
}

#define MOVE_VALUES(type, slot0, slot1, slot2, second)                                                             \
    {                                                                                                              \
        type values[KEYS_PER_THREAD];                                                                              \
        LOAD_FROM(values, KEYS_PER_THREAD, slot0, begin + min(origins[i], length - 1))                             \
        STORE_TO(values[i], KEYS_PER_THREAD, slot2, begin + sorted_element(i), sorted_element(i) < length)         \
    }

// To the sorted elements' slots, from where these were.
void store_values(uint begin, uint length) {
    if (VALUE_WORDS == 1 && has_flag(kFlagArgsort)) {
        STORE_TO(begin + origins[i], KEYS_PER_THREAD, values2, begin + sorted_element(i), sorted_element(i) < length)
    } else if (VALUE_WORDS == 1) {
        barrier();
        STORE_TO(s_words[origins[i]], KEYS_PER_THREAD, values2, begin + sorted_element(i), sorted_element(i) < length)
    } else if (VALUE_WORDS > 1) {
        FOR_VALUE_TYPE(MOVE_VALUES)
    }
}

void store_samples(uint tile, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if ((sorted_element(i) + 1) % kRankedGap == 0 && sorted_element(i) < length) {
            [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                state[sample_word(tile, sorted_element(i) / kRankedGap) + w] = key_word(keys[i], w);
            }
        }
    }
}

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = element_count();
    uint tile = group_index;
    begin_sample_sort(count, tile == 0 && thread_index == 0);
    uint begin = tile * pc.firstTile;
    if (begin >= count) {
        return;
    }
    uint length = tile_length(count, tile);
    load_keys(begin, length);
    uint words[KEYS_PER_THREAD];
    bool moves_words = VALUE_WORDS == 1 && !has_flag(kFlagArgsort);
    if (moves_words) {
        LOAD_FROM(words, KEYS_PER_THREAD, values0, begin + min(loaded_element(i), length - 1))
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        // Behind all elements, also those that equal it.
        keys[i] = loaded_element(i) < length ? ordered_from_bits(keys[i]) : kPadKey;
        origins[i] = loaded_element(i);
        if (moves_words) {
            s_words[loaded_element(i)] = words[i];
        }
    }
    sort_by_network();
    STORE_TO(keys[i], KEYS_PER_THREAD, keys2, begin + sorted_element(i), sorted_element(i) < length)
    store_samples(tile, length);
    store_values(begin, length);
}
