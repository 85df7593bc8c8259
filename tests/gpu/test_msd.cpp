// SPDX-License-Identifier: MIT
//
// msd where its levels have something to decide: digits that all keys share or most of them, equal keys beyond a tile, counts
// at which there is one level more, more tiles than workgroups that count.
#include <algorithm>

#include "uneven_keys.h"

namespace vksort::test {
namespace {

class Msd : public DeviceTest {};

// The partition's tiles are shorter than the finish's, so that none stands for the other.
constexpr PlanOverrides kTiles = [] {
    PlanOverrides overrides = kSmallTiles;
    overrides.partitionWorkgroupSize = 128;
    overrides.partitionKeysPerThread = 2;
    overrides.wayOut = PlanOverrides::WayOut::none; // levels to the end, whatever the keys
    return overrides;
}();
constexpr uint64_t kPartitionTile = uint64_t{kTiles.partitionWorkgroupSize} * kTiles.partitionKeysPerThread;

SortCase msd(VksortKeyType key = VKSORT_KEY_U32, uint32_t value_size = 0) {
    return {.algorithm = VKSORT_ALGORITHM_MSD, .key = key, .value_size = value_size, .overrides = kTiles};
}

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

// A level whose digit is the same moves nothing, a heavy digit leaves nearly everything to the next level. Four levels in every
// combination, eight at random.
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
            for (uint64_t values : {2, 7, 256}) {
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

// One job, then one level; one tile of the partition, then two; at 256 tiles of the finish even keys begin to need a second level.
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
        for (SortCase sort : {msd(), msd(VKSORT_KEY_F64), msd(VKSORT_KEY_I32, 8), msd(VKSORT_KEY_U16, 4)}) {
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
    {
        Plan plan;
        Message message;
        ASSERT_EQ(make_plan(context().info(), description_of(sort), sort.overrides, plan, message), VK_SUCCESS);
        std::memcpy(&push, plan.push[0].bytes, sizeof push);
    }
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
    batch.run();
}

// What is too uneven for bins is counted, and only that.
// Pairs of values that differ in their lowest bit only. Each value occurs more often than a bin may hold, and so often a pair that it
// has half of a tile.
uint64_t few_pairs(uint64_t tile) { return 20 * tile / (tile / 2); }

SortCase with_few_values(const SortCase& sort) {
    const uint64_t tile = tile_of(sort);
    const uint32_t above = reference::key_bits(sort.key) - 32;
    return with_keys(sort, "few values", made_keys(20 * tile + 11, [&](uint64_t i) {
                         const uint64_t pair = mix(i % few_pairs(tile)) >> 33 << 1;
                         return (pair | (i / few_pairs(tile) % 2)) << above;
                     }));
}

TEST_F(Msd, UnevenKeysAreLeftOver) {
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

// In tiles of 512.
SortCase by_ballots(SortCase sort) {
    sort.overrides.rank = kRankBallots;
    sort.overrides.workgroupSize = std::min(128u, 16 * context().info().maxSubgroupSize);
    sort.overrides.keysPerThread = 512 / sort.overrides.workgroupSize;
    sort.overrides.partitionWorkgroupSize = sort.overrides.workgroupSize;
    sort.overrides.partitionKeysPerThread = 4;
    return sort;
}

// Counting and ranking by ballots where a subgroup's lanes have the same digit, and staging in two rounds.
TEST_F(Msd, WithSubgroups) {
    if (!can_rank_by_ballots()) {
        return;
    }
    Random random(test_seed());
    SortCase sort = by_ballots(msd());
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
    // What is left over is sorted by digits here.
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
// missing, where keys are equal, and where all are left over. Keys are of 4 bytes, or of 8 whose highest digits are at `shift`.
void sort_tagged_keys(VksortKeyType integers, VksortKeyType floats, uint32_t shift) {
    Random random(test_seed());
    SortCase sort = by_ballots(msd(integers, 4));
    sort.overrides.tagged = true;
    const uint64_t tile = tile_of(sort);
    ASSERT_EQ(tile, 512u) << "places have 9 bits, so that 23 are left, or 55";
    // Ranges of somewhat more than a tile by the first digit. The next one has so few values that jobs have up to `values` of
    // them: 23 bits are enough for 128, where 16 are behind it, and 55 where 48 are.
    const auto fallbacks = [&](const char* name, uint64_t values, uint32_t bits, VksortKeyType key) {
        sort.key = key;
        Batch batch;
        batch.add(with_keys(sort, name, made_keys(9 * (tile + 150), [&](uint64_t i) {
                                const uint64_t second = 40 + random.below(values);
                                const uint64_t rest = random.next() & reference::low_bits(bits);
                                const uint64_t high = (0x30 + i % 9) << 24 | second << 16 | rest;
                                return high << shift | (random.next() & reference::low_bits(shift));
                            })));
        batch.run();
        return batch.outcomes().empty() ? 0 : batch.outcomes()[0].statistics.fallbacks;
    };
    const bool to_the_last_bit = shift + 32 == reference::key_bits(integers);
    EXPECT_EQ(fallbacks("128 digits a job", 128, 16, integers), 0u);
    EXPECT_GE(fallbacks("more than 128 digits a job", 200, 16, integers), to_the_last_bit ? 9u : 0u);
    EXPECT_EQ(fallbacks("one digit a job", 3, 16, floats), 0u);
    EXPECT_EQ(fallbacks("few bits", 100, 2, integers), 0u);
    sort.value_size = 12;
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

// It is for kernels that rank by ballots.
TEST_F(Msd, KeysTaggedWithTheirPlaces) {
    if (can_rank_by_ballots()) {
        sort_tagged_keys(VKSORT_KEY_U32, VKSORT_KEY_F32, 0);
    }
}

TEST_F(Msd, WideKeysTaggedWithTheirPlaces) {
    if (can_rank_by_ballots()) {
        for (uint32_t shift : {32u, 16u, 8u, 0u}) {
            sort_tagged_keys(VKSORT_KEY_U64, VKSORT_KEY_F64, shift);
        }
    }
}

// The first level uncounted: each first digit has room for an eighth more than its even share, and 512 keys.
class MsdRooms : public DeviceTest {
protected:
    static SortCase even(VksortKeyType key = VKSORT_KEY_U32) {
        SortCase sort = msd(key);
        sort.count = 257 * tile_of(sort) + 5;
        return sort;
    }

    static uint64_t room_of(uint64_t count) { return (count / 256 + count / 2048 + 512) / 32 * 32; }

    static uint64_t with_first_digit(uint64_t digit, uint64_t i, uint64_t bits) {
        return digit << (bits - 8) | (mix(i) & ((uint64_t{1} << (bits - 8)) - 1));
    }

    // `heavy` keys with the first digit 0x5A, the others even, all shuffled.
    SortCase with_heavy_digit(SortCase sort, uint64_t heavy) {
        const uint64_t bits = 8 * reference::key_size(sort.key);
        Random random(test_seed());
        Keys keys = made_keys(sort.count, [&](uint64_t i) {
            const uint64_t digit = i % 255;
            return with_first_digit(i < heavy ? 0x5A : digit < 0x5A ? digit : digit + 1, i, bits);
        });
        shuffle(keys, random);
        return with_keys(sort, std::to_string(heavy) + " of a digit", std::move(keys));
    }

    enum class Way { not_tried, overflow, enough };

    static void expect(const std::vector<SortCase>& sorts, Way way) {
        Batch batch;
        for (const SortCase& sort : sorts) {
            batch.add(sort);
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), sorts.size());
        for (size_t i = 0; i < sorts.size(); ++i) {
            const Outcome& outcome = batch.outcomes()[i];
            EXPECT_EQ(outcome.room, way == Way::not_tried ? 0 : room_of(sorts[i].count)) << describe(sorts[i]);
            EXPECT_EQ(outcome.rooms_sufficed, way == Way::enough) << describe(sorts[i]);
        }
    }
};

TEST_F(MsdRooms, SufficeForEvenKeys) {
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        SortCase sort = even(key);
        sorts.push_back(with_heavy_digit(sort, sort.count / 256));
        sort.descending = true;
        sort.result = VKSORT_RESULT_SEPARATE;
        sorts.push_back(with_heavy_digit(sort, sort.count / 256));
        sort.stride = 24;
        sort.offset = 8;
        sorts.push_back(with_heavy_digit(sort, sort.count / 256));
    }
    sorts.push_back(even(VKSORT_KEY_I32));
    sorts.back().distribution = Distribution::uniform;
    sorts.push_back(even());
    sorts.back().distribution = Distribution::reversed;
    expect(sorts, Way::enough);
}

// Digits that no key has, or one, and digits whose keys all have one second digit, which a level of another range leaves as they are.
TEST_F(MsdRooms, SufficeForOddDigits) {
    const uint64_t rare[] = {0, 0x37, 0x38, 0xFF};
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
        const uint64_t bits = 8 * reference::key_size(key);
        for (uint32_t each : {0u, 1u}) {
            const SortCase sort = even(key);
            Random random(test_seed() + each);
            Keys keys = made_keys(sort.count, [&](uint64_t i) {
                uint64_t digit = i < each * std::size(rare) ? rare[i] : i % 251 + 1;
                if (i >= std::size(rare) && (digit == 0x37 || digit == 0x38)) {
                    digit += 0xC5;
                }
                const uint64_t made = with_first_digit(digit, i, bits);
                const uint64_t second = uint64_t{0xFF} << (bits - 16);
                return digit % 16 == 5 ? (made & ~second) | (second & uint64_t{0xC3C3} << (bits - 16)) : made;
            });
            shuffle(keys, random);
            sorts.push_back(with_keys(sort, std::to_string(each) + " of a rare digit", std::move(keys)));
        }
    }
    expect(sorts, Way::enough);
}

// One key more than there is room for.
TEST_F(MsdRooms, Overflow) {
    std::vector<SortCase> enough;
    std::vector<SortCase> overflow;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        for (bool descending : {false, true}) {
            SortCase sort = even(key);
            sort.descending = descending;
            const uint64_t room = room_of(sort.count);
            enough.push_back(with_heavy_digit(sort, room));
            overflow.push_back(with_heavy_digit(sort, room + 1));
            sort.result = VKSORT_RESULT_SEPARATE;
            overflow.push_back(with_heavy_digit(sort, room + 300));
        }
    }
    expect(enough, Way::enough);
    expect(overflow, Way::overflow);
}

TEST_F(MsdRooms, AreNotTried) {
    std::vector<SortCase> sorts;
    for (Distribution distribution : {Distribution::few, Distribution::zipf, Distribution::sorted, Distribution::low16, Distribution::equal}) {
        sorts.push_back(even());
        sorts.back().distribution = distribution;
    }
    SortCase sort = even();
    sort.result = VKSORT_RESULT_PING_PONG; // the caller's slot 2 has no room to spare
    sorts.push_back(sort);
    sort.result = VKSORT_RESULT_IN_PLACE;
    sort.count = 255 * tile_of(sort); // a digit fits a tile
    sorts.push_back(sort);
    sort = even();
    sort.value_size = 4;
    sorts.push_back(sort);
    expect(sorts, Way::not_tried);
}

TEST_F(MsdRooms, CountsFromTheGpu) {
    const uint64_t tile = tile_of(msd());
    const uint64_t most = 300 * tile;
    Batch batch;
    for (uint64_t count : {uint64_t{0}, tile, tile + 1, 256 * tile - 1, 256 * tile, 257 * tile, most - 1, most, most + 1}) {
        batch.add(with_gpu_count(even(), static_cast<uint32_t>(count), most));
    }
    batch.run();
    for (const Outcome& outcome : batch.outcomes()) {
        const uint64_t count = outcome.statistics.count;
        EXPECT_EQ(outcome.room, count / 256 > tile ? room_of(count) : 0) << count;
    }
}

// The passes of onesweep that msd leaves skewed keys to.
class MsdWayOut : public DeviceTest {
protected:
    // 20 tiles, of which a sample of 1024 keys is taken.
    static SortCase skewed(VksortKeyType key, uint32_t value_size, Distribution distribution) {
        SortCase sort = msd(key, value_size);
        sort.overrides.wayOut = PlanOverrides::WayOut::planned;
        sort.distribution = distribution;
        sort.count = 20 * tile_of(sort) + 77;
        return sort;
    }

