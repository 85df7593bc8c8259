// SPDX-License-Identifier: MIT
//
// The element of a given rank among a tile's keys, without sorting them: the keys are counted in bins over their range, and
// those of the bin that has the rank go on to the next round, until few are left. Equal keys are told apart by their number.
//
//   keys[i]                 this invocation's key number element_of(i)
//   select(length, rank)    number of the key that `rank` others precede; leaves the key in s_selected_key
//
// Needs config.glsl, keys.glsl and one of the scans. All invocations of the workgroup take part.
#include "extremes.glsl"

const uint kFewKeys = 64;
const uint SELECT_BINS = WORKGROUP_SIZE; // one an invocation

Key keys[KEYS_PER_THREAD];
shared uint s_bins[SELECT_BINS];
shared uint s_bin;
shared uint s_before_bin;
shared uint s_in_bin;
shared Key s_few[kFewKeys];
shared uint s_few_numbers[kFewKeys];
shared uint s_few_count;
shared uint s_selected;
shared Key s_selected_key;

uint element_of(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

// 32 bits of a key's place in the order: its words, the highest first, then its number.
uint order_word(uint i, uint w) {
    return w < KEY_WORDS ? key_word(keys[i], KEY_WORDS - 1 - w) : element_of(i);
}

bool is_left(uint left, uint i) {
    return (left >> i & 1u) != 0;
}

void find_extremes(uint left, uint w) {
    clear_extremes();
    s_bins[thread_index] = 0;
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = order_word(i, w);
        least = is_left(left, i) ? min(least, word) : least;
        greatest = is_left(left, i) ? max(greatest, word) : greatest;
    }
    add_extremes(least, greatest);
}

// Leaves in s_bin, s_before_bin and s_in_bin which bin has the rank, how many keys stand before it and how many in it.
void find_bin(uint rank) {
    uint size = s_bins[thread_index];
    uint before = wg_exclusive_add(size);
    if (before <= rank && rank - before < size) {
        s_bin = thread_index;
        s_before_bin = before;
        s_in_bin = size;
    }
    barrier();
}

uint select_few(uint left, uint rank) {
    if (thread_index == 0) {
        s_few_count = 0;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (is_left(left, i)) {
            uint at = atomicAdd(s_few_count, 1);
            s_few[at] = keys[i];
            s_few_numbers[at] = element_of(i);
        }
    }
    barrier();
    uint few = s_few_count;
    Key own = s_few[min(thread_index, kFewKeys - 1)];
    uint own_number = s_few_numbers[min(thread_index, kFewKeys - 1)];
    uint before = 0;
    for (uint j = 0; j < few; ++j) {
        Key key = s_few[j];
        before += key_before(key, own) || (key == own && s_few_numbers[j] < own_number) ? 1 : 0;
    }
    if (thread_index < few && before == rank) {
        s_selected = own_number;
        s_selected_key = own;
    }
    barrier();
    return s_selected;
}

uint select(uint length, uint rank) {
    uint left = 0; // bit i: keys[i] is still in question
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        left |= element_of(i) < length ? 1u << i : 0;
    }
    uint left_count = length;
    uint w = 0;
    while (left_count > kFewKeys) {
        find_extremes(left, w);
        uint least = s_least;
        uint span = s_greatest - least;
        if (span == 0) {
            ++w;
            barrier();
            continue;
        }
        uint shift = max(findMSB(span) + 1, findMSB(SELECT_BINS)) - findMSB(SELECT_BINS);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (is_left(left, i)) {
                atomicAdd(s_bins[(order_word(i, w) - least) >> shift], 1);
            }
        }
        barrier();
        find_bin(rank);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            left &= (order_word(i, w) - least) >> shift == s_bin ? 0xFFFFFFFFu : ~(1u << i);
        }
        rank -= s_before_bin;
        left_count = s_in_bin;
        barrier();
    }
    return select_few(left, rank);
}
