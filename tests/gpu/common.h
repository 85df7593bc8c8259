// SPDX-License-Identifier: MIT
//
// What the GPU tests share.
#pragma once

#include <algorithm>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>

#include "../harness/environment.h"
#include "../harness/sort_case.h"
#include "tuning.h"

namespace vksort::test {

inline constexpr VksortAlgorithm kAlgorithms[] = {VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_ONESWEEP,
                                                  VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD,
                                                  VKSORT_ALGORITHM_SAMPLE_SORT};
inline constexpr VksortAlgorithm kManyWorkgroups[] = {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN,
                                                      VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT};
inline constexpr VksortResult kResults[] = {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_PING_PONG, VKSORT_RESULT_SEPARATE};

// Tiles of 512 keys: many tiles for little work. 128 invocations are what every device has.
inline constexpr PlanOverrides kSmallTiles = [] {
    PlanOverrides overrides;
    overrides.workgroupSize = 128;
    overrides.keysPerThread = 4;
    return overrides;
}();

// Where any tile will do: CPU drivers take seconds to compile each kernel of the tiles that users get, which other tests
// have in fewer widths of value.
inline PlanOverrides quick_tiles() { return is_full_level() ? PlanOverrides{} : kSmallTiles; }

// Whether few pairs of a key and a value are tested: on CPU drivers, which take long to compile a kernel, below the full
// level.
inline bool tests_few_pairs() { return !is_full_level() && is_cpu(context().info()); }

// Ends a test whose kernels take a CPU driver long to compile, in tiles or combinations that no other test has. The full
// level runs it, and so does every GPU.
#define SKIP_BELOW_FULL_LEVEL() \
    do { \
        if (tests_few_pairs()) { \
            GTEST_SKIP() << "CPU drivers run this test at the full level: VKSORT_TEST_LEVEL=full"; \
        } \
    } while (false)

// Whether to sort this pair of a key and a value. Where few pairs are tested, 64-bit keys, which have kernels of their own,
// meet one size of value: the one that is as wide as an index.
inline bool tests_pair(VksortKeyType key, uint32_t value_size) {
    return !tests_few_pairs() || reference::key_size(key) < 8 || value_size == 4;
}

// Kernels move wider values word by word: below the full level CPU drivers sort them where every value is tested, and 4
// bytes elsewhere.
inline uint32_t wide_value(uint32_t size) { return tests_few_pairs() ? std::min(size, 4u) : size; }

template <typename Case> Plan planned(const Case& sort) {
    Plan plan;
    Message message;
    if (make_plan(context(sort.limits).info(), description_of(sort), sort.overrides, plan, message) != VK_SUCCESS) {
        throw std::runtime_error(describe(sort) + ": " + message.text);
    }
    return plan;
}

// Keys that one workgroup takes at a time; for one_workgroup, the most it can take. AUTO counts as one_workgroup, which it
// leaves at that count.
inline uint64_t tile_of(SortCase sort) {
    sort.count = 0;
    sort.max_count = 0;
    if (sort.algorithm == VKSORT_ALGORITHM_AUTO) {
        sort.algorithm = VKSORT_ALGORITHM_ONE_WORKGROUP;
    }
    const Plan plan = planned(sort);
    if (plan.info.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
        return plan.info.largestCount;
    }
    if (is_merge_family(plan.info.algorithm) || plan.info.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        return plan.info.tileSize;
    }
    RadixPush push;
    std::memcpy(&push, plan.push[0].bytes, sizeof push);
    return push.tileSize;
}

// A count of a few tiles, with a ragged end; within reach of one_workgroup.
inline uint64_t ragged_count(const SortCase& sort, uint64_t tiles = 3) {
    uint64_t tile = tile_of(sort);
    return sort.algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP ? tile - 17 : tiles * tile + tile / 3 + 5;
}

// sample_sort finds places by ranks or in buckets: where counts are small, tests take turns, unless they choose shapes that
// may not do for both.
inline void take_turns(SortCase& sort, uint64_t turn) {
    if (sort.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT && sort.overrides.rank == 0) {
        sort.overrides.sampleStep = turn % 2 == 0 ? PlanOverrides::SampleStep::ranks : PlanOverrides::SampleStep::buckets;
    }
}

// The kernels that rank by ballots need a known subgroup size.
inline bool can_rank_by_ballots() { return known_subgroup_size(context().info()) != 0; }

#define SKIP_WITHOUT_BALLOTS() \
    do { \
        if (!can_rank_by_ballots()) { \
            GTEST_SKIP() << "ballots need a known subgroup size"; \
        } \
    } while (false)

// Invocations of a small workgroup of one_workgroup by ballots: sixteen subgroups at most.
inline uint32_t small_ballot_workgroup() { return std::min(128u, 16 * context().info().maxSubgroupSize); }

// The element that is the i-th of `samples` samples, as shaders/device/sampled_keys.glsl finds it.
inline uint64_t sampled_element(uint32_t i, uint64_t samples, uint64_t count) {
    const uint64_t distance = count / samples;
    const uint64_t jitter = uint64_t{i * 0x9E3779B9u >> 16} * std::min<uint64_t>(distance, 0xFFFF) >> 16;
    return i * distance + i * (count % samples) / samples + jitter;
}

inline bool takes_bit_ranges(VksortAlgorithm algorithm) { return is_radix_family(algorithm); }

// For a sort that shares its recording with a plan for smaller counts.
inline constexpr SmallerPlans kOneSmallerPlan = {.plans = {{100, VKSORT_ALGORITHM_ONE_WORKGROUP}}, .count = 1};

// Each has an outcome then. Those that share a recording have their counts on the GPU.
inline void run_all(const std::vector<SortCase>& sorts, Batch& batch) {
    for (const SortCase& sort : sorts) {
        const bool shared = sort.overrides.smaller.count > 0 && !sort.gpu_count;
        batch.add(shared ? with_gpu_count(sort, static_cast<uint32_t>(sort.count), sort.count) : sort);
    }
    batch.run();
    ASSERT_EQ(batch.outcomes().size(), sorts.size());
}

inline void expect_bits_refused(const SortCase& sort) {
    expect_refused(sort, VK_ERROR_FORMAT_NOT_SUPPORTED, "a range of bits is for the radix family");
}

// Expects a refusal in words where the context lacks something for the algorithm; whether it does.
inline bool is_refused(const SortCase& sort) {
    const char* const lacks = context(sort.limits).lacks_for(sort.algorithm);
    if (lacks != nullptr) {
        expect_refused(sort, VK_ERROR_FEATURE_NOT_PRESENT, lacks);
    }
    return lacks != nullptr;
}

inline bool can_plan(const SortCase& sort) {
    static Plan plan;
    Message message;
    return make_plan(context(sort.limits).info(), description_of(sort), sort.overrides, plan, message) == VK_SUCCESS;
}

// Ranks by ballots take counts of each subgroup: where they do not fit, algorithms that rank in no other way are refused in
// words, and no others.
inline bool has_too_little_shared_memory(const SortCase& sort) {
    if (can_plan(sort)) {
        return false;
    }
    constexpr VksortAlgorithm kBallotsOnly[] = {VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_MSD,
                                                VKSORT_ALGORITHM_SAMPLE_SORT, VKSORT_ALGORITHM_BUCKET_SORT};
    EXPECT_NE(std::ranges::find(kBallotsOnly, sort.algorithm), std::end(kBallotsOnly)) << describe(sort);
    expect_refused(sort, VK_ERROR_FEATURE_NOT_PRESENT, "too little shared memory");
    return true;
}

// For devices without the memory model or a known subgroup size: the test ends there.
#define RETURN_IF_REFUSED(sort) \
    do { \
        if (is_refused(sort)) { \
            return; \
        } \
    } while (false)

class AlgorithmTest : public DeviceTest, public ::testing::WithParamInterface<VksortAlgorithm> {};

inline std::string algorithm_name(const ::testing::TestParamInfo<VksortAlgorithm>& info) {
    return vksortAlgorithmName(info.param);
}

} // namespace vksort::test
