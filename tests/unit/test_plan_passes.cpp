// SPDX-License-Identifier: MIT
//
// What the plans of each algorithm are made of: tiles, levels, passes. Those of sample_sort and bucket_sort are in
// test_plan_buckets.cpp.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "ops/ops.h"
#include "plan_checks.h"
#include "shader_ids.h"

namespace vksort::test {
namespace {

std::string first_passes_of(const Plan& plan) {
    std::string names;
    for (uint32_t i = 0; i < std::min(plan.info.passCount, 4u); ++i) {
        names += std::string(i == 0 ? "" : ", ") + plan.passes[i].name;
    }
    return names;
}

// A dispatch before the merging only where it pays, a setup only where a kernel has to be told what the host does not know.
TEST(Plan, PassesOfMerges) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto passes_of = [&device](const VksortPlanDesc& desc) { return first_passes_of(plan_of(device, desc)); };
    VksortPlanDesc sort = {};
    sort.algorithm = VKSORT_ALGORITHM_MERGE;
    for (const VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        for (const uint64_t count : {1u << 20, 1u << 23}) {
            sort.keyType = key;
            sort.maxCount = count;
            sort.flags = 0;
            EXPECT_EQ(passes_of(sort), "blocksort, merge 0, merge 1, merge 2");
            sort.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
            EXPECT_EQ(passes_of(sort), "setup, blocksort, merge 0, merge 1");
        }
    }

    VksortPlanDesc merge = {};
    merge.operation = VKSORT_OPERATION_MERGE;
    merge.result = VKSORT_RESULT_SEPARATE;
    merge.maxCount = 1 << 20;
    merge.maxCountB = 1 << 20;
    EXPECT_EQ(passes_of(merge), "merge 0");
    merge.maxCount = 1 << 23;
    EXPECT_EQ(passes_of(merge), "partition 0, merge 0");
    merge.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
    EXPECT_EQ(passes_of(merge), "setup, partition 0, merge 0");
}

// Under a comparator many keys are merged four lists at a time, with a setup, and what comes out of few is as without one.
TEST(Plan, PassesOfMergesByComparators) {
    VksortComparator_T comparator;
    comparator.keyWords = 1;
    comparator.kernels[kComparatorFourwayPass].name = "fourway";
    for (ShaderModule& kernel : comparator.kernels) {
        kernel.name = kernel.name != nullptr ? kernel.name : "";
    }
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto passes_of = [&](uint64_t count, uint32_t ways) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_MERGE;
        desc.keyType = VKSORT_KEY_COMPARATOR;
        desc.comparator = &comparator;
        desc.maxCount = count;
        Plan plan;
        Message message;
        PlanOverrides overrides;
        overrides.mergeWays = ways;
        EXPECT_EQ(make_plan(device, desc, overrides, plan, message), VK_SUCCESS) << message.text;
        check_merges(device, plan);
        return first_passes_of(plan);
    };
    for (const uint64_t count : {1u << 20, 1u << 23}) {
        EXPECT_EQ(passes_of(count, 2), "blocksort, merge 0, merge 1, merge 2");
        EXPECT_EQ(passes_of(count, 4), "setup, blocksort, partition 0, merge 0");
    }
    EXPECT_EQ(passes_of(1 << 20, 0), passes_of(1 << 20, 2));
    EXPECT_EQ(passes_of(1 << 23, 0), passes_of(1 << 23, 4)) << "32 MiB and more";
}

// Its tiles follow the count, from table to table: about every power of 256 that keys of even digits leave in a tile they
// are others.
TEST(Plan, MsdAtEveryCount) {
    for (const VksortDeviceInfo& device : devices_with_known_subgroups()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_MSD;
                desc.keyType = key;
                desc.valueSize = value_size;
                for (double count = 1000; count < 1.6e7; count *= 1.02) {
                    desc.maxCount = static_cast<uint64_t>(count);
                    Plan plan;
                    Message message;
                    ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS)
                        << describe(device, desc) << message.text;
                    check_plan(device, plan);
                }
            }
        }
    }
}

