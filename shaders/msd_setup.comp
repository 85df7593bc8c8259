#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of msd, one workgroup: reads the count and makes all elements one job of the finish, or one range of the first
// level. By a sample of the keys it sees that they are not in order, which spares the first level's count to find out, and which digit place that level
// is to partition by. By the sample it decides, too, whether they are left to passes of onesweep: where the digits are skewed at every level, ranges stay long and the
// keys of a job uneven; where most keys agree in their upper halves with more than a tile of others, a third level takes longer than all passes;
// and where few digits differ, few passes are needed. And whether the first digits are so even that the first
// level need not count them.
#include "config.glsl"
#include "host/merge.h"
#include "merge_buffers.glsl"
#include "device/size_classes.glsl"
#include "device/sampled_keys.glsl"

const uint kPairBins = 2048;
const uint kSums = 8; // addresses, so that fewer additions meet
const uint kSecond = 0;
const uint kThird = 1;
const uint kBoth = 2;
const uint kFirst = 3;
const uint kUpper = 4;
const uint kWhole = 5;
const uint kKinds = 6;

shared uint s_first[kRadix];  // sampled keys by their first digit,
shared uint s_second[kRadix]; // by their second one,
shared uint s_third[kRadix];  // by their third one,
shared uint s_both[kPairBins]; // and by a hash of both;
#if KEY_WORDS == 1
shared uint s_agreeing[WORD_BINS]; // by a hash of the first and the second, and << 16 by one of all
#endif
shared uint s_pairs[kKinds * kSums]; // pairs of sampled keys that agree
shared Key s_differing[kSums + kOwnArrayType]; // bits in which any differ from the first
shared uint s_way_out;
shared uint s_disorder;
shared uint s_room;
shared uint s_place; // digit place of the first level

// So mixed that what is in order meets as often as anything else.
uint word_bin(uint word) {
    word = (word ^ word >> 16) * 0x85EBCA6Bu;
    word = (word ^ word >> 13) * 0xC2B2AE35u;
    return word / (0xFFFFFFFFu / WORD_BINS + 1);
}

void count_pairs(Key key) {
    uint word = highest_word(key);
    uint first = word >> 24;
    uint second = word >> 16 & (kRadix - 1);
    uint third = word >> 8 & (kRadix - 1);
    uint bank = thread_index % kSums;
    // A key makes a pair with each one that was there before.
    atomicAdd(s_pairs[kFirst * kSums + bank], atomicAdd(s_first[first], 1));
    atomicAdd(s_pairs[kSecond * kSums + bank], atomicAdd(s_second[second], 1));
    atomicAdd(s_pairs[kThird * kSums + bank], atomicAdd(s_third[third], 1));
    atomicAdd(s_pairs[kBoth * kSums + bank], atomicAdd(s_both[(second * 0x9E37u ^ third * 0x85EBu) % kPairBins], 1));
#if KEY_WORDS == 1
    atomicAdd(s_pairs[kUpper * kSums + bank], atomicAdd(s_agreeing[word_bin(word >> 16)], 1) & 0xFFFFu);
    atomicAdd(s_pairs[kWhole * kSums + bank], atomicAdd(s_agreeing[word_bin(word)], 1u << 16) >> 16);
#endif
}

void note_differing(Key bits) {
    uint bank = thread_index % kSums;
#if KEY_WORDS == 1
    atomicOr(s_differing[bank], bits);
#else
    atomicOr(s_differing[bank].x, bits.x);
    atomicOr(s_differing[bank].y, bits.y);
#endif
}

// Of sampled keys.
float pairs() {
    return float(TILE_SIZE) * float(TILE_SIZE - 1) / 2.0;
}

// The share of all pairs that agree.
float agreement(uint kind) {
    uint agree = 0;
    [[unroll]] for (uint i = 0; i < kSums; ++i) {
        agree += s_pairs[kind * kSums + i];
    }
    return float(agree) / pairs();
}

Key differing_bits() {
    Key bits = Key(0);
    [[unroll]] for (uint i = 0; i < kSums; ++i) {
        bits |= s_differing[i];
    }
    return bits;
}

// The first digit place in which sampled keys differ. If others differ in one before it, a level has been in vain, for which there is one to spare
// only where there are fewer than digits, and a way out.
uint first_differing_place() {
    uint word = highest_word(differing_bits());
    uint before = 0;
#if KEY_WORDS == 2
    if (word == 0) {
        word = differing_bits().x;
        before = 4;
    }
#endif
    return word == 0 || pc.levels == 4 * KEY_WORDS ? 0 : before + (31 - findMSB(word)) / kRadixBits;
}

