// SPDX-License-Identifier: MIT
//
// How many elements a device has room for, where buffers are limited, too; and what README says of scratch.
#include <fstream>
#include <span>
#include <sstream>

#include "plan_checks.h"

namespace vksort::test {
namespace {

constexpr VksortAlgorithm kSorts[] = {VKSORT_ALGORITHM_BUCKET_SORT, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_ONESWEEP,
                                      VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_SAMPLE_SORT};
constexpr VksortAlgorithm kSegmentedSorts[] = {VKSORT_ALGORITHM_SIZE_CLASSES, VKSORT_ALGORITHM_SEGMENTED};
constexpr uint64_t kAllocation = uint64_t{4094} << 20;

VksortDeviceInfo nvidia_device() { return with_limited_buffers(gpu_device(0x10DE, 32, 32)); }

VksortPlanDesc described(VksortKeyType key, uint32_t value_size, uint64_t count,
                         VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO) {
    VksortPlanDesc desc = {};
    desc.keyType = key;
    desc.valueSize = value_size;
    desc.maxCount = count;
    desc.algorithm = algorithm;
    return desc;
}

std::string refusal(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
    Plan plan;
    Message message;
    EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_ERROR_FORMAT_NOT_SUPPORTED) << describe(device, desc);
    return message.text;
}

// AUTO never asks for more scratch than one buffer can have, and takes as many elements as any algorithm does.
TEST(PlanLimits, AutoTakesWhatFits) {
    for (const VksortDeviceInfo& device : all_devices()) {
        for (uint64_t allocation : {uint64_t{1} << 30, kAllocation}) {
            VksortDeviceInfo limited = device;
            limited.maxMemoryAllocationSize = allocation;
            for (VksortKeyType key : {VKSORT_KEY_U8, VKSORT_KEY_U32, VKSORT_KEY_U64}) {
                for (uint32_t value_size : {0u, 4u, 16u}) {
                    for (bool segmented : {false, true}) {
                        VksortPlanDesc desc = described(key, value_size, 0);
                        desc.operation = segmented ? VKSORT_OPERATION_SEGMENTED_SORT : VKSORT_OPERATION_SORT;
                        const uint64_t largest = plan_of(limited, desc).info.largestCount;
                        for (uint64_t part : {1u, 2u, 3u, 5u, 9u, 100u}) {
                            desc.maxCount = largest / part;
                            plan_of(limited, desc); // which looks at all sizes
                        }
                        desc.maxCount = largest + 1;
                        EXPECT_NE(refusal(limited, desc).find(std::to_string(largest)), std::string::npos);
                        desc.maxCount = 0;
                        const auto by_name = segmented ? std::span<const VksortAlgorithm>(kSegmentedSorts) : kSorts;
                        for (VksortAlgorithm named : by_name) {
                            desc.algorithm = named;
                            VksortPlanInfo info = {};
                            if (vksortDescribePlan(&limited, &desc, &info, nullptr, 0) == VK_SUCCESS) {
                                EXPECT_LE(info.largestCount, largest) << describe(limited, desc);
                            }
                        }
                    }
                }
            }
        }
    }
}

// Where AUTO would take bucket_sort, if its scratch were not too much.
TEST(PlanLimits, ScratchDecides) {
    VksortDeviceInfo device = nvidia_device();
    const VksortPlanDesc desc = described(VKSORT_KEY_U32, 0, 100'000'000);
    const Plan roomy = plan_of(device, desc);
    ASSERT_EQ(roomy.info.algorithm, VKSORT_ALGORITHM_BUCKET_SORT);
    device.maxMemoryAllocationSize = roomy.info.scratchSize;
    EXPECT_EQ(plan_of(device, desc).info.algorithm, VKSORT_ALGORITHM_BUCKET_SORT);
    --device.maxMemoryAllocationSize;
    EXPECT_EQ(plan_of(device, desc).info.algorithm, VKSORT_ALGORITHM_MSD);
    // One copy of the keys, and what onesweep keeps of its tiles or reduce_scan of nothing.
    device.maxMemoryAllocationSize = 460'000'000;
    EXPECT_EQ(plan_of(device, desc).info.algorithm, VKSORT_ALGORITHM_ONESWEEP);
    device.maxMemoryAllocationSize = 401'000'000;
    EXPECT_EQ(plan_of(device, desc).info.algorithm, VKSORT_ALGORITHM_REDUCE_SCAN);
    device.maxMemoryAllocationSize = 0; // not known
    device.maxBufferSize = roomy.info.scratchSize - 1;
    EXPECT_EQ(plan_of(device, desc).info.algorithm, VKSORT_ALGORITHM_MSD);
}

// By name there is no other algorithm: the sentence has the limit and the largest count, which is true.
TEST(PlanLimits, ScratchByNameIsRefusedInWords) {
    const VksortDeviceInfo device = nvidia_device();
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_BUCKET_SORT, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_ONESWEEP}) {
        VksortPlanDesc desc = described(VKSORT_KEY_U64, 0, uint64_t{1} << 29, algorithm);
        desc.maxCount -= 1; // what a binding has room for
        const std::string text = refusal(device, desc);
        for (const std::string& part : {std::string("scratch above the 4292870144 bytes"), std::string(device.name),
                                        std::string("the largest count that fits is ")}) {
            EXPECT_NE(text.find(part), std::string::npos) << text;
        }
        desc.maxCount = std::stoull(text.substr(text.rfind(' ')));
        plan_of(device, desc);
        desc.maxCount += 1;
        EXPECT_EQ(refusal(device, desc).substr(9), text.substr(9)) << "of " << desc.maxCount;
    }
}

