// SPDX-License-Identifier: MIT
//
// Runs every kernel of the library over few keys in small tiles, for a validation layer that sees races on shared
// memory (VKSORT_TEST_RACES=1). Each test sorts what takes all kernels of a family, those for CPU drivers and those for
// GPUs, and says which it has not reached.
#include <set>

#include "../harness/gpu_validation.h"
#include "bucket_sorts.h"
#include "msd_cases.h"
#include "segment_layouts.h"
#include "shader_table.h"

namespace vksort::test {
namespace {

constexpr Distribution kFewAndMany[] = {Distribution::few, Distribution::uniform};
constexpr VksortKeyType kOneAndTwoWords[] = {VKSORT_KEY_U32, VKSORT_KEY_U64};

// The layer keeps as much shared memory of its own as a kernel has, and leaves kernels alone that have more than half
// of what there is.
Limits limits_for_layer(bool is_gpu) {
    return {.shared_memory = context().info().maxSharedMemorySize / 2, .is_gpu = is_gpu};
}

class Races : public DeviceTest {
protected:
    void SetUp() override {
        DeviceTest::SetUp();
        if (!checks_races()) {
            GTEST_SKIP() << "races on shared memory are checked with VKSORT_TEST_RACES=1";
        }
        if (const std::string why = why_races_go_unnoticed(); !why.empty()) {
            GTEST_SKIP() << why;
        }
        SKIP_WITHOUT_BALLOTS();
    }

    // As on a CPU driver or, where there is a choice by ballots, on a GPU.
    template <typename Case> void run_as(bool is_gpu, std::vector<Case> cases) {
        Batch batch;
        for (Case& each : cases) {
            each.limits = limits_for_layer(is_gpu);
            each.overrides.workgroupSize = std::min(each.overrides.workgroupSize, workgroup());
            each.overrides.partitionWorkgroupSize = std::min(each.overrides.partitionWorkgroupSize, workgroup());
            each.overrides.largeWorkgroupSize = std::min(each.overrides.largeWorkgroupSize, workgroup());
            if (is_gpu) {
                each.overrides.rank = each.overrides.rank != 0 ? each.overrides.rank : kRankBallots;
            }
            batch.add(each);
        }
        batch.run();
        for (const Outcome& outcome : batch.outcomes()) {
            reached_.insert(outcome.kernels.begin(), outcome.kernels.end());
        }
    }
    template <typename Case> void run_as_both(const std::vector<Case>& cases) {
        run_as(false, cases);
        run_as(true, cases);
    }

    // Of ballots, which have a histogram a subgroup.
    static uint32_t workgroup() { return std::min(64u, 8 * context().info().maxSubgroupSize); }

    void expect_reached(std::initializer_list<const char*> prefixes) const {
        for (uint32_t i = 0; i < kShaderModuleCount; ++i) {
            const std::string name = kShaderModules[i].name;
            for (const char* prefix : prefixes) {
                if (name.starts_with(prefix)) {
                    EXPECT_TRUE(reached_.contains(name)) << name << " was not reached";
                }
            }
        }
    }

    Random random_{test_seed()};

private:
    std::set<std::string> reached_;
};

// Keys of one word and of two, alone and with values, few ones and many.
std::vector<SortCase> every_kind_of(const SortCase& sort, uint64_t tiles) {
    std::vector<SortCase> sorts;
    for (VksortKeyType key : kOneAndTwoWords) {
        for (uint32_t value_size : {0u, 4u}) {
            for (Distribution distribution : kFewAndMany) {
                sorts.push_back(sort);
                sorts.back().key = key;
                sorts.back().value_size = value_size;
                sorts.back().distribution = distribution;
                sorts.back().count = tiles * kTile - 60 * value_size - 5;
            }
        }
    }
    return sorts;
}

TEST_F(Races, OneWorkgroup) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP, .overrides = kSmallTiles};
    std::vector<SortCase> sorts;
    for (VksortKeyType key : kOneAndTwoWords) {
        for (uint32_t value_size : {0u, 4u}) {
            for (Distribution distribution :
                 {Distribution::few, Distribution::uniform, Distribution::zipf, Distribution::clusters}) {
                for (bool skewed : {false, true}) {
                    sort.key = key;
                    sort.value_size = value_size;
                    sort.distribution = distribution;
                    sort.overrides.skewedBins = skewed && key == VKSORT_KEY_U32 && value_size == 0;
                    sort.count = 256 - value_size;
                    sorts.push_back(sort);
                }
            }
        }
    }
    run_as_both(sorts);
    expect_reached({"one_workgroup_"});
}

TEST_F(Races, Gather) {
    Batch batch;
    batch.add(GatherCase{.record_size = 12, .count = 100, .limits = limits_for_layer(false)});
    batch.run();
    for (const Outcome& outcome : batch.outcomes()) {
        EXPECT_EQ(outcome.kernels, std::vector<std::string>{"gather"});
    }
}

