// SPDX-License-Identifier: MIT
//
// Merge sort and locality sort as sorts, and the merge of two inputs.
#include <set>

#include "common.h"

namespace vksort::test {
namespace {

constexpr VksortAlgorithm kMergeSorts[] = {VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_LOCALITY};

constexpr PlanOverrides kManyTiles = {.workgroupSize = 32, .keysPerThread = 7};

class Merge : public DeviceTest, public ::testing::WithParamInterface<VksortAlgorithm> {};

struct Shape {
    VksortKeyType key;
    uint32_t value_size;
    bool argsort;
};

constexpr Shape kShapes[] = {
    {VKSORT_KEY_U32, 0, false}, {VKSORT_KEY_F32, 4, false}, {VKSORT_KEY_U8, 4, false},
    {VKSORT_KEY_I16, 0, false}, {VKSORT_KEY_F64, 0, true},  {VKSORT_KEY_I64, 12, false},
};

// By one plan for all of them; every other one of few values.
void run_counts(SortCase sort, const std::set<uint64_t>& counts) {
    Batch batch;
    Random random(test_seed());
    for (uint64_t count : counts) {
        sort.count = count;
        sort.max_count = *counts.rbegin();
        sort.result = kResults[random.below(3)];
        sort.distribution = count % 2 == 0 ? Distribution::uniform : Distribution::few;
        batch.add(sort);
        batch.add(with_gpu_count(sort, static_cast<uint32_t>(count), sort.max_count));
    }
    batch.add(with_gpu_count(sort, UINT32_MAX, sort.max_count));
    batch.run();
}

// Every key type with every value size, both orders, every place for the result.
TEST_P(Merge, Matrix) {
    for (VksortKeyType key : reference::kAllKeyTypes) {
        Batch batch;
        for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u, 1u}) { // 1: argsort
            if (!tests_pair(key, value_size == 1 ? 4 : value_size)) {
                continue;
            }
            for (bool descending : {false, true}) {
                SortCase sort = {.algorithm = GetParam(),
                                 .key = key,
                                 .value_size = value_size == 1 ? 0 : value_size,
                                 .argsort = value_size == 1,
                                 .descending = descending,
                                 .result = kResults[(value_size / 4 + (descending ? 1 : 0)) % 3],
                                 .distribution = descending ? Distribution::special : Distribution::few,
                                 .overrides = kSmallTiles};
                sort.count = ragged_count(sort, descending ? 2 : 5);
                batch.add(sort);
            }
        }
        batch.run();
    }
}

TEST_P(Merge, CountsAtTheEdges) {
    for (const Shape& shape : kShapes) {
        SortCase sort = {.algorithm = GetParam(),
                         .key = shape.key,
                         .value_size = wide_value(shape.value_size),
                         .argsort = shape.argsort,
                         .overrides = kSmallTiles};
        const uint64_t tile = tile_of(sort);
        std::set<uint64_t> counts = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129};
        for (uint64_t edge : {tile / 2, tile, 2 * tile, 3 * tile, 4 * tile, 5 * tile, 8 * tile, 13 * tile, 16 * tile}) {
            counts.insert({edge - 1, edge, edge + 1});
        }
        run_counts(sort, counts);
    }
}

// A plan of its own for every count: the passes follow maxCount.
TEST_P(Merge, EveryCountToTwoTiles) {
    SortCase sort = {.algorithm = GetParam(), .value_size = 4, .overrides = kSmallTiles};
    const uint64_t last = 2 * tile_of(sort) + 1;
    Batch batch;
    for (uint64_t count = 0; count <= last && !batch.hopeless(); count += is_full_level() ? 1 : 7) {
        sort.count = count;
        batch.add(sort);
    }
    batch.run();
}

TEST_P(Merge, DistributionsOfKeys) {
    Batch batch;
    for (Distribution distribution : kAllDistributions) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64, VKSORT_KEY_I8}) {
            SortCase sort = {.algorithm = GetParam(),
                             .key = key,
                             .value_size = 4,
                             .distribution = distribution,
                             .overrides = kSmallTiles};
            sort.count = ragged_count(sort, 6);
            batch.add(sort);
        }
    }
    batch.run();
}

TEST_P(Merge, WhereKeysComeFromAndGo) {
    Batch batch;
    for (const Shape& shape :
         {Shape{VKSORT_KEY_U32, 4, false}, Shape{VKSORT_KEY_U16, 0, true}, Shape{VKSORT_KEY_I64, 8, false}}) {
        SortCase sort = {.algorithm = GetParam(),
                         .key = shape.key,
                         .value_size = wide_value(shape.value_size),
                         .argsort = shape.argsort,
                         .distribution = Distribution::few,
                         .overrides = kSmallTiles};
        for (uint64_t tiles : {0u, 1u, 2u}) {
            sort.count = ragged_count(sort, tiles);
            for (VksortResult result : kResults) {
                sort.result = result;
                sort.discard_keys = true;
                batch.add(sort);
            }
            sort.discard_keys = false;
            sort.stride = 20;
            sort.offset = 12;
            batch.add(sort);
            sort.stride = 0;
            sort.offset = 0;
        }
    }
    batch.run();
}