// A level for each digit where not everything fits a tile; keys without values are partitioned by another kernel than
// values.
TEST(Plan, LevelsOfMsd) {
    for (const VksortDeviceInfo& device : devices_with_known_subgroups()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 8u}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_MSD;
                desc.keyType = key;
                desc.valueSize = value_size;
                const auto partitions = [&](uint64_t count, const char* kernel) {
                    desc.maxCount = count;
                    uint32_t passes = VKSORT_MAX_PASSES;
                    VksortPassInfo infos[VKSORT_MAX_PASSES];
                    EXPECT_EQ(vksortDescribePasses(&device, &desc, count, &passes, infos), VK_SUCCESS);
                    return std::count_if(infos, infos + passes, [kernel](const VksortPassInfo& info) {
                        return std::strncmp(info.kernel, kernel, std::strlen(kernel)) == 0 &&
                               std::strcmp(info.name, "coarse buckets") != 0;
                    });
                };
                const char* used = value_size == 0 ? "msd_partition_keys_k" : "msd_partition_k";
                const char* other = value_size == 0 ? "msd_partition_k1" : "msd_partition_keys_k";
                SCOPED_TRACE(describe(device, desc));
                EXPECT_EQ(partitions(500, used), 0);
                EXPECT_EQ(partitions(1'000'000, other), 0);
                desc.maxCount = 1'000'000;
                VksortPlanInfo info;
                ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
                // A level a digit or, where onesweep may follow, one more than uniformly distributed keys take to fit a
                // tile, of floats two.
                uint32_t levels = reference::key_size(key);
                if (levels >= 4 && (device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0) {
                    const uint32_t even = 1'000'000 / kRadix <= info.tileSize ? 1 : 2;
                    levels = std::min(levels, even + (key == VKSORT_KEY_F32 || key == VKSORT_KEY_F64 ? 2 : 1));
                }
                EXPECT_EQ(partitions(1'000'000, used), levels);
                // The most without a level is a whole tile.
                uint64_t tile = 500;
                for (uint64_t beyond = 1'000'000; beyond - tile > 1;) {
                    const uint64_t middle = (tile + beyond) / 2;
                    (partitions(middle, used) == 0 ? tile : beyond) = middle;
                }
                desc.maxCount = tile;
                ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
                EXPECT_EQ(info.tileSize, tile);
                EXPECT_GE(info.tileSize, 512u);
            }
        }
    }
}

// Dispatches with nothing to do take time, too: msd has few for skewed keys, and one for all of onesweep's passes where
// there are few elements.
TEST(Plan, MsdHasFewPasses) {
    VksortPlanDesc desc = {};
    desc.keyType = VKSORT_KEY_U64;
    desc.valueSize = 4;
    desc.maxCount = 1 << 22;
    const Plan plan = plan_of(gpu_device(0x10DE, 32, 32), desc);
    EXPECT_EQ(plan.info.algorithm, VKSORT_ALGORITHM_MSD);
    EXPECT_LE(plan.info.passCount, 13u);
}

// In one workgroup bins follow skewed keys of 8 bytes, and of 4 where their tile has more than 2048, with ballots. Those
// with values are packed.
TEST(Plan, WhereBinsFollowSkewedKeys) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u}) {
                for (uint64_t count : {1000u, 2048u, 2049u, 4096u}) {
                    VksortPlanDesc desc = {};
                    desc.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP;
                    desc.keyType = key;
                    desc.valueSize = value_size;
                    if (count > one_workgroup_limit(device, desc, {})) {
                        continue;
                    }
                    desc.maxCount = count;
                    const Plan plan = plan_of(device, desc);
                    const uint32_t* sizes = plan.passes[0].specialization;
                    const uint32_t tile = sizes[kSpecWorkgroupSize] * sizes[kSpecKeysPerThread];
                    const bool ballots = sizes[kSpecSubgroupSize] > 1 && reference::key_size(key) == 4;
                    const bool follow = ballots && value_size == 0 && tile > 2048;
                    const bool indexed = ballots && value_size > 0;
                    EXPECT_EQ(plan.passes[0].module == kModule_one_workgroup_k1_skewed_ballot, follow)
                        << describe(device, desc);
                    EXPECT_EQ(plan.passes[0].module == kModule_one_workgroup_k1_indexed_ballot, indexed)
                        << describe(device, desc);
                    // Room for any element's number, of the whole tile or half of it, so that few kernels serve all counts.
                    const auto bits = std::max(static_cast<uint64_t>(std::bit_width(count - 1)),
                                               static_cast<uint64_t>(std::bit_width(tile - 1)) - 1);
                    EXPECT_EQ(sizes[kSpecIndexedKeyBits], indexed ? bits : 0) << describe(device, desc);
                }
            }
        }
    }
}

