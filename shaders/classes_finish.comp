#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes, the finish: sorts each job, up to a tile of neighbouring whole segments, in one workgroup at a cost that does
// not depend on the segments' lengths. Every segment gets as many bins as it has keys; a key's bin is where it would
// stand if the keys between the segment's least and greatest were spread evenly. The bins are counted and scanned,
// the keys put into theirs, and each key finds its rank among the few of its bin by comparing.
//
// Bins are in the keys' order whatever the keys, so that uneven ones cost time only. A job that would cost too much is
// left to a sort by merging (classes_skewed). After Neubert, "The Flashsort1 Algorithm", 1998, and the in-memory finish of
// Stehle and Jacobsen, "A Memory Bandwidth-Efficient Hybrid Radix Sort on GPUs", 2017.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/dispatch.glsl"
#include "digits.glsl"
#include "device/size_classes.glsl"
#if RANK_MATCH
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "workgroup/scan_subgroup.glsl"
#else
#include "workgroup/scan_shared.glsl"
#endif

// Comparisons a key that are worth less than a sort by merging; evenly spread keys take two.
const uint kMostComparisons = 16;
// Shorter segments are one bin.
const uint kOneBinLength = 8;

const uint HEAD_WORDS = TILE_SIZE / 32 + 1;

shared uint s_cells[TILE_SIZE + 1]; // first the bins, then the keys
#if KEY_WORDS == 2
shared uint s_high_words[TILE_SIZE];
#endif
shared uint s_places[VALUE_WORDS > 0 ? TILE_SIZE / 2 + 1 : 1]; // where the keys came from, two to a word
shared uint s_heads[HEAD_WORDS + 1];
shared uint s_last_heads[HEAD_WORDS + 1]; // 1 + the last head in the words up to this one
shared uint s_next_heads[HEAD_WORDS + 1]; // the first head in this word and those after it
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
    uint last = (control.count - 1) / 32;
    bool given = has_flag(kFlagHeadsGiven);
    uint heads = (given ? segments[first] : state[pc.headsOffset + first]) >> shift;
    if (shift != 0 && first < last) {
        heads |= (given ? segments[first + 1] : state[pc.headsOffset + first + 1]) << (32 - shift);
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
        s_last_heads[w] = 32 * last + findMSB(s_heads[last]);
        uint next = w;
        while (next < HEAD_WORDS && s_heads[next] == 0) {
            ++next;
        }
        s_next_heads[w] = next < HEAD_WORDS ? 32 * next + findLSB(s_heads[next]) : length;
    }
    if (thread_index == 0) {
        s_next_heads[HEAD_WORDS] = length;
    }
    barrier();
}

// The segment that an element is in: where it begins | its length << 16.
uint segment_of(uint element) {
    uint w = element / 32;
    uint bit = element % 32;
    uint up_to = s_heads[w] & (0xFFFFFFFFu >> (31 - bit));
    uint after = bit == 31 ? 0 : s_heads[w] >> (bit + 1);
    uint begin = up_to != 0 ? 32 * w + findMSB(up_to) : s_last_heads[w - 1];
    uint end = after != 0 ? element + 1 + findLSB(after) : s_next_heads[w + 1];
    return begin | (end - begin) << 16;
}

// The part of a key that says where it is between its segment's least and greatest. Of two words, the upper one, unless
// it is the same throughout.
uint leading_word(Key key, bool low) {
#if KEY_WORDS == 1
    return key;
#else
    return low ? key.x : key.y;
#endif
}

// Leaves each segment's least and greatest word in the cells of its first two elements.
void find_extremes(uint length, uint segments_of[KEYS_PER_THREAD], bool low) {
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        uint element = element_of(i);
        if (element < length) {
            s_cells[element] = element == (segments_of[i] & 0xFFFFu) ? 0xFFFFFFFFu : 0;
        }
    }
    barrier();
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        bool counts = element_of(i) < length && segments_of[i] >> 16 >= kOneBinLength;
        uint begin = segments_of[i] & 0xFFFFu;
        uint word = leading_word(keys[i], low);
