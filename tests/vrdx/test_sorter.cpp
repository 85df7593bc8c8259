// SPDX-License-Identifier: MIT
//
// Internals of the sorter: the plans that it makes, and whether storage is enough for them on devices that are only
// described.
#ifdef VKSORT_TEST_VOLK
#include <volk.h>
#endif
#define VRDX_IMPLEMENTATION
#include <vksort/vksort_vrdx.h>

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "gpu.h"

namespace {

using namespace vksort_vrdx;

void drop_features(VksortDeviceInfo& device, VksortFeatureFlags features) {
    device.features &= ~features;
    if ((features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0) {
        device.canRequireSubgroupSize = VK_FALSE;
    }
}

std::vector<VksortDeviceInfo> devices() {
    VksortDeviceInfo generic;
    vksortGetGenericDeviceInfo(&generic);
    std::vector<VksortDeviceInfo> result(5, generic);
    drop_features(result[1], VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT | VKSORT_FEATURE_MEMORY_MODEL_BIT);
    result[2].deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    result[2].maxStorageBufferRange = 1u << 27;
    result[3].vendorId = 0x1002;
    result[3].maxSharedMemorySize = 32768;
    result[3].maxMemoryAllocationSize = uint64_t{1} << 31;
    drop_features(result[4], VKSORT_FEATURE_MEMORY_MODEL_BIT);
    result[4].maxSharedMemorySize = 16384;
    result[4].maxWorkgroupInvocations = result[4].maxWorkgroupSizeX = 128;
    return result;
}

uint64_t scratch_of(const VrdxSorter_T& sorter, uint64_t capacity, uint32_t mode, bool indirect, uint64_t limit) {
    VksortPlanDesc desc;
    VksortPlanInfo info;
    char reason[kMessageSize];
    EXPECT_TRUE(choose(sorter, capacity, static_cast<VrdxSortMode>(mode), indirect, limit, desc, info, reason)) << reason;
    return info.scratchSize;
}

// Storage for a count has to be enough for every smaller one, with and without values, and must not make a plan take an
// algorithm that is not its first choice.
TEST(VrdxStorage, SufficesForTheFirstChoice) {
    std::mt19937 random(1);
    for (const VksortDeviceInfo& device : devices()) {
        for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_SAMPLE_SORT}) {
            VrdxSorter_T sorter;
            sorter.device = device;
            sorter.algorithm = algorithm;
            for (uint32_t mode = 0; mode < 2; ++mode) {
                sorter.largest[mode] = largest_count(sorter, static_cast<VrdxSortMode>(mode));
                ASSERT_GE(sorter.largest[mode], uint64_t{1} << 25);
            }
            for (int i = 0; i < 400; ++i) {
                const uint32_t mode = i % 2;
                // Counts of any magnitude, and counts beside capacities.
                uint64_t count = (random() | 1u) >> (2 + random() % 29);
                count = i % 5 == 0 ? capacity_of(cell_of(static_cast<uint32_t>(count))) + random() % 3 : count;
                count = std::min(count, sorter.largest[mode]);
                const uint32_t cell = cell_of(static_cast<uint32_t>(count));
                const uint64_t bound = scratch_bound(sorter, static_cast<uint32_t>(count), static_cast<VrdxSortMode>(mode));
                EXPECT_EQ(scratch_of(sorter, count, mode, true, bound), scratch_of(sorter, count, mode, true, UINT64_MAX))
                    << count << " elements";
                const uint64_t capacity = std::min(capacity_of(cell), sorter.largest[mode]);
                EXPECT_EQ(scratch_of(sorter, capacity, mode, false, bound),
                          scratch_of(sorter, capacity, mode, false, UINT64_MAX))
                    << capacity << " elements";
                EXPECT_LE(sorter.bounds[VRDX_SORT_MODE_KEYS_ONLY][cell], sorter.bounds[VRDX_SORT_MODE_KEY_VALUE][cell]);
            }
            for (uint32_t cell = 1; cell < sorter.boundCount; ++cell) {
                EXPECT_LE(sorter.bounds[0][cell - 1], sorter.bounds[0][cell]);
                EXPECT_LE(sorter.bounds[1][cell - 1], sorter.bounds[1][cell]);
            }
        }
    }
}

