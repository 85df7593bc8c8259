// SPDX-License-Identifier: MIT
//
// sample_sort where it has something to decide: tiles that are alike, tiles that have nothing in common, keys that the
// samples tell nothing about, equal keys across tiles. Splitters that tiles do not agree on lose elements, or their order; a
// bucket that is too long is sorted in pieces, which must be of nothing else's elements; two elements of one rank leave a
// place without any.
#include <algorithm>

#include "ops/ops.h"
#include "skewed_keys.h"

namespace vksort::test {
namespace {

class SampleSort : public DeviceTest {};

// Few samples, so that buckets are too long: where there are as many tiles as there may be, a bucket has one.
constexpr PlanOverrides kFewSamples = [] {
    PlanOverrides overrides = kSmallTiles;
    overrides.sampleKeysPerThread = 2;
    overrides.largeKeysPerThread = 6;
    overrides.sampleStep = PlanOverrides::SampleStep::buckets;
    return overrides;
}();
constexpr uint64_t kTile = uint64_t{kFewSamples.workgroupSize} * kFewSamples.keysPerThread;

constexpr PlanOverrides kRanks = [] {
    PlanOverrides overrides = kSmallTiles;
    overrides.sampleStep = PlanOverrides::SampleStep::ranks;
    return overrides;
}();

SortCase sample_sort(VksortKeyType key = VKSORT_KEY_U32, uint32_t value_size = 0) {
    return {.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT, .key = key, .value_size = value_size, .overrides = kFewSamples};
}

// As many as there may be.
uint64_t most_tiles() { return sample_sort_limit(context().info(), description_of(sample_sort()), kFewSamples) / kTile; }

// Ways in which tiles of kTile keys can be related. `unit` is random, in [0, 2^24).
struct Layout {
    const char* name;
    uint64_t (*key_at)(uint64_t tile, uint64_t place, uint64_t tiles, uint64_t unit);
};
constexpr Layout kLayouts[] = {
    {"tiles alike", [](uint64_t, uint64_t place, uint64_t, uint64_t) -> uint64_t { return place * 7919; }},
    {"tiles alike and skewed", [](uint64_t, uint64_t place, uint64_t, uint64_t) { return place * place * place; }},
    {"tiles alike but for a little", [](uint64_t tile, uint64_t place, uint64_t, uint64_t) { return place << 16 | tile; }},
    {"tiles in order", [](uint64_t tile, uint64_t, uint64_t, uint64_t unit) { return tile << 24 | unit; }},
    {"tiles in reverse", [](uint64_t tile, uint64_t, uint64_t tiles, uint64_t unit) { return (tiles - tile) << 24 | unit; }},
    {"half of the tiles in a corner",
     [](uint64_t tile, uint64_t, uint64_t, uint64_t unit) {
         return tile % 2 == 0 ? unit << 8 : (uint64_t{77} << 24) + unit % 1000;
     }},
    {"one tile has the range, the others a point of it",
     [](uint64_t tile, uint64_t, uint64_t tiles, uint64_t unit) {
         return tile == tiles / 2 ? unit << 8 : (uint64_t{200} << 24) + unit % 50'000;
     }},
    {"clustered in parts",
     [](uint64_t tile, uint64_t place, uint64_t, uint64_t unit) {
         const uint64_t quarter = place / 128;
         return quarter << 28 | (place % 128 < 120 ? 1000 + unit % 977 + tile : unit << 3);
     }},
    {"each tile a scale of its own",
     [](uint64_t tile, uint64_t, uint64_t, uint64_t unit) { return (unit << 7) >> tile % 31; }},
    {"two values", [](uint64_t, uint64_t, uint64_t, uint64_t unit) -> uint64_t { return unit % 2 == 0 ? 5 : 6; }},
    {"one value and a few others",
     [](uint64_t, uint64_t, uint64_t, uint64_t unit) -> uint64_t { return unit % 100 == 0 ? unit : 123'456; }},
    {"equal", [](uint64_t, uint64_t, uint64_t, uint64_t) -> uint64_t { return 42; }},
};

Keys keys_of(const Layout& layout, VksortKeyType type, uint64_t count, Random& random, uint64_t tile = kTile) {
    const uint64_t tiles = (count + tile - 1) / tile;
    const bool wide = reference::key_bits(type) == 64;
    return made_keys(count, [&](uint64_t i) {
        const uint64_t key = layout.key_at(i / tile, i % tile, tiles, random.below(1 << 24));
        return wide ? key << 30 | (key & 1) : key & 0xFFFFFFFFu;
    });
}

TEST_F(SampleSort, HoweverTilesAreRelated) {
    SKIP_BELOW_FULL_LEVEL();
    Random random(test_seed());
    Batch batch;
    uint64_t turn = 0;
    for (const Layout& layout : kLayouts) {
        for (uint64_t tiles : {uint64_t{2}, uint64_t{31}, most_tiles()}) {
            for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
                if (!is_full_level() && (key == VKSORT_KEY_F64) != (tiles == 31)) {
                    continue;
                }
                SortCase sort = sample_sort(key, (turn + tiles) % 2 * 4);
                sort.descending = turn % 3 == 0;
                sort.result = kResults[turn % 3];
                // Each workgroup takes several, not too many for lavapipe's loops, or not.
                sort.overrides.bucketsAtOnce = turn % 2 * 12;
                batch.add(with_keys(sort, layout.name, keys_of(layout, key, tiles * kTile - turn % 100, random)));
                ++turn;
            }
        }
    }
    batch.run();
}

// By ranks, with values of every size, as many tiles as there may be, and a last one of any length.
TEST_F(SampleSort, RanksHoweverTilesAreRelated) {
    Random random(test_seed());
    Batch batch;
    uint64_t turn = 0;
    for (const Layout& layout : kLayouts) {
        for (uint64_t tiles : {uint64_t{1}, uint64_t{2}, uint64_t{17}, uint64_t{kMostRankedTiles}}) {
            for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
                SortCase sort = sample_sort(key, static_cast<uint32_t>(is_full_level() ? turn % 5 * 4 : turn % 2 * 4));
                sort.overrides = kRanks;
                sort.descending = turn % 3 == 0;
                sort.result = kResults[turn % 3];
                batch.add(with_keys(sort, layout.name, keys_of(layout, key, tiles * kTile - random.below(kTile), random)));
                ++turn;
            }
        }
        // Of more elements an invocation has other searches under way at once. Three layouts show it.
        if (!is_full_level() && turn > 3 * 8) {
            continue;
        }
        SortCase sort = sample_sort(VKSORT_KEY_U32);
        sort.overrides = kRanks;
        sort.overrides.keysPerThread *= 2;
        batch.add(with_keys(sort, layout.name, keys_of(layout, sort.key, 70 * kTile - random.below(kTile), random)));
    }
    batch.run();
}

// A group of neighbours, a workgroup, a tile more or less; fewer on the GPU than planned.
TEST_F(SampleSort, RanksOfCountsAboutGroups) {
    Random random(test_seed());
    Batch batch;
    for (uint64_t unit : {uint64_t{kRankedGap}, uint64_t{128}, kTile}) {
        for (uint64_t units : {0u, 1u, 2u, 3u, 5u}) {
            for (uint64_t more : {0u, 1u, 2u}) { // and so one less, none or one more
                if (units == 0 && more == 0) {
                    continue;
                }
                SortCase sort = sample_sort(VKSORT_KEY_U32, (units + more) % 2 * 4);
                sort.overrides = kRanks;
                sort.count = units * unit + more - 1;
                sort.distribution = more == 1 ? Distribution::few : Distribution::uniform;
                batch.add(sort);
                batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count), kMostRankedTiles * kTile));
            }
        }
    }
    batch.run();
}

