// SPDX-License-Identifier: MIT
//
// vksortCmd... called wrongly: one sentence that names what is wrong, and nothing recorded.
#include "../harness/manual.h"
#include "../harness/sort_case.h"

namespace vksort::test {
namespace {

constexpr uint64_t kCount = 10'000;

// A sort of pairs into separate buffers, all in order until a test spoils it.
class Misuse : public DeviceTest {
protected:
    void SetUp() override {
        DeviceTest::SetUp();
        prepare({});
    }

    void TearDown() override {
        memory_.clear();
        pool_.reset();
        gather_pool_.reset();
        DeviceTest::TearDown();
    }

    void prepare(const Limits& limits) {
        limits_ = limits;
        memory_.clear();
        sort_ = made_plan(description_of({.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN,
                                          .value_size = 4,
                                          .result = VKSORT_RESULT_SEPARATE,
                                          .count = kCount}),
                          limits);
        VksortPlanDesc desc = {};
        desc.operation = VKSORT_OPERATION_GATHER;
        desc.valueSize = 4;
        desc.maxCount = kCount;
        gather_ = made_plan(desc, limits);
        ASSERT_TRUE(sort_.plan != VK_NULL_HANDLE && gather_.plan != VK_NULL_HANDLE);
        pool_ = std::make_unique<DescriptorPool>(sort_.info, 1);
        gather_pool_ = std::make_unique<DescriptorPool>(gather_.info, 1);
        sort_buffers_ = {};
        for (VksortBuffer* buffer :
             {&sort_buffers_.keys, &sort_buffers_.values, &sort_buffers_.keysOut, &sort_buffers_.valuesOut,
              &gather_buffers_.records, &gather_buffers_.indices, &gather_buffers_.out}) {
            *buffer = allocate(4 * kCount + 1024, sort_.info.bufferUsage);
        }
        sort_buffers_.scratch = allocate(sort_.info.scratchSize + 1024, sort_.info.scratchUsage);
        sort_buffers_.count = kCount;
        sort_buffers_.descriptorPool = pool_->handle();
        sort_buffers_.passCallback = count_passes;
        sort_buffers_.passUser = &passes_;
        gather_buffers_.count = kCount;
        gather_buffers_.descriptorPool = gather_pool_->handle();
        gather_buffers_.passCallback = count_passes;
        gather_buffers_.passUser = &passes_;
    }

    VksortBuffer allocate(uint64_t size, VkBufferUsageFlags usage) {
        memory_.push_back(std::make_unique<MappedBuffer>(size, usage));
        return memory_.back()->range();
    }

    static void count_passes(void* user, VkCommandBuffer, VksortPassEvent, uint32_t, const char*) {
        ++*static_cast<int*>(user);
    }

    // Records both calls, and says how often the pass callback was called.
    int record_sort(const VksortSortBuffers& buffers) {
        return record([&](VkCommandBuffer commands) { vksortCmdSort(commands, sort_.plan, &buffers); });
    }
    int record_gather(const VksortGatherBuffers& buffers) {
        return record([&](VkCommandBuffer commands) { vksortCmdGather(commands, gather_.plan, &buffers); });
    }
    int record(const std::function<void(VkCommandBuffer)>& commands) {
        passes_ = 0;
        pool_->reset();
        gather_pool_->reset();
        Recording recording;
        recording.record(commands);
        Recording::run({&recording}); // validation looks at what was recorded
        return passes_;
    }

    void expect_sort_refused(void (*spoil)(VksortSortBuffers&), const std::string& part) {
        VksortSortBuffers spoiled = sort_buffers_;
        spoil(spoiled);
        EXPECT_EQ(record_sort(spoiled), 0) << part;
        expect_message(part);
    }
    void expect_gather_refused(void (*spoil)(VksortGatherBuffers&), const std::string& part) {
        VksortGatherBuffers spoiled = gather_buffers_;
        spoil(spoiled);
        EXPECT_EQ(record_gather(spoiled), 0) << part;
        expect_message(part);
    }

    Limits limits_;
    MadePlan sort_;
    MadePlan gather_;
    std::unique_ptr<DescriptorPool> pool_;
    std::unique_ptr<DescriptorPool> gather_pool_;
    std::vector<std::unique_ptr<MappedBuffer>> memory_;
    VksortSortBuffers sort_buffers_ = {};
    VksortGatherBuffers gather_buffers_ = {};
    int passes_ = 0;
};

TEST_F(Misuse, WhatIsNotSpoiledIsRecorded) {
    EXPECT_EQ(record_sort(sort_buffers_), static_cast<int>(2 * sort_.info.passCount));
    EXPECT_EQ(record_gather(gather_buffers_), static_cast<int>(2 * gather_.info.passCount));
}

TEST_F(Misuse, MissingBuffers) {
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.keys.buffer = VK_NULL_HANDLE; }, "keys");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.values.buffer = VK_NULL_HANDLE; }, "values");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.keysOut.buffer = VK_NULL_HANDLE; }, "keysOut");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.valuesOut.buffer = VK_NULL_HANDLE; }, "valuesOut");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.scratch.buffer = VK_NULL_HANDLE; }, "scratch");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.records.buffer = VK_NULL_HANDLE; }, "records");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.indices.buffer = VK_NULL_HANDLE; }, "indices");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.out.buffer = VK_NULL_HANDLE; }, "out");
}

