// SPDX-License-Identifier: MIT
//
// The same device as if it could less: without the optional features, with the least limits that Vulkan allows, with
// every way of ranking, with dispatches that must be folded.
#include "common.h"
#include "context.h"
#include "shader_table.h"

namespace vksort::test {
namespace {

class Devices : public DeviceTest {};

// A few sorts of different kinds; those that the context cannot run are refused in words.
void run_mixture(const Limits& limits, const PlanOverrides& overrides = {}, size_t most_kinds = SIZE_MAX) {
    for (VksortAlgorithm algorithm : kAlgorithms) {
        SortCase probe = {.algorithm = algorithm, .overrides = overrides, .limits = limits};
        if (is_refused(probe)) {
            continue;
        }
        Batch batch;
        size_t kinds = 0;
        for (SortCase sort : {
                 SortCase{.key = VKSORT_KEY_F32, .value_size = 4, .descending = true, .distribution = Distribution::special},
                 SortCase{.key = VKSORT_KEY_I64, .argsort = true, .distribution = Distribution::few},
                 SortCase{.key = VKSORT_KEY_U32},
                 SortCase{.key = VKSORT_KEY_U8, .value_size = 4, .result = VKSORT_RESULT_SEPARATE},
                 SortCase{.key = VKSORT_KEY_F16, .result = VKSORT_RESULT_PING_PONG, .distribution = Distribution::and4},
                 SortCase{.key = VKSORT_KEY_F64, .value_size = 4, .distribution = Distribution::nearly_sorted},
                 SortCase{.key = VKSORT_KEY_U32, .value_size = 4, .digit_mask = 5},
                 SortCase{.key = VKSORT_KEY_U64, .value_size = 4, .digit_mask = 0x21},
             }) {
            if (++kinds > most_kinds) {
                break;
            }
            sort.algorithm = algorithm;
            sort.overrides = overrides;
            sort.limits = limits;
            if (has_too_little_shared_memory(sort)) {
                continue;
            }
            take_turns(sort, kinds);
            sort.count = ragged_count(sort);
            batch.add(sort);
            batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count) - 3, sort.count));
            for (uint64_t count : {0u, 1u, 2u, 33u}) {
                // A forced tile may hold less.
                sort.count = algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? std::min(count, tile_of(sort)) : count;
                batch.add(sort);
            }
        }
        batch.run();
    }
}

TEST_F(Devices, EverySetOfFeatures) {
    SKIP_BELOW_FULL_LEVEL();
    const VksortFeatureFlags all = context().info().features;
    for (VksortFeatureFlags features = 0; features < 8; ++features) {
        if ((features & all) != features) {
            continue; // the same as without what the device does not have
        }
        // Every set has a context of its own, for which SwiftShader compiles anew: all kinds of sorts with the extremes.
        const bool every_kind = is_full_level() || features == 0 || features == all;
        run_mixture(features == all ? Limits{} : Limits{.features = features}, kSmallTiles, every_kind ? SIZE_MAX : 2);
        Batch batch;
        batch.add(GatherCase{.record_size = 12, .count = 1'000, .limits = {.features = features}});
        batch.run();
    }
}

TEST_F(Devices, TheLeastThatVulkanAllows) { run_mixture(kLeastLimits); }

TEST_F(Devices, LittleSharedMemoryButEveryFeature) {
    SKIP_BELOW_FULL_LEVEL();
    run_mixture({.shared_memory = 16384, .invocations = 128});
}

// The plan's kernels by name, so that a forced ranking is seen to run.
bool uses_kernel(const SortCase& sort, const char* part) {
    VksortPlan plan = VK_NULL_HANDLE;
    if (context(sort.limits).plan(description_of(sort), sort.overrides, &plan) != VK_SUCCESS) {
        return false;
    }
    const Plan& made = plan_of(plan);
    for (uint32_t i = 0; i < made.info.passCount; ++i) {
        if (std::strstr(kShaderModules[made.passes[i].module].name, part) != nullptr) {
            return true;
        }
    }
    return false;
}

PlanOverrides ranking(uint32_t rank, uint32_t workgroup_size, uint32_t keys_per_thread, uint32_t stage_rounds = 0) {
    PlanOverrides overrides;
    overrides.rank = rank;
    overrides.workgroupSize = workgroup_size;
    overrides.keysPerThread = keys_per_thread;
    overrides.stageRounds = stage_rounds;
    return overrides;
}

// What ranks in either way. Each of these kernels is one more to compile, so few keys stand for all.
void run_rank(const PlanOverrides& overrides, const char* kernel) {
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_REDUCE_SCAN}) {
        SortCase probe = {.algorithm = algorithm, .count = 7, .overrides = overrides};
        EXPECT_TRUE(uses_kernel(probe, kernel)) << describe(probe);
        Batch batch;
        for (VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_I64}) {
            for (Distribution distribution : {Distribution::special, Distribution::few, Distribution::uniform}) {
                SortCase sort = probe;
                sort.key = key;
                sort.value_size = 4;
                sort.distribution = distribution;
                sort.count = ragged_count(sort);
                batch.add(sort);
                sort.argsort = true;
                sort.descending = true;
                sort.count = tile_of(sort);
                batch.add(sort);
                sort.count = 7;
                batch.add(sort);
            }
        }
        batch.run();
    }
    if (is_full_level()) {
        run_mixture({}, overrides);
    }
}

