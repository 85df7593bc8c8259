// SPDX-License-Identifier: MIT
//
// Indirect commands (VKSORT_PLAN_WRITE_COMMANDS_BIT) of all operations, with the count on the GPU.
#include <array>

#include "../harness/manual.h"
#include "common.h"

namespace vksort::test {
namespace {

constexpr uint32_t kMostElements = 10'007; // as in test_recording.cpp, whose pipelines these plans share
constexpr uint32_t kVertices = 6;
constexpr std::byte kGuard{0xA5};

VksortPlanDesc with_commands(VksortPlanDesc desc, uint32_t elements_per_workgroup) {
    desc.flags |= VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT;
    desc.elementsPerWorkgroup = elements_per_workgroup;
    desc.verticesPerElement = kVertices;
    return desc;
}

VksortPlanDesc sort_of(uint64_t most, VksortAlgorithm algorithm = VKSORT_ALGORITHM_REDUCE_SCAN) {
    return description_of(SortCase{.algorithm = algorithm, .value_size = 4, .count = most});
}

VksortPlanDesc other_of(VksortOperation operation, uint64_t most) {
    VksortPlanDesc desc = sort_of(most, VKSORT_ALGORITHM_AUTO);
    desc.operation = operation;
    return desc;
}

// Buffers for any operation. Commands and counts begin at words in the middle of their buffers.
struct CommandBuffers {
    CommandBuffers(const VksortPlanInfo& info, uint64_t elements, uint64_t counts_at, uint64_t commands_at)
        : keys(4 * elements, info.bufferUsage), values(4 * elements, info.bufferUsage),
          second(8 * elements, info.bufferUsage), out(8 * elements, info.bufferUsage),
          values_out(8 * elements, info.bufferUsage),
          scratch(std::max<uint64_t>(info.scratchSize, 4), info.scratchUsage | info.bufferUsage),
          counts(1'024, info.bufferUsage), commands(1'024, info.bufferUsage), pool(info, 1), counts_offset(counts_at),
          commands_offset(commands_at) {
        std::ranges::fill(commands.bytes(), kGuard);
        std::ranges::fill(second.bytes(), std::byte{0});
        std::ranges::fill(keys.bytes(), std::byte{0});
    }

    template <typename Buffers> Buffers common() const {
        Buffers buffers = {};
        buffers.countBuffer = {counts.handle(), counts_offset};
        buffers.commands = {commands.handle(), commands_offset};
        buffers.descriptorPool = pool.handle();
        return buffers;
    }

    void hold(std::array<uint32_t, 2> held) const {
        std::memcpy(counts.bytes().data() + counts_offset, held.data(), sizeof held);
    }

    // Expects that the commands are as vksort.h says, and that the words around them are unchanged.
    void expect(uint32_t count, uint32_t elements_per_workgroup, uint32_t most_groups) const {
        VksortIndirectCommands got;
        std::memcpy(&got, commands.bytes().data() + commands_offset, sizeof got);
        const uint32_t groups = elements_per_workgroup == 0 ? 0 : count == 0 ? 0 : (count - 1) / elements_per_workgroup + 1;
        EXPECT_EQ(got.count, count);
        EXPECT_EQ(got.dispatch.z, 1u);
        if (groups <= most_groups) {
            EXPECT_EQ(got.dispatch.x, groups);
            EXPECT_EQ(got.dispatch.y, 1u);
        } else {
            EXPECT_LE(got.dispatch.x, most_groups);
            EXPECT_GE(uint64_t{got.dispatch.x} * got.dispatch.y, groups);
            EXPECT_LT(uint64_t{got.dispatch.x} * (got.dispatch.y - 1), groups) << "no row of workgroups is idle";
        }
        EXPECT_EQ(got.draw.indexCount, kVertices);
        EXPECT_EQ(got.draw.instanceCount, count);
        EXPECT_EQ(got.draw.firstIndex, 0u);
        EXPECT_EQ(got.draw.vertexOffset, 0);
        EXPECT_EQ(got.draw.firstInstance, 0u);
        const std::span<std::byte> all = commands.bytes();
        const auto is_guard = [](std::byte byte) { return byte == kGuard; };
        EXPECT_TRUE(std::ranges::all_of(all.first(commands_offset), is_guard));
        EXPECT_TRUE(std::ranges::all_of(all.subspan(commands_offset + sizeof got), is_guard));
    }