TEST(VrdxStorage, CellsCoverEveryCount) {
    EXPECT_LT(cell_of(UINT32_MAX), kCells);
    for (const uint32_t count : {0u, 1u, 2048u, 2049u, 2304u, 2305u, 1u << 20, (1u << 20) + 1, UINT32_MAX}) {
        const uint64_t capacity = capacity_of(cell_of(count));
        EXPECT_GE(capacity, count);
        EXPECT_TRUE(count <= 2048 || (capacity - count) * 8 <= count) << count;
    }
}

// Counts from the host share plans, upper bounds of counts in a buffer do not, and the least recently used plan is dropped.
TEST(VrdxPlans, AreSharedAndBounded) {
    const Gpu gpu;
    messages.clear();
    VrdxSorter sorter = gpu.create_sorter();
    const auto count_plans = [&] {
        uint32_t plans = 0;
        for (const PlanEntry* entry = sorter->plans; entry != nullptr; entry = entry->next) {
            EXPECT_EQ(entry->users, 0u);
            ++plans;
        }
        return plans;
    };
    for (uint32_t count = 0; count <= 2048; count += 8) {
        EXPECT_EQ(vrdxPrepareSorter(sorter, count, VRDX_SORT_MODE_KEYS_ONLY, VK_FALSE), VK_SUCCESS);
    }
    EXPECT_EQ(count_plans(), 1u);
    const VksortPlan first = sorter->plans->plan;
    for (uint32_t count = 1; count <= 2 * kMostPlans; ++count) {
        EXPECT_EQ(vrdxPrepareSorter(sorter, count, VRDX_SORT_MODE_KEYS_ONLY, VK_TRUE), VK_SUCCESS);
        EXPECT_EQ(sorter->plans->info.maxCount, count);
        if (count % 100 == 0) { // A plan that is used stays.
            EXPECT_EQ(vrdxPrepareSorter(sorter, 5, VRDX_SORT_MODE_KEYS_ONLY, VK_FALSE), VK_SUCCESS);
            EXPECT_EQ(sorter->plans->plan, first);
        }
    }
    EXPECT_EQ(count_plans(), kMostPlans);
    EXPECT_TRUE(messages.empty());
    vrdxDestroySorter(sorter);
}

// With enabledFeatures 0, vksort uses no feature but push descriptors.
TEST(VrdxPlans, UseTheFeaturesThatAreTold) {
    for (const bool all : {false, true}) {
        DeviceOptions options;
        options.allFeatures = all;
        Gpu gpu(options);
        messages.clear();
        VrdxSorter sorter = gpu.create_sorter(VKSORT_ALGORITHM_ONESWEEP);
        EXPECT_EQ(sorter->device.features, gpu.features | VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT);
        constexpr uint32_t kCount = 20000;
        Buffer keys = gpu.create_buffer(kCount * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        VrdxSorterStorageRequirements needs = {};
        vrdxGetSorterStorageRequirements(sorter, kCount, &needs);
        Buffer storage = gpu.create_buffer(needs.size, needs.usage);
        for (uint32_t i = 0; i < kCount; ++i) {
            keys.words[i] = i * 2654435769u;
        }
        VkCommandBuffer commandBuffer = gpu.begin();
        vrdxCmdSort(commandBuffer, sorter, kCount, keys.buffer, 0, storage.buffer, 0, VK_NULL_HANDLE, 0);
        gpu.submit(commandBuffer);
        EXPECT_TRUE(std::is_sorted(keys.words, keys.words + kCount));
        ASSERT_NE(sorter->plans, nullptr);
        EXPECT_EQ(sorter->plans->info.algorithm == VKSORT_ALGORITHM_ONESWEEP, all);
        EXPECT_TRUE(messages.empty());
        vrdxDestroySorter(sorter);
    }
}

} // namespace