TEST_F(Misuse, CountAboveTheMaximum) {
    expect_sort_refused([](VksortSortBuffers& buffers) { ++buffers.count; }, std::to_string(kCount + 1));
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.count = UINT64_MAX; }, std::to_string(kCount));
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.count += uint64_t{1} << 32; }, std::to_string(kCount));
    expect_gather_refused([](VksortGatherBuffers& buffers) { ++buffers.count; }, std::to_string(kCount + 1));
}

TEST_F(Misuse, CrookedOffsets) {
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.keys.offset = 2; }, "keys");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.valuesOut.offset = 1; }, "valuesOut");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.scratch.offset = 4; }, "scratch");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.records.offset = 2; }, "records");
}

TEST_F(Misuse, OverlappingBuffers) {
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.keysOut = buffers.keys; }, "overlap");
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.valuesOut = buffers.keysOut; }, "overlap");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.out = buffers.records; }, "overlap");
}

TEST_F(Misuse, ReservedFieldAndNullStruct) {
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.reserved = &buffers; }, "reserved");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.reserved = &buffers; }, "reserved");
    EXPECT_EQ(record([&](VkCommandBuffer commands) { vksortCmdSort(commands, sort_.plan, nullptr); }), 0);
    expect_message("vksortCmdSort");
    EXPECT_EQ(record([&](VkCommandBuffer commands) { vksortCmdGather(commands, gather_.plan, nullptr); }), 0);
    expect_message("vksortCmdGather");
    EXPECT_EQ(record([&](VkCommandBuffer commands) {
                  vksortCmdSort(commands, VK_NULL_HANDLE, &sort_buffers_);
                  vksortCmdGather(commands, VK_NULL_HANDLE, &gather_buffers_);
              }),
              0);
}

TEST_F(Misuse, PlanOfAnotherOperation) {
    EXPECT_EQ(record([&](VkCommandBuffer commands) { vksortCmdSort(commands, gather_.plan, &sort_buffers_); }), 0);
    expect_message("vksortCmdSort");
    EXPECT_EQ(record([&](VkCommandBuffer commands) { vksortCmdGather(commands, sort_.plan, &gather_buffers_); }), 0);
    expect_message("vksortCmdGather");
}

TEST_F(Misuse, NoDescriptorPoolOrAnExhaustedOne) {
    prepare({.features = 0});
    ASSERT_GT(sort_.info.descriptorSets, 0u);
    EXPECT_EQ(record_sort(sort_buffers_), static_cast<int>(2 * sort_.info.passCount)) << "the pool has room for one";
    expect_sort_refused([](VksortSortBuffers& buffers) { buffers.descriptorPool = VK_NULL_HANDLE; }, "descriptorPool");
    expect_gather_refused([](VksortGatherBuffers& buffers) { buffers.descriptorPool = VK_NULL_HANDLE; }, "descriptorPool");
    // Two recordings from room for one. Vulkan 1.1 lets drivers be generous, so either both are recorded or the second
    // is refused in words.
    int calls = record([&](VkCommandBuffer commands) {
        vksortCmdSort(commands, sort_.plan, &sort_buffers_);
        memory_barrier(commands, sort_.info.lastStages, sort_.info.lastAccess, sort_.info.firstStages,
                       sort_.info.firstAccess);
        vksortCmdSort(commands, sort_.plan, &sort_buffers_);
    });
    int once = static_cast<int>(2 * sort_.info.passCount);
    std::vector<std::string> messages = take_messages();
    if (calls == once) {
        ASSERT_FALSE(messages.empty());
        EXPECT_NE(messages.back().find("descriptorPool"), std::string::npos) << messages.back();
    } else {
        EXPECT_EQ(calls, 2 * once);
    }
}

class MisuseOfMerges : public DeviceTest {};