#if RANK_MATCH
        if (subgroupAllEqual(counts ? begin : kNoHead)) {
            uint least = subgroupMin(word);
            uint greatest = subgroupMax(word);
            if (counts && subgroupElect()) {
                atomicMin(s_cells[begin], least);
                atomicMax(s_cells[begin + 1], greatest);
            }
        } else
#endif
        if (counts) {
            atomicMin(s_cells[begin], word);
            atomicMax(s_cells[begin + 1], word);
        }
    }
    barrier();
}

uint bin_between(uint word, uint least, uint greatest, uint segment) {
    uint size = segment >> 16;
    float scale = float(size) / (float(greatest - least) + 1.0);
    return (segment & 0xFFFFu) + min(uint(float(word - least) * scale), size - 1);
}

Key cell_key(uint at) {
#if KEY_WORDS == 1
    return s_cells[at];
#else
    return uvec2(s_cells[at], s_high_words[at]);
#endif
}

void main() {
    uint job = group_index;
    if (job >= control.jobs) {
        return;
    }
    uint begin = state[job_word(job)];
    uint length = state[job_word(job) + 1] & kJobLength;
    uint flags = state[job_word(job) + 1];
    if (length == 0) {
        return;
    }
    uint slot = (flags & kJobSlot2) != 0 ? 2 : 1;
    uint ends[KEYS_PER_THREAD]; // where each key goes
    if ((flags & kJobSorted) != 0) {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint element = element_of(i);
            if (element < length) {
                store_slot_key(1, begin + element, load_slot_key(slot, begin + element));
            }
            ends[i] = element;
        }
    } else {
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint element = element_of(i);
            keys[i] = load_slot_key(slot, begin + min(element, length - 1));
        }
        uint segments_of[KEYS_PER_THREAD];
        bool heads = (flags & kJobHeads) != 0;
        if (heads) {
            load_job_heads(begin, length);
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint element = element_of(i);
            segments_of[i] = !heads || element >= length ? length << 16 : segment_of(element);
        }

        find_extremes(length, segments_of, false);
        uint low_range[KEYS_PER_THREAD]; // 1: the upper words are all the same
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint first = segments_of[i] & 0xFFFFu;
            uint size = segments_of[i] >> 16;
            low_range[i] = 0;
            if (size < kOneBinLength) {
                bins[i] = first;
            } else if (s_cells[first] == s_cells[first + 1]) {
                low_range[i] = 1;
                bins[i] = element_of(i); // all equal: in order already
            } else {
                bins[i] = bin_between(leading_word(keys[i], false), s_cells[first], s_cells[first + 1], segments_of[i]);
            }
        }
        barrier();
#if KEY_WORDS == 2
        find_extremes(length, segments_of, true);
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            uint first = segments_of[i] & 0xFFFFu;
            if (low_range[i] != 0 && s_cells[first] != s_cells[first + 1]) {
                bins[i] = bin_between(keys[i].x, s_cells[first], s_cells[first + 1], segments_of[i]);
            }
        }
        barrier();
#endif

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
        squares = subgroupAdd(squares);
        if (subgroupElect()) {
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
            if (thread_index == 0) {
                uint skewed = atomicAdd(control.skewed, 1);
                state[skewed_word(skewed)] = job;
                DispatchArgs args = dispatch_args(skewed + 1);
                atomicMax(control.skewedArgs.x, args.x);
                atomicMax(control.skewedArgs.y, args.y);
            }
            return;
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
            uint end = element_of(i) < length ? bins[i] >> 16 : 0;
            ends[i] = bins[i] & 0xFFFFu;
            for (uint other = bins[i] & 0xFFFFu; other < end; ++other) {
                Key key = cell_key(other);
                bool earlier = other < cells[i];
                if (VALUE_WORDS > 0) {
                    earlier = (s_places[other / 2] >> (other % 2 * 16) & 0xFFFFu) < element_of(i);
                }
                ends[i] += key_before(key, keys[i]) || (key == keys[i] && earlier) ? 1 : 0;
            }
        }
        KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
            if (element_of(i) < length) {
                store_slot_key(1, begin + ends[i], keys[i]);
            }
        }
    }

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
                store_slot_value(1, (begin + ends[i]) * VALUE_WORDS + component, words[i]);
            }
        }
    }
}
