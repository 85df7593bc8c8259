// SPDX-License-Identifier: MIT
//
// Which algorithm runs where.
#include "plan_checks.h"

namespace vksort::test {
namespace {

VksortAlgorithm chosen(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    VksortPlanInfo info = {};
    char text[400] = {};
    EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_SUCCESS) << text;
    return info.algorithm;
}

VksortAlgorithm chosen(const VksortDeviceInfo& device, uint64_t count, VksortKeyType key = VKSORT_KEY_U32,
                       uint32_t value_size = 0) {
    VksortPlanDesc desc = {};
    desc.keyType = key;
    desc.valueSize = value_size;
    desc.maxCount = count;
    return chosen(device, desc);
}

bool is_float(VksortKeyType key) { return reference::kind_of(key) == reference::Kind::floating; }

TEST(Select, SmallSortsTakeOneWorkgroup) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (uint64_t count : {0u, 1u, 2u, 100u, 1000u}) {
            EXPECT_EQ(chosen(device, count), VKSORT_ALGORITHM_ONE_WORKGROUP) << device.name << " " << count;
        }
        EXPECT_NE(chosen(device, 100'000), VKSORT_ALGORITHM_ONE_WORKGROUP) << device.name;
    }
}

TEST(Select, WithoutMemoryModelNobodyLooksBack) {
    VksortDeviceInfo with = generic_device();
    VksortDeviceInfo bare = without(with, VKSORT_FEATURE_MEMORY_MODEL_BIT);
    for (VksortKeyType key : reference::kAllKeyTypes) {
        const bool wide = reference::key_size(key) == 8; // eight passes
        const VksortAlgorithm forWide = is_float(key) ? VKSORT_ALGORITHM_BUCKET_SORT : VKSORT_ALGORITHM_MSD;
        EXPECT_EQ(chosen(with, 3'000'000, key, 4), wide ? forWide : VKSORT_ALGORITHM_ONESWEEP);
        EXPECT_EQ(chosen(bare, 3'000'000, key, 4), wide ? VKSORT_ALGORITHM_MSD : VKSORT_ALGORITHM_REDUCE_SCAN);
    }
}

// Below a million GPUs whose ballots pay sort all wide keys so, with any value, and nothing else.
TEST(Select, WhatTakesSampleSort) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
                VksortPlanDesc desc = {};
                desc.keyType = key;
                desc.valueSize = value_size;
                desc.maxCount = 30'000;
                SCOPED_TRACE(describe(device, desc));
                const bool wide = takes_fast_path(device) && reference::key_size(key) >= 4;
                EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_SAMPLE_SORT, wide);
                desc.flags = VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
                desc.result = VKSORT_RESULT_SEPARATE;
                EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_SAMPLE_SORT, wide);
                if (value_size == 4) {
                    desc.flags = VKSORT_PLAN_ARGSORT_BIT;
                    EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_SAMPLE_SORT, wide);
                }
                desc.endBit = 7;
                EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_SAMPLE_SORT);
                desc.endBit = 0;
                desc.maxCount = (1 << 20) + 1;
                EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_SAMPLE_SORT);
            }
        }
    }
    EXPECT_EQ(chosen(generic_device(), 539'999), VKSORT_ALGORITHM_SAMPLE_SORT);
    // What one workgroup has room for, but sorts more slowly: with values from 4097 on, 8-byte keys from 2049 on.
    EXPECT_EQ(chosen(generic_device(), 2048, VKSORT_KEY_U64, 4), VKSORT_ALGORITHM_ONE_WORKGROUP);
    EXPECT_EQ(chosen(generic_device(), 2049, VKSORT_KEY_U64, 4), VKSORT_ALGORITHM_SAMPLE_SORT);
    EXPECT_EQ(chosen(generic_device(), 4096, VKSORT_KEY_U64), VKSORT_ALGORITHM_ONE_WORKGROUP);
    EXPECT_EQ(chosen(generic_device(), 4096, VKSORT_KEY_U32, 4), VKSORT_ALGORITHM_ONE_WORKGROUP);
    EXPECT_EQ(chosen(generic_device(), 4097, VKSORT_KEY_U32, 4), VKSORT_ALGORITHM_SAMPLE_SORT);
    EXPECT_EQ(chosen(generic_device(), 4097), VKSORT_ALGORITHM_ONE_WORKGROUP);
    EXPECT_EQ(chosen(without(generic_device(), VKSORT_FEATURE_MEMORY_MODEL_BIT), 1 << 20), VKSORT_ALGORITHM_SAMPLE_SORT);
    VksortPlanDesc pairs = {};
    pairs.valueSize = 4;
    pairs.maxCount = 404'999;
    EXPECT_EQ(chosen(generic_device(), pairs), VKSORT_ALGORITHM_SAMPLE_SORT);
    pairs.result = VKSORT_RESULT_PING_PONG; // not for bucket_sort
    for (const auto& [count, taken] : {std::pair{800'000u, true}, {800'001u, false}}) {
        pairs.maxCount = count;
        EXPECT_EQ(chosen(generic_device(), pairs) == VKSORT_ALGORITHM_SAMPLE_SORT, taken);
    }
    // Its largest count there; the next larger one takes another.
    VksortPlanDesc desc = {};
    desc.algorithm = VKSORT_ALGORITHM_SAMPLE_SORT;
    VksortPlanInfo info = {};
    const VksortDeviceInfo least = least_device_with_ballots();
    ASSERT_EQ(vksortDescribePlan(&least, &desc, &info, nullptr, 0), VK_SUCCESS);
    ASSERT_LT(info.largestCount, 1u << 20);
    EXPECT_EQ(chosen(least, info.largestCount), VKSORT_ALGORITHM_SAMPLE_SORT);
    EXPECT_EQ(chosen(least, info.largestCount + 1), VKSORT_ALGORITHM_ONESWEEP);
}

// Many keys of 4 and 8 bytes by all their bits on GPUs whose ballots pay and that can look back, but not to the caller's
// alternate buffer; as many as fit scratch twice, and with values as many as one level is enough for.
TEST(Select, WhatTakesBucketSort) {
    for (const VksortDeviceInfo& device : all_devices()) {
        const bool can = takes_fast_path(device) && (device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0;
        for (VksortKeyType key : reference::kAllKeyTypes) {
            const bool wide = can && reference::key_size(key) >= 4;
            VksortPlanDesc desc = {};
            desc.keyType = key;
            desc.maxCount = 700'000;
            SCOPED_TRACE(describe(device, desc));
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_BUCKET_SORT, wide);
            desc.flags = VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
            desc.result = VKSORT_RESULT_SEPARATE;
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_BUCKET_SORT, wide);
            desc.result = VKSORT_RESULT_PING_PONG;
            EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_BUCKET_SORT);
            desc.result = VKSORT_RESULT_IN_PLACE;
            if (is_float(key)) {
                continue; // below
            }
            const bool eightBytes = reference::key_size(key) == 8;
            const uint64_t leastWithValues = 405'000;
            for (uint32_t valueSize : {0u, 4u, 12u}) {
                desc.flags = valueSize == 0 ? VKSORT_PLAN_ARGSORT_BIT : 0;
                desc.valueSize = valueSize;
                for (uint64_t count : {leastWithValues, uint64_t{600'000}}) {
                    desc.maxCount = count;
                    EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_BUCKET_SORT, wide);
                }
                for (uint64_t count : {leastWithValues - 1, uint64_t{5'000'000}}) {
                    desc.maxCount = count;
                    EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_BUCKET_SORT);
                }
            }
            desc.flags = 0;
            desc.valueSize = 0;
            desc.endBit = 7;
            EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_BUCKET_SORT);
            desc.endBit = 0;
            desc.maxCount = eightBytes ? 405'000 : 660'000;
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_BUCKET_SORT, wide);
            --desc.maxCount;
            EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_BUCKET_SORT);
        }
    }
    VksortDeviceInfo device = generic_device();
    EXPECT_EQ(chosen(device, 1 << 24), VKSORT_ALGORITHM_BUCKET_SORT);
    device.maxStorageBufferRange = 80'000'000;
    EXPECT_EQ(chosen(device, 1 << 24), VKSORT_ALGORITHM_MSD);
}

