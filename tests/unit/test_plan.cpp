// SPDX-License-Identifier: MIT
//
// Plans over all kinds of descriptions and devices: memory, limits, and the sentences of refusals.
#include <algorithm>
#include <cinttypes>
#include <cmath>

#include "plan_checks.h"

namespace vksort::test {
namespace {

constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_ONE_WORKGROUP,
                                           VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN,
                                           VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT};

bool can_run(const VksortDeviceInfo& device, VksortAlgorithm algorithm) {
    return algorithm != VKSORT_ALGORITHM_ONESWEEP || (device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0;
}

// Calls `work` for sorts of every key, value, order, result and algorithm.
template <typename Work> void for_each_sort(const Work& work) {
    for (VksortAlgorithm algorithm : kAlgorithms) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0, 4, 8, 12, 16}) {
                for (VkFlags flags = 0; flags < 16; ++flags) {
                    for (int result = 0; result < 3; ++result) {
                        VksortPlanDesc desc = {};
                        desc.algorithm = algorithm;
                        desc.keyType = key;
                        desc.valueSize = value_size;
                        desc.flags = flags;
                        desc.result = static_cast<VksortResult>(result);
                        bool argsort = (flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
                        bool discard = (flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0;
                        if ((!argsort || value_size <= 4) && (!discard || argsort || value_size > 0)) {
                            work(desc);
                        }
                    }
                }
            }
        }
    }
}

TEST(Plan, EverySortOnEveryDevice) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for_each_sort([&](VksortPlanDesc desc) {
            if (!can_run(device, desc.algorithm)) {
                return;
            }
            for (uint64_t count : {0, 1, 1000}) {
                desc.maxCount = count;
                Plan plan;
                Message message;
                ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << describe(device, desc) << message.text;
                check_plan(device, plan);
            }
        });
    }
}

TEST(Plan, LargestCountIsExactAndScratchGrows) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortAlgorithm algorithm : kAlgorithms) {
            for (VksortKeyType key : {VKSORT_KEY_U8, VKSORT_KEY_F16, VKSORT_KEY_I32, VKSORT_KEY_F64}) {
                for (uint32_t value_size : {0, 4, 16}) {
                    VksortPlanDesc desc = {};
                    desc.algorithm = algorithm;
                    desc.keyType = key;
                    desc.valueSize = value_size;
                    Message message;
                    Plan plan;
                    if (!can_run(device, algorithm)) {
                        continue;
                    }
                    ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << describe(device, desc);
                    const uint64_t largest = plan.info.largestCount;
                    ASSERT_GE(largest, 512u) << describe(device, desc);
                    uint64_t last_scratch = 0;
                    for (uint64_t count : {uint64_t{0}, uint64_t{1}, largest / 1000, largest / 3, largest - 1, largest}) {
                        desc.maxCount = count;
                        ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS)
                            << describe(device, desc) << message.text;
                        check_plan(device, plan);
                        EXPECT_EQ(plan.info.largestCount, largest) << describe(device, desc);
                        if (algorithm != VKSORT_ALGORITHM_AUTO) {
                            EXPECT_GE(plan.info.scratchSize, last_scratch) << describe(device, desc);
                        }
                        last_scratch = plan.info.scratchSize;
                    }
                    for (uint64_t beyond : {largest + 1, largest * 2, uint64_t{1} << 32, UINT64_MAX}) {
                        desc.maxCount = beyond;
                        message = {};
                        EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_ERROR_FORMAT_NOT_SUPPORTED)
                            << describe(device, desc);
                        EXPECT_NE(std::string(message.text).find(std::to_string(largest)), std::string::npos)
                            << message.text << " should name " << largest;
                    }
                }
            }
        }
    }
}

// Where nothing but the binding's range stands in the way, the limit is that range.
TEST(Plan, LargestCountFollowsTheBindingRange) {
    VksortDeviceInfo device = cpu_device(8);
    VksortPlanDesc desc = {};
    VksortPlanInfo info;
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        desc.algorithm = algorithm;
        ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
        EXPECT_EQ(info.largestCount, (1u << 27) / 4) << "u32 keys in 128 MiB";
        desc.valueSize = 16;
        ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
        EXPECT_EQ(info.largestCount, (1u << 27) / 16);
        desc.valueSize = 0;
    }
    // Every device takes 2^32 - T - 2 keys where its buffers do; T stays below 2^16.
    device = generic_device();
    device.maxStorageBufferRange = uint64_t{1} << 40;
    desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
    ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
    EXPECT_LT(info.largestCount, uint64_t{1} << 32);
    EXPECT_GE(info.largestCount, (uint64_t{1} << 32) - 65536);
    check_plan(device, [&] {
        Plan plan;
        Message message;
        desc.maxCount = info.largestCount;
        EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
        return plan;
    }());
}

