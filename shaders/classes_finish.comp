#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, the finish: sorts each job, up to a tile of neighbouring whole segments, in one workgroup at a cost that does
// not depend on the segments' lengths. Every segment gets as many bins as it has keys; a key's bin is where it would
// stand if the segment's keys were spread evenly between the least and the greatest of the job. The bins are counted and
// scanned, the keys put into theirs, and each key finds its rank among the few of its bin by comparing.
//
// Bins are in the keys' order whatever the keys, so that uneven ones cost time only. A job that would cost too much is
// left to a sort by merging (classes_skewed). After Neubert, "The Flashsort1 Algorithm", 1998, and the in-memory finish of
// Stehle and Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"
#if RANK_MATCH
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "workgroup/scan_subgroup.glsl"
#else
#include "workgroup/scan_shared.glsl"
#endif

// Comparisons a key that are worth less than a sort by merging; evenly spread keys take two.
const uint kMostComparisons = 16;
// Comparisons that a key makes in straight code; a bin of more keys takes a loop.
const uint kStraightComparisons = 4;

const uint HEAD_WORDS = TILE_SIZE / 32 + 1;

shared uint s_cells[TILE_SIZE + 1]; // first the bins, then the keys
#if KEY_WORDS == 2
shared uint s_high_words[TILE_SIZE];
#endif
shared uint s_places[VALUE_WORDS > 0 ? TILE_SIZE / 2 + 1 : 1]; // where the keys came from, two to a word
shared uint s_heads[HEAD_WORDS + 1];
shared uint s_near_heads[HEAD_WORDS + 1]; // the last head up to this word | the first from this word on << 16
shared uint s_least;
shared uint s_greatest;
shared uint s_comparisons;

Key keys[KEYS_PER_THREAD];
uint bins[KEYS_PER_THREAD]; // the key's bin | how many came to it before << 16; later where the bin begins | ends << 16

uint element_of(uint i) {
    return i * WORKGROUP_SIZE + thread_index;
}

// Word w of the job's head flags, of which bit 0 is the job's first element.
uint job_heads(uint begin, uint length, uint w) {
    uint bit = begin + 32 * w;
    uint shift = bit % 32;
    uint first = bit / 32;
    uint heads = head_word(first) >> shift;
    if (shift != 0) {
        heads |= head_word(first + 1) << (32 - shift);
    }
    uint left = length - 32 * w;
    return left < 32 ? heads & ((1u << left) - 1u) : heads;
}

void load_job_heads(uint begin, uint length) {
    for (uint w = thread_index; w < HEAD_WORDS; w += WORKGROUP_SIZE) {
        uint heads = 32 * w < length ? job_heads(begin, length, w) : 0;
        s_heads[w] = w == 0 ? heads | 1u : heads;
    }
    barrier();
    for (uint w = thread_index; w < HEAD_WORDS; w += WORKGROUP_SIZE) {
        uint last = w;
        while (s_heads[last] == 0) { // word 0 is not
            --last;
        }
        uint next = w;
        while (next < HEAD_WORDS && s_heads[next] == 0) {
            ++next;
        }
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

// The least and the greatest of one word of all the job's keys. Those beyond its length repeat the last.
void find_extremes(bool low) {
    if (thread_index == 0) {
        s_least = 0xFFFFFFFFu;
        s_greatest = 0;
    }
    barrier();
    uint least = 0xFFFFFFFFu;
    uint greatest = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint word = key_word(keys[i], low ? 0 : KEY_WORDS - 1);
        least = min(least, word);
        greatest = max(greatest, word);
    }
#if RANK_MATCH
    // No reductions, see scan_subgroup.glsl; and of prefixes Metal has only sums and products.
    [[unroll]] for (uint distance = SUBGROUP_SIZE / 2; distance > 0; distance /= 2) {
        least = min(least, subgroupShuffleXor(least, distance));
        greatest = max(greatest, subgroupShuffleXor(greatest, distance));
    }
    if (gl_SubgroupInvocationID == 0) {
        atomicMin(s_least, least);
        atomicMax(s_greatest, greatest);
    }
#else
    atomicMin(s_least, least);
    atomicMax(s_greatest, greatest);
#endif
    barrier();
}

Key cell_key(uint at) {
#if KEY_WORDS == 1
    return s_cells[at];
#else
    return uvec2(s_cells[at], s_high_words[at]);
#endif
}

bool is_before(uint other, uint i, uint cell) {
    Key key = cell_key(other);
    bool earlier = other < cell;
    if (VALUE_WORDS > 0) {
        earlier = (s_places[other / 2] >> (other % 2 * 16) & 0xFFFFu) < element_of(i);
    }
    return key_before(key, keys[i]) || (key == keys[i] && earlier);
}

// Leaves in ends[] where in the job each key goes; false if that would take too long.
bool sort_job(uint begin, uint length, bool heads, out uint ends[KEYS_PER_THREAD]) {
    if (heads) {
        load_job_heads(begin, length);
    }
    find_extremes(false);
    bool low = KEY_WORDS == 2 && s_least == s_greatest;
    if (low) {
        barrier();
        find_extremes(true);
    }
    uint least = s_least;
    bool all_equal = s_greatest == least;
    float scale = 1.0 / (float(s_greatest - least) + 1.0);
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = element_of(i);
        uint segment = heads && element < length ? segment_of(element) : length << 16;
        uint size = segment >> 16;
        uint word = key_word(keys[i], low ? 0 : KEY_WORDS - 1);
        uint bin = min(uint(float(word - least) * scale * float(size)), size - 1);
        bins[i] = all_equal ? element : (segment & 0xFFFFu) + bin; // equal keys are in order
    }

    // Counts, and who came how late.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        s_cells[element_of(i)] = 0;
    }
    if (VALUE_WORDS > 0) {
        for (uint i = thread_index; i < TILE_SIZE / 2 + 1; i += WORKGROUP_SIZE) {
            s_places[i] = 0;
        }
    }
    if (thread_index == 0) {
        s_comparisons = 0;
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            bins[i] |= atomicAdd(s_cells[bins[i]], 1) << 16;
        }
    }
    barrier();

    // Where each bin begins.
    uint sum = 0;
    uint squares = 0;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint count = s_cells[thread_index * KEYS_PER_THREAD + i];
        sum += count;
        squares += count * count;
    }
