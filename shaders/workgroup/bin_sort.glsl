// SPDX-License-Identifier: MIT
//
// Sorts up to a tile of keys in shared memory at a cost that does not depend on how many there are of what: there are as
// many bins as keys, and a key's bin is where it would stand if the keys were spread evenly over their range. The bins are
// counted and scanned, and each key goes to a slot of its own in its bin. Keys without values are then put in order by
// odd-even rounds of short sorts in registers; with BIN_VALUES, which would have to move along, a key that shares its bin
// finds its rank by comparing.
//
// Bins are in the keys' order whatever the keys, so that skewed ones cost time only; what would cost too much is refused.
// After Neubert, "The Flashsort1 Algorithm", 1998, and the in-memory finish of Stehle and Jacobsen, "A Memory
// Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
//
// BIN_VALUES: 0 if nothing but the keys is to be put in order; a constant expression. IS_EARLIER(a, b), if defined: whether
// element a comes before element b where their keys are equal; it is asked for these only. Otherwise they come in the order
// of their numbers. BIN_SEGMENTS 1: the keys may be in segments, which are sorted side by side; segment_of(element) is where
// the element's segment begins | its length << 16, and bit i of heads_from(element) is whether element + i begins one.
// FEW_HEADS: whether most register runs have no heads; a constant expression. MORE_BINS: the number of bins for each of a
// tile's slots, full or not, a constant expression; 0: as many bins as there are keys. SKIPS_PADDING 1: register runs that
// are all padding are left out. LEAST_BIN_WORDS: the fewest words of bins, two to a word, of an invocation, enough for
// MORE_BINS; KEYS_PER_THREAD at most. WITHIN_BINS, if defined: whether keys are to be ordered within bins only; a constant
// expression, with BIN_VALUES 0 and BIN_SEGMENTS 0 where it is true. COMPARES_TOGETHER, with values: whether all that an
// invocation's keys are compared with is asked for at once, which hides latency where workgroups are few, and takes
// registers. Loads in branches are waited for one by one. Needs config.glsl, keys.glsl and one of the scans.
#include "shared_keys.glsl"
#include "extremes.glsl"

#ifndef BIN_VALUES
#define BIN_VALUES VALUE_WORDS
#endif

#ifndef MOST_IN_BIN
#define MOST_IN_BIN 64
#endif
#ifndef MORE_BINS
#define MORE_BINS 0
#endif
const uint kMostInBin = MOST_IN_BIN; // beyond, another way to sort is cheaper
#ifndef COMPARES_TOGETHER
#define COMPARES_TOGETHER 1
#endif
const uint kStraightComparisons = 4; // that a key makes in straight code; a bin of more keys takes a loop
const uint kBinCounter = 0xFF;       // of 8 bits
#ifndef LEAST_BIN_WORDS
#define LEAST_BIN_WORDS 1
#endif
const uint KEY_BIN_WORDS = (KEYS_PER_THREAD + 1) / 2 | 1;
// Words of bins of an invocation; an odd number where memory allows, so that invocations use different banks.
const uint BIN_WORDS = KEY_BIN_WORDS < (LEAST_BIN_WORDS) ? (LEAST_BIN_WORDS) : KEY_BIN_WORDS;

// s_slots first holds the bins, two to a word: counters from bits 0 and 8 on, and from bit 16 on the slot where the first
// bin begins. Then it holds the keys, each in a slot of its bin, with padding behind them.
shared uint s_indices[BIN_VALUES > 0 ? TILE_SIZE / 2 + 1 : 1]; // of keys that share a bin: their elements, two to a word
// 0 if the bins are not refused. If a bin has too many keys: 1 + the index of an invocation that has one of them.
shared uint s_overflow;
shared uint s_rounds;

// bins[i] is first the key's bin | the number of keys that came to it before << 16. For keys without values it is then the
// key's slot. With values it is where the bin begins | the number of keys that came before << 16 | keys of the bin, or 0 if
// it has only this one, << 24; and in the end the slot of the sorted key.

// The key word that begins `above` bits below the key's highest bit.
uint key_word_below(Key key, uint above) {
#if KEY_WORDS == 1
    return key << above;
#else
    uint shift = above & 31u;
    uint high = above < 32 ? key.y : key.x;
    uint low = above < 32 ? key.x : 0;
    return (high << shift) | ((low >> 1) >> (31u - shift));
#endif
}

// The least and the greatest of all keys' words below `above` bits, behind clear_extremes(). Keys beyond the end repeat one
// of the others.
void find_extremes(uint above) {
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = key_word_below(keys[i], above);
        least = min(least, word);
        greatest = max(greatest, word);
    }
    add_extremes(least, greatest);
}

// What the keys are spread over: `above` bits that all share, and the least and the greatest of the 32 below them.
struct KeyRange {
    uint above;
    uint least;
    uint greatest;
};

