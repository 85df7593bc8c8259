#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort, last step, one workgroup a bucket: sorts the bucket's keys by bins (workgroup/bin_sort.glsl) and writes them behind those
// of all buckets before. Where too many share a bin, the keys are written as they are, and the passes behind sort them; with values, whose
// order these could not tell, they are sorted by comparing each key with all others.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#define MOST_IN_BIN 255 // since all else is to sort everything anew
#define BIN_SEGMENTS 0
#if PLACES == 2
uint first_place; // word of the bucket's first element
#define PLACE(element) state[first_place + (element)]
#define IS_EARLIER(a, b) (PLACE(a) < PLACE(b))
#define BIN_VALUES 1
#else
#define BIN_VALUES 0
#endif
#include "workgroup/bin_sort.glsl"

#if PLACES == 1
layout(set = 0, binding = kBindingKeys1, std430) buffer Keys1Words { uint keys1_words[]; };
#endif

// Keys of all the buckets before, a sum for each subgroup.
shared uint s_before[SUBGROUPS];

// With one level. Each sum is a subgroup's to write, so that no invocation waits for a cleared sum. A barrier must follow.
void note_before(uint bucket) {
    uint sum = 0;
    for (uint i = thread_index; i < min(bucket, kMostRooms); i += WORKGROUP_SIZE) {
        sum += state[bucket_word(i)];
    }
    sum = subgroupInclusiveAdd(sum);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        s_before[gl_SubgroupID] = sum;
    }
}

// A barrier must come between.
uint noted_before() {
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < SUBGROUPS; ++i) {
        sum += s_before[i];
    }
    return sum;
}

// Keys come from slot 2, or with two levels from slot 3.
const bool BY_ROOMS = SOURCE_SLOT == 3;

#if PLACES

// Values that move along. With PLACES 2 the keys' places, if there are none.
uint value_words[KEYS_PER_THREAD];

// Leaves in bins[] where each key went.
void sort_by_comparing(uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bins[i] = 0;
        if (element_of(i) < length) {
            store_cell(element_of(i), keys[i]);
        }
    }
    barrier();
    for (uint j = 0; j < length; ++j) {
        Key other = cell_key(j);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
#if PLACES == 2
            bins[i] += other == keys[i] ? uint(IS_EARLIER(j, element_of(i))) : uint(key_before(other, keys[i]));
#else
            bins[i] += key_before(other, keys[i]) ? 1 : 0;
#endif
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_cell(bins[i], keys[i]);
        }
    }
    barrier();
}

// Values to the slots from `first` on, by the places of the sorted keys.
#define BRING_VALUES(type, slot0, slot1, slot2, second)                                                    \
    {                                                                                                      \
        type values[KEYS_PER_THREAD];                                                                      \
        if (pc.firstSlot == kFirst2) {                                                                     \
            LOAD_FROM(values, KEYS_PER_THREAD, slot2, KEY_PLACE(i))                                        \
        } else {                                                                                           \
            LOAD_FROM(values, KEYS_PER_THREAD, slot0, KEY_PLACE(i))                                        \
        }                                                                                                  \
        STORE_TO(values[i], KEYS_PER_THREAD, slot1, first + element_of(i), element_of(i) < length)         \
    }

#endif

#if PLACES == 1

// Values that move along are brought to their keys' places by the slots that both had in the bucket, which are sorted with them, as the last
// of 64 bits: a bucket's keys are near each other, so that there is room. By distribution they may be far apart, and where there is no
// room, keys are looked for when they have been sorted.
struct Packing {
    bool has_room;
    uint least;      // a lower bound of the bucket's scaled keys, not far off
    uint place_bits; // in the high word
};

const uint kSlotMask = (1u << kBucketSlotBits) - 1u;

Packing packing_of(uint bucket, uint scale) {
    uint place_bits = uint(max(findMSB(control.count) + 1 - int(32 - kBucketSlotBits), 0));
    if (BY_DISTRIBUTION) {
        bool has_room = findMSB(s_greatest - s_least) + 1 + place_bits <= 32;
        return Packing(has_room, s_least, place_bits);
    }
    float least = float(bucket) * (4294967296.0 / float(scale)); // to 24 bits
    return Packing(true, uint(max(least - 2048.0, 0.0)), place_bits);
}

Key packed_key(Packing packing, Key key, uint slot) {
    return Key(key.x << kBucketSlotBits | slot, (key.y - packing.least) << packing.place_bits | key.x >> (32 - kBucketSlotBits));
}

// The scaled key above its slot.
Key unpacked_key(Packing packing, Key key) {
    return Key(key.x & kSlotMask, (key.y >> packing.place_bits) + packing.least);
}

// The slots of the sorted keys, of which `first` is where those came from that have been sorted without.
void find_slots(uint first, uint length) {
    Key unsorted[KEYS_PER_THREAD];
    LOAD_FROM_SLOT(unsorted, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), keys2, keys3)
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint found = 0;
        for (uint step = 1u << findMSB(max(length, 1)); step > 0; step /= 2) {
            bool behind = found + step <= length && key_before(cell_key(min(found + step, max(length, 1)) - 1), unsorted[i]);
            found += behind ? step : 0;
        }
        bins[i] = found;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            s_cells[bins[i]] = element_of(i);
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i].x = s_cells[element_of(i)];
    }
}

