// SPDX-License-Identifier: MIT
//
// Sorts of files, compared with the reference byte for byte. Most have a few thousand keys: the algorithms have tests of
// their own, and software devices take their time to compile the large kernels.
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "runner.h"

namespace vksort::test {

using reference::Order;

class Sort : public CliTest {};

TEST_F(Sort, SortsEveryTypeBothWays) {
    for (const NamedType& type : kNamedTypes) {
        for (const bool descending : {false, true}) {
            SCOPED_TRACE(std::string(type.name) + (descending ? " descending" : ""));
            const uint32_t size = reference::key_size(type.type);
            const Bytes keys = random_bytes(3001 * size, 1);
            write("keys.bin", keys);
            run_well(std::string("sort @keys.bin -o @out.bin --type ") + type.name + (descending ? " --descending" : ""));
            EXPECT_EQ(read("out.bin"), reordered(keys, size, reference::argsort(keys, {type.type, descending})));
        }
    }
    EXPECT_EQ(files(), (std::vector<std::string>{"keys.bin", "out.bin"}));
}

TEST_F(Sort, SortsAnyCount) {
    for (const size_t count : {0u, 1u, 2u, 3u, 255u, 257u, 4096u, 70001u}) {
        SCOPED_TRACE(count);
        const Bytes keys = random_bytes(count * 4, 2);
        write("keys.bin", keys);
        run_well("sort @keys.bin -o @out.bin --type u32");
        EXPECT_EQ(read("out.bin"), reordered(keys, 4, reference::argsort(keys, {VKSORT_KEY_U32})));
    }
}

TEST_F(Sort, MovesValuesOfEverySizeStably) {
    const Bytes keys = random_bytes(3001, 3); // one byte: many equal keys
    write("keys.bin", keys);
    const std::vector<uint32_t> order = reference::argsort(keys, {VKSORT_KEY_U8});
    for (const uint32_t size : {4u, 12u}) {
        SCOPED_TRACE(size);
        const Bytes values = random_bytes(3001 * size, 4);
        write("values.bin", values);
        run_well("sort @keys.bin -o @out.bin --type u8 --values @values.bin --values-out @values_out.bin --value-size " +
                 std::to_string(size));
        EXPECT_EQ(read("out.bin"), reordered(keys, 1, order));
        EXPECT_EQ(read("values_out.bin"), reordered(values, size, order));
    }
}

TEST_F(Sort, WritesIndicesInPlaceOfKeys) {
    const Bytes keys = random_bytes(2 * 3001, 5);
    write("keys.bin", keys);
    run_well("sort @keys.bin -o @out.bin --type i16 --argsort");
    EXPECT_EQ(read("out.bin"), to_bytes(reference::argsort(keys, {VKSORT_KEY_I16})));
    run_well("sort @keys.bin -o @out.bin --type i16 --argsort --descending");
    EXPECT_EQ(read("out.bin"), to_bytes(reference::argsort(keys, {VKSORT_KEY_I16, true})));
}

TEST_F(Sort, SortsByARangeOfBits) {
    struct Case {
        const char* words;
        Order order;
    };
    const Case cases[] = {
        {"u32 --bits 8:16", {VKSORT_KEY_U32, false, 8, 16}},
        {"u32 --bits 0:1", {VKSORT_KEY_U32, false, 0, 1}},
        {"i32 --bits 20:32 --descending", {VKSORT_KEY_I32, true, 20, 32}},
        {"f32 --bits 23:32", {VKSORT_KEY_F32, false, 23, 32}},
        {"u64 --bits 28:37", {VKSORT_KEY_U64, false, 28, 37}},
        {"u16 --bits 3:14", {VKSORT_KEY_U16, false, 3, 14}},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.words);
        const uint32_t size = reference::key_size(one.order.type);
        const Bytes keys = random_bytes(3001 * size, 6);
        write("keys.bin", keys);
        run_well(std::string("sort @keys.bin -o @out.bin --type ") + one.words);
        EXPECT_EQ(read("out.bin"), reordered(keys, size, reference::argsort(keys, one.order)));
    }
}

TEST_F(Sort, RunsTheAlgorithmThatWasNamed) {
    const Bytes keys = random_bytes(4 * 1000, 7);
    write("keys.bin", keys);
    const nlohmann::json info = nlohmann::json::parse(run_well("info --json"));
    for (const char* name : {"one_workgroup", "onesweep", "reduce_scan", "msd", "sample_sort", "bucket_sort"}) {
        SCOPED_TRACE(name);
        const std::string words = std::string("sort @keys.bin -o @out.bin --type u32 --summary --algorithm ") + name;
        if (!info["devices"][0]["algorithms"][name]["works"]) {
            expect_failure(3, words + " --device 0", {name});
            continue;
        }
        const RunResult result = run(words + " --device 0");
        EXPECT_EQ(result.status, 0) << result.err;
        EXPECT_NE(result.err.find(std::string(" by ") + name), std::string::npos) << result.err;
        EXPECT_EQ(read("out.bin"), reordered(keys, 4, reference::argsort(keys, {VKSORT_KEY_U32})));
    }
}

