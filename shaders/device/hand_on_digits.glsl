// SPDX-License-Identifier: MIT
//
// Hands on the digits of a range that a level of msd or size_classes has counted: neighbouring ones that fit a tile together
// are jobs of the finish, longer ones that fit the tile of the large finish are jobs of that, and what is still longer goes
// to hand_on_long(). Needs device/hand_on_ranges.glsl and, in s_starts, where each digit begins in the range, with the
// range's length behind the last one.
//
//   list_digits(...), find_digit_runs(...), hand_on_digit_runs(...)   in this order, by all invocations

shared uint s_starts[kRadix + 1];
shared uint s_present[kRadix]; // digits that occur
shared uint s_breaks[kRadix];  // indices in s_present of the digits that a digit run begins with
shared uint s_first_large_job;

uint digit_count(uint digit) {
    return s_starts[digit + 1] - s_starts[digit];
}

bool fits_tile(uint digit) {
    return digit_count(digit) <= pc.tileSize;
}

bool is_long(uint digit) {
    return digit_count(digit) > max(pc.tileSize, LARGE_TILE);
}

// Neighbouring digits that begin within the same stretch of this number of elements make a digit run. Uniform ones then fit
// a tile up to three standard deviations.
uint run_length(uint length) {
    float root = sqrt(float(pc.tileSize) + 2.25) - 1.5;
    uint mean = max(length / kRadix, 1);
    return min(max(uint(root * root) / mean, 1) * mean, pc.tileSize);
}

// The digit run that a digit is in. Uniform digits begin near the middles of the stretches, so that chance moves few of them
// to another run.
uint run_of(uint digit, uint length) {
    return (s_starts[digit] + length / (2 * kRadix)) / run_length(length);
}

// Lists in s_present the digits that occur, and returns their number. The invocation's digits begin with `first_digit` and
// occur `counts` times. Ends with a barrier.
uint list_digits(uint counts[DIGITS_PER_THREAD], uint first_digit) {
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        own += counts[j] != 0 ? 1 : 0;
    }
    uint next_index = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (counts[j] != 0) {
            s_present[next_index++] = first_digit + j;
        }
    }
    uint present = s_total;
    barrier();
    return present;
}

// Lists in s_breaks where the digit runs begin that are handed on together, and returns their number. The invocation has the
// indices of s_present from `first_index` on, if it has any. Ends with a barrier.
uint find_digit_runs(uint present, uint length, uint first_index, bool has_indices) {
    // DIGITS_PER_THREAD neighbours again, so that the order of indices is that of invocations.
    bool breaks[DIGITS_PER_THREAD];
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint i = first_index + j;
        breaks[j] = false;
        if (has_indices && i < present) {
            uint digit = s_present[i];
            uint before = i > 0 ? s_present[i - 1] : 0;
            // A digit longer than a tile always begins a run.
            breaks[j] = i == 0 || !fits_tile(digit) || run_of(digit, length) != run_of(before, length);
        }
        own += breaks[j] ? 1 : 0;
    }
    uint next_index = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (breaks[j]) {
            s_breaks[next_index++] = first_index + j;
        }
    }
    uint runs = s_total;
    barrier();
    return runs;
}

// Makes the digit runs jobs of either finish or, where they are too long, ranges of the next level, which goes on with digit
// position `next_position`. The invocation has the runs from `first_run` on, if it has any. The partition by digit position
// `position` moves the range's keys to the slot of `end_slot`.
void hand_on_digit_runs(uint begin, uint length, uint present, uint runs, uint first_run, bool has_runs, uint position,
                        uint next_position, uint end_slot) {
    uint own_jobs = 0;
    uint own_large = 0;
    uint own_long = 0;
    [[unroll]] for (uint phase = 0; phase < 2; ++phase) { // counted, then written down
        uint job = phase == 0 ? 0 : s_first_job + own_jobs;
        uint large = phase == 0 ? 0 : s_first_large_job + own_large;
        uint long_index = own_long;
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint run = first_run + j;
            if (has_runs && run < runs) {
                uint end_index = run + 1 < runs ? s_breaks[run + 1] : present;
                uint digit = s_present[s_breaks[run]];
                uint first = s_starts[digit];
                uint end = end_index < present ? s_starts[s_present[end_index]] : length;
                uint job_flags = kJobDigits | end_slot;
                if (is_long(digit)) {
                    if (phase == 1) {
                        s_long[long_index] = uvec2(first, end - first);
                    }
                    ++long_index;
                } else if (!fits_tile(digit)) {
                    if (phase == 1) {
                        store_job(large_job(large), begin + first, (end - first) | job_flags,
                                  position | digit << 8 | digit << 16);
                    }
                    ++large;
                } else {
                    uint last = s_present[end_index - 1];
                    uint middle = end - first <= pc.tileSize ? end : s_starts[last];
                    if (phase == 1) {
                        uint last_before = middle == end ? last : s_present[end_index - 2];
                        store_job(job, begin + first, (middle - first) | job_flags,
                                  position | digit << 8 | last_before << 16);
                        if (middle != end) {
                            store_job(job + 1, begin + middle, (end - middle) | job_flags,
                                      position | last << 8 | last << 16);
                        }
                    }
                    job += middle != end ? 2 : 1;
                }
            }
        }
        if (phase == 0) {
            own_jobs = scan(job);
            if (thread_index == 0 && s_total != 0) {
                s_first_job = reserve_jobs(s_total);
            }
            if (LARGE_TILE != 0) {
                own_large = scan(large);
                if (thread_index == 0 && s_total != 0) {
                    s_first_large_job = reserve_large_jobs(s_total);
                }
            }
            own_long = scan(long_index);
        }
    }
    barrier();
    hand_on_long(begin, s_total, next_position, end_slot);
}
