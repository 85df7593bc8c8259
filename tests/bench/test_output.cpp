// SPDX-License-Identifier: MIT
//
// What vksort-bench and vksort-tune do where their standard streams or their files cannot be written. No device is needed.
#include <algorithm>

#include "options.h"
#include "program_test.h"
#include "sample.h"

namespace vksort::bench {
namespace {

std::vector<Streams> missing_streams(int number) {
    Streams closed;
    closed.closed = {number};
    Streams full;
    (number == STDERR_FILENO ? full.err_path : full.out_path) = "/dev/full";
    return {closed, full};
}

class BenchOutput : public ProgramTest {
protected:
    BenchOutput() : ProgramTest(VKSORT_BENCH_PATH) {}

    void SetUp() override {
        ProgramTest::SetUp();
        std::ofstream(path("r.json")) << with({result(scenario(1 << 20), "vksort auto", 100)}).dump();
        std::ofstream(path("all.json")) << sample_file().dump();
    }
    // In one line.
    void expect_error(const std::vector<std::string>& words, const std::string& part, const Streams& streams = {}) const {
        EXPECT_EQ(run(words, streams), 2) << words.back();
        const std::string error = text("err");
        EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
        EXPECT_EQ(error.find("vksort-bench: "), 0u) << error;
        EXPECT_NE(error.find(part), std::string::npos) << error;
    }
};

class TuneOutput : public ProgramTest {
protected:
    TuneOutput() : ProgramTest(VKSORT_TUNE_PATH) {}
};

TEST_F(BenchOutput, TheStatusIsTheSameWithoutStandardError) {
    for (const Streams& streams : missing_streams(STDERR_FILENO)) {
        EXPECT_EQ(run({"--unknown"}, streams), 2);
        EXPECT_EQ(run({"compare", path("r.json"), path("none.json")}, streams), 2);
        EXPECT_EQ(run({"compare", path("r.json"), path("r.json")}, streams), 0);
    }
}

TEST_F(TuneOutput, TheStatusIsTheSameWithoutStandardStreams) {
    for (const Streams& streams : missing_streams(STDERR_FILENO)) {
        EXPECT_EQ(run({"no-target"}, streams), 2);
    }
    for (const Streams& streams : missing_streams(STDOUT_FILENO)) {
        EXPECT_EQ(run({"--help"}, streams), 2);
        EXPECT_EQ(text("err").find("vksort-tune: cannot write to standard output: "), 0u) << text("err");
    }
}

TEST_F(BenchOutput, StandardOutputThatCannotBeWrittenIsTold) {
    for (const Streams& streams : missing_streams(STDOUT_FILENO)) {
        expect_error({"--help"}, "cannot write to standard output: ", streams);
        expect_error({"compare", path("r.json"), path("r.json")}, "cannot write to standard output: ", streams);
    }
}

TEST_F(BenchOutput, TwoOutputsAreTwoFiles) {
    const std::string results = text("r.json");
    std::filesystem::create_symlink("r.csv", path("link"));
    expect_error({"--quick", "--json", path("r.csv"), "--csv", path("link")}, "are one file");
    expect_error({"--quick", "--csv", path("r.json"), "--html", path("./r.json")}, "are one file");
    expect_error({"--quick", "--csv", "-", "--json", "-"}, "are one file");
    expect_error({"report", path("r.json"), path("./r.json")}, "would replace the results");
    expect_error({"report", path("r.json"), "--markdown", path("./r.json")}, "would replace the results");
    expect_error({"report", path("r.json"), path("r.md"), "--markdown", path("./r.md")}, "are one file");
    std::filesystem::create_directory(path("pictures"));
    expect_error({"report", path("all.json"), path("pictures/sort-u32.svg"), "--pictures", path("pictures")},
                 "are one file");
    EXPECT_TRUE(std::filesystem::is_empty(path("pictures")));
    EXPECT_EQ(text("r.json"), results);
    EXPECT_FALSE(std::filesystem::exists(path("r.csv")));
    EXPECT_FALSE(std::filesystem::exists(path("r.md")));
}

TEST_F(BenchOutput, FilesAreCheckedBeforeAnythingIsMeasured) {
    expect_error({"--quick", "--csv", path("no/such/folder")}, "there is no folder");
    expect_error({"--quick", "--csv", path(".")}, "it is a folder");
}

TEST(BenchCommand, LeavesOutFilesAndQuotes) {
    const char* const words[] = {"build/bench/vksort-bench",
                                 "--keys",
                                 "u32,f64",
                                 "--json",
                                 "/home/a/r.json",
                                 "--csv=r.csv",
                                 "--contenders=vksort auto,CUB",
                                 "--bits",
                                 "16:32",
                                 "--html",
                                 "r.html",
                                 "--device",
                                 "it's"};
    EXPECT_EQ(command_text(std::size(words), words),
              "vksort-bench --keys u32,f64 '--contenders=vksort auto,CUB' --bits 16:32 --device 'it'\\''s'");
    EXPECT_EQ(command_text(1, words), "vksort-bench");
}

} // namespace
} // namespace vksort::bench