// Floats, which have to be counted first: on GPUs from fewer on, and to fewer, with values to the same if they have 8 bytes.
TEST(Select, FloatsTakeBucketSort) {
    const auto takes = [](VksortKeyType key, uint32_t valueSize, uint64_t count) {
        return chosen(generic_device(), count, key, valueSize) == VKSORT_ALGORITHM_BUCKET_SORT;
    };
    for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_F64}) {
        for (uint32_t valueSize : {0u, 4u, 12u}) {
            SCOPED_TRACE(std::string(vksortKeyTypeName(key)) + " " + std::to_string(valueSize));
            const uint64_t most = key == VKSORT_KEY_F32 && valueSize > 0 ? 1'900'000 : 5'000'000;
            EXPECT_FALSE(takes(key, valueSize, 269'999));
            EXPECT_TRUE(takes(key, valueSize, 270'000));
            EXPECT_TRUE(takes(key, valueSize, most));
            EXPECT_FALSE(takes(key, valueSize, most + 1));
        }
    }
    VksortDeviceInfo small = generic_device();
    small.maxSharedMemorySize = 16384; // too little to count in
    EXPECT_NE(chosen(small, 1'000'000, VKSORT_KEY_F32), VKSORT_ALGORITHM_BUCKET_SORT);
    EXPECT_EQ(chosen(small, 1'000'000, VKSORT_KEY_U32), VKSORT_ALGORITHM_BUCKET_SORT);
}

// Many keys without values of 4 and 8 bytes by all their bits, where ballots pay and bucket_sort does not take them; keys of
// 8 bytes with values, too.
TEST(Select, WhatTakesMsd) {
    for (const VksortDeviceInfo& device : all_devices()) {
        const bool fast = takes_fast_path(device);
        for (VksortKeyType key : reference::kAllKeyTypes) {
            SCOPED_TRACE(std::string(device.name) + " " + vksortKeyTypeName(key));
            const bool wide = fast && reference::key_size(key) >= 4;
            VksortPlanDesc desc = {};
            desc.keyType = key;
            desc.maxCount = 12'000'000;
            const bool buckets = (device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0;
            // Of floats the levels leave too many together, where onesweep can be and has only four passes.
            const bool leveled = wide && (key != VKSORT_KEY_F32 || !buckets);
            const bool forBuckets = buckets && !is_float(key);
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_MSD, leveled && !forBuckets);
            desc.flags = VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
            desc.result = VKSORT_RESULT_PING_PONG;
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_MSD, leveled);
            desc.flags = VKSORT_PLAN_ARGSORT_BIT;
            desc.maxCount = 8'000'000;
            const bool with_values = fast && reference::key_size(key) == 8;
            EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_MSD, with_values);
            desc.flags = 0;
            for (uint32_t value_size : {4u, 8u, 12u, 16u}) {
                desc.valueSize = value_size;
                EXPECT_EQ(chosen(device, desc) == VKSORT_ALGORITHM_MSD, with_values) << value_size;
            }
            desc.valueSize = 0;
            for (uint32_t begin : {0u, 1u}) {
                desc.beginBit = begin;
                desc.endBit = begin + 7;
                EXPECT_NE(chosen(device, desc), VKSORT_ALGORITHM_MSD);
            }
            desc.beginBit = desc.endBit = 0;
            desc.maxCount = 100;
            EXPECT_EQ(chosen(device, desc), VKSORT_ALGORITHM_ONE_WORKGROUP);
        }
    }
}

// Keys of 4 bytes, to the caller's alternate buffer, from 2^23 on; with values from 10 million on.
TEST(Select, MsdIsForMany) {
    const VksortDeviceInfo device = generic_device();
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I32}) {
        VksortPlanDesc desc = {};
        desc.keyType = key;
        desc.result = VKSORT_RESULT_PING_PONG; // not for bucket_sort
        desc.maxCount = (1 << 23) - 1;
        EXPECT_EQ(chosen(device, desc), VKSORT_ALGORITHM_ONESWEEP);
        desc.maxCount = 1 << 23;
        EXPECT_EQ(chosen(device, desc), VKSORT_ALGORITHM_MSD);
        for (uint32_t value_size : {4u, 8u, 16u}) {
            EXPECT_EQ(chosen(device, 9'999'999, key, value_size), VKSORT_ALGORITHM_ONESWEEP);
            EXPECT_EQ(chosen(device, 12'000'000, key, value_size), VKSORT_ALGORITHM_MSD);
        }
    }
    EXPECT_EQ(chosen(device, 2'000'000, VKSORT_KEY_U64, 4), VKSORT_ALGORITHM_MSD);
}

