#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// size_classes and msd, second step of a level, one workgroup a range: turns the counts into where the keys go, and hands
// on what the level makes of the range: neighbouring digits that fit a tile together are jobs of the finish, longer ones that fit its tile of the
// large finish, if there is one, and those that are still too long are the next level's ranges.
//
// A range of many tiles would take one workgroup too long. Where range_parts() says so, it has one for each chunk of its tiles, which writes where the
// chunk's keys go, by what the chunks before have, which the count has added up; the first one does the rest.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"
#include "workgroup/scan.glsl"

// Each digit has SHARES invocations, which divide the rows of counts.
const uint SHARES = WORKGROUP_SIZE / DIGIT_THREADS;
const uint kRowsAtOnce = 8; // asked for together

shared uint s_sums[SHARES * kRadix];
shared uint s_whole[kRadix];  // of the range, where several workgroups have it,
shared uint s_before[kRadix]; // and of the chunks before this one's
shared uint s_starts[kRadix + 1];
shared uint s_present[kRadix]; // digits that occur
shared uint s_breaks[kRadix];  // those of them, by their place in s_present, that a run of digits begins with
shared uint s_total;
shared uint s_first_job;
shared uint s_first_large_job;
shared uvec2 s_long[kRadix]; // digits, or runs of them, that do not fit a tile: where they begin in the range, elements
shared uint s_long_units[kRadix]; // tiles or jobs before each
shared uint s_longest;            // of them
shared uint s_first_range;
shared uint s_first_tile;

// Exclusive prefix sum that also leaves the sum in s_total. Ends with a barrier.
uint scan(uint value) {
    barrier();
    uint before = wg_exclusive_add(value);
    if (thread_index == WORKGROUP_SIZE - 1) {
        s_total = before + value;
    }
    barrier();
    return before;
}

uint digit_count(uint digit) {
    return s_starts[digit + 1] - s_starts[digit];
}

bool fits_tile(uint digit) {
    return digit_count(digit) <= pc.tileSize;
}

bool is_long(uint digit) {
    return digit_count(digit) > max(pc.tileSize, LARGE_TILE);
}

// Digits that begin within so many elements of a range make a run: as many even ones as fit a tile with three standard deviations.
uint run_length(uint length) {
    float root = sqrt(float(pc.tileSize) + 2.25) - 1.5;
    uint mean = max(length / kRadix, 1);
    return min(max(uint(root * root) / mean, 1) * mean, pc.tileSize);
}

// Even digits begin near the middles of what the runs are told by, so that chance moves few of them to another run.
uint run_of(uint digit, uint length) {
    return (s_starts[digit] + length / (2 * kRadix)) / run_length(length);
}

