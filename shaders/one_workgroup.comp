#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// The whole sort in one workgroup's shared memory: by bins (workgroup/bin_sort.glsl), and if the keys are too uneven for that,
// or not all of their bits count, by passes over their digits, of which those that are the same in every key are skipped.
// Then values are fetched by the index that travelled with the key.
#include "config.glsl"
#include "buffers.glsl"
#define EXTRA_TILE_WORDS (KEYS_PER_THREAD / 2)
#include "workgroup/rank.glsl"
#define BIN_SEGMENTS 0
#define BIN_CELLS s_tile
#include "workgroup/bin_sort.glsl"

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

void run_by_digits(uint count) {
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

// Narrow keys have few values, and few digits.
bool wants_bins() {
    return pc.keyBytes >= 4 && pc.endBit - pc.beginBit == 32 * KEY_WORDS;
}

bool run_by_bins(uint count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = ordered_from_bits(load_key(0, min(element_of(i), count - 1)));
    }
    clear_bins();
    if (!sort_by_bins(find_range(), count, false)) {
        barrier();
        return false;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < count && !has_flag(kFlagDiscardKeys)) {
            keys1[element_of(i)] = bits_from_ordered(cell_key(element_of(i)));
        }
    }
    [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
        uint words[KEYS_PER_THREAD];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            words[i] = has_flag(kFlagArgsort) ? element_of(i) : values0[min(element_of(i), count - 1) * VALUE_WORDS + component];
        }
        // The result may go to the same memory: nobody writes before everybody has read.
        memoryBarrierBuffer();
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < count) {
                s_cells[bins[i]] = words[i];
            }
        }
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < count) {
                values1[element_of(i) * VALUE_WORDS + component] = s_cells[element_of(i)];
            }
        }
    }
    return true;
}

void main() {
    uint count = element_count();
    if (count == 0) {
        return;
    }
    if (wants_bins() && run_by_bins(count)) {
        return;
    }
    run_by_digits(count);
}
