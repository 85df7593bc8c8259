// SPDX-License-Identifier: MIT
//
// The comparators' kernels under a validation layer that sees races on shared memory (VKSORT_TEST_RACES=1).
#include <set>

#include "../harness/gpu_validation.h"
#include "comparator_test.h"

namespace vksort::test {

TEST_F(ComparatorTest, RacesInEveryKernel) {
    if (!checks_races()) {
        GTEST_SKIP() << "races on shared memory are checked with VKSORT_TEST_RACES=1";
    }
    if (const std::string why = why_races_go_unnoticed(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    constexpr size_t kCount = 1500;
    std::set<std::string> reached;
    // The layer needs as much shared memory as the kernels.
    context_ = context({.shared_memory = device().info().maxSharedMemorySize / 2}).handle();
    overrides_ = {.workgroupSize = 64, .keysPerThread = 4};
    example_ = kExamples[2];
    ASSERT_NO_FATAL_FAILURE(create(*example().built));
    VksortPlanDesc desc = description(kCount);
    for (const uint32_t ways : {2u, 4u, 0u}) { // 0: by locality
        overrides_.mergeWays = ways;
        desc.algorithm = ways == 0 ? VKSORT_ALGORITHM_LOCALITY : VKSORT_ALGORITHM_MERGE;
        ASSERT_NO_FATAL_FAILURE(plan(desc));
        expect_sorted(generate(kCount));
    }
    const Words heads = {0, 3, 4, 700, 701, 1400};
    ASSERT_NO_FATAL_FAILURE(plan_segments(VKSORT_SEGMENTS_HEAD_INDICES, kCount, heads.size()));
    expect_segments_sorted(generate(kCount), between(heads, kCount), heads, heads.size());
    desc = description(kCount);
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCountB = kCount;
    const Words a = reordered(generate(kCount), order_of(generate(kCount), 0, kCount));
    for (const bool partition : {false, true}) {
        overrides_.mergePartition = partition;
        ASSERT_NO_FATAL_FAILURE(plan(desc));
        Words both = a;
        both.insert(both.end(), a.begin(), a.end());
        EXPECT_TRUE(merge(a, a).values == order_of(both, 0, 2 * kCount));
    }
    context_->pipelines.for_each(
        [](void* user, const char* module, const PipelineKey& key, VkPipeline) {
            if (key.comparator != 0) {
                static_cast<std::set<std::string>*>(user)->insert(module);
            }
        },
        &reached);
    for (const ShaderModule& kernel : comparator_.get()->kernels) {
        EXPECT_TRUE(reached.contains(kernel.name)) << kernel.name << " was not reached";
    }
    plan_.reset();
    comparator_.reset();
}

} // namespace vksort::test