// By name it runs for every built-in key and value, on every device whose subgroup size is known.
TEST(Select, MsdByName) {
    for (const VksortDeviceInfo& device : devices_with_known_subgroups()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint64_t count : {0u, 10u, 1'000'000u}) {
                VksortPlanDesc desc = {};
                desc.algorithm = VKSORT_ALGORITHM_MSD;
                desc.keyType = key;
                desc.valueSize = 16;
                desc.maxCount = count;
                EXPECT_EQ(chosen(device, desc), VKSORT_ALGORITHM_MSD) << device.name << " " << vksortKeyTypeName(key);
            }
        }
    }
}

TEST(Select, OnesweepIsRefusedWithoutMemoryModel) {
    VksortDeviceInfo device = least_device();
    VksortPlanDesc desc = {};
    desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
    VksortPlanInfo info;
    char text[400] = {};
    EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_ERROR_FEATURE_NOT_PRESENT);
    std::string sentence = text;
    EXPECT_NE(sentence.find("vulkanMemoryModel"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("reduce_scan"), std::string::npos) << "names another algorithm: " << sentence;
    EXPECT_NE(sentence.find(device.name), std::string::npos) << sentence;
}

// 16 KiB of shared memory and 128 invocations are enough for every sort without ballots, and with subgroups of 16 lanes for
// the others.
TEST(Select, LeastDeviceSortsEverything) {
    for (VksortAlgorithm algorithm :
         {VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_LOCALITY,
          VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT, VKSORT_ALGORITHM_ONESWEEP}) {
        const VksortDeviceInfo device = ranks_by_ballots_only(algorithm) ? least_device_with_ballots() : least_device();
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
                VksortPlanDesc desc = {};
                desc.algorithm = algorithm;
                desc.keyType = key;
                desc.valueSize = value_size;
                desc.maxCount = 1000;
                VksortPlanInfo info;
                char text[400] = {};
                EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_SUCCESS) << text;
                EXPECT_EQ(info.algorithm, algorithm);
            }
        }
    }
    EXPECT_EQ(chosen(least_device(), 1'000'000, VKSORT_KEY_U32, 4), VKSORT_ALGORITHM_REDUCE_SCAN);
    EXPECT_EQ(chosen(least_device_with_ballots(), 1'000'000, VKSORT_KEY_U32, 4), VKSORT_ALGORITHM_ONESWEEP);
}

