// SPDX-License-Identifier: MIT
//
// Every kind of data, and the digits that every key has in common.
#include "skewed_keys.h"

namespace vksort::test {
namespace {

class Distributions : public AlgorithmTest {};

TEST_P(Distributions, Every) {
    if (GetParam() == VKSORT_ALGORITHM_SAMPLE_SORT) {
        SKIP_BELOW_FULL_LEVEL();
    }
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    uint64_t turn = 0;
    for (Distribution distribution : kAllDistributions) {
        for (SortCase sort : {
                 SortCase{.key = VKSORT_KEY_U32, .value_size = 4},
                 SortCase{.key = VKSORT_KEY_F32, .argsort = true, .descending = true},
                 SortCase{.key = VKSORT_KEY_I64},
                 SortCase{.key = VKSORT_KEY_F64, .value_size = 4},
                 SortCase{.key = VKSORT_KEY_F16, .value_size = 4, .result = VKSORT_RESULT_SEPARATE},
                 SortCase{.key = VKSORT_KEY_I8, .argsort = true},
             }) {
            sort.algorithm = GetParam();
            sort.distribution = distribution;
            sort.overrides = quick_tiles();
            sort.count = ragged_count(sort);
            take_turns(sort, turn + turn / 6);
            ++turn;
            batch.add(sort);
        }
    }
    batch.run();
}

// A digit that is the same in every key costs no pass, whichever digits they are and wherever the result must land. The
// statistics, which the batch compares with the data, count the passes.
TEST_P(Distributions, EverySetOfSkippedDigits) {
    if (GetParam() == VKSORT_ALGORITHM_SAMPLE_SORT) {
        SKIP_BELOW_FULL_LEVEL();
    }
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    for (uint32_t mask = 0; mask < 16; ++mask) {
        for (VksortResult result : kResults) {
            for (SortCase sort : {
                     SortCase{.key = VKSORT_KEY_I32},
                     SortCase{.key = VKSORT_KEY_F32, .value_size = 4, .descending = true},
                     SortCase{.key = VKSORT_KEY_U32, .argsort = true},
                     SortCase{.key = VKSORT_KEY_U32, .argsort = true, .discard_keys = true},
                     SortCase{.key = VKSORT_KEY_U32, .value_size = wide_value(8), .discard_keys = true},
                 }) {
                sort.algorithm = GetParam();
                sort.result = result;
                sort.digit_mask = mask;
                sort.overrides = kSmallTiles;
                sort.count = ragged_count(sort, 2);
                take_turns(sort, mask);
                batch.add(sort);
            }
        }
    }
    batch.run();
}

TEST_P(Distributions, SkippedDigitsOfNarrowAndWideKeys) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    Batch batch;
    Random random(test_seed());
    for (VksortKeyType key :
         {VKSORT_KEY_U8, VKSORT_KEY_I8, VKSORT_KEY_U16, VKSORT_KEY_F16, VKSORT_KEY_U64, VKSORT_KEY_F64}) {
        uint32_t digits = reference::key_size(key);
        uint32_t masks = 1u << digits;
        for (uint32_t round = 0; round < std::min(masks, 12u); ++round) {
            for (VksortResult result : kResults) {
                SortCase sort = {.algorithm = GetParam(), .key = key, .result = result, .overrides = kSmallTiles};
                sort.digit_mask = masks <= 12 ? round : static_cast<uint32_t>(random.below(masks));
                sort.value_size = round % 2 == 0 ? 0 : 4;
                sort.count = ragged_count(sort, 2);
                batch.add(sort);
                sort.value_size = 0;
                sort.argsort = true;
                sort.discard_keys = round % 3 == 0;
                batch.add(sort);
            }
        }
    }
    batch.run();
}

TEST_P(Distributions, StatisticsCountThePasses) {
    SortCase sort = {.algorithm = GetParam()};
    sort.overrides.noFallback = true; // which msd would tell all digit positions for
    RETURN_IF_REFUSED(sort);
    sort.count = ragged_count(sort);
    // Least significant digit first.
    bool counted = sort.algorithm == VKSORT_ALGORITHM_ONESWEEP || sort.algorithm == VKSORT_ALGORITHM_REDUCE_SCAN;
    sort.distribution = Distribution::equal;
    EXPECT_EQ(run_sort(sort).statistics.digitPassesRun, 0u);
    sort.distribution = Distribution::low16;
    EXPECT_EQ(run_sort(sort).statistics.digitPassesRun, counted ? 2u : 0u);
    sort.distribution = Distribution::uniform;
    for (VksortResult result : kResults) {
        sort.result = result;
        Outcome outcome = run_sort(sort);
        EXPECT_EQ(outcome.statistics.digitPassesRun, counted ? 4u : 0u);
        EXPECT_EQ(outcome.statistics.copied, 0u) << "four passes need no copy, and msd none";
    }
}

// Keys in order are left as they are; one key in the wrong place anywhere, and they are not.
class NoticedOrder : public AlgorithmTest {};

TEST_P(NoticedOrder, OneKeyAway) {
    SortCase sort = {.algorithm = GetParam(), .overrides = kSmallTiles};
    RETURN_IF_REFUSED(sort);
    const uint64_t count = 2 * 2048 + 77;
    std::vector<uint64_t> places = {0, 1, count - 3, count - 2, count - 1}; // the last: none
    for (uint64_t edge = 128; edge < count; edge *= 2) {                    // of rows of keys, tiles and chunks
        places.insert(places.end(), {edge - 2, edge - 1, edge, count / 128 * 128 - 1});
    }
    Batch batch;
    for (size_t i = 0; i < places.size(); ++i) {
        sort.key = is_full_level() && i % 3 == 2 ? VKSORT_KEY_F64 : VKSORT_KEY_U32;
        sort.descending = is_full_level() && i % 5 == 1;
        sort.value_size = i % 2 * 4;
        sort.result = i % 4 < 2 ? VKSORT_RESULT_IN_PLACE : VKSORT_RESULT_SEPARATE;
        Keys keys = made_keys(count, [](uint64_t at) { return at / 2 * 3; });
        if (places[i] + 1 < count) {
            keys[places[i]] = keys[places[i] + 1] + 1;
        }
        batch.add(with_keys(sort, "order broken at " + std::to_string(places[i]), keys));
    }
    batch.run();
}

INSTANTIATE_TEST_SUITE_P(All, Distributions, ::testing::ValuesIn(kAlgorithms), algorithm_name);
INSTANTIATE_TEST_SUITE_P(All, NoticedOrder,
                         ::testing::Values(VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD),
                         algorithm_name);

} // namespace
} // namespace vksort::test