// Words of slot keys[i].x to those from `first` on.
void deal_values(uint first, uint length) {
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_cells[element_of(i)] = value_words[i];
    }
    barrier();
    STORE_TO(s_cells[keys[i].x], KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
}

#define KEY_PLACE(i) keys[i].x

void bring_values(uint first, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i].x = element_of(i) < length ? keys[i].x : 0; // padding has no value
    }
    if (carries_values()) {
        deal_values(first, length);
        return;
    }
    if (has_flag(kFlagArgsort)) {
        STORE_TO(keys[i].x, KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
        return;
    }
    FOR_VALUE_TYPE(BRING_VALUES)
}

void store_keys(uint first, uint length) {
    if (!has_flag(kFlagDiscardKeys)) {
        STORE_TO(bits_from_ordered(keys[i]).y, KEYS_PER_THREAD, keys1_words, first + element_of(i), element_of(i) < length)
    }
}

#elif PLACES == 2

#define KEY_PLACE(i) value_words[i]

void bring_values(uint first, uint length) {
    MOVE_WORDS(value_words, length)
    if (VALUE_WORDS == 1) {
        STORE_TO(s_cells[element_of(i)], KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
        return;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        value_words[i] = element_of(i) < length ? s_cells[element_of(i)] : 0; // padding has no value
    }
    FOR_VALUE_TYPE(BRING_VALUES)
}

void store_keys(uint first, uint length) {
    if (!has_flag(kFlagDiscardKeys)) {
        STORE_TO(bits_from_ordered(keys[i]), KEYS_PER_THREAD, keys1, first + element_of(i), element_of(i) < length)
    }
}

#else

void store_keys(uint first, uint length) {
    STORE_TO(bits_from_ordered(keys[i]), KEYS_PER_THREAD, keys1, first + element_of(i), element_of(i) < length)
}

#endif

void main() {
    uint own = group_from_last; // bucket of the pass
    uint bucket = (first_room() << pc.roomBits) + own;
    // All that there is to wait for before the keys is asked for at once, also by workgroups that have no bucket.
    uint length = state[bucket_word(BY_ROOMS ? bucket : min(bucket, kMostRooms - 1))];
    uint end = min(control.buckets, end_room() << pc.roomBits);
    uint overflow = control.overflow;
    uint scale = control.scale;
    Scaling scaling = control_scaling();
    if (BY_DISTRIBUTION) {
        numbering = control_numbering();
    }
    if (!BY_ROOMS) {
        note_before(bucket);
    }
    if (bucket >= end) {
        return;
    }
    if (overflow != 0) {
        if (own == 0 && thread_index == 0) {
            leave_keys(control.count);
            if (has_flag(kFlagBeforeMsd) && overflow == kOverflowOfRoom) {
                args.bucketRestore = dispatch_args(room_count(control.buckets) * tiles_of_room());
            }
        }
        return;
    }
    uint before = BY_ROOMS ? state[begin_word(bucket)] : 0;
    uint first = own * pc.bucketSize;
    LOAD_FROM_SLOT(keys, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), keys2, keys3)
#if PLACES
    if (carries_values()) {
        LOAD_FROM_SLOT(value_words, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), values2, values3)
    }
#endif
#if PLACES == 2
    first_place = apart_place_word(SOURCE_SLOT, first);
    if (!carries_values()) {
        LOAD_FROM(value_words, KEYS_PER_THREAD, state, first_place + min(element_of(i), max(length, 1) - 1))
    }
#endif
    clear_bins();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint part, bin, rest;
        bucket_of(keys[i], scale, part);
        umulExtended(part, length, bin, rest);
        bins[i] = bin;
    }
#if PLACES == 1
    if (BY_DISTRIBUTION && carries_values()) {
        clear_extremes();
        barrier();
        uint least = 0xFFFFFFFFu;
        uint greatest = 0;
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            least = min(least, keys[i].y);
            greatest = max(greatest, keys[i].y);
        }
        add_extremes(least, greatest);
    }
    Packing packing = packing_of(bucket, scale);
    bool packs = carries_values() && packing.has_room;
    if (packs) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = packed_key(packing, keys[i], element_of(i));
        }
    }
#endif
    barrier();
    if (!sort_in_bins(length, false)) {
#if PLACES
        sort_by_comparing(length);
#else
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            store_cell(element_of(i), keys[i]);
        }
        if (thread_index == 0) {
            leave_keys(control.count);
        }
        barrier();
#endif
    }
    before += BY_ROOMS ? 0 : noted_before();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = cell_key(element_of(i));
    }
#if PLACES == 1
    if (packs) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = unpacked_key(packing, keys[i]);
        }
    } else if (carries_values()) {
        find_slots(first, length);
    }
#endif
    if (!is_plain(scaling)) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = unscaled_key(scaling, keys[i]);
        }
    }
#if PLACES
    bring_values(before, length);
#endif
    store_keys(before, length);
}
