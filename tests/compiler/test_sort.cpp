// SPDX-License-Identifier: MIT
//
// The comparators of examples/ sort, merge and segment-sort as the C++ algorithms do with the same order.
#include "comparator_test.h"

namespace vksort::test {

class Comparators : public testing::WithParamInterface<Example>, public ComparatorTest {
protected:
    void SetUp() override {
        ComparatorTest::SetUp();
        compile(GetParam(), text_of(GetParam()));
    }
};
INSTANTIATE_TEST_SUITE_P(Examples, Comparators, testing::ValuesIn(kExamples),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Comparators, Sort) {
    for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_AUTO, VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_LOCALITY}) {
        for (const VksortPlanFlags flags : {VksortPlanFlags{0}, VksortPlanFlags{VKSORT_PLAN_DESCENDING_BIT}}) {
            SCOPED_TRACE(std::string(vksortAlgorithmName(algorithm)) + (flags != 0 ? " descending" : ""));
            VksortPlanDesc desc = description(20000, flags);
            desc.algorithm = algorithm;
            ASSERT_NO_FATAL_FAILURE(plan(desc));
            EXPECT_EQ(info_.algorithm, algorithm == VKSORT_ALGORITHM_AUTO ? VKSORT_ALGORITHM_MERGE : algorithm);
            const size_t tile = info_.tileSize;
            for (const size_t count :
                 {size_t{0}, size_t{1}, size_t{2}, tile - 1, tile, tile + 1, 3 * tile + 17, size_t{20000}}) {
                expect_sorted(generate(count));
            }
        }
    }
}

TEST_P(Comparators, SortWhatIsNearlyInOrder) {
    VksortPlanDesc desc = description(20000);
    desc.algorithm = VKSORT_ALGORITHM_LOCALITY;
    ASSERT_NO_FATAL_FAILURE(plan(desc));
    Words keys = generate(20000);
    keys = reordered(keys, order_of(keys, 0, 20000));
    expect_sorted(keys);
    for (uint32_t w = 0; w < example().keyWords; ++w) {
        std::swap(keys[w], keys[19000 * example().keyWords + w]);
    }
    expect_sorted(keys);
}

TEST_P(Comparators, SortWithKernelsFromTheBuild) {
    ASSERT_NO_FATAL_FAILURE(create(*example().built));
    ASSERT_NO_FATAL_FAILURE(plan(description(5000)));
    expect_sorted(generate(5000));
}

TEST_P(Comparators, ArgsortIntoOtherBuffers) {
    constexpr size_t kCount = 7000;
    VksortPlanDesc desc = description(kCount, VKSORT_PLAN_ARGSORT_BIT | VKSORT_PLAN_DISCARD_KEYS_BIT);
    desc.result = VKSORT_RESULT_SEPARATE;
    ASSERT_NO_FATAL_FAILURE(plan(desc));
    const Words keys = generate(kCount);
    const WordBuffer key_buffer(keys);
    const WordBuffer out(kCount);
    const host::Buffer scratch = scratch_for(info_);
    VksortSortBuffers buffers = {};
    buffers.keys = key_buffer.range();
    buffers.valuesOut = out.range();
    buffers.scratch = {scratch.handle(), 0};
    buffers.count = kCount;
    buffers.descriptorPool = device().descriptor_pool(info_);
    device().run([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan_.get(), &buffers); });
    EXPECT_TRUE(out.read() == order_of(keys, 0, kCount));
    EXPECT_TRUE(key_buffer.read() == keys);
}

TEST_P(Comparators, Merge) {
    constexpr size_t kMost = 9000;
    for (const VksortPlanFlags flags : {VksortPlanFlags{0}, VksortPlanFlags{VKSORT_PLAN_DESCENDING_BIT}}) {
        VksortPlanDesc desc = description(kMost, flags);
        desc.operation = VKSORT_OPERATION_MERGE;
        desc.result = VKSORT_RESULT_SEPARATE;
        desc.maxCountB = kMost;
        ASSERT_NO_FATAL_FAILURE(plan(desc));
        const Words all = generate(2 * kMost);
        for (const auto& [count_a, count_b] :
             {std::pair<size_t, size_t>{0, 0}, {1, 0}, {0, 700}, {3, kMost}, {kMost, kMost}, {kMost, 1}, {2048, 4097}}) {
            SCOPED_TRACE(std::to_string(count_a) + " and " + std::to_string(count_b));
            const Words a = reordered(all, order_of(all, 0, count_a));
            const Words b = reordered(all, order_of(all, kMost, kMost + count_b));
            const Merged merged = merge(a, b);
            Words both = a;
            both.insert(both.end(), b.begin(), b.end());
            // std::merge of sorted inputs is std::stable_sort of one behind the other.
            const Words order = order_of(both, 0, count_a + count_b);
            EXPECT_TRUE(merged.values == order);
            EXPECT_TRUE(merged.keys == reordered(both, order));
        }
    }
}

