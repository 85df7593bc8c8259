// SPDX-License-Identifier: MIT
//
// Indirect commands (VKSORT_PLAN_WRITE_COMMANDS_BIT) of all operations, with the count on the GPU.
#include <initializer_list>

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

// A plan that writes commands, recorded once, with its buffers. Commands and counts begin at words in the middle of theirs.
class CommandRun {
public:
    // Counts are in a buffer of their own or, if they are beside the commands, in the same one.
    CommandRun(const VksortPlanDesc& desc, uint64_t counts_at, uint64_t commands_at, bool is_beside = false,
               const Limits& limits = {})
        : CommandRun(desc, made_plan(desc, limits), counts_at, commands_at, is_beside) {}

    const MadePlan& made() const { return made_; }
    const PairBuffers& pairs() const { return pairs_; }

    // With these counts, one or two.
    void run(std::initializer_list<uint32_t> held) const {
        const size_t bytes = held.size() * sizeof(uint32_t);
        std::byte* const counts = (is_beside_ ? commands_ : counts_).bytes().data() + counts_at_;
        std::memcpy(counts, held.begin(), bytes);
        Recording::run({&recording_});
        EXPECT_EQ(std::memcmp(counts, held.begin(), bytes), 0);
        std::fill_n(counts, bytes, kGuard);
    }

    // Expects that the commands are as vksort.h says, and that the words around them are unchanged.
    void expect(uint32_t count) const {
        const uint32_t elements_per_workgroup = desc_.elementsPerWorkgroup;
        const uint32_t most_groups = device_info_of(context().handle()).maxWorkgroupCount[0];
        VksortIndirectCommands got;
        std::memcpy(&got, commands_.bytes().data() + commands_at_, sizeof got);
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
        const std::span<std::byte> all = commands_.bytes();
        const auto is_guard = [](std::byte byte) { return byte == kGuard; };
        EXPECT_TRUE(std::ranges::all_of(all.first(commands_at_), is_guard));
        EXPECT_TRUE(std::ranges::all_of(all.subspan(commands_at_ + sizeof got), is_guard));
    }

private:
    CommandRun(const VksortPlanDesc& desc, const MadePlan& made, uint64_t counts_at, uint64_t commands_at, bool is_beside)
        : desc_(desc), made_(made), content_(4 * std::max<uint64_t>(desc.maxCount, 8)),
          pairs_(made.info, content_, content_, 1), second_(2 * content_.size(), made.info.bufferUsage),
          out_(2 * content_.size(), made.info.bufferUsage), values_out_(2 * content_.size(), made.info.bufferUsage),
          counts_(1'024, made.info.bufferUsage), commands_(1'024, made.info.bufferUsage), counts_at_(counts_at),
          commands_at_(commands_at), is_beside_(is_beside) {
        std::ranges::fill(commands_.bytes(), kGuard);
        std::ranges::fill(second_.bytes(), std::byte{0});
        recording_.record([this](VkCommandBuffer commands) {
            host_to_plan(commands, made_.info);
            record(commands);
            plan_to_host(commands, made_.info);
        });
    }

    void record(VkCommandBuffer commands) const {
        switch (desc_.operation) {
        case VKSORT_OPERATION_MERGE: {
            auto buffers = common<VksortMergeBuffers>();
            buffers.keysA = pairs_.keys.range();
            buffers.valuesA = pairs_.values.range();
            buffers.keysB = second_.range();
            buffers.valuesB = pairs_.values.range();
            buffers.keysOut = out_.range();
            buffers.valuesOut = values_out_.range();
            buffers.scratch = pairs_.scratch.range();
            return vksortCmdMerge(commands, made_.plan, &buffers);
        }
        case VKSORT_OPERATION_SEGMENTED_SORT: {
            auto buffers = common<VksortSegmentedSortBuffers>();
            buffers.keys = pairs_.keys.range();
            buffers.values = pairs_.values.range();
            buffers.scratch = pairs_.scratch.range();
            buffers.segments = second_.range();
            return vksortCmdSegmentedSort(commands, made_.plan, &buffers);
        }
        case VKSORT_OPERATION_GATHER: {
            auto buffers = common<VksortGatherBuffers>();
            buffers.indices = pairs_.keys.range();
            buffers.records = pairs_.values.range();
            buffers.out = out_.range();
            return vksortCmdGather(commands, made_.plan, &buffers);
        }
        default: {
            auto buffers = common<VksortSortBuffers>();
            buffers.keys = pairs_.keys.range();
            buffers.values = pairs_.values.range();
            buffers.scratch = pairs_.scratch.range();
            return vksortCmdSort(commands, made_.plan, &buffers);
        }
        }
    }

    template <typename Buffers> Buffers common() const {
        Buffers buffers = {};
        buffers.countBuffer = {(is_beside_ ? commands_ : counts_).handle(), counts_at_};
        buffers.commands = {commands_.handle(), commands_at_};
        buffers.descriptorPool = pairs_.pool.handle();
        return buffers;
    }