TEST(Plan, RangeIsNamedInTheRefusal) {
    VksortDeviceInfo device = least_device();
    VksortPlanDesc desc = {};
    desc.keyType = VKSORT_KEY_U64;
    desc.maxCount = 1u << 28;
    char text[400] = {};
    VksortPlanInfo info;
    EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_NE(std::string(text).find(std::to_string(1u << 27)), std::string::npos) << text;
    EXPECT_NE(std::string(text).find(std::to_string((1u << 27) / 8)), std::string::npos) << text;
    EXPECT_NE(std::string(text).find(device.name), std::string::npos) << text;
    desc.maxCount = (1u << 27) / 8;
    EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_SUCCESS) << "the count that was named";
}

TEST(Plan, ARangeOfAllBitsIsNone) {
    const VksortDeviceInfo device = generic_device();
    for (const VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64, VKSORT_KEY_I16, VKSORT_KEY_U8}) {
        for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_MERGE,
                                                VKSORT_ALGORITHM_LOCALITY, VKSORT_ALGORITHM_SAMPLE_SORT}) {
            VksortPlanDesc desc = {};
            desc.keyType = key;
            desc.algorithm = algorithm;
            desc.maxCount = algorithm == VKSORT_ALGORITHM_SAMPLE_SORT ? 100'000 : 20'000'000;
            SCOPED_TRACE(describe(device, desc));
            Plan none, all;
            Message message;
            ASSERT_EQ(make_plan(device, desc, {}, none, message), VK_SUCCESS);
            desc.endBit = 8 * reference::key_size(key);
            ASSERT_EQ(make_plan(device, desc, {}, all, message), VK_SUCCESS) << message.text;
            EXPECT_EQ(all.info.algorithm, none.info.algorithm);
            EXPECT_EQ(all.info.passCount, none.info.passCount);
            EXPECT_EQ(all.info.keyBits, none.info.keyBits);
            desc.endBit -= 1;
            EXPECT_EQ(make_plan(device, desc, {}, all, message) == VK_SUCCESS, algorithm == VKSORT_ALGORITHM_AUTO);
        }
        VksortPlanDesc desc = {};
        desc.keyType = key;
        desc.maxCount = 1000;
        desc.endBit = 8 * reference::key_size(key);
        for (const VksortOperation operation : {VKSORT_OPERATION_MERGE, VKSORT_OPERATION_SEGMENTED_SORT}) {
            desc.operation = operation;
            desc.result = operation == VKSORT_OPERATION_MERGE ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE;
            Plan plan;
            Message message;
            EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
        }
    }
}

TEST(Plan, FewerBitsAreFewerPasses) {
    VksortDeviceInfo device = generic_device();
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        uint32_t last = 0;
        for (uint32_t bits = 1; bits <= 64; ++bits) {
            VksortPlanDesc desc = {};
            desc.algorithm = algorithm;
            desc.keyType = VKSORT_KEY_F64;
            desc.endBit = bits;
            desc.maxCount = 1'000'000;
            Plan plan;
            Message message;
            ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS);
            check_plan(device, plan);
            EXPECT_GE(plan.info.passCount, last);
            EXPECT_EQ(plan.info.passCount > last, bits % 8 == 1) << "a digit more is a pass more";
            last = plan.info.passCount;
        }
    }
}

