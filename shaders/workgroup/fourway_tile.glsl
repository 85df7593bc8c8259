// SPDX-License-Identifier: MIT
//
// Merges one tile's worth of four lists: A with B and C with D side by side, then the two results.
//
// The tile is staged in two regions, [0, middle) and [middle, TILE_SIZE), with the lists of either mirrored as
// merge_path.glsl has it. `middle` is a multiple of KEYS_PER_THREAD, so that each invocation merges in one region only.
// There are more slots than elements: the lists of a region leave a gap, whose content does not matter.

// A tile's share of the lists.
struct Shares {
    uint source[4]; // element `at` of the tile, if of list j, is element source[j] + at of the slot; modulo 2^32
    uint end[4];    // the element of the tile that list j ends at
    uint middle;
};

uint source_of(Shares shares, uint at) {
    uint offset = at < shares.end[1] ? (at < shares.end[0] ? shares.source[0] : shares.source[1])
                                     : (at < shares.end[2] ? shares.source[2] : shares.source[3]);
    // A comparator that is no order may have tiles begin where too little of D is left.
    return min(at + offset, control.count - 1);
}

// The element to be staged at `slot_at`; of a gap, any.
uint staged_source(Shares shares, uint slot_at) {
    uint middle = shares.middle;
    uint c_end = middle + shares.end[2] - shares.end[1];
    uint upwards = slot_at < middle ? shares.source[0] : shares.source[2] + shares.end[1] - middle;
    uint downwards = slot_at < middle ? shares.source[1] + shares.end[0] + middle - 1
                                    : shares.source[3] + shares.end[2] + TILE_SIZE - 1;
    bool is_upwards = slot_at < shares.end[0] || (slot_at >= middle && slot_at < c_end);
    return min(is_upwards ? upwards + slot_at : downwards - slot_at, control.count - 1);
}

// Full tiles have code of their own, as in STORE_TILE; the slots that they leave empty are of the last row.
#define STORE_FOURWAY_TILE(element, slot1, slot2) \
    if (WORKGROUP_SIZE >= KEYS_PER_THREAD + 32 && count == pc.tileSize) { \
        STORE_TO_SLOT(element, KEYS_PER_THREAD, destination, output_first + tile_index(i), \
                      i + 1 < KEYS_PER_THREAD || tile_index(i) < count, slot1, slot2) \
    } else { \
        STORE_TO_SLOT(element, KEYS_PER_THREAD, destination, output_first + tile_index(i), tile_index(i) < count, slot1, \
            slot2) \
    }

#define MOVE_FOURWAY_VALUES(type, slot0, slot1, slot2, second) \
    { \
        type values[KEYS_PER_THREAD]; \
        LOAD_FROM_SLOT(values, KEYS_PER_THREAD, slot, source_of(shares, sources[i]), slot1, slot2) \
        STORE_FOURWAY_TILE(values[i], slot1, slot2) \
    }

// The lists' elements, in `slot`, go to elements output_first.. of `destination`, where the merged list begins at
// output_begin. The whole workgroup takes part.
void merge_four(uint slot, uint destination, Shares shares, uint output_begin, uint output_first, bool keep_keys) {
    uint count = shares.end[3];
    uint middle = shares.middle;
    LOAD_SLOT_KEYS(keys, slot, staged_source(shares, tile_index(i)))
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(tile_index(i), keys[i]);
    }
    barrier();

    uint first = thread_index * KEYS_PER_THREAD;
    bool is_cd = first >= middle;
    uint begin = is_cd ? middle : 0;
    uint shift = is_cd ? middle - shares.end[1] : 0; // from indices in the tile to those in the region
    uint region_end = is_cd ? TILE_SIZE : middle;
    uint first_end = shift + (is_cd ? shares.end[2] : shares.end[0]);
    uint second_end = shift + (is_cd ? count : shares.end[1]);
    serial_merge(begin, first_end, second_end, region_end - 1, first);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        sources[i] -= shift;
    }
    if (shares.end[1] < count) { // there is something in C or D
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            set_tile_key(is_cd ? TILE_SIZE - 1 - (first - middle) - i : first + i, keys[i]);
            sources_before[i] = sources[i];
        }
        barrier();
        serial_merge(0, shares.end[1], count, TILE_SIZE - 1, first);
        if (VALUE_WORDS > 0) {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                uint shifted = sources[i] < shares.end[1] ? sources[i] : sources[i] + (middle - shares.end[1]);
                sources[i] = min(shifted, TILE_SIZE - 1);
            }
            follow_sources(first);
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(first + i, keys[i]);
    }
    barrier();
    store_samples(output_begin, output_first - output_begin, count);
    if (keep_keys) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = tile_key(tile_index(i));
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            keys[i] = bits_from_ordered(keys[i]);
        }
        STORE_FOURWAY_TILE(keys[i], keys1, keys2)
    }
    if (VALUE_WORDS == 0) {
        return;
    }
    scatter_keys_with_indices(first, count);
    FOR_VALUE_TYPE(MOVE_FOURWAY_VALUES)
}
