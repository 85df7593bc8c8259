#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// msd, the finish: sorts each job, up to a tile of neighbouring whole segments, in one workgroup at a cost that does
// not depend on the segments' lengths (workgroup/bin_sort.glsl). A job that would cost too much is left to a sort by merging
// or by digits (msd_skewed, msd_digits).
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/msd.glsl"
#include "workgroup/scan.glsl"
#include "device/job_heads.glsl"

const uint HEAD_GROUPS = HEAD_WORDS / 32 + 1;
#define FEW_HEADS ((FLAGS & kFlagFewHeads) != 0)

shared uint s_headed[HEAD_GROUPS]; // with FEW_HEADS: bit i of group g: word 32 * g + i has heads
shared uint s_near_heads[HEAD_WORDS + 1]; // the last head up to this word | the first from this word on << 16

void find_headed_words() {
    if (thread_index < HEAD_GROUPS) {
        uint headed = 0;
        for (uint i = 0; i < 32; ++i) {
            uint w = min(32 * thread_index + i, HEAD_WORDS); // the last one is empty
            headed |= s_heads[w] != 0 ? 1u << i : 0;
        }
        s_headed[thread_index] = headed;
    }
    barrier();
}

// The last word up to `w` that has heads, as word 0 has. Word by word where most have some.
uint headed_up_to(uint w) {
    if (FEW_HEADS) {
        uint group = w / 32;
        uint headed = s_headed[group] & (0xFFFFFFFFu >> (31 - w % 32));
        while (headed == 0) {
            headed = s_headed[--group];
        }
        return 32 * group + findMSB(headed);
    }
    while (s_heads[w] == 0) {
        --w;
    }
    return w;
}

// The first one from `w` on, HEAD_WORDS if there is none.
uint headed_from(uint w) {
    if (FEW_HEADS) {
        uint group = w / 32;
        uint headed = s_headed[group] & (0xFFFFFFFFu << (w % 32));
        while (headed == 0 && ++group < HEAD_GROUPS) {
            headed = s_headed[group];
        }
        return headed != 0 ? 32 * group + findLSB(headed) : HEAD_WORDS;
    }
    while (w < HEAD_WORDS && s_heads[w] == 0) {
        ++w;
    }
    return w;
}

void load_job_heads(uint begin, uint length) {
    read_job_heads(begin, length);
    barrier();
    if (FEW_HEADS) {
        find_headed_words();
    }
    for (uint w = thread_index; w < HEAD_WORDS; w += WORKGROUP_SIZE) {
        uint last = headed_up_to(w);
        uint next = headed_from(w);
        uint first = next < HEAD_WORDS ? 32 * next + findLSB(s_heads[next]) : length;
        s_near_heads[w] = (32 * last + findMSB(s_heads[last])) | first << 16;
    }
    if (thread_index == 0) {
        s_near_heads[HEAD_WORDS] = length << 16;
    }
    barrier();
}

// The segment that an element is in: where it begins | its length << 16.
uint segment_of(uint element) {
    uint w = element / 32;
    uint bit = element % 32;
    uint up_to = s_heads[w] & (0xFFFFFFFFu >> (31 - bit));
    uint after = bit == 31 ? 0 : s_heads[w] >> (bit + 1);
    uint begin = up_to != 0 ? 32 * w + findMSB(up_to) : s_near_heads[w - 1] & 0xFFFFu;
    uint end = after != 0 ? element + 1 + findLSB(after) : s_near_heads[w + 1] >> 16;
    return begin | (end - begin) << 16;
}

// Bit i: whether element + i begins a segment.
uint heads_from(uint element) {
    uint shift = element % 32;
    uint heads = s_heads[element / 32] >> shift;
    return shift == 0 ? heads : heads | s_heads[element / 32 + 1] << (32 - shift);
}

// Packed keys and indices: what the keys of a job have in common is left out, and their indices in the job take its bits.
// These words all differ, so that they are sorted as quickly as keys without values and yet stably, and tell in the end
// where the values are.
const uint INDEXED_VALUES = (FLAGS & kFlagIndexed) / kFlagIndexed * VALUE_WORDS;
#define INDEXED_KEYS (INDEXED_VALUES > 0)
#define BIN_VALUES (VALUE_WORDS - INDEXED_VALUES)
#define BIN_SEGMENTS 1
#define COMPARES_TOGETHER 0 // slower with it in tiles of 448x5, see sample-57 in docs/log/sample-sort.md
#include "workgroup/bin_sort.glsl"

#include "device/job_data.glsl"

// What a level leaves in a job: keys that share all digits before it.
KeyRange digits_range(uint digits) {
    uint first = digits >> 8 & 0xFFu;
    uint last = digits >> 16;
    return KeyRange(kRadixBits * (digits & 0xFFu), first << 24, (last << 24) | 0xFFFFFFu);
}

uint index_bits() {
    return findMSB(TILE_SIZE - 1) + 1;
}

// The source index in the job that a packed key and index has.
uint source_of(uint word) {
    return word & ((1u << index_bits()) - 1u);
}

#if KEY_WORDS == 1

uint indexed_prefix; // bits that all keys have
uint indexed_first;  // of their other bits: the least possible

// Makes packed keys and indices of keys[], and their range of that of the keys; false if 32 bits are too few.
bool index_keys(inout KeyRange range) {
    uint greatest = (range.greatest - range.least) >> range.above;
    indexed_prefix = keys[0] & ~(0xFFFFFFFFu >> range.above);
    indexed_first = range.least >> range.above;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint number = (key_word_below(keys[i], range.above) - range.least) >> range.above;
        keys[i] = number << index_bits() | element_of(i);
    }
    range = KeyRange(0, 0, greatest << index_bits() | ((1u << index_bits()) - 1u));
    return greatest >> (32 - index_bits()) == 0;
}