#if RANK_MATCH
    squares = subgroupInclusiveAdd(squares);
    if (gl_SubgroupInvocationID == SUBGROUP_SIZE - 1) {
        atomicAdd(s_comparisons, squares);
    }
    uint next = wg_exclusive_add(sum);
#else
    atomicAdd(s_comparisons, squares);
    uint total;
    uint next = wg_exclusive_add(sum, total);
#endif
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint at = thread_index * KEYS_PER_THREAD + i;
        uint count = s_cells[at];
        s_cells[at] = next;
        next += count;
    }
    if (thread_index == 0) {
        s_cells[TILE_SIZE] = length;
    }
    barrier();
    if (s_comparisons > kMostComparisons * max(length, 64)) {
        return false;
    }
    uint cells[KEYS_PER_THREAD];
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint bin = bins[i] & 0xFFFFu;
        uint first = s_cells[bin];
        cells[i] = first + (bins[i] >> 16);
        bins[i] = first | s_cells[bin + 1] << 16;
    }
    barrier();

    // The keys into their bins.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            s_cells[cells[i]] = key_word(keys[i], 0);
#if KEY_WORDS == 2
            s_high_words[cells[i]] = keys[i].y;
#endif
            if (VALUE_WORDS > 0) {
                atomicOr(s_places[cells[i] / 2], element_of(i) << (cells[i] % 2 * 16));
            }
        }
    }
    barrier();

    // Ranks in the bins. Equal keys stay in order: without values, any order is that.
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint first = bins[i] & 0xFFFFu;
        uint end = element_of(i) < length ? bins[i] >> 16 : first;
        uint before = 0;
        [[unroll]] for (uint j = 0; j < kStraightComparisons; ++j) {
            uint other = min(first + j, TILE_SIZE - 1);
            before += first + j < end && is_before(other, i, cells[i]) ? 1 : 0;
        }
        for (uint other = first + kStraightComparisons; other < end; ++other) {
            before += is_before(other, i, cells[i]) ? 1 : 0;
        }
        ends[i] = first + before;
    }
    barrier();
    return true;
}

// Writes the keys, in order, as neighbours by neighbouring invocations.
void store_keys(uint begin, uint length, uint ends[KEYS_PER_THREAD]) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            s_cells[ends[i]] = key_word(keys[i], 0);
#if KEY_WORDS == 2
            s_high_words[ends[i]] = keys[i].y;
#endif
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        if (element_of(i) < length) {
            store_slot_key(1, begin + element_of(i), cell_key(element_of(i)));
        }
    }
}

void move_values(uint slot, uint begin, uint length, uint ends[KEYS_PER_THREAD]) {
    [[unroll]] for (uint component = 0; component < VALUE_WORDS; ++component) {
        uint words[KEYS_PER_THREAD];
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint element = min(element_of(i), length - 1);
            words[i] = load_slot_value(slot, (begin + element) * VALUE_WORDS + component);
        }
        // The slots may be the same: nobody writes before everybody has read.
        memoryBarrierBuffer();
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                s_cells[ends[i]] = words[i];
            }
        }
        barrier();
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                store_slot_value(1, (begin + element_of(i)) * VALUE_WORDS + component, s_cells[element_of(i)]);
            }
        }
    }
}

void main() {
    uint job = group_index;
    if (job >= control.jobs) {
        return;
    }
    uint begin = state[job_word(job)];
    uint flags = state[job_word(job) + 1];
    uint length = flags & kJobLength;
    uint slot = (flags & kJobSlot2) != 0 ? 2 : 1;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        keys[i] = load_slot_key(slot, begin + min(element_of(i), length - 1));
    }
    uint ends[KEYS_PER_THREAD];
    if ((flags & kJobSorted) != 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            ends[i] = element_of(i);
        }
    } else if (!sort_job(begin, length, (flags & kJobHeads) != 0, ends)) {
        if (thread_index == 0) {
            uint skewed = atomicAdd(control.fallbacks, 1);
            state[skewed_word(skewed)] = job;
            RAISE_DISPATCH(control.skewedArgs, skewed + 1)
        }
        return;
    }
    store_keys(begin, length, ends);
    move_values(slot, begin, length, ends);
}