    VksortPlanDesc desc_;
    MadePlan made_;
    Bytes content_; // zeros
    PairBuffers pairs_;
    MappedBuffer second_, out_, values_out_, counts_, commands_;
    uint64_t counts_at_, commands_at_;
    bool is_beside_;
    Recording recording_;
};

class Commands : public DeviceTest {};

// A sort that is recorded once and submitted with several counts, with commands at any word.
TEST_F(Commands, OfASort) {
    for (const uint32_t per_workgroup : {0u, 1u, 64u, 1'000u}) {
        const CommandRun sort(with_commands(sort_of(kMostElements), per_workgroup), 4 * (per_workgroup % 50),
                              4 * (per_workgroup % 37 + 1));
        ASSERT_NE(sort.made().plan, nullptr);
        for (const uint32_t count : {0u, 1u, 63u, 64u, 65u, 999u, 1'000u, 1'001u, kMostElements - 1, kMostElements,
                                     kMostElements + 1, UINT32_MAX}) {
            const Bytes input = generate_keys(VKSORT_KEY_U32, kMostElements, Distribution::uniform, test_seed() + count);
            sort.pairs().keys.write(input);
            sort.run({count});
            const uint32_t sorted = std::min(count, kMostElements);
            sort.expect(sorted);
            const Bytes front(input.begin(), input.begin() + 4 * sorted);
            const Bytes expected = reference::gather(front, 4, reference::argsort(front, {}));
            EXPECT_TRUE(std::equal(expected.begin(), expected.end(), sort.pairs().keys.bytes().begin()))
                << "keys of " << count;
        }
    }
}

// Counts and commands in one buffer, one right behind the other, as a renderer may have them: what is bound overlaps.
TEST_F(Commands, BesideTheirCount) {
    for (const auto& [count_at, commands_at] : {std::pair<uint64_t, uint64_t>{0, 4}, {36, 0}, {252, 256}, {300, 264}}) {
        const CommandRun sort(with_commands(sort_of(kMostElements), 64), count_at, commands_at, true);
        ASSERT_NE(sort.made().plan, nullptr);
        for (const uint32_t count : {0u, 777u, kMostElements + 9}) {
            sort.run({count});
            sort.expect(std::min(count, kMostElements));
        }
    }
}

// Plans for no elements, and for one, whose counts are larger.
TEST_F(Commands, OfNothing) {
    for (const uint32_t most : {0u, 1u}) {
        VksortPlanDesc merge = other_of(VKSORT_OPERATION_MERGE, most);
        merge.result = VKSORT_RESULT_SEPARATE;
        for (const VksortPlanDesc& desc : {sort_of(most), merge}) {
            const CommandRun none(with_commands(desc, UINT32_MAX), 4, 64);
            ASSERT_NE(none.made().plan, nullptr);
            none.run({7, 9});
            none.expect(most);
        }
    }
}

// More workgroups than fit one dimension of a dispatch.
TEST_F(Commands, ManyWorkgroups) {
    const uint32_t most = 200'003;
    const CommandRun sort(with_commands(sort_of(most), 1), 0, 0);
    ASSERT_NE(sort.made().plan, nullptr);
    for (const uint32_t count : {most, 131'070u, 131'071u, 65'536u, 65'535u}) {
        sort.run({count});
        sort.expect(count);
    }
}

TEST_F(Commands, OfAMerge) {
    VksortPlanDesc desc = other_of(VKSORT_OPERATION_MERGE, kMostElements);
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCountB = 500;
    const CommandRun merge(with_commands(desc, 64), 8, 12);
    ASSERT_NE(merge.made().plan, nullptr);
    for (const auto& [a, b] : {std::pair{0u, 0u}, {1u, 0u}, {0u, 7u}, {900u, 100u}, {kMostElements + 5, 501u}}) {
        merge.run({a, b});
        merge.expect(std::min(a, kMostElements) + std::min(b, 500u));
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
        const CommandRun other(with_commands(desc, 64), 4, 8);
        ASSERT_NE(other.made().plan, nullptr);
        for (const uint32_t count : {0u, 1u, 129u, kMostElements, kMostElements + 1}) {
            other.run({count, 1});
            other.expect(std::min(count, kMostElements));
        }
    }
}

// The simpler plan of VKSORT_PLAN_PREPARE_LATER_BIT also writes commands, with and without push descriptors.
TEST_F(Commands, OfAPlanToBePrepared) {
    for (const Limits& limits : {Limits{}, kLeastLimits}) {
        VksortPlanDesc desc = with_commands(sort_of(200'000, VKSORT_ALGORITHM_AUTO), 64);
        desc.flags |= VKSORT_PLAN_PREPARE_LATER_BIT;
        for (int round = 0; round < 2; ++round) {
            const CommandRun sort(desc, 4, 64, false, limits);
            ASSERT_NE(sort.made().plan, nullptr);
            sort.run({1'234});
            sort.expect(1'234);
            ASSERT_EQ(vksortPreparePlan(sort.made().plan), VK_SUCCESS);
        }
    }
}

} // namespace
} // namespace vksort::test
