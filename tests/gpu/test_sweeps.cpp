// SPDX-License-Identifier: MIT
//
// onesweep in one dispatch, which sorts what bucket_sort leaves: stages that workgroups wait for, or leave, so that others
// have to do all the rest.
#include "bucket_sorts.h"

namespace vksort::test {
namespace {

class Sweeps : public DeviceTest {
protected:
    // Left to onesweep, and sorted by as many digits as it takes to get everything where it belongs.
    static void expect_swept(const std::vector<SortCase>& sorts, uint64_t least_fallbacks = 0) {
        Batch batch;
        ASSERT_NO_FATAL_FAILURE(run_all(sorts, batch));
        for (size_t i = 0; i < sorts.size(); ++i) {
            const Outcome& outcome = batch.outcomes()[i];
            EXPECT_FALSE(outcome.by_buckets) << describe(sorts[i]);
            EXPECT_GE(outcome.statistics.digitPassesRun, outcome.varying_digits) << describe(sorts[i]);
            EXPECT_GE(outcome.statistics.fallbacks, least_fallbacks * outcome.statistics.digitPassesRun)
                << describe(sorts[i]);
        }
    }
};

// And a part of one: kMostSweptTiles.
constexpr uint64_t kTiles = 14;

SortCase swept(VksortKeyType key, uint32_t value_size = 0, Distribution distribution = Distribution::and2) {
    SortCase sort = bucket_sort({"one dispatch", false, false, 0, true}, key);
    sort.value_size = value_size;
    sort.distribution = distribution;
    sort.count = kTiles * kBucket + 77;
    return sort;
}

std::vector<SortCase> every_kind(const PlanOverrides& overrides) {
    std::vector<SortCase> sorts = {
        swept(VKSORT_KEY_U32),
        swept(VKSORT_KEY_F32, 4, Distribution::zipf),
        swept(VKSORT_KEY_I64, 0, Distribution::few),
        swept(VKSORT_KEY_U64, 4, Distribution::and5),
        swept(VKSORT_KEY_I32, wide_value(12), Distribution::few),
        swept(VKSORT_KEY_F64, wide_value(16), Distribution::and3),
        swept(VKSORT_KEY_U32, wide_value(8), Distribution::equal),
        swept(VKSORT_KEY_U32, 0, Distribution::sorted),
        swept(VKSORT_KEY_U32),
        swept(VKSORT_KEY_F32),
        swept(VKSORT_KEY_U64),
        swept(VKSORT_KEY_F32, 4, Distribution::and4),
    };
    for (size_t i = 0; i < sorts.size(); ++i) {
        SortCase& sort = sorts[i];
        sort.overrides = overrides;
        sort.result = i % 2 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
        sort.descending = i % 3 == 0;
    }
    sorts[8].argsort = true;
    sorts[8].discard_keys = true;
    sorts[9].argsort = true;
    sorts[10].stride = 24;
    sorts[10].offset = 8;
    sorts[11].discard_keys = true;
    return sorts;
}

TEST_F(Sweeps, EveryKindOfSort) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    expect_swept(every_kind(swept(VKSORT_KEY_U32).overrides));
}

// Who finds a stage unfinished leaves at once; the workgroup that finishes it goes on alone.
TEST_F(Sweeps, NoPatienceAtAll) {
    SKIP_BELOW_FULL_LEVEL();
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    PlanOverrides overrides = swept(VKSORT_KEY_U32).overrides;
    overrides.spinLimit = 1;
    expect_swept(every_kind(overrides));
}

TEST_F(Sweeps, EveryOtherTileIsSilent) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    std::vector<SortCase> sorts;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
        for (uint32_t value_size : {0u, 4u}) {
            sorts.push_back(swept(key, value_size));
            sorts.back().overrides.stallModulo = 2;
        }
    }
    expect_swept(sorts, kTiles / 2);
}

TEST_F(Sweeps, AtomicsInAnotherOrder) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    std::vector<SortCase> sorts;
    for (uint32_t modulo : {1u, 3u}) {
        if (modulo == 1 && tests_few_pairs()) {
            continue;
        }
        sorts.push_back(swept(VKSORT_KEY_U32));
        PlanOverrides& overrides = sorts.back().overrides;
        overrides.rank = kRankAtomics;
        overrides.disorderModulo = modulo;
    }
    expect_swept(sorts, 1);
}

// Tiles that are just full, or have an element more, and fewer than workgroups.
TEST_F(Sweeps, CountsFromTheGpu) {
    RETURN_IF_REFUSED(SortCase{.algorithm = VKSORT_ALGORITHM_BUCKET_SORT});
    Batch batch;
    const uint64_t most = swept(VKSORT_KEY_U32).count;
    for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{2}, kBucket - 1, kBucket, kBucket + 1, 5 * kBucket,
                           9 * kBucket, 9 * kBucket + 1, most}) {
        SortCase sort = swept(VKSORT_KEY_U32, count % 2 * 4);
        sort.result = count % 3 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
        batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), most));
    }
    batch.run();
    for (const Outcome& outcome : batch.outcomes()) {
        EXPECT_FALSE(outcome.by_buckets && outcome.statistics.count > 0) << outcome.statistics.count;
    }
}

} // namespace
} // namespace vksort::test