// What is longer than a tile, the first `count` of s_long: ranges of a later level. After the last one they are sorted, and moved
// to slot 1 if they are not there.
void hand_on_long(uint begin, uint count, uint level, uint flags) {
    bool last_level = level == pc.levels;
    if (count == 0 || (last_level && slot_of(flags) == 1)) {
        return;
    }
    uint unit = last_level ? pc.tileSize : pc.partitionTile;
    if (thread_index == 0) {
        s_longest = 0;
    }
    barrier();
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint i = thread_index * DIGITS_PER_THREAD + j;
        own += thread_index < DIGIT_THREADS && i < count ? divide_up(s_long[i].y, unit) : 0;
    }
    uint next = scan(own);
    uint total = s_total;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint i = thread_index * DIGITS_PER_THREAD + j;
        if (thread_index < DIGIT_THREADS && i < count) {
            s_long_units[i] = next;
            uint units = divide_up(s_long[i].y, unit);
            next += units;
            atomicMax(s_longest, units);
        }
    }
    if (thread_index == 0) {
        if (last_level) {
            s_first_job = reserve_jobs(total);
        } else {
            s_first_range = reserve_ranges(level, count, total, s_first_tile);
        }
    }
    barrier();
    for (uint u = thread_index; u < total; u += WORKGROUP_SIZE) {
        uint i = 0;
        [[unroll]] for (uint step = kRadix / 2; step > 0; step /= 2) { // the last one that begins at u or before
            i += i + step < count && s_long_units[i + step] <= u ? step : 0;
        }
        uint skipped = (u - s_long_units[i]) * unit;
        if (last_level) {
            store_job(s_first_job + u, begin + s_long[i].x + skipped,
                      min(s_long[i].y - skipped, unit) | kJobSorted | (flags & (kInSlot2 | kInInput)), 0);
        } else {
            state[tile_table_word(level, s_first_tile + u)] = s_first_range + i;
        }
    }
    if (!last_level) {
        for (uint i = thread_index; i < count; i += WORKGROUP_SIZE) {
            store_range(level, s_first_range + i, begin + s_long[i].x, s_long[i].y, s_first_tile + s_long_units[i], flags);
        }
        // Only who hands on all of a level's ranges knows how many they are.
        uint parts = has_flag(kFlagOneSegment) && control.ranges[pc.pass] == 1 ? range_parts(count, s_longest, total) : 1;
        if (parts > 1) {
            if (thread_index == 0) {
                control.rangeParts[level] = parts;
                RAISE_DISPATCH(args.ranges[level], count * parts)
            }
            uint words = chunks_before(count, total, chunk_tiles(total)) * kRadix;
            for (uint i = thread_index; i < words; i += WORKGROUP_SIZE) {
                state[chunk_word(level, 0) + i] = 0;
            }
        }
        bool cleared = has_flag(kFlagOneSegment) && level == 1; // by the count
        for (uint i = thread_index; i < count * kRadix && has_flag(kFlagCursors) && !cleared; i += WORKGROUP_SIZE) {
            state[cursors_word(level, s_first_range) + i] = 0;
        }
    }
}

// msd's first level, partitioned without a count: each digit that occurs is a range, however short, since it is not where it belongs.
void hand_on_rooms() {
    uint counts[DIGITS_PER_THREAD];
    uint first_digit = thread_index * DIGITS_PER_THREAD;
    bool counting = thread_index < DIGIT_THREADS;
    uint room = control.room;
    uint length = 0;
    uint present = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = first_digit + j;
        counts[j] = counting ? state[room_word(digit)] - digit * room : 0;
        length += counts[j];
        present += counts[j] != 0 ? 1 : 0;
    }
    uint start = scan(length);
    uint range = scan(present);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (counts[j] != 0) {
            s_long[range] = uvec2((first_digit + j) * room, counts[j]);
            state[room_word(range)] = start;
            start += counts[j];
            ++range;
        }
    }
    uint ranges = s_total;
    barrier();
    hand_on_long(0, ranges, 1, kInSlot2 | kRangeRoom);
}

// To s_whole what all of a range's chunks have, the first of which is the level's `level_chunk`, and to s_before what those before this workgroup's have.
void add_chunks(uint level_chunk, uint chunks, uint own_chunk, uint share) {
    uint share_chunks = divide_up(chunks, SHARES);
    uint begin = min(share * share_chunks, chunks);
    uint end = min(begin + share_chunks, chunks);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = thread_index % DIGIT_THREADS * DIGITS_PER_THREAD + j;
        uint whole = 0;
        uint before = 0;
        for (uint chunk = begin; chunk < end; chunk += kRowsAtOnce) {
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                uint count = state[chunk_word(pc.pass, level_chunk + min(chunk + k, end - 1)) + digit];
                whole += chunk + k < end ? count : 0;
                before += chunk + k < min(end, own_chunk) ? count : 0;
            }
        }
        atomicAdd(s_whole[digit], whole);
        atomicAdd(s_before[digit], before);
    }
}