TEST_F(Races, DigitPasses) {
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        SortCase sort = {.algorithm = algorithm, .overrides = kSmallTiles};
        std::vector<SortCase> sorts = every_kind_of(sort, 3);
        sort.count = 3 * kTile;
        sort.distribution = Distribution::sorted;
        sorts.push_back(sort);
        sort.distribution = Distribution::low16; // which the copy brings where it belongs
        sort.digit_mask = 1;
        for (VksortKeyType key : kOneAndTwoWords) {
            sort.key = key;
            sorts.push_back(sort);
        }
        sort.key = VKSORT_KEY_U8;
        sorts.push_back(sort);
        run_as_both(sorts);
    }
    SortCase silent = {
        .algorithm = VKSORT_ALGORITHM_ONESWEEP, .value_size = 4, .count = 3 * kTile, .overrides = kSmallTiles};
    silent.overrides.stallModulo = 2; // so that look-back counts for tiles
    run_as_both(std::vector<SortCase>{silent});
    // What atomics return, in order or not.
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_ONESWEEP, .count = 3 * kTile, .overrides = kSmallTiles};
    sort.overrides.rank = kRankAtomics;
    std::vector<SortCase> sorts;
    for (uint32_t disorder : {0u, 2u}) {
        sort.overrides.disorderModulo = disorder;
        for (Distribution distribution : kFewAndMany) {
            sort.distribution = distribution;
            sorts.push_back(sort);
        }
    }
    run_as(true, sorts);
    // Behind buckets that do not take the keys: passes that have been sized before, and one dispatch for all.
    sorts.clear();
    for (VksortKeyType key : kOneAndTwoWords) {
        sort = bucket_sort({.name = "one level"}, key);
        sort.distribution = Distribution::few;
        sorts.push_back(sort);
    }
    for (VksortKeyType key : kOneAndTwoWords) {
        for (uint32_t value_size : {0u, 4u}) {
            sort = bucket_sort({.name = "one dispatch", .together = true}, key);
            sort.value_size = value_size;
            sort.distribution = value_size == 0 ? Distribution::few : Distribution::and2;
            if (key == VKSORT_KEY_U64) {
                sort.overrides.workgroupSize = 32; // or it takes too much shared memory
            }
            sort.count = 12 * uint64_t{sort.overrides.workgroupSize} * sort.overrides.keysPerThread;
            sorts.push_back(sort);
        }
    }
    run_as_both(sorts);
    sort = sorts[2];
    sort.overrides.rank = kRankAtomics;
    run_as(true, std::vector<SortCase>{sort});
    expect_reached({"radix_"});
}

TEST_F(Races, Msd) {
    std::vector<SortCase> sorts = every_kind_of(msd(), 5);
    for (uint32_t value_size : {0u, 4u}) {
        SortCase sort = msd(VKSORT_KEY_U32, value_size);
        sort.count = 5 * kTile;
        sort.distribution = Distribution::zipf;
        sort.overrides.indexed = true;
        sorts.push_back(sort);
    }
    for (VksortKeyType key : kOneAndTwoWords) { // enough keys for padded buckets by their first digits
        SortCase sort = msd(key);
        sort.count = 5 * kTile;
        sort.distribution = Distribution::sorted;
        sorts.push_back(sort);
        sort.distribution = Distribution::uniform;
        sort.count = 257 * kTile;
        sorts.push_back(sort);
    }
    run_as_both(sorts);
    expect_reached({"msd_", "msd_count", "msd_scan", "msd_partition_keys"});
}

TEST_F(Races, SegmentedMsd) {
    std::vector<SegmentedCase> sorts;
    const uint64_t count = 5 * kTile + 7;
    const Layout shapes[] = {lengths("one", count, [&](size_t) { return count; }),
                             lengths("short, long and middling", count, [](size_t i) {
                                 return i % 3 == 1 ? 700 : i % 3 == 0 ? 1100 : 1 + i % 50;
                             })};
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_U8}) {
        for (uint32_t value_size : {0u, 4u}) {
            for (Distribution distribution : kFewAndMany) {
                for (const Layout& shape : shapes) {
                    const size_t i = sorts.size();
                    SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES,
                                          .key = key,
                                          .value_size = value_size,
                                          .argsort = false,
                                          .count = count,
                                          .kind = kKinds[(i + i / 4) % std::size(kKinds)],
                                          .distribution = distribution,
                                          .overrides = kSmallTiles};
                    sort.overrides.largeWorkgroupSize = 128;
                    sort.overrides.largeKeysPerThread = 8;
                    if (i % 4 == 3) {
                        sort.result = VKSORT_RESULT_SEPARATE;
                        sort.stride = 16;
                    }
                    sorts.push_back(with(sort, shape));
                }
            }
        }
    }
    run_as_both(sorts);
    // msd leaves what its finish refuses to digits, or to merging.
    std::vector<SortCase> skewed = every_kind_of(msd(), 5);
    for (SortCase& sort : skewed) {
        sort.distribution = Distribution::zipf;
    }
    run_as_both(skewed);
    expect_reached({"msd_copy", "msd_blocks", "msd_jobs", "msd_partition_k", "msd_finish", "msd_digits", "msd_skewed",
                    "segment_heads"});
}

