// SPDX-License-Identifier: MIT
//
// Sorts a tile, stably: every invocation sorts its own keys in registers, and lists are then merged pairwise in shared
// memory (workgroup/merge_path.glsl).
//
//   keys[i]                                   this invocation's key tile_index(i) of the tile
//   sort_by_merging(count, base, has_heads)   leaves the keys in order in the tile; the elements from
//                                             thread_index * KEYS_PER_THREAD on in keys[], too, and, below `count`, their
//                                             source indices in sources[]
//
// Of `count` keys; the others, which are padding where EQUALS_DIFFER is false, stay behind. With SEGMENTED the tile begins
// at element `base`, and if it has any heads of segments they are not crossed.
void sort_by_merging(uint count, uint base, bool has_heads) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(tile_index(i), keys[i]);
    }
    barrier();

    uint first = thread_index * KEYS_PER_THREAD;
    uint own_count = count > first ? min(count - first, KEYS_PER_THREAD) : 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = tile_key(first + i);
        sources[i] = first + i;
    }
#if SEGMENTED
    uint heads = has_heads ? load_heads(base, first, own_count) : 0;
    start_ranges(heads);
#else
    uint heads = 0;
#endif
    sort_in_registers(own_count, heads);

    for (uint width = KEYS_PER_THREAD; width < TILE_SIZE; width *= 2) { // length of the lists
        uint begin = first / (2 * width) * (2 * width);
        uint b_front = min(begin + 2 * width, TILE_SIZE) - 1;
        barrier();
        if (first < begin + width) {
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                set_tile_key(first + i, keys[i]);
            }
        } else {
            uint slot_at = b_front - (first - begin - width);
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                set_tile_key(slot_at - i, keys[i]);
            }
        }
        barrier();
        uint a_begin = min(begin, count);
        uint a_end = min(begin + width, count);
        uint b_end = min(begin + 2 * width, count);
#if SEGMENTED
        narrow_to_active(width / KEYS_PER_THREAD, a_begin, a_end, b_end);
#endif
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            sources_before[i] = sources[i];
            sources[i] = first + i;
        }
        serial_merge(a_begin, a_end, b_end, b_front, first);
        if (VALUE_WORDS > 0) {
            follow_sources(first);
        }
#if SEGMENTED
        barrier();
        join_ranges(width / KEYS_PER_THREAD);
#endif
    }

    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        set_tile_key(first + i, keys[i]);
    }
    barrier();
}
