// SPDX-License-Identifier: MIT
//
// Counts for which a stable CPU sort takes too long. The keys are a function of their index, and the check is a proof all
// the same: in order, a permutation, each value beside its key, equal keys in input order. For keys without values the
// permutation is shown by two sums of hashes.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "../harness/parallel.h"
#include "common.h"

namespace vksort::test {
namespace {

// VKSORT_TEST_LARGEST: the largest count tried here.
uint64_t largest_wanted() {
    const char* text = environment("VKSORT_TEST_LARGEST");
    if (*text != '\0') {
        return std::strtoull(text, nullptr, 0);
    }
    return is_full_level() ? (1 << 24) + 1 : (1 << 18) + 1;
}

enum class Pattern { uniform, few, and4 };

struct LargeCase {
    VksortAlgorithm algorithm;
    VksortKeyType key;
    bool pairs;
    Pattern pattern;
    uint64_t count;
};

std::string describe_large(const LargeCase& large) {
    static const char* const names[] = {"uniform", "few", "and4"};
    return std::string(vksortAlgorithmName(large.algorithm)) + " " + vksortKeyTypeName(large.key) +
           (large.pairs ? " pairs, " : " keys, ") + names[static_cast<int>(large.pattern)] + ", count " +
           std::to_string(large.count);
}

uint64_t key_at(const LargeCase& large, uint64_t seed, uint64_t index) {
    uint64_t bits = mix(seed + index);
    switch (large.pattern) {
    case Pattern::few: bits = mix(seed, bits % 7); break;
    case Pattern::and4: bits &= mix(bits) & mix(bits + 1) & mix(bits + 2); break;
    default: break;
    }
    return bits & reference::low_bits(reference::key_bits(large.key));
}

// A buffer with guard bytes on both sides of its content.
class GuardedBuffer {
public:
    explicit GuardedBuffer(uint64_t size)
        : size_(size), guard_(guard_size()), image_((size + 2 * guard_ + 3) / 4 * 4, kGuard),
          buffer_(device(), image_.size()) {}

    std::byte* content() { return image_.data() + guard_; }
    VksortBuffer range() const { return {buffer_.handle(), guard_}; }
    void upload() { buffer_.upload(image_); }
    void download() { buffer_.download(image_); }
    bool guards_stand() const {
        auto stands = [](std::byte byte) { return byte == kGuard; };
        auto end = image_.begin() + static_cast<ptrdiff_t>(guard_ + size_);
        return std::all_of(image_.begin(), image_.begin() + static_cast<ptrdiff_t>(guard_), stands) &&
               std::all_of(end, image_.end(), stands);
    }

private:
    static constexpr std::byte kGuard{0xA7};
    static uint64_t guard_size() { return 3 * std::max<uint64_t>(device().info().storageBufferOffsetAlignment, 256); }

