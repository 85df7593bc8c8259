// SPDX-License-Identifier: MIT
//
// What the kernels of msd and size_classes hand on to each other, in state from pc.msdOffset on:
//   blocks      first head of each block, kNoHead where there is none
//   jobs        what one workgroup of the finish sorts, see host/merge.h; from the end on those of the large finish
//   skewed      jobs that the finish left to another sort; from the end on those that the large finish left
//   ranges      of this level and of the next one, see host/merge.h
//   tile table  of this level and of the next one: the range that each tile of the partition belongs to
//   counts      how often each digit occurs in each tile; then, where a tile's keys of each digit go. With kFlagCursors
//               instead, of this level and of the next one, in each range; then, where its next keys of each digit go
//   chunks      msd with values, where a level's ranges are few or one is very long: how often each digit occurs in
//               chunk_tiles() neighbouring tiles of a range; of this level and of the next one
//   coarse buckets       with kFlagCoarseBuckets: where the next keys of each first digit go; then, where each range of the
//   second level is to begin
#include "dispatch.glsl"
#include "../digits.glsl"

layout(constant_id = kSpecLargeTile) const uint LARGE_TILE = 0;

// Lets an indirect dispatch have `groups` workgroups at least. A macro, since memory is not passed to functions.
#define RAISE_DISPATCH(args, groups)                       \
    {                                                      \
        DispatchArgs needed = dispatch_args(groups);       \
        atomicMax(args.x, needed.x);                       \
        atomicMax(args.y, needed.y);                       \
    }

// Where the elements of a job or a range stand that has these flags.
uint slot_of(uint flags) {
    return (flags & kInSlot2) != 0 ? 2 : has_flag(kFlagReadsInput) && (flags & kInInput) != 0 ? 0 : 1;
}

// Of jobs and ranges whose elements have not been moved yet.
uint input_flags() {
    return has_flag(kFlagReadsInput) ? kInInput : 0;
}

// LOAD_FROM_SLOT() from slot 0, too.
#define LOAD_FROM_ANY_SLOT(target, most, slot, position, slot0, slot1, slot2) \
    if (has_flag(kFlagReadsInput) && (slot) == 0) {                           \
        LOAD_FROM(target, most, slot0, position)                              \
    } else                                                                    \
        LOAD_FROM_SLOT(target, most, slot, position, slot1, slot2)

// Keys in ordered form; the last argument may name i.
#define LOAD_KEYS_OF(target, slot, position)                                         \
    LOAD_FROM_ANY_SLOT(target, KEYS_PER_THREAD, slot, position, keys0, keys1, keys2) \
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {                            \
        target[i] = ordered_from_bits(target[i]);                                    \
    }

uint block_word(uint block) {
    return pc.msdOffset + block;
}

uint job_word(uint job) {
    return block_word(pc.maxBlocks) + 3 * job;
}

uint skewed_word(uint i) {
    return job_word(pc.maxJobs) + i;
}

uint large_job(uint i) {
    return pc.maxJobs - 1 - i;
}

// 1 if this kernel's jobs are those of the large finish.
const uint LARGE = LARGE_TILE != 0 ? 1 : 0;

// The number of this kernel's i-th job in the table of jobs.
uint job_number(uint i) {
    return LARGE != 0 ? large_job(i) : i;
}

uint range_word(uint level, uint range) {
    return skewed_word(pc.maxJobs) + kRangeWords * (level % 2 * pc.maxRanges + range);
}

uint tile_table_word(uint level, uint tile) {
    return range_word(0, 2 * pc.maxRanges) + level % 2 * pc.maxTiles + tile;
}

uint counts_word(uint tile) {
    return tile_table_word(0, 2 * pc.maxTiles) + tile * kRadix;
}

// Tiles of a chunk, in a level that has `tiles` tiles.
uint chunk_tiles(uint tiles) {
    return kChunkTiles * divide_up(tiles, kChunkTiles * kMostChunks);
}

// The words of the level's chunk that has `before` chunks in front of it. They are cleared while the level before is
// scanned.
uint chunk_word(uint level, uint before) {
    return counts_word(pc.maxTiles) + (level % 2 * (min(pc.maxTiles / kChunkTiles, kMostChunks) + min(pc.maxRanges,
        kRadix)) + before) * kRadix;
}