bool few_digits_differ() {
    Key bits = differing_bits();
    uint differ = 0;
    for (uint digit = 0; digit < 4 * KEY_WORDS; ++digit) {
        differ += (key_word(bits, digit / 4) >> (digit % 4 * kRadixBits) & (kRadix - 1)) != 0 ? 1 : 0;
    }
    return 2 * differ <= 4 * KEY_WORDS;
}

// Keys whose digits are skewed and independent of each other. Where the digits of a pair agree together, there are few keys, of
// which each level leaves whole ranges where they are.
bool digits_are_skewed() {
    const float kEven = 1.0 / float(kRadix);
    float second = agreement(kSecond);
    float third = agreement(kThird);
    float both = agreement(kBoth) - 1.0 / float(kPairBins);
    return second > 2.5 * kEven && third > 2.5 * kEven && both < 2.0 * second * third + 0.005;
}

#if KEY_WORDS == 1
// Whether two digits leave keys, on average, among more than a tile of others that agree in them: three levels and the finish take longer than four passes.
// Numbers as floats are like that, since the first digit is most of their exponent. Equal keys need no further level, however many.
bool needs_third_level(uint count) {
    float agree = agreement(kUpper) - agreement(kWhole);
    float least = 6.0 * sqrt(2.0 / (pairs() * float(WORD_BINS))); // six deviations of what different words in the same bin add to either
    return agree > least && agree * float(count) > float(pc.tileSize);
}
#endif

// Chance makes 1024 evenly spread keys agree an eighth more often once in millions. Digits that agree less often and yet do not fit
// their rooms are partitioned in vain. Keys evenly spread over less than the whole range fit, or are told here.
bool first_digits_are_even() {
    return agreement(kFirst) < 1.125 / float(kRadix);
}

// Sets s_disorder and s_way_out, for all invocations to read.
void look_at_sample(uint count) {
#if KEY_WORDS == 1
    for (uint i = thread_index; i < WORD_BINS; i += WORKGROUP_SIZE) {
        s_agreeing[i] = 0;
    }
#endif
    for (uint i = thread_index; i < kPairBins; i += WORKGROUP_SIZE) {
        s_both[i] = 0;
        if (i < kRadix) {
            s_first[i] = 0;
            s_second[i] = 0;
            s_third[i] = 0;
        }
        if (i < kKinds * kSums) {
            s_pairs[i] = 0;
        }
        if (i < kSums) {
            s_differing[i] = Key(0);
        }
    }
    Key sampled[KEYS_PER_THREAD];
    Key next[KEYS_PER_THREAD];
    LOAD_SAMPLED_KEYS(sampled, 0, count)
    LOAD_SAMPLED_KEYS(next, 1, count)
    Key first = load_input_key(0);
    barrier();
    Key differing = Key(0);
    bool in_order = true;
    KEY_LOOP for (uint i = 0; i < KEYS_PER_THREAD; ++i) {
        Key key = ordered_from_bits(sampled[i]);
        count_pairs(key);
        differing |= key ^ first;
        in_order = in_order && !key_before(ordered_from_bits(next[i]), key);
    }
    note_differing(differing);
    if (!in_order) {
        atomicOr(s_disorder, 1);
    }
    barrier();
    if (thread_index == 0 && has_flag(kFlagWayOut)) {
        bool way_out = few_digits_differ() || digits_are_skewed();
#if KEY_WORDS == 1
        way_out = way_out || needs_third_level(count);
#endif
        s_way_out = way_out ? 1 : 0;
        s_place = first_differing_place();
    }
    // What has room needs a second level, however short it is.
    if (thread_index == WORKGROUP_SIZE - 1 && has_flag(kFlagRooms) && s_disorder != 0 && count / kRadix > pc.tileSize &&
        first_digits_are_even()) {
        s_room = first_digit_room(count);
    }
    barrier();
}

