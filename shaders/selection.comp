#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// selection, its only dispatch: every workgroup reads all elements, and writes those of its ranks, EACH of them. It counts the keys of equal parts,
// bins, of their range. Bins of few elements belong to who has the rank of their first one, and are gathered and sorted there, each element by
// counting who comes before it in its bin. A bin of many, which several workgroups may share, is divided into bins itself, down to a single key,
// and then by the elements' places. So nobody waits for another workgroup, and none needs to be told anything. After Alabi, Blanchard, Gordon and
// Steinbach, "Fast k-Selection Algorithms for Graphics Processing Units", 2012.
#include "config.glsl"
#include "workgroup/scan.glsl"
#include "buffers.glsl"
#include "workgroup/extremes.glsl"

const uint EACH = SELECTED - kMostInSelectionBin;
const uint BINS_PER_THREAD = (kSelectionBins + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_bins[BINS_PER_THREAD * WORKGROUP_SIZE + 1]; // counts, then ranks of the first ones, of the next ones that are gathered, and of the end
shared Key s_keys[SELECTED];                              // gathered
shared uint s_elements[VALUE_WORDS > 0 ? SELECTED : 1];
shared uint s_holder;     // bin that has the rank
shared uint s_holder_end; // and the rank behind it
shared uint s_end_bin;    // behind those that are gathered

Key keys[KEYS_PER_THREAD];

uint element_of(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

#include "workgroup/load_tile.glsl"

// What is divided into bins, 2^down numbers each, from `least` on: keys, or the places of those that equal it.
struct Range {
    Key least;
    uint down;
    uint bins; // kSelectionBins at most
    bool by_place;
};

// Of an element, or range.bins or more if it is not in the range.
uint bin_of(Range range, Key key, uint element) {
    if (range.by_place) {
        return key == range.least ? element >> range.down : kSelectionBins;
    }
#if KEY_WORDS == 1
    return key_before(key, range.least) ? kSelectionBins : (key - range.least) >> range.down;
#else
    uint borrow;
    uint low = usubBorrow(key.x, range.least.x, borrow);
    uint high = key.y - range.least.y - borrow;
    uint shift = range.down & 31u;
    bool wide = range.down >= 32;
    uint above = wide ? 0 : high >> shift;
    uint bin = wide ? high >> shift : (low >> shift) | ((high << 1) << (31u - shift));
    return key_before(key, range.least) || above != 0 ? kSelectionBins : bin;
#endif
}

// The least key of a bin.
Key bin_begin(Range range, uint bin) {
#if KEY_WORDS == 1
    return range.least + (bin << range.down);
#else
    uint shift = range.down & 31u;
    uint low = range.down < 32 ? bin << shift : 0;
    uint high = range.down < 32 ? (bin >> 1) >> (31u - shift) : bin << shift;
    uint carry;
    low = uaddCarry(range.least.x, low, carry);
    return Key(low, range.least.y + high + carry);
#endif
}

// So that `span` more than the least number is in the last bin at most.
uint down_for(uint span, uint more_bits) {
    uint bits = uint(findMSB(span) + 1) + more_bits;
    return max(bits, kSelectionBinBits) - kSelectionBinBits;
}

// The least and the greatest of word w of all keys, those beyond the end repeating one of the others. Ends with a barrier.
void find_extremes(uint w) {
    clear_extremes();
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = key_word(keys[i], w);
        least = min(least, word);
        greatest = max(greatest, word);
    }
    add_extremes(least, greatest);
}

Range whole_range() {
    find_extremes(KEY_WORDS - 1);
#if KEY_WORDS == 2
    if (s_least == s_greatest) {
        uint high = s_least;
        barrier();
        find_extremes(0);
        return Range(Key(s_least, high), down_for(s_greatest - s_least, 0), kSelectionBins, false);
    }
    return Range(Key(0, s_least), down_for(s_greatest - s_least, 32), kSelectionBins, false);
#else
    return Range(s_least, down_for(s_greatest - s_least, 0), kSelectionBins, false);
#endif
}

// Leaves in s_bins the rank of each bin's first element, `before` being that of the range's, and tells who has `rank`, and where bins that are to be
// gathered from there on end: at one that begins at `end` or later, or is of many. Ends with a barrier.
void count_bins(Range range, uint before, uint rank, uint end, uint count) {
    for (uint i = thread_index; i < BINS_PER_THREAD * WORKGROUP_SIZE; i += WORKGROUP_SIZE) {
        s_bins[i] = 0;
    }
    if (thread_index == 0) {
        s_end_bin = range.bins;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint bin = bin_of(range, keys[i], element_of(i));
        if (bin < range.bins && element_of(i) < count) {
            atomicAdd(s_bins[bin], 1);
        }
    }
    barrier();
    uint counts[BINS_PER_THREAD];
    uint sum = 0;
    KEY_LOOP for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        counts[j] = s_bins[thread_index * BINS_PER_THREAD + j];
        sum += counts[j];
    }
    uint begin = before + wg_exclusive_add(sum);
    KEY_LOOP for (uint j = 0; j < BINS_PER_THREAD; ++j) {
        uint bin = thread_index * BINS_PER_THREAD + j;
        s_bins[bin] = begin;
        if (counts[j] != 0 && begin <= rank && rank < begin + counts[j]) {
            s_holder = bin;
            s_holder_end = begin + counts[j];
        }
        if (counts[j] != 0 && begin > rank && (begin >= end || counts[j] > kMostInSelectionBin)) {
            atomicMin(s_end_bin, bin);
        }
        begin += counts[j];
    }
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_bins[BINS_PER_THREAD * WORKGROUP_SIZE] = begin;
    }
    barrier();
}