// Behind clear_extremes().
KeyRange find_range_cleared() {
    uint above = 0;
    find_extremes(0);
    if (KEY_WORDS == 2 && s_least == s_greatest) {
        barrier();
        above = 32;
        clear_extremes();
        find_extremes(above);
    }
    return KeyRange(above, s_least, s_greatest);
}

KeyRange find_range() {
    clear_extremes();
    return find_range_cleared();
}

// 2^48 / greatest, rounded down, where bit 31 is the greatest number's highest.
uint factor_for(uint greatest) {
    return uint(281474976710656.0 / float(max(greatest, 1u << 31))) - 1; // rounding may have added 1
}

// Which of `count` equal bins of [0, greatest] a number is in, by factor_for(greatest).
uint equal_bin_of(uint number, uint count, uint factor) {
    uint high, low;
    umulExtended(number, (count * factor) << 1, high, low);
    return min(high >> 17, count - 1);
}

void choose_bins(KeyRange range, uint length, bool segments) {
    uint span = range.greatest - range.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint factor = factor_for(span << shift);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = element_of(i);
        uint segment = (MORE_BINS != 0 ? TILE_SIZE * MORE_BINS : length) << 16;
#if BIN_SEGMENTS
        if (segments && element < length) {
            segment = segment_of(element);
        }
#endif
        uint number = (key_word_below(keys[i], range.above) - range.least) << shift;
        uint bin = (segment & 0xFFFFu) + equal_bin_of(number, segment >> 16, factor);
        bins[i] = span == 0 ? element : bin; // equal keys are in order
    }
}

#include "bin_runs.glsl"
#include "bin_values.glsl"

// Before sort_by_bins; a barrier must come between, as find_range() has.
void clear_bins() {
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        s_slots[element_of(i)] = 0;
    }
    for (uint i = thread_index; BIN_VALUES > 0 && i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
        s_indices[i] = 0;
    }
#ifdef WITHIN_BINS
    for (uint i = thread_index; WITHIN_BINS && i < TILE_SIZE / 32 + 2; i += WORKGROUP_SIZE) {
        s_bin_begins[i] = 0;
    }
#endif
    if (thread_index == 0) {
        s_overflow = 0;
        s_rounds = 2;
    }
}

// Sorts keys[], the first `length` by element_of(), whose bins are in bins[], in the keys' order. Leaves them in their
// slots. Returns false if that would take too long; bins[i] >> 16 is then how many keys came before. With BIN_VALUES the
// sort is stable, and bins[i] is the slot that keys[i] went to.
bool sort_in_bins(uint length, bool segments) {
    // Counts the keys of each bin, and for each key those that came before.
    uint latest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            uint shift = bins[i] % 2 * 8;
            uint before = (atomicAdd(s_slots[bins[i] / 2], 1u << shift) >> shift) & kBinCounter;
            latest = max(latest, before);
            bins[i] |= before << 16;
        }
    }
    if (latest >= kMostInBin) {
        atomicMax(s_overflow, thread_index + 1);
    }
    if (BIN_VALUES == 0 && latest > HALF_RUN) { // a shorter bin lies in two halves of runs at most
        atomicMax(s_rounds, most_halves(latest + 1));
    }
    barrier();

    // Where each bin begins.
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        uint word = s_slots[thread_index * BIN_WORDS + i];
        sum += (word & kBinCounter) + (word >> 8);
    }
    uint next = wg_exclusive_add(sum);
    [[unroll]] for (uint i = 0; i < BIN_WORDS; ++i) {
        uint at = thread_index * BIN_WORDS + i;
        uint word = s_slots[at];
        s_slots[at] = word | next << 16;
        uint first = word & kBinCounter;
        uint second = word >> 8;
        next += first + second;
    }
    barrier();
    if (s_overflow != 0) {
        return false;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = s_slots[(bins[i] & 0xFFFFu) / 2];
        uint in_first = word & kBinCounter;
        bool is_first = bins[i] % 2 == 0;
        uint begin = (word >> 16) + (is_first ? 0 : in_first);
        if (BIN_VALUES > 0) {
            uint size = is_first ? in_first : word >> 8 & kBinCounter;
            size = size > 1 && element_of(i) < length ? size : 0;
            bins[i] = begin + (bins[i] & 0xFF0000u) + (size << 24);
        } else {
#ifdef WITHIN_BINS
            if (WITHIN_BINS && element_of(i) < length && bins[i] >> 16 == 0) {
                atomicOr(s_bin_begins[begin / 32], 1u << (begin % 32));
            }
#endif
            bins[i] = element_of(i) < length ? begin + (bins[i] >> 16) : element_of(i); // padding is where it belongs
        }
    }
    barrier();
    if (BIN_VALUES > 0) {
        sort_bins_with_values(length);
    } else {
        sort_bins(length, segments);
    }
    return true;
}

bool sort_by_bins(KeyRange range, uint length, bool segments) {
    choose_bins(range, length, segments);
    return sort_in_bins(length, segments);
}