TEST(Plan, OneWorkgroupTakesTheSmallestTileThatHoldsTheCount) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I64}) {
            for (uint32_t value_size : {0, 4, 16}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP;
                desc.keyType = key;
                desc.valueSize = value_size;
                Plan plan;
                Message message;
                ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
                const uint64_t largest = plan.info.largestCount;
                const auto tile_for = [&](uint64_t count) {
                    desc.maxCount = count;
                    EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
                    EXPECT_EQ(plan.info.largestCount, largest);
                    const uint32_t* sizes = plan.passes[0].specialization;
                    return uint64_t{sizes[kSpecWorkgroupSize]} * sizes[kSpecKeysPerThread];
                };
                uint64_t last = 0;
                while (last < largest) {
                    const uint64_t tile = tile_for(last + 1);
                    ASSERT_GT(tile, last) << describe(device, desc);
                    EXPECT_EQ(tile_for(tile), tile) << describe(device, desc) << ": given up too early";
                    EXPECT_EQ(tile_for((last + tile) / 2 + 1), tile) << describe(device, desc);
                    last = tile;
                }
                EXPECT_EQ(last, largest) << describe(device, desc);
            }
        }
    }
}

// Its kernels have an invocation for each tile, and the one that cuts has room for all samples.
TEST(Plan, TilesOfSampleSort) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0, 4, 16}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
                desc.keyType = key;
                desc.valueSize = value_size;
                VksortPlanInfo info = {};
                ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS) << describe(device, desc);
                EXPECT_GE(info.largestCount, 30'000u) << describe(device, desc);
                for (uint64_t count = 1; count <= info.largestCount; count = std::max(count + 1, count * 5 / 4)) {
                    desc.maxCount = count;
                    Plan plan;
                    Message message;
                    ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
                    RadixPush push;
                    std::memcpy(&push, plan.push[0].bytes, sizeof push);
                    const uint32_t* cut = plan.passes[1].specialization;
                    const uint32_t* bucket = plan.passes[2].specialization;
                    SCOPED_TRACE(describe(device, desc) + " " + std::to_string(count));
                    ASSERT_LE(push.maxTiles, cut[kSpecWorkgroupSize]);
                    ASSERT_LE(push.maxTiles, bucket[kSpecWorkgroupSize]);
                    ASSERT_LE(push.maxTiles * push.samplesEach, cut[kSpecWorkgroupSize] * cut[kSpecKeysPerThread]);
                    ASSERT_LE(push.bucketSize + 2 * push.cutTolerance, bucket[kSpecWorkgroupSize] * bucket[kSpecKeysPerThread]);
                    ASSERT_GE(push.cutTolerance, 1u) << "or the search for a cut need not end";
                    ASSERT_LT(2 * push.cutTolerance, push.bucketSize) << "or cuts need not be in order";
                }
            }
        }
    }
}

// A dispatch before the merging only where it pays, a setup only where a kernel has to be told what the host does not know.
TEST(Plan, PassesOfMerges) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto passes_of = [&device](VksortPlanDesc desc) {
        Plan plan;
        Message message;
        EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
        std::string names;
        for (uint32_t i = 0; i < std::min(plan.info.passCount, 4u); ++i) {
            names += std::string(i == 0 ? "" : ", ") + plan.passes[i].name;
        }
        return names;
    };
    VksortPlanDesc sort = {};
    sort.algorithm = VKSORT_ALGORITHM_MERGE;
    sort.maxCount = 1 << 20;
    EXPECT_EQ(passes_of(sort), "blocksort, merge 0, merge 1, merge 2");
    sort.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
    EXPECT_EQ(passes_of(sort), "setup, blocksort, merge 0, merge 1");
    sort.flags = 0;
    sort.maxCount = 1 << 23;
    EXPECT_EQ(passes_of(sort), "setup, blocksort, partition 0, merge 0");

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

// Its tiles follow the count, from table to table: about every power of 256 that keys of even digits leave in a tile they are others.
TEST(Plan, MsdAtEveryCount) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0, 4}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_MSD;
                desc.keyType = key;
                desc.valueSize = value_size;
                for (double count = 1000; count < 1.6e7; count *= 1.02) {
                    desc.maxCount = static_cast<uint64_t>(count);
                    Plan plan;
                    Message message;
                    ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << describe(device, desc) << message.text;
                    check_plan(device, plan);
                }
            }
        }
    }
}

// A level for each digit where not everything fits a tile; keys alone are partitioned by another kernel than values.
TEST(Plan, LevelsOfMsd) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0, 8}) {
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
                        return std::strncmp(info.kernel, kernel, std::strlen(kernel)) == 0;
                    });
                };
                const char* used = value_size == 0 ? "classes_partition_keys_k" : "classes_partition_k";
                const char* other = value_size == 0 ? "classes_partition_k1" : "classes_partition_keys_k";
                SCOPED_TRACE(describe(device, desc));
                EXPECT_EQ(partitions(500, used), 0);
                EXPECT_EQ(partitions(1'000'000, used), reference::key_size(key));
                EXPECT_EQ(partitions(1'000'000, other), 0);
                desc.maxCount = 1'000'000;
                VksortPlanInfo info;
                ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
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

