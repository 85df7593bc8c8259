// SPDX-License-Identifier: MIT
//
// Sorts, merges and segmented sorts by a comparator, and what they are to give.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "../harness/device.h"
#include "../harness/environment.h"
#include "comparator.h"
#include "context.h"
#include "examples.h"
#include "vksort/vksort_compiler.hpp"

namespace vksort::test {

using Words = std::vector<uint32_t>;

inline std::span<const std::byte> bytes_of(const Words& words) { return std::as_bytes(std::span(words)); }

inline constexpr uint32_t kNoise = 0xDEADBEEF;

// A buffer of words; what it holds before is noise.
class WordBuffer {
public:
    explicit WordBuffer(size_t words) : words_(words), buffer_(device(), 4 * std::max<size_t>(words, 1)) {
        buffer_.fill(kNoise);
    }
    explicit WordBuffer(const Words& words) : WordBuffer(words.size()) { buffer_.upload(bytes_of(words)); }
    VksortBuffer range() const { return {buffer_.handle(), 0}; }
    Words read() const {
        Words words(words_);
        buffer_.download(std::as_writable_bytes(std::span(words)));
        return words;
    }

private:
    size_t words_;
    host::Buffer buffer_;
};

inline host::Buffer scratch_for(const VksortPlanInfo& info) {
    host::Buffer scratch(device(), std::max<uint64_t>(info.scratchSize, 4),
                         info.scratchUsage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    scratch.fill(kNoise);
    return scratch;
}

inline Words iota(size_t count, uint32_t first = 0) {
    Words words(count);
    std::iota(words.begin(), words.end(), first);
    return words;
}

class ComparatorTest : public DeviceTest {
protected:
    void TearDown() override {
        plan_.reset();
        comparator_.reset();
        DeviceTest::TearDown();
    }

    void compile(const Example& example, const std::string& text) {
        example_ = example;
        CompiledComparator compiled;
        char message[1000] = "";
        ASSERT_EQ(compiled.compile(text, example.keyWords, example.name, message, sizeof message), VK_SUCCESS) << message;
        create(compiled.info());
    }

    void create(const VksortComparatorInfo& info) {
        plan_.reset();
        VksortComparator comparator = VK_NULL_HANDLE;
        ASSERT_EQ(vksortCreateComparator(context_, &info, &comparator), VK_SUCCESS);
        comparator_ = Comparator(comparator);
    }

    const Example& example() const { return example_; }

    VksortPlanDesc description(uint64_t max_count, VksortPlanFlags flags = 0) const {
        VksortPlanDesc desc = {};
        desc.keyType = VKSORT_KEY_COMPARATOR;
        desc.comparator = comparator_.get();
        desc.maxCount = max_count;
        desc.flags = flags;
        desc.valueSize = 4;
        return desc;
    }

    void plan(const VksortPlanDesc& desc) {
        VksortPlan plan = VK_NULL_HANDLE;
        ASSERT_EQ(create_plan(context_, desc, overrides_, &plan), VK_SUCCESS) << device().last_message();
        plan_ = cpp::Plan(plan);
        info_ = plan_.info();
        descending_ = (desc.flags & VKSORT_PLAN_DESCENDING_BIT) != 0;
    }

    Words generate(size_t count) const {
        Random random(test_seed());
        Words keys(count * example().keyWords);
        for (size_t i = 0; i < count; ++i) {
            example().generate(random, &keys[i * example().keyWords]);
        }
        return keys;
    }

    // The elements [first, last) of `keys` in the plan's order, equal ones as they stood.
    Words order_of(const Words& keys, size_t first, size_t last) const {
        Words order = iota(last - first, static_cast<uint32_t>(first));
        std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
            if (descending_) {
                std::swap(a, b);
            }
            return example().before(&keys[a * size_t{example().keyWords}], &keys[b * size_t{example().keyWords}]);
        });
        return order;
    }

    Words reordered(const Words& keys, const Words& order) const {
        Words out;
        for (const uint32_t i : order) {
            const auto key = keys.begin() + static_cast<ptrdiff_t>(i * example().keyWords);
            out.insert(out.end(), key, key + example().keyWords);
        }
        return out;
    }

