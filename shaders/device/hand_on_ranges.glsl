// SPDX-License-Identifier: MIT
//
// Hands on the digit runs of a range, after a level of msd or size_classes, that fit no tile: as ranges of the next level
// or, where they are sorted, as jobs. Needs device/msd.glsl and workgroup/scan.glsl.

const uint kSorted = 0xFFu; // instead of the digit position to go on with

shared uint s_total;
shared uint s_first_job;
shared uvec2 s_long[kRadix]; // digit runs that do not fit a tile: where they begin in the range, and their elements
shared uint s_long_units[kRadix]; // tiles or jobs before each entry of s_long
shared uint s_longest;            // tiles of the longest entry
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

// Makes the first `length` elements of a range the only entry of s_long. Ends with a barrier.
void note_whole(uint length) {
    if (thread_index == 0) {
        s_long[0] = uvec2(0, length);
    }
    barrier();
}

// Makes the first `count` of s_long, which are longer than a tile, ranges of the next level, which goes on with digit
// position `position`. Elements that are sorted are moved to slot 1 if they are not there. So are those for which no level
// follows: onesweep may sort these, unless all of their keys turn out to be equal.
void hand_on_long(uint begin, uint count, uint position, uint flags) {
    uint level = pc.pass + 1;
    bool is_sorted = position == kSorted;
    bool is_last = is_sorted || level == pc.levels;
    if (count == 0 || (is_sorted && slot_of(flags) == 1)) {
        return;
    }
    uint unit = is_last ? pc.tileSize : pc.partitionTile;
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
        if (is_last) {
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
        if (is_last) {
            store_job(s_first_job + u, begin + s_long[i].x + skipped,
                      min(s_long[i].y - skipped, unit) | kJobSorted | (is_sorted ? 0 : kJobEqual) | (flags & (kInSlot2 |
                          kInInput)),
                      begin + s_long[i].x);
        } else {
            state[tile_table_word(level, s_first_tile + u)] = s_first_range + i;
        }
    }
    if (!is_last) {
        for (uint i = thread_index; i < count; i += WORKGROUP_SIZE) {
            store_range(level, s_first_range + i, begin + s_long[i].x, s_long[i].y, s_first_tile + s_long_units[i], flags,
                position);
        }
        // Only a workgroup that hands on all of a level's ranges knows how many they are.
        uint groups = has_flag(kFlagOneSegment) && control.ranges[pc.pass] == 1 ? range_groups(count, s_longest, total) : 1;
        if (groups > 1) {
            if (thread_index == 0) {
                control.rangeGroups[level] = groups;
                RAISE_DISPATCH(args.ranges[level], count * groups)
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

// msd's first level, partitioned without a count: each digit that occurs is a range, however short, since it is not where it
// belongs.
void hand_on_coarse_buckets() {
    uint counts[DIGITS_PER_THREAD];
    uint first_digit = thread_index * DIGITS_PER_THREAD;
    bool counting = thread_index < DIGIT_THREADS;
    uint coarse_bucket = control.coarseBucket;
    uint length = 0;
    uint present = 0;
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        uint digit = first_digit + j;
        counts[j] = counting ? state[coarse_bucket_word(digit)] - digit * coarse_bucket : 0;
        length += counts[j];
        present += counts[j] != 0 ? 1 : 0;
    }
    uint start = scan(length);
    uint range = scan(present);
    [[unroll]] for (uint j = 0; j < DIGITS_PER_THREAD; ++j) {
        if (counts[j] != 0) {
            s_long[range] = uvec2((first_digit + j) * coarse_bucket, counts[j]);
            state[coarse_bucket_word(range)] = start;
            start += counts[j];
            ++range;
        }
    }
    uint ranges = s_total;
    barrier();
    hand_on_long(0, ranges, 1, kInSlot2 | kRangeCoarseBucket);
}