// Ballots need a subgroup size that is known; where it is not, or narrow, counters rank in what can do with either.
TEST(Select, BallotsOnlyWhereTheSubgroupSizeIsKnown) {
    auto uses_ballots = [](const VksortDeviceInfo& device) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN;
        desc.maxCount = 1'000'000;
        uint32_t count = VKSORT_MAX_PASSES;
        VksortPassInfo passes[VKSORT_MAX_PASSES];
        EXPECT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount, &count, passes), VK_SUCCESS);
        return std::any_of(passes, passes + count,
                           [](const VksortPassInfo& pass) { return std::strstr(pass.kernel, "_ballot") != nullptr; });
    };
    EXPECT_TRUE(uses_ballots(generic_device()));
    EXPECT_TRUE(uses_ballots(gpu_device(0x1002, 32, 64)));
    EXPECT_FALSE(uses_ballots(without(generic_device(), VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT)));
    EXPECT_FALSE(uses_ballots(least_device()));
    EXPECT_FALSE(uses_ballots(gpu_device(0x8086, 8, 8)));
    EXPECT_FALSE(uses_ballots(cpu_device(16)));
    VksortDeviceInfo fixed_by_pipeline = gpu_device(0x1002, 32, 64);
    fixed_by_pipeline.canRequireSubgroupSize = VK_FALSE; // varies, and cannot be asked for
    EXPECT_FALSE(uses_ballots(fixed_by_pipeline));
}