TEST_P(Comparators, SegmentedSort) {
    constexpr size_t kCount = 15000;
    Words heads;
    Random random(test_seed());
    for (size_t head = 0; head < kCount; head += 1 + (random.below(8) == 0 ? random.below(6000) : random.below(40))) {
        heads.push_back(static_cast<uint32_t>(head));
    }
    for (const VksortPlanFlags flags : {VksortPlanFlags{0}, VksortPlanFlags{VKSORT_PLAN_DESCENDING_BIT}}) {
        ASSERT_NO_FATAL_FAILURE(plan_segments(VKSORT_SEGMENTS_HEAD_INDICES, kCount, heads.size(), flags));
        expect_segments_sorted(generate(kCount), between(heads, kCount), heads, heads.size());
    }
}

TEST_P(Comparators, SegmentedSortByFlagsAndPairs) {
    constexpr size_t kCount = 7003;
    const Words keys = generate(kCount);
    Random random(test_seed());
    Words heads = {0};
    Words flags((kCount + 31) / 32);
    Words offsets;
    Segments pairs;
    while (true) {
        const size_t length = 1 + (random.below(8) == 0 ? random.below(3000) : random.below(40));
        const size_t begin = heads.back() + random.below(5); // what stands before it stays
        const size_t end = std::min(heads.back() + length, kCount);
        pairs.emplace_back(std::min(begin, end), end); // empty ones among them
        offsets.insert(offsets.end(), {static_cast<uint32_t>(pairs.back().first), static_cast<uint32_t>(end)});
        if (end == kCount) {
            break;
        }
        heads.push_back(static_cast<uint32_t>(end));
        flags[end / 32] |= 1u << end % 32; // element 0 needs none
    }
    ASSERT_NO_FATAL_FAILURE(plan_segments(VKSORT_SEGMENTS_HEAD_FLAGS, kCount, 0));
    expect_segments_sorted(keys, between(heads, kCount), flags, 0);
    ASSERT_NO_FATAL_FAILURE(plan_segments(VKSORT_SEGMENTS_OFFSETS, kCount, pairs.size(), VKSORT_PLAN_DESCENDING_BIT));
    expect_segments_sorted(keys, pairs, offsets, pairs.size());
    Words counted; // the last segment first
    for (size_t i = offsets.size(); i > 0; i -= 2) {
        counted.insert(counted.end(), {offsets[i - 2], offsets[i - 1] - offsets[i - 2]});
    }
    ASSERT_NO_FATAL_FAILURE(plan_segments(VKSORT_SEGMENTS_OFFSET_COUNTS, kCount, pairs.size(), VKSORT_PLAN_DESCENDING_BIT));
    expect_segments_sorted(keys, pairs, counted, pairs.size());
}

// By the last word; the others come along.
TEST_F(ComparatorTest, SortKeysOfManySizes) {
    static uint32_t key_words;
    for (const uint32_t tested : {3u, 7u, uint32_t{VKSORT_MAX_KEY_WORDS}}) {
        key_words = tested;
        SCOPED_TRACE(key_words);
        const Example last_word = {"last_word", key_words,
                                   [](const uint32_t* a, const uint32_t* b) { return a[key_words - 1] < b[key_words - 1]; },
                                   [](Random& random, uint32_t* key) {
                                       random.fill(std::as_writable_bytes(std::span(key, key_words)));
                                       key[key_words - 1] %= 1000;
                                   },
                                   nullptr};
        ASSERT_NO_FATAL_FAILURE(compile(last_word, "bool before(Key a, Key b) {\n"
                                                   "    return a.words[KEY_WORDS - 1] < b.words[KEY_WORDS - 1];\n"
                                                   "}"));
        ASSERT_NO_FATAL_FAILURE(plan(description(3000)));
        expect_sorted(generate(3000));
    }
}