void mark_sampled(std::vector<bool>& sampled, uint32_t samples) {
    for (uint32_t i = 0; i < samples; ++i) {
        sampled[sampled_element(i, samples, sampled.size())] = true;
    }
}

// The samples are the least of all, and uniformly distributed: all other elements are in the last bucket, or between samples
// in the one before if they all are the same. No bucket is longer. If those that show whether keys are uniform are like the
// others, keys are not even.
TEST_F(SampleSort, SamplesThatTellNothing) {
    Random random(test_seed());
    Batch batch;
    constexpr uint32_t kSamples = kFewSamples.workgroupSize * kFewSamples.sampleKeysPerThread;
    static_assert(kUniformSamples % kFewSamples.workgroupSize == 0);
    const uint64_t count = (is_full_level() ? most_tiles() : 20) * kTile - 5;
    for (const bool even : {false, true}) {
        for (const bool equal : {false, true}) {
            for (uint32_t value_size : {0u, 4u}) {
                std::vector<bool> sampled(count);
                mark_sampled(sampled, even ? kUniformSamples : kSamples);
                const Keys keys = made_keys(count, [&](uint64_t i) {
                    return sampled[i] ? i : equal ? 1u << 30 : (1u << 30) + random.below(1 << 24);
                });
                batch.add(with_keys(sample_sort(equal ? VKSORT_KEY_U64 : VKSORT_KEY_U32, value_size),
                                    equal ? "the others equal" : "the others uniform", keys));
            }
        }
    }
    batch.run();
}

