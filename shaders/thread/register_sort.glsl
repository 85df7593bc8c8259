// SPDX-License-Identifier: MIT
//
// An invocation's keys[] in order, or with WITHIN_BINS those of each bin, in registers: by Batcher's odd-even merge sort,
// "Sorting networks and their applications", 1968. Its comparisons do not depend on the keys, so that all lanes do the same.
// Loops have constant ends for compilers to unroll them.
const uint kMostLevels = 5; // for 32 keys at most

void order_pair(uint i, uint j) {
#ifdef WITHIN_BINS
    if (WITHIN_BINS) { // keys are ordered within bins only, so no key leaves its bin
        const uint between = ((1u << (j - i)) - 1u) << (i + 1);
        bool swap = key_before(keys[j], keys[i]) && (run_bins & between) == 0;
        Key key = keys[i];
        keys[i] = swap ? keys[j] : key;
        keys[j] = swap ? key : keys[j];
        return;
    }
#endif
#if KEY_WORDS == 1
    uint least = min(keys[i], keys[j]);
    keys[j] = max(keys[i], keys[j]);
    keys[i] = least;
#else
    bool swap = key_before(keys[j], keys[i]);
    Key key = keys[i];
    keys[i] = swap ? keys[j] : key;
    keys[j] = swap ? key : keys[j];
#endif
}

// Whether a merge of two neighbouring lists of `size` keys each compares key x with key x + step. The first step compares
// list with list. Later steps compare each odd block of `step` keys with the even block behind it.
bool is_compared(uint x, uint size, uint step) {
    bool same_lists = x / (2 * size) == (x + step) / (2 * size);
    return same_lists && x / step % 2 == (step == size ? 0 : 1);
}

void sort_keys() {
    KEY_LOOP for (uint level = 0; level < kMostLevels; ++level) {
        KEY_LOOP for (uint halving = 0; halving < kMostLevels; ++halving) {
            uint size = 1u << level;
            uint step = size >> halving;
            KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                if (size < KEYS_PER_THREAD && step > 0 && i + step < KEYS_PER_THREAD && is_compared(i, size, max(step, 1))) {
                    order_pair(i, i + step);
                }
            }
        }
    }
}

// The same where both halves are in order already. They stand in the middle of two lists of 2^n keys, the other keys of
// which need no comparison.
void merge_halves() {
    const uint kHalf = KEYS_PER_THREAD / 2;
    const uint kSize = kHalf <= 1 ? 1 : kHalf <= 2 ? 2 : kHalf <= 4 ? 4 : kHalf <= 8 ? 8 : 16;
    KEY_LOOP for (uint halving = 0; halving < kMostLevels; ++halving) {
        uint step = kSize >> halving;
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (step > 0 && i + step < KEYS_PER_THREAD && is_compared(i + kSize - kHalf, kSize, max(step, 1))) {
                order_pair(i, i + step);
            }
        }
    }
}
