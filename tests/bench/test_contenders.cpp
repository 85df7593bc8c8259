// SPDX-License-Identifier: MIT
//
// Who takes part and what becomes of those that fail, with contenders that need no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "presets.h"

namespace vksort::bench {
namespace {

class BenchContenders : public testing::Test {
protected:
    Result measure(Contender& contender, const Scenario& scenario) {
        Method method;
        method.warm_up_runs = 1;
        method.warm_up_seconds = 0;
        method.gpu = method.wall = {3, 3, 0, 0};
        Bench bench(method, 1e9, interrupted_);
        Input input;
        generate(scenario, 1, input);
        return bench.measure(contender, input);
    }
    std::atomic<bool> interrupted_{false};
};

Scenario scenario_of(Operation operation, VksortKeyType key, uint32_t value_bytes, bool descending) {
    Scenario scenario;
    scenario.operation = operation;
    scenario.key = key;
    scenario.value_bytes = value_bytes;
    scenario.descending = descending;
    scenario.count = 1000;
    scenario.mean_segment = operation == Operation::segmented_sort ? 20 : 0;
    return scenario;
}

TEST_F(BenchContenders, TheStandardLibraryIsRightOrRefuses) {
    Contenders contenders;
    add_std_sort(contenders);
    for (const std::unique_ptr<Contender>& contender : contenders) {
        size_t good = 0;
        for (const Operation operation : {Operation::sort, Operation::merge, Operation::segmented_sort}) {
            for (int key = VKSORT_KEY_U32; key <= VKSORT_KEY_I8; ++key) {
                for (const uint32_t value_bytes : {0u, 4u, 8u}) {
                    const Scenario scenario =
                        scenario_of(operation, static_cast<VksortKeyType>(key), value_bytes, key % 2 == 0);
                    const Result result = measure(*contender, scenario);
                    const bool refused = !contender->refusal(scenario).empty();
                    EXPECT_EQ(result.status, refused ? Status::unsupported : Status::ok)
                        << contender->name() << ", " << text_of(scenario) << ": " << result.message;
                    good += refused ? 0 : 1;
                    EXPECT_EQ(result.runs, refused ? 0u : 3u);
                    EXPECT_FALSE(result.gpu);
                    EXPECT_EQ(result.wall.has_value(), !refused);
                }
            }
        }
        EXPECT_GT(good, 0u) << contender->name();
    }
}

TEST_F(BenchContenders, TheStandardLibrarySortsByARangeOfBits) {
    Contenders contenders;
    add_std_sort(contenders);
    for (const std::unique_ptr<Contender>& contender : contenders) {
        for (const VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64}) {
            for (const uint32_t value_bytes : {0u, 4u}) {
                for (const bool descending : {false, true}) {
                    Scenario scenario = scenario_of(Operation::sort, key, value_bytes, descending);
                    scenario.bits = {5, 12};
                    const Result result = measure(*contender, scenario);
                    EXPECT_EQ(result.status, Status::ok)
                        << contender->name() << ", " << text_of(scenario) << ": " << result.message;
                }
            }
        }
    }
}

// Gives its input back, or throws.
class Fake : public Contender {
public:
    explicit Fake(bool too_large) : too_large_(too_large) {}
    std::string name() const override { return "fake"; }
    std::string refusal(const Scenario&) const override { return ""; }
    std::unique_ptr<Job> prepare(const Input& input) override {
        if (too_large_) {
            throw TooLarge("too large for a test");
        }
        struct Copy : Job {
            explicit Copy(const Input& in) : source(in) {}
            double wall_time() override { return 1 + runs++; }
            void result(HostBytes& keys, HostBytes& values) override {
                std::copy(source.keys.span().begin(), source.keys.span().end(), keys.data());
                std::copy(source.values.span().begin(), source.values.span().end(), values.data());
            }
            const Input& source;
            int runs = 0;
        };
        return std::make_unique<Copy>(input);
    }

private:
    bool too_large_;
};

TEST_F(BenchContenders, AWrongOneIsNotTimed) {
    Fake fake(false);
    const Result result = measure(fake, scenario_of(Operation::sort, VKSORT_KEY_U32, 4, false));
    EXPECT_EQ(result.status, Status::wrong);
    EXPECT_EQ(result.message.find("keys out of order at "), 0u) << result.message;
    EXPECT_EQ(result.runs, 0u);
    EXPECT_FALSE(result.wall);
}

TEST_F(BenchContenders, ATooLargeSizeIsReported) {
    Fake fake(true);
    const Result result = measure(fake, scenario_of(Operation::sort, VKSORT_KEY_U32, 4, false));
    EXPECT_EQ(result.status, Status::too_large);
    EXPECT_EQ(result.message, "too large for a test");
}

TEST_F(BenchContenders, AnInterruptedOneHasNoNumbers) {
    interrupted_ = true;
    Fake fake(false);
    Scenario sorted = scenario_of(Operation::sort, VKSORT_KEY_U32, 4, false);
    sorted.distribution = Distribution::sorted;
    const Result result = measure(fake, sorted);
    EXPECT_EQ(result.status, Status::interrupted);
    EXPECT_FALSE(result.wall);
}

TEST(BenchPresets, NamesChoose) {
    EXPECT_TRUE(is_chosen("vksort onesweep", {}));
    EXPECT_TRUE(is_chosen("vksort onesweep", {"vksort"}));
    EXPECT_TRUE(is_chosen("vksort onesweep", {"copy", "vksort onesweep"}));
    EXPECT_FALSE(is_chosen("vksort onesweep", {"vksort auto"}));
    EXPECT_TRUE(is_chosen("std::sort", {"std"}));
    EXPECT_FALSE(is_chosen("std::stable_sort", {"std::sort"}));
    EXPECT_TRUE(is_chosen("CUB radix sort", {"CUB"}));
    EXPECT_FALSE(is_chosen("copycat", {"copy"}));
}

TEST(BenchPresets, CombinationsAreDifferent) {
    Choice choice;
    choice.operations = {Operation::sort, Operation::merge, Operation::segmented_sort};
    choice.counts = {100, 200};
    choice.distributions = {Distribution::uniform, Distribution::equal};
    choice.mean_segments = {10, 20, 30};
    // Sorts know no mean, merges no distribution either.
    EXPECT_EQ(combine(choice).size(), 2u * 2 + 2 + 2 * 2 * 3);
}

TEST(BenchPresets, AllBitsAreNoRange) {
    Choice choice;
    choice.keys = {VKSORT_KEY_U32, VKSORT_KEY_U64};
    choice.bits = {{}, {0, 32}, {16, 32}};
    std::vector<std::string> texts;
    for (const Scenario& scenario : combine(choice)) {
        texts.push_back(text_of(scenario));
    }
    EXPECT_EQ(texts, (std::vector<std::string>{"sort u32, 2^20, uniform", "sort u32, bits 16 to 31, 2^20, uniform",
                                               "sort u64, 2^20, uniform", "sort u64, bits 0 to 31, 2^20, uniform",
                                               "sort u64, bits 16 to 31, 2^20, uniform"}));
    choice.bits = {{32, 33}};
    EXPECT_THROW(combine(choice), std::invalid_argument);
}

TEST(BenchPresets, TheDefaultSortsByHighBitsToo) {
    std::vector<std::string> texts;
    for (const Task& task : default_preset(false, 1).tasks) {
        if (!task.scenario.bits.is_all()) {
            texts.push_back(text_of(task.scenario));
        }
    }
    EXPECT_EQ(texts, (std::vector<std::string>{"sort u32, bits 16 to 31, 2^24, uniform",
                                               "sort u32+4, bits 16 to 31, 2^24, uniform"}));
}

TEST(BenchPresets, TheCampaignHas1500RandomSizes) {
    const Preset campaign = campaign_preset(false, 1);
    std::set<uint64_t> sizes;
    for (const Task& task : campaign.tasks) {
        sizes.insert(task.scenario.count);
        EXPECT_GE(task.scenario.count, 1023u);
        EXPECT_LE(task.scenario.count, uint64_t{1} << 28);
    }
    EXPECT_GE(campaign.tasks.size(), 1500 + default_preset(false, 1).tasks.size());
    EXPECT_GT(sizes.size(), 450u);
    // Log-uniform: as many below the geometric mean as above.
    const std::vector<uint64_t> counts = random_counts(1000, 1 << 10, 1 << 28, 1);
    const auto below = std::count_if(counts.begin(), counts.end(), [](uint64_t count) { return count < 1 << 19; });
    EXPECT_NEAR(static_cast<double>(below), 500, 60);
    EXPECT_NE(counts, random_counts(1000, 1 << 10, 1 << 28, 2));
}

} // namespace
} // namespace vksort::bench