    // Runs them and expects each to have gone that way, or none.
    static void expect(const std::vector<SortCase>& sorts, bool taken) {
        Batch batch;
        for (const SortCase& sort : sorts) {
            batch.add(sort);
        }
        batch.run();
        ASSERT_EQ(batch.outcomes().size(), sorts.size());
        for (size_t i = 0; i < sorts.size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].statistics.digitPassesRun, taken ? reference::key_size(sorts[i].key) : 0u)
                << describe(sorts[i]);
        }
    }
};

TEST_F(MsdWayOut, IsTakenForSkewedKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    std::vector<SortCase> sorts;
    for (Distribution distribution : {Distribution::and2, Distribution::and3, Distribution::and4, Distribution::and5,
                                      Distribution::low16, Distribution::equal}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_I64}) {
            for (uint32_t value_size : {0u, 4u}) {
                SortCase sort = skewed(key, value_size, distribution);
                sort.result = kResults[sorts.size() % 3];
                sort.descending = sorts.size() % 5 < 2;
                sorts.push_back(sort);
            }
        }
    }
    expect(sorts, true);
}

TEST_F(MsdWayOut, IsNotTakenForOtherKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Random random(test_seed());
    std::vector<SortCase> sorts;
    for (Distribution distribution : {Distribution::uniform, Distribution::sorted, Distribution::reversed, Distribution::few,
                                      Distribution::nearly_sorted, Distribution::zipf}) {
        sorts.push_back(skewed(VKSORT_KEY_U32, sorts.size() % 2 * 4, distribution));
        sorts.push_back(skewed(VKSORT_KEY_F64, 4 - sorts.back().value_size, distribution));
    }
    const SortCase sort = skewed(VKSORT_KEY_F32, 4, Distribution::uniform);
    // Floats in [0, 1): the first digit is skewed, and no other.
    sorts.push_back(with_keys(sort, "floats below 1", made_keys(sort.count, [&](uint64_t) {
                                  const float number = static_cast<float>(random.below(1 << 24)) / (1 << 24);
                                  uint32_t bits;
                                  std::memcpy(&bits, &number, sizeof bits);
                                  return uint64_t{bits | 0x80000000u};
                              })));
    // Three digits differ, two of them evenly.
    sorts.push_back(with_keys(sort, "24 bits", made_keys(sort.count, [&](uint64_t) { return random.below(1 << 24); })));
    expect(sorts, false);
}