    // By the plan at hand, in place.
    void sort(const WordBuffer& keys, const WordBuffer& values, size_t count) {
        const host::Buffer scratch = scratch_for(info_);
        VksortSortBuffers buffers = {};
        buffers.keys = keys.range();
        buffers.values = values.range();
        buffers.scratch = {scratch.handle(), 0};
        buffers.count = count;
        buffers.descriptorPool = device().descriptor_pool(info_);
        device().run([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan_.get(), &buffers); });
    }

    // Of two lists of keys, whose values are their places in both.
    struct Merged {
        Words keys, values;
    };
    Merged merge(const Words& a, const Words& b) {
        const size_t count_a = a.size() / example().keyWords;
        const size_t count_b = b.size() / example().keyWords;
        const WordBuffer keys_a(a);
        const WordBuffer keys_b(b);
        const WordBuffer values_a(iota(count_a));
        const WordBuffer values_b(iota(count_b, static_cast<uint32_t>(count_a)));
        const WordBuffer keys_out(a.size() + b.size());
        const WordBuffer values_out(count_a + count_b);
        const host::Buffer scratch = scratch_for(info_);
        VksortMergeBuffers buffers = {};
        buffers.keysA = keys_a.range();
        buffers.keysB = keys_b.range();
        buffers.valuesA = values_a.range();
        buffers.valuesB = values_b.range();
        buffers.keysOut = keys_out.range();
        buffers.valuesOut = values_out.range();
        buffers.scratch = {scratch.handle(), 0};
        buffers.countA = count_a;
        buffers.countB = count_b;
        buffers.descriptorPool = device().descriptor_pool(info_);
        device().run([&](VkCommandBuffer commands) { vksortCmdMerge(commands, plan_.get(), &buffers); });
        return {keys_out.read(), values_out.read()};
    }

    // Sorts in place and compares.
    void expect_sorted(const Words& keys) {
        const size_t count = keys.size() / example().keyWords;
        const WordBuffer key_buffer(keys);
        const WordBuffer value_buffer(iota(count));
        sort(key_buffer, value_buffer, count);
        const Words order = order_of(keys, 0, count);
        EXPECT_TRUE(value_buffer.read() == order) << count << " elements";
        EXPECT_TRUE(key_buffer.read() == reordered(keys, order)) << count << " elements";
    }

    void plan_segments(VksortSegments kind, size_t count, size_t segments, VksortPlanFlags flags = 0) {
        VksortPlanDesc desc = description(count, flags);
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = kind;
        desc.maxSegments = segments;
        plan(desc);
    }

    using Segments = std::vector<std::pair<size_t, size_t>>; // first and one past the last element, rising

    static Segments between(const Words& heads, size_t count) {
        Segments segments;
        for (size_t i = 0; i < heads.size(); ++i) {
            segments.emplace_back(heads[i], i + 1 < heads.size() ? heads[i + 1] : count);
        }
        return segments;
    }

    // Sorts in place, by segments that `words` tell as the plan wants them, and compares; elements outside stay.
    void expect_segments_sorted(const Words& keys, const Segments& segments, const Words& words, size_t segment_count) {
        const size_t count = keys.size() / example().keyWords;
        const WordBuffer key_buffer(keys);
        const WordBuffer value_buffer(iota(count));
        const WordBuffer word_buffer(words);
        const host::Buffer scratch = scratch_for(info_);
        VksortSegmentedSortBuffers buffers = {};
        buffers.keys = key_buffer.range();
        buffers.values = value_buffer.range();
        buffers.segments = word_buffer.range();
        buffers.scratch = {scratch.handle(), 0};
        buffers.count = count;
        buffers.segmentCount = segment_count;
        buffers.descriptorPool = device().descriptor_pool(info_);
        device().run([&](VkCommandBuffer commands) { vksortCmdSegmentedSort(commands, plan_.get(), &buffers); });
        Words order = iota(count);
        for (const auto& [begin, end] : segments) {
            const Words part = order_of(keys, begin, end);
            std::copy(part.begin(), part.end(), order.begin() + static_cast<ptrdiff_t>(begin));
        }
        EXPECT_TRUE(value_buffer.read() == order) << segments.size() << " segments";
        EXPECT_TRUE(key_buffer.read() == reordered(keys, order)) << segments.size() << " segments";
    }

    VksortContext context_ = device().context();
    PlanOverrides overrides_ = {};
    Example example_ = {};
    Comparator comparator_;
    cpp::Plan plan_; // src/plan.h has another
    VksortPlanInfo info_ = {};
    bool descending_ = false;
};

} // namespace vksort::test