    MappedBuffer keys, values, second, out, values_out, scratch, counts, commands;
    DescriptorPool pool;
    uint64_t counts_offset, commands_offset;
};

class Commands : public DeviceTest {
protected:
    uint32_t most_groups() const { return device_info_of(context().handle()).maxWorkgroupCount[0]; }
};

// A sort that is recorded once and submitted with several counts, with commands at any word.
TEST_F(Commands, OfASort) {
    for (const uint32_t per_workgroup : {0u, 1u, 64u, 1'000u}) {
        const MadePlan made = made_plan(with_commands(sort_of(kMostElements), per_workgroup));
        ASSERT_NE(made.plan, nullptr);
        const CommandBuffers memory(made.info, kMostElements, 4 * (per_workgroup % 50), 4 * (per_workgroup % 37 + 1));
        auto buffers = memory.common<VksortSortBuffers>();
        buffers.keys = memory.keys.range();
        buffers.values = memory.values.range();
        buffers.scratch = memory.scratch.range();
        Recording recording;
        recording.record([&](VkCommandBuffer commands) {
            host_to_plan(commands, made.info);
            vksortCmdSort(commands, made.plan, &buffers);
            plan_to_host(commands, made.info);
        });
        for (const uint32_t count : {0u, 1u, 63u, 64u, 65u, 999u, 1'000u, 1'001u, kMostElements - 1, kMostElements,
                                     kMostElements + 1, UINT32_MAX}) {
            const Bytes input = generate_keys(VKSORT_KEY_U32, kMostElements, Distribution::uniform, test_seed() + count);
            memory.keys.write(input);
            memory.hold({count, 0});
            Recording::run({&recording});
            const uint32_t sorted = std::min(count, kMostElements);
            memory.expect(sorted, per_workgroup, most_groups());
            const Bytes front(input.begin(), input.begin() + 4 * sorted);
            const Bytes expected = reference::gather(front, 4, reference::argsort(front, {}));
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.keys.bytes().begin())) << "keys of " << count;
        }
    }
}

// Counts and commands in one buffer, one right behind the other, as a renderer may have them: what is bound overlaps.
TEST_F(Commands, BesideTheirCount) {
    for (const auto& [count_at, commands_at] : {std::pair<uint64_t, uint64_t>{0, 4}, {36, 0}, {252, 256}, {300, 264}}) {
        const MadePlan made = made_plan(with_commands(sort_of(kMostElements), 64));
        ASSERT_NE(made.plan, nullptr);
        const CommandBuffers memory(made.info, kMostElements, 0, commands_at);
        auto buffers = memory.common<VksortSortBuffers>();
        buffers.keys = memory.keys.range();
        buffers.values = memory.values.range();
        buffers.scratch = memory.scratch.range();
        buffers.countBuffer = {memory.commands.handle(), count_at};
        Recording recording;
        recording.record([&](VkCommandBuffer commands) {
            host_to_plan(commands, made.info);
            vksortCmdSort(commands, made.plan, &buffers);
            plan_to_host(commands, made.info);
        });
        for (const uint32_t count : {0u, 777u, kMostElements + 9}) {
            std::byte* held = memory.commands.bytes().data() + count_at;
            std::memcpy(held, &count, sizeof count);
            Recording::run({&recording});
            EXPECT_EQ(std::memcmp(held, &count, sizeof count), 0);
            std::fill_n(held, sizeof count, kGuard);
            memory.expect(std::min(count, kMostElements), 64, most_groups());
        }
    }
}

// Plans for no elements, and for one, whose counts are larger.
TEST_F(Commands, OfNothing) {
    for (const uint32_t most : {0u, 1u}) {
        VksortPlanDesc merge = other_of(VKSORT_OPERATION_MERGE, most);
        merge.result = VKSORT_RESULT_SEPARATE;
        for (const VksortPlanDesc& desc : {sort_of(most), merge}) {
            const MadePlan made = made_plan(with_commands(desc, UINT32_MAX));
            ASSERT_NE(made.plan, nullptr);
            const CommandBuffers memory(made.info, 8, 4, 64);
            Recording recording;
            recording.record([&](VkCommandBuffer commands) {
                host_to_plan(commands, made.info);
                if (desc.operation == VKSORT_OPERATION_MERGE) {
                    auto buffers = memory.common<VksortMergeBuffers>();
                    buffers.keysA = memory.keys.range();
                    buffers.valuesA = memory.values.range();
                    buffers.keysB = memory.second.range();
                    buffers.valuesB = memory.values.range();
                    buffers.keysOut = memory.out.range();
                    buffers.valuesOut = memory.values_out.range();
                    buffers.scratch = memory.scratch.range();
                    vksortCmdMerge(commands, made.plan, &buffers);
                } else {
                    auto buffers = memory.common<VksortSortBuffers>();
                    buffers.keys = memory.keys.range();
                    buffers.values = memory.values.range();
                    buffers.scratch = memory.scratch.range();
                    vksortCmdSort(commands, made.plan, &buffers);
                }
                plan_to_host(commands, made.info);
            });
            memory.hold({7, 9});
            Recording::run({&recording});
            memory.expect(most, UINT32_MAX, most_groups());
        }
    }
}

// More workgroups than fit one dimension of a dispatch.
TEST_F(Commands, ManyWorkgroups) {
    const uint32_t most = 200'003;
    const MadePlan made = made_plan(with_commands(sort_of(most), 1));
    ASSERT_NE(made.plan, nullptr);
    const CommandBuffers memory(made.info, most, 0, 0);
    auto buffers = memory.common<VksortSortBuffers>();
    buffers.keys = memory.keys.range();
    buffers.values = memory.values.range();
    buffers.scratch = memory.scratch.range();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, made.info);
        vksortCmdSort(commands, made.plan, &buffers);
        plan_to_host(commands, made.info);
    });
    for (const uint32_t count : {most, 131'070u, 131'071u, 65'536u, 65'535u}) {
        memory.hold({count, 0});
        Recording::run({&recording});
        memory.expect(count, 1, most_groups());
    }
}

