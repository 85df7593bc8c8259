#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort by distribution, second step: counts the keys of each cell. The workgroup that is done last adds up what comes before each.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "workgroup/scan_shared.glsl"

const uint CELLS_PER_THREAD = (RANGE_CELLS + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_parts[kRangeParts];
shared uint s_counts[RANGE_CELLS];
shared bool s_is_last;

void count_key(Key key) {
    Key ordered = ordered_from_bits(key);
    uint word = key_word(ordered, KEY_WORDS - 1);
    uint part = s_parts[range_part(parts, word)];
    atomicAdd(s_counts[place_in_cell(parts, word, 0, part).cell], 1);
}

void count_keys(uint begin, uint run) {
    uint offset = 0;
    if (!has_flag(kFlagStrided)) {
        for (; offset + TILE_SIZE <= run; offset += TILE_SIZE) {
            Key loaded[KEYS_PER_THREAD];
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                loaded[i] = keys0[begin + offset + i * WORKGROUP_SIZE + thread_index];
            }
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                count_key(loaded[i]);
            }
        }
    }
    for (uint i = offset + thread_index; i < run; i += WORKGROUP_SIZE) {
        count_key(load_key(0, begin + i));
    }
}

// Other workgroups have added to the counts in this dispatch: they are read by atomics, too.
void add_up_counts(uint count, uint cells) {
    uint counts[CELLS_PER_THREAD];
    uint sum = 0;
    uint first = thread_index * CELLS_PER_THREAD;
    if (first < cells) {
        [[unroll]] for (uint j = 0; j < CELLS_PER_THREAD; ++j) {
            counts[j] = first + j < cells ? atomicOr(state[cell_word(first + j)], 0) : 0;
            sum += counts[j];
        }
    }
    uint before = wg_exclusive_add(sum);
    uint shift = 31 - findMSB(count);
    // The greatest factor, nearly, whose product with all keys is below 2^63, whatever floats round to.
    uint scale = uint(4611686018427387904.0 / float(count << shift) * 1.9999980);
    if (first < cells) {
        [[unroll]] for (uint j = 0; j < CELLS_PER_THREAD; ++j) {
            if (first + j < cells) {
                uint high, low;
                umulExtended(before << shift, scale, high, low);
                state[cell_word(first + j)] = high << 1 | low >> 31;
            }
            before += counts[j];
        }
    }
    if (thread_index == 0) {
        state[cell_word(cells)] = 0xFFFFFFFFu;
    }
}

void main() {
    uint count = control.count;
    uint groups = min(gl_NumWorkGroups.x * gl_NumWorkGroups.y, divide_up(count, TILE_SIZE));
    uint cells = control.cells;
    parts = control_parts();
    if (control.buckets == 0 || group_index >= groups) {
        return;
    }
    for (uint i = thread_index; i < kRangeParts; i += WORKGROUP_SIZE) {
        s_parts[i] = state[part_word(i)];
    }
    for (uint i = thread_index; i < cells; i += WORKGROUP_SIZE) {
        s_counts[i] = 0;
    }
    barrier();
    // Each workgroup takes one run of keys.
    uint tiles = divide_up(count, TILE_SIZE);
    uint share = divide_up(tiles, groups);
    uint begin = min(group_index * share, tiles) * TILE_SIZE;
    count_keys(begin, group_index * share < tiles ? min(count - begin, share * TILE_SIZE) : 0);
    barrier();
    for (uint i = thread_index; i < cells; i += WORKGROUP_SIZE) {
        if (s_counts[i] != 0) {
            atomicAdd(state[cell_word(i)], s_counts[i]);
        }
    }
    memoryBarrierBuffer(); // the additions come before this workgroup's mark
    barrier();
    if (thread_index == 0) {
        s_is_last = atomicAdd(control.cellsCounted, 1) + 1 == groups;
    }
    barrier();
    if (s_is_last) {
        memoryBarrierBuffer();
        add_up_counts(count, cells);
    }
}
