// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "runner.h"

namespace vksort::test {

using nlohmann::json;

class Info : public CliTest {};
class Plan : public CliTest {};

TEST_F(Info, ListsDevicesAsJson) {
    const json info = json::parse(run_well("info --json"));
    ASSERT_TRUE(info["devices"].is_array());
    ASSERT_FALSE(info["devices"].empty());
    size_t index = 0;
    for (const json& device : info["devices"]) {
        SCOPED_TRACE(device.dump());
        EXPECT_EQ(device["index"], index++);
        EXPECT_FALSE(device["name"].get<std::string>().empty());
        EXPECT_FALSE(device["driver"].get<std::string>().empty());
        if (!device["supported"]) {
            EXPECT_FALSE(device["reason"].get<std::string>().empty());
            continue;
        }
        const json& subgroup = device["subgroup"];
        EXPECT_LE(subgroup["min"], subgroup["size"]);
        EXPECT_LE(subgroup["size"], subgroup["max"]);
        EXPECT_GE(device["limits"]["shared_memory"], 16384);
        EXPECT_GE(device["limits"]["workgroup_invocations"], 128);
        EXPECT_GE(device["limits"]["storage_buffer_range"], 1 << 27);
        EXPECT_GE(device["limits"]["memory_allocation"], 1 << 30);
        EXPECT_TRUE(device["limits"].contains("buffer_size"));
        for (const char* feature : {"memory_model", "push_descriptor", "subgroup_size_control", "pipeline_robustness"}) {
            EXPECT_TRUE(device["features"][feature].is_boolean());
        }
        for (const auto& [algorithm, entry] : device["algorithms"].items()) {
            EXPECT_TRUE(entry.contains(entry["works"] ? "largest_count_u32" : "reason")) << algorithm;
        }
        for (const char* algorithm : {"one_workgroup", "reduce_scan", "merge", "locality", "segmented"}) {
            EXPECT_TRUE(device["algorithms"][algorithm]["works"]) << algorithm;
        }
        // With a known subgroup size all of these work, or those that can do without the memory model.
        const bool ballots = device["algorithms"]["msd"]["works"];
        for (const char* algorithm : {"size_classes", "sample_sort"}) {
            EXPECT_EQ(device["algorithms"][algorithm]["works"], ballots) << algorithm;
        }
        for (const char* algorithm : {"onesweep", "bucket_sort"}) {
            EXPECT_EQ(device["algorithms"][algorithm]["works"], ballots && device["features"]["memory_model"]) << algorithm;
        }
        for (const char* count : {"2^10", "2^16", "2^20", "2^24"}) {
            EXPECT_TRUE(device["algorithms"].contains(device["auto_u32"][count])) << count;
        }
    }
}

TEST_F(Info, TellsPeopleTheSame) {
    const json info = json::parse(run_well("info --json"));
    const std::string text = run_well("info");
    for (const json& device : info["devices"]) {
        EXPECT_NE(text.find(device["name"].get<std::string>()), std::string::npos) << text;
    }
    for (const char* word : {"driver", "subgroup", "limits", "features", "algorithms", "auto"}) {
        EXPECT_NE(text.find(word), std::string::npos) << text;
    }
}

TEST_F(Plan, NeedsNoDevice) {
    RunOptions options;
    options.environment = {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}};
    const RunResult result = run("plan --type u32 --count 2^20 --algorithm onesweep", options);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_TRUE(result.out.starts_with("sort of 1,048,576 u32 keys by onesweep on a typical desktop GPU\n")) << result.out;
    for (const char* word : {"scratch", "pass", "kernel", "workgroups", "reads", "writes", "all"}) {
        EXPECT_NE(result.out.find(word), std::string::npos) << result.out;
    }
}

TEST_F(Plan, FewerBitsAreFewerPasses) {
    const auto passes = [&](const std::string& words) {
        const std::string text = run_well("plan --type u32 --count 2^20 --algorithm onesweep " + words);
        const size_t at = text.find("at most ");
        EXPECT_NE(at, std::string::npos) << text;
        return std::stoi(text.substr(at + 8));
    };
    EXPECT_EQ(passes(""), 4);
    EXPECT_EQ(passes("--bits 0:16"), 2);
    EXPECT_EQ(passes("--bits 3:11"), 1);
}

