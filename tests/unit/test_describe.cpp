// SPDX-License-Identifier: MIT
//
// The pure functions of the interface: plan and passes in numbers, with no GPU.
#include "plan_checks.h"

namespace vksort::test {
namespace {

TEST(Describe, PlanInfoIsThePlans) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (VksortKeyType key : reference::kAllKeyTypes) {
            VksortPlanDesc desc = {};
            desc.keyType = key;
            desc.maxCount = 70'000;
            Plan plan;
            Message message;
            ASSERT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS);
            VksortPlanInfo info;
            std::memset(&info, 0xEE, sizeof info);
            ASSERT_EQ(vksortDescribePlan(&device, &desc, &info, nullptr, 0), VK_SUCCESS);
            EXPECT_EQ(info.scratchSize, plan.info.scratchSize);
            EXPECT_EQ(info.algorithm, plan.info.algorithm);
            EXPECT_EQ(info.passCount, plan.info.passCount);
            EXPECT_EQ(info.largestCount, plan.info.largestCount);
        }
    }
}

TEST(Describe, PassesTwoCallIdiom) {
    VksortDeviceInfo device = generic_device();
    VksortPlanDesc desc = {};
    desc.maxCount = 3'000'000;
    uint32_t count = 0;
    ASSERT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount, &count, nullptr), VK_SUCCESS);
    ASSERT_GE(count, 4u);
    std::vector<VksortPassInfo> passes(count + 1);
    std::memset(passes.data(), 0x55, passes.size() * sizeof passes[0]);
    uint32_t room = count - 1;
    EXPECT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount, &room, passes.data()), VK_INCOMPLETE);
    EXPECT_EQ(room, count) << "says how many there are";
    EXPECT_EQ(static_cast<unsigned char>(passes[count - 1].name[0]), 0x55) << "writes no more than there is room for";
    room = count + 1;
    EXPECT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount, &room, passes.data()), VK_SUCCESS);
    EXPECT_EQ(room, count);
    for (uint32_t i = 0; i < count; ++i) {
        EXPECT_GT(std::strlen(passes[i].name), 0u);
        EXPECT_GT(std::strlen(passes[i].kernel), 0u);
        EXPECT_GT(passes[i].workgroupSize, 0u);
    }
}

// Onesweep reads keys once for the histogram, then reads and writes them once a pass.
TEST(Describe, TrafficOfOnesweep) {
    VksortDeviceInfo device = generic_device();
    for (uint32_t value_size : {0u, 4u, 12u}) {
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
        desc.valueSize = value_size;
        desc.maxCount = 1 << 20;
        uint32_t count = VKSORT_MAX_PASSES;
        VksortPassInfo passes[VKSORT_MAX_PASSES];
        ASSERT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount, &count, passes), VK_SUCCESS);
        uint64_t read = 0, written = 0;
        for (uint32_t i = 0; i < count; ++i) {
            read += passes[i].bytesRead;
            written += passes[i].bytesWritten;
        }
        EXPECT_EQ(read, (4 + 4 * (4 + value_size)) * desc.maxCount);
        EXPECT_EQ(written, 4 * (4 + value_size) * desc.maxCount);
    }
}

TEST(Describe, WorkgroupsFollowTheCount) {
    VksortDeviceInfo device = generic_device();
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        VksortPlanDesc desc = {};
        desc.algorithm = algorithm;
        desc.maxCount = 1 << 22;
        auto groups = [&](uint64_t elements) {
            uint32_t count = VKSORT_MAX_PASSES;
            VksortPassInfo passes[VKSORT_MAX_PASSES];
            EXPECT_EQ(vksortDescribePasses(&device, &desc, elements, &count, passes), VK_SUCCESS);
            uint64_t most = 0;
            for (uint32_t i = 0; i < count; ++i) {
                most = std::max(most, passes[i].workgroups);
            }
            return most;
        };
        EXPECT_GT(groups(1 << 22), groups(1 << 12));
        EXPECT_GE(groups(1 << 12), groups(0));
    }
}

TEST(Describe, CountAboveTheMaximumIsRefused) {
    VksortDeviceInfo device = generic_device();
    VksortPlanDesc desc = {};
    desc.maxCount = 1000;
    uint32_t count = 0;
    EXPECT_NE(vksortDescribePasses(&device, &desc, 1001, &count, nullptr), VK_SUCCESS);
    desc.valueSize = 5;
    EXPECT_EQ(vksortDescribePasses(&device, &desc, 1000, &count, nullptr), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

} // namespace
} // namespace vksort::test