TEST_F(Races, Segments) {
    std::vector<SegmentedCase> sorts;
    const uint64_t count = 5 * kTile + 7;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_U8}) {
        for (uint32_t value_size : {0u, 4u}) {
            const Layout shape = lengths("mixed", count, [](size_t i) { return i % 5 == 1 ? 1500 : 1 + i * 7 % 90; });
            sorts.push_back(with({.key = key,
                                  .value_size = value_size,
                                  .count = count,
                                  .kind = kKinds[sorts.size() % std::size(kKinds)],
                                  .distribution = value_size == 0 ? Distribution::uniform : Distribution::few,
                                  .overrides = kSmallTiles},
                                 shape));
        }
    }
    run_as(false, sorts); // GPUs get the same kernels
    run_as(false, every_kind_of({.algorithm = VKSORT_ALGORITHM_LOCALITY, .overrides = kSmallTiles}, 5));
    expect_reached({"segment"});
}

TEST_F(Races, Merges) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_MERGE, .overrides = kSmallTiles};
    std::vector<SortCase> sorts = every_kind_of(sort, 6);
    sort.key = VKSORT_KEY_U16;
    sort.count = 3 * kTile;
    sorts.push_back(sort);
    sorts.push_back(with_gpu_count(sort, static_cast<uint32_t>(sort.count), sort.count)); // which has a setup
    run_as(false, sorts);                                                                 // GPUs get the same kernels
    std::vector<MergeCase> merges;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_U8}) {
        for (uint32_t value_size : {0u, 4u}) {
            for (bool partition : {false, true}) {
                MergeCase merge = {.key = key,
                                   .value_size = value_size,
                                   .count_a = 3 * kTile,
                                   .count_b = 2 * kTile + 9,
                                   .distribution = partition ? Distribution::few : Distribution::uniform,
                                   .overrides = kSmallTiles};
                merge.overrides.mergePartition = partition;
                merge.overrides.prefetchTiles = partition ? 1 : 0;
                merges.push_back(merge);
            }
        }
    }
    run_as(false, merges);
    expect_reached({"merge_"});
}

TEST_F(Races, SampleSort) {
    using Step = PlanOverrides::SampleStep;
    std::vector<SortCase> sorts;
    for (Step step : {Step::ranks, Step::buckets}) {
        SortCase sort = {.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT, .overrides = kSmallTiles};
        sort.overrides.keysPerThread = 2; // buckets have room for twice as many
        sort.overrides.sampleStep = step;
        const std::vector<SortCase> more = every_kind_of(sort, 2);
        sorts.insert(sorts.end(), more.begin(), more.end());
        sort.distribution = Distribution::zipf;
        sort.count = 2 * kTile;
        sorts.push_back(sort);
        if (step == Step::buckets) {
            sort.overrides.sweeps = PlanOverrides::Sweeps::together;
            sort.overrides.leftElements = 1;
            sorts.push_back(sort);
        }
    }
    run_as_both(sorts);
    expect_reached({"sample_"});
}

TEST_F(Races, BucketSort) {
    std::vector<SortCase> sorts;
    for (const Way& way : kWays) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_F32}) {
            for (uint32_t value_size : {0u, 4u}) {
                if (!way.always || (way.before_msd && value_size != 0) || (key == VKSORT_KEY_F32 && value_size != 0)) {
                    continue;
                }
                SortCase sort = bucket_sort(way, key);
                sort.value_size = value_size;
                sort.count = 10 * kTile;
                sorts.push_back(sort);
                sort.distribution = Distribution::few;
                sorts.push_back(sort);
                const uint32_t bits = reference::key_bits(key);
                Keys keys = uniform_keys(sort.count, uint64_t{1} << (bits - 2), reference::low_bits(bits - 3), random_);
                keys[sort.count / 2 + 3] = reference::low_bits(bits);
                sorts.push_back(with_keys(sort, "but one in the range, which no sample has", keys));
                std::fill(keys.begin(), keys.begin() + 300, keys[0]);
                shuffle(keys, random_);
                sorts.push_back(with_keys(sort, "300 equal ones", std::move(keys)));
            }
        }
    }
    run_as_both(sorts);
    // Not bucket_distribution, whose histogram takes more than half of the shared memory that CPU drivers have, nor
    // bucket_restore, which uses no shared memory.
    expect_reached({"bucket_setup", "bucket_partition", "bucket_indices", "bucket_finish"});
}

// No kernel is in no test.
TEST_F(Races, KnowEveryKernel) {
    for (uint32_t i = 0; i < kShaderModuleCount; ++i) {
        const std::string name = kShaderModules[i].name;
        bool known = false;
        for (const char* family :
             {"one_workgroup_", "gather", "radix_", "msd_", "msd_", "segment", "merge_", "sample_", "bucket_"}) {
            known = known || name.starts_with(family);
        }
        EXPECT_TRUE(known) << name;
    }
}

} // namespace
} // namespace vksort::test
