// SPDX-License-Identifier: MIT
//
// Keys alone of which two digit places differ, which onesweep deals by one and counts by the other, and writes out as runs of equal keys.
#include "uneven_keys.h"

namespace vksort::test {
namespace {

// As many tiles as there are digits are the least.
constexpr uint64_t kTile = uint64_t{kSmallTiles.workgroupSize} * kSmallTiles.keysPerThread;
constexpr uint64_t kLeast = kTile * (kRadix - 1) + 1;

SortCase onesweep(VksortKeyType key) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONESWEEP, .key = key, .overrides = kSmallTiles};
    sort.overrides.runElements = 1;
    return sort;
}

// Two digits of the key's four and, in its other bits, a word that all share.
struct Places {
    uint32_t low;
    uint32_t high;
};
uint64_t key_of(const Places& places, uint64_t shared, uint64_t low, uint64_t high) {
    const uint64_t mask = uint64_t{0xFF} << 8 * places.low | uint64_t{0xFF} << 8 * places.high;
    return (shared & ~mask & UINT32_MAX) | low << 8 * places.low | high << 8 * places.high;
}

// How the digits are spread. `low` and `high` are random, below 256.
struct Digits {
    const char* name;
    uint64_t (*low_of)(uint64_t i, uint64_t low, uint64_t high);
    uint64_t (*high_of)(uint64_t i, uint64_t low, uint64_t high);
};
constexpr Digits kDigits[] = {
    {"even", [](uint64_t, uint64_t low, uint64_t) { return low; }, [](uint64_t, uint64_t, uint64_t high) { return high; }},
    {"the ends", [](uint64_t, uint64_t low, uint64_t) { return low % 2 * 255; }, [](uint64_t, uint64_t, uint64_t high) { return high % 2 * 255; }},
    {"nearly all high ones alike", [](uint64_t, uint64_t low, uint64_t) { return low; },
     [](uint64_t i, uint64_t, uint64_t high) { return i % 500 == 0 ? high : 77; }},
    {"nearly all low ones alike", [](uint64_t i, uint64_t low, uint64_t) { return i % 500 == 0 ? low : 200; },
     [](uint64_t, uint64_t, uint64_t high) { return high; }},
    {"one key of its own", [](uint64_t i, uint64_t, uint64_t) -> uint64_t { return i == 5 ? 3 : 9; },
     [](uint64_t i, uint64_t, uint64_t) -> uint64_t { return i == 5 ? 200 : 100; }},
    {"few bits", [](uint64_t, uint64_t low, uint64_t high) { return low & high; },
     [](uint64_t, uint64_t low, uint64_t high) { return low & ~high & 0x3F; }},
    {"in reverse", [](uint64_t i, uint64_t, uint64_t) { return 255 - i % 256; }, [](uint64_t i, uint64_t, uint64_t) { return 255 - i / 600 % 256; }},
};

Keys keys_of(const Places& places, const Digits& digits, uint64_t count, Random& random) {
    const uint64_t shared = random.below(uint64_t{1} << 32);
    return made_keys(count, [&](uint64_t i) {
        const uint64_t low = random.below(256);
        const uint64_t high = random.below(256);
        return key_of(places, shared, digits.low_of(i, low, high), digits.high_of(i, low, high));
    });
}

class Runs : public DeviceTest {
protected:
    static void expect(const std::vector<SortCase>& sorts, bool by_runs) {
        Batch batch;
        ASSERT_NO_FATAL_FAILURE(run_all(sorts, batch));
        for (size_t i = 0; i < batch.outcomes().size(); ++i) {
            EXPECT_EQ(batch.outcomes()[i].by_runs, by_runs) << describe(sorts[i]);
        }
    }

    Random random_{test_seed()};
};