// Uniform keys, over the whole range or a part of it that is not known, in the lower words of equal higher ones, and some
// beyond it that no sample tells of.
TEST_F(SampleSort, UniformKeys) {
    struct Range {
        const char* name;
        uint64_t least;
        uint64_t width;
        uint64_t beyond; // one in this number, 0: none
    };
    constexpr Range kRanges[] = {{"whole", 0, UINT64_MAX, 0},
                                 {"a part", 0x1234'5678'0000'0000, 0x2000'0000'0000'0000, 0},
                                 {"a part, and some beyond", 0x4000'0000'0000'0000, 0x0100'0000'0000'0000, 700},
                                 {"low words", 0x5555'5555'0000'1000, 0x8000'0000, 0},
                                 {"low words, and some beyond", 0x5555'5555'7000'0000, 0x1000'0000, 700},
                                 {"few values", 0x2000'0000'0000'0000, 0x0000'2000'0000'0000, 0}};
    Random random(test_seed());
    Batch batch;
    std::vector<bool> evens;
    uint64_t turn = 0;
    for (const Range& range : kRanges) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
            for (uint64_t tiles : {uint64_t{9}, uint64_t{40}, most_tiles()}) {
                SortCase sort = sample_sort(key, static_cast<uint32_t>(random.below(tests_few_pairs() ? 2 : 3) * 4));
                sort.descending = random.below(2) == 1;
                sort.result = kResults[random.below(3)];
                ++turn;
                const Keys keys = made_keys(tiles * kTile - turn, [&](uint64_t) {
                    const bool beyond = range.beyond != 0 && random.below(range.beyond) == 0;
                    const uint64_t bits = beyond ? random.next() : range.least + random.next() % range.width;
                    return key == VKSORT_KEY_U32 ? bits >> 32 : bits;
                });
                batch.add(with_keys(sort, range.name, keys));
                // Strays are sampled or not; where all of a 4-byte key's bits are the same there is no range.
                const bool all_equal = key == VKSORT_KEY_U32 && range.width >> 32 == 0;
                evens.push_back(range.beyond == 0 && !all_equal);
            }
        }
    }
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), evens.size());
    for (size_t i = 0; i < evens.size(); ++i) {
        if (evens[i]) {
            EXPECT_EQ(batch.outcomes()[i].statistics.fallbacks, 0u) << "case " << i + 1;
        }
    }
}

// Of which none are to be taken for even.
TEST_F(SampleSort, KeysOfSkewedDigits) {
    Random random(test_seed());
    Batch batch;
    const uint64_t count = 33 * kTile - 7;
    for (const Distribution distribution :
         {Distribution::and2, Distribution::and4, Distribution::few, Distribution::zipf, Distribution::equal}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
            for (uint32_t value_size : {0u, 4u}) {
                SortCase sort = sample_sort(key, value_size);
                sort.overrides.sampleKeysPerThread = 6; // more than the tile has
                sort.count = count;
                sort.distribution = distribution;
                batch.add(sort);
            }
        }
    }
    const auto product = [&](uint64_t) { return random.below(1600) * random.below(1600) * random.below(1600); };
    batch.add(with_keys(sample_sort(), "products", made_keys(count, product)));
    batch.run();
    for (size_t i = 0; i < batch.outcomes().size(); ++i) {
        EXPECT_EQ(batch.outcomes()[i].statistics.fallbacks, 1u) << "case " << i + 1;
    }
}

// By onesweep, where it comes behind. The last sort of each kind is even, and passes it by.
TEST_F(SampleSort, LeavesSkewedKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    struct Kind {
        VksortKeyType key;
        uint32_t value_size;
        bool argsort = false;
        bool discard_keys = false;
    };
    const Kind kinds[] = {{VKSORT_KEY_U32, 0},       {VKSORT_KEY_F32, 4},
                          {VKSORT_KEY_I64, 0},       {VKSORT_KEY_U64, wide_value(12)},
                          {VKSORT_KEY_F32, 0, true}, {VKSORT_KEY_I32, 4, false, true}};
    std::vector<SortCase> sorts;
    for (const Kind& kind : kinds) {
        for (Distribution distribution :
             {Distribution::and2, Distribution::few, Distribution::equal, Distribution::uniform}) {
            SortCase sort = sample_sort(kind.key, kind.value_size);
            sort.argsort = kind.argsort;
            sort.discard_keys = kind.discard_keys;
            sort.overrides.leftElements = 1;
            sort.overrides.sweeps = PlanOverrides::Sweeps::together;
            sort.distribution = distribution;
            sort.count = 12 * kTile + 77; // see test_sweeps.cpp
            sort.result = sorts.size() / 2 % 2 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
            sort.descending = sorts.size() % 3 == 0;
            sorts.push_back(sort);
        }
    }
    Batch batch;
    run_all(sorts, batch);
    for (size_t i = 0; i < sorts.size(); ++i) {
        const bool even = sorts[i].distribution == Distribution::uniform;
        const Outcome& outcome = batch.outcomes()[i];
        EXPECT_EQ(outcome.statistics.digitPassesRun > 0,
                  !even && (outcome.varying_digits > 0 || sorts[i].result == VKSORT_RESULT_SEPARATE || sorts[i].argsort))
            << describe(sorts[i]);
        EXPECT_GE(outcome.statistics.digitPassesRun, even ? 0 : outcome.varying_digits) << describe(sorts[i]);
    }
}

