// SPDX-License-Identifier: MIT
//
// Counts on the GPU that choose one of several plans of the same recording: at every boundary between these plans, and with
// what a plan of other counts has left in scratch.
#include <cstring>
#include <random>

#include "../harness/manual.h"
#include "common.h"
#include "context.h"

namespace vksort::test {
namespace {

constexpr uint64_t kMost = 9'001;

// Where the plans of a recording end, but for the last one.
constexpr uint64_t kEnds[] = {300, 1'200, 4'500};

// One workgroup, ranks or buckets of sample_sort, and buckets, before `algorithm`. CPU drivers would have one plan.
PlanOverrides several_plans(const SortCase& sort) {
    PlanOverrides overrides = kSmallTiles;
    overrides.sampleStep = sort.overrides.sampleStep;
    overrides.sweeps = sort.overrides.sweeps;
    const auto add = [&overrides](uint64_t most, VksortAlgorithm algorithm) {
        overrides.smaller.plans[overrides.smaller.count++] = {most, algorithm};
    };
    add(kEnds[0], VKSORT_ALGORITHM_ONE_WORKGROUP);
    const bool wide = reference::key_size(sort.key) >= 4;
    if (wide) {
        add(kEnds[1], VKSORT_ALGORITHM_SAMPLE_SORT);
    }
    SortCase buckets = sort;
    buckets.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
    buckets.overrides = kSmallTiles;
    buckets.count = kEnds[2];
    if (wide && can_plan(buckets)) {
        add(kEnds[2], VKSORT_ALGORITHM_BUCKET_SORT);
    }
    return overrides;
}

class SharedPlans : public AlgorithmTest {
protected:
    // Whether the last plan can be by the algorithm there; if not, the refusal is checked.
    bool can_sort(const SortCase& sort) {
        if (is_refused(sort)) {
            return false;
        }
        SortCase some = sort;
        some.count = kMost;
        some.overrides = kSmallTiles;
        return !has_too_little_shared_memory(some);
    }
};

struct SharedShape {
    VksortKeyType key;
    uint32_t value_size;
    bool argsort;
    VksortResult result;
};

constexpr SharedShape kSharedShapes[] = {
    {VKSORT_KEY_U32, 0, false, VKSORT_RESULT_IN_PLACE}, {VKSORT_KEY_U32, 4, false, VKSORT_RESULT_IN_PLACE},
    {VKSORT_KEY_U64, 4, false, VKSORT_RESULT_SEPARATE}, {VKSORT_KEY_I32, 0, true, VKSORT_RESULT_SEPARATE},
    {VKSORT_KEY_U16, 4, false, VKSORT_RESULT_IN_PLACE},
};

std::vector<uint32_t> boundary_counts() {
    std::vector<uint32_t> counts = {0, 1, 2, kMost - 1, kMost, kMost + 1, UINT32_MAX};
    for (const uint64_t end : kEnds) {
        for (const uint64_t count : {end - 1, end, end + 1}) {
            counts.push_back(static_cast<uint32_t>(count));
        }
    }
    return counts;
}

TEST_P(SharedPlans, EveryBoundary) {
    SKIP_WITHOUT_BALLOTS();
    for (const SharedShape& shape : kSharedShapes) {
        if (reference::key_size(shape.key) < 4 && !takes_bit_ranges(GetParam())) {
            continue; // auto has these sorted by the radix family
        }
        SortCase sort = {.algorithm = GetParam(),
                         .key = shape.key,
                         .value_size = shape.value_size,
                         .argsort = shape.argsort,
                         .result = shape.result};
        if (!can_sort(sort)) {
            return;
        }
        Batch batch;
        uint64_t turn = 0;
        for (const uint32_t count : boundary_counts()) {
            take_turns(sort, turn);
            sort.distribution = turn++ % 3 == 0 ? Distribution::few : Distribution::uniform;
            sort.overrides.sampleStep =
                turn % 2 == 0 ? PlanOverrides::SampleStep::ranks : PlanOverrides::SampleStep::buckets;
            SortCase shared = sort;
            shared.overrides = several_plans(sort);
            batch.add(with_gpu_count(shared, count, kMost));
        }
        batch.run();
        for (const Outcome& outcome : batch.outcomes()) {
            EXPECT_EQ(outcome.info.algorithm, GetParam()) << "that of the largest counts";
        }
    }
}

// Keys of each kind that the last plan leaves to another of its passes: in its first pass, or later.
TEST_P(SharedPlans, KeysThatAreLeft) {
    SKIP_WITHOUT_BALLOTS();
    SortCase sort = {.algorithm = GetParam(), .value_size = 4};
    if (!can_sort(sort)) {
        return;
    }
    Batch batch;
    for (const PlanOverrides::Sweeps sweeps : {PlanOverrides::Sweeps::by_count, PlanOverrides::Sweeps::apart}) {
        for (const Distribution distribution : {Distribution::uniform, Distribution::and3, Distribution::equal,
                                                Distribution::few, Distribution::sorted, Distribution::reversed}) {
            sort.distribution = distribution;
            sort.overrides.sweeps = sweeps;
            SortCase shared = sort;
            shared.overrides = several_plans(sort);
            batch.add(with_gpu_count(shared, kMost - 7, kMost));
        }
    }
    batch.run();
}

// One recording, submitted with several counts, in scratch that another plan of the same recording has used. Every second
// time the sort is recorded in parts, a dispatch each.
TEST_P(SharedPlans, FromFrameToFrame) {
    SKIP_WITHOUT_BALLOTS();
    SortCase sort = {.algorithm = GetParam(), .value_size = 4};
    if (!can_sort(sort)) {
        return;
    }
    sort.overrides = several_plans(sort);
    sort = with_gpu_count(sort, 0, kMost);
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(context().plan(description_of(sort), sort.overrides, &plan), VK_SUCCESS);
    ASSERT_GT(plan->smaller_count(), 1u);
    VksortPlanInfo info;
    vksortGetPlanInfo(plan, &info);
    const Bytes content(4 * kMost);
    const PairBuffers memory(info, content, content, 1 + info.passCount);
    const MappedBuffer held(4, info.bufferUsage);
    std::memset(memory.scratch.bytes().data(), 0xCD, memory.scratch.bytes().size());
    VksortSortBuffers buffers = memory.buffers(0);
    buffers.countBuffer = held.range();
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        host_to_plan(commands, info);
        vksortCmdSort(commands, plan, &buffers);
        plan_to_host(commands, info);
    });
    const RecordedParts parts(plan, info, buffers, 1);
    Random random(test_seed());
    std::vector<uint32_t> counts = boundary_counts();
    for (uint32_t i = 0; i < 8; ++i) {
        counts.push_back(static_cast<uint32_t>(random.below(kMost + 1)));
    }
    std::shuffle(counts.begin(), counts.end(), std::mt19937(static_cast<uint32_t>(test_seed())));
    for (const uint32_t count : counts) {
        const Bytes some_keys = generate_keys(VKSORT_KEY_U32, kMost, Distribution::uniform, test_seed() + count);
        const Bytes some_values = generate_values(kMost, 4);
        memory.keys.write(some_keys);
        memory.values.write(some_values);
        held.write(std::as_bytes(std::span(&count, 1)));
        if (count % 2 == 0) {
            Recording::run({&recording});
        } else {
            Recording::run(parts.recordings());
        }
        const uint64_t sorted = std::min<uint64_t>(count, kMost);
        Bytes expected = some_keys;
        Bytes expected_values = some_values;
        const std::vector<uint32_t> indices = reference::argsort(ByteSpan(some_keys).first(4 * sorted), {});
        const Bytes front = reference::gather(some_keys, 4, indices);
        const Bytes value_front = reference::gather(some_values, 4, indices);
        std::copy(front.begin(), front.end(), expected.begin());
        std::copy(value_front.begin(), value_front.end(), expected_values.begin());
        EXPECT_TRUE(std::ranges::equal(memory.keys.bytes(), expected)) << "keys of " << count;
        EXPECT_TRUE(std::ranges::equal(memory.values.bytes(), expected_values)) << "values of " << count;
        VksortStatistics statistics;
        std::memcpy(&statistics, memory.scratch.bytes().data() + info.statisticsOffset, sizeof statistics);
        EXPECT_EQ(statistics.count, sorted);
    }
}

INSTANTIATE_TEST_SUITE_P(All, SharedPlans,
                         ::testing::Values(VKSORT_ALGORITHM_SAMPLE_SORT, VKSORT_ALGORITHM_BUCKET_SORT, VKSORT_ALGORITHM_MSD,
                                           VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN),
                         algorithm_name);

} // namespace
} // namespace vksort::test
