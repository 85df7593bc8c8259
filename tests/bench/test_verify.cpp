// SPDX-License-Identifier: MIT
//
// The input is what its scenario says, and every way for a result to be wrong is found. tests/reference.h decides.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "../reference.h"
#include "presets.h"
#include "verify.h"

namespace vksort::bench {
namespace {

using reference::Bytes;

Scenario scenario_of(VksortKeyType key, uint32_t value_bytes, uint64_t count) {
    Scenario scenario;
    scenario.key = key;
    scenario.value_bytes = value_bytes;
    scenario.count = count;
    return scenario;
}

struct Sorted {
    Bytes keys, values;
};

uint64_t rank(const Input& input, const std::byte* keys, uint64_t i) {
    const auto size = static_cast<uint32_t>(input.scenario.key_bytes());
    const reference::Order order = {input.scenario.key, false, input.scenario.bits.begin, input.scenario.bits.end};
    const uint64_t digit = reference::digit_of(order, reference::load_bits(keys + i * size, size));
    return input.scenario.descending ? ~digit : digit;
}

Sorted sort(const Input& input) {
    const uint64_t count = input.scenario.count, key = input.scenario.key_bytes(), value = input.scenario.value_bytes;
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::vector<uint32_t> heads = input.heads.empty() ? std::vector<uint32_t>{0} : input.heads;
    heads.push_back(static_cast<uint32_t>(count));
    for (size_t i = 0; i + 1 < heads.size(); ++i) {
        std::stable_sort(order.begin() + heads[i], order.begin() + heads[i + 1], [&](uint32_t a, uint32_t b) {
            return rank(input, input.keys.data(), a) < rank(input, input.keys.data(), b);
        });
    }
    Sorted sorted{Bytes(count * key), Bytes(count * value)};
    for (uint64_t i = 0; i < count; ++i) {
        std::copy_n(input.keys.data() + order[i] * key, key, sorted.keys.data() + i * key);
        std::copy_n(input.values.data() + order[i] * value, value, sorted.values.data() + i * value);
    }
    return sorted;
}

constexpr uint64_t kCounts[] = {1000, 100000}; // with a reference, and without

TEST(BenchVerify, AcceptsWhatIsSorted) {
    for (const VksortKeyType key : reference::kAllKeyTypes) {
        for (const bool descending : {false, true}) {
            for (const Distribution distribution : kDistributions) {
                Scenario scenario = scenario_of(key, 8, 3000);
                scenario.descending = descending;
                scenario.distribution = distribution;
                SCOPED_TRACE(text_of(scenario));
                Input input;
                generate(scenario, 1, input);
                const Sorted sorted = sort(input);
                EXPECT_EQ(verify(input, sorted.keys, sorted.values, true), "");
                if (distribution == Distribution::sorted) {
                    EXPECT_TRUE(std::equal(sorted.keys.begin(), sorted.keys.end(), input.keys.data()));
                }
            }
        }
    }
}

TEST(BenchVerify, AcceptsMergesAndSegments) {
    for (const uint64_t count : kCounts) {
        for (const Operation operation : {Operation::merge, Operation::segmented_sort}) {
            Scenario scenario = scenario_of(VKSORT_KEY_F32, 4, count);
            scenario.operation = operation;
            scenario.mean_segment = operation == Operation::merge ? 0 : 30;
            Input input;
            generate(scenario, 1, input);
            const Sorted sorted = sort(input);
            EXPECT_EQ(verify(input, sorted.keys, sorted.values, true), "") << text_of(scenario);
        }
    }
}

TEST(BenchVerify, RefusesEveryDamage) {
    for (const uint64_t count : kCounts) {
        SCOPED_TRACE(count);
        Scenario scenario = scenario_of(VKSORT_KEY_U32, 8, count);
        scenario.distribution = Distribution::few;
        Input input;
        generate(scenario, 1, input);
        const Sorted good = sort(input);
        const uint64_t middle = count / 2;
        const auto damaged = [&](auto&& damage) {
            Sorted bad = good;
            damage(bad);
            return verify(input, bad.keys, bad.values, true);
        };
        EXPECT_EQ(damaged([](Sorted&) {}), "");
        EXPECT_NE(damaged([&](Sorted& s) { std::copy_n(input.keys.data(), 4 * count, s.keys.begin()); }), "");
        EXPECT_NE(damaged([&](Sorted& s) { s.keys[4 * middle] ^= std::byte{1}; }), "");
        EXPECT_NE(damaged([&](Sorted& s) { s.values[8 * middle + 5] ^= std::byte{1}; }), "");
        EXPECT_NE(damaged([&](Sorted& s) { // one value twice
                      std::copy_n(s.values.begin(), 8, s.values.begin() + 8);
                  }),
                  "");
        const auto swap = [](Sorted& s) { std::swap_ranges(s.values.begin(), s.values.begin() + 8, s.values.begin() + 8); };
        EXPECT_NE(damaged(swap), ""); // equal keys, so only stability is broken
        Sorted unstable = good;
        swap(unstable);
        EXPECT_EQ(verify(input, unstable.keys, unstable.values, false), "");
        EXPECT_NE(verify(input, std::span(good.keys).first(4 * count - 4), good.values, true), "");
    }
}

TEST(BenchVerify, RefusesKeysThatLeftTheirSegment) {
    Scenario scenario = scenario_of(VKSORT_KEY_U32, 0, 100000);
    scenario.operation = Operation::segmented_sort;
    scenario.mean_segment = 100;
    Input input;
    generate(scenario, 1, input);
    Sorted sorted = sort(input);
    EXPECT_EQ(verify(input, sorted.keys, sorted.values, true), "");
    Input whole;
    generate(scenario, 1, whole);
    whole.heads = {0};
    // Each segment stays in order, but the keys are those of others.
    sorted = sort(whole);
    EXPECT_NE(verify(input, sorted.keys, sorted.values, true), "");
}

// Elements a and b change places.
void swap(const Scenario& scenario, Sorted& sorted, uint64_t a, uint64_t b) {
    const auto in = [&](Bytes& bytes, uint64_t size) {
        std::swap_ranges(bytes.data() + a * size, bytes.data() + (a + 1) * size, bytes.data() + b * size);
    };
    in(sorted.keys, scenario.key_bytes());
    in(sorted.values, scenario.value_bytes);
}

// Other bits do not count, but keys that differ in them only keep their order, with values or without.
TEST(BenchVerify, ARangeOfBits) {
    for (const uint64_t count : kCounts) {
        for (const VksortKeyType key : {VKSORT_KEY_U16, VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_U64}) {
            const auto width = static_cast<uint32_t>(8 * vksortKeySize(key));
            for (const BitRange bits : {BitRange{0, 7}, BitRange{3, width - 5}, BitRange{width - 8, width}}) {
                for (const uint32_t value_bytes : {0u, 4u}) {
                    Scenario scenario = scenario_of(key, value_bytes, count);
                    scenario.bits = bits;
                    scenario.descending = key == VKSORT_KEY_I32;
                    scenario.distribution = Distribution::and4; // many are equal in many bits
                    SCOPED_TRACE(text_of(scenario));
                    Input input;
                    generate(scenario, 1, input);
                    const Sorted good = sort(input);
                    EXPECT_EQ(verify(input, good.keys, good.values, true), "");

                    const auto rank_at = [&](uint64_t i) { return rank(input, good.keys.data(), i); };
                    const auto size = scenario.key_bytes();
                    const auto same_key = [&](uint64_t i) {
                        return std::equal(good.keys.data() + i * size, good.keys.data() + (i + 1) * size,
                                          good.keys.data() + (i + 1) * size);
                    };
                    uint64_t tie = 0, step = 0;
                    while (tie + 2 < count && (rank_at(tie) != rank_at(tie + 1) || same_key(tie))) {
                        ++tie;
                    }
                    while (step + 2 < count && rank_at(step) == rank_at(step + 1)) {
                        ++step;
                    }
                    Sorted unstable = good, unsorted = good;
                    swap(scenario, unstable, tie, tie + 1);
                    swap(scenario, unsorted, step, step + 1);
                    EXPECT_NE(verify(input, unstable.keys, unstable.values, true), "");
                    EXPECT_EQ(verify(input, unstable.keys, unstable.values, false), "");
                    EXPECT_NE(verify(input, unsorted.keys, unsorted.values, false), "");

                    Input whole;
                    generate(scenario, 1, whole);
                    whole.scenario.bits = {};
                    EXPECT_NE(verify(whole, good.keys, good.values, false), ""); // not in order by all bits
                }
            }
        }
    }
}

TEST(BenchInput, IsTheSameForTheSameSeed) {
    Input a, b, c;
    const Scenario scenario = scenario_of(VKSORT_KEY_U64, 16, 70000);
    generate(scenario, 1, a);
    generate(scenario, 1, b);
    generate(scenario, 2, c);
    EXPECT_TRUE(std::equal(a.keys.span().begin(), a.keys.span().end(), b.keys.data()));
    EXPECT_FALSE(std::equal(a.keys.span().begin(), a.keys.span().end(), c.keys.data()));
}

TEST(BenchInput, HasTheEntropyThatItsNameSays) {
    const std::pair<Distribution, double> levels[] = {{Distribution::uniform, 1.000},
                                                      {Distribution::and2, .811},
                                                      {Distribution::and3, .544},
                                                      {Distribution::and4, .337},
                                                      {Distribution::and5, .201}};
    for (const auto& [distribution, bits] : levels) {
        Scenario scenario = scenario_of(VKSORT_KEY_U32, 0, 100000);
        scenario.distribution = distribution;
        Input input;
        generate(scenario, 1, input);
        double set = 0;
        for (const std::byte byte : input.keys.span()) {
            set += std::popcount(std::to_integer<unsigned char>(byte));
        }
        const double p = set / (32.0 * 100000);
        EXPECT_NEAR(-p * std::log2(p) - (1 - p) * std::log2(1 - p), bits, 0.005) << name_of(distribution);
    }
}

// As floats of the key's width, and other keys in the floats' order.
TEST(BenchInput, NumbersHaveTheirMeanAndDeviation) {
    const auto number_of = [](VksortKeyType key, const std::byte* bytes) -> double {
        if (key == VKSORT_KEY_F64) {
            return std::bit_cast<double>(reference::load_bits(bytes, 8));
        }
        const auto bits = static_cast<uint32_t>(reference::load_bits(bytes, 4));
        if (key == VKSORT_KEY_F32) {
            return std::bit_cast<float>(bits);
        }
        return std::bit_cast<float>((bits >> 31) != 0 ? bits ^ 0x80000000u : ~bits); // ordered, back to a float's
    };
    struct Expected {
        Distribution distribution;
        double mean, variance, least, greatest;
        double near; // of the last two
    };
    // Of 1 - 1 / d: 1 - ln(100) / 990, and (0.1 - 0.001) / 990 - (ln(100) / 990)^2.
    constexpr double kMean = 0.995348312, kVariance = 7.8362e-5;
    constexpr Expected kExpected[] = {
        {Distribution::unit, 0.5, 1.0 / 12.0, 0.0, 1.0, 1e-4},
        {Distribution::normal, 0.0, 1.0, -4.4, 4.4, 0.6},
        {Distribution::offset, 1e6, 1.0, 1e6 - 4.4, 1e6 + 4.4, 0.6},
        {Distribution::projected, kMean, kVariance, 0.9, 0.999, 1e-3},
    };
    for (const VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_F64, VKSORT_KEY_U32}) {
        for (const Expected& expected : kExpected) {
            Scenario scenario = scenario_of(key, 0, 100000);
            scenario.distribution = expected.distribution;
            Input input;
            generate(scenario, 1, input);
            double sum = 0, squares = 0, least = 1e9, greatest = -1e9; // of distances from the mean
            for (uint64_t i = 0; i < scenario.count; ++i) {
                const double number = number_of(key, input.keys.data() + i * scenario.key_bytes()) - expected.mean;
                sum += number;
                squares += number * number;
                least = std::min(least, number);
                greatest = std::max(greatest, number);
            }
            EXPECT_NEAR(sum / 100000, 0.0, 0.02 * std::sqrt(expected.variance));
            EXPECT_NEAR(squares / 100000, expected.variance, 0.03 * expected.variance);
            EXPECT_NEAR(least, expected.least - expected.mean, expected.near);
            EXPECT_NEAR(greatest, expected.greatest - expected.mean, expected.near);
        }
    }
}

TEST(BenchInput, SplatsAreTileAndDepth) {
    Scenario scenario = scenario_of(VKSORT_KEY_U64, 0, 100000);
    scenario.distribution = Distribution::splats;
    Input wide, narrow;
    generate(scenario, 1, wide);
    scenario.key = VKSORT_KEY_U32;
    generate(scenario, 1, narrow);
    double sum = 0, squares = 0;
    uint64_t in_the_middle = 0;
    for (uint64_t i = 0; i < scenario.count; ++i) {
        const uint64_t key = reference::load_bits(wide.keys.data() + 8 * i, 8);
        const uint64_t tile = key >> 32;
        const auto depth = static_cast<uint32_t>(key);
        ASSERT_LT(tile, 120u * 68u);
        ASSERT_EQ(reference::load_bits(narrow.keys.data() + 4 * i, 4), tile << 16 | depth >> 15);
        const uint64_t x = tile % 120, y = tile / 120;
        in_the_middle += x >= 45 && x < 75 && y >= 26 && y < 43 ? 1 : 0; // within a deviation across, and 17 of 68 rows
        const double logarithm = std::log(std::bit_cast<float>(depth));
        sum += logarithm;
        squares += logarithm * logarithm;
    }
    EXPECT_NEAR(sum / 100000, 0.0, 0.02);
    EXPECT_NEAR(squares / 100000, 1.0, 0.03);
    // Of those all over 1/4 * 1/4, of the central ones what is within a deviation of the mean, in either direction.
    EXPECT_NEAR(static_cast<double>(in_the_middle) / 100000, (1.0 / 16 + 0.6827 * 0.6827) / 2, 0.01);
}

TEST(BenchInput, MortonCodesAreOfPointsInClusters) {
    for (const VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64}) {
        Scenario scenario = scenario_of(key, 0, 100000);
        scenario.distribution = Distribution::morton;
        Input input;
        generate(scenario, 1, input);
        const uint32_t bits = key == VKSORT_KEY_U32 ? 30 : 63;
        const auto bytes = static_cast<uint32_t>(scenario.key_bytes());
        std::vector<uint64_t> in_cell(512, 0); // an eighth of each axis: nine bits
        for (uint64_t i = 0; i < scenario.count; ++i) {
            const uint64_t code = reference::load_bits(input.keys.data() + i * bytes, bytes);
            ASSERT_EQ(code >> bits, 0u);
            ++in_cell[code >> (bits - 9)];
        }
        // A fifth is all over; 100 clusters, each about a quarter of a cell wide, leave many cells to these.
        std::sort(in_cell.begin(), in_cell.end());
        EXPECT_NEAR(static_cast<double>(in_cell[50]), 0.2 * 100000 / 512, 20.0);
        EXPECT_GT(in_cell[500], 3u * 100000 / 512);
    }
}

TEST(BenchInput, SegmentsHaveTheirMean) {
    Scenario scenario = scenario_of(VKSORT_KEY_U32, 0, 1000000);
    scenario.operation = Operation::segmented_sort;
    for (const uint64_t mean : {1u, 10u, 300u}) {
        scenario.mean_segment = mean;
        Input input;
        generate(scenario, 1, input);
        EXPECT_EQ(input.heads.front(), 0u);
        EXPECT_EQ(std::adjacent_find(input.heads.begin(), input.heads.end(), std::greater_equal<>()), input.heads.end());
        // Lengths are rounded down, by half an element in the mean.
        EXPECT_NEAR(1e6 / static_cast<double>(input.heads.size()), static_cast<double>(mean),
                    0.1 * static_cast<double>(mean));
    }
}

} // namespace
} // namespace vksort::bench
