// SPDX-License-Identifier: MIT
//
// What the onesweep and reduce-scan partition kernels do with one tile: load it, and, once it is ranked and the
// destination of each digit is known, exchange it through shared memory so that neighbours are written together.

// Loops of this file over an invocation's keys, which GPU compilers unroll by themselves (NVIDIA's and RADV's do, as arrays
// that a loop indexes are not for registers). Told to, NVIDIA's takes 81 registers instead of 63 for the partition of pairs,
// and so one workgroup a multiprocessor instead of two. TILE_UNROLL tells them all the same: kernels that are faster so, and
// those by counters, of which CPU drivers are spared what has the hint.
#if TILE_UNROLL
#define TILE_LOOP [[unroll]]
#else
#define TILE_LOOP
#endif

// When one-word values are read. 0: before the keys are stored, so that they wait in registers beside them. 1: afterwards,
// into the registers that the keys had, so that a tile of as many registers is larger.
#ifndef VALUES_LAST
#define VALUES_LAST 0
#endif

// Destination of slot x of the sorted tile: s_destinations[digit] + x.
shared uint s_destinations[kRadix];

// The tile's elements from one of the slots. A full tile needs no clamp, so that its addresses differ by constants only.
#define LOAD_ELEMENTS(target, slot_array)                              \
    if (tile_count == TILE_SIZE) {                                     \
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {         \
            target[i] = slot_array[base + tile_element(i)];            \
        }                                                              \
    } else {                                                           \
        uint last = base + tile_count - 1;                             \
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {         \
            target[i] = slot_array[min(base + tile_element(i), last)]; \
        }                                                              \
    }

// Elements past the end of the input become padding.
void load_tile(PassControl pass, uint base, uint tile_count) {
    if (pass.source == 0 && has_flag(kFlagStrided)) {
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = load_strided_key(base + min(tile_element(i), tile_count - 1));
        }
    } else if (pass.source == 0) {
        LOAD_ELEMENTS(keys, keys0)
    } else if (pass.source == 1) {
        LOAD_ELEMENTS(keys, keys1)
    } else {
        LOAD_ELEMENTS(keys, keys2)
    }
    if ((pass.flags & kPassFirst) != 0) {
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = ordered_from_bits(keys[i]);
        }
    }
    if (tile_count < TILE_SIZE) {
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_element(i) < tile_count ? keys[i] : kPadKey;
        }
    }
}

#if RANK_ATOMICS
// Whether what this invocation has seen of the sorted tile is in order. The input of a pass is in the order of the digits
// below its own, so each tile of it must come into the order of those and its own. Of keys without values that is all there
// is to stability.
bool tile_in_order = true;

// The slot before a round's first one is staged with the round, too, so that each slot can be compared with the one before.
const uint kSlotsBefore = 1;
#else
const uint kSlotsBefore = 0;
#endif

// Moves the words of one round, those whose ranks fall into it, to s_tile.
#define STAGE_WORDS(round, word)                                    \
    TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {          \
        uint at = rank_of(i) - (round) * STAGE_SIZE + kSlotsBefore; \
        if (STAGE_ROUNDS == 1 || at < STAGE_SIZE + kSlotsBefore) {  \
            s_tile[at] = word;                                      \
        }                                                           \
    }

#if KEY_WORDS == 1
#define FIRST_WORD(key) key
#else
#define FIRST_WORD(key) key.x
#endif

// After rank_keys. A barrier must follow before scatter_tile.
void stage_first_round() {
    barrier();
    STAGE_WORDS(0, FIRST_WORD(keys[i]))
}

uint value_words[KEYS_PER_THREAD];

// One-word values, in the order of the tile's elements.
void load_values(PassControl pass, uint base, uint tile_count) {
    if (pass.source == 0 && has_flag(kFlagArgsort)) {
        TILE_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            value_words[i] = base + tile_element(i);
        }
    } else if (pass.source == 0) {
        LOAD_ELEMENTS(value_words, values0)
    } else if (pass.source == 1) {
        LOAD_ELEMENTS(value_words, values1)
    } else {
        LOAD_ELEMENTS(value_words, values2)
    }
}

#if VALUES_LAST
#include "touch_values.glsl"
#endif

// Asks for one-word values before the stores of the keys; not with VALUES_LAST.
void prefetch_values(PassControl pass, uint base, uint tile_count) {
    if (VALUE_WORDS == 1) {
        load_values(pass, base, tile_count);
    }
}

uint round_slot(uint round, uint i) {
    return tile_slot(round * KEYS_PER_ROUND + i);
}

// Moves the values of one round, which are wider than a word, by their source indices in s_tile. All values of a tile would
// be too many for registers and for staging, so an invocation reads the values that it writes. (The first-level cache of
// NVIDIA's H200 holds all of them.)
#define SCATTER_VALUES(type, slot0, slot1, slot2, second) \
    { \
        type values[KEYS_PER_ROUND]; \
        if (pass.source == 0) { \
            LOAD_FROM(values, KEYS_PER_ROUND, slot0, s_tile[tile_slot(i)]) \
        } else { \
            LOAD_FROM_SLOT(values, KEYS_PER_ROUND, pass.source, s_tile[tile_slot(i)], slot1, slot2) \
        } \
        STORE_TO_SLOT(values[i], KEYS_PER_ROUND, pass.destination, destinations[i], round_slot(round, i) < tile_count, \
            slot1, slot2) \
    }

// Stages the one-word values of a round and writes them to destinations[], those of its slots.
#define SCATTER_VALUE_WORDS                                                                           \
    barrier();                                                                                        \
    STAGE_WORDS(round, value_words[i])                                                                \
    barrier();                                                                                        \
    STORE_TO_SLOT(s_tile[tile_slot(i)], KEYS_PER_ROUND, pass.destination, destinations[i],            \
                  round_slot(round, i) < tile_count, values1, values2)

