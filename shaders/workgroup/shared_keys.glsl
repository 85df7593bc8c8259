// SPDX-License-Identifier: MIT
//
// A tile's keys in shared memory, one a slot, while and after they are sorted. SLOTS_IN, if defined: a shared array of
// SHARED_SLOTS words that serves as s_slots; then keys[], too, is the includer's. Needs config.glsl and keys.glsl.
#ifndef VKSORT_SHARED_KEYS_GLSL
#define VKSORT_SHARED_KEYS_GLSL

// Keys without values: in each round an invocation sorts a register run, which is the keys of KEYS_PER_THREAD slots, an even
// number. Runs of odd rounds begin half a run later.
const uint HALF_RUN = KEYS_PER_THREAD / 2;
const uint SHARED_SLOTS = TILE_SIZE + HALF_RUN;

#ifdef SLOTS_IN
#define s_slots SLOTS_IN
#else
shared uint s_slots[SHARED_SLOTS];
Key keys[KEYS_PER_THREAD];
#endif
#if KEY_WORDS == 2
shared uint s_high_words[SHARED_SLOTS];
#endif

// The number of an invocation's keys that have values.
#ifndef TILE_SLOTS
#define TILE_SLOTS KEYS_PER_THREAD
#endif

// With values and unpacked keys, bins[i] is in the end the slot that keys[i], as it was read, has gone to.
uint bins[KEYS_PER_THREAD];

// Number of an invocation's i-th key in the tile.
uint element_of(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

// The key in slot `at`.
Key shared_key(uint at) {
#if KEY_WORDS == 1
    return s_slots[at];
#else
    return uvec2(s_slots[at], s_high_words[at]);
#endif
}

void store_shared_key(uint at, Key key) {
    s_slots[at] = key_word(key, 0);
#if KEY_WORDS == 2
    s_high_words[at] = key.y;
#endif
}

// Leaves in s_slots, in the order of the sorted keys, words that were read in the order of the unsorted ones. The result may
// go to the memory that the words came from: all are read before any is written. MOVES_ELSEWHERE: it never does.
#ifdef MOVES_ELSEWHERE
#define READ_BEFORE_WRITTEN
#else
#define READ_BEFORE_WRITTEN memoryBarrierBuffer();
#endif
#define MOVE_WORDS(words, length)                                \
    READ_BEFORE_WRITTEN                                          \
    barrier();                                                   \
    KEY_LOOP for (uint i = 0; i < TILE_SLOTS; ++i) {             \
        if (element_of(i) < length) {                            \
            s_slots[bins[i]] = words[i];                         \
        }                                                        \
    }                                                            \
    barrier();

// Values wider than a word do not go through slots, which MOVE_WORDS has filled with their source indices: each invocation
// reads the values that it writes. As above, all are read before any is written, if `from` may be the memory of `to`.
#define GATHER_VALUES(type, from, to, begin, length)                                                          \
    {                                                                                                         \
        type values[TILE_SLOTS];                                                                              \
        LOAD_FROM(values, TILE_SLOTS, from, s_slots[min(element_of(i), length - 1)])                          \
        READ_BEFORE_WRITTEN                                                                                   \
        barrier();                                                                                            \
        STORE_TO(values[i], TILE_SLOTS, to, begin + element_of(i), element_of(i) < length)                    \
    }

#endif