// 16 KiB of shared memory, 128 invocations, no feature beyond Vulkan 1.2's own; dispatches folded into two dimensions.
TEST_P(Merge, SmallDevices) {
    Batch batch;
    for (const Shape& shape : kShapes) {
        SortCase sort = {.algorithm = GetParam(),
                         .key = shape.key,
                         .value_size = wide_value(shape.value_size),
                         .argsort = shape.argsort,
                         .limits = kLeastLimits};
        sort.count = ragged_count(sort);
        batch.add(sort);
    }
    batch.run();
    for (uint32_t groups : {1u, 3u}) {
        SortCase sort = {.algorithm = GetParam(),
                         .key = VKSORT_KEY_U16,
                         .value_size = 4,
                         .overrides = kSmallTiles,
                         .limits = {.groups_x = groups}};
        sort.count = 17 * tile_of(sort) + 5;
        run_sort(sort);
    }
}

// More tiles than one workgroup of the partition searches for; searches of many steps, by few invocations.
TEST_P(Merge, ManyTiles) {
    Batch batch;
    for (Distribution distribution : {Distribution::uniform, Distribution::few, Distribution::reversed}) {
        SortCase sort = {.algorithm = GetParam(), .value_size = 4, .distribution = distribution, .overrides = kManyTiles};
        sort.count = 2 * kPartitionTiles * tile_of(sort) + 5;
        batch.add(sort);
        sort.value_size = 0;
        sort.count = 3 * kPartitionTiles * tile_of(sort) / 2;
        batch.add(sort);
    }
    batch.run();
}

TEST_P(Merge, RealTiles) {
    for (const Shape& shape : {kShapes[0], kShapes[1], kShapes[5]}) {
        SortCase sort = {
            .algorithm = GetParam(), .key = shape.key, .value_size = wide_value(shape.value_size), .argsort = shape.argsort};
        sort.count = ragged_count(sort, 9);
        const Outcome outcome = run_sort(sort);
        EXPECT_EQ(outcome.info.algorithm, GetParam());
        EXPECT_EQ(outcome.info.mergePasses, 4u);
    }
}

TEST_P(Merge, BitRangesAreRefused) {
    SortCase sort = {.algorithm = GetParam(), .begin_bit = 0, .end_bit = 8, .count = 100};
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, "radix family");
}

INSTANTIATE_TEST_SUITE_P(Sorts, Merge, ::testing::ValuesIn(kMergeSorts),
                         [](const auto& sort) { return std::string(vksortAlgorithmName(sort.param)); });

// ---- Locality: what is in place is left alone

class MergeLocality : public DeviceTest {};

uint64_t merged_tiles(const Outcome& outcome) {
    uint64_t merged = 0;
    for (uint32_t i = 0; i < outcome.work.mergePasses; ++i) {
        merged += outcome.work.passes[i].merged;
    }
    return merged;
}

TEST_F(MergeLocality, SortedInputIsNotMerged) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_LOCALITY,
                     .value_size = 4,
                     .distribution = Distribution::sorted,
                     .overrides = kSmallTiles};
    sort.count = 16 * tile_of(sort);
    const Outcome outcome = run_sort(sort);
    EXPECT_EQ(outcome.work.mergePasses, 4u);
    EXPECT_EQ(merged_tiles(outcome), 0u);
    EXPECT_EQ(outcome.work.passes[0].copied, 16u) << "the first pass has the data in one slot only";
    EXPECT_EQ(outcome.work.passes[1].copied, 0u) << "both slots hold it";
}

TEST_F(MergeLocality, UniformInputIsMergedInEveryPass) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_LOCALITY, .overrides = kSmallTiles};
    sort.count = 16 * tile_of(sort);
    EXPECT_EQ(merged_tiles(run_sort(sort)), 64u);
}

TEST_F(MergeLocality, AnyNumberOfWorkgroupsDrains) {
    for (uint32_t groups : {1u, 2u, 1000u}) {
        SortCase sort = {.algorithm = VKSORT_ALGORITHM_LOCALITY,
                         .value_size = 4,
                         .distribution = Distribution::nearly_sorted,
                         .overrides = kSmallTiles};
        sort.overrides.drainGroups = groups;
        sort.count = 20 * tile_of(sort) + 3;
        run_sort(sort);
    }
}

// ---- Merge of two inputs

class MergeInputs : public DeviceTest {};

// Together a tile or less, a tile's boundary anywhere in either.
TEST_F(MergeInputs, EveryPairOfLengthsToSeventy) {
    PlanOverrides tiny;
    tiny.workgroupSize = 16;
    tiny.keysPerThread = 4;
    Batch batch;
    for (uint64_t a = 0; a <= 70 && !batch.hopeless(); ++a) {
        for (uint64_t b = 0; b <= 70; ++b) {
            MergeCase merge = {.value_size = 4,
                               .count_a = a,
                               .count_b = b,
                               .max_a = 70,
                               .max_b = 70,
                               .gpu_counts = (a + b) % 2 == 1,
                               .distribution = (a + b) % 3 == 0 ? Distribution::few : Distribution::uniform,
                               .overrides = tiny};
            merge.overrides.mergePartition = a % 2 == 0;
            batch.add(merge);
        }
    }
    batch.run();
}