void main() {
    uint parts = control.rangeParts[pc.pass];
    uint range = group_index / parts;
    uint part = group_index % parts;
    if (range >= control.ranges[pc.pass]) {
        return;
    }
    if (has_flag(kFlagOneSegment) && pc.pass == 0 && control.disorder == 0) { // in order
        if (thread_index == 0) {
            s_long[0] = uvec2(0, control.count);
        }
        barrier();
        hand_on_long(0, part == 0 ? 1 : 0, pc.levels, input_flags());
        return;
    }
    if (has_flag(kFlagOneSegment) && pc.pass == 0 && fits_rooms()) {
        hand_on_rooms();
        return;
    }
    uint at = range_word(pc.pass, range);
    uint differing = state[at + 4];
    if (part > 0 && (differing & (1u << pc.pass)) == 0) {
        return; // the first part may write the flags
    }
    uint begin = state[at];
    uint length = state[at + 1];
    uint first_tile = state[at + 2];
    uint flags = state[at + 3];
    uint tiles = divide_up(length, pc.partitionTile);
    uint each = parts > 1 ? chunk_tiles(control.rangeTiles[pc.pass]) : tiles;
    uint chunks = divide_up(tiles, each);
    if (part >= chunks) {
        return;
    }
    // Rows of counts, of a tile each, to look through.
    uint rows = has_flag(kFlagCursors) ? 0 : min(tiles - part * each, each);
    uint first_row = counts_word(first_tile + part * each);
    uint slot = flags & (kInSlot2 | kInInput);
    bool in_room = (flags & kRangeRoom) != 0;
    if (in_room) {
        begin = state[room_word(range)];
    } else if ((differing & (1u << pc.pass)) == 0) {
        if (thread_index == 0) {
            s_long[0] = uvec2(0, length);
        }
        barrier();
        if (thread_index == 0) { // all have read the flags
            state[at + 3] = flags | kRangeStays;
        }
        uint next_level = differing == 0 ? pc.levels : pc.pass + 1;
        if (has_flag(kFlagOneSegment) && pc.pass == 0) {
            // Nothing is partitioned, so that the range may take its own place in the state at any later level.
            next_level = differing == 0 ? pc.levels : findLSB(differing);
        }
        hand_on_long(begin, 1, next_level, slot);
        return;
    }
    if (thread_index == 0) {
        RAISE_DISPATCH(args.rangePartitions[pc.pass], first_tile + tiles)
    }

    // Sums of each share of the rows, then where each digit begins.
    uint share = thread_index / DIGIT_THREADS;
    for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
        s_whole[i] = 0;
        s_before[i] = 0;
    }
    barrier();
    uint share_rows = divide_up(rows, SHARES);
    uint share_begin = min(share * share_rows, rows);
    uint share_end = min((share + 1) * share_rows, rows);
    uint first_digit = thread_index % DIGIT_THREADS * DIGITS_PER_THREAD;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint sum = 0;
        if (has_flag(kFlagCursors)) {
            sum = share == 0 ? state[cursors_word(pc.pass, range) + first_digit + j] : 0;
        }
        for (uint row = share_begin; row < share_end; row += kRowsAtOnce) {
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                uint count = state[first_row + min(row + k, share_end - 1) * kRadix + first_digit + j];
                sum += row + k < share_end ? count : 0;
            }
        }
        s_sums[share * kRadix + first_digit + j] = sum;
    }
    if (parts > 1) {
        add_chunks(chunks_before(range, first_tile, each), chunks, part, share);
    }
    if (thread_index == 0) {
        s_starts[kRadix] = length;
    }
    barrier();
    uint counts[DIGITS_PER_THREAD];
    uint own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        counts[j] = parts > 1 && share == 0 ? s_whole[first_digit + j] : 0;
        for (uint k = 0; k < SHARES && share == 0 && parts == 1; ++k) {
            counts[j] += s_sums[k * kRadix + first_digit + j];
        }
        own += counts[j];
    }
    uint start = scan(own);
    if (share == 0) {
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            s_starts[first_digit + j] = start;
            start += counts[j];
        }
    }
    barrier();

    // Where each row's keys go.
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint next = begin + s_starts[first_digit + j] + s_before[first_digit + j];
        if (has_flag(kFlagCursors) && share == 0) {
            state[cursors_word(pc.pass, range) + first_digit + j] = next;
        }
        for (uint k = 0; k < share; ++k) {
            next += s_sums[k * kRadix + first_digit + j];
        }
        for (uint row = share_begin; row < share_end; row += kRowsAtOnce) {
            uint loaded[kRowsAtOnce + kOwnArrayType];
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                loaded[k] = state[first_row + min(row + k, share_end - 1) * kRadix + first_digit + j];
            }
            [[unroll]] for (uint k = 0; k < kRowsAtOnce; ++k) {
                if (row + k < share_end) {
                    state[first_row + (row + k) * kRadix + first_digit + j] = next;
                    next += loaded[k];
                }
            }
        }
    }

    if (part > 0) {
        return;
    }
    uint end_slot = kInSlot2 - (slot & kInSlot2);
    if (differing >> (pc.pass + 1) == 0) { // sorted, as soon as it is partitioned
        if (thread_index == 0) {
            s_long[0] = uvec2(0, length);
        }
        barrier();
        hand_on_long(begin, 1, pc.levels, end_slot);
        return;
    }

    // The digits that occur, and the runs of them that are handed on together.
    own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        own += counts[j] != 0 ? 1 : 0;
    }
    uint place = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (counts[j] != 0) {
            s_present[place++] = first_digit + j;
        }
    }
    uint present = s_total;
    barrier();
    // One a digit again, so that the order of places is that of invocations.
    bool breaks[DIGITS_PER_THREAD];
    own = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint i = first_digit + j;
        breaks[j] = false;
        if (share == 0 && i < present) {
            uint digit = s_present[i];
            uint before = i > 0 ? s_present[i - 1] : 0;
            // After a long digit the run is another in any case.
            breaks[j] = i == 0 || !fits_tile(digit) || run_of(digit, length) != run_of(before, length);
        }
        own += breaks[j] ? 1 : 0;
    }
    place = scan(own);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (breaks[j]) {
            s_breaks[place++] = first_digit + j;
        }
    }
    uint runs = s_total;
    barrier();

    uint own_jobs = 0;
    uint own_large = 0;
    uint own_long = 0;
    [[unroll]] for (uint phase = 0; phase < 2; ++phase) { // counted, then written down
        uint job = phase == 0 ? 0 : s_first_job + own_jobs;
        uint large = phase == 0 ? 0 : s_first_large_job + own_large;
        uint long_place = own_long;
        [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
            uint run = first_digit + j;
            if (share == 0 && run < runs) {
                uint end_place = run + 1 < runs ? s_breaks[run + 1] : present;
                uint digit = s_present[s_breaks[run]];
                uint first = s_starts[digit];
                uint end = end_place < present ? s_starts[s_present[end_place]] : length;
                uint job_flags = kJobDigits | end_slot;
                if (is_long(digit)) {
                    if (phase == 1) {
                        s_long[long_place] = uvec2(first, end - first);
                    }
                    ++long_place;
                } else if (!fits_tile(digit)) {
                    if (phase == 1) {
                        store_job(large_job(large), begin + first, (end - first) | job_flags, pc.pass | digit << 8 | digit << 16);
                    }
                    ++large;
                } else {
                    uint last = s_present[end_place - 1];
                    uint middle = end - first <= pc.tileSize ? end : s_starts[last];
                    if (phase == 1) {
                        uint last_before = middle == end ? last : s_present[end_place - 2];
                        store_job(job, begin + first, (middle - first) | job_flags, pc.pass | digit << 8 | last_before << 16);
                        if (middle != end) {
                            store_job(job + 1, begin + middle, (end - middle) | job_flags, pc.pass | last << 8 | last << 16);
                        }
                    }
                    job += middle != end ? 2 : 1;
                }
            }
        }
        if (phase == 0) {
            own_jobs = scan(job);
            if (thread_index == 0 && s_total != 0) {
                s_first_job = reserve_jobs(s_total);
            }
            if (LARGE_TILE != 0) {
                own_large = scan(large);
                if (thread_index == 0 && s_total != 0) {
                    s_first_large_job = reserve_large_jobs(s_total);
                }
            }
            own_long = scan(long_place);
        }
    }
    barrier();
    hand_on_long(begin, s_total, pc.pass + 1, end_slot);
}