// Equal keys stay in order across tiles, buckets and pieces of these: the values are their places.
TEST_F(SampleSort, IsStableAcrossCuts) {
    Random random(test_seed());
    Batch batch;
    for (uint64_t values : {1u, 2u, 5u, 100u}) {
        for (bool descending : {false, true}) {
            SortCase sort = sample_sort(values % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I64);
            sort.argsort = true;
            sort.descending = descending;
            const Keys keys = made_keys(40 * kTile + 99, [&](uint64_t) { return random.below(values) << 20; });
            batch.add(with_keys(sort, std::to_string(values) + " values", keys));
            sort.overrides = kRanks;
            batch.add(with_keys(sort, std::to_string(values) + " values, by ranks", keys));
        }
    }
    batch.run();
}

TEST_F(SampleSort, LeavesCountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Batch batch;
    const uint64_t most = 12 * kTile + 77;
    for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{2}, kTile - 1, kTile, kTile + 1, 7 * kTile, most}) {
        SortCase sort = sample_sort(VKSORT_KEY_U32, count % 2 * 4);
        sort.overrides.leftElements = 1;
        sort.overrides.sweeps = PlanOverrides::Sweeps::together;
        for (Distribution distribution : {Distribution::zipf, Distribution::uniform}) {
            sort.distribution = distribution;
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most));
        }
    }
    batch.run();
}

// Counts at which there is a tile or a bucket more, or a last one of few elements.
TEST_F(SampleSort, CountsAboutTilesAndBuckets) {
    Random random(test_seed());
    const auto push_of = [](uint64_t count) {
        VksortPlanDesc desc = description_of(sample_sort());
        desc.maxCount = count;
        Plan plan;
        Message message;
        EXPECT_EQ(make_plan(context().info(), desc, kFewSamples, plan, message), VK_SUCCESS) << message.text;
        RadixPush push;
        std::memcpy(&push, plan.push[0].bytes, sizeof push);
        return push;
    };
    const RadixPush most = push_of(most_tiles() * kTile);
    Batch batch;
    for (uint64_t unit : {kTile, uint64_t{most.bucketMean}, uint64_t{most.bucketSize}}) {
        for (uint64_t units : {1u, 2u, 3u, is_full_level() ? 100u : 20u}) {
            for (uint64_t count : {units * unit - 1, units * unit, units * unit + 1}) {
                if (count > most_tiles() * kTile) {
                    continue;
                }
                SortCase sort = sample_sort(VKSORT_KEY_U32, count % 2 * 4);
                sort.count = count;
                batch.add(sort);
                batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most_tiles() * kTile));
            }
        }
    }
    batch.run();
}

// Tiles of which an invocation has two keys: by ranks, and by buckets, where each key has two bins.
TEST_F(SampleSort, TwoKeysEach) {
    SKIP_BELOW_FULL_LEVEL();
    Random random(test_seed());
    Batch batch;
    for (const PlanOverrides& overrides : {kRanks, kFewSamples}) {
        uint64_t turn = 0;
        for (const Layout& layout : kLayouts) {
            SortCase sort = sample_sort(turn % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_U64, turn % 3 == 2 ? 4 : 0);
            sort.overrides = overrides;
            sort.overrides.keysPerThread = 2;
            const uint64_t tile = planned(sort).info.tileSize;
            EXPECT_EQ(tile, uint64_t{sort.overrides.workgroupSize} * 2);
            batch.add(with_keys(sort, layout.name, keys_of(layout, sort.key, 13 * tile - random.below(tile), random, tile)));
            sort.count = 13 * tile;
            sort.distribution = kAllDistributions[turn % std::size(kAllDistributions)];
            batch.add(sort);
            ++turn;
        }
    }
    batch.run();
}

// At the largest count that the tile allows, and one beyond.
TEST_F(SampleSort, AsManyAsTilesGo) {
    SortCase sort = sample_sort(VKSORT_KEY_U32, 4);
    sort.count = most_tiles() * kTile;
    Batch batch;
    batch.add(sort);
    batch.run();
    sort.count += 1;
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, std::to_string(most_tiles() * kTile));
}

} // namespace
} // namespace vksort::test
