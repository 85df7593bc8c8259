// SPDX-License-Identifier: MIT
//
// A tile once more, for kernels that rank by what atomics return: by ballots, and so stably on every device, straight to
// where the keys go. Its loops are kept, so that it takes no registers from what nearly all tiles do.

uint redo_digit(PassControl pass, DigitPosition position, uint at, out Key key) {
    key = load_ordered_key(pass.source, (pass.flags & kPassFirst) != 0, at);
    return digit_of(key, position);
}

// After scatter_tile, which may have written keys of the tile where others of it belong, and a barrier for both kinds of
// memory.
void redo_tile(PassControl pass, DigitPosition position, uint base, uint tile_count) {
    uint histogram = gl_SubgroupID * kRadix;
    Key key;
    clear_counts();
    barrier();
    [[dont_unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint digit = redo_digit(pass, position, base + min(tile_element(i), tile_count - 1), key);
        if (tile_element(i) < tile_count) {
            atomicAdd(s_tile[histogram + digit], 1);
        }
    }
    barrier();
    if (owns_digits()) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint next = s_destinations[own_digit(j)] + digit_starts[j];
            for (uint s = 0; s < SUBGROUPS; ++s) {
                uint at = s * kRadix + own_digit(j);
                uint count = s_tile[at];
                s_tile[at] = next;
                next += count;
            }
        }
    }
    barrier();
    [[dont_unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool present = tile_element(i) < tile_count;
        uint digit = redo_digit(pass, position, base + min(tile_element(i), tile_count - 1), key);
        uvec4 peers = sg_match(digit) & subgroupBallot(present);
        uint destination = take_rank(histogram + digit, peers, present);
        if ((pass.flags & kPassLast) != 0) {
            key = bits_from_ordered(key);
        }
        if (present && pass.destination == 1) {
            keys1[destination] = key;
        } else if (present) {
            keys2[destination] = key;
        }
    }
}