TEST_F(MisuseOfMerges, IsToldInWords) {
    const MadePlan merge = made_plan(description_of(MergeCase{.value_size = 4, .count_a = 100, .count_b = 50}));
    const MadePlan segmented = made_plan(
        description_of(SegmentedCase{.count = 100, .kind = VKSORT_SEGMENTS_HEAD_INDICES, .segments = {{0, 50}, {50, 100}}}));
    ASSERT_TRUE(merge.plan != VK_NULL_HANDLE && segmented.plan != VK_NULL_HANDLE);
    MappedBuffer memory(16384, merge.info.bufferUsage);
    MappedBuffer scratch(std::max(merge.info.scratchSize, segmented.info.scratchSize), merge.info.scratchUsage);
    const auto at = [&memory](VkDeviceSize slot) { return VksortBuffer{memory.handle(), 2048 * slot}; };
    VksortMergeBuffers merged = {};
    merged.keysA = at(0);
    merged.keysB = at(1);
    merged.valuesA = at(2);
    merged.valuesB = at(3);
    merged.keysOut = at(4);
    merged.valuesOut = at(5);
    merged.scratch = scratch.range();
    merged.countA = 100;
    merged.countB = 50;
    VksortSegmentedSortBuffers sorted = {};
    sorted.keys = at(0);
    sorted.segments = at(1);
    sorted.scratch = scratch.range();
    sorted.count = 100;
    sorted.segmentCount = 2;
    const auto merge_says = [&](const char* part, auto spoil) {
        VksortMergeBuffers spoiled = merged;
        spoil(spoiled);
        Recording().record([&](VkCommandBuffer commands) { vksortCmdMerge(commands, merge.plan, &spoiled); });
        expect_message(part);
    };
    const auto sort_says = [&](const char* part, auto spoil) {
        VksortSegmentedSortBuffers spoiled = sorted;
        spoil(spoiled);
        Recording().record([&](VkCommandBuffer commands) { vksortCmdSegmentedSort(commands, segmented.plan, &spoiled); });
        expect_message(part);
    };
    merge_says("`keysB`, which is VK_NULL_HANDLE", [](VksortMergeBuffers& b) { b.keysB = {}; });
    merge_says("`valuesB`", [](VksortMergeBuffers& b) { b.valuesB = {}; });
    merge_says("countA 101 is above the plan's maxCount 100", [](VksortMergeBuffers& b) { b.countA = 101; });
    merge_says("countB 51 is above the plan's maxCountB 50", [](VksortMergeBuffers& b) { b.countB = 51; });
    merge_says("`keysOut` and `keysB` overlap", [](VksortMergeBuffers& b) { b.keysOut = b.keysB; });
    sort_says("`segments`, which is VK_NULL_HANDLE", [](VksortSegmentedSortBuffers& b) { b.segments = {}; });
    sort_says("segmentCount 3 is above the plan's maxSegments 2", [](VksortSegmentedSortBuffers& b) { b.segmentCount = 3; });
    sort_says("`keys` and `segments` overlap", [](VksortSegmentedSortBuffers& b) { b.segments = b.keys; });
    Recording().record([&](VkCommandBuffer commands) { vksortCmdMerge(commands, segmented.plan, &merged); });
    expect_message("another operation");
    Recording().record([&](VkCommandBuffer commands) { vksortCmdSegmentedSort(commands, segmented.plan, nullptr); });
    expect_message("vksortCmdSegmentedSort recorded nothing: pBuffers is null");
}

TEST_F(Misuse, IndirectCommands) {
    VksortPlanDesc desc = description_of(SortCase{.value_size = 4, .count = kCount});
    desc.flags |= VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT;
    const MadePlan made = made_plan(desc);
    ASSERT_TRUE(made.plan != VK_NULL_HANDLE);
    const DescriptorPool pool(made.info, 8);
    VksortSortBuffers buffers = sort_buffers_;
    buffers.scratch = allocate(made.info.scratchSize, made.info.scratchUsage);
    buffers.countBuffer = allocate(4, made.info.bufferUsage);
    buffers.commands = allocate(4 + sizeof(VksortIndirectCommands), made.info.bufferUsage);
    buffers.commands.offset = 4;
    buffers.descriptorPool = pool.handle();
    const auto recorded = [&] {
        passes_ = 0;
        Recording().record([&](VkCommandBuffer commands) { vksortCmdSort(commands, made.plan, &buffers); });
        return passes_;
    };
    EXPECT_EQ(recorded(), static_cast<int>(2 * made.info.passCount));
    const auto says = [&](const char* part, const VksortBuffer& commands) {
        const VksortBuffer kept = std::exchange(buffers.commands, commands);
        EXPECT_EQ(recorded(), 0) << part;
        expect_message(part);
        buffers.commands = kept;
    };
    says("`commands`, which is VK_NULL_HANDLE", {});
    says("the offset 2 of `commands` is not a multiple of 4", {buffers.commands.buffer, 2});
    says("`keys` and `commands` overlap", {buffers.keys.buffer, 4});
    says("`scratch` and `commands` overlap", buffers.scratch);
    says("`countBuffer` and `commands` overlap", buffers.countBuffer);
}

} // namespace
} // namespace vksort::test
