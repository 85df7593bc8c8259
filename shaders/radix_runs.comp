#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Keys alone of which two digit places differ: writes them out in order, one workgroup a stretch of the result. Equal keys cannot be told apart,
// so that the counts of both digits (radix_run_counts.comp) say where the run of each key begins, and nothing is moved: the counting sort of
// Harold H. Seward, "Information Sorting in the Application of Electronic Digital Computers to Business Operations", 1954.
#include "config.glsl"
#include "buffers.glsl"
#include "workgroup/scan_shared.glsl"
#include "workgroup/dealt_parts.glsl"

const uint RUNS_PER_THREAD = (kRadix + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_starts[kRadix]; // of the part's runs, in the result

// Of the part that begins at `begin`. Ends with a barrier.
void find_runs(uint part, uint begin) {
    uint counts[RUNS_PER_THREAD];
    uint sum = 0;
    [[unroll]] for (uint j = 0; j < RUNS_PER_THREAD; ++j) {
        uint digit = thread_index * RUNS_PER_THREAD + j;
        counts[j] = digit < kRadix ? state[run_count_word(part, digit)] : 0;
        sum += counts[j];
    }
    uint start = begin + wg_exclusive_add(sum);
    [[unroll]] for (uint j = 0; j < RUNS_PER_THREAD; ++j) {
        uint digit = thread_index * RUNS_PER_THREAD + j;
        if (digit < kRadix) {
            s_starts[digit] = start;
        }
        start += counts[j];
    }
    barrier();
}

// The last digit, of those up to `least` + 2 * `step` - 1 and to `most`, whose run begins at the element or before.
uint run_of(uint element, uint least, uint most, uint step) {
    uint digit = least;
    for (; step > 0; step /= 2) {
        uint next = digit + step;
        digit = next <= most && s_starts[min(next, most)] <= element ? next : digit;
    }
    return digit;
}

Key without_digit(Key key, DigitPlace place) {
    return key & ~(place.mask << place.shift);
}

void main() {
    uint begin = group_index * RUN_ELEMENTS;
    if (begin >= control.count) {
        return;
    }
    uint end = min(begin + RUN_ELEMENTS, control.count);
    DigitPlace high = digit_place(control.dealtPlace);
    DigitPlace low = digit_place(control.countedPlace);
    Key rest = without_digit(without_digit(keys2[0], high), low);
    load_part_ends();
    barrier();
    for (uint part = part_of(begin); begin < end; ++part) {
        uint part_end = min(s_part_ends[part], end);
        if (begin >= part_end) { // nothing has this digit
            continue;
        }
        find_runs(part, part == 0 ? 0 : s_part_ends[part - 1]);
        uint least = run_of(begin, 0, kRadix - 1, kRadix / 2);
        uint most = run_of(part_end - 1, 0, kRadix - 1, kRadix / 2);
        uint step = most > least ? 1u << findMSB(most - least) : 0;
        Key key = rest | part << high.shift;
        for (uint i = begin + thread_index; i < part_end; i += WORKGROUP_SIZE) {
            keys1[i] = bits_from_ordered(key | run_of(i, least, most, step) << low.shift);
        }
        barrier();
        begin = part_end;
    }
}
