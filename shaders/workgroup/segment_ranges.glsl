// SPDX-License-Identifier: MIT
//
// Heads of segments within a tile. A list is the keys of neighbouring invocations; of two lists that are merged only what
// lies between the last head of the left one and the first head of the right one belongs to one segment and can move.

// Of the list that begins with this invocation's keys: element of the tile, or kNoHead.
shared uint s_first_head[WORKGROUP_SIZE];
shared uint s_last_head[WORKGROUP_SIZE];

// Bit i: element first + i of the tile begins a segment. KEYS_PER_THREAD is below 32.
uint load_heads(uint base, uint first, uint own_count) {
    uint w = (base + first) / 32;
    uint shift = (base + first) % 32;
    uint heads = head_word(w) >> shift;
    if (shift + KEYS_PER_THREAD > 32) {
        heads |= head_word(w + 1) << (32 - shift);
    }
    return heads & ((1u << own_count) - 1u);
}

void start_ranges(uint heads) {
    uint first = thread_index * KEYS_PER_THREAD;
    s_first_head[thread_index] = heads != 0 ? first + findLSB(heads) : kNoHead;
    s_last_head[thread_index] = heads != 0 ? first + findMSB(heads) : kNoHead;
}

// Cuts the lists A = [a_begin, a_end) and B = [a_end, b_end), of `width` invocations each, down to what can move.
void narrow_to_active(uint width, inout uint a_begin, uint a_end, inout uint b_end) {
    uint left = thread_index / (2 * width) * (2 * width);
    uint right = min(left + width, WORKGROUP_SIZE - 1);
    uint last = s_last_head[left];
    uint first = s_first_head[right];
    a_begin = last != kNoHead ? last : a_begin;
    b_end = first != kNoHead && left + width < WORKGROUP_SIZE ? first : b_end;
}

// Makes one list of two, between barriers.
void join_ranges(uint width) {
    uint right = thread_index + width;
    if (thread_index % (2 * width) == 0 && right < WORKGROUP_SIZE) {
        if (s_first_head[thread_index] == kNoHead) {
            s_first_head[thread_index] = s_first_head[right];
        }
        if (s_last_head[right] != kNoHead) {
            s_last_head[thread_index] = s_last_head[right];
        }
    }
}

// The whole tile's, as elements of the whole array. After a barrier.
void store_ranges(uint tile) {
    if (thread_index == 0) {
        uint base = tile * TILE_SIZE;
        state[pc.rangesOffset + 2 * tile] = s_first_head[0] != kNoHead ? base + s_first_head[0] : kNoHead;
        state[pc.rangesOffset + 2 * tile + 1] = s_last_head[0] != kNoHead ? base + s_last_head[0] : kNoHead;
    }
}