TEST_F(Commands, OfAMerge) {
    VksortPlanDesc desc = other_of(VKSORT_OPERATION_MERGE, kMostElements);
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCountB = 500;
    const MadePlan made = made_plan(with_commands(desc, 64));
    ASSERT_NE(made.plan, nullptr);
    const CommandBuffers memory(made.info, kMostElements, 8, 12);
    auto buffers = memory.common<VksortMergeBuffers>();
    buffers.keysA = memory.keys.range();
    buffers.valuesA = memory.values.range();
    buffers.keysB = memory.second.range();
    buffers.valuesB = memory.values.range();
    buffers.keysOut = memory.out.range();
    buffers.valuesOut = memory.values_out.range();
    buffers.scratch = memory.scratch.range();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, made.info);
        vksortCmdMerge(commands, made.plan, &buffers);
        plan_to_host(commands, made.info);
    });
    for (const auto& [a, b] : {std::pair{0u, 0u}, {1u, 0u}, {0u, 7u}, {900u, 100u}, {kMostElements + 5, 501u}}) {
        memory.hold({a, b});
        Recording::run({&recording});
        memory.expect(std::min(a, kMostElements) + std::min(b, 500u), 64, most_groups());
    }
}

TEST_F(Commands, OfSegmentsAndOfAGather) {
    VksortPlanDesc segmented = other_of(VKSORT_OPERATION_SEGMENTED_SORT, kMostElements);
    segmented.segments = VKSORT_SEGMENTS_HEAD_INDICES;
    segmented.maxSegments = 9;
    segmented.flags |= VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT;
    VksortPlanDesc gather = {};
    gather.operation = VKSORT_OPERATION_GATHER;
    gather.valueSize = 4;
    gather.maxCount = kMostElements;
    for (const VksortPlanDesc& desc : {segmented, gather}) {
        const MadePlan made = made_plan(with_commands(desc, 64));
        ASSERT_NE(made.plan, nullptr);
        const CommandBuffers memory(made.info, kMostElements, 4, 8);
        Recording recording;
        recording.record([&](VkCommandBuffer commands) {
            host_to_plan(commands, made.info);
            if (desc.operation == VKSORT_OPERATION_GATHER) {
                auto buffers = memory.common<VksortGatherBuffers>();
                buffers.indices = memory.keys.range();
                buffers.records = memory.values.range();
                buffers.out = memory.out.range();
                vksortCmdGather(commands, made.plan, &buffers);
            } else {
                auto buffers = memory.common<VksortSegmentedSortBuffers>();
                buffers.keys = memory.keys.range();
                buffers.values = memory.values.range();
                buffers.scratch = memory.scratch.range();
                buffers.segments = memory.second.range();
                vksortCmdSegmentedSort(commands, made.plan, &buffers);
            }
            plan_to_host(commands, made.info);
        });
        for (const uint32_t count : {0u, 1u, 129u, kMostElements, kMostElements + 1}) {
            memory.hold({count, 1});
            Recording::run({&recording});
            memory.expect(std::min(count, kMostElements), 64, most_groups());
        }
    }
}

// The simpler plan of VKSORT_PLAN_PREPARE_LATER_BIT also writes commands, with and without push descriptors.
TEST_F(Commands, OfAPlanToBePrepared) {
    for (const Limits& limits : {Limits{}, kLeastLimits}) {
        VksortPlanDesc desc = with_commands(sort_of(200'000, VKSORT_ALGORITHM_AUTO), 64);
        desc.flags |= VKSORT_PLAN_PREPARE_LATER_BIT;
        const MadePlan made = made_plan(desc, limits);
        ASSERT_NE(made.plan, nullptr);
        for (int round = 0; round < 2; ++round) {
            const CommandBuffers memory(made.info, desc.maxCount, 4, 64);
            auto buffers = memory.common<VksortSortBuffers>();
            buffers.keys = memory.keys.range();
            buffers.values = memory.values.range();
            buffers.scratch = memory.scratch.range();
            Recording recording;
            recording.record([&](VkCommandBuffer commands) {
                host_to_plan(commands, made.info);
                vksortCmdSort(commands, made.plan, &buffers);
                plan_to_host(commands, made.info);
            });
            memory.hold({1'234, 0});
            Recording::run({&recording});
            memory.expect(1'234, 64, most_groups());
            ASSERT_EQ(vksortPreparePlan(made.plan), VK_SUCCESS);
        }
    }
}

} // namespace
} // namespace vksort::test
