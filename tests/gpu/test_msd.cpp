// SPDX-License-Identifier: MIT
//
// msd where its levels have something to decide: digits that all keys share or most of them, equal keys beyond a tile,
// counts at which there is one level more, more tiles than workgroups that count.
#include <algorithm>

#include "msd_cases.h"

namespace vksort::test {
namespace {

class Msd : public DeviceTest {};

constexpr uint64_t kPartitionTile = uint64_t{kTiles.partitionWorkgroupSize} * kTiles.partitionKeysPerThread;

// How the keys' digits differ at a level.
enum class Digit { same, two, heavy, uniform };
constexpr Digit kDigits[] = {Digit::same, Digit::two, Digit::heavy, Digit::uniform};

uint64_t some_digit(Digit kind, Random& random) {
    switch (kind) {
    case Digit::same: return 0x5A;
    case Digit::two: return random.below(2) == 0 ? 0x00 : 0xFF;
    case Digit::heavy: return random.below(100) == 0 ? random.below(256) : 0xC3;
    default: return random.below(256);
    }
}

// The first level first; s, 2, h and u in the name are the kinds in turn.
SortCase by_digits(const SortCase& sort, uint64_t count, const std::vector<Digit>& levels, Random& random) {
    std::string name = "levels ";
    for (Digit level : levels) {
        name += "s2hu"[static_cast<int>(level)];
    }
    return with_keys(sort, name, made_keys(count, [&](uint64_t) {
                         uint64_t key = 0;
                         for (Digit level : levels) {
                             key = key << 8 | some_digit(level, random);
                         }
                         return key;
                     }));
}

// A level whose digit is the same moves nothing, a heavy digit leaves nearly everything to the next level. Four levels in
// every combination, eight at random.
TEST_F(Msd, EveryKindOfDigitAtEveryLevel) {
    Random random(test_seed());
    const uint64_t count = 9 * tile_of(msd()) + 77;
    Batch batch;
    for (uint32_t combination = 0; combination < 256; ++combination) {
        const uint32_t kinds[] = {combination / 64, combination / 16 % 4, combination / 4 % 4, combination % 4};
        SortCase sort = msd(combination % 3 == 0 ? VKSORT_KEY_F32 : VKSORT_KEY_U32);
        sort.descending = combination % 5 == 0;
        sort.result = kResults[combination % 3];
        for (uint32_t value_size : {0u, 4u}) {
            // By default one of them, so that every pair of neighbouring levels meets both.
            if (is_full_level() || ((kinds[0] + kinds[1] + kinds[2] + kinds[3]) % 2 == 0) == (value_size == 0)) {
                sort.value_size = value_size;
                batch.add(by_digits(sort, count,
                                    {kDigits[kinds[0]], kDigits[kinds[1]], kDigits[kinds[2]], kDigits[kinds[3]]}, random));
            }
        }
    }
    for (uint32_t round = 0; round < (is_full_level() ? 200u : 30u); ++round) {
        std::vector<Digit> levels(8);
        for (Digit& level : levels) {
            level = kDigits[random.below(std::size(kDigits) - 1)]; // after an even one few levels are left
        }
        levels[random.below(8)] = Digit::uniform;
        SortCase sort = msd(round % 2 == 0 ? VKSORT_KEY_U64 : VKSORT_KEY_F64, round % 3 == 0 ? 4 : 0);
        sort.descending = round % 5 == 0;
        sort.result = kResults[round % 3];
        batch.add(by_digits(sort, count, levels, random));
    }
    batch.run();
}

// One digit apart from all others: the levels before it stay, at the last one equal keys are left, in either slot.
TEST_F(Msd, KeysThatDifferInOneDigit) {
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U8, VKSORT_KEY_U16, VKSORT_KEY_I32, VKSORT_KEY_U64}) {
        for (uint32_t digit = 0; digit < reference::key_size(key); ++digit) {
            for (uint64_t values : {2u, 7u, 256u}) {
                SortCase sort = msd(key, values == 7 ? 4 : 0);
                sort.result = kResults[digit % 3];
                const uint64_t count = 6 * tile_of(sort) + 100;
                const std::string name = std::to_string(values) + " values of digit " + std::to_string(digit);
                batch.add(with_keys(sort, name, made_keys(count, [&](uint64_t) {
                                        return random.below(values) * (256 / values) << (8 * digit);
                                    })));
            }
        }
    }
    batch.run();
}

