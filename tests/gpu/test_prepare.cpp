// SPDX-License-Identifier: MIT
//
// VKSORT_PLAN_PREPARE_LATER_BIT: sorts before the plan is prepared, and after; and the caller's job system.
#include <atomic>
#include <thread>

#include "../harness/budget.h"
#include "../harness/manual.h"
#include "common.h"
#include "context.h"

namespace vksort::test {
namespace {

class Prepare : public DeviceTest {};

template <typename Case> VksortPlan plan_of_case(const Case& sort) {
    VksortPlan plan = VK_NULL_HANDLE;
    EXPECT_EQ(context(sort.limits).plan(description_of(sort), sort.overrides, &plan), VK_SUCCESS);
    return plan;
}

// Every way to ask for a sort, by algorithms whose plans have something left to make.
std::vector<SortCase> sorts() {
    const SortCase pairs = {.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN,
                            .value_size = 4,
                            .prepare_later = true,
                            .overrides = kSmallTiles,
                            .limits = {.is_gpu = true}};
    std::vector<SortCase> sorts(8, pairs);
    sorts[1].key = VKSORT_KEY_F64;
    sorts[1].value_size = 16;
    sorts[1].descending = true;
    sorts[2].key = VKSORT_KEY_I16;
    sorts[2].result = VKSORT_RESULT_SEPARATE;
    sorts[3].result = VKSORT_RESULT_PING_PONG;
    sorts[4].value_size = 0;
    sorts[4].argsort = true;
    sorts[4].discard_keys = true;
    sorts[5].key = VKSORT_KEY_U64;
    sorts[5].result = VKSORT_RESULT_SEPARATE;
    sorts[5].stride = 24;
    sorts[5].offset = 8;
    sorts[6].algorithm = VKSORT_ALGORITHM_ONESWEEP;
    sorts[6].begin_bit = 5;
    sorts[6].end_bit = 20;
    sorts[7].algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP;
    return sorts;
}

TEST_F(Prepare, SortsAreRightBeforeAndAfter) {
    for (SortCase sort : sorts()) {
        sort.max_count = sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? 300 : 3000;
        RETURN_IF_REFUSED(sort);
        const VksortPlan plan = plan_of_case(sort);
        ASSERT_NE(plan, VksortPlan{VK_NULL_HANDLE});
        const auto run = [&sort] {
            Batch batch;
            for (uint64_t count : {uint64_t{0}, uint64_t{1}, sort.max_count / 3, sort.max_count}) {
                sort.count = count;
                batch.add(sort);
            }
            batch.run();
        };
        run();
        EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
        EXPECT_TRUE(plan->isPrepared);
        run();
    }
}

TEST_F(Prepare, SegmentsAreRightBeforeAndAfter) {
    SegmentedCase sort = {.by = VKSORT_ALGORITHM_SIZE_CLASSES, .value_size = 4, .count = 3000};
    sort.prepare_later = true;
    sort.limits.is_gpu = true;
    sort.segments = {{0, 10}, {10, 1500}, {1500, 1500}, {1500, 3000}};
    sort.kind = VKSORT_SEGMENTS_OFFSETS;
    const VksortPlan plan = plan_of_case(sort);
    ASSERT_NE(plan, VksortPlan{VK_NULL_HANDLE});
    EXPECT_FALSE(plan->isPrepared);
    for (int time = 0; time < 2; ++time) {
        Batch batch;
        batch.add(sort);
        batch.run();
        EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
    }
}

// The simpler sort has more dispatches than the one chosen, or fewer, and an application counts by VksortPlanInfo::passCount.
TEST_F(Prepare, InPartsBeforeAndAfter) {
    bool is_more = false;
    bool is_less = false;
    for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        for (const uint32_t count : {1'000u, 200'000u}) {
            const SortCase sort = {.algorithm = algorithm,
                                   .value_size = 4,
                                   .count = count,
                                   .prepare_later = true,
                                   .overrides = kSmallTiles,
                                   .limits = {.groups_x = 60'002, .is_gpu = true}}; // of no other test
            RETURN_IF_REFUSED(sort);
            const VksortPlan plan = plan_of_case(sort);
            ASSERT_NE(plan, VksortPlan{VK_NULL_HANDLE});
            VksortPlanInfo info;
            vksortGetPlanInfo(plan, &info);
            is_more = is_more || plan->plain->plan.info.passCount > info.passCount;
            is_less = is_less || plan->plain->plan.info.passCount < info.passCount;
            const Bytes input = generate_keys(VKSORT_KEY_U32, count, Distribution::uniform, test_seed());
            const Bytes expected = reference::gather(input, 4, reference::argsort(input, {}));
            for (const bool is_prepared : {false, true}) {
                ASSERT_EQ(plan->isPrepared, is_prepared);
                const PairBuffers memory(info, input, Bytes(input.size()), info.passCount);
                const RecordedParts parts(plan, info, memory.buffers(count), 2);
                Recording::run(parts.recordings());
                EXPECT_TRUE(std::ranges::equal(memory.keys.bytes(), expected)) << (is_prepared ? "prepared, " : "") << count;
                EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
            }
        }
    }
    EXPECT_TRUE(is_more && is_less);
}

// What writes indirect commands is recorded before and after, so that preparing must leave it alone. Sanitizers of threads
// tell.
TEST_F(Prepare, WhileOthersRecord) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN,
                     .value_size = 4,
                     .count = 3'000,
                     .prepare_later = true,
                     .overrides = kSmallTiles,
                     .limits = {.groups_x = 60'003, .is_gpu = true}}; // of no other test
    RETURN_IF_REFUSED(sort);
    VksortPlanDesc desc = description_of(sort);
    desc.flags |= VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT;
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(context(sort.limits).plan(desc, sort.overrides, &plan), VK_SUCCESS);
    VksortPlanInfo info;
    vksortGetPlanInfo(plan, &info);
    const Bytes content(4 * sort.count);
    const PairBuffers memory(info, content, content, 1'000);
    const MappedBuffer counts(256, info.bufferUsage);
    VksortSortBuffers buffers = memory.buffers(0);
    buffers.countBuffer = counts.range();
    buffers.commands = {counts.handle(), 64};
    std::atomic<bool> is_done = false;
    std::thread other([&] {
        EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
        is_done = true;
    });
    uint32_t recorded = 0;
    do {
        Recording().record([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan, &buffers); });
    } while (!is_done && ++recorded < 900);
    other.join();
    EXPECT_TRUE(plan->isPrepared);
}

// What is made first has to be less than what is left, and scratch has to do for both.
TEST_F(Prepare, MakesThePlainSortFirst) {
    Context& fresh = context(Limits{.groups_x = 60'001, .is_gpu = true}); // of no other test
    VksortPlanDesc desc = {};
    desc.valueSize = 4;
    desc.maxCount = 100'000;
    desc.algorithm = VKSORT_ALGORITHM_ONESWEEP;
    if (!fresh.can_run(desc.algorithm)) {
        GTEST_SKIP() << "this device does not run onesweep";
    }
    VksortPlanInfo at_once;
    ASSERT_EQ(vksortDescribePlan(&fresh.info(), &desc, &at_once, nullptr, 0), VK_SUCCESS);
    desc.flags = VKSORT_PLAN_PREPARE_LATER_BIT;
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreatePlan(fresh.handle(), &desc, &plan), VK_SUCCESS);
    const uint32_t first = fresh.handle()->pipelines.count();
    EXPECT_EQ(first, 2u) << "one that sorts tiles, one that merges them";
    VksortPlanInfo info;
    vksortGetPlanInfo(plan, &info);
    EXPECT_EQ(info.algorithm, at_once.algorithm);
    EXPECT_EQ(info.passCount, at_once.passCount);
    EXPECT_GE(info.scratchSize, at_once.scratchSize);
    EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
    const uint32_t all = fresh.handle()->pipelines.count();
    EXPECT_GT(all, first);
    EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
    EXPECT_EQ(fresh.handle()->pipelines.count(), all);
    vksortDestroyPlan(plan);
    EXPECT_EQ(vksortPreparePlan(VK_NULL_HANDLE), VK_ERROR_INITIALIZATION_FAILED);
}

TEST_F(Prepare, ByManyThreads) {
    VksortPlanDesc desc = {};
    desc.maxCount = 5000;
    desc.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN;
    desc.flags = VKSORT_PLAN_PREPARE_LATER_BIT;
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreatePlan(context().handle(), &desc, &plan), VK_SUCCESS);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([plan] { EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_TRUE(plan->isPrepared);
    vksortDestroyPlan(plan);
}

// A job system that runs jobs from the last to the first, and counts them.
struct Jobs {
    uint32_t calls = 0;
    uint32_t count = 0;
    bool runs = true;

    static void run(void* user, uint32_t count, VksortJob job, void* data) {
        auto& self = *static_cast<Jobs*>(user);
        ++self.calls;
        self.count = count;
        for (uint32_t i = count; self.runs && i > 0; --i) {
            job(data, i - 1);
        }
    }
};

TEST_F(Prepare, PipelinesAreMadeByTheCallersJobs) {
    for (const bool runs : {true, false}) { // A job system that loses jobs costs time only.
        Jobs jobs;
        jobs.runs = runs;
        VksortContextCreateInfo create = context_create_info();
        create.runJobs = Jobs::run;
        create.runJobsUser = &jobs;
        VksortContext made = VK_NULL_HANDLE;
        ASSERT_EQ(vksortCreateContext(&create, nullptr, &made), VK_SUCCESS);
        VksortPlanDesc desc = {};
        desc.maxCount = 5000;
        desc.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN;
        VksortPlan plan = VK_NULL_HANDLE;
        ASSERT_EQ(vksortCreatePlan(made, &desc, &plan), VK_SUCCESS);
        EXPECT_EQ(jobs.calls, 1u);
        EXPECT_EQ(jobs.count, made->pipelines.count());
        count_pipelines(made);
        EXPECT_LT(jobs.count, plan->plan.info.passCount); // digit passes share theirs
        vksortDestroyPlan(plan);
        vksortDestroyContext(made);
    }
}

} // namespace
} // namespace vksort::test