// By bucket_sort: buckets, rooms and what stands behind them, at every size; rooms have place for their buckets, and the buckets of evenly
// spread keys fit the tile that sorts them with five standard deviations to spare.
TEST(Plan, BucketsAndRooms) {
    for (const VksortDeviceInfo& device : all_devices()) {
        if ((device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) == 0) {
            continue;
        }
        for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_U64}) {
            bool levels[2] = {};
            for (uint64_t count = 0; count < 400'000'000; count = count * 5 / 3 + 777) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
                desc.keyType = key;
                desc.maxCount = count;
                SCOPED_TRACE(describe(device, desc));
                Plan plan;
                Message message;
                const VkResult result = make_plan(device, desc, {}, plan, message);
                if (result != VK_SUCCESS) {
                    EXPECT_GT(count, 1'000'000u) << message.text;
                    EXPECT_NE(std::string(message.text).find("the largest count that fits"), std::string::npos) << message.text;
                    break;
                }
                check_plan(device, plan);
                const BucketTuning tuning = bucket_tuning(device, reference::key_size(key) / 4, count, {});
                const uint64_t tile = tuning.finish.tile_size();
                EXPECT_EQ(plan.info.tileSize, tile);
                EXPECT_GE(tuning.buckets * tuning.mean, count);
                EXPECT_GE(uint64_t{tuning.rooms} << tuning.roomBits, tuning.buckets);
                EXPECT_LE(std::max(tuning.rooms, 1u << tuning.roomBits), kMostRooms);
                EXPECT_LE(tuning.mean + 5 * std::sqrt(tuning.mean), tile);
                const bool twoLevels = tuning.roomBits > 0;
                levels[twoLevels] = true;
                EXPECT_GE(plan.bindings[kBindingKeys2].fixedSize,
                          std::max((uint64_t{tuning.rooms} << tuning.roomBits) * tile, count) * reference::key_size(key));
                // Of all buckets, or of those of a part of the rooms where all would be too many.
                const uint64_t slot3 = twoLevels ? tuning.buckets * tile * reference::key_size(key) : 0;
                const uint64_t given = plan.bindings[kBindingBuckets].fixedSize;
                if (given < slot3) {
                    EXPECT_GE(count, 1 << 26);
                    EXPECT_GT(plan.bindings[kBindingKeys2].fixedSize + slot3, device.maxStorageBufferRange / 16 * 15);
                    EXPECT_GE(given, slot3 / 4);
                } else {
                    EXPECT_EQ(given, slot3);
                }
                const auto has_pass = [&plan](const char* name) {
                    return std::any_of(plan.passes, plan.passes + plan.info.passCount,
                                       [name](const Pass& pass) { return std::string(pass.name) == name; });
                };
                EXPECT_EQ(has_pass("rooms"), twoLevels);
                EXPECT_EQ(has_pass("msd setup"), count >= 1 << 26);
                EXPECT_EQ(has_pass("restore"), given < slot3);
            }
            EXPECT_TRUE(levels[0]);
        }
    }
}