// The number of the level's chunks before a range that begins with tile `first_tile`. A range has a chunk of its own for its
// remaining tiles.
uint chunks_before(uint range, uint first_tile, uint each) {
    return first_tile / each + range;
}

// How many workgroups scan each of a level's ranges, whose longest has `longest` tiles and all together `tiles`: one a
// chunk, or one a range where the tiles are few.
uint range_groups(uint ranges, uint longest, uint tiles) {
    const uint kFewTiles = 128;
    const uint kFewRanges = 64;
    bool few = longest <= (ranges <= kFewRanges ? 1 : 4) * kFewTiles;
    return has_flag(kFlagCursors) || few ? 1 : divide_up(longest, chunk_tiles(tiles));
}

uint cursors_word(uint level, uint range) {
    return counts_word(0) + (level % 2 * pc.maxRanges + range) * kRadix;
}

uint coarse_bucket_word(uint i) {
    return cursors_word(0, 2 * pc.maxRanges) + i;
}

uint first_digit_coarse_bucket(uint count) {
    return (count / kRadix + count / (kCoarseSlackDivisor * kRadix) +
        kCoarseSlack) / kCoarseBucketAlignment * kCoarseBucketAlignment;
}

// Whether the first level has been partitioned without a count.
bool fits_coarse_buckets() {
    return has_flag(kFlagCoarseBuckets) && control.coarseBucket != 0 && control.coarseBucketsOverflow == 0;
}

void store_job(uint job, uint begin, uint length_and_flags, uint digits) {
    state[job_word(job)] = begin;
    state[job_word(job) + 1] = length_and_flags;
    state[job_word(job) + 2] = digits;
}

// Room for jobs one after another; the first.
uint reserve_jobs(uint count) {
    uint first = atomicAdd(control.jobs, count);
    RAISE_DISPATCH(args.jobs, first + count)
    return first;
}

uint reserve_large_jobs(uint count) {
    uint first = atomicAdd(control.largeJobs, count);
    RAISE_DISPATCH(args.largeJobs, first + count)
    return first;
}

void store_range(uint level, uint range, uint begin, uint length, uint first_tile, uint flags, uint position) {
    uint at = range_word(level, range);
    state[at] = begin;
    state[at + 1] = length;
    state[at + 2] = first_tile;
    state[at + 3] = flags | position << kRangeDigitShift;
    state[at + 4] = position << kRangeDigitShift;
}

// Reserves ranges one after another, and all their tiles; returns the first range.
uint reserve_ranges(uint level, uint count, uint tiles, out uint first_tile) {
    uint range = atomicAdd(control.ranges[level], count);
    first_tile = atomicAdd(control.rangeTiles[level], tiles);
    RAISE_DISPATCH(args.ranges[level], range + count)
    RAISE_DISPATCH(args.rangeTiles[level], first_tile + tiles)
    RAISE_DISPATCH(args.rangeCounts[level], min(first_tile + tiles, pc.countGroups))
    return range;
}

// A tile of the partition.
struct RangeTile {
    uint range;
    uint begin; // element
    uint count;
    uint flags; // its range's
};

// By the table, whose entry must not come by way of another function: NVIDIA's driver 580.159.04 then makes code that takes
// half as long again to partition.
RangeTile range_tile(uint level, uint tile) {
    uint range = state[tile_table_word(level, tile)];
    uint at = range_word(level, range);
    uint skipped = (tile - state[at + 2]) * pc.partitionTile;
    return RangeTile(range, state[at] + skipped, min(state[at + 1] - skipped, pc.partitionTile), state[at + 3]);
}

// Digit position `number`, the most significant one first.
DigitPosition top_position(uint number) {
    return DigitPosition(32 * KEY_WORDS - kRadixBits * (number + 1), kRadix - 1);
}

// The digit position that a range is partitioned by, from one of its last two words.
uint position_number(uint word) {
    return word >> kRangeDigitShift & 0xFu;
}

// Lets onesweep sort all elements, behind the levels.
void leave_to_onesweep() {
    if (has_flag(kFlagLate)) {
        RAISE_DISPATCH(args.tiles, pc.fallbackGroups)
    } else {
        RAISE_DISPATCH(args.fallback, pc.fallbackGroups)
    }
    atomicMax(control.digitPassesRun, 4 * KEY_WORDS);
}