// Of each level: ranges and tiles, which only the first one has yet, and the sizes of dispatches that are raised later.
void begin_levels(uint range, uint tiles, uint parts) {
    if (thread_index < kMaxClassLevels) {
        uint level = thread_index;
        control.ranges[level] = level == 0 ? range : 0;
        control.rangeTiles[level] = level == 0 ? tiles : 0;
        control.rangeParts[level] = level == 0 ? parts : 1;
        args.ranges[level] = DispatchArgs(level == 0 ? range * parts : 0, 1, 1);
        args.rangePartitions[level] = DispatchArgs(0, 0, 1);
        args.passes[level] = DispatchArgs(0, 0, 1); // onesweep's scan sets them
        if (level > 0) {
            args.rangeTiles[level] = DispatchArgs(0, 0, 1);
            args.rangeCounts[level] = DispatchArgs(0, 0, 1);
        }
    }
}

// Sizes the dispatches that come before the scan of the first level.
void size_first_level(uint count, uint tiles, uint room, bool way_out) {
    // One an invocation: code that runs once takes as long as it is.
    if (thread_index < 4) {
        uint groups = thread_index == 0   ? tiles
                      : thread_index == 1 ? min(tiles, pc.countGroups)
                      : thread_index == 2 ? (room != 0 ? tiles : 0)
                      : way_out           ? 0
                                          : divide_up(count, pc.copyChunk);
        DispatchArgs size = dispatch_args(groups);
        if (thread_index == 0) {
            args.rangeTiles[0] = size;
        } else if (thread_index == 1) {
            args.rangeCounts[0] = size;
        } else if (thread_index == 2) {
            args.rooms = size;
        } else {
            args.pack = size;
        }
    }
}

// Clears onesweep's control block and counts, if it is one dispatch, which may take place behind the levels.
void clear_way_out() {
    for (uint i = thread_index; i < pc.classesOffset; i += WORKGROUP_SIZE) {
        state[i] = 0;
    }
}

// Clears what the first level adds to: cursors, which begin with their rooms, or chunks of counts.
void clear_first_level(uint range, uint parts, uint room) {
    if (has_flag(kFlagCursors) && range > 0) {
        for (uint i = thread_index; i < kRadix; i += WORKGROUP_SIZE) {
            state[cursors_word(0, 0) + i] = 0;
            if (room != 0) {
                state[room_word(i)] = i * room;
            }
        }
    }
    if (parts > 1) {
        for (uint i = thread_index; i < parts * kRadix; i += WORKGROUP_SIZE) {
            state[chunk_word(0, 0) + i] = 0;
        }
    }
}

// By one invocation: begins the control block, and all else that is sized once.
void begin_sort(uint count, uint job, uint room, bool way_out) {
    control.count = count;
    control.digitPassesRun = way_out ? 4 * KEY_WORDS : 0;
    control.fallbacks = 0;
    control.copied = 0;
    control.jobs = job;
    control.skewed[0] = 0;
    control.sampleInOrder = s_disorder == 0 ? 1 : 0;
    control.disorder = s_disorder;
    control.room = room;
    control.roomsOverflow = 0;
    args.jobs = DispatchArgs(job, job, 1);
    args.skewed[0] = DispatchArgs(0, 0, 1);
    args.wayOut = DispatchArgs(s_way_out * pc.wayOutGroups, 1, 1);
    args.histogram = DispatchArgs(0, 0, 1);
    args.copy = DispatchArgs(0, 0, 1);
}

void main() {
    uint count = has_flag(kFlagCountFromBuffer) ? min(count_buffer[0], pc.count) : pc.count;
    if (thread_index == 0) {
        s_way_out = 0;
        s_disorder = 0;
        s_room = 0;
        s_place = 0;
    }
    barrier();
    bool is_range = count > pc.tileSize;
    if (is_range && count > TILE_SIZE) {
        look_at_sample(count);
    }
    bool way_out = s_way_out != 0;
    uint tiles = is_range && !way_out ? divide_up(count, pc.partitionTile) : 0;
    uint room = tiles > 0 ? s_room : 0;
    uint range = tiles > 0 ? 1 : 0;
    uint job = is_range || count == 0 ? 0 : 1;
    uint parts = range_parts(range, tiles, tiles);
    begin_levels(range, tiles, parts);
    size_first_level(count, tiles, room, way_out);
    clear_way_out();
    clear_first_level(range, parts, room);
    if (thread_index == 0) {
        begin_sort(count, job, room, way_out);
        if (range > 0) {
            store_range(0, 0, 0, count, 0, input_flags(), s_place);
        }
        if (job > 0) {
            store_job(0, 0, count | input_flags(), 0);
        }
    }
}