#if KEY_WORDS == 1 && VALUES_LAST && !RANK_ATOMICS
#define KEYS_ONLY_WITHIN_BINS 1

const uint KEYS_AT_ONCE = 4;

// A round's keys, where there are no values, a few at once, which takes fewer registers. (On NVIDIA's H200 that is 3 % of a
// pass, and with values it would cost 4 %.)
void scatter_keys_only(PassControl pass, DigitPosition position, uint round, uint tile_count) {
    TILE_LOOP for (uint first = 0; first < KEYS_PER_ROUND; first += KEYS_AT_ONCE) {
        uint most = KEYS_PER_ROUND - first;
        Key moved[KEYS_AT_ONCE];
        TILE_LOOP for (uint i = 0; i < KEYS_AT_ONCE; ++i) {
            moved[i] = i < most ? s_tile[tile_slot(first + i)] : kPadKey;
        }
        uint destinations[KEYS_AT_ONCE];
        TILE_LOOP for (uint i = 0; i < KEYS_AT_ONCE; ++i) {
            destinations[i] = s_destinations[digit_of(moved[i], position)] + round_slot(round, first + i);
        }
        if ((pass.flags & kPassLast) != 0) {
            TILE_LOOP for (uint i = 0; i < KEYS_AT_ONCE; ++i) {
                moved[i] = bits_from_ordered(moved[i]);
            }
        }
        STORE_TO_SLOT(moved[i], KEYS_AT_ONCE, pass.destination, destinations[i], i < most && round_slot(round, first +
            i) < tile_count, keys1,
                      keys2)
    }
}
#else
#define KEYS_ONLY_WITHIN_BINS 0
#endif

#if VALUES_LAST
uint slot_digits[(KEYS_PER_THREAD + 3) / 4]; // of the slots that this invocation writes, four to a word

// Loads one-word values when all keys are written, and sends them after these by the digits of their slots.
void scatter_values_last(PassControl pass, uint base, uint tile_count) {
    load_values(pass, base, tile_count);
    [[unroll]] for (uint round = 0; round < STAGE_ROUNDS; ++round) {
        uint destinations[KEYS_PER_ROUND];
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            uint at = round * KEYS_PER_ROUND + i;
            destinations[i] = s_destinations[slot_digits[at / 4] >> (at % 4 * 8) & (kRadix - 1)] + round_slot(round, i);
        }
        SCATTER_VALUE_WORDS
    }
}
#endif

// Writes keys and values to their destinations, round by round, after prefetch_values if that is called. Afterwards s_tile
// and s_destinations are in use until the next barrier.
void scatter_tile(PassControl pass, DigitPosition position, uint base, uint tile_count) {
    [[unroll]] for (uint round = 0; round < STAGE_ROUNDS; ++round) {
        if (round > 0) {
            barrier();
            STAGE_WORDS(round, FIRST_WORD(keys[i]))
            barrier();
        }
#if KEYS_ONLY_WITHIN_BINS
        if (VALUE_WORDS == 0) {
            scatter_keys_only(pass, position, round, tile_count);
            continue;
        }
#endif
        Key moved[KEYS_PER_ROUND];
        uint destinations[KEYS_PER_ROUND];
#if KEY_WORDS == 1
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i] = s_tile[kSlotsBefore + tile_slot(i)];
        }
#if RANK_ATOMICS
        // Below beginBit the words of narrow keys have nothing that counts.
        uint sorted_bits = ((2u << (position.shift + kRadixBits - 1)) - 1u) & (0xFFFFFFFFu << pc.beginBit);
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            uint before = s_tile[tile_slot(i)];
            if (round_slot(round, i) > 0) {
                tile_in_order = tile_in_order && (before & sorted_bits) <= (moved[i] & sorted_bits);
            }
        }
        if (tile_count < TILE_SIZE) { // nor may padding have come before a key, which would be lost
            TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
                if (round_slot(round, i) >= tile_count) {
                    tile_in_order = tile_in_order && moved[i] == kPadKey;
                }
            }
        }
#endif
#else
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i].x = s_tile[tile_slot(i)];
        }
        barrier();
        STAGE_WORDS(round, keys[i].y)
        barrier();
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            moved[i].y = s_tile[tile_slot(i)];
        }
#endif
        TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
            uint digit = digit_of(moved[i], position);
            destinations[i] = s_destinations[digit] + round_slot(round, i);
#if VALUES_LAST
            uint at = round * KEYS_PER_ROUND + i;
            slot_digits[at / 4] = (at % 4 == 0 ? 0 : slot_digits[at / 4]) | digit << (at % 4 * 8);
#endif
        }
        if ((pass.flags & kPassLast) != 0) {
            TILE_LOOP for (uint i = 0; i < KEYS_PER_ROUND; ++i) {
                moved[i] = bits_from_ordered(moved[i]);
            }
        }
        if ((pass.flags & kPassNoKeys) == 0) {
            STORE_TO_SLOT(moved[i], KEYS_PER_ROUND, pass.destination, destinations[i], round_slot(round, i) < tile_count,
                keys1,
                          keys2)
        }
        if (VALUE_WORDS == 1 && VALUES_LAST == 0) {
            SCATTER_VALUE_WORDS
        } else if (VALUE_WORDS > 1) {
            barrier();
            STAGE_WORDS(round, base + min(tile_element(i), tile_count - 1))
            barrier();
            FOR_VALUE_TYPE(SCATTER_VALUES)
        }
    }
#if VALUES_LAST
    if (VALUE_WORDS == 1) {
        scatter_values_last(pass, base, tile_count);
    }
#endif
}
