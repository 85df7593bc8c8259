// SPDX-License-Identifier: MIT
//
// Random descriptions on random devices: a plan that holds together, or a refusal in words; never anything else.
#include <cstdlib>

#include "../harness/random.h"
#include "describe.h"
#include "plan_checks.h"

namespace vksort::test {
namespace {

// Mostly something plausible, now and then anything.
uint64_t pick(Random& random, std::initializer_list<uint64_t> plausible) {
    uint64_t choice = random.below(plausible.size() + 1);
    if (choice == plausible.size()) {
        return random.next() >> random.below(64);
    }
    return plausible.begin()[choice];
}

VksortDeviceInfo random_device(Random& random) {
    std::vector<VksortDeviceInfo> devices = all_devices();
    VksortDeviceInfo info = devices[random.below(devices.size())];
    if (random.below(3) != 0) {
        return info;
    }
    info.features = static_cast<VkFlags>(random.below(8));
    info.minSubgroupSize = 1u << random.below(8);
    info.maxSubgroupSize = info.minSubgroupSize << random.below(3);
    info.subgroupSize = info.maxSubgroupSize;
    info.canRequireSubgroupSize = random.below(2) == 0 ? VK_TRUE : VK_FALSE;
    info.maxSharedMemorySize = static_cast<uint32_t>(pick(random, {8192, 16384, 32768, 49152, 65536, 101376}) & 0xFFFFFF);
    info.maxWorkgroupInvocations = static_cast<uint32_t>(128u << random.below(4));
    info.maxWorkgroupSizeX = info.maxWorkgroupInvocations;
    info.maxWorkgroupSubgroups = std::max(1u, info.maxWorkgroupInvocations / info.minSubgroupSize);
    info.maxStorageBufferRange = pick(random, {1u << 27, 1u << 30, 0xFFFFFFFF, uint64_t{1} << 36}) | 0xFFFFF;
    info.storageBufferOffsetAlignment = uint64_t{1} << random.below(9);
    const auto buffer = [&random] {
        return random.below(3) == 0 ? 0
                                    : pick(random, {1u << 27, 1u << 30, uint64_t{4094} << 20, uint64_t{1} << 36}) | 0xFFFFF;
    };
    info.maxMemoryAllocationSize = buffer();
    info.maxBufferSize = buffer();
    return info;
}

VksortPlanDesc random_desc(Random& random) {
    VksortPlanDesc desc = {};
    desc.operation = static_cast<VksortOperation>(random.below(2) == 0 ? random.below(5) : 0);
    desc.keyType = static_cast<VksortKeyType>(random.below(40) == 0 ? random.below(1000) : random.below(11));
    desc.valueSize = static_cast<uint32_t>(pick(random, {0, 0, 0, 4, 4, 8, 12, 16, 20}));
    desc.flags = static_cast<VkFlags>(pick(random, {0, 0, 0, 1, 2, 4, 8, 6, 15, 3}));
    desc.result = static_cast<VksortResult>(random.below(40) == 0 ? random.below(9) : random.below(3));
    desc.algorithm = static_cast<VksortAlgorithm>(random.below(40) == 0  ? random.below(12)
                                                  : random.below(2) == 0 ? 0
                                                                         : random.below(11));
    if (random.below(3) == 0) {
        desc.beginBit = static_cast<uint32_t>(random.below(66));
        desc.endBit = static_cast<uint32_t>(random.below(66));
    }
    if (random.below(4) == 0) {
        desc.keyStride = static_cast<uint32_t>(pick(random, {1, 2, 3, 4, 6, 8, 12, 16, 20, 4096}));
        desc.keyOffset = static_cast<uint32_t>(pick(random, {0, 0, 1, 2, 4, 8}));
    }
    desc.flags |= random.below(6) == 0 ? VkFlags{VKSORT_PLAN_PREPARE_LATER_BIT} : 0;
    if ((desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0 && random.below(4) == 0) {
        desc.flags |= VKSORT_PLAN_WRITE_COMMANDS_BIT;
        desc.elementsPerWorkgroup = static_cast<uint32_t>(pick(random, {0, 1, 64, 1024}));
        desc.verticesPerElement = static_cast<uint32_t>(pick(random, {0, 4, 6}));
    }
    const auto count = [&random] {
        return pick(random, {0, 1, 2, 100, 5'000, 100'000, 1 << 20, 1 << 25, uint64_t{1} << 32});
    };
    desc.maxCount = count();
    if (desc.operation == VKSORT_OPERATION_MERGE) {
        desc.result = random.below(10) == 0 ? desc.result : VKSORT_RESULT_SEPARATE;
        desc.maxCountB = count();
    } else if (desc.operation == VKSORT_OPERATION_SEGMENTED_SORT) {
        desc.segments = static_cast<VksortSegments>(random.below(20) == 0 ? random.below(9) : random.below(4));
        desc.maxSegments = desc.segments == VKSORT_SEGMENTS_HEAD_FLAGS ? random.below(10) / 9 : count();
        desc.flags |= random.below(4) == 0 ? VkFlags{VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT} : 0;
    }
    return desc;
}

TEST(PlanFuzz, HoldsTogetherOrIsRefusedInWords) {
    const char* text = std::getenv("VKSORT_TEST_SEED");
    const char* level = std::getenv("VKSORT_TEST_LEVEL");
    Random random(mix(text != nullptr ? std::strtoull(text, nullptr, 0) : 1, hash("PlanFuzz")));
    int rounds = level != nullptr && std::strcmp(level, "full") == 0 ? 2'000'000 : 60'000;
    int made = 0, refused = 0, plains = 0, shared = 0;
    for (int round = 0; round < rounds && !testing::Test::HasFailure(); ++round) {
        VksortDeviceInfo device = random_device(random);
        VksortPlanDesc desc = random_desc(random);
        SCOPED_TRACE("round " + std::to_string(round) + ", " + describe(device, desc));
        Plan plan;
        Message message;
        VkResult result = make_plan(device, desc, {}, plan, message);
        if (result == VK_SUCCESS) {
            ++made;
            check_plan(device, plan);
            uint32_t count = VKSORT_MAX_PASSES;
            VksortPassInfo passes[VKSORT_MAX_PASSES];
            EXPECT_EQ(vksortDescribePasses(&device, &desc, desc.maxCount / 2, &count, passes), VK_SUCCESS);
            EXPECT_EQ(count, pass_count(device, {}, plan));
            if ((desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0) {
                Plan commands;
                make_commands_plan(device, plan, commands);
                check_passes(device, commands);
                check_marks(commands);
            }
            for (uint32_t i = 0; i + 1 < plan.place.plans; ++i) {
                ++shared;
                check_smaller_plan(device, plan, i);
            }
            Plan plain;
            if ((desc.flags & VKSORT_PLAN_PREPARE_LATER_BIT) != 0 && make_plain_plan(device, plan, plain)) {
                ++plains;
                check_plan(device, plain);
                EXPECT_LE(plain.info.scratchSize, plan.info.scratchSize);
                EXPECT_LE(plain.info.scratchAlignment, plan.info.scratchAlignment);
                EXPECT_EQ(plain.info.resultInAlternate, plan.info.resultInAlternate);
            }
            desc.maxCount = plan.info.largestCount - random.next() % (plan.info.largestCount + 1) / (1 + random.below(1000));
            EXPECT_EQ(make_plan(device, desc, {}, plan, message), VK_SUCCESS)
                << desc.maxCount << " is not too much: " << message.text;
        } else {
            ++refused;
            EXPECT_TRUE(result == VK_ERROR_FORMAT_NOT_SUPPORTED || result == VK_ERROR_FEATURE_NOT_PRESENT) << result;
            EXPECT_GT(std::strlen(message.text), 15u);
            EXPECT_LT(std::strlen(message.text), sizeof message.text - 1) << "cut: " << message.text;
        }
    }
    // Neither kind may be rare, or the fuzz would be idle.
    EXPECT_GT(made, rounds / 10);
    EXPECT_GT(refused, rounds / 10);
    EXPECT_GT(plains, rounds / 100);
    EXPECT_GT(shared, rounds / 1000);
}

} // namespace
} // namespace vksort::test