// Not an order: what comes out is for all that what went in, each key with its value.
TEST_F(ComparatorTest, StayInsideTheirBuffersWithoutAnOrder) {
    const Example nonsense = {"nonsense", 1, nullptr,
                              [](Random& random, uint32_t* key) { key[0] = static_cast<uint32_t>(random.next()); }, nullptr};
    ASSERT_NO_FATAL_FAILURE(compile(nonsense, "bool before(Key a, Key b) {\n"
                                              "    uint mixed = a.words[0] * 0x9E3779B9u + b.words[0] * 0x85EBCA6Bu;\n"
                                              "    return ((mixed ^ mixed >> 15) * 0x2C1B3C6Du >> 31) == 0;\n"
                                              "}"));
    for (const VksortAlgorithm algorithm : {VKSORT_ALGORITHM_MERGE, VKSORT_ALGORITHM_LOCALITY}) {
        SCOPED_TRACE(vksortAlgorithmName(algorithm));
        VksortPlanDesc desc = description(50000);
        desc.algorithm = algorithm;
        ASSERT_NO_FATAL_FAILURE(plan(desc));
        const Words keys = generate(50000);
        const WordBuffer key_buffer(keys);
        const WordBuffer value_buffer(iota(keys.size()));
        sort(key_buffer, value_buffer, keys.size());
        const Words sorted = key_buffer.read();
        const Words values = value_buffer.read();
        size_t foreign = 0;
        for (size_t i = 0; i < keys.size(); ++i) {
            foreign += values[i] >= keys.size() || keys[values[i]] != sorted[i];
        }
        EXPECT_EQ(foreign, 0u);
    }
    VksortPlanDesc desc = description(25000);
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCountB = 25000;
    ASSERT_NO_FATAL_FAILURE(plan(desc));
    const Words keys = generate(50000);
    const Merged merged = merge(Words(keys.begin(), keys.begin() + 25000), Words(keys.begin() + 25000, keys.end()));
    size_t foreign = 0;
    for (size_t i = 0; i < keys.size(); ++i) {
        foreign += merged.values[i] >= keys.size() || keys[merged.values[i]] != merged.keys[i];
    }
    EXPECT_EQ(foreign, 0u);
}

// The numbers of src/comparator.h are the lines of shaders/comparator_variants.txt.
TEST_P(Comparators, KnowTheirKernels) {
    static constexpr std::pair<ComparatorKernel, const char*> kKernels[] = {
        {kComparatorBlocksort, "merge_blocksort"},
        {kComparatorSegmentedBlocksort, "segmented_blocksort"},
        {kComparatorPartition, "merge_partition"},
        {kComparatorPass, "merge_pass"},
        {kComparatorFourwayPartition, "merge_partition_fourway"},
        {kComparatorFourwayPass, "merge_pass_fourway"},
        {kComparatorSegmentedPartition, "segmented_partition"},
        {kComparatorSegmentedPass, "segmented_pass"},
    };
    std::vector<std::string> listed;
    std::istringstream lines(read_text(source_path("shaders/comparator_variants.txt")));
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line[0] != '#') {
            listed.push_back(line.substr(0, line.find(' ')));
        }
    }
    ASSERT_EQ(listed.size(), size_t{kComparatorKernelCount});
    ASSERT_EQ(std::size(kKernels), listed.size());
    for (const auto& [kernel, name] : kKernels) {
        EXPECT_EQ(listed[kernel], name);
        std::string shown = comparator_.get()->kernels[kernel].name;
        const size_t added = shown.find("_comparator");
        ASSERT_NE(added, shown.npos) << shown;
        EXPECT_EQ(shown.erase(added, std::strlen("_comparator")), name);
    }
}

TEST_P(Comparators, AreRefusedFromAnotherVersion) {
    VksortComparatorInfo info = *example().built;
    VksortComparator comparator = VK_NULL_HANDLE;
    ++info.version;
    EXPECT_EQ(vksortCreateComparator(device().context(), &info, &comparator), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("made for another vksort");
    info = *example().built;
    --info.kernelCount;
    EXPECT_EQ(vksortCreateComparator(device().context(), &info, &comparator), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message("made for another vksort");
    EXPECT_EQ(comparator, VksortComparator{VK_NULL_HANDLE});
}

} // namespace vksort::test
