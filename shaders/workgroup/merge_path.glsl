// SPDX-License-Identifier: MIT
//
// Merging in shared memory, an equal share of the output to each invocation: Green, McColl and Bader, "GPU Merge Path",
// 2012; the kernels' shape after Baxter, "Modern GPU", 2013.

// The tile's keys, one array of words after another, or one word of another kind an element.
shared uint s_tile[TILE_SIZE * KEY_WORDS];

Key tile_key(uint at) {
    Key key;
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        set_key_word(key, w, s_tile[w * TILE_SIZE + at]);
    }
    return key;
}

void set_tile_key(uint at, Key key) {
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        s_tile[w * TILE_SIZE + at] = key_word(key, w);
    }
}

// How many of the first `diagonal` elements of merge(A, B) come from A, both in the tile; of equal keys A's come first.
uint tile_merge_path(uint a_begin, uint a_count, uint b_begin, uint b_count, uint diagonal) {
    uint low = diagonal > b_count ? diagonal - b_count : 0;
    uint high = min(diagonal, a_count);
    while (low < high) {
        uint middle = (low + high) / 2;
        if (key_before(tile_key(b_begin + diagonal - 1 - middle), tile_key(a_begin + middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Leaves in keys[] the elements first, first + 1, ... of the tile after merging the neighbours A = [a_begin, a_end) and
// B = [a_end, b_end), and in places[] where each stood. Elements outside A and B stay where they are; those from
// tile_count on are left alone.
void serial_merge(uint a_begin, uint a_end, uint b_end, uint first, uint tile_count) {
    uint diagonal = clamp(first, a_begin, b_end) - a_begin;
    uint from_a = tile_merge_path(a_begin, a_end - a_begin, a_end, b_end - a_end, diagonal);
    uint a = a_begin + from_a;
    uint b = a_end + diagonal - from_a;
    Key a_key = tile_key(min(a, TILE_SIZE - 1));
    Key b_key = tile_key(min(b, TILE_SIZE - 1));
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = first + i;
        if (at >= a_begin && at < b_end) {
            bool take_b = b < b_end && (a >= a_end || key_before(b_key, a_key));
            if (take_b) {
                keys[i] = b_key;
                places[i] = b;
                ++b;
                b_key = tile_key(min(b, TILE_SIZE - 1));
            } else {
                keys[i] = a_key;
                places[i] = a;
                ++a;
                a_key = tile_key(min(a, TILE_SIZE - 1));
            }
        } else if (at < tile_count) {
            keys[i] = tile_key(at);
            places[i] = at;
        }
    }
}