// Keys alone of 4 or 8 bytes in scratch of the plan's own, where two levels are needed and there is memory for more than a copy.
TEST(Plan, RoomsOfMsd) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    const auto has_rooms = [&device](VksortKeyType key, uint64_t count, uint32_t value_size = 0, VksortResult result = VKSORT_RESULT_IN_PLACE) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_MSD;
        desc.keyType = key;
        desc.valueSize = value_size;
        desc.result = result;
        desc.maxCount = count;
        Plan plan;
        Message message;
        EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
        check_plan(device, plan);
        EXPECT_LE(plan.info.scratchSize, device.maxStorageBufferRange);
        return std::any_of(plan.passes, plan.passes + plan.info.passCount,
                           [](const Pass& pass) { return std::string(pass.name) == "rooms"; });
    };
    ASSERT_EQ(device.maxStorageBufferRange, UINT32_MAX);
    EXPECT_TRUE(has_rooms(VKSORT_KEY_F32, 1 << 24));
    EXPECT_TRUE(has_rooms(VKSORT_KEY_U32, 1 << 28));
    EXPECT_TRUE(has_rooms(VKSORT_KEY_I64, 1 << 28, 0, VKSORT_RESULT_SEPARATE));
    EXPECT_FALSE(has_rooms(VKSORT_KEY_U32, 1 << 28, 0, VKSORT_RESULT_PING_PONG));
    EXPECT_FALSE(has_rooms(VKSORT_KEY_U32, 1 << 28, 4));
    EXPECT_FALSE(has_rooms(VKSORT_KEY_U16, 1 << 28));
    EXPECT_FALSE(has_rooms(VKSORT_KEY_U64, 1 << 20)); // a digit fits a tile
    EXPECT_TRUE(has_rooms(VKSORT_KEY_U32, 700'000'000));
    EXPECT_FALSE(has_rooms(VKSORT_KEY_U32, 850'000'000));
}

TEST(Plan, PingPongAndSeparateNeedNoMoreScratchThanInPlace) {
    VksortDeviceInfo device = generic_device();
    for_each_sort([&](VksortPlanDesc desc) {
        // Discarded keys of a separate sort have no buffer of the caller's to pass through.
        bool discards = desc.result == VKSORT_RESULT_SEPARATE && (desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0;
        if (desc.result == VKSORT_RESULT_IN_PLACE || desc.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP || discards) {
            return;
        }
        desc.maxCount = desc.algorithm == VKSORT_ALGORITHM_AUTO ? 100'000 : 50'000;
        VksortPlanInfo info, in_place;
        ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
        VksortPlanDesc other = desc;
        other.result = VKSORT_RESULT_IN_PLACE;
        ASSERT_EQ(vksortDescribePlan(&device, &other, &in_place, nullptr, 0), VK_SUCCESS);
        EXPECT_LE(info.scratchSize, in_place.scratchSize) << describe(device, desc);
    });
}

struct Refusal {
    const char* name;
    void (*spoil)(VksortPlanDesc&);
    const char* part; // of the sentence
};

const Refusal kRefusals[] = {
    {"key type", [](VksortPlanDesc& desc) { desc.keyType = static_cast<VksortKeyType>(99); }, "key type"},
    {"operation", [](VksortPlanDesc& desc) { desc.operation = static_cast<VksortOperation>(7); }, "operation"},
    {"algorithm", [](VksortPlanDesc& desc) { desc.algorithm = static_cast<VksortAlgorithm>(11); }, "algorithm"},
    {"result", [](VksortPlanDesc& desc) { desc.result = static_cast<VksortResult>(3); }, "result"},
    {"flag", [](VksortPlanDesc& desc) { desc.flags = 0x40; }, "flag"},
    {"reserved", [](VksortPlanDesc& desc) { desc.reserved = &desc; }, "reserved"},
    {"value of 3", [](VksortPlanDesc& desc) { desc.valueSize = 3; }, "valueSize 3"},
    {"value of 20", [](VksortPlanDesc& desc) { desc.valueSize = 20; }, "gather"},
    {"argsort with 8", [](VksortPlanDesc& desc) { desc.flags = VKSORT_PLAN_ARGSORT_BIT; desc.valueSize = 8; }, "argsort"},
    {"no keys, no values", [](VksortPlanDesc& desc) { desc.flags = VKSORT_PLAN_DISCARD_KEYS_BIT; }, "values"},
    {"bits backwards", [](VksortPlanDesc& desc) { desc.beginBit = 8; desc.endBit = 4; }, "bits 8 to 4"},
    {"no bits", [](VksortPlanDesc& desc) { desc.beginBit = 8; desc.endBit = 8; }, "bits 8 to 8"},
    {"begin without end", [](VksortPlanDesc& desc) { desc.beginBit = 8; }, "bits 8 to 0"},
    {"too many bits", [](VksortPlanDesc& desc) { desc.endBit = 33; }, "33"},
    {"bits of a narrow key",
     [](VksortPlanDesc& desc) { desc.keyType = VKSORT_KEY_U8; desc.endBit = 9; }, "u8"},
    {"bits by msd", [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_MSD; desc.endBit = 16; }, "range of bits"},
    {"bits by sample_sort", [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT; desc.endBit = 16; },
     "range of bits"},
    {"bits by bucket_sort", [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT; desc.endBit = 16; },
     "by all their bits"},
    {"values by bucket_sort", [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT; desc.valueSize = 4; },
     "without values"},
    {"argsort by bucket_sort",
     [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT; desc.flags = VKSORT_PLAN_ARGSORT_BIT; },
     "without values"},
    {"narrow keys by bucket_sort",
     [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT; desc.keyType = VKSORT_KEY_I16; },
     "keys of 4 and 8 bytes"},
    {"bucket_sort to the alternate buffer",
     [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT; desc.result = VKSORT_RESULT_PING_PONG; },
     "VKSORT_RESULT_PING_PONG"},
    {"too many for sample_sort",
     [](VksortPlanDesc& desc) { desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT; desc.maxCount = 100'000'000; },
     "too many for sample_sort, which takes"},
    {"offset without stride", [](VksortPlanDesc& desc) { desc.keyOffset = 4; }, "keyStride"},
    {"segments by msd",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
         desc.algorithm = VKSORT_ALGORITHM_MSD;
     },
     "segmented, size_classes or auto"},
    {"merge by msd",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_MERGE;
         desc.result = VKSORT_RESULT_SEPARATE;
         desc.algorithm = VKSORT_ALGORITHM_MSD;
     },
     "merge or auto"},
    {"stride in place", [](VksortPlanDesc& desc) { desc.keyStride = 8; }, "VKSORT_RESULT_SEPARATE"},
    {"stride below the key",
     [](VksortPlanDesc& desc) {
         desc.keyType = VKSORT_KEY_U64;
         desc.result = VKSORT_RESULT_SEPARATE;
         desc.keyStride = 4;
     },
     "keyStride 4"},
    {"crooked stride",
     [](VksortPlanDesc& desc) { desc.result = VKSORT_RESULT_SEPARATE; desc.keyStride = 6; }, "multiples of 4"},
    {"crooked offset",
     [](VksortPlanDesc& desc) { desc.result = VKSORT_RESULT_SEPARATE; desc.keyStride = 8; desc.keyOffset = 2; },
     "keyOffset 2"},
    {"gather of 0",
     [](VksortPlanDesc& desc) { desc.operation = VKSORT_OPERATION_GATHER; desc.valueSize = 0; }, "multiple of 4"},
    {"gather of 6",
     [](VksortPlanDesc& desc) { desc.operation = VKSORT_OPERATION_GATHER; desc.valueSize = 6; }, "6"},
    {"gather by onesweep",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_GATHER;
         desc.valueSize = 8;
         desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
     },
     "algorithm"},
};

