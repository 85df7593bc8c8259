// SPDX-License-Identifier: MIT
//
// What the plans of sample_sort and bucket_sort are made of: tiles, buckets, coarse buckets, passes.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "ops/ops.h"
#include "plan_checks.h"
#include "shader_ids.h"

namespace vksort::test {
namespace {

// Plans of sample_sort on every device that it runs on, for keys and values of every width, of growing counts up to `most`,
// and their push constants.
void for_sample_sorts(const PlanOverrides& overrides, uint64_t most,
                      void (*check)(const Plan& plan, const RadixPush& push)) {
    for (const VksortDeviceInfo& device : devices_with_known_subgroups()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u, 16u}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
                desc.keyType = key;
                desc.valueSize = value_size;
                const uint64_t limit = sample_sort_limit(device, desc, overrides);
                // In small workgroups.
                const uint64_t least = subgroup_size_of(device) == 2  ? 16'384
                                       : overrides.workgroupSize == 0 ? 30'000
                                                                      : 18'000;
                EXPECT_GE(limit, least) << describe(device, desc);
                for (uint64_t count = 1; count <= std::min(limit, most); count = std::max(count + 1, count * 5 / 4)) {
                    desc.maxCount = count;
                    SCOPED_TRACE(describe(device, desc));
                    Plan plan;
                    Message message;
                    ASSERT_EQ(make_plan(device, desc, overrides, plan, message), VK_SUCCESS) << message.text;
                    RadixPush push;
                    std::memcpy(&push, plan.push[0].bytes, sizeof push);
                    check(plan, push);
                    if (::testing::Test::HasFatalFailure()) {
                        return;
                    }
                }
            }
        }
    }
}

// By buckets: tile and samples fill whole slots, each of the buckets' workgroups has an invocation for each tile, and there
// are no more buckets than the tiles' workgroups mark off.
TEST(Plan, TilesOfSampleSort) {
    PlanOverrides buckets;
    buckets.sampleStep = PlanOverrides::SampleStep::buckets;
    for_sample_sorts(buckets, UINT64_MAX, [](const Plan& plan, const RadixPush& push) {
        const uint32_t* tile = plan.passes[0].specialization;
        const uint32_t* bucket = plan.passes[1].specialization;
        const uint32_t samples = tile[kSpecSamples];
        ASSERT_GT(samples, 0u);
        ASSERT_EQ(samples % tile[kSpecWorkgroupSize], 0u);
        ASSERT_EQ(push.firstTile, tile[kSpecWorkgroupSize] * tile[kSpecTileKeys]);
        ASSERT_GE(tile[kSpecKeysPerThread], tile[kSpecTileKeys]);
        ASSERT_GE(tile[kSpecKeysPerThread] * tile[kSpecWorkgroupSize], samples);
        ASSERT_LE(tile[kSpecKeysPerThread], 32u) << "that a network sorts";
        ASSERT_LE(push.rowLength, bucket[kSpecWorkgroupSize]);
        ASSERT_LE(push.rowLength, kMostSpans);
        ASSERT_GT(push.bucketSize, 0u);
        ASSERT_LE(push.bucketSize, push.bucketMean);
        ASSERT_LT(push.bucketMean, bucket[kSpecWorkgroupSize] * bucket[kSpecKeysPerThread]);
        ASSERT_LE((plan.info.maxCount + push.bucketSize - 1) / push.bucketSize, 1 + 2 * tile[kSpecWorkgroupSize]);
        ASSERT_LE(plan.passes[1].divisor, push.bucketMean);
        ASSERT_LE(bucket[kSpecKeysPerThread], 32u);
    });
}

