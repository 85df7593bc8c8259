// SPDX-License-Identifier: MIT
#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "compare.h"
#include "sample.h"

namespace {

using nlohmann::json;

struct Outcome {
    int status = 0;
    std::string text;
};

Outcome compared(const json& before, const json& after, double threshold = 0.05) {
    std::ostringstream out;
    const int status = vksort::bench::compare_results(before, after, threshold, out);
    return {status, out.str()};
}

json one(double microseconds, double noise = 0.02) {
    return with({result(scenario(1 << 20), "vksort auto", microseconds, noise)});
}

// The line that holds `text`, or nothing.
std::string line_of(const std::string& whole, const std::string& text) {
    std::istringstream lines(whole);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(text) != std::string::npos) {
            return line;
        }
    }
    return "";
}

TEST(BenchCompare, Faster) {
    const Outcome outcome = compared(one(100), one(80));
    EXPECT_EQ(outcome.status, 0);
    const std::string line = line_of(outcome.text, "sort u32, n = 2^20, uniform");
    EXPECT_TRUE(has(line, "vksort auto")) << outcome.text;
    EXPECT_TRUE(has(line, "1.250")) << outcome.text;
    EXPECT_TRUE(has(line, "faster")) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "1 faster;")) << outcome.text;
}

TEST(BenchCompare, SlowerIsARegression) {
    const Outcome outcome = compared(one(100), one(125));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(line_of(outcome.text, "0.800"), "slower")) << outcome.text;
}

TEST(BenchCompare, WithinTheThreshold) {
    for (double after : {96.0, 100.0, 104.0}) {
        const Outcome outcome = compared(one(100), one(after));
        EXPECT_EQ(outcome.status, 0) << outcome.text;
        EXPECT_TRUE(has(outcome.text, "1 same;")) << outcome.text;
    }
    EXPECT_EQ(compared(one(100), one(104), 0.03).status, 1);
    EXPECT_EQ(compared(one(100), one(125), 0.25).status, 0);
}

TEST(BenchCompare, WithinTheNoiseOfEither) {
    const Outcome before = compared(one(100, 0.3), one(125));
    EXPECT_EQ(before.status, 0);
    EXPECT_TRUE(has(line_of(before.text, "0.800"), "30.0%")) << before.text;
    EXPECT_TRUE(has(line_of(before.text, "0.800"), "2.0%")) << before.text;
    EXPECT_TRUE(has(line_of(before.text, "0.800"), "same")) << before.text;
    EXPECT_EQ(compared(one(100), one(125, 0.3)).status, 0);
    EXPECT_EQ(compared(one(100, 0.1), one(125, 0.1)).status, 1);
    EXPECT_TRUE(has(compared(one(100), one(80, 0.3)).text, "1 same;"));
}

TEST(BenchCompare, OnlyBeforeAndOnlyAfter) {
    const json a = result(scenario(1 << 20), "vksort auto", 100);
    const json b = result(scenario(1 << 20), "CUB radix", 100);
    const json c = result(scenario(1 << 21), "vksort auto", 100);
    const Outcome outcome = compared(with({a, b}), with({c, b}));
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(line_of(outcome.text, "2^20, uniform  vksort auto"), "only before")) << outcome.text;
    EXPECT_TRUE(has(line_of(outcome.text, "2^21, uniform  vksort auto"), "only after")) << outcome.text;
    EXPECT_TRUE(has(outcome.text, "1 same, 1 only before, 1 only after;")) << outcome.text;
}

// Every member of a scenario tells it from others, also one that this version does not know.
TEST(BenchCompare, ScenariosThatDifferInOneMember) {
    const json plain = scenario(1 << 20);
    const json others = {{"operation", "merge"}, {"key", "u64"},  {"value_bytes", 4},
                         {"descending", true},   {"count", 5},    {"distribution", "zipf"},
                         {"mean_segment", 7},    {"end_bit", 16}, {"later", 1}};
    for (const auto& [name, value] : others.items()) {
        json other = plain;
        other[name] = value;
        const Outcome outcome =
            compared(with({result(plain, "vksort auto", 100)}), with({result(other, "vksort auto", 200)}));
        EXPECT_EQ(outcome.status, 0) << name;
        EXPECT_TRUE(has(outcome.text, "1 only before, 1 only after;")) << outcome.text;
    }
}

// Files from before there were ranges have no such members.
TEST(BenchCompare, WithoutBitsAreAllBits) {
    json all = scenario(1 << 20);
    all["begin_bit"] = all["end_bit"] = 0;
    const Outcome outcome = compared(one(100), with({result(all, "vksort auto", 100)}));
    EXPECT_TRUE(has(outcome.text, "1 same;")) << outcome.text;
    all["begin_bit"] = 16;
    all["end_bit"] = 32;
    const json part = with({result(all, "vksort auto", 100)});
    EXPECT_TRUE(has(compared(part, part).text, "sort u32, bits 16 to 31, n = 2^20, uniform"));
}

TEST(BenchCompare, AResultThatIsWrongNow) {
    json after = one(100);
    after["results"][0]["status"] = "wrong";
    after["results"][0]["message"] = "key 3 is\nout of order";
    const Outcome outcome = compared(one(100), after);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(has(line_of(outcome.text, "WRONG NOW"), "key 3 is out of order")) << outcome.text;
    EXPECT_EQ(compared(after, after).status, 0);
    after["results"][0]["status"] = "interrupted";
    EXPECT_EQ(compared(one(100), after).status, 0);
    EXPECT_TRUE(has(compared(one(100), after).text, "1 only before;"));
}