TEST_F(MergeInputs, EveryKeyAndValue) {
    for (VksortKeyType key : reference::kAllKeyTypes) {
        Batch batch;
        for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u, 1u}) { // 1: argsort
            if (!tests_pair(key, value_size == 1 ? 4 : value_size)) {
                continue;
            }
            for (bool descending : {false, true}) {
                MergeCase merge = {.key = key,
                                   .value_size = value_size == 1 ? 0 : value_size,
                                   .argsort = value_size == 1,
                                   .descending = descending,
                                   .count_a = 1301,
                                   .count_b = descending ? 77u : 2222u,
                                   .distribution = Distribution::few,
                                   .overrides = kSmallTiles};
                merge.overrides.mergePartition = descending;
                batch.add(merge);
                if (value_size != 0) {
                    merge.discard_keys = true;
                    batch.add(merge);
                }
            }
        }
        batch.run();
    }
}

TEST_F(MergeInputs, OneBeforeTheOther) {
    Batch batch;
    for (int order : {-1, 0, 1}) {
        for (Distribution distribution : {Distribution::uniform, Distribution::equal, Distribution::special}) {
            for (uint64_t a : {0u, 1u, 511u, 512u, 513u, 5000u}) {
                for (uint64_t b : {0u, 1u, 512u, 3000u}) {
                    batch.add(MergeCase{.value_size = 4,
                                        .count_a = a,
                                        .count_b = b,
                                        .distribution = distribution,
                                        .order_of_inputs = order,
                                        .overrides = kSmallTiles});
                }
            }
        }
    }
    batch.run();
}

// As Merge.ManyTiles, and with keys of later tiles read ahead.
TEST_F(MergeInputs, ManyTiles) {
    SKIP_BELOW_FULL_LEVEL();
    Batch batch;
    const uint64_t tile = kManyTiles.workgroupSize * kManyTiles.keysPerThread;
    for (uint32_t ahead : {0u, 1u, 3u}) {
        for (Distribution distribution : kAllDistributions) {
            // 3000 of A before B: even lists would have the place of a tile where the search ends.
            for (uint64_t a : {uint64_t{3}, uint64_t{3000}, 40 * tile + 1, kPartitionTiles * tile, 130 * tile - 1}) {
                MergeCase merge = {.key = a % 2 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_I64,
                                   .value_size = distribution == Distribution::uniform ? 0u : 4u,
                                   .count_a = a,
                                   .count_b = 2 * kPartitionTiles * tile,
                                   .gpu_counts = ahead == 1,
                                   .distribution = distribution,
                                   .order_of_inputs = distribution == Distribution::few ? -1 : 0,
                                   .overrides = kManyTiles};
                merge.overrides.mergePartition = true;
                merge.overrides.prefetchTiles = ahead;
                batch.add(merge);
            }
        }
    }
    batch.run();
}

TEST_F(MergeInputs, RealTilesAndSmallDevices) {
    SKIP_BELOW_FULL_LEVEL();
    Batch batch;
    for (const Limits& limits : {Limits{}, kLeastLimits, Limits{.groups_x = 2}}) {
        batch.add(MergeCase{.value_size = 8, .count_a = 20'001, .count_b = 9'999, .limits = limits});
        batch.add(MergeCase{.key = VKSORT_KEY_F64, .count_a = 11, .count_b = 30'000, .limits = limits});
        batch.add(MergeCase{.key = VKSORT_KEY_U8, .count_a = 7'003, .count_b = 8'001, .limits = limits});
    }
    batch.run();
}

TEST_F(MergeInputs, CountsBelowTheMaximum) {
    Batch batch;
    for (bool gpu : {false, true}) {
        for (uint64_t a : {0u, 1u, 700u, 3000u}) {
            batch.add(MergeCase{.value_size = 4,
                                .count_a = a,
                                .count_b = 3000 - a,
                                .max_a = 3000,
                                .max_b = 4000,
                                .gpu_counts = gpu,
                                .overrides = kSmallTiles});
        }
    }
    batch.run();
}

TEST_F(MergeInputs, RefusedInWords) {
    VksortPlanDesc desc = description_of(MergeCase{.count_a = 10, .count_b = 10});
    VksortPlan plan = VK_NULL_HANDLE;
    desc.result = VKSORT_RESULT_IN_PLACE;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("VKSORT_RESULT_SEPARATE");
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("a merge runs by the algorithm merge or auto");
    desc.algorithm = VKSORT_ALGORITHM_AUTO;
    desc.keyType = VKSORT_KEY_COMPARATOR;
    EXPECT_EQ(context().plan(desc, {}, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("needs a comparator");
}

} // namespace
} // namespace vksort::test
