// SPDX-License-Identifier: MIT
//
// Brings a bucket's values to where its keys have been sorted to: those that move along by way of shared memory, wider ones
// by their keys' source indices. With INDICES only; needs device/buckets.glsl and workgroup/bin_sort.glsl.

// Values that move along. With INDICES 2 the keys' source indices, if there are none.
uint value_words[KEYS_PER_THREAD];

// Values to the slots from `first` on, by the source indices of the sorted keys.
#define BRING_VALUES(type, slot0, slot1, slot2, second)                                                    \
    {                                                                                                      \
        type values[KEYS_PER_THREAD];                                                                      \
        if (pc.firstSlot == kFirst2) {                                                                     \
            LOAD_FROM(values, KEYS_PER_THREAD, slot2, KEY_INDEX(i))                                        \
        } else {                                                                                           \
            LOAD_FROM(values, KEYS_PER_THREAD, slot0, KEY_INDEX(i))                                        \
        }                                                                                                  \
        STORE_TO(values[i], KEYS_PER_THREAD, slot1, first + element_of(i), element_of(i) < length)         \
    }

#if INDICES == 1

// The slots of the sorted keys, of which `first` is where those came from that have been sorted without.
void find_slots(uint first, uint length) {
    Key unsorted[KEYS_PER_THREAD];
    LOAD_FROM_SLOT(unsorted, KEYS_PER_THREAD, SOURCE_SLOT - 1, first + min(element_of(i), max(length, 1) - 1), keys2, keys3)
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint found = 0;
        for (uint step = 1u << findMSB(max(length, 1)); step > 0; step /= 2) {
            bool behind = found + step <= length &&
                key_before(shared_key(min(found + step, max(length, 1)) - 1), unsorted[i]);
            found += behind ? step : 0;
        }
        bins[i] = found;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            s_slots[bins[i]] = element_of(i);
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i].x = s_slots[element_of(i)];
    }
}

// Words of slot keys[i].x to those from `first` on.
void scatter_values_of_buckets(uint first, uint length) {
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_slots[element_of(i)] = value_words[i];
    }
    barrier();
    STORE_TO(s_slots[keys[i].x], KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
}

#define KEY_INDEX(i) keys[i].x

void bring_values(uint first, uint length) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i].x = element_of(i) < length ? keys[i].x : 0; // padding has no value
    }
    if (carries_values()) {
        scatter_values_of_buckets(first, length);
        return;
    }
    if (has_flag(kFlagArgsort)) {
        STORE_TO(keys[i].x, KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
        return;
    }
    FOR_VALUE_TYPE(BRING_VALUES)
}

#else

#define KEY_INDEX(i) value_words[i]

void bring_values(uint first, uint length) {
    MOVE_WORDS(value_words, length)
    if (VALUE_WORDS == 1) {
        STORE_TO(s_slots[element_of(i)], KEYS_PER_THREAD, values1, first + element_of(i), element_of(i) < length)
        return;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        value_words[i] = element_of(i) < length ? s_slots[element_of(i)] : 0; // padding has no value
    }
    FOR_VALUE_TYPE(BRING_VALUES)
}

#endif