// Of lengths about the tile of the finish, beside a few keys that are in no run.
TEST_F(Msd, RunsOfEqualKeys) {
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
        const uint64_t tile = tile_of(msd(key));
        for (uint32_t digit : {0u, 1u, reference::key_size(key) - 1}) { // in which the runs differ
            for (uint32_t order = 0; order < 3; ++order) {
                for (bool alone : {false, true}) {
                    Keys keys;
                    const uint64_t base = alone ? 0 : random.next() & reference::low_bits(reference::key_bits(key));
                    uint64_t run = 0;
                    for (uint64_t length : {tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1, kPartitionTile, uint64_t{1}}) {
                        keys.insert(keys.end(), length,
                                    (base & ~(uint64_t{0xFF} << (8 * digit))) | ++run * 9 << (8 * digit));
                    }
                    for (int i = 0; i < 50 && !alone; ++i) {
                        keys.push_back(random.next() & reference::low_bits(reference::key_bits(key)));
                    }
                    std::sort(keys.begin(), keys.end());
                    if (order == 1) {
                        std::reverse(keys.begin(), keys.end());
                    } else if (order == 2) {
                        shuffle(keys, random);
                    }
                    SortCase sort = msd(key, order == 1 ? 4 : 0);
                    sort.result = kResults[(digit + order) % 3];
                    batch.add(with_keys(sort, "runs that differ in digit " + std::to_string(digit), keys));
                    sort.value_size = 4 - sort.value_size;
                    batch.add(with_keys(sort, "runs that differ in digit " + std::to_string(digit), keys));
                }
            }
        }
    }
    batch.run();
}

// One job, then one level; one tile of the partition, then two; at 256 tiles of the finish uniform keys begin to need a
// second level.
TEST_F(Msd, CountsAboutTiles) {
    const uint64_t tile = tile_of(msd());
    Batch batch;
    for (uint64_t edge : {tile, kPartitionTile, 3 * kPartitionTile, 256 * tile}) {
        for (uint64_t count = edge - 2; count <= edge + 2; ++count) {
            if (count != edge && edge > 10 * tile && !is_full_level()) {
                continue;
            }
            for (Distribution distribution : {Distribution::uniform, Distribution::sorted, Distribution::reversed,
                                              Distribution::special, Distribution::zipf}) {
                SortCase sort = msd(distribution == Distribution::special ? VKSORT_KEY_F32 : VKSORT_KEY_U32);
                sort.distribution = distribution;
                sort.value_size = count % 2 == 0 || edge > 10 * tile ? 0 : 4;
                sort.count = count;
                batch.add(sort);
            }
        }
    }
    batch.run();
}

// The GPU may find that there is less to do than was planned: no key, one job, fewer levels.
TEST_F(Msd, CountsFromTheGpu) {
    const uint64_t tile = tile_of(msd());
    const uint64_t most = 20 * tile + 3;
    Batch batch;
    for (uint64_t count :
         {uint64_t{0}, uint64_t{1}, uint64_t{2}, tile - 1, tile, tile + 1, 3 * tile, most - 1, most, most + 1}) {
        for (SortCase sort : {msd(), msd(VKSORT_KEY_F64), msd(VKSORT_KEY_I32, wide_value(8)), msd(VKSORT_KEY_U16, 4)}) {
            sort.distribution = count % 2 == 0 ? Distribution::zipf : Distribution::uniform;
            sort.descending = count % 3 == 0;
            sort.result = kResults[count % 3];
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most));
        }
    }
    batch.run();
}

