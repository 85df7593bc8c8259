// SPDX-License-Identifier: MIT
//
// Where a tile's keys go, for partitions by a digit of keys without values (workgroup/scattered_keys.glsl): an atomic
// addition a digit takes their slots. NOTE_TAKEN(digit, count, before) may look at what was taken. Needs config.glsl,
// workgroup/scan.glsl and the state's binding.
shared uint s_digits[kRadix];       // counts, then where each digit begins in the sorted tile
shared uint s_destinations[kRadix]; // of slot x of the sorted tile: s_destinations[digit] + x

#ifndef NOTE_TAKEN
#define NOTE_TAKEN(digit, count, before)
#endif

// A barrier must follow.
void clear_digits() {
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_digits[i] = 0;
    }
}

// From counts to positions in the sorted tile and behind the cursors. Ends with a barrier.
void place_digits(uint cursors) {
    uint counts[DIGITS_PER_THREAD];
    uint taken[DIGITS_PER_THREAD];
    uint sum = 0;
    if (thread_index < DIGIT_THREADS) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint digit = thread_index * DIGITS_PER_THREAD + j;
            counts[j] = s_digits[digit];
            taken[j] = counts[j] != 0 ? atomicAdd(state[cursors + digit], counts[j]) : 0;
            NOTE_TAKEN(digit, counts[j], taken[j])
            sum += counts[j];
        }
    }
    uint start = wg_exclusive_add(sum);
    if (thread_index < DIGIT_THREADS) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint digit = thread_index * DIGITS_PER_THREAD + j;
            s_digits[digit] = start;
            s_destinations[digit] = taken[j] - start;
            start += counts[j];
        }
    }
    barrier();
}