// Of uniform keys, where all tiles and buckets run at once: a bucket is as good as never too long, even if the ends of the
// keys' range are not known. Of others it has samples enough to be too long once in a hundred times.
TEST(Plan, BucketsOfSampleSort) {
    VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    device.maxSharedMemorySize = 49'152;
    VksortPlanDesc desc = {};
    desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        desc.keyType = key;
        for (uint32_t value_size : {0u, 4u}) {
            desc.valueSize = value_size;
            const bool wide = key == VKSORT_KEY_U64;
            const uint64_t most = wide || value_size != 0 ? 405'000 : 660'000;
            for (uint64_t count = wide ? 18'000 : 34'000; count <= most; count += 777) {
                desc.maxCount = count;
                const Plan plan = plan_of(device, desc);
                RadixPush push;
                std::memcpy(&push, plan.push[0].bytes, sizeof push);
                const uint32_t* bucket = plan.passes[1].specialization;
                const double room = bucket[kSpecWorkgroupSize] * bucket[kSpecKeysPerThread];
                const double mean = push.bucketMean * 17.0 / 16.0;
                ASSERT_GE(room - mean, 4.9 * std::sqrt(mean)) << describe(device, desc);
                ASSERT_LE((count + push.bucketMean - 1) / push.bucketMean, 132u) << describe(device, desc);
                ASSERT_LE(push.rowLength, 132u) << describe(device, desc);
                if (has_pass(plan, "fallback sweeps")) {
                    continue; // there are no others
                }
                const double each =
                    static_cast<double>(plan.passes[0].specialization[kSpecSamples]) / static_cast<double>(count);
                ASSERT_GE(each * (room - push.bucketSize), 2.3 * std::sqrt(each * room)) << describe(device, desc);
            }
        }
    }
}

// By ranks: a workgroup's elements are of one tile, in whole groups, and all samples have room. Few elements are ranked on
// every device.
void check_ranks(const Plan& plan, const RadixPush& push) {
    if (!has_pass(plan, "ranks")) {
        ASSERT_TRUE(has_pass(plan, "buckets"));
        ASSERT_GT(plan.info.maxCount, 1u << 14);
        return;
    }
    ASSERT_LE(plan.info.maxCount, plan.desc.keyType == VKSORT_KEY_U64 ? 17'000u : 33'000u);
    ASSERT_FALSE(has_pass(plan, "buckets"));
    const uint32_t* tile = plan.passes[0].specialization;
    ASSERT_TRUE(std::has_single_bit(tile[kSpecWorkgroupSize]) && std::has_single_bit(tile[kSpecKeysPerThread]))
        << "for the network";
    ASSERT_EQ(push.firstTile, tile[kSpecWorkgroupSize] * tile[kSpecKeysPerThread]);
    const uint32_t* ranks = plan.passes[1].specialization;
    const uint32_t elements = plan.passes[1].divisor;
    const uint64_t tiles = (plan.info.maxCount + push.firstTile - 1) / push.firstTile;
    ASSERT_LE(tiles, kMostRankedTiles);
    ASSERT_EQ(push.rowLength * kRankedGap, push.firstTile);
    ASSERT_EQ(elements * ranks[kSpecKeysPerThread], ranks[kSpecWorkgroupSize]);
    ASSERT_EQ(elements % kRankedGap, 0u);
    ASSERT_EQ(push.firstTile % elements, 0u);
    ASSERT_GE(ranks[kSpecSamples], tiles * push.rowLength);
    ASSERT_EQ(ranks[kSpecSamples] % ranks[kSpecWorkgroupSize], 0u);
}

