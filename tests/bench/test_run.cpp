// SPDX-License-Identifier: MIT
//
// The program itself, on a device. Nothing here depends on how long anything takes.
#include <algorithm>
#include <csignal>
#include <thread>

#include <nlohmann/json.hpp>

#include "program_test.h"

namespace vksort::bench {
namespace {

using nlohmann::json;

class BenchRun : public ProgramTest {
protected:
    BenchRun() : ProgramTest(VKSORT_BENCH_PATH) {}
};

TEST_F(BenchRun, MeasuresAndWritesItsFiles) {
    ASSERT_EQ(
        run({"--operations", "sort,merge,segmented_sort", "--keys", "u32", "--values", "4", "--counts", "3000", "--means",
             "50", "--runs", "2", "--seconds", "0", "--json", path("r.json"), "--csv", path("r.csv"), "--passes"}),
        0)
        << text("err");
    EXPECT_EQ(text("err"), "");
    const json results = json::parse(text("r.json"));
    EXPECT_EQ(results["schema"], 1);
    EXPECT_EQ(results["preset"], "custom");
    EXPECT_EQ(results["command"],
              "vksort-bench --operations sort,merge,segmented_sort --keys u32 --values 4 --counts 3000 --means 50 --runs 2 "
              "--seconds 0 --passes");
    for (const char* field : {"version", "commit", "build_type", "compiler", "flags"}) {
        EXPECT_TRUE(results["program"][field].is_string()) << field;
    }
    EXPECT_FALSE(results["program"]["compiler"].get<std::string>().empty());
    for (const char* field : {"name", "driver", "driver_version", "type", "queue"}) {
        EXPECT_FALSE(results["device"][field].get<std::string>().empty()) << field;
    }
    EXPECT_EQ(results["device"]["subgroup_sizes"].size(), 2u);
    EXPECT_GE(results["device"]["limits"]["shared_memory"], 16384);
    EXPECT_EQ(results["method"]["gpu"]["least_runs"], 2);
    EXPECT_EQ(results["date"].get<std::string>().size(), 20u);
    EXPECT_GT(results["roofline_bytes_per_second"], 0);

    std::vector<std::string> names;
    for (const json& result : results["results"]) {
        SCOPED_TRACE(result.dump());
        EXPECT_EQ(result["status"], "ok");
        EXPECT_EQ(result["scenario"]["count"], 3000);
        EXPECT_GE(result["runs"], 2);
        EXPECT_GT(result["items_per_second"], 0);
        EXPECT_GT(result["wall_us"]["median"], 0);
        EXPECT_LE(result["wall_us"]["p5"], result["wall_us"]["median"]);
        EXPECT_LE(result["wall_us"]["median"], result["wall_us"]["p95"]);
        const std::string contender = result["contender"];
        const std::string operation = result["scenario"]["operation"];
        names.push_back(operation + " by " + contender);
        if (contender.starts_with("vksort")) {
            EXPECT_GT(result["gpu_us"]["median"], 0);
            EXPECT_FALSE(result["passes"].empty());
            EXPECT_TRUE(result["scratch_bytes"].is_number());
        }
        if (contender == "copy") {
            EXPECT_EQ(result["model_bytes"], 2 * 3000 * 8);
        }
        if (contender == "vksort onesweep") {
            EXPECT_EQ(result["model_bytes"], 3000 * (4 + 4 * 16)); // docs/algorithms/onesweep.md: k + 2 d (k + v)
        }
        EXPECT_NE(text("out").find(contender), std::string::npos);
    }
    for (const char* name : {"sort by vksort auto", "sort by vksort auto: ping-pong", "sort by vksort onesweep",
                             "sort by vksort reduce_scan", "sort by vksort merge", "sort by vksort locality", "sort by copy",
                             "sort by std::sort", "sort by std::stable_sort", "merge by vksort auto", "merge by std::sort",
                             "segmented_sort by vksort segmented", "segmented_sort by vksort size_classes"}) {
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    }

    const std::string csv = text("r.csv");
    const auto lines = static_cast<size_t>(std::count(csv.begin(), csv.end(), '\n'));
    const auto comments = static_cast<size_t>(std::count(csv.begin(), csv.end(), '#'));
    EXPECT_EQ(lines, comments + 1 + results["results"].size());
}

TEST_F(BenchRun, SkippedDigitsAreNotInTheModel) {
    ASSERT_EQ(run({"--counts", "20000", "--distributions", "low16", "--contenders", "vksort onesweep,vksort reduce_scan",
                   "--runs", "1", "--seconds", "0", "--json", path("r.json")}),
              0)
        << text("err");
    const json results = json::parse(text("r.json"))["results"];
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0]["model_bytes"], 20000 * (4 + 2 * 8));
    EXPECT_EQ(results[1]["model_bytes"], 20000 * (4 + 2 * 12));
}