#define WRITE_VALUE(type, slot0, slot1, slot2, second) slot1[rank] = slot0[element];

void write(uint rank, Key key, uint element) {
    if (!has_flag(kFlagDiscardKeys)) {
        keys1[rank] = bits_from_ordered(key);
    }
    if (VALUE_WORDS == 1 && has_flag(kFlagArgsort)) {
        values1[rank] = element;
    } else if (VALUE_WORDS > 0) {
        FOR_VALUE_TYPE(WRITE_VALUE)
    }
}

// Gathers the elements of bins from `first` to `end`, and writes them. Begins at rank `begin`.
void write_bins(Range range, uint first, uint end, uint begin, uint length, uint count) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint bin = bin_of(range, keys[i], element_of(i));
        if (bin >= first && bin < end && element_of(i) < count) {
            uint slot = atomicAdd(s_bins[bin], 1) - begin;
            s_keys[slot] = keys[i];
            if (VALUE_WORDS > 0) {
                s_elements[slot] = element_of(i);
            }
        }
    }
    barrier();
    for (uint slot = thread_index; slot < length; slot += WORKGROUP_SIZE) {
        Key key = s_keys[slot];
        uint element = VALUE_WORDS > 0 ? s_elements[slot] : slot;
        uint bin = bin_of(range, key, element);
        // Ranks have moved on to where the next bins begin.
        uint bin_begin = bin == first ? 0 : s_bins[bin - 1] - begin;
        uint bin_end = s_bins[bin] - begin;
        uint rank = begin + bin_begin;
        for (uint other = bin_begin; other < bin_end; ++other) {
            Key other_key = s_keys[other];
            bool earlier = (VALUE_WORDS > 0 ? s_elements[other] : other) < element;
            rank += key_before(other_key, key) || (other_key == key && earlier) ? 1 : 0;
        }
        write(rank, key, element);
    }
    barrier();
}

// Writes elements from `rank` on, and returns the rank of the next one.
uint write_some(Range range, uint rank, uint end, uint count) {
    uint before = 0;
    while (true) {
        count_bins(range, before, rank, end, count);
        uint holder = s_holder;
        uint begin = s_bins[holder];
        uint next = s_holder_end;
        if (next - begin <= kMostInSelectionBin) {
            uint first = begin == rank ? holder : holder + 1; // or it is another's
            uint end_bin = s_end_bin;
            begin = s_bins[first];
            next = s_bins[end_bin];
            barrier();
            write_bins(range, first, end_bin, begin, next - begin, count);
            return next;
        }
        range.least = bin_begin(range, holder);
        if (range.down > 0) {
            range.bins = 1u << min(range.down, kSelectionBinBits);
            range.down -= min(range.down, kSelectionBinBits);
        } else if (VALUE_WORDS > 0) {
            range = Range(range.least, down_for(count - 1, 0), kSelectionBins, true);
        } else {
            next = min(next, end);
            for (uint i = rank + thread_index; i < next; i += WORKGROUP_SIZE) {
                write(i, range.least, 0);
            }
            barrier();
            return next;
        }
        before = begin;
        barrier();
    }
}

void main() {
    uint count = element_count();
    uint rank = group_index * EACH;
    uint end = min(rank + EACH, count);
    if (rank >= end) {
        return;
    }
    LOAD_INPUT_KEYS(keys, 0, count)
    Range range = whole_range();
    while (rank < end) {
        rank = write_some(range, rank, end, count);
    }
}
