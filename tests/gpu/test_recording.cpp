// SPDX-License-Identifier: MIT
//
// Plans as applications use them: several in one command buffer, one after the other on the same memory, recorded by
// several threads, submitted again, in buffers with no usage flag and no byte to spare.
#include <thread>

#include "../harness/manual.h"
#include "common.h"

namespace vksort::test {
namespace {

constexpr uint64_t kCount = 10'007;

VksortPlanDesc pairs(VksortAlgorithm algorithm, uint64_t count = kCount) {
    return description_of({.algorithm = algorithm, .value_size = 4, .count = count});
}

struct Pairs {
    Bytes keys;
    Bytes values;
};

Pairs made_pairs(uint64_t count, uint64_t seed) {
    return {generate_keys(VKSORT_KEY_U32, count, Distribution::uniform, seed), generate_values(count, 4)};
}

Pairs sorted(const Pairs& pairs, const reference::Order& order = {}) {
    std::vector<uint32_t> indices = reference::argsort(pairs.keys, order);
    return {reference::gather(pairs.keys, 4, indices), reference::gather(pairs.values, 4, indices)};
}

void expect_equal(std::span<const std::byte> got, const Bytes& expected, const char* what) {
    ASSERT_GE(got.size(), expected.size());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), got.begin())) << what;
}

class Recordings : public DeviceTest {};

// The batch compares each of them, and gives each its own memory; nothing but the sorts' own barriers lies between them.
TEST_F(Recordings, ManyPlansInOneCommandBuffer) {
    Batch batch;
    for (int round = 0; round < 3; ++round) {
        for (VksortAlgorithm algorithm : kAlgorithms) {
            if (!context().can_run(algorithm)) {
                continue;
            }
            SortCase sort = {.algorithm = algorithm, .value_size = wide_value(8), .overrides = kSmallTiles};
            take_turns(sort, 0);
            sort.count = ragged_count(sort);
            batch.add(sort); // the same plan three times
            take_turns(sort, 1);
            sort.key = VKSORT_KEY_F64;
            sort.argsort = true;
            sort.value_size = 0;
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count - 3), sort.count));
        }
        batch.add(GatherCase{.record_size = 20, .count = 1'003});
    }
    EXPECT_TRUE(batch.run());
}

class RecordingsOf : public AlgorithmTest {};

TEST_P(RecordingsOf, TwoSortsOneAfterTheOtherOnTheSameMemory) {
    SortCase probe = {.algorithm = GetParam(), .value_size = 4};
    RETURN_IF_REFUSED(probe);
    uint64_t count = GetParam() == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile_of(probe) : kCount;
    const bool ranges = takes_bit_ranges(GetParam());
    VksortPlanDesc low = pairs(GetParam(), count);
    VksortPlanDesc high = pairs(GetParam(), count);
    if (ranges) {
        low.endBit = 16;
        high.beginBit = 16;
        high.endBit = 32;
    } else {
        high.flags |= VKSORT_PLAN_DESCENDING_BIT;
    }
    MadePlan first = made_plan(low);
    MadePlan second = made_plan(high);
    ASSERT_TRUE(first.plan != VK_NULL_HANDLE && second.plan != VK_NULL_HANDLE);
    Pairs input = made_pairs(count, test_seed());
    PairBuffers memory(first.info.scratchSize > second.info.scratchSize ? first.info : second.info, input.keys, input.values,
                       4);
    VksortSortBuffers buffers = memory.buffers(count);
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, first.info);
        vksortCmdSort(commands, first.plan, &buffers);
        plan_to_plan(commands, first.info, second.info);
        vksortCmdSort(commands, second.plan, &buffers);
        plan_to_host(commands, second.info);
    });
    Recording::run({&recording});
    // Stable sorts by the low and then by the high half are one sort by the whole; of stable sorts by the whole the last
    // counts.
    Pairs expected = sorted(input, {.type = VKSORT_KEY_U32, .descending = !ranges});
    expect_equal(memory.keys.bytes(), expected.keys, "keys");
    expect_equal(memory.values.bytes(), expected.values, "values");
}

