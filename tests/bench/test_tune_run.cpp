// SPDX-License-Identifier: MIT
//
// vksort-tune on a device: few candidates of every target, and a candidate that is wrong. Nothing here depends on how long
// anything takes.
#include <algorithm>
#include <regex>

#include "program_test.h"
#include "tuner.h"
#include "verify.h"

namespace vksort::tune {
namespace {

class TuneRun : public bench::ProgramTest {
protected:
    TuneRun() : ProgramTest(VKSORT_TUNE_PATH) {}

    // As src/tuning.cpp has them.
    static constexpr const char* kRow = "\n    \\{[A-Za-z0-9]+, 1, (0|kAnyValues), [0-9]+, [0-9]+, [0-9]+\\},\n";

    static constexpr const char* kSampleRow =
        "\n    \\{[A-Za-z0-9]+, 1, (0|kAnyValues), [0-9]+, [0-9]+, [0-9]+, [0-9]+\\},\n";

    size_t matches(const std::string& pattern) const {
        const std::string out = text("out");
        const std::regex expression(pattern);
        return static_cast<size_t>(
            std::distance(std::sregex_iterator(out.begin(), out.end(), expression), std::sregex_iterator()));
    }
};

TEST_F(TuneRun, EveryTargetOfSortsAndMergesGivesARow) {
    ASSERT_EQ(run({"partition,downsweep,one_workgroup,sample-tiles,merge", "merge-sort", "--kinds", "u32", "--counts",
                   "3000", "--workgroups", "128", "--keys-per-thread", "8,31", "--runs", "2", "--seconds", "0", "--passes"}),
              0)
        << text("err");
    EXPECT_EQ(text("err"), "");
    EXPECT_EQ(matches(kRow), 3u) << text("out");
    EXPECT_EQ(matches(kSampleRow), 1u) << text("out");
    EXPECT_EQ(matches("\n    tuning\\.workgroupSize = [0-9]+; // keys of 1 word\n    tuning\\.keysPerThread = [0-9]+;\n"),
              2u)
        << text("out");
    for (const char* table :
         {"kPartitionRows", "kCounterDownsweepRows", "kCounterOneWorkgroupRows", "kSampleRows", "merge_tuning"}) {
        EXPECT_EQ(matches("\n    // " + std::string(table) + ":\n    // .*, driver .*, (graphics|compute) queue, "), 1u)
            << table;
    }
    EXPECT_EQ(matches("\nbest first: "), 6u);
    EXPECT_GE(matches("\n    (digit 0|one workgroup|merge 0) "), 5u) << "passes";
}

TEST_F(TuneRun, BothTargetsOfSegmentsGiveARow) {
    ASSERT_EQ(run({"finish", "segment-partition", "--kinds", "u32", "--counts", "9000", "--workgroups", "128",
                   "--keys-per-thread", "8,16", "--means", "60,8900", "--runs", "2", "--seconds", "0"}),
              0)
        << text("err");
    EXPECT_EQ(matches(kRow), 2u) << text("out");
    EXPECT_EQ(matches("    // kSegmentFinishRows:\n"), 1u);
    EXPECT_EQ(matches("    // kKeyPartitionRows:\n"), 1u);
    EXPECT_EQ(matches("\nsegments of 60\n"), 2u);
    EXPECT_EQ(matches("\nsegments of 8900\n"), 2u);
    EXPECT_EQ(matches("\nbest first: .* of 60 +of 8900 "), 2u) << text("out");
}

TEST_F(TuneRun, WhatThereIsNoTimeForIsLeftOut) {
    ASSERT_EQ(run({"merge", "--kinds", "u32", "--counts", "1000", "--workgroups", "128", "--keys-per-thread", "3,5",
                   "--runs", "1", "--budget", "0.0000001"}),
              0)
        << text("err");
    EXPECT_EQ(matches("    2 left out: the time was over\n"), 1u) << text("out");
    EXPECT_EQ(matches("\n    tuning\\.workgroupSize"), 1u) << "today's is measured in any case";
}

TEST_F(TuneRun, WhatCannotRunIsCountedAndLeftOut) {
    ASSERT_EQ(run({"merge", "--kinds", "u32+4", "--counts", "1000", "--workgroups", "128,1000000", "--keys-per-thread",
                   "4,40", "--rounds", "1,2", "--runs", "1", "--seconds", "0"}),
              0)
        << text("err");
    // Tiles too large, too many keys, rounds.
    EXPECT_EQ(matches("    [0-9]+ left out: "), 3u) << text("out");
    EXPECT_EQ(matches("\n128x4 "), 1u) << text("out");
    // Nothing can run at all.
    EXPECT_EQ(run({"one_workgroup", "--kinds", "u32", "--counts", "2^30"}), 2);
    EXPECT_NE(text("err").find("one_workgroup, u32, 2^30: no candidate can run there"), std::string::npos) << text("err");
}

TEST_F(TuneRun, BadUsageIsOneLine) {
    const std::vector<std::vector<std::string>> commands = {{"nobody"},
                                                            {},
                                                            {"merge", "--kinds", "u32+3"},
                                                            {"merge", "--kinds", "u7"},
                                                            {"merge", "--kinds", "u32+"},
                                                            {"merge", "--workgroups", "0"},
                                                            {"merge", "--keys-per-thread", "0"},
                                                            {"merge", "--keys-per-thread", "few"},
                                                            {"merge", "--rounds", "0"},
                                                            {"merge", "--rank", "some"},
                                                            {"merge", "--counts", "0"},
                                                            {"merge", "--unknown"}};
    for (const std::vector<std::string>& command : commands) {
        EXPECT_EQ(run(command), 2) << testing::PrintToString(command);
        const std::string error = text("err");
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        EXPECT_EQ(error.find("vksort-tune: "), 0u) << error;
    }
}

TEST_F(TuneRun, AWrongCandidateNeverBecomesARow) {
    host::Device device;
    Sweep sweep;
    sweep.target = &parse_target("merge");
    sweep.kind.operation = sweep.target->operation;
    sweep.kind.count = 1000;
    sweep.means = {0};
    TunerOptions options;
    options.method.warm_up_seconds = 0;
    options.method.gpu = {1, 1, 0, 0};
    options.method.wall = {0, 0, 0, 0};
    size_t verified = 0;
    options.verify = [&verified](const bench::Input& input, std::span<const std::byte> keys,
                                 std::span<const std::byte> values) {
        return verified++ == 0 ? std::string("a fault that the test made") : bench::verify(input, keys, values, true);
    };
    Tuner tuner(device, {}, options);
    EXPECT_FALSE(tuner.any_wrong());
    // Today's is the first that runs.
    const std::optional<Candidate> todays = sweep.target->todays(device.info(), sweep.description(0));
    ASSERT_TRUE(todays);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const std::string row = tuner.sweep(sweep, {{128, 5, 1, Rank::none}, {128, 3, 1, Rank::none}});
    const std::string out = testing::internal::GetCapturedStdout();
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_EQ(verified, 3u);
    EXPECT_TRUE(tuner.any_wrong());
    EXPECT_NE(out.find("WRONG: a fault that the test made"), std::string::npos) << out;
    EXPECT_NE(err.find("gives a wrong result for merge u32, 1000, uniform: a fault that the test made"), std::string::npos)
        << err;
    const std::string wrong = sweep.target->text_of(*todays, false);
    EXPECT_EQ(row.find(wrong), std::string::npos) << row;
    EXPECT_EQ(row.find("tuning.workgroupSize = " + std::to_string(todays->workgroup_size) +
                       "; // keys of 1 word\n    tuning.keysPerThread = " + std::to_string(todays->keys_per_thread)),
              std::string::npos)
        << row;
    EXPECT_NE(row.find("tuning.keysPerThread = "), std::string::npos) << row;

    // Nothing is left: no row.
    verified = 0;
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    EXPECT_EQ(tuner.sweep(sweep, {}), "");
    testing::internal::GetCapturedStdout();
    testing::internal::GetCapturedStderr();
}

} // namespace
} // namespace vksort::tune
