// SPDX-License-Identifier: MIT
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "../reference.h"
#include "vksort/vksort.h"

namespace {

TEST(Names, KeyTypes) {
    const char* const names[] = {"u32", "i32", "f32", "u64", "i64", "f64", "u16", "i16", "f16", "u8", "i8"};
    for (int type = 0; type < 11; ++type) {
        EXPECT_STREQ(vksortKeyTypeName(static_cast<VksortKeyType>(type)), names[type]);
        // The number in the name is the number of bits.
        EXPECT_EQ(vksortKeySize(static_cast<VksortKeyType>(type)) * 8, static_cast<uint32_t>(std::atoi(names[type] + 1)));
    }
    for (int type : {11, 12, 1000, 0x7FFFFFFF}) {
        EXPECT_EQ(vksortKeyTypeName(static_cast<VksortKeyType>(type)), nullptr);
        EXPECT_EQ(vksortKeySize(static_cast<VksortKeyType>(type)), 0u);
    }
}

TEST(Names, Algorithms) {
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_AUTO), "auto");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_ONE_WORKGROUP), "one_workgroup");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_ONESWEEP), "onesweep");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_REDUCE_SCAN), "reduce_scan");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_MERGE), "merge");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_LOCALITY), "locality");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_SEGMENTED), "segmented");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_SIZE_CLASSES), "size_classes");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_MSD), "msd");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_SAMPLE_SORT), "sample_sort");
    EXPECT_STREQ(vksortAlgorithmName(VKSORT_ALGORITHM_BUCKET_SORT), "bucket_sort");
    EXPECT_EQ(vksortAlgorithmName(static_cast<VksortAlgorithm>(VKSORT_ALGORITHM_BUCKET_SORT + 1)), nullptr);
    EXPECT_EQ(vksortAlgorithmName(VKSORT_ALGORITHM_MAX_ENUM), nullptr);
}

TEST(Names, FeatureDescriptions) {
    std::set<std::string> texts;
    for (VksortFeatureFlagBits bit : {VKSORT_FEATURE_MEMORY_MODEL_BIT, VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT,
                                      VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT, VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT}) {
        const char* text = vksortFeatureDescription(bit);
        ASSERT_NE(text, nullptr);
        EXPECT_GT(std::strlen(text), 10u);
        texts.insert(text);
    }
    EXPECT_EQ(texts.size(), 4u);
    EXPECT_EQ(vksortFeatureDescription(static_cast<VksortFeatureFlagBits>(0x400)), nullptr);
}

TEST(Names, GenericDevice) {
    VksortDeviceInfo info;
    std::memset(&info, 0xFF, sizeof info);
    vksortGetGenericDeviceInfo(&info);
    EXPECT_EQ(info.subgroupSize, 32u);
    EXPECT_EQ(info.maxSharedMemorySize, 48u * 1024);
    EXPECT_EQ(info.features, VkFlags{15});
    EXPECT_GT(std::strlen(info.name), 0u);
}

} // namespace
