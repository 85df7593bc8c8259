// SPDX-License-Identifier: MIT
//
// What the files look like: other programs read them.
#include <gtest/gtest.h>

#include <sstream>

#include "results.h"

namespace vksort::bench {
namespace {

using nlohmann::json;

Result example() {
    Result result;
    result.scenario.operation = Operation::segmented_sort;
    result.scenario.key = VKSORT_KEY_F64;
    result.scenario.value_bytes = 4;
    result.scenario.descending = true;
    result.scenario.bits = {16, 48};
    result.scenario.count = 3000;
    result.scenario.distribution = Distribution::nearly_sorted;
    result.scenario.mean_segment = 300;
    result.contender = "CUB radix sort, 64-bit n";
    result.message = "a \"quoted\"\nmessage";
    result.runs = 11;
    result.gpu = Summary{3, 1, 5, 0.5, 6};
    result.roofline_share = 0.25;
    result.model_bytes = 72000;
    result.passes = {{"setup", 1.5}, {"digit 0", 1.25}};
    return result;
}

std::vector<std::string> keys_of(const json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys; // sorted
}

TEST(BenchFiles, JsonHasTheFieldsOfItsSchema) {
    const json result = to_json(example());
    EXPECT_EQ(keys_of(result),
              (std::vector<std::string>{"contender", "gpu_us", "items_per_second", "message", "model_bytes", "passes",
                                        "roofline_share", "runs", "scenario", "scratch_bytes", "status", "wall_us"}));
    EXPECT_EQ(result["scenario"], json::parse(R"({"operation": "segmented_sort", "key": "f64", "value_bytes": 4,
        "descending": true, "begin_bit": 16, "end_bit": 48, "count": 3000, "distribution": "nearly-sorted", "mean_segment": 300})"));
    EXPECT_EQ(result["gpu_us"], json::parse(R"({"median": 3.0, "p5": 1.0, "p95": 5.0, "least": 0.5, "greatest": 6.0})"));
    EXPECT_TRUE(result["wall_us"].is_null());
    EXPECT_TRUE(result["scratch_bytes"].is_null());
    EXPECT_EQ(result["model_bytes"], 72000);
    EXPECT_EQ(result["roofline_share"], 0.25);
    EXPECT_EQ(result["items_per_second"], 1e9);
    EXPECT_EQ(result["status"], "ok");
    EXPECT_EQ(result["passes"], json::parse(R"([{"name": "setup", "us": 1.5}, {"name": "digit 0", "us": 1.25}])"));
}

TEST(BenchFiles, ARateFromTheWallTimeWhereThereIsNoOther) {
    Result result = example();
    result.gpu.reset();
    EXPECT_EQ(result.items_per_second(), 0);
    result.wall = Summary{1000, 1, 1, 1, 1};
    EXPECT_EQ(result.items_per_second(), 3e6);
    EXPECT_TRUE(to_json(result)["gpu_us"].is_null());
}

// Splits a line as a reader of CSV does.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted; // of doubled quotes nothing is left, which is enough here
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

TEST(BenchFiles, CsvHasTheSameColumnsEverywhere) {
    Result failed = example();
    failed.status = Status::too_large;
    failed.gpu.reset();
    std::istringstream text(csv_text({{"schema", kSchema}, {"date", "today"}, {"results", {1, 2}}}, {example(), failed}));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[0], "# date: \"today\"");
    EXPECT_EQ(lines[1], "# schema: 1");
    EXPECT_EQ(lines[2], kCsvColumns);
    const std::vector<std::string> names = cells_of(lines[2]);
    for (size_t i = 3; i < 5; ++i) {
        const std::vector<std::string> cells = cells_of(lines[i]);
        ASSERT_EQ(cells.size(), names.size()) << lines[i];
        EXPECT_EQ(cells[0], "segmented_sort");
        EXPECT_EQ(cells[7], "CUB radix sort, 64-bit n");
        EXPECT_EQ(cells[8], i == 3 ? "ok" : "too_large");
        EXPECT_EQ(cells[9], "a quoted message");
        EXPECT_EQ(cells[11], i == 3 ? "3.000" : "");
        EXPECT_EQ(cells[25], "setup=1.500;digit 0=1.250");
        EXPECT_EQ(cells[26], "16");
        EXPECT_EQ(cells[27], "48");
    }
}

TEST(BenchFiles, NamesComeBack) {
    for (const Distribution distribution : kDistributions) {
        EXPECT_EQ(parse_distribution(name_of(distribution)), distribution);
    }
    for (const Operation operation : {Operation::sort, Operation::merge, Operation::segmented_sort}) {
        EXPECT_EQ(parse_operation(name_of(operation)), operation);
    }
    for (int type = VKSORT_KEY_U32; type <= VKSORT_KEY_I8; ++type) {
        EXPECT_EQ(parse_key_type(vksortKeyTypeName(static_cast<VksortKeyType>(type))), type);
    }
    EXPECT_EQ(parse_count("2^20"), 1u << 20);
    EXPECT_EQ(parse_count("1000003"), 1000003u);
    for (const char* text : {"", "-1", "2^", "3^4", "2^99", "1e6", "ten"}) {
        EXPECT_THROW(parse_count(text), std::invalid_argument) << text;
    }
    EXPECT_EQ(parse_bits("16:32"), (BitRange{16, 32}));
    for (const char* text : {"", ":", "16", "16:", ":16", "a:b", "1:2:3", "-1:4", "0:4294967296", "0:0", "16:16", "17:16"}) {
        EXPECT_THROW(parse_bits(text), std::invalid_argument) << text;
    }
    EXPECT_THROW(parse_distribution("gaussian"), std::invalid_argument);
    EXPECT_THROW(parse_key_type("f8"), std::invalid_argument);
}

} // namespace
} // namespace vksort::bench