TEST_P(RecordingsOf, OneRecordingSubmittedAgainWithOtherData) {
    SortCase probe = {.algorithm = GetParam(), .value_size = 4};
    RETURN_IF_REFUSED(probe);
    uint64_t most = GetParam() == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile_of(probe) : kCount;
    VksortPlanDesc desc = pairs(GetParam(), most);
    desc.flags |= VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
    MadePlan plan = made_plan(desc);
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    const Pairs content = made_pairs(most, test_seed());
    PairBuffers memory(plan.info, content.keys, content.values, 4);
    MappedBuffer count_buffer(4, plan.info.bufferUsage);
    VksortSortBuffers buffers = memory.buffers(0);
    buffers.countBuffer = count_buffer.range();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, plan.info);
        vksortCmdSort(commands, plan.plan, &buffers);
        plan_to_host(commands, plan.info);
    });
    for (uint64_t count : {most, most / 2, uint64_t{0}, uint64_t{1}, most - 1}) {
        Pairs input = made_pairs(most, test_seed() + count);
        memory.keys.write(input.keys);
        memory.values.write(input.values);
        auto held = static_cast<uint32_t>(count);
        count_buffer.write(std::as_bytes(std::span(&held, 1)));
        Recording::run({&recording});
        Pairs part = {Bytes(input.keys.begin(), input.keys.begin() + static_cast<ptrdiff_t>(4 * count)),
                      Bytes(input.values.begin(), input.values.begin() + static_cast<ptrdiff_t>(4 * count))};
        Pairs expected = sorted(part);
        std::copy(expected.keys.begin(), expected.keys.end(), input.keys.begin());
        std::copy(expected.values.begin(), expected.values.end(), input.values.begin());
        expect_equal(memory.keys.bytes(), input.keys, "keys, and those behind the count");
        expect_equal(memory.values.bytes(), input.values, "values, and those behind the count");
    }
}

// Sorts that are recorded in parts, a dispatch each, as for devices that reset if one submission takes seconds.
TEST_P(RecordingsOf, InParts) {
    SortCase probe = {.algorithm = GetParam(), .value_size = 4};
    RETURN_IF_REFUSED(probe);
    const uint64_t count = GetParam() == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile_of(probe) : kCount;
    const MadePlan plan = made_plan(pairs(GetParam(), count));
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    const Pairs input = made_pairs(count, test_seed());
    const PairBuffers memory(plan.info, input.keys, input.values, plan.info.passCount);
    const RecordedParts parts(plan.plan, plan.info, memory.buffers(count), 1);
    Recording::run(parts.recordings());
    const Pairs expected = sorted(input);
    expect_equal(memory.keys.bytes(), expected.keys, "keys");
    expect_equal(memory.values.bytes(), expected.values, "values");
}

TEST_P(RecordingsOf, ManyThreadsRecordOnePlan) {
    SortCase probe = {.algorithm = GetParam(), .value_size = 4};
    RETURN_IF_REFUSED(probe);
    uint64_t most = GetParam() == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile_of(probe) : kCount;
    MadePlan plan = made_plan(pairs(GetParam(), most));
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    constexpr size_t kThreads = 6;
    std::vector<std::unique_ptr<PairBuffers>> memory;
    std::vector<Pairs> inputs;
    std::vector<std::unique_ptr<Recording>> recordings;
    for (size_t i = 0; i < kThreads; ++i) {
        inputs.push_back(made_pairs(most - i, test_seed() + i));
        memory.push_back(std::make_unique<PairBuffers>(plan.info, inputs.back().keys, inputs.back().values, 4));
        recordings.push_back(std::make_unique<Recording>());
    }
    std::vector<std::thread> threads;
    for (size_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            VksortSortBuffers buffers = memory[i]->buffers(most - i);
            recordings[i]->record([&](VkCommandBuffer commands) {
                host_to_plan(commands, plan.info);
                vksortCmdSort(commands, plan.plan, &buffers);
                plan_to_host(commands, plan.info);
            });
        });
    }
    std::vector<const Recording*> all;
    for (size_t i = 0; i < kThreads; ++i) {
        threads[i].join();
        all.push_back(recordings[i].get());
    }
    Recording::run(all);
    for (size_t i = 0; i < kThreads; ++i) {
        Pairs expected = sorted(inputs[i]);
        expect_equal(memory[i]->keys.bytes(), expected.keys, "keys");
        expect_equal(memory[i]->values.bytes(), expected.values, "values");
    }
}

