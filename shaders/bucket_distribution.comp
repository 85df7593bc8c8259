#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// bucket_sort by distribution, second step: counts the keys of each histogram cell. The workgroup that is done last finds
// the share of all keys before each cell. It also extends the first and the last cell that have keys to what they would be
// if they were full, since numbers beyond the first and the last key have none.
#include "config.glsl"
#include "buffers.glsl"
#include "device/buckets.glsl"
#include "workgroup/scan_shared.glsl"

const uint CELLS_PER_THREAD = (HISTOGRAM_CELLS + WORKGROUP_SIZE - 1) / WORKGROUP_SIZE;

shared uint s_range_bins[kRangeBins];
shared uint s_counts[HISTOGRAM_CELLS];
shared bool s_is_last;
const uint kEnds = 32; // addresses of each extreme, so that few atomic operations meet
shared uint s_least_numbers[kEnds];
shared uint s_greatest_numbers[kEnds];

// The extremes of the numbers of the invocation's keys.
uint least_number = 0xFFFFFFFFu;
uint greatest_number = 0;

CellPosition position_of_number(uint number) {
    return position_in_cell(number, s_range_bins[bin_of_number(number)]);
}

void count_key(Key key) {
    uint number = number_of(numbering, ordered_from_bits(key));
    least_number = min(least_number, number);
    greatest_number = max(greatest_number, number);
    atomicAdd(s_counts[position_of_number(number).cell], 1);
}

void count_keys(uint begin, uint length) {
    uint offset = 0;
    if (!has_flag(kFlagStrided)) {
        for (; offset + TILE_SIZE <= length; offset += TILE_SIZE) {
            Key loaded[KEYS_PER_THREAD];
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                loaded[i] = keys0[begin + offset + i * WORKGROUP_SIZE + thread_index];
            }
            [[unroll]] for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
                count_key(loaded[i]);
            }
        }
    }
    for (uint i = offset + thread_index; i < length; i += WORKGROUP_SIZE) {
        count_key(load_key(0, begin + i));
    }
}

// The fraction of all keys that `before` keys are. `shift` moves the number of all keys to the upper bits of a word, and
// `scale` is nearly the greatest factor whose product with that word is below 2^63, however floats are rounded.
uint fraction_of(uint before, uint shift, uint scale) {
    uint high, low;
    umulExtended(before << shift, scale, high, low);
    return high << 1 | low >> 31;
}

// Where a cell would begin and end that has keys from `first` to `last` only, which are fractions of it, if all of it were
// as dense. The keys are taken to fill an eighth of it at least. The ends are slightly nearer than computed, for rounding. A
// cell of few keys, or one that would be too wide, is left as it is.
uvec2 filled_cell(uint begin, uint end, uint first, uint last) {
    float width = float(end - begin) * (4294967296.0 / float(max(last - first, 1u << 29))) * 0.9999;
    if (end - begin < 1u << 20 || width > 2147483648.0) {
        return uvec2(begin, end);
    }
    uint missing = uint(width * (float(first) / 4294967296.0) * 0.99999);
    begin -= missing - min(missing, 2);
    return uvec2(begin, last == 0xFFFFFFFFu ? end : begin + uint(width));
}

// Other workgroups have added to the counts in this dispatch: they are read by atomics, too.
void add_up_counts(uint count, uint cells) {
    if (thread_index == WORKGROUP_SIZE - 1) { // this invocation has fewer cells than others
        s_least_numbers[0] = atomicMin(control.leastNumber, 0xFFFFFFFFu);
        s_greatest_numbers[0] = atomicMax(control.greatestNumber, 0);
    }
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
    uint scale = uint(4611686018427387904.0 / float(count << shift) * 1.9999980);
    CellPosition least = position_of_number(s_least_numbers[0]);
    CellPosition greatest = position_of_number(s_greatest_numbers[0]);
    // Where the next number begins, nearly.
    greatest.rest += (1u << (32 - (s_range_bins[bin_of_number(s_greatest_numbers[0])] & 31u))) - 1;
    // Where the first and the last cell of the keys begin and end, in the invocations that have them.
    uvec2 first_cell = uvec2(0);
    uvec2 last_cell = uvec2(0);
    if (first < cells) {
        uint begin = fraction_of(before, shift, scale);
        [[unroll]] for (uint j = 0; j < CELLS_PER_THREAD; ++j) {
            uint cell = first + j;
            before += counts[j];
            uint end = fraction_of(before, shift, scale);
            first_cell = cell == least.cell ? uvec2(begin, end) : first_cell;
            last_cell = cell == greatest.cell ? uvec2(begin, end) : last_cell;
            if (cell < cells && cell != least.cell && cell != greatest.cell && cell != greatest.cell + 1) {
                state[cell_word(cell)] = begin;
            }
            begin = end;
        }
    }
    bool alone = least.cell == greatest.cell;
    if (first_cell.y != 0) {
        first_cell = filled_cell(first_cell.x, first_cell.y, least.rest, alone ? greatest.rest : 0xFFFFFFFFu);
        state[cell_word(least.cell)] = first_cell.x;
        last_cell = alone ? first_cell : last_cell;
    }
    if (last_cell.y != 0) {
        last_cell = alone ? last_cell : filled_cell(last_cell.x, last_cell.y, 0, greatest.rest);
        state[cell_word(greatest.cell)] = last_cell.x;
        state[cell_word(greatest.cell + 1)] = last_cell.y;
    }
    if (thread_index == 0 && greatest.cell + 1 != cells) {
        state[cell_word(cells)] = 0xFFFFFFFFu;
    }
}

void main() {
    if (!is_own_count()) {
        return;
    }
    uint count = control.count;
    uint groups = min(gl_NumWorkGroups.x * gl_NumWorkGroups.y, divide_up(count, TILE_SIZE));
    uint cells = control.cells;
    numbering = control_numbering();
    if (control.buckets == 0 || group_index >= groups) {
        return;
    }
    for (uint i = thread_index; i < kRangeBins; i += WORKGROUP_SIZE) {
        s_range_bins[i] = state[bin_word(i)];
    }
    for (uint i = thread_index; i < cells; i += WORKGROUP_SIZE) {
        s_counts[i] = 0;
    }
    if (thread_index < kEnds) {
        s_least_numbers[thread_index] = 0xFFFFFFFFu;
        s_greatest_numbers[thread_index] = 0;
    }
    barrier();
    // Each workgroup takes one chunk of keys.
    uint tiles = divide_up(count, TILE_SIZE);
    uint share = divide_up(tiles, groups);
    uint begin = min(group_index * share, tiles) * TILE_SIZE;
    count_keys(begin, group_index * share < tiles ? min(count - begin, share * TILE_SIZE) : 0);
    atomicMin(s_least_numbers[thread_index % kEnds], least_number);
    atomicMax(s_greatest_numbers[thread_index % kEnds], greatest_number);
    barrier();
    if (thread_index > 0 && thread_index < kEnds) {
        atomicMin(s_least_numbers[0], s_least_numbers[thread_index]);
        atomicMax(s_greatest_numbers[0], s_greatest_numbers[thread_index]);
    }
    barrier();
    if (thread_index == WORKGROUP_SIZE - 1) {
        atomicMin(control.leastNumber, s_least_numbers[0]);
        atomicMax(control.greatestNumber, s_greatest_numbers[0]);
    }
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