TEST_F(BenchRun, SortsByARangeOfBits) {
    ASSERT_EQ(run({"--counts", "20000", "--values", "0,4", "--bits", "16:32,5:12", "--contenders",
                   "vksort auto,vksort onesweep,vksort reduce_scan,vksort merge", "--runs", "1", "--seconds", "0", "--json",
                   path("r.json")}),
              0)
        << text("err");
    const json results = json::parse(text("r.json"))["results"];
    ASSERT_EQ(results.size(), 16u);
    for (const json& result : results) {
        SCOPED_TRACE(result.dump());
        const json& where = result["scenario"];
        EXPECT_TRUE((where["begin_bit"] == 16 && where["end_bit"] == 32) ||
                    (where["begin_bit"] == 5 && where["end_bit"] == 12));
        EXPECT_EQ(result["status"],
                  result["contender"] == "vksort merge" ? "unsupported" : "ok"); // it knows whole keys only
        if (result["contender"] == "vksort onesweep") {
            // Two digits; one, and a copy, since an odd number of passes ends in the wrong place.
            const uint64_t element = 4 + where["value_bytes"].get<uint64_t>();
            EXPECT_EQ(result["model_bytes"], 20000 * (4 + 2 * 2 * element));
        }
    }
    EXPECT_NE(text("out").find("sort u32+4, bits 5 to 11, 20000, uniform\n"), std::string::npos) << text("out");
}

// Two digits end in the caller's buffer, one in the second buffer, and neither needs a copy in scratch.
TEST_F(BenchRun, SortsBetweenTwoBuffers) {
    ASSERT_EQ(run({"--counts", "200000", "--values", "0,8", "--bits", "16:32,5:12", "--contenders", "vksort auto: ping-pong",
                   "--runs", "2", "--seconds", "0", "--json", path("r.json")}),
              0)
        << text("err");
    const json results = json::parse(text("r.json"))["results"];
    EXPECT_EQ(results.size(), 4u);
    for (const json& result : results) {
        SCOPED_TRACE(result.dump());
        EXPECT_EQ(result["status"], "ok");
        // The histogram reads the keys; for each digit onesweep moves all once, and reduce_scan, for devices where ballots
        // do not pay, reads the keys once more.
        const bool sweeps = result["message"] == "onesweep";
        EXPECT_TRUE(sweeps || result["message"] == "reduce_scan");
        const uint64_t element = 4 + result["scenario"]["value_bytes"].get<uint64_t>();
        const uint64_t digits = result["scenario"]["begin_bit"] == 16 ? 2 : 1;
        EXPECT_EQ(result["model_bytes"], 200000 * (4 + digits * ((sweeps ? 0 : 4) + 2 * element)));
        EXPECT_LT(result["scratch_bytes"], 200000 * 4);
    }
}

TEST_F(BenchRun, WhatCannotBeDoneIsReportedAndSkipped) {
    ASSERT_EQ(run({"--counts", "2^39,1000", "--contenders", "vksort auto,vksort one_workgroup,vksort segmented", "--runs",
                   "1", "--seconds", "0", "--json", path("r.json")}),
              0)
        << text("err");
    std::vector<std::string> found;
    const json results = json::parse(text("r.json"));
    for (const json& result : results["results"]) {
        found.push_back(result["contender"].get<std::string>() + ": " + result["status"].get<std::string>());
        EXPECT_EQ(result["message"] == "", result["status"] == "ok" && result["contender"] != "vksort auto");
    }
    EXPECT_EQ(found, (std::vector<std::string>{"vksort auto: too_large", "vksort one_workgroup: too_large",
                                               "vksort segmented: too_large", "vksort auto: ok", "vksort one_workgroup: ok",
                                               "vksort segmented: unsupported"}));
}