// A workgroup counts several tiles, of several ranges, where there are more of them than workgroups.
TEST_F(Msd, MoreTilesThanWorkgroupsThatCount) {
    Random random(test_seed());
    SortCase sort = msd();
    sort.overrides.partitionKeysPerThread = 1;
    const uint64_t tile = tile_of(sort);
    const uint64_t partition_tile = sort.overrides.partitionWorkgroupSize;
    MergePush push;
    std::memcpy(&push, planned(sort).push[0].bytes, sizeof push);
    ASSERT_EQ(push.partitionTile, partition_tile);
    // Ranges of somewhat more than two tiles each, on the second level.
    const uint64_t ranges = push.countGroups * partition_tile / (2 * tile) + 40;
    ASSERT_LT(ranges, 256u);
    const uint64_t count = ranges * (2 * tile + 100);
    ASSERT_GT(count, push.countGroups * partition_tile * 5 / 4);
    Batch batch;
    Keys keys = made_keys(count, [&](uint64_t i) { return i % ranges << 24 | (random.next() & 0xFFFFFF); });
    batch.add(with_keys(sort, std::to_string(ranges) + " ranges", keys));
    shuffle(keys, random);
    batch.add(with_keys(sort, std::to_string(ranges) + " ranges", std::move(keys)));
    // The first of a workgroup's tiles has the only key that differs, its next one none.
    batch.add(
        with_keys(sort, "one key differs", made_keys(count, [](uint64_t i) { return i == 7 ? 0x5A5A5A5B : 0x5A5A5A5A; })));
    batch.run();
}

// With values a long range, of few, is scanned by several workgroups, which know by chunks of tiles what is before theirs:
// the first level's, and those that a single range leaves to a later level, among them short ones. Those of several ranges
// are not.
TEST_F(Msd, RangesThatSeveralWorkgroupsScan) {
    Random random(test_seed());
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        const uint32_t below = reference::key_bits(key) - 16;
        SortCase sort = msd(key, 4);
        sort.overrides.partitionKeysPerThread = 1;
        const uint64_t tile = sort.overrides.partitionWorkgroupSize;
        const auto add = [&](const char* name, uint64_t tiles, auto first_digits) { // the first two, of 16 bits
            sort.count = tiles * tile - 5;
            batch.add(with_keys(sort, name, made_keys(sort.count, [&](uint64_t i) {
                                    return first_digits(i) << below | (random.next() & reference::low_bits(below));
                                })));
        };
        const auto any = [&] { return random.below(256); };
        for (uint64_t tiles : {uint64_t{128}, uint64_t{129}, uint64_t{7 * kChunkTiles}, uint64_t{9 * kChunkTiles + 1}}) {
            add("even digits", tiles, [&](uint64_t) { return any() << 8 | any(); });
        }
        if (key == VKSORT_KEY_U32) { // more than the shortest chunks have
            add("even digits", kMostChunks * kChunkTiles + 3 * kChunkTiles + 1,
                [&](uint64_t) { return any() << 8 | any(); });
        }
        add("one digit", 300, [&](uint64_t) { return 0x3F00 | any(); });
        add("one digit in nearly all", 400, [&](uint64_t) { return (random.below(1000) == 0 ? any() : 0x3F) << 8 | any(); });
        add("two such digits", 500, [&](uint64_t) {
            return (random.below(1000) == 0 ? any() : 0x3F) << 8 | (random.below(1000) == 0 ? any() : 0x80);
        });
        add("octaves", 1000, [&](uint64_t) {
            return uint64_t{0x3F00} - (random.next() >> 52 == 0 ? 0x300 : 0x100 * (random.below(8) / 4)) + any();
        });
        add("long ranges of several", 1000, [&](uint64_t) { return random.below(3) << 8 | random.below(2); });
        for (uint64_t ranges : {64u, 65u, 256u}) { // one of them is long
            add("many ranges", 800, [&](uint64_t i) { return (i % 4 == 0 ? i / 4 % ranges : 7) << 8 | any(); });
        }
    }
    batch.run();
}

