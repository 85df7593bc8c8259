// SPDX-License-Identifier: MIT
//
// Merge sort by a comparator with passes of four lists and of two, whatever device and count would take, in tiles so small
// that there are many.
#include <set>

#include "../harness/generate.h"
#include "comparator_test.h"

namespace vksort::test {

// By the first of two words; the second one tells where a key came from.
const Example kFirstWord = {"first_word", 2, [](const uint32_t* a, const uint32_t* b) { return a[0] < b[0]; }, nullptr,
                            nullptr};

class MergeWays : public ComparatorTest, public testing::WithParamInterface<uint32_t> {
protected:
    void SetUp() override {
        ComparatorTest::SetUp();
        create_comparator();
        overrides_ = {.workgroupSize = 128, .keysPerThread = 4, .mergeWays = GetParam()};
    }

    void create_comparator() {
        compile(kFirstWord, "bool before(Key a, Key b) {\n"
                            "    return a.words[0] < b.words[0];\n"
                            "}");
    }

    static Words keys_of(size_t count, Distribution distribution) {
        const reference::Bytes bytes = generate_keys(VKSORT_KEY_U32, count, distribution, test_seed());
        Words keys(2 * count);
        for (size_t i = 0; i < count; ++i) {
            std::memcpy(&keys[2 * i], bytes.data() + 4 * i, 4);
            keys[2 * i + 1] = static_cast<uint32_t>(i);
        }
        return keys;
    }

    void plan_sort(size_t max_count, uint32_t value_size = 4, VksortPlanFlags flags = 0,
                   VksortResult result = VKSORT_RESULT_IN_PLACE) {
        desc_ = description(max_count, flags);
        desc_.algorithm = VKSORT_ALGORITHM_MERGE;
        desc_.valueSize = value_size;
        desc_.result = result;
        plan(desc_);
    }

    // By the plan at hand: keys, and values of any size, wherever they go to. Buffers are as long as the plan wants them.
    void expect_sorted_to(const Words& sorted) {
        const size_t count = sorted.size() / 2;
        SCOPED_TRACE(std::to_string(count) + " elements, values of " + std::to_string(desc_.valueSize) + " bytes, flags " +
                     std::to_string(desc_.flags) + ", result " + std::to_string(desc_.result));
        const uint32_t value_words = desc_.valueSize / 4;
        Words keys = sorted;
        keys.resize(2 * desc_.maxCount);
        const Words values = iota(desc_.maxCount * value_words);
        const WordBuffer key_buffer(keys);
        const WordBuffer value_buffer(values);
        const WordBuffer other_keys(keys.size());
        const WordBuffer other_values(values.size());
        const WordBuffer counts(Words{static_cast<uint32_t>(count)});
        const host::Buffer scratch = scratch_for(info_);
        const bool from_buffer = (desc_.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0;
        const bool elsewhere = desc_.result == VKSORT_RESULT_SEPARATE;
        VksortSortBuffers buffers = {};
        buffers.keys = key_buffer.range();
        buffers.values = value_buffer.range();
        buffers.keysOut = elsewhere ? other_keys.range() : VksortBuffer{};
        buffers.valuesOut = elsewhere ? other_values.range() : VksortBuffer{};
        buffers.scratch = {scratch.handle(), 0};
        buffers.countBuffer = from_buffer ? counts.range() : VksortBuffer{};
        buffers.count = from_buffer ? 0 : count;
        buffers.descriptorPool = device().descriptor_pool(info_);
        device().run([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan_.get(), &buffers); });
        Words order = order_of(keys, 0, count);
        for (size_t i = count; i < desc_.maxCount && !elsewhere; ++i) { // stay
            order.push_back(static_cast<uint32_t>(i));
        }
        Words expected_values;
        for (const uint32_t i : order) {
            for (uint32_t w = 0; w < value_words; ++w) {
                expected_values.push_back(values[i * value_words + w]);
            }
        }
        Words expected_keys = reordered(keys, order);
        expected_keys.resize(keys.size(), kNoise);
        expected_values.resize(values.size(), kNoise);
        EXPECT_TRUE((elsewhere ? other_keys : key_buffer).read() == expected_keys);
        EXPECT_TRUE((elsewhere ? other_values : value_buffer).read() == expected_values);
    }

    VksortPlanDesc desc_ = {};
};
INSTANTIATE_TEST_SUITE_P(Ways, MergeWays, testing::Values(4u, 2u), testing::PrintToStringParamName());

// By one plan for all of them; every other one of few values.
TEST_P(MergeWays, CountsAtTheEdges) {
    ASSERT_NO_FATAL_FAILURE(plan_sort(1));
    const size_t tile = info_.tileSize;
    std::set<size_t> counts = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129};
    for (const size_t edge : {tile / 2, tile, 2 * tile, 3 * tile, 4 * tile, 5 * tile, 8 * tile, 13 * tile, 16 * tile}) {
        counts.insert({edge - 1, edge, edge + 1});
    }
    for (const VksortPlanFlags flags : {VksortPlanFlags{0}, VksortPlanFlags{VKSORT_PLAN_COUNT_FROM_BUFFER_BIT}}) {
        ASSERT_NO_FATAL_FAILURE(plan_sort(*counts.rbegin(), 4, flags));
        EXPECT_EQ(info_.mergePasses, GetParam() == 4 ? 3u : 5u) << "one tile more than 16";
        for (const size_t count : counts) {
            expect_sorted_to(keys_of(count, count % 2 == 0 ? Distribution::uniform : Distribution::few));
        }
    }
}

TEST_P(MergeWays, DistributionsAndValues) {
    for (const uint32_t value_size : {0u, 4u, 16u}) {
        for (const Distribution distribution : kAllDistributions) {
            SCOPED_TRACE(name_of(distribution));
            const auto number = static_cast<uint32_t>(distribution);
            ASSERT_NO_FATAL_FAILURE(plan_sort(6 * 512, value_size, number % 2 == 0 ? 0 : VKSORT_PLAN_DESCENDING_BIT,
                                              number % 3 == 0 ? VKSORT_RESULT_SEPARATE : VKSORT_RESULT_IN_PLACE));
            expect_sorted_to(keys_of(6 * 512 - 77, distribution));
        }
    }
}

// More tiles than one workgroup of the partition searches for.
TEST_P(MergeWays, ManyTiles) {
    overrides_.workgroupSize = 32;
    overrides_.keysPerThread = 7;
    for (const Distribution distribution : {Distribution::uniform, Distribution::few, Distribution::reversed}) {
        ASSERT_NO_FATAL_FAILURE(plan_sort(2 * kPartitionTiles * 224 + 5));
        expect_sorted_to(keys_of(2 * kPartitionTiles * info_.tileSize + 5, distribution));
    }
}

// 16 KiB of shared memory, 128 invocations, no feature beyond Vulkan 1.2's own; dispatches folded into two dimensions.
TEST_P(MergeWays, SmallDevices) {
    for (const Limits& limits : {kLeastLimits, Limits{.groups_x = 1}, Limits{.groups_x = 3}}) {
        context_ = context(limits).handle();
        ASSERT_NO_FATAL_FAILURE(create_comparator());
        ASSERT_NO_FATAL_FAILURE(plan_sort(18 * 512));
        expect_sorted_to(keys_of(17 * info_.tileSize + 5, Distribution::uniform));
    }
}

} // namespace vksort::test
