// SPDX-License-Identifier: MIT
//
// Plans over all kinds of descriptions and devices: memory, limits, and the sentences of refusals.
#include "plan_checks.h"

namespace vksort::test {
namespace {

constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_AUTO,     VKSORT_ALGORITHM_ONE_WORKGROUP,
                                           VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN,
                                           VKSORT_ALGORITHM_MSD,      VKSORT_ALGORITHM_SAMPLE_SORT};

// Calls `work` for sorts of every key, value, order, result and algorithm.
template <typename Work> void for_each_sort(const Work& work) {
    for (VksortAlgorithm algorithm : kAlgorithms) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
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
            if (!has_features_for(desc.algorithm, device)) {
                return;
            }
            for (uint64_t count : {0u, 1u, 1000u}) {
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
                for (uint32_t value_size : {0u, 4u, 16u}) {
                    VksortPlanDesc desc = {};
                    desc.algorithm = algorithm;
                    desc.keyType = key;
                    desc.valueSize = value_size;
                    Message message;
                    Plan plan;
                    if (!has_features_for(algorithm, device)) {
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
            for (uint32_t value_size : {0u, 4u, 16u}) {
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
    {"flag", [](VksortPlanDesc& desc) { desc.flags = 0x80; }, "flag"},
    {"reserved", [](VksortPlanDesc& desc) { desc.reserved = &desc; }, "reserved"},
    {"value of 3", [](VksortPlanDesc& desc) { desc.valueSize = 3; }, "valueSize 3"},
    {"value of 20", [](VksortPlanDesc& desc) { desc.valueSize = 20; }, "gather"},
    {"argsort with 8",
     [](VksortPlanDesc& desc) {
         desc.flags = VKSORT_PLAN_ARGSORT_BIT;
         desc.valueSize = 8;
     },
     "argsort"},
    {"no keys, no values", [](VksortPlanDesc& desc) { desc.flags = VKSORT_PLAN_DISCARD_KEYS_BIT; }, "values"},
    {"bits backwards",
     [](VksortPlanDesc& desc) {
         desc.beginBit = 8;
         desc.endBit = 4;
     },
     "bits 8 to 4"},
    {"no bits",
     [](VksortPlanDesc& desc) {
         desc.beginBit = 8;
         desc.endBit = 8;
     },
     "bits 8 to 8"},
    {"begin without end", [](VksortPlanDesc& desc) { desc.beginBit = 8; }, "bits 8 to 0"},
    {"too many bits", [](VksortPlanDesc& desc) { desc.endBit = 33; }, "33"},
    {"bits of a narrow key",
     [](VksortPlanDesc& desc) {
         desc.keyType = VKSORT_KEY_U8;
         desc.endBit = 9;
     },
     "u8"},
    {"bits by msd",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_MSD;
         desc.endBit = 16;
     },
     "range of bits"},
    {"bits by sample_sort",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
         desc.endBit = 16;
     },
     "range of bits"},
    {"bits by bucket_sort",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
         desc.endBit = 16;
     },
     "by all their bits"},
    {"narrow keys by bucket_sort",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
         desc.keyType = VKSORT_KEY_I16;
     },
     "keys of 4 and 8 bytes"},
    {"bucket_sort to the alternate buffer",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
         desc.result = VKSORT_RESULT_PING_PONG;
     },
     "VKSORT_RESULT_PING_PONG"},
    {"too many for sample_sort",
     [](VksortPlanDesc& desc) {
         desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
         desc.maxCount = 100'000'000;
     },
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
     [](VksortPlanDesc& desc) {
         desc.result = VKSORT_RESULT_SEPARATE;
         desc.keyStride = 6;
     },
     "multiples of 4"},
    {"crooked offset",
     [](VksortPlanDesc& desc) {
         desc.result = VKSORT_RESULT_SEPARATE;
         desc.keyStride = 8;
         desc.keyOffset = 2;
     },
     "keyOffset 2"},
    {"gather of 0",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_GATHER;
         desc.valueSize = 0;
     },
     "multiple of 4"},
    {"gather of 6",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_GATHER;
         desc.valueSize = 6;
     },
     "6"},
    {"commands of a count from the host", [](VksortPlanDesc& desc) { desc.flags = VKSORT_PLAN_WRITE_COMMANDS_BIT; },
     "VKSORT_PLAN_COUNT_FROM_BUFFER_BIT"},
    {"a workgroup's elements without commands", [](VksortPlanDesc& desc) { desc.elementsPerWorkgroup = 64; },
     "VKSORT_PLAN_WRITE_COMMANDS_BIT"},
    {"an element's vertices without commands", [](VksortPlanDesc& desc) { desc.verticesPerElement = 6; },
     "VKSORT_PLAN_WRITE_COMMANDS_BIT"},
    {"descending gather",
     [](VksortPlanDesc& desc) {
         desc.operation = VKSORT_OPERATION_GATHER;
         desc.valueSize = 8;
         desc.flags = VKSORT_PLAN_DESCENDING_BIT;
     },
     "how to sort"},
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
        for (uint32_t record : {4u, 12u, 64u, 4096u}) {
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