TEST_F(BenchRun, AnInterruptKeepsWhatWasMeasured) {
    const pid_t child = start({"--counts", "1000", "--contenders", "copy,vksort auto", "--seconds", "3600", "--noise", "0",
                               "--runs", "1000000000", "--json", path("r.json")});
    while (text("out").find("roofline") == std::string::npos && kill(child, 0) == 0 &&
           waitpid(child, nullptr, WNOHANG) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(child, SIGINT);
    EXPECT_EQ(finish(child), 130) << text("err");
    const json results = json::parse(text("r.json"))["results"];
    ASSERT_LE(results.size(), 1u); // none, if the interrupt came before the first
    for (const json& result : results) {
        EXPECT_EQ(result["status"], "interrupted");
    }
}

TEST_F(BenchRun, BadUsageIsOneLine) {
    const std::vector<std::vector<std::string>> commands = {{"--counts", "many"},
                                                            {"--keys", "u7"},
                                                            {"--values", "3"},
                                                            {"--orders", "up"},
                                                            {"--quick", "--campaign"},
                                                            {"--unknown"},
                                                            {"--counts", "0"},
                                                            {"--distributions", "gaussian"},
                                                            {"--quick", "--counts", "10"},
                                                            {"--bits", "16"},
                                                            {"--bits", "16:16"},
                                                            {"--bits", "16:33"},
                                                            {"--quick", "--bits", "0:16"},
                                                            {"--operations", "sort,merge", "--bits", "0:16"},
                                                            {"--means", "10", "--bits", "0:16"},
                                                            {"--contenders", "nobody"},
                                                            {"--counts", "10", "--json", "/no/such/folder/r.json"}};
    for (const std::vector<std::string>& command : commands) {
        EXPECT_EQ(run(command), 2) << command.back();
        const std::string error = text("err");
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        EXPECT_EQ(error.find("vksort-bench: "), 0u) << error;
    }
}

TEST_F(BenchRun, AnUnknownContenderIsNamed) {
    ASSERT_EQ(run({"--counts", "10", "--list", "--contenders", "vksort auto,nobody"}), 0) << text("err");
    EXPECT_EQ(text("out"), "sort u32, 10, uniform: vksort auto\n");
    EXPECT_EQ(text("err"), "vksort-bench: there is no contender nobody here\n");
}

TEST_F(BenchRun, PresetsListWhatTheyRun) {
    for (const char* preset : {"--quick", "--seed=1", "--campaign"}) {
        ASSERT_EQ(run({preset, "--list"}), 0) << text("err");
        const std::string list = text("out");
        EXPECT_NE(list.find("sort u32, 2^"), std::string::npos) << list;
        EXPECT_NE(list.find("vksort auto"), std::string::npos) << list;
        EXPECT_NE(list.find("merge u32, "), std::string::npos) << list;
        EXPECT_NE(list.find("segmented_sort u32, "), std::string::npos) << list;
    }
}

// One plan of each kind, each made by a process of its own, and what is wrong with a kind told before any is started.
TEST_F(BenchRun, TimesPlans) {
    ASSERT_EQ(run({"plans", "--kinds", "u32", "u16+4", "--counts", "1000", "--segmented-kinds", "u64", "--prepare-later"}),
              0)
        << text("err");
    std::vector<std::string> rows;
    std::istringstream lines(text("out"));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("| ") && !line.starts_with("| plan")) {
            rows.push_back(line);
            EXPECT_EQ(line.find("| - |"), std::string::npos) << line;
        }
    }
    ASSERT_EQ(rows.size(), 3u) << text("out");
    EXPECT_TRUE(rows[0].starts_with("| u32, 1000 |"));
    EXPECT_TRUE(rows[1].starts_with("| u16+4, 1000 |"));
    EXPECT_TRUE(rows[2].starts_with("| segments:u64, 2^24 |"));
    EXPECT_EQ(run({"plans", "--kinds", "u32", "u33"}), 2);
    EXPECT_EQ(text("out"), "");
    EXPECT_NE(text("err").find("u33"), std::string::npos);
}

} // namespace
} // namespace vksort::bench