TEST_F(Sort, SaysDeviceAlgorithmAndTime) {
    write("keys.bin", random_bytes(4 * 100000, 8));
    const nlohmann::json info = nlohmann::json::parse(run_well("info --json"));
    const RunResult result = run("sort @keys.bin -o @out.bin --type u32 --summary --device 0");
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("sorted 100,000 u32 keys on ")) << result.err;
    EXPECT_NE(result.err.find(info["devices"][0]["name"].get<std::string>()), std::string::npos) << result.err;
    EXPECT_TRUE(std::regex_search(result.err, std::regex(" by [a-z_]+ in [0-9.]+ (us|ms|s)"))) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST_F(Sort, ShowsEachPassWithItsTime) {
    write("keys.bin", random_bytes(4 * 60000, 8));
    for (const auto& [algorithm, counters] : {std::pair{"reduce_scan", "digit passes ran"},
                                              {"msd", "of them sorted in a slower way"},
                                              {"sample_sort", "joined in one more pass"},
                                              {"bucket_sort", "where these are spread evenly"}}) {
        const RunResult result =
            run(std::string("sort @keys.bin -o @out.bin --type u32 --timings --algorithm ") + algorithm);
        EXPECT_EQ(result.status, 0);
        EXPECT_NE(result.err.find("GPU time"), std::string::npos) << result.err;
        EXPECT_NE(result.err.find(counters), std::string::npos) << result.err;
        EXPECT_GE(std::count(result.err.begin(), result.err.end(), '\n'), 5) << result.err;
    }
}

TEST_F(Sort, ReadsAndWritesStandardStreams) {
    const Bytes keys = random_bytes(4 * 30000, 9); // every byte value, and larger than a pipe's buffer
    const Bytes sorted = reordered(keys, 4, reference::argsort(keys, {VKSORT_KEY_U32}));
    EXPECT_EQ(to_bytes(run_well("sort - -o - --type u32", to_string(keys))), sorted);
    write("keys.bin", keys);
    EXPECT_EQ(to_bytes(run_well("sort @keys.bin -o - --type u32")), sorted);
    run_well("sort - -o @out.bin --type u32", to_string(keys));
    EXPECT_EQ(read("out.bin"), sorted);
}

TEST_F(Sort, SurvivesAReaderThatLeaves) {
    write("keys.bin", random_bytes(4 * 100000, 10));
    RunOptions options;
    options.closed_output = true;
    expect_failure(2, "sort @keys.bin -o - --type u32", {"cannot write to standard output"}, options);
}

TEST_F(Sort, ReplacesItsInput) {
    const Bytes keys = random_bytes(4 * 1000, 11);
    write("keys.bin", keys);
    ASSERT_EQ(chmod(path("keys.bin").c_str(), 0640), 0);
    run_well("sort @keys.bin -o @keys.bin --type u32");
    EXPECT_EQ(read("keys.bin"), reordered(keys, 4, reference::argsort(keys, {VKSORT_KEY_U32})));
    struct stat status = {};
    ASSERT_EQ(stat(path("keys.bin").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(Sort, FollowsASymbolicLinkAndLeavesDevicesAlone) {
    const Bytes keys = random_bytes(4 * 1000, 12);
    write("keys.bin", keys);
    write("real.bin", {});
    std::filesystem::create_symlink("real.bin", path("link.bin"));
    run_well("sort @keys.bin -o @link.bin --type u32");
    EXPECT_TRUE(std::filesystem::is_symlink(path("link.bin")));
    EXPECT_EQ(read("real.bin"), reordered(keys, 4, reference::argsort(keys, {VKSORT_KEY_U32})));
    run_well("sort @keys.bin -o /dev/null --type u32");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    expect_failure(2, "sort @keys.bin -o /dev/full --type u32", {"cannot write '/dev/full'"});
}

// Enough for every pass to have many tiles.
TEST_F(Sort, SortsManyPairs) {
    run_well("generate --type u32 --count 300000 --distribution few --seed 3 -o @keys.bin --values-out @values.bin");
    run_well("sort @keys.bin -o @out.bin --type u32 --values @values.bin --values-out @values_out.bin");
    const std::string verdict = run_well("verify @out.bin --type u32 --input @keys.bin --values @values_out.bin");
    EXPECT_EQ(verdict, "verified: 300,000 u32 keys, ascending, a permutation of the input, stable with their values\n");
}

TEST_F(Sort, RunsCleanUnderValidation) {
    write("keys.bin", random_bytes(4 * 50000, 13));
    const RunResult result = run("sort @keys.bin -o @out.bin --type u32 --validation");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.err, "");
}

} // namespace vksort::test
