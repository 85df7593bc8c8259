// SPDX-License-Identifier: MIT
//
// Counts the digits of all digit positions in one read of the keys, and notices whether they are in order already. An
// invocation compares its keys with their successors until it finds a pair out of order: in sorted input to the end, in
// other input for about a tile. Needs buffers.glsl.
//
//   clear_digit_counts(), barrier(), count_all_digits(...) for one or more chunks of keys, note_disorder() if need be,
//   barrier(), add_digit_counts()

shared uint s_bins[DIGIT_PASSES * kRadix];
shared uint s_disorder;

// Bins are not in the order of their digits: those of keys with few bits set mostly end in zeros, and so would meet in few
// of the 32 banks that shared memory has on many GPUs. Each of the low five bits is exclusive-ored with the one three above
// it, in all digits at once, which are bytes where all bits are sorted by. Keys of two words come out slower.
bool spreads_digits() {
    return KEY_WORDS == 1 && sorts_all_bits();
}

Key spread_digits(Key ordered) {
    return ordered ^ ((ordered >> 3) & (spreads_digits() ? 0x1F1F1F1Fu : 0));
}

// Where a digit is counted.
uint bin_of(uint digit) {
    return spreads_digits() ? digit ^ (digit >> 3) : digit;
}

void clear_digit_counts() {
    for (uint i = thread_index; i < DIGIT_PASSES * kRadix; i += WORKGROUP_SIZE) {
        s_bins[i] = 0;
    }
    if (thread_index == 0) {
        s_disorder = 0;
    }
}

void count_key(Key key) {
    Key spread = spread_digits(ordered_from_bits(key));
    [[unroll]] for (uint pass = 0; pass < DIGIT_PASSES; ++pass) {
        atomicAdd(s_bins[pass * kRadix + digit_of(spread, digit_position(pass))], 1);
    }
}

bool precedes(Key a, Key b) {
    return key_before(ordered_from_bits(a), ordered_from_bits(b));
}

// Counts `length` keys of the caller's `count`, from `begin` on. in_order: whether all keys that this invocation has
// compared are in order.
void count_all_digits(uint begin, uint length, uint count, inout bool in_order) {
    bool strided = has_flag(kFlagStrided);
    uint offset = 0;
    if (!strided) {
        for (; offset + TILE_SIZE <= length; offset += TILE_SIZE) {
            Key loaded[KEYS_PER_THREAD];
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                loaded[i] = keys0[begin + offset + i * WORKGROUP_SIZE + thread_index];
            }
            if (in_order) {
                Key next[KEYS_PER_THREAD];
                [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                    next[i] = keys0[min(begin + offset + i * WORKGROUP_SIZE + thread_index + 1, count - 1)];
                }
                [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                    in_order = precedes(next[i], loaded[i]) ? false : in_order;
                }
            }
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                count_key(loaded[i]);
            }
        }
    }
    for (uint i = offset + thread_index; i < length; i += WORKGROUP_SIZE) {
        Key key = load_key(0, begin + i);
        count_key(key);
        Key next = load_key(0, min(begin + i + 1, count - 1));
        in_order = precedes(next, key) ? false : in_order;
    }
}

// By any invocation that has seen keys out of order.
void note_disorder() {
    atomicOr(s_disorder, 1);
}

// Adds this workgroup's counts to those of all workgroups.
void add_digit_counts() {
    for (uint i = thread_index; i < DIGIT_PASSES * kRadix; i += WORKGROUP_SIZE) {
        uint occurrences = s_bins[i / kRadix * kRadix + bin_of(i % kRadix)];
        if (occurrences != 0) {
            atomicAdd(state[pc.binsOffset + i], occurrences);
        }
    }
    if (thread_index == 0 && s_disorder != 0) {
        atomicOr(control.disorder, 1);
    }
}