TEST_F(Plan, PlansMergesAndSegments) {
    const auto plan = [&](const std::string& words, const std::string& headline, const std::vector<std::string>& parts) {
        const std::string text = run_well("plan " + words);
        EXPECT_TRUE(text.starts_with(headline + " on a typical desktop GPU\n")) << text;
        for (const std::string& part : parts) {
            EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
        }
        return text;
    };
    plan("--type u32 --count 2^20 --merge 1000 --value-size 8",
         "merge of 1,048,576 and 1,000 u32 keys with 8-byte values by merge",
         {"merged in 1 passes", "in A beside", "direct"});
    plan("--type i64 --count 2^20 --segments heads:500 --descending --algorithm segmented",
         "segmented sort of 1,048,576 i64 keys in 500 segments, descending, by segmented",
         {"set heads", "tiles that are not"});
    plan("--type i64 --count 2^20 --segments heads:500",
         "segmented sort of 1,048,576 i64 keys in 500 segments by size_classes",
         {"set heads", "partitioned until they fit"});
    plan("--type u16 --count 1000 --segments offsets:2^4 --argsort",
         "segmented sort of the indices of 1,000 u16 keys in 16 segments by size_classes", {"mark gaps"});
    plan("--type u16 --count 1000 --segments pairs:2^4", "segmented sort of 1,000 u16 keys in 16 segments by size_classes",
         {"mark gaps"});
    const std::string flags = plan("--type f32 --count 2^20 --segments flags",
                                   "segmented sort of 1,048,576 f32 keys in flagged segments by size_classes", {"scratch"});
    EXPECT_EQ(flags.find("heads"), std::string::npos) << flags;
    plan("--type f32 --count 2^20 --algorithm locality", "sort of 1,048,576 f32 keys by locality", {"blocksort"});
    plan("--type i32 --count 2^19", "sort of 524,288 i32 keys by sample_sort", {"tiles", "buckets"});
    plan("--type f32 --count 2^19", "sort of 524,288 f32 keys by bucket_sort", {"distribution", "buckets"});
    plan("--type i32 --count 2^24", "sort of 16,777,216 i32 keys by bucket_sort",
         {"coarse buckets", "finish buckets", "of up to 2560 keys"});
    plan("--type f32 --count 2^24 --algorithm msd", "sort of 16,777,216 f32 keys by msd",
         {"partition 0", "finish", "keys, partitioned until they fit"});
}

TEST_F(Plan, PlansForARealDevice) {
    const json info = json::parse(run_well("info --json"));
    const std::string text = run_well("plan --type u64 --count 1000000 --value-size 8 --device 0");
    EXPECT_NE(text.find("1,000,000 u64 keys with 8-byte values"), std::string::npos) << text;
    EXPECT_NE(text.find(info["devices"][0]["name"].get<std::string>()), std::string::npos) << text;
}

TEST_F(Plan, TakesTheWordsOfASort) {
    write("keys.bin", random_bytes(4 * 5000, 1));
    const std::string text = run_well("plan @keys.bin -o @out.bin --type f32 --argsort --descending --timings --summary");
    EXPECT_TRUE(text.starts_with("argsort of 5,000 f32 keys, descending, by ")) << text;
    EXPECT_EQ(files(), std::vector<std::string>{"keys.bin"});
}

TEST_F(Plan, HelpListsNoOptionThatIsIgnored) {
    const std::string help = run_well("plan --help");
    for (const char* option : {"--output", "--values-out", "--summary", "--timings", "--stats", "--validation"}) {
        EXPECT_EQ(help.find(option), std::string::npos) << option << "\n" << help;
    }
    EXPECT_NE(help.find("accepted and ignored"), std::string::npos) << help;
    const std::string plan = "plan --type u32 --count 10 --value-size 4";
    const std::string reused = " --values @v -o @out.bin --values-out @v.out --summary --timings --stats --validation";
    EXPECT_EQ(run_well(plan + reused), run_well(plan));
    EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Plan, RefusesWhatCannotBe) {
    expect_failure(2, "plan --type u32", {"--count"});
    expect_failure(2, "plan --type u33 --count 1", {"unknown key type"});
    expect_failure(2, "plan --type u32 --count many", {"is not a count"});
    expect_failure(2, "plan --type u32 --count 10 --bits 5:99", {"A:B"});
    expect_failure(2, "plan --type u32 --count 10 --value-size 5", {"--value-size 5"});
    expect_failure(3, "plan --type u32 --count 2^40", {"4"});
    for (const char* count : {"0", "10"}) {
        expect_failure(3, std::string("plan --type u32 --merge 2^30 --count ") + count,
                       {"1073741824 elements of B need a buffer range"});
    }
    expect_failure(3, "plan --type u32 --count 10 --merge 2^31", {"2147483648 elements of B are too many"});
    expect_failure(3, "plan --type u32 --count 0 --segments offsets:2^30", {"1073741824 segments need a buffer range"});
    expect_failure(2, "plan --type u32 --count 10 --merge some", {"--merge 'some' is not a count"});
    expect_failure(2, "plan --type u32 --count 10 --merge 10 --segments flags", {"give one of them"});
    expect_failure(2, "plan --type u32 --count 10 --merge 10 --algorithm locality", {"merge or auto"});
    for (const char* segments : {"heads", "flags:3", "tails:3", ":"}) {
        expect_failure(2, std::string("plan --type u32 --count 10 --segments ") + segments,
                       {"flags, heads:N, offsets:N or pairs:N"});
    }
    expect_failure(2, "plan --type u32 --count 10 --segments heads:many", {"'many' is not a count"});
    expect_failure(3, "plan --type u32 --count 10 --device 99", {"there is no device 99"});
}

} // namespace vksort::test