TEST(Plan, RanksOfSampleSort) {
    for_sample_sorts({}, 80'000, check_ranks);
    PlanOverrides tiles;
    tiles.workgroupSize = 128;
    tiles.keysPerThread = 6; // which is for no network
    tiles.sampleKeysPerThread = 2;
    tiles.largeKeysPerThread = 6;
    for_sample_sorts(tiles, 80'000, [](const Plan& plan, const RadixPush&) { ASSERT_FALSE(has_pass(plan, "ranks")); });
}

// By bucket_sort: buckets, coarse buckets and what stands behind them, at every size; coarse buckets have place for their
// buckets, and the buckets of evenly spread keys fit the tile that sorts them with five standard deviations to spare.
TEST(Plan, BucketsAndCoarseBuckets) {
    std::vector<VksortDeviceInfo> devices = all_devices();
    devices.push_back(generic_device());
    devices.back().maxSharedMemorySize = 16384;
    for (const VksortDeviceInfo& device : devices) {
        if (!has_features_for(VKSORT_ALGORITHM_BUCKET_SORT, device)) {
            continue;
        }
        // Values of a word have slots in the buckets, wider ones a copy.
        for (const auto& [key, valueSize] : {std::pair(VKSORT_KEY_F32, 0u),
                                             {VKSORT_KEY_U64, 0u},
                                             {VKSORT_KEY_U32, 4u},
                                             {VKSORT_KEY_I32, 12u},
                                             {VKSORT_KEY_I64, 4u},
                                             {VKSORT_KEY_F64, 16u}}) {
            const uint32_t recordBytes = valueSize != 0 ? 8 : reference::key_size(key);
            bool levels[2] = {};
            for (uint64_t count = 0; count < 400'000'000; count = count * 5 / 3 + 777) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
                desc.keyType = key;
                desc.valueSize = valueSize;
                desc.maxCount = count;
                SCOPED_TRACE(describe(device, desc));
                Plan plan;
                Message message;
                const VkResult result = make_plan(device, desc, {}, plan, message);
                if (result != VK_SUCCESS) {
                    EXPECT_GT(count, 1'000'000u) << message.text;
                    EXPECT_NE(std::string(message.text).find("the largest count that fits"), std::string::npos)
                        << message.text;
                    break;
                }
                check_plan(device, plan);
                const bool wideIndices = valueSize != 0 && reference::key_size(key) == 8;
                const bool byDistribution =
                    reference::kind_of(key) == reference::Kind::floating && device.maxSharedMemorySize >= 32768;
                EXPECT_EQ(has_pass(plan, "distribution"), byDistribution);
                const BucketRecord record = {recordBytes / 4, valueSize == 4 ? 1u : 0u, wideIndices, byDistribution};
                const BucketTuning tuning = bucket_tuning(device, record, count, {});
                const uint64_t tile = tuning.finish.tile_size();
                EXPECT_LE(tile, 1u << kBucketSlotBits);
                EXPECT_EQ(plan.info.tileSize, tile);
                EXPECT_GE(tuning.buckets * tuning.mean,
                          count + count / (kBucketSlack + 1) * (tuning.coarseBuckets < kMostCoarseBuckets));
                EXPECT_GE(uint64_t{tuning.coarseBuckets} << tuning.coarseBucketBits, tuning.buckets);
                EXPECT_LE(std::max(tuning.coarseBuckets, 1u << tuning.coarseBucketBits), kMostCoarseBuckets);
                EXPECT_LE(tuning.mean + 5 * std::sqrt(tuning.mean), tile);
                const bool twoLevels = tuning.coarseBucketBits > 0;
                levels[twoLevels] = true;
                const uint64_t slot2 = (uint64_t{tuning.coarseBuckets} << tuning.coarseBucketBits) * tile;
                EXPECT_GE(plan.bindings[kBindingKeys2].fixedSize,
                          std::max(slot2 * recordBytes, count * reference::key_size(key)));
                // Of all buckets, or of those of a chunk of the coarse buckets where all would be too many.
                const uint64_t slot3 = twoLevels ? tuning.buckets * tile * recordBytes : 0;
                if (valueSize == 4) {
                    EXPECT_GE(plan.bindings[kBindingValues2].fixedSize, std::max(slot2, count) * 4);
                    EXPECT_EQ(plan.bindings[kBindingBucketValues].fixedSize, twoLevels ? tuning.buckets * tile * 4 : 0);
                }
                const uint64_t counters = kMostCoarseBuckets + (twoLevels ? 2 * tuning.buckets : 0);
                const uint64_t indices = wideIndices ? slot2 + (twoLevels ? tuning.buckets * tile : 0) : 0;
                const uint64_t cells = byDistribution ? kRangeBins + histogram_cells(device) + 1 : 0;
                EXPECT_GE(plan.bindings[kBindingRadixState].fixedSize,
                          sizeof(Control) + (reference::key_size(key) * kRadix + counters + indices + cells) * 4);
                const uint64_t given = plan.bindings[kBindingBuckets].fixedSize;
                if (given < slot3) {
                    EXPECT_GE(count, is_processor(device) ? 1 << 20 : 1 << 26);
                    EXPECT_GT(plan.bindings[kBindingKeys2].fixedSize + slot3, device.maxStorageBufferRange / 16 * 15);
                    EXPECT_GE(given, slot3 / 4);
                } else {
                    EXPECT_EQ(given, slot3);
                }
                EXPECT_EQ(has_pass(plan, "indices"), twoLevels);
                EXPECT_EQ(plan.passes[0].dispatch, Dispatch::fixed);
                EXPECT_EQ(plan.passes[0].groupsLimit, 7u); // six run ahead
                EXPECT_EQ(has_pass(plan, "msd setup"), valueSize == 0 && count * reference::key_size(key) >= 1 << 28);
                EXPECT_EQ(has_pass(plan, "restore"), given < slot3);
            }
            EXPECT_TRUE(levels[0]);
        }
    }
}

// onesweep in one dispatch: behind bucket_sort and sample_sort, of no more elements than run in tiles at once, or little
// more, on GPUs whose schedulers are known. It fits the device's shared memory.
TEST(Plan, OneDispatchBehindBuckets) {
    const auto sweeps_of = [](const VksortDeviceInfo& device, VksortAlgorithm algorithm, VksortKeyType key,
                              uint32_t value_size, uint64_t count) {
        VksortPlanDesc desc = {};
        desc.algorithm = algorithm;
        desc.keyType = key;
        desc.valueSize = value_size;
        desc.maxCount = count;
        const Plan plan = plan_of(device, desc);
        if (algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
            EXPECT_NE(has_pass(plan, "fallback sweeps"), has_pass(plan, "fallback histogram")) << describe(device, desc);
        }
        const Pass& last = plan.passes[plan.info.passCount - 1];
        return std::strcmp(last.name, "fallback sweeps") == 0 ? last : Pass{};
    };
    VksortDeviceInfo nvidia = gpu_device(0x10DE, 32, 32);
    nvidia.multiprocessors = 20;
    nvidia.maxSharedMemorySize = 49'152;
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_I64}) {
        for (uint32_t value_size : {0u, 4u, 16u}) {
            const uint64_t most = key == VKSORT_KEY_F32 && value_size == 0 ? 1'100'000 : 2'200'000;
            for (uint64_t count : {uint64_t{300'000}, uint64_t{1} << 20, most}) {
                const Pass pass = sweeps_of(nvidia, VKSORT_ALGORITHM_BUCKET_SORT, key, value_size, count);
                EXPECT_EQ(pass.groupsLimit, 20u);
                const uint32_t* sizes = pass.specialization;
                EXPECT_GE(sizes[kSpecWorkgroupSize] * sizes[kSpecKeysPerThread] * 132ull,
                          std::min<uint64_t>(count, 1 << 20));
                const uint32_t staged = sizes[kSpecWorkgroupSize] * sizes[kSpecKeysPerThread] / sizes[kSpecStageRounds];
                const uint32_t counters = sizes[kSpecWorkgroupSize] / sizes[kSpecSubgroupSize] * kRadix;
                const uint32_t histograms = reference::key_size(key) + 1;
                EXPECT_LE((std::max(staged, counters) + histograms * kRadix) * 4, nvidia.maxSharedMemorySize);
            }
            EXPECT_STREQ(sweeps_of(nvidia, VKSORT_ALGORITHM_BUCKET_SORT, key, value_size, most + 1).name, "");
        }
        EXPECT_STREQ(sweeps_of(nvidia, VKSORT_ALGORITHM_SAMPLE_SORT, key, 0, 300'000).name,
                     key == VKSORT_KEY_F32 ? "fallback sweeps" : "");
        EXPECT_STREQ(sweeps_of(nvidia, VKSORT_ALGORITHM_SAMPLE_SORT, key, 4, 1 << 18).name, "");
    }
    EXPECT_STREQ(sweeps_of(gpu_device(0x1002, 64, 64), VKSORT_ALGORITHM_BUCKET_SORT, VKSORT_KEY_U32, 0, 1 << 20).name,
                 "fallback sweeps");
    EXPECT_STREQ(sweeps_of(gpu_device(0x5143, 64, 64), VKSORT_ALGORITHM_BUCKET_SORT, VKSORT_KEY_U32, 0, 1 << 20).name, "");
}

// The more keys, the larger the tiles that are scattered to coarse buckets; source indices in words of their own leave an
// invocation fewer registers for keys.
TEST(Plan, TilesScatteredToCoarseBuckets) {
    const VksortDeviceInfo nvidia = gpu_device(0x10DE, 32, 32);
    const auto tile_of = [&](const BucketRecord& record, uint64_t count) {
        const BucketTuning tuning = bucket_tuning(nvidia, record, count, {});
        EXPECT_GT(tuning.coarseBucketBits, 0u) << count;
        EXPECT_EQ(tuning.partition.keysPerThread % tuning.partition.stageRounds, 0u);
        return tuning.partition.tile_size();
    };
    const BucketRecord u32 = {1};
    EXPECT_EQ(tile_of(u32, 1 << 24), 512u * 12);
    EXPECT_EQ(tile_of(u32, 1 << 26), 512u * 20);
    EXPECT_EQ(tile_of(u32, 1 << 28), 512u * 24);
    const BucketRecord u64 = {2};
    const BucketRecord u64_with_indices = {2, 0, true};
    for (uint64_t count : {1u << 23u, 1u << 26u}) {
        EXPECT_EQ(tile_of(u64, count), 512u * 15);
        EXPECT_EQ(tile_of(u64_with_indices, count), 512u * 12);
    }
}

} // namespace
} // namespace vksort::test
