// SPDX-License-Identifier: MIT
//
// Sorts a tile of keys in shared memory by passes over their digits, the least significant first, and stably. Digits that
// are the same in every key are skipped; for the others it does not matter how keys are spread.
//
//   keys[i]                          this invocation's key number element_of(i) of the tile
//   digit_position(pass)             the digit position of a pass, which the includer defines
//   sort_by_digits(length, passes)   leaves the keys in order in shared_key(0), shared_key(1), ..., and with values in
//                                    bins[i] the slot that keys[i] went to
//
// GROUP_OF(element), if defined: which of digit_groups groups of neighbours the element is in. They are sorted side by side,
// by passes over the groups' numbers behind those over the keys.
//
// Needs config.glsl, keys.glsl and digits.glsl.
#define EXTRA_TILE_WORDS (KEYS_PER_THREAD / 2)
#include "rank.glsl"
#define SLOTS_IN s_tile
#include "shared_keys.glsl"

shared uint s_varying[KEY_WORDS + kOwnArrayType]; // bits in which some key differs from the first one

// Leaves in s_varying which bits differ among the real keys.
void find_varying_bits(Key first, uint length) {
    Key different = Key(0);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (tile_element(i) < length) {
            different |= keys[i] ^ first;
        }
    }
    if (thread_index < KEY_WORDS) {
        s_varying[thread_index] = 0;
    }
    barrier();
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        atomicOr(s_varying[w], key_word(different, w));
    }
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

#if KEY_WORDS == 1
#define EXCHANGE_KEYS EXCHANGE(keys[i])
#else
#define EXCHANGE_KEYS     \
    EXCHANGE(keys[i].x)   \
    EXCHANGE(keys[i].y)
#endif

#define RANK_BY_DIGIT(position)     \
    barrier();                      \
    clear_counts();                 \
    barrier();                      \
    count_digits(position, length); \
    rank_keys(position);

#ifdef GROUP_OF
#define MOVES_ORDER (VALUE_WORDS > 0 || digit_groups > 1)
#else
#define MOVES_ORDER (VALUE_WORDS > 0)
#endif

void sort_by_digits(uint length, uint passes) {
    // From the order of slots to the one that ranks are made in.
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_shared_key(element_of(i), keys[i]);
    }
    barrier();
    uint order[KEYS_PER_THREAD]; // the element that each key was
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        order[i] = tile_element(i);
        keys[i] = order[i] < length ? shared_key(order[i]) : kPadKey;
    }
    find_varying_bits(shared_key(0), length);
#if KEY_WORDS == 1
    Key varying_bits = s_varying[0];
#else
    Key varying_bits = Key(s_varying[0], s_varying[1]);
#endif
    for (uint pass = 0; pass < passes; ++pass) {
        DigitPosition position = digit_position(pass);
        if (digit_of(varying_bits, position) == 0) {
            continue;
        }
        RANK_BY_DIGIT(position)
        EXCHANGE_KEYS
        if (MOVES_ORDER) {
            EXCHANGE(order[i])
        }
    }
#ifdef GROUP_OF
    for (uint shift = 0; (digit_groups - 1) >> shift != 0; shift += kRadixBits) {
        DigitPosition position = DigitPosition(shift, kRadix - 1);
        Key moved[KEYS_PER_THREAD];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            moved[i] = keys[i];
            keys[i] = kPadKey;
            if (order[i] < length) {
                keys[i] = Key(0);
                set_key_word(keys[i], 0, GROUP_OF(order[i]));
            }
        }
        RANK_BY_DIGIT(position)
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = moved[i];
        }
        EXCHANGE_KEYS
        EXCHANGE(order[i])
    }
#endif
    barrier();
    if (VALUE_WORDS > 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            s_tile[order[i]] = tile_element(i);
        }
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            bins[i] = s_tile[element_of(i)];
        }
        barrier();
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_shared_key(tile_element(i), keys[i]);
    }
    barrier();
}
