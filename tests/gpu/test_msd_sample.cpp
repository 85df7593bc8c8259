// SPDX-License-Identifier: MIT
//
// What msd does by a sample of the keys: partition uniform ones without a count, in coarse buckets that suffice or overflow,
// and leave skewed ones to the passes of onesweep.
#include <cstring>

#include "msd_cases.h"

namespace vksort::test {
namespace {

// The first level uncounted: each first digit has room for an eighth more than its even share, and 512 keys.
class MsdCoarseBuckets : public DeviceTest {
protected:
    static SortCase even(VksortKeyType key = VKSORT_KEY_U32) {
        SortCase sort = msd(key);
        sort.count = 257 * tile_of(sort) + 5;
        return sort;
    }

    static uint64_t coarse_bucket_of(uint64_t count) { return (count / 256 + count / 2048 + 512) / 32 * 32; }

    static uint64_t with_first_digit(uint64_t digit, uint64_t i, uint32_t bits) {
        return digit << (bits - 8) | (mix(i) & reference::low_bits(bits - 8));
    }

    // `heavy` keys with the first digit 0x5A, the others even, all shuffled.
    SortCase with_heavy_digit(SortCase sort, uint64_t heavy) {
        const uint32_t bits = reference::key_bits(sort.key);
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
        run_all(sorts, batch);
        for (size_t i = 0; i < batch.outcomes().size(); ++i) {
            const Outcome& outcome = batch.outcomes()[i];
            EXPECT_EQ(outcome.coarse_bucket, way == Way::not_tried ? 0 : coarse_bucket_of(sorts[i].count))
                << describe(sorts[i]);
            EXPECT_EQ(outcome.coarse_buckets_sufficed, way == Way::enough) << describe(sorts[i]);
        }
    }
};

TEST_F(MsdCoarseBuckets, SufficeForUniformKeys) {
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

// Digits that no key has, or one, and digits whose keys all have one second digit, which a level of another range leaves as
// they are.
TEST_F(MsdCoarseBuckets, SufficeForOddDigits) {
    const uint64_t rare[] = {0, 0x37, 0x38, 0xFF};
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
        const uint32_t bits = reference::key_bits(key);
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
TEST_F(MsdCoarseBuckets, Overflow) {
    std::vector<SortCase> enough;
    std::vector<SortCase> overflow;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        for (bool descending : {false, true}) {
            SortCase sort = even(key);
            sort.descending = descending;
            const uint64_t capacity = coarse_bucket_of(sort.count);
            enough.push_back(with_heavy_digit(sort, capacity));
            overflow.push_back(with_heavy_digit(sort, capacity + 1));
            sort.result = VKSORT_RESULT_SEPARATE;
            overflow.push_back(with_heavy_digit(sort, capacity + 300));
        }
    }
    expect(enough, Way::enough);
    expect(overflow, Way::overflow);
}

TEST_F(MsdCoarseBuckets, AreNotTried) {
    std::vector<SortCase> sorts;
    for (Distribution distribution :
         {Distribution::few, Distribution::zipf, Distribution::sorted, Distribution::low16, Distribution::equal}) {
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

TEST_F(MsdCoarseBuckets, CountsFromTheGpu) {
    const uint64_t tile = tile_of(msd());
    const uint64_t most = 300 * tile;
    Batch batch;
    for (uint64_t count : {uint64_t{0}, tile, tile + 1, 256 * tile - 1, 256 * tile, 257 * tile, most - 1, most, most + 1}) {
        batch.add(with_gpu_count(even(), static_cast<uint32_t>(count), most));
    }
    batch.run();
    for (const Outcome& outcome : batch.outcomes()) {
        const uint64_t count = outcome.statistics.count;
        EXPECT_EQ(outcome.coarse_bucket, count / 256 > tile ? coarse_bucket_of(count) : 0) << count;
    }
}

// The passes of onesweep that msd leaves skewed keys to.
class MsdFallback : public DeviceTest {
protected:
    // 20 tiles, of which a sample of 1024 keys is taken.
    static SortCase skewed(VksortKeyType key, uint32_t value_size, Distribution distribution) {
        SortCase sort = msd(key, value_size);
        sort.overrides.noFallback = false;
        sort.distribution = distribution;
        sort.count = 20 * tile_of(sort) + 77;
        return sort;
    }

    // In ordered form.
    static Keys floats_below_1(uint64_t count, Random& random) {
        return made_keys(count, [&](uint64_t) {
            const float number = static_cast<float>(random.below(1 << 24)) / (1 << 24);
            uint32_t bits;
            std::memcpy(&bits, &number, sizeof bits);
            return uint64_t{bits | 0x80000000u};
        });
    }

    // Runs them and expects each to have gone that way, or none.
    static void expect(const std::vector<SortCase>& sorts, bool taken) {
        expect_alone(sorts, taken);
        std::vector<SortCase> shared;
        for (SortCase sort : sorts) { // where the fallback stands beside the levels, and again behind them
            const bool together = sort.overrides.sweeps == PlanOverrides::Sweeps::together;
            const uint64_t tiles = sort.count / tile_of(sort) + 1;
            if (sort.result != VKSORT_RESULT_PING_PONG && !together &&
                tiles * reference::key_size(sort.key) <= kMostSweptTiles) {
                sort.overrides.sweeps = PlanOverrides::Sweeps::apart;
                sort.overrides.smaller = kOneSmallerPlan;
                shared.push_back(sort);
            }
        }
        expect_alone(shared, taken);
    }

private:
    static void expect_alone(const std::vector<SortCase>& sorts, bool taken) {
        Batch batch;
        run_all(sorts, batch);
        ASSERT_EQ(batch.outcomes().size(), sorts.size());
        for (size_t i = 0; i < batch.outcomes().size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].statistics.digitPassesRun, taken ? reference::key_size(sorts[i].key) : 0u)
                << describe(sorts[i]);
        }
    }
};

TEST_F(MsdFallback, IsTakenForSkewedKeys) {
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

TEST_F(MsdFallback, IsNotTakenForOtherKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Random random(test_seed());
    std::vector<SortCase> sorts;
    for (Distribution distribution : {Distribution::uniform, Distribution::sorted, Distribution::reversed, Distribution::few,
                                      Distribution::nearly_sorted, Distribution::zipf}) {
        sorts.push_back(skewed(VKSORT_KEY_U32, sorts.size() % 2 * 4, distribution));
        sorts.push_back(skewed(VKSORT_KEY_F64, 4 - sorts.back().value_size, distribution));
    }
    const SortCase sort = skewed(VKSORT_KEY_F32, 4, Distribution::uniform);
    // The first digit is skewed, and no other.
    sorts.push_back(with_keys(sort, "floats below 1", floats_below_1(sort.count, random)));
    // Three digits differ, two of them evenly.
    sorts.push_back(with_keys(sort, "24 bits", made_keys(sort.count, [&](uint64_t) { return random.below(1 << 24); })));
    expect(sorts, false);
}

// Uniform keys, but for more than a tile of them that share their first `digits` digits, or all, in a range that takes a
// level a digit until they are alone. They are so few that a sample does not tell.
Keys with_cluster(const SortCase& sort, uint32_t digits, bool equal) {
    const uint32_t bits = reference::key_bits(sort.key);
    const uint64_t cluster = tile_of(sort) + 99;
    Random random(test_seed());
    Keys keys = made_keys(sort.count, [&](uint64_t i) {
        const uint64_t even = mix(i) & reference::low_bits(bits);
        const uint64_t shared = mix(~test_seed()) & reference::low_bits(bits);
        if (i > cluster && i < cluster + digits) { // differs in one digit
            return shared ^ uint64_t { 1 } << (bits - 8 * (i - cluster + 1));
        }
        if (i >= cluster) {
            return (even ^ shared) >> (bits - 8) == 0 ? even ^ uint64_t { 1 } << (bits - 8) : even;
        }
        const uint64_t own = equal ? 0 : reference::low_bits(bits - 8 * digits);
        return (shared & ~own) | (even & own);
    });
    shuffle(keys, random);
    return keys;
}

// Onesweep sorts all keys if the last level leaves any together that no tile holds, wherever that level has moved them,
// unless they are equal.
TEST_F(MsdFallback, IsTakenBehindTheLastLevel) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    std::vector<SortCase> taken;
    std::vector<SortCase> others;
    for (uint32_t levels : {1u, 2u, 3u}) { // which leave keys in slot 2, and in slot 1
        for (VksortResult result : kResults) {
            for (uint32_t value_size : {0u, 4u}) {
                const bool together = (levels + value_size / 4) % 2 == 0;
                SortCase sort = skewed(together ? VKSORT_KEY_U32 : VKSORT_KEY_U64, value_size, Distribution::uniform);
                sort.count = 34 * tile_of(sort); // together no more than kMostSweptTiles
                sort.overrides.levels = levels;
                sort.overrides.sweeps = together ? PlanOverrides::Sweeps::together : PlanOverrides::Sweeps::apart;
                sort.result = result;
                const std::string name = std::to_string(levels) + " digits shared";
                taken.push_back(with_keys(sort, name, with_cluster(sort, levels, false)));
                others.push_back(with_keys(sort, name + ", equal keys", with_cluster(sort, levels, true)));
            }
        }
    }
    SortCase rooms = skewed(VKSORT_KEY_U64, 0, Distribution::uniform); // whose first level is not counted
    rooms.count = 300 * tile_of(rooms);
    rooms.overrides.levels = 2;
    taken.push_back(with_keys(rooms, "2 digits shared", with_cluster(rooms, 2, false)));
    SortCase argsort = skewed(VKSORT_KEY_U64, 0, Distribution::uniform);
    argsort.count = 90 * tile_of(argsort);
    argsort.overrides.levels = 1;
    argsort.argsort = true;
    others.push_back(with_keys(argsort, "1 digit shared", with_cluster(argsort, 1, false))); // has all levels
    argsort.result = VKSORT_RESULT_SEPARATE;
    taken.push_back(with_keys(argsort, "1 digit shared", with_cluster(argsort, 1, false)));
    expect(taken, true);
    expect(others, false);
}

// A first level that a sample has let begin with a digit behind the first one that differs.
TEST_F(MsdFallback, FirstDigitIsTold) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    std::vector<SortCase> sorts;
    for (uint32_t value_size : {0u, 4u}) {
        SortCase sort = skewed(VKSORT_KEY_U64, value_size, Distribution::uniform);
        sort.count = 90 * tile_of(sort);
        sort.overrides.levels = 1; // are enough but for the first digit
        sorts.push_back(with_keys(sort, "56 bits", made_keys(sort.count, [](uint64_t i) { return mix(i) >> 8; })));
    }
    expect(sorts, false);
    for (SortCase& sort : sorts) { // one that no sample is likely to tell
        sort = with_keys(sort, "56 bits, and one of 64",
                         made_keys(sort.count, [](uint64_t i) { return i == 12345 ? ~i : mix(i) >> 8; }));
    }
    expect(sorts, true);
}

// Two even digits would leave a tile or less; these leave more, unless keys are equal or have two digits more.
TEST_F(MsdFallback, IsTakenWhereAThirdLevelWouldBeNeeded) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    Random random(test_seed());
    std::vector<SortCase> taken;
    std::vector<SortCase> others;
    for (uint32_t value_size : {0u, 4u}) {
        SortCase sort = skewed(VKSORT_KEY_F32, value_size, Distribution::uniform);
        sort.count = 600 * tile_of(sort);
        others.push_back(sort);
        taken.push_back(with_keys(sort, "floats below 1", floats_below_1(sort.count, random)));
        sort.descending = true;
        taken.push_back(with_keys(sort, "24 bits", made_keys(sort.count, [&](uint64_t) { return random.below(1 << 24); })));
        sort.distribution = Distribution::zipf;
        others.push_back(sort);
        sort.key = VKSORT_KEY_F64;
        others.push_back(with_keys(sort, "floats below 1, and more", made_keys(sort.count, [](uint64_t i) {
                                       const double number = static_cast<double>(mix(i) >> 11) * 0x1p-53;
                                       uint64_t bits;
                                       std::memcpy(&bits, &number, sizeof bits);
                                       return bits | uint64_t{1} << 63;
                                   })));
    }
    expect(taken, true);
    expect(others, false);
}

// 4096 upper halves, as screens have tiles: of 523,776 pairs in the sample 128 agree, which has to be told from pairs that a
// hash brings together.
TEST_F(MsdFallback, IsTakenWhereFewPairsShowIt) {
    SKIP_BELOW_FULL_LEVEL();
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    constexpr uint64_t kHalves = 4096;
    std::vector<SortCase> taken;
    std::vector<SortCase> others;
    for (uint32_t value_size : {0u, 4u}) {
        SortCase sort = skewed(VKSORT_KEY_U32, value_size, Distribution::uniform);
        sort.overrides.workgroupSize = 64;
        sort.overrides.keysPerThread = 2;
        const auto with_so_many_of_each = [&sort](uint64_t of_each) {
            sort.count = kHalves * of_each;
            return with_keys(sort, "4096 upper halves",
                             made_keys(sort.count, [](uint64_t i) { return mix(i) % kHalves << 16 | (mix(~i) & 0xFFFF); }));
        };
        const uint64_t tile = tile_of(sort);
        taken.push_back(with_so_many_of_each(2 * tile));
        others.push_back(with_so_many_of_each(tile / 2));
    }
    expect(taken, true);
    expect(others, false);
}

TEST_F(MsdFallback, EveryKindOfSort) {
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
            sort.value_size = wide_value(12);
            sorts.push_back(sort);
            // One pass runs, so that the result has to be copied if it belongs where the input was.
            sorts.push_back(
                with_keys(sort, "one digit", made_keys(sort.count, [](uint64_t i) { return (mix(i) & 0xFF) << 8; })));
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
TEST_F(MsdFallback, CountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    const uint64_t tile = tile_of(msd());
    const uint64_t most = 20 * tile + 3;
    Batch batch;
    for (uint64_t count :
         {uint64_t{0}, uint64_t{1}, tile, tile + 1, uint64_t{1024}, uint64_t{1025}, most - 1, most, most + 1}) {
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
