#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// Counts every digit place of every key in one read of the input, and notices whether the keys are in order already. An invocation
// compares its keys with their successors until it finds one that is not: in sorted input always, in others a tile long. For onesweep the
// workgroup that is done last decides what follows.
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"
#include "workgroup/scan_shared.glsl"
#include "device/decide_passes.glsl"

shared uint s_bins[DIGIT_PASSES * kRadix];
shared uint s_disorder;
shared uint s_is_last;

// Bins are not in the order of their digits: those of keys with few bits set mostly end in zeros, and so would meet in few of the 32 banks
// that shared memory has on many GPUs. Each of the low five bits is exclusive-ored with the one three above it, in all digits at once,
// which are bytes where all bits are sorted by. Keys of two words come out slower.
bool spreads_digits() {
    return KEY_WORDS == 1 && sorts_all_bits();
}

Key spread_digits(Key ordered) {
    return ordered ^ ((ordered >> 3) & (spreads_digits() ? 0x1F1F1F1Fu : 0));
}

// Where a digit is counted.
uint bin_of(uint digit) {
    return spreads_digits() ? digit ^ (digit >> 3) : digit;
}

void count_key(Key key) {
    Key spread = spread_digits(ordered_from_bits(key));
    [[unroll]] for (uint pass = 0; pass < DIGIT_PASSES; ++pass) {
        atomicAdd(s_bins[pass * kRadix + digit_of(spread, digit_place(pass))], 1);
    }
}

bool precedes(Key a, Key b) {
    return key_before(ordered_from_bits(a), ordered_from_bits(b));
}

void main() {
    if (group_index >= control.histogramGroups) {
        return;
    }
    for (uint i = thread_index; i < DIGIT_PASSES * kRadix; i += WORKGROUP_SIZE) {
        s_bins[i] = 0;
    }
    if (thread_index == 0) {
        s_disorder = 0;
    }
    barrier();
    bool in_order = control.disorder == 0;
    // Each workgroup takes one run of keys.
    uint chunks = divide_up(control.count, pc.histogramChunk);
    uint share = divide_up(chunks, control.histogramGroups);
    uint begin = min(group_index * share, chunks) * pc.histogramChunk;
    uint run = group_index * share < chunks ? min(control.count - begin, share * pc.histogramChunk) : 0;
    bool strided = has_flag(kFlagStrided);
    uint offset = 0;
    if (!strided) {
        for (; offset + TILE_SIZE <= run; offset += TILE_SIZE) {
            Key loaded[KEYS_PER_THREAD];
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                loaded[i] = keys0[begin + offset + i * WORKGROUP_SIZE + thread_index];
            }
            if (in_order) {
                Key next[KEYS_PER_THREAD];
                [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                    next[i] = keys0[min(begin + offset + i * WORKGROUP_SIZE + thread_index + 1, control.count - 1)];
                }
                [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                    in_order = precedes(next[i], loaded[i]) ? false : in_order;
                }
            }
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                count_key(loaded[i]);
            }
        }
    }
    for (uint i = offset + thread_index; i < run; i += WORKGROUP_SIZE) {
        Key key = load_key(0, begin + i);
        count_key(key);
        Key next = load_key(0, min(begin + i + 1, control.count - 1));
        in_order = precedes(next, key) ? false : in_order;
    }
    if (!in_order) {
        s_disorder = 1;
    }
    if (has_flag(kFlagStatus)) {
        uint words = control.tiles * kRadix;
        for (uint i = group_index * WORKGROUP_SIZE + thread_index; i < words; i += control.histogramGroups * WORKGROUP_SIZE) {
            state[pc.statusOffset + i] = 0;
        }
    }
    barrier();
    for (uint i = thread_index; i < DIGIT_PASSES * kRadix; i += WORKGROUP_SIZE) {
        uint count = s_bins[i / kRadix * kRadix + bin_of(i % kRadix)];
        if (count != 0) {
            atomicAdd(state[pc.binsOffset + i], count);
        }
    }
    if (thread_index == 0 && s_disorder != 0) {
        atomicOr(control.disorder, 1);
    }
    if (!has_flag(kFlagStatus)) {
        return;
    }
    memoryBarrierBuffer(); // the additions come before this workgroup's mark
    barrier();
    if (thread_index == 0) {
        s_is_last = atomicAdd(control.counted, 1) + 1 == control.histogramGroups ? 1 : 0;
    }
    barrier();
    if (s_is_last != 0) {
        memoryBarrierBuffer();
        scan_bins();
    }
}
