// SPDX-License-Identifier: MIT
//
// Bins for keys that are too skewed for bins of equal width, which sort_uniform() has refused. The keys of COARSE_BINS equal
// coarse bins of the range are counted, and each coarse bin gets as many bins as it has keys. So bins follow the keys'
// distribution, linearly within a coarse bin. Equal keys share a bin even so: where a bin has had too many of them, these
// bins are refused, too. Needs workgroup/sort_tile.glsl.

const uint COARSE_BINS_EACH = KEYS_PER_THREAD > 1 ? 2 : 1;
const uint COARSE_BINS = COARSE_BINS_EACH * WORKGROUP_SIZE;
const uint kFractionBits = 17; // of a position within a coarse bin
const uint kWaysByBins = 2;

// The key's coarse bin << kFractionBits | its position in it, as a fraction.
uint position_in_range(Key key, KeyRange range, uint shift, uint factor) {
    uint high, low;
    umulExtended((key_word_below(key, range.above) - range.least) << shift, (COARSE_BINS * factor) << 1, high, low);
    return min(high, (COARSE_BINS << kFractionBits) - 1);
}

// Of the keys that have refused bins of equal width. Ends with a barrier, behind clear_bins().
void choose_equal_bins(KeyRange range, uint length) {
    uint span = range.greatest - range.least;
    uint shift = span == 0 ? 0 : 31 - findMSB(span);
    uint factor = factor_for(span << shift);
    uint first = thread_index * COARSE_BINS_EACH;
    barrier();
    [[unroll]] for (uint i = 0; i < COARSE_BINS_EACH; ++i) {
        s_slots[first + i] = 0;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bins[i] = position_in_range(keys[i], range, shift, factor);
        if (element_of(i) < length) {
            atomicAdd(s_slots[bins[i] >> kFractionBits], 1);
        }
    }
    barrier();
    uint sum = 0;
    [[unroll]] for (uint i = 0; i < COARSE_BINS_EACH; ++i) {
        sum += s_slots[first + i];
    }
    uint next = wg_exclusive_add(sum);
    [[unroll]] for (uint i = 0; i < COARSE_BINS_EACH; ++i) {
        uint size = s_slots[first + i];
        s_slots[first + i] = size << 16 | next;
        next += size;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint coarse_bin = s_slots[bins[i] >> kFractionBits];
        uint fraction = bins[i] & ((1u << kFractionBits) - 1u);
        bins[i] = (coarse_bin & 0xFFFFu) + (fraction * (coarse_bin >> 16) >> kFractionBits);
    }
    barrier();
    clear_bins();
    barrier();
}

shared uint s_alike; // keys that equal the one in the first slot

// Of keys that have refused bins of equal width, whether too many are the same as one that came to a full bin. A barrier
// must follow.
bool are_repeated(uint length) {
    if (s_overflow > WORKGROUP_SIZE) { // no bin was
        return false;
    }
    if (s_overflow == thread_index + 1) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length && bins[i] >> 16 >= kMostInBin) {
                store_shared_key(0, keys[i]);
            }
        }
        s_alike = 0;
    }
    barrier();
    uint alike = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        alike += element_of(i) < length && keys[i] == shared_key(0) ? 1 : 0;
    }
    atomicAdd(s_alike, alike);
    barrier();
    return s_alike >= kMostInBin;
}

// Once more by bins, if not all are known to be `refused`: by those of equal width if none are, and then by these.
// clear_bins() and a barrier must come before those of equal width.
bool sort_by_other_bins(KeyRange range, uint length, inout uint refused) {
    for (; refused < kWaysByBins; ++refused) {
        if (refused == 0) {
            choose_bins(range, length, false);
        } else {
            choose_equal_bins(range, length);
        }
        if (sort_in_bins(length, false)) {
            return true;
        }
        if (refused == 0 && are_repeated(length)) {
            ++refused;
        }
    }
    return false;
}

// Where sort_uniform() was false, how many ways by bins are not for the keys.
uint ways_refused(uint length) {
    return !are_for_bins() || are_repeated(length) ? kWaysByBins : 1;
}

// The ways for other keys.
void sort_skewed(uint length, KeyRange range, uint refused) {
    if (!sort_by_other_bins(range, length, refused)) {
        sort_by_digits(length, pc.digitPasses);
    }
}