// What is too skewed for bins is counted, and only that. Pairs of values that differ in their lowest bit only. Each value
// occurs more often than a bin may hold, and so often a pair that it has half of a tile.
uint64_t few_pairs(uint64_t tile) { return 20 * tile / (tile / 2); }

SortCase with_few_values(const SortCase& sort) {
    const uint64_t tile = tile_of(sort);
    const uint32_t above = reference::key_bits(sort.key) - 32;
    return with_keys(sort, "few values", made_keys(20 * tile + 11, [&](uint64_t i) {
                         const uint64_t pair = mix(i % few_pairs(tile)) >> 33 << 1;
                         return (pair | (i / few_pairs(tile) % 2)) << above;
                     }));
}

TEST_F(Msd, SkewedKeysAreLeftOver) {
    const uint64_t tile = tile_of(msd());
    for (uint32_t value_size : {0u, 4u}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
            Random random(test_seed());
            const auto fallbacks = [&](const char* name, const std::function<uint64_t(uint64_t)>& key_at) {
                Batch batch;
                batch.add(with_keys(msd(key, value_size), name, made_keys(20 * tile + 11, key_at)));
                batch.run();
                return batch.outcomes().empty() ? 0 : batch.outcomes()[0].statistics.fallbacks;
            };
            const uint32_t above = reference::key_bits(key) - 32;
            EXPECT_EQ(fallbacks("even", [&](uint64_t) { return (random.next() >> 32) << above; }), 0u);
            EXPECT_EQ(fallbacks("all equal", [&](uint64_t) { return uint64_t{0x12345678} << above; }), 0u);
            EXPECT_EQ(fallbacks("two values", [&](uint64_t i) { return (i % 2) << above; }), 0u) << "beyond a tile";
            Batch few;
            few.add(with_few_values(msd(key, value_size)));
            few.run();
            ASSERT_EQ(few.outcomes().size(), 1u);
            EXPECT_GE(few.outcomes()[0].statistics.fallbacks, few_pairs(tile) / 2);
        }
    }
}

// Counting and ranking by ballots where a subgroup's lanes have the same digit, and staging in two rounds.
TEST_F(Msd, InTwoRounds) {
    RETURN_IF_REFUSED(msd());
    Random random(test_seed());
    SortCase sort = msd();
    sort.overrides.partitionKeysPerThread = 4;
    sort.overrides.stageRounds = 2;
    Batch batch;
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        if (key == VKSORT_KEY_U64 && !is_full_level()) {
            continue; // other kernels, of the same code
        }
        sort.key = key;
        const uint64_t tile = tile_of(sort);
        for (Distribution distribution : kAllDistributions) {
            sort.distribution = distribution;
            sort.count = 7 * tile + 5;
            batch.add(sort);
            sort.count = tile - 3;
            batch.add(sort);
        }
        for (Digit kind : kDigits) {
            std::vector<Digit> levels(reference::key_size(key), Digit::heavy);
            levels[0] = kind;
            batch.add(by_digits(sort, 7 * tile + 5, levels, random));
        }
    }
    batch.run();
    // What is left over is sorted by digits.
    sort.key = VKSORT_KEY_F32;
    for (uint32_t value_size : {0u, 4u}) {
        sort.value_size = value_size;
        Batch few;
        few.add(with_few_values(sort));
        few.run();
        ASSERT_EQ(few.outcomes().size(), 1u);
        EXPECT_GE(few.outcomes()[0].statistics.fallbacks, few_pairs(tile_of(sort)) / 2);
    }
}