// A second finish where segments may be too long for the first one, and levels where they may be too long for both.
TEST(Plan, LargeFinish) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto planned = [&device](uint64_t count, uint64_t segments, uint32_t valueSize = 0,
                                   const PlanOverrides& overrides = {}) {
        VksortPlanDesc desc = {};
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = VKSORT_SEGMENTS_OFFSETS;
        desc.maxCount = count;
        desc.maxSegments = segments;
        desc.valueSize = valueSize;
        const Plan plan = plan_of(device, desc, overrides);
        return std::pair{has_pass(plan, "large finish"), has_pass(plan, "count 0")};
    };
    const std::pair neither = {false, false}, large = {true, false}, levels = {false, true}, both = {true, true};
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 100), levels);
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 1000), both);
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 1000, 4), both);
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 1000, 8), both);
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 10'000, 4), both);
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 10'000, 8), levels) << "too few segments fit it";
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 100'000), levels);
    for (uint32_t valueSize : {0u, 4u, 8u, 16u}) { // for digits
        EXPECT_EQ(planned(1 << 24, (1 << 24) / 199'000, valueSize), levels);
        EXPECT_EQ(planned(1 << 24, (1 << 24) / 201'000, valueSize), both);
    }
    EXPECT_EQ(planned(2000, 2), neither);
    EXPECT_EQ(planned(4000, 4), large);
    EXPECT_EQ(planned(6000, 6), both);
    PlanOverrides overrides;
    overrides.workgroupSize = 128;
    overrides.keysPerThread = 4;
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 1000, 0, overrides), levels) << "sizes for tests stand alone";
    overrides.largeWorkgroupSize = 128;
    overrides.largeKeysPerThread = 8;
    EXPECT_EQ(planned(1 << 24, (1 << 24) / 1000, 0, overrides), both);
}

// Whole long segments with values have many rows of counts to scan.
TEST(Plan, ScansOfLongSegments) {
    uint32_t scans[2] = {};
    for (const VksortDeviceInfo& device : devices_with_known_subgroups()) {
        for (uint64_t mean : {10'000u, 300'000u}) {
            for (uint32_t valueSize : {0u, 4u}) {
                VksortPlanDesc desc = {};
                desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
                desc.algorithm = VKSORT_ALGORITHM_SIZE_CLASSES;
                desc.segments = VKSORT_SEGMENTS_OFFSETS;
                desc.maxCount = 10 * mean;
                desc.maxSegments = 10;
                desc.valueSize = valueSize;
                const Plan plan = plan_of(device, desc);
                const bool wide = mean == 300'000 && valueSize == 4;
                for (uint32_t i = 0; i < plan.info.passCount; ++i) {
                    if (std::strncmp(plan.passes[i].name, "scan ", 5) == 0) {
                        const uint32_t most = wide && plan.passes[i].name[5] == '0' ? 1024 : 256;
                        const uint32_t size = plan.passes[i].specialization[kSpecWorkgroupSize];
                        EXPECT_LE(size, std::min(most, device.maxWorkgroupInvocations)) << describe(device, desc);
                        // Others may have too many subgroups.
                        if (device.maxSubgroupSize == 32 && device.maxWorkgroupInvocations >= 1024) {
                            EXPECT_EQ(size, most) << describe(device, desc);
                            ++scans[wide];
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(scans[false], 0u);
    EXPECT_GT(scans[true], 0u);
}

// Keys without values of 4 or 8 bytes in scratch of the plan's own, where two levels are needed and there is memory for more
// than a copy.
TEST(Plan, CoarseBucketsOfMsd) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto has_coarse_buckets = [&device](VksortKeyType key, uint64_t count, uint32_t value_size = 0,
                                              VksortResult result = VKSORT_RESULT_IN_PLACE) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_MSD;
        desc.keyType = key;
        desc.valueSize = value_size;
        desc.result = result;
        desc.maxCount = count;
        const Plan plan = plan_of(device, desc);
        EXPECT_LE(plan.info.scratchSize, device.maxStorageBufferRange);
        return has_pass(plan, "coarse buckets");
    };
    ASSERT_EQ(device.maxStorageBufferRange, UINT32_MAX);
    EXPECT_TRUE(has_coarse_buckets(VKSORT_KEY_F32, 1 << 24));
    EXPECT_TRUE(has_coarse_buckets(VKSORT_KEY_U32, 1 << 28));
    EXPECT_TRUE(has_coarse_buckets(VKSORT_KEY_I64, 1 << 28, 0, VKSORT_RESULT_SEPARATE));
    EXPECT_FALSE(has_coarse_buckets(VKSORT_KEY_U32, 1 << 28, 0, VKSORT_RESULT_PING_PONG));
    EXPECT_FALSE(has_coarse_buckets(VKSORT_KEY_U32, 1 << 28, 4));
    EXPECT_FALSE(has_coarse_buckets(VKSORT_KEY_U16, 1 << 28));
    EXPECT_FALSE(has_coarse_buckets(VKSORT_KEY_U64, 1 << 20)); // a digit fits a tile
    EXPECT_TRUE(has_coarse_buckets(VKSORT_KEY_U32, 700'000'000));
    EXPECT_FALSE(has_coarse_buckets(VKSORT_KEY_U32, 850'000'000));
}

// On a device with little shared memory and workgroups that are not as small.
TEST(Plan, TheScatteredDigitFitsSharedMemory) {
    VksortDeviceInfo device = gpu_device(0, 32, 32);
    device.maxSharedMemorySize = 16384;
    device.maxWorkgroupInvocations = device.maxWorkgroupSizeX = 256;
    for (VksortKeyType key : {VKSORT_KEY_U16, VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        desc.keyType = key;
        desc.maxCount = 1 << 20;
        const Plan plan = plan_of(device, desc);
        const Pass* pass = std::find_if(plan.passes, plan.passes + plan.info.passCount,
                                        [](const Pass& each) { return std::strcmp(each.name, "digit 0") == 0; });
        ASSERT_NE(pass, plan.passes + plan.info.passCount);
        const uint32_t* sizes = pass->specialization;
        EXPECT_EQ(sizes[kSpecKeysPerThread] % sizes[kSpecStageRounds], 0u);
        const uint32_t staged = sizes[kSpecWorkgroupSize] * sizes[kSpecKeysPerThread] / sizes[kSpecStageRounds];
        const uint32_t subgroups = sizes[kSpecWorkgroupSize] / sizes[kSpecSubgroupSize];
        EXPECT_LE(staged * std::max(reference::key_size(key), 4u) + 2 * kRadix * 4 + subgroups * 4,
                  device.maxSharedMemorySize)
            << describe(device, desc);
    }
}

// Kernels that plans of ever more elements need, told apart as the cache of pipelines does.
size_t kernels_of_all_counts(const VksortDeviceInfo& device, VksortPlanDesc desc) {
    std::set<std::vector<uint32_t>> kernels;
    VksortPlanInfo info;
    for (uint64_t count = 1000; count <= uint64_t{1} << 27; count += count / 32) {
        desc.maxCount = count;
        if (vksortDescribePlan(&device, &desc, &info, nullptr, 0) != VK_SUCCESS) {
            continue; // more than the algorithm can
        }
        const Plan plan = plan_of(device, desc);
        for (uint32_t i = 0; i < plan.info.passCount; ++i) {
            const Pass& pass = plan.passes[i];
            std::vector<uint32_t> kernel(std::begin(pass.specialization), std::end(pass.specialization));
            kernel.push_back(pass.module);
            kernel.push_back(pass.checked ? 1 : 0);
            kernels.insert(kernel);
        }
    }
    return kernels.size();
}

// Whoever sorts now more, now fewer elements, by plans of their counts, has few kernels compiled.
TEST(Plan, FewKernelsForAllCounts) {
    for (const VksortDeviceInfo& device : {gpu_device(0x10DE, 32, 32), gpu_device(0x1002, 64, 64)}) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
            for (uint32_t value_size : {0u, 4u}) {
                for (VksortAlgorithm algorithm :
                     {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MERGE,
                      VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT, VKSORT_ALGORITHM_BUCKET_SORT}) {
                    VksortPlanDesc desc = {};
                    desc.algorithm = algorithm;
                    desc.keyType = key;
                    desc.valueSize = value_size;
                    EXPECT_LE(kernels_of_all_counts(device, desc), 80u) << describe(device, desc);
                }
            }
        }
    }
}

bool is_digit_pass(const Pass& pass) { return std::strncmp(pass.name, "digit", 5) == 0; }

// Digit passes with values are checked where that is faster: of many pairs, and of keys of two words.
TEST(Plan, CheckedDigitPasses) {
    const auto are_checked = [](VksortKeyType key, uint32_t value_size, uint64_t count) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        desc.keyType = key;
        desc.valueSize = value_size;
        desc.maxCount = count;
        const Plan plan = plan_of(gpu_device(0x10DE, 32, 32), desc);
        std::set<bool> checked;
        for (uint32_t i = 0; i < plan.info.passCount; ++i) {
            if (is_digit_pass(plan.passes[i])) {
                checked.insert(plan.passes[i].checked);
            } else {
                EXPECT_FALSE(plan.passes[i].checked) << plan.passes[i].name;
            }
        }
        EXPECT_EQ(checked.size(), 1u);
        return *checked.begin();
    };
    constexpr uint64_t kFew = 4'000'000;
    constexpr uint64_t kMany = 20'000'000;
    EXPECT_FALSE(are_checked(VKSORT_KEY_U32, 0, kMany));
    EXPECT_FALSE(are_checked(VKSORT_KEY_U32, 4, kFew));
    EXPECT_TRUE(are_checked(VKSORT_KEY_U32, 4, kMany));
    EXPECT_FALSE(are_checked(VKSORT_KEY_U32, 8, kMany));
    EXPECT_FALSE(are_checked(VKSORT_KEY_U64, 0, kMany));
    EXPECT_TRUE(are_checked(VKSORT_KEY_U64, 4, kFew));
}

// Tiles have the numbers of their workgroups where a device starts these in order, but not in the pass over the lowest digit
// of keys without values, which needs no order.
TEST(Plan, NumbersOfTiles) {
    const auto flags_of = [](const VksortDeviceInfo& device, uint32_t value_size, const PlanOverrides& overrides = {}) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        desc.valueSize = value_size;
        desc.maxCount = 20'000'000;
        const Plan plan = plan_of(device, desc, overrides);
        std::vector<uint32_t> flags;
        for (uint32_t i = 0; i < plan.info.passCount; ++i) {
            if (is_digit_pass(plan.passes[i])) {
                flags.push_back(plan.passes[i].specialization[kSpecFlags]);
            }
        }
        return flags;
    };
    using Flags = std::vector<uint32_t>;
    const VksortDeviceInfo nvidia = gpu_device(0x10DE, 32, 32);
    EXPECT_EQ(flags_of(nvidia, 4), Flags(4, kFlagTileIsGroup));
    EXPECT_EQ(flags_of(nvidia, 0), (Flags{0, kFlagTileIsGroup, kFlagTileIsGroup, kFlagTileIsGroup}));
    EXPECT_EQ(flags_of(gpu_device(0x1002, 64, 64), 4), Flags(4, 0));
    EXPECT_EQ(flags_of(generic_device(), 0), Flags(4, 0));
    using TileNumbers = PlanOverrides::TileNumbers;
    EXPECT_EQ(flags_of(nvidia, 4, {.tileNumbers = TileNumbers::tickets}), Flags(4, 0));
    EXPECT_EQ(flags_of(generic_device(), 4, {.tileNumbers = TileNumbers::groups}), Flags(4, kFlagTileIsGroup));
    EXPECT_EQ(flags_of(generic_device(), 4, {.tileNumbers = TileNumbers::groups_backwards}),
              Flags(4, kFlagTileIsGroup | kFlagBackwards));
}

} // namespace
} // namespace vksort::test