TEST(Plan, RefusesInWords) {
    VksortDeviceInfo device = generic_device();
    for (const Refusal& refusal : kRefusals) {
        VksortPlanDesc desc = {};
        desc.maxCount = 1000;
        refusal.spoil(desc);
        char text[400] = {};
        VksortPlanInfo info;
        EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_ERROR_FORMAT_NOT_SUPPORTED)
            << refusal.name;
        EXPECT_NE(std::string(text).find(refusal.part), std::string::npos)
            << refusal.name << ": '" << text << "' lacks '" << refusal.part << "'";
        // Without room for the sentence, and with little.
        EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
        char little[8];
        std::memset(little, 'x', sizeof little);
        EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, little, 4), VK_ERROR_FORMAT_NOT_SUPPORTED);
        EXPECT_EQ(little[3], '\0') << "cut, and ended";
        EXPECT_EQ(little[4], 'x') << "not beyond its room";
    }
}

TEST(Plan, Gather) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (uint32_t record : {4, 12, 64, 4096}) {
            for (uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{10'000}}) {
                VksortPlanDesc desc = {};
                desc.operation = VKSORT_OPERATION_GATHER;
                desc.valueSize = record;
                desc.maxCount = count;
                Plan plan;
                Message message;
                ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS) << message.text;
                check_plan(device, plan);
                EXPECT_LE(plan.info.largestCount, device.maxStorageBufferRange / record);
                desc.maxCount = plan.info.largestCount + 1;
                EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_ERROR_FORMAT_NOT_SUPPORTED);
                EXPECT_GT(std::strlen(message.text), 20u);
            }
        }
    }
}

} // namespace
} // namespace vksort::test
