// SPDX-License-Identifier: MIT
//
// Reading and writing slots: an invocation's elements together, and values, of VALUE_WORDS words, in one access each (those
// of three words in three, asked for together). Word by word a sector of memory would be asked for again for every word.
// Needs config.glsl and the bindings.
#ifndef HANDED_ON
#define HANDED_ON
#endif

struct ThreeWords {
    uint x, y, z;
};

layout(set = 0, binding = kBindingValues0, std430) readonly HANDED_ON buffer Values0 { uint values0[]; };
layout(set = 0, binding = kBindingValues0, std430) readonly HANDED_ON buffer ValuePairs0 { uvec2 value_pairs0[]; };
layout(set = 0, binding = kBindingValues0, std430) readonly HANDED_ON buffer ValueTriples0 { ThreeWords value_triples0[]; };
layout(set = 0, binding = kBindingValues0, std430) readonly HANDED_ON buffer ValueQuads0 { uvec4 value_quads0[]; };
layout(set = 0, binding = kBindingValues1, std430) HANDED_ON buffer Values1 { uint values1[]; };
layout(set = 0, binding = kBindingValues1, std430) HANDED_ON buffer ValuePairs1 { uvec2 value_pairs1[]; };
layout(set = 0, binding = kBindingValues1, std430) HANDED_ON buffer ValueTriples1 { ThreeWords value_triples1[]; };
layout(set = 0, binding = kBindingValues1, std430) HANDED_ON buffer ValueQuads1 { uvec4 value_quads1[]; };
layout(set = 0, binding = kBindingValues2, std430) HANDED_ON buffer Values2 { uint values2[]; };
layout(set = 0, binding = kBindingValues2, std430) HANDED_ON buffer ValuePairs2 { uvec2 value_pairs2[]; };
layout(set = 0, binding = kBindingValues2, std430) HANDED_ON buffer ValueTriples2 { ThreeWords value_triples2[]; };
layout(set = 0, binding = kBindingValues2, std430) HANDED_ON buffer ValueQuads2 { uvec4 value_quads2[]; };

// MOVE(type, slot 0, slot 1, slot 2, second input) for the type of the values; there must be values. A macro that leaves
// names out may be used where these do not exist.
#define FOR_VALUE_TYPE(MOVE)                                                                            \
    if (VALUE_WORDS == 1) {                                                                             \
        MOVE(uint, values0, values1, values2, second_values)                                            \
    } else if (VALUE_WORDS == 2) {                                                                      \
        MOVE(uvec2, value_pairs0, value_pairs1, value_pairs2, second_value_pairs)                       \
    } else if (VALUE_WORDS == 3) {                                                                      \
        MOVE(ThreeWords, value_triples0, value_triples1, value_triples2, second_value_triples)          \
    } else {                                                                                            \
        MOVE(uvec4, value_quads0, value_quads1, value_quads2, second_value_quads)                       \
    }

// target[i] = array[at_slot], for i below `most`, which `at_slot` may name. Asked for together: were there a branch around
// each load, they would be waited for one by one.
#define LOAD_FROM(target, most, array, at_slot)            \
    KEY_LOOP for (uint i = 0; i < (most); ++i) {         \
        target[i] = array[at_slot];                        \
    }

// The same from slot 1 or 2.
#define LOAD_FROM_SLOT(target, most, slot, at_slot, slot1, slot2) \
    if ((slot) == 1) {                                          \
        LOAD_FROM(target, most, slot1, at_slot)                   \
    } else {                                                    \
        LOAD_FROM(target, most, slot2, at_slot)                   \
    }

// And back: what is at `at_slot` = `element`, for those i that are `present`; all three may name i.
#define STORE_TO(element, most, array, at_slot, present)   \
    KEY_LOOP for (uint i = 0; i < (most); ++i) {         \
        if (present) {                                   \
            array[at_slot] = element;                      \
        }                                                \
    }

#define STORE_TO_SLOT(element, most, slot, at_slot, present, slot1, slot2) \
    if ((slot) == 1) {                                                   \
        STORE_TO(element, most, slot1, at_slot, present)                   \
    } else {                                                             \
        STORE_TO(element, most, slot2, at_slot, present)                   \
    }