TEST_F(MsdWayOut, EveryKindOfSort) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    std::vector<SortCase> sorts;
    for (VksortResult result : kResults) {
        for (Distribution distribution : {Distribution::and2, Distribution::low16}) {
            SortCase sort = skewed(VKSORT_KEY_I32, 0, distribution);
            sort.result = result;
            sort.argsort = true;
            sorts.push_back(sort);
            sort.discard_keys = true;
            sorts.push_back(sort);
            sort.argsort = false;
            sort.value_size = 4;
            sorts.push_back(sort);
            sort.discard_keys = false;
            sort.value_size = 12;
            sorts.push_back(sort);
            // One pass runs, so that the result has to be copied if it belongs where the input was.
            sorts.push_back(with_keys(sort, "one digit",
                                      made_keys(sort.count, [](uint64_t i) { return (mix(i) & 0xFF) << 8; })));
            if (result == VKSORT_RESULT_SEPARATE) {
                sort.stride = 12;
                sort.offset = 4;
                sorts.push_back(sort);
                sort.value_size = 0;
                sorts.push_back(sort);
            }
        }
    }
    expect(sorts, true);
}

// Keys that are in order are left alone there, too, and so are counts that the finish or a small sample would do for.
TEST_F(MsdWayOut, CountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    const uint64_t tile = tile_of(msd());
    const uint64_t most = 20 * tile + 3;
    Batch batch;
    for (uint64_t count : {uint64_t{0}, uint64_t{1}, tile, tile + 1, uint64_t{1024}, uint64_t{1025}, most - 1, most, most + 1}) {
        for (Distribution distribution : {Distribution::and2, Distribution::uniform, Distribution::sorted}) {
            SortCase sort = skewed(VKSORT_KEY_U32, count % 2 * 4, distribution);
            sort.result = kResults[count % 3];
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most));
        }
    }
    batch.run();
}

} // namespace
} // namespace vksort::test