// Narrow subgroups need more shared memory for their counts, so not every workgroup fits every device; one does.
TEST_F(Devices, RanksBySubgroupBallots) {
    const VksortDeviceInfo info = context().info();
    if (!can_rank_by_ballots()) {
        SortCase sort = {.count = 100};
        sort.overrides.rank = kRankBallots;
        expect_refused(sort, VK_ERROR_FEATURE_NOT_PRESENT, "");
        return;
    }
    std::vector<PlanOverrides> fitting;
    for (const PlanOverrides& overrides :
         {ranking(kRankBallots, 512, 1), ranking(kRankBallots, 256, 2), ranking(kRankBallots, 128, 3),
          ranking(kRankBallots, 64, 4, 2), ranking(kRankBallots, 32, 1)}) {
        if (overrides.workgroupSize >= info.maxSubgroupSize && can_plan({.overrides = overrides})) {
            fitting.push_back(overrides);
        }
    }
    ASSERT_FALSE(fitting.empty());
    if (!is_full_level()) {
        fitting.resize(1);
    }
    for (const PlanOverrides& overrides : fitting) {
        run_rank(overrides, "_ballot");
    }
}

TEST_F(Devices, RanksByCounters) {
    run_rank(ranking(kRankCounters, 256, 3), "_counter");
    if (is_full_level()) {
        run_rank(ranking(kRankCounters, 0, 0), "_counter");
        run_rank(ranking(kRankCounters, 128, 1), "_counter");
        run_rank(ranking(kRankCounters, 64, 5), "_counter");
    }
}

// In workgroups of enough invocations that compilers do not unroll a loop over them, which must run alike in all of
// lavapipe's subgroups.
TEST_F(Devices, CountersOfLargeWorkgroups) {
    SortCase sort = {.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN, .overrides = ranking(kRankCounters, 512, 2)};
    if (context().info().maxWorkgroupInvocations < 512) {
        sort.overrides.workgroupSize = 256;
    }
    sort.count = ragged_count(sort);
    Batch batch;
    batch.add(sort);
    batch.run();
}

// More workgroups than the first dimension of a dispatch takes.
TEST_F(Devices, FoldedDispatches) {
    for (uint32_t groups : {1u, 3u}) {
        Limits limits = {.groups_x = groups};
        for (VksortAlgorithm algorithm : kManyWorkgroups) {
            SortCase sort = {.algorithm = algorithm, .value_size = 4, .overrides = kSmallTiles, .limits = limits};
            if (!context(limits).can_run(algorithm)) {
                continue;
            }
            Batch batch;
            for (VksortResult result : kResults) {
                sort.result = result;
                take_turns(sort, result);
                sort.count = tile_of(sort) * 37 + 5;
                batch.add(sort);
                batch.add(with_gpu_count(sort, static_cast<uint32_t>(sort.count) - 700, sort.count + 10'000));
            }
            sort.key = VKSORT_KEY_U16;
            batch.add(sort);
            batch.run();
        }
        Batch batch;
        batch.add(GatherCase{.record_size = 8, .count = 20'021, .out_of_range = true, .limits = limits});
        batch.add(GatherCase{.record_size = 8, .count = 10'011, .max_count = 20'021, .gpu_count = 10'011, .limits = limits});
        batch.run();
    }
}

} // namespace
} // namespace vksort::test