// After sort_by_bins(): each element's index in the job as it was.
void store_indexed_keys(uint slot, uint begin, uint length, out uint sources[KEYS_PER_THREAD]) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = s_slots[element_of(i)];
        sources[i] = source_of(word);
        if (element_of(i) < length) {
            store_slot_key(1, begin + element_of(i), indexed_prefix | ((word >> index_bits()) + indexed_first));
        }
    }
}

#else

// The same in 64 bits: the bits of a key behind those that all share, less the least key word there, and its source index.
bool index_keys(inout KeyRange range) {
    uint span = range.greatest - range.least;
    uint span_bits = span == 0 ? 1 : findMSB(span) + 1;
    uint below = range.above < 32 ? 32 - range.above : 0; // bits behind these 32
    uint beyond = range.above < 32 ? 0 : range.above - 32; // of these, bits behind the key's last
    uint bits = max(span_bits, beyond + 1) - beyond + below + index_bits();
    if (below == 32 || bits > 64) {
        return false;
    }
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word_below = key_word_below(keys[i], range.above) - range.least;
        uint low = ((word_below >> beyond) << below) | (keys[i].x & ((1u << below) - 1u));
        uint high = (word_below >> 1) >> (31 - below);
        keys[i] = uvec2(low << index_bits() | element_of(i), high << index_bits() | low >> (32 - index_bits()));
    }
    range = KeyRange(64 - bits, 0, (span << (32 - span_bits)) | ((1u << (32 - span_bits)) - 1u));
    return true;
}

// Reads the keys again.
void store_indexed_keys(uint slot, uint begin, uint length, out uint sources[KEYS_PER_THREAD]) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        sources[i] = source_of(s_slots[element_of(i)]);
    }
    LOAD_KEYS_OF(keys, slot, begin + min(element_of(i), length - 1))
    memoryBarrierBuffer(); // the result may go where the keys came from
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        store_shared_key(element_of(i), keys[i]);
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_slot_key(1, begin + element_of(i), shared_key(sources[i]));
        }
    }
}

#endif

// After sort_by_bins().
void store_indexed(uint slot, uint begin, uint length) {
    uint sources[KEYS_PER_THREAD];
    store_indexed_keys(slot, begin, length, sources);
    if (VALUE_WORDS == 1) {
        load_value_words(slot, begin, length);
        memoryBarrierBuffer(); // the result may go where the values came from
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_slots[element_of(i)] = VALUE_WORDS == 1 ? value_words[i] : begin + sources[i];
    }
    barrier();
    if (VALUE_WORDS == 1) {
        STORE_TO(s_slots[sources[i]], KEYS_PER_THREAD, values1, begin + element_of(i), element_of(i) < length)
    } else {
        gather_values(slot, begin, length);
    }
}

// Lets onesweep sort all elements if a key differs from element `first` of the slot.
void expect_equal(uint slot, uint first) {
    Key wanted = slot == 0 ? load_input_key(first) : load_slot_key(slot, first);
    bool differs = false;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        differs = differs || keys[i] != wanted;
    }
    if (differs) {
        leave_to_onesweep();
    }
}

void leave_over(uint job) {
    if (thread_index == 0) {
        uint skewed = atomicAdd(control.skewed[LARGE], 1);
        state[skewed_word(job_number(skewed))] = job;
        RAISE_DISPATCH(args.skewed[LARGE], skewed + 1)
        atomicAdd(control.fallbacks, 1);
    }
}

void main() {
    if (group_index >= (LARGE != 0 ? control.largeJobs : control.jobs)) {
        return;
    }
    uint job = job_number(group_index);
    uint begin = state[job_word(job)];
    uint flags = state[job_word(job) + 1];
    uint digits = state[job_word(job) + 2];
    uint length = flags & kJobLength;
    uint slot = slot_of(flags);
    LOAD_KEYS_OF(keys, slot, begin + min(element_of(i), length - 1))
    if (VALUE_WORDS == 1 && !INDEXED_KEYS) {
        load_value_words(slot, begin, length);
    }
    bool heads = !has_flag(kFlagOneSegment) && (flags & kJobHeads) != 0;
    if (has_flag(kFlagFallback) && (flags & kJobEqual) != 0) {
        expect_equal(slot, digits);
        if (slot == 1) {
            return;
        }
    }
    if ((flags & kJobSorted) != 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            store_shared_key(element_of(i), keys[i]);
            bins[i] = element_of(i);
        }
        barrier();
    } else {
        clear_bins();
        if (heads) {
            load_job_heads(begin, length);
        }
        KeyRange range;
        if ((flags & kJobDigits) != 0) {
            range = digits_range(digits);
            barrier();
        } else {
            range = find_range();
        }
        if (INDEXED_KEYS) {
            if (index_keys(range) && sort_by_bins(range, length, false)) {
                store_indexed(slot, begin, length);
            } else {
                leave_over(job);
            }
            return;
        }
        if (!sort_by_bins(range, length, heads)) {
            leave_over(job);
            return;
        }
    }
    if (INDEXED_KEYS && VALUE_WORDS == 1) {
        load_value_words(slot, begin, length);
    }
    store_keys(begin, length);
    move_values(slot, begin, length);
}
