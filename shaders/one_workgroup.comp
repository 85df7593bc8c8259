#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// The whole sort in one workgroup: all passes in shared memory. Values are fetched once, by the index that travelled
// with the key. Digits that are the same in every key are skipped.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/rank.glsl"

shared uint s_varying[KEY_WORDS]; // bits in which some key differs from the first one

uint order[KEYS_PER_THREAD]; // input index of each key

void load_keys(uint count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = tile_element(i);
        order[i] = element;
        keys[i] = element < count ? ordered_from_bits(load_key(0, element)) : kPadKey;
    }
}

// Leaves in s_varying which bits differ among the real keys.
void find_varying_bits(uint count) {
    Key first = ordered_from_bits(load_key(0, 0));
    Key different = Key(0);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (tile_element(i) < count) {
            different |= keys[i] ^ first;
        }
    }
    if (thread_index < KEY_WORDS) {
        s_varying[thread_index] = 0;
    }
    barrier();
#if KEY_WORDS == 1
    atomicOr(s_varying[0], different);
#else
    atomicOr(s_varying[0], different.x);
    atomicOr(s_varying[1], different.y);
#endif
    barrier();
}

// Sends each word to its rank and takes the word that has come to its own element.
#define EXCHANGE(word)                                           \
    barrier();                                                   \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {        \
        s_tile[rank_of(i)] = word;                               \
    }                                                            \
    barrier();                                                   \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {        \
        word = s_tile[tile_element(i)];                          \
    }

void store_keys(uint count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = tile_element(i);
        if (element < count) {
            keys1[element] = bits_from_ordered(keys[i]);
        }
    }
}

void store_packed_keys(uint count) {
#if KEY_WORDS == 1
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_tile[tile_element(i)] = bits_from_ordered(keys[i]);
    }
    barrier();
    uint bits = 8 * pc.keyBytes;
    uint keys_per_word = 32 / bits;
    for (uint w = thread_index; w * keys_per_word < count; w += WORKGROUP_SIZE) {
        uint present = min(count - w * keys_per_word, keys_per_word);
        uint word = 0;
        for (uint k = 0; k < present; ++k) {
            word |= (s_tile[w * keys_per_word + k] >> (32 - bits)) << (k * bits);
        }
        if (present < keys_per_word) { // the bytes behind the last key are the caller's
            word |= packed_keys[w] & ~((1u << (present * bits)) - 1u);
        }
        packed_keys[w] = word;
    }
#endif
}

void move_values(uint count) {
    [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
        uint words[KEYS_PER_THREAD];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            words[i] = order[i];
            if (!has_flag(kFlagArgsort) && tile_element(i) < count) {
                words[i] = values0[order[i] * VALUE_WORDS + component];
            }
        }
        // The result may go to the same memory: nobody writes before everybody has read.
        memoryBarrierBuffer();
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (tile_element(i) < count) {
                values1[tile_element(i) * VALUE_WORDS + component] = words[i];
            }
        }
    }
}

void main() {
    uint count = element_count();
    if (count == 0) {
        return;
    }
    load_keys(count);
    find_varying_bits(count);
#if KEY_WORDS == 1
    Key varying_bits = s_varying[0];
#else
    Key varying_bits = Key(s_varying[0], s_varying[1]);
#endif
    for (uint pass = 0; pass < pc.digitPasses; ++pass) {
        DigitPlace place = digit_place(pass);
        if (digit_of(varying_bits, place) == 0) {
            continue;
        }
        barrier();
        clear_counts();
        barrier();
        count_digits(place, count);
        rank_keys(place);
#if KEY_WORDS == 1
        EXCHANGE(keys[i])
#else
        EXCHANGE(keys[i].x)
        EXCHANGE(keys[i].y)
#endif
        if (VALUE_WORDS > 0) {
            EXCHANGE(order[i])
        }
    }
    barrier();
    if (!has_flag(kFlagDiscardKeys)) {
        if (has_flag(kFlagPacked)) {
            store_packed_keys(count);
        } else {
            store_keys(count);
        }
    }
    move_values(count);
}