    uint64_t size_;
    uint64_t guard_;
    Bytes image_;
    host::Buffer buffer_;
};

struct Sums {
    std::atomic<uint64_t> first{0};
    std::atomic<uint64_t> second{0};
    void add(uint64_t a, uint64_t b) {
        first += a;
        second += b;
    }
    bool operator==(const Sums& other) const { return first == other.first && second == other.second; }
};

template <typename KeyOf> void sum_keys(uint64_t count, Sums& sums, const KeyOf& key_of) {
    parallel_for(count, [&](uint64_t begin, uint64_t end) {
        uint64_t first = 0, second = 0;
        for (uint64_t i = begin; i < end; ++i) {
            uint64_t key = key_of(i);
            first += mix(key);
            second += mix(~key);
        }
        sums.add(first, second);
    });
}

// How many elements are wrong, by what is said above.
uint64_t count_errors(const LargeCase& large, uint64_t seed, const std::byte* keys, const std::byte* values) {
    const uint32_t size = reference::key_size(large.key);
    auto key_of = [&](uint64_t i) {
        uint64_t bits = 0;
        std::memcpy(&bits, keys + i * size, size);
        return bits;
    };
    auto value_of = [&](uint64_t i) {
        uint32_t value;
        std::memcpy(&value, values + i * 4, 4);
        return value;
    };
    std::atomic<uint64_t> errors{0};
    std::vector<std::atomic<uint8_t>> seen(large.pairs ? large.count : 0);
    parallel_for(large.count, [&](uint64_t begin, uint64_t end) {
        uint64_t wrong = 0;
        for (uint64_t i = begin; i < end; ++i) {
            uint64_t ordered = reference::ordered_from_bits(large.key, key_of(i));
            uint64_t before = i == 0 ? 0 : reference::ordered_from_bits(large.key, key_of(i - 1));
            wrong += before > ordered;
            if (large.pairs) {
                uint32_t index = value_of(i);
                wrong += index >= large.count || key_of(i) != key_at(large, seed, index) || seen[index]++ != 0;
                wrong += i > 0 && before == ordered && value_of(i - 1) >= index;
            }
        }
        errors += wrong;
    });
    if (!large.pairs) {
        Sums in, out;
        sum_keys(large.count, in, [&](uint64_t i) { return key_at(large, seed, i); });
        sum_keys(large.count, out, key_of);
        errors += in == out ? 0 : 1;
    }
    return errors;
}

void run_large(const LargeCase& large) {
    VksortPlanDesc desc = description_of(
        {.algorithm = large.algorithm, .key = large.key, .value_size = large.pairs ? 4u : 0u, .count = large.count});
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(context().plan(desc, {}, &plan), VK_SUCCESS) << describe_large(large);
    VksortPlanInfo info;
    vksortGetPlanInfo(plan, &info);
    ASSERT_EQ(info.algorithm, large.algorithm);

    const uint32_t size = reference::key_size(large.key);
    const uint64_t seed = mix(test_seed(), hash(describe_large(large)));
    GuardedBuffer keys(large.count * size);
    GuardedBuffer values(large.pairs ? large.count * 4 : 4);
    parallel_for(large.count, [&](uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) {
            uint64_t key = key_at(large, seed, i);
            std::memcpy(keys.content() + i * size, &key, size);
            if (large.pairs) {
                auto index = static_cast<uint32_t>(i);
                std::memcpy(values.content() + i * 4, &index, 4);
            }
        }
    });
    keys.upload();
    values.upload();
    host::Buffer scratch(device(), info.scratchSize, info.scratchUsage);
    scratch.fill(0xCDCDCDCD);
    DescriptorPool pool(info, 1);
    VksortSortBuffers buffers = {};
    buffers.keys = keys.range();
    buffers.values = values.range();
    buffers.scratch = {scratch.handle(), 0};
    buffers.count = large.count;
    buffers.descriptorPool = pool.handle();
    device().run([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan, &buffers); });
    keys.download();
    values.download();
    VksortStatistics statistics = {};
    scratch.download(std::as_writable_bytes(std::span(&statistics, 1)), info.statisticsOffset);

    uint64_t errors = count_errors(large, seed, keys.content(), values.content());
    EXPECT_EQ(errors, 0u) << describe_large(large) << ": of the elements are wrong";
    EXPECT_TRUE(keys.guards_stand() && values.guards_stand()) << describe_large(large) << ": wrote outside its buffers";
    EXPECT_EQ(statistics.count, large.count) << describe_large(large);
    std::printf("    %s: %s, %u passes, %u fallbacks\n", describe_large(large).c_str(), errors == 0 ? "right" : "WRONG",
                statistics.digitPassesRun, statistics.fallbacks);
    std::fflush(stdout);
}

class Large : public AlgorithmTest {};

TEST_P(Large, KeysAndPairs) {
    RETURN_IF_REFUSED(SortCase{.algorithm = GetParam()});
    std::vector<uint64_t> counts;
    for (uint64_t count = (uint64_t{1} << 19) + 1; count < largest_wanted(); count = (count - 1) * 8 + 1) {
        counts.push_back(count);
    }
    counts.push_back(largest_wanted());
    for (uint64_t wanted : counts) {
        for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F64}) {
            for (bool pairs : {false, true}) {
                if (key == VKSORT_KEY_F64 && !pairs && !is_full_level()) {
                    continue;
                }
                VksortPlanDesc desc = description_of({.algorithm = GetParam(), .key = key, .value_size = pairs ? 4u : 0u});
                VksortPlanInfo info;
                ASSERT_EQ(vksortDescribePlan(&context().info(), &desc, &info, nullptr, 0), VK_SUCCESS);
                uint64_t count = std::min(wanted, info.largestCount);
                run_large({GetParam(), key, pairs, Pattern::uniform, count});
                context().destroy_plans();
            }
        }
        run_large({GetParam(), VKSORT_KEY_I32, true, Pattern::few, wanted});
        if (is_full_level()) {
            run_large({GetParam(), VKSORT_KEY_F32, true, Pattern::and4, wanted});
        }
        context().destroy_plans();
    }
}

// sample_sort is for fewer elements.
INSTANTIATE_TEST_SUITE_P(All, Large,
                         ::testing::Values(VKSORT_ALGORITHM_ONESWEEP, VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD),
                         algorithm_name);

} // namespace
} // namespace vksort::test