TEST(BenchCompare, ByTheClockThatBothHave) {
    json wall = one(100);
    wall["results"][0]["gpu_us"] = nullptr; // leaves the wall clock's 127 µs
    json slower = wall;
    slower["results"][0]["wall_us"] = times(254);
    EXPECT_TRUE(has(line_of(compared(wall, slower).text, "0.500"), "wall"));
    slower["results"][0]["gpu_us"] = times(50);
    EXPECT_TRUE(has(line_of(compared(wall, slower).text, "0.500"), "wall"));
    EXPECT_TRUE(has(line_of(compared(one(100), slower).text, "2.000"), "GPU"));
    slower["results"][0]["wall_us"] = nullptr;
    EXPECT_TRUE(has(compared(wall, slower).text, "1 not comparable;"));
}

TEST(BenchCompare, AnotherDeviceOrDriver) {
    EXPECT_FALSE(has(compared(one(100), one(100)).text, "warning"));
    for (const char* member : {"name", "driver", "driver_version"}) {
        json after = one(100);
        after["device"][member] = "another";
        const Outcome outcome = compared(one(100), after);
        EXPECT_EQ(outcome.status, 0);
        EXPECT_TRUE(has(line_of(outcome.text, "warning"), std::string("device ") + member + " differs")) << outcome.text;
        EXPECT_TRUE(has(line_of(outcome.text, "warning"), "\"another\" after")) << outcome.text;
    }
}

struct Damage {
    const char* path;
    json value;
    const char* words;
};

TEST(BenchCompare, FilesThatDoNotFitTheSchema) {
    const Damage damages[] = {
        {"/schema", 2, "schema is 2"},
        {"/schema", nullptr, "schema is missing"},
        {"/results", nullptr, "results is missing"},
        {"/results", "none", "results is not an array"},
        {"/results/0", 7, "results[0] is not an object"},
        {"/device", nullptr, "device is missing"},
        {"/device/name", 5, "device.name is not a string"},
        {"/program", "x", "program is not an object"},
        {"/results/0/contender", nullptr, "results[0].contender is missing"},
        {"/results/0/scenario", nullptr, "results[0].scenario is missing"},
        {"/results/0/scenario/count", 1.5, "results[0].scenario.count is not a whole number"},
        {"/results/0/scenario/count", -1, "results[0].scenario.count is negative"},
        {"/results/0/scenario/descending", 1, "results[0].scenario.descending is neither true nor false"},
        {"/results/0/scenario/begin_bit", 16, "results[0].scenario.end_bit is not above begin_bit"},
        {"/results/0/scenario/end_bit", "all", "results[0].scenario.end_bit is not a number"},
        {"/results/0/gpu_us", 12.5, "results[0].gpu_us is not an object"},
        {"/results/0/gpu_us/median", "fast", "results[0].gpu_us.median is not a number"},
        {"/results/0/gpu_us/p95", nullptr, "results[0].gpu_us.p95 is missing"},
        {"/results/0/gpu_us/p95", 1, "results[0].gpu_us is out of order"},
        {"/results/0/passes", 1, "results[0].passes is not an array"},
        {"/results/0/passes", json::array({{{"name", "scan"}}}), "results[0].passes[0].us is missing"},
    };
    for (const Damage& damage : damages) {
        json broken = one(100);
        broken[json::json_pointer(damage.path)] = damage.value;
        const Outcome first = compared(broken, one(100));
        EXPECT_EQ(first.status, 2) << damage.words;
        EXPECT_TRUE(has(first.text, "the results before do not fit the schema: ")) << first.text;
        EXPECT_TRUE(has(first.text, damage.words)) << first.text;
        const Outcome second = compared(one(100), broken);
        EXPECT_EQ(second.status, 2) << damage.words;
        EXPECT_TRUE(has(second.text, "the results after do not fit the schema: ")) << second.text;
    }
    for (const json& whole : {json(), json::array(), json("text"), json(1)}) {
        EXPECT_EQ(compared(whole, one(100)).status, 2);
    }
}

TEST(BenchCompare, TheSameTwiceInAFile) {
    json twice = one(100);
    twice["results"].push_back(twice["results"][0]);
    const Outcome outcome = compared(one(100), twice);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_TRUE(has(outcome.text, "the results after name 'sort u32, n = 2^20, uniform' by 'vksort auto' twice"))
        << outcome.text;
}

TEST(BenchCompare, AThresholdThatMakesNoSense) {
    EXPECT_EQ(compared(one(100), one(100), -0.1).status, 2);
    EXPECT_EQ(compared(one(100), one(100), std::nan("")).status, 2);
}

TEST(BenchCompare, NoResults) {
    const Outcome outcome = compared(empty_file(), empty_file());
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.text, "there are no results in either file"));
}

TEST(BenchCompare, TheSampleWithItself) {
    const Outcome outcome = compared(sample_file(), sample_file());
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(has(outcome.text, "225 same, 4 not measured;")) << outcome.text;
}

} // namespace