// The caller's own buffers have the same limits.
TEST(PlanLimits, KeysAndValuesAreBuffers) {
    VksortDeviceInfo device = nvidia_device();
    device.maxBufferSize = 1'000'000'000;
    VksortPlanDesc desc = described(VKSORT_KEY_U32, 16, 0, VKSORT_ALGORITHM_REDUCE_SCAN);
    desc.result = VKSORT_RESULT_PING_PONG;
    EXPECT_EQ(plan_of(device, desc).info.largestCount, 1'000'000'000u / 16);
    desc.maxCount = 1'000'000'000 / 16 + 1;
    EXPECT_NE(refusal(device, desc).find("a buffer above the 1000000000 bytes"), std::string::npos) << refusal(device, desc);
    VksortPlanDesc merge = described(VKSORT_KEY_U32, 0, 0);
    merge.operation = VKSORT_OPERATION_MERGE;
    merge.result = VKSORT_RESULT_SEPARATE;
    merge.maxCountB = 300'000'000;
    EXPECT_NE(refusal(device, merge).find("300000000 elements of B need a buffer above"), std::string::npos)
        << refusal(device, merge);
}

// What README and the header say, of devices that do not tell how large a buffer may be.
TEST(PlanLimits, KeysOfUpToFourBytes) {
    const VksortDeviceInfo device = generic_device();
    ASSERT_EQ(device.maxStorageBufferRange, UINT32_MAX);
    ASSERT_EQ(device.maxMemoryAllocationSize + device.maxBufferSize, 0u);
    for (VksortKeyType key : reference::kAllKeyTypes) {
        const uint64_t bytes = std::max(reference::key_size(key), 4u);
        EXPECT_EQ(plan_of(device, described(key, 0, 0)).info.largestCount, UINT32_MAX / bytes) << vksortKeyTypeName(key);
    }
}

std::string with_commas(uint64_t number) {
    std::string text = std::to_string(number);
    for (size_t at = text.size(); at > 3;) {
        text.insert(at -= 3, ",");
    }
    return text;
}

// The table of scratch in README, row by row.
TEST(PlanLimits, ReadmeIsTrue) {
    std::ifstream file(VKSORT_README);
    std::stringstream readme;
    readme << file.rdbuf();
    ASSERT_FALSE(readme.str().empty()) << VKSORT_README;
    const std::pair<VksortKeyType, uint32_t> rows[] = {{VKSORT_KEY_U8, 0},  {VKSORT_KEY_U16, 0}, {VKSORT_KEY_U32, 0},
                                                       {VKSORT_KEY_U64, 0}, {VKSORT_KEY_U32, 4}, {VKSORT_KEY_U64, 4}};
    for (const auto& [key, value_size] : rows) {
        std::string row = std::string("| ") + vksortKeyTypeName(key);
        row += value_size != 0 ? " + " + std::to_string(value_size) : "";
        VksortPlanInfo info = {};
        for (uint64_t count : {10'000u, 1'000'000u, 10'000'000u, 100'000'000u}) {
            info = plan_of(nvidia_device(), described(key, value_size, count)).info;
            char text[32];
            const uint64_t copy = count * (vksortKeySize(key) + value_size);
            std::snprintf(text, sizeof text, " | %.2f", static_cast<double>(info.scratchSize) / static_cast<double>(copy));
            row += text;
        }
        row += " | " + with_commas(info.largestCount) + " |\n";
        EXPECT_NE(readme.str().find(row), std::string::npos) << "README has to have this row:\n" << row;
    }
}

} // namespace
} // namespace vksort::test