// GPUs with narrow subgroups, or of a size that is not known, and processors sort by what needs no subgroups; without the
// memory model ballots still pay.
TEST(Select, WhereBallotsDoNotPay) {
    struct Portable {
        VksortDeviceInfo device;
        VksortAlgorithm whole, bits; // AUTO's for a million pairs by all bits, and by some
    };
    VksortDeviceInfo varying = gpu_device(0x1002, 32, 64);
    varying.canRequireSubgroupSize = VK_FALSE;
    VksortDeviceInfo fixed = gpu_device(0x8086, 8, 8);
    fixed.canRequireSubgroupSize = VK_FALSE;
    for (const Portable& portable : {Portable{fixed, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{varying, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{without(generic_device(), VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT),
                                              VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{least_device(), VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{cpu_device(4), VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{cpu_device(8), VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_REDUCE_SCAN},
                                     Portable{cpu_device(16), VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_REDUCE_SCAN}}) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            for (VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_PING_PONG, VKSORT_RESULT_SEPARATE}) {
                VksortPlanDesc desc = {};
                desc.keyType = key;
                desc.valueSize = 4;
                desc.result = result;
                desc.maxCount = 1'000'000;
                SCOPED_TRACE(describe(portable.device, desc));
                EXPECT_EQ(chosen(portable.device, desc), portable.whole);
                desc.endBit = 7;
                EXPECT_EQ(chosen(portable.device, desc), portable.bits);
                desc.maxCount = 500;
                EXPECT_EQ(chosen(portable.device, desc), VKSORT_ALGORITHM_ONE_WORKGROUP);
                desc.endBit = 0;
                EXPECT_EQ(chosen(portable.device, desc), VKSORT_ALGORITHM_ONE_WORKGROUP);
                desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
                desc.result = VKSORT_RESULT_SEPARATE;
                desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
                desc.maxSegments = 50;
                EXPECT_EQ(chosen(portable.device, desc), VKSORT_ALGORITHM_SEGMENTED);
            }
        }
    }
    const VksortDeviceInfo bare = without(generic_device(), VKSORT_FEATURE_MEMORY_MODEL_BIT);
    EXPECT_EQ(chosen(bare, 500'000), VKSORT_ALGORITHM_SAMPLE_SORT);
    EXPECT_EQ(chosen(bare, 5'000'000), VKSORT_ALGORITHM_REDUCE_SCAN);
    EXPECT_EQ(chosen(bare, 5'000'000, VKSORT_KEY_U64), VKSORT_ALGORITHM_MSD);
}

// On a CPU driver merge needs no more scratch than any other algorithm, so that auto takes as much as merge does.
TEST(Select, ProcessorsMergeWhateverFits) {
    VksortPlanDesc desc = {};
    desc.algorithm = VKSORT_ALGORITHM_MERGE;
    VksortDeviceInfo device = cpu_device(8);
    device.maxMemoryAllocationSize = uint64_t{128} << 20;
    VksortPlanInfo info = {};
    ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
    EXPECT_EQ(chosen(device, info.largestCount), VKSORT_ALGORITHM_MERGE);
    const uint64_t largest = info.largestCount;
    desc.algorithm = VKSORT_ALGORITHM_AUTO;
    ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
    EXPECT_EQ(info.largestCount, largest);
    desc.maxCount = largest + 1;
    EXPECT_NE(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
}

// By name the fast algorithms run with subgroups of any known size, and are refused without, in words that name what is
// missing and what to use.
TEST(Select, FastAlgorithmsByName) {
    VksortDeviceInfo varying = gpu_device(0x1002, 32, 64);
    varying.canRequireSubgroupSize = VK_FALSE;
    const VksortDeviceInfo uncontrolled = without(generic_device(), VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT);
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SIZE_CLASSES,
                                      VKSORT_ALGORITHM_SAMPLE_SORT, VKSORT_ALGORITHM_BUCKET_SORT}) {
        VksortPlanDesc desc = {};
        desc.algorithm = algorithm;
        desc.valueSize = 4;
        desc.maxCount = 1500;
        desc.result = VKSORT_RESULT_SEPARATE;
        const bool segmented = algorithm == VKSORT_ALGORITHM_SIZE_CLASSES;
        if (segmented) {
            desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
            desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
            desc.maxSegments = 50;
        }
        for (const VksortDeviceInfo& device : {generic_device(), gpu_device(0x8086, 8, 8), gpu_device(0x5143, 64, 128),
                                               cpu_device(4), cpu_device(8), cpu_device(16)}) {
            EXPECT_EQ(chosen(device, desc), algorithm) << device.name;
        }
        for (const VksortDeviceInfo& device : {varying, uncontrolled}) {
            VksortPlanInfo info;
            char text[400] = {};
            EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_ERROR_FEATURE_NOT_PRESENT);
            const std::string sentence = text;
            for (const char* part :
                 {vksortAlgorithmName(algorithm), "subgroup", device.name, segmented ? "segmented" : "reduce_scan"}) {
                EXPECT_NE(sentence.find(part), std::string::npos) << part << ": " << sentence;
            }
            const bool has_feature = (device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
            EXPECT_NE(sentence.find("subgroupSizeControl") != std::string::npos, has_feature) << sentence;
        }
    }
}

TEST(Select, TooSmallADeviceIsRefusedInWords) {
    VksortDeviceInfo device = least_device_with_ballots();
    device.maxSharedMemorySize = 1024;
    VksortPlanDesc desc = {};
    VksortPlanInfo info;
    for (VksortAlgorithm algorithm :
         {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD}) {
        desc.algorithm = algorithm;
        desc.maxCount = 1000;
        char text[400] = {};
        EXPECT_EQ(vksortDescribePlan(&device, &desc, &info, text, sizeof text), VK_ERROR_FEATURE_NOT_PRESENT);
        EXPECT_NE(std::string(text).find("1024"), std::string::npos) << text;
    }
}

} // namespace
} // namespace vksort::test