// Values, and keys whose last bits the finish puts into a word with their places: where these suffice, where one bit is
// missing, where keys are equal, and where all are left over. Keys are of 4 bytes, or of 8 whose highest digits are at
// `shift`.
void sort_indexed_keys(VksortKeyType integers, VksortKeyType floats, uint32_t shift) {
    Random random(test_seed());
    SortCase sort = msd(integers, 4);
    sort.overrides.partitionKeysPerThread = 4;
    sort.overrides.indexed = true;
    const uint64_t tile = tile_of(sort);
    ASSERT_EQ(tile, 512u) << "places have 9 bits, so that 23 are left, or 55";
    // Ranges of somewhat more than a tile by the first digit. The next one has so few values that jobs have up to `values`
    // of them: 23 bits are enough for 128, where 16 are behind it, and 55 where 48 are. Each value occurs as often as the
    // others, since the number of keys before a digit decides where jobs end: of 220 values the first job of a range has
    // about 150, whatever the seed.
    const auto fallbacks = [&](const char* name, uint64_t values, uint32_t bits, VksortKeyType key) {
        sort.key = key;
        Batch batch;
        Keys keys = made_keys(9 * (tile + 150), [&](uint64_t i) {
            const uint64_t second = 20 + i / 9 % values;
            const uint64_t rest = random.next() & reference::low_bits(bits);
            const uint64_t high = (0x30 + i % 9) << 24 | second << 16 | rest;
            return high << shift | (random.next() & reference::low_bits(shift));
        });
        shuffle(keys, random);
        batch.add(with_keys(sort, name, std::move(keys)));
        batch.run();
        return batch.outcomes().empty() ? 0 : batch.outcomes()[0].statistics.fallbacks;
    };
    const bool to_the_last_bit = shift + 32 == reference::key_bits(integers);
    EXPECT_EQ(fallbacks("128 digits a job", 128, 16, integers), 0u);
    EXPECT_GE(fallbacks("more than 128 digits a job", 220, 16, integers), to_the_last_bit ? 9u : 0u);
    EXPECT_EQ(fallbacks("one digit a job", 3, 16, floats), 0u);
    EXPECT_EQ(fallbacks("few bits", 100, 2, integers), 0u);
    sort.value_size = wide_value(12);
    sort.descending = true;
    EXPECT_EQ(fallbacks("wide values", 100, 16, floats), 0u);
    sort.value_size = 0;
    sort.descending = false;
    sort.argsort = true;
    EXPECT_EQ(fallbacks("argsort", 100, 16, integers), 0u);
    sort.argsort = false;
    sort.value_size = 4;
    sort.key = floats;
    Batch batch;
    for (Distribution distribution : kAllDistributions) {
        sort.distribution = distribution;
        sort.result = kResults[static_cast<uint32_t>(distribution) % 3];
        sort.count = 7 * tile + 5;
        batch.add(sort);
        sort.count = tile - 3;
        batch.add(sort);
    }
    batch.run();
}

TEST_F(Msd, KeysPackedWithTheirIndices) {
    RETURN_IF_REFUSED(msd());
    sort_indexed_keys(VKSORT_KEY_U32, VKSORT_KEY_F32, 0);
}

// As users get them: keys in place, and pairs into other buffers by a count from the GPU.
TEST_F(Msd, SpecializedKernels) {
    use_specialized_kernels();
    Batch batch;
    SortCase sort = msd();
    sort.count = 9 * tile_of(sort) + 77;
    batch.add(sort);
    sort = msd(VKSORT_KEY_F64, 4);
    sort.descending = true;
    sort.result = VKSORT_RESULT_SEPARATE;
    const uint64_t most = 9 * tile_of(sort) + 77;
    batch.add(with_gpu_count(sort, static_cast<uint32_t>(most - 500), most));
    batch.run();
}

TEST_F(Msd, WideKeysPackedWithTheirIndices) {
    SKIP_BELOW_FULL_LEVEL();
    RETURN_IF_REFUSED(msd());
    for (uint32_t shift : {32u, 16u, 8u, 0u}) {
        sort_indexed_keys(VKSORT_KEY_U64, VKSORT_KEY_F64, shift);
    }
}

} // namespace
} // namespace vksort::test