// Buffers of exactly the elements' bytes, up to a whole word, with exactly the usage that the plan asks for: validation
// tells if more is needed.
TEST_P(RecordingsOf, BuffersWithNothingToSpare) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    for (VksortKeyType key : {VKSORT_KEY_U8, VKSORT_KEY_U16, VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        for (uint64_t count : {1u, 2u, 3u, 5u, 257u}) {
            SortCase sort = {.algorithm = GetParam(), .key = key, .argsort = true, .count = count};
            MadePlan plan = made_plan(description_of(sort));
            ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
            Bytes input = generate_keys(key, count, Distribution::uniform, test_seed() + count);
            MappedBuffer keys((input.size() + 3) / 4 * 4, plan.info.bufferUsage, input);
            Bytes behind(keys.bytes().begin() + static_cast<ptrdiff_t>(input.size()), keys.bytes().end());
            MappedBuffer values(4 * count, plan.info.bufferUsage);
            std::unique_ptr<MappedBuffer> scratch;
            VksortSortBuffers buffers = {};
            if (plan.info.scratchSize > 0) {
                scratch = std::make_unique<MappedBuffer>(plan.info.scratchSize, plan.info.scratchUsage);
                buffers.scratch = scratch->range();
            }
            DescriptorPool pool(plan.info, 1);
            buffers.keys = keys.range();
            buffers.values = values.range();
            buffers.count = count;
            buffers.descriptorPool = pool.handle();
            Recording recording;
            recording.record([&](VkCommandBuffer commands) {
                host_to_plan(commands, plan.info);
                vksortCmdSort(commands, plan.plan, &buffers);
                plan_to_host(commands, plan.info);
            });
            Recording::run({&recording});
            std::vector<uint32_t> indices = reference::argsort(input, {.type = key});
            expect_equal(keys.bytes(), reference::gather(input, reference::key_size(key), indices), "keys");
            expect_equal(keys.bytes().subspan(input.size()), behind, "bytes of the last word");
            ByteSpan expected = std::as_bytes(std::span(indices));
            expect_equal(values.bytes(), Bytes(expected.begin(), expected.end()), "indices");
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, RecordingsOf, ::testing::ValuesIn(kAlgorithms), algorithm_name);

// Wider records follow an argsort by gather, in the same command buffer.
TEST_F(Recordings, ArgsortThenGather) {
    for (uint32_t record_size : {4u, 12u, 64u}) {
        MadePlan sort = made_plan(description_of(SortCase{.key = VKSORT_KEY_F32,
                                                          .argsort = true,
                                                          .discard_keys = true,
                                                          .result = VKSORT_RESULT_SEPARATE,
                                                          .count = kCount}));
        VksortPlanDesc desc = {};
        desc.operation = VKSORT_OPERATION_GATHER;
        desc.valueSize = record_size;
        desc.maxCount = kCount;
        MadePlan gather = made_plan(desc);
        ASSERT_TRUE(sort.plan != VK_NULL_HANDLE && gather.plan != VK_NULL_HANDLE);

        Bytes input = generate_keys(VKSORT_KEY_F32, kCount, Distribution::special, test_seed());
        Bytes content = generate_values(kCount, record_size);
        MappedBuffer keys(input.size(), sort.info.bufferUsage, input);
        MappedBuffer indices(4 * kCount, sort.info.bufferUsage);
        MappedBuffer scratch(std::max<uint64_t>(sort.info.scratchSize, 4),
                             sort.info.scratchSize > 0 ? sort.info.scratchUsage : sort.info.bufferUsage);
        MappedBuffer records(content.size(), gather.info.bufferUsage, content);
        MappedBuffer out(content.size(), gather.info.bufferUsage);
        DescriptorPool sort_pool(sort.info, 1);
        DescriptorPool gather_pool(gather.info, 1);
        VksortSortBuffers sort_buffers = {};
        sort_buffers.keys = keys.range();
        sort_buffers.valuesOut = indices.range();
        sort_buffers.scratch = scratch.range();
        sort_buffers.count = kCount;
        sort_buffers.descriptorPool = sort_pool.handle();
        VksortGatherBuffers gather_buffers = {};
        gather_buffers.records = records.range();
        gather_buffers.indices = indices.range();
        gather_buffers.out = out.range();
        gather_buffers.count = kCount;
        gather_buffers.descriptorPool = gather_pool.handle();
        Recording recording;
        recording.record([&](VkCommandBuffer commands) {
            host_to_plan(commands, sort.info);
            vksortCmdSort(commands, sort.plan, &sort_buffers);
            plan_to_plan(commands, sort.info, gather.info);
            vksortCmdGather(commands, gather.plan, &gather_buffers);
            plan_to_host(commands, gather.info);
        });
        Recording::run({&recording});
        std::vector<uint32_t> order = reference::argsort(input, {.type = VKSORT_KEY_F32});
        expect_equal(out.bytes(), reference::gather(content, record_size, order), "records");
    }
}

} // namespace
} // namespace vksort::test