TEST_F(Runs, HoweverDigitsAreSpread) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    std::vector<SortCase> sorts;
    uint64_t turn = 0;
    for (uint32_t high = 1; high < 4; ++high) {
        for (uint32_t low = 0; low < high; ++low) {
            const Digits& digits = kDigits[turn % std::size(kDigits)];
            SortCase sort = onesweep(turn % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I32);
            sort.descending = turn % 3 == 1;
            sort.result = kResults[turn % 3];
            sorts.push_back(with_keys(sort, digits.name, keys_of({low, high}, digits, kLeast + 5000 * turn, random_)));
            ++turn;
        }
    }
    for (const Digits& digits : kDigits) {
        SortCase sort = onesweep(VKSORT_KEY_U32);
        sorts.push_back(with_keys(sort, digits.name, keys_of({1, 3}, digits, 2 * kLeast + 77, random_)));
    }
    expect(sorts, true);
}

TEST_F(Runs, KeysInsideStructsAndCountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    SortCase sort = onesweep(VKSORT_KEY_F32);
    sort.result = VKSORT_RESULT_SEPARATE;
    sort.stride = 12;
    sort.offset = 4;
    std::vector<SortCase> sorts = {with_keys(sort, "even", keys_of({0, 2}, kDigits[0], kLeast, random_))};
    sort = with_keys(onesweep(VKSORT_KEY_U32), "even", keys_of({0, 1}, kDigits[0], kLeast + 3, random_));
    sorts.push_back(with_gpu_count(sort, kLeast + 3, 2 * kLeast));
    sort.limits.groups_x = 5; // folded dispatches, of which some workgroups have nothing to do
    sorts.push_back(sort);
    expect(sorts, true);
}

// Too few tiles, another number of digits, values, and bits that are not sorted by.
TEST_F(Runs, AreNotForOthers) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    const Keys two = keys_of({0, 2}, kDigits[0], kLeast, random_);
    std::vector<SortCase> sorts;
    SortCase sort = with_keys(onesweep(VKSORT_KEY_U32), "one tile less", Keys(two.begin(), two.end() - 1));
    sorts.push_back(sort);
    sorts.push_back(with_gpu_count(sort, kLeast - 1, kLeast));
    sort = with_keys(onesweep(VKSORT_KEY_U32), "two digits", two);
    sort.value_size = 4;
    sorts.push_back(sort);
    sort.value_size = 0;
    sort.end_bit = 24;
    sorts.push_back(sort);
    sort.end_bit = 0;
    sort.overrides.runElements = kLeast + 1;
    sorts.push_back(sort);
    Keys others = two;
    others[7] ^= uint64_t{1} << 30;
    sorts.push_back(with_keys(onesweep(VKSORT_KEY_U32), "a third digit in one key", others));
    for (uint64_t& key : others) {
        key &= 0xFF;
    }
    sorts.push_back(with_keys(onesweep(VKSORT_KEY_U32), "one digit", others));
    std::sort(others.begin(), others.end());
    sorts.push_back(with_keys(onesweep(VKSORT_KEY_U32), "in order", others));
    sort = onesweep(VKSORT_KEY_U32); // behind buckets that do not take them
    sort.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
    sort.overrides.manyElements = UINT32_MAX;
    sorts.push_back(with_keys(sort, kDigits[2].name, keys_of({0, 2}, kDigits[2], 2 * kLeast, random_)));
    expect(sorts, false);
}

// As the way out of msd, and of msd behind buckets; and where neither is needed, so that nobody sets the sizes.
TEST_F(Runs, BehindMsd) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_ONESWEEP});
    for (const bool runs : {true, false}) {
        std::vector<SortCase> sorts;
        for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_BUCKET_SORT}) {
            SortCase sort = onesweep(VKSORT_KEY_U32);
            sort.algorithm = algorithm;
            sort.overrides.manyElements = 1;
            if (runs) {
                sorts.push_back(with_keys(sort, kDigits[2].name, keys_of({0, 2}, kDigits[2], 2 * kLeast, random_)));
            } else {
                sort.count = 2 * kLeast;
                sorts.push_back(sort);
            }
        }
        expect(sorts, runs);
    }
}

} // namespace
} // namespace vksort::test
