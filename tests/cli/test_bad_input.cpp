// SPDX-License-Identifier: MIT
//
// Every way to go wrong: the exit status, one line that names the cause and the fallback, and no file left behind.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runner.h"

namespace vksort::test {

class BadInput : public CliTest {
protected:
    void SetUp() override {
        CliTest::SetUp();
        write("keys.bin", random_bytes(4 * 100, 1));
        write("values.bin", random_bytes(4 * 100, 2));
    }
};

TEST_F(BadInput, UsageIsExplained) {
    expect_failure(2, "", {"subcommand is required", "vksort --help"});
    expect_failure(2, "shuffle @keys.bin", {"see vksort --help"});
    expect_failure(2, "sort", {"IN is required", "vksort sort --help"});
    expect_failure(2, "sort @keys.bin --type u32", {"--output is required"});
    expect_failure(2, "sort @keys.bin -o @out", {"--type is required"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --fast", {"--fast"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --value-size four", {"--value-size"});
    expect_failure(2, "verify", {"OUT is required"});
}

TEST_F(BadInput, HelpAndVersionAreNoFailures) {
    EXPECT_NE(run_well("--help").find("generate"), std::string::npos);
    EXPECT_NE(run_well("sort --help").find("--argsort"), std::string::npos);
    EXPECT_NE(run_well("sort --help").find("--timings"), std::string::npos);
    EXPECT_TRUE(run_well("--version").starts_with("vksort "));
}

TEST_F(BadInput, UnknownNamesComeWithTheKnownOnes) {
    expect_failure(2, "sort @keys.bin -o @out --type int", {"unknown key type 'int'", "u32 i32 f32 u64 i64 f64"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --algorithm quick", {"unknown algorithm 'quick'", "reduce_scan"});
}

TEST_F(BadInput, SizesMustFit) {
    write("odd.bin", random_bytes(10, 1));
    expect_failure(2, "sort @odd.bin -o @out --type u32", {"holds 10 bytes", "not a multiple of the 4", "--type"});
    RunOptions options;
    options.input = "12345";
    expect_failure(2, "sort - -o @out --type u16", {"standard input holds 5 bytes"}, options);
    write("few.bin", random_bytes(4 * 99, 1));
    expect_failure(2, "sort @keys.bin -o @out --type u32 --values @few.bin --values-out @vout",
                   {"few.bin", "396 bytes", "100 keys", "need 400"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --values @values.bin --value-size 8 --values-out @vout",
                   {"400 bytes", "need 800", "--value-size"});
}

TEST_F(BadInput, FilesMustBeReadable) {
    expect_failure(2, "sort @missing.bin -o @out --type u32", {"cannot read", "missing.bin", "No such file"});
    expect_failure(2, "sort / -o @out --type u32", {"cannot read '/'", "it is a folder"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --values @missing.bin --values-out @vout", {"missing.bin"});
    if (geteuid() != 0) { // root reads everything
        std::filesystem::permissions(path("keys.bin"), std::filesystem::perms::none);
        expect_failure(2, "sort @keys.bin -o @out --type u32", {"cannot read", "Permission denied"});
    }
}

TEST_F(BadInput, OutputsMustBeWritable) {
    expect_failure(2, "sort @keys.bin -o @no/folder/out --type u32",
                   {"cannot write", "there is no folder", "create it first"});
    expect_failure(2, "sort @keys.bin -o / --type u32", {"cannot write '/'", "it is a folder"});
    expect_failure(2, "sort @keys.bin -o @out --type u32 --values @values.bin --values-out @no/vout",
                   {"there is no folder"});
    if (geteuid() != 0) {
        expect_failure(2, "sort @keys.bin -o /proc/out --type u32", {"cannot write"});
    }
}

TEST_F(BadInput, NothingIsLeftOfAFileThatCannotBeWrittenWhole) {
    RunOptions options;
    options.largest_file = 100000; // a full disk, as far as the tool can tell
    expect_failure(2, "generate --type u32 --count 100000 -o @out", {"cannot write", "File too large"}, options);
    write("old", random_bytes(50, 1));
    expect_failure(2, "generate --type u32 --count 100000 -o @old", {"cannot write"}, options);
    EXPECT_EQ(read("old"), random_bytes(50, 1));
}

TEST_F(BadInput, NothingIsLeftAfterAnInterrupt) {
    const pid_t child = fork();
    if (child == 0) {
        const std::string out = path("out");
        const char* given = std::getenv("VKSORT_CLI");
        execl(given != nullptr ? given : VKSORT_CLI_PATH, "vksort", "generate", "--type", "u64", "--count", "2^25", "-o",
              out.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    for (int i = 0; i < 2000 && files().size() == 2; ++i) { // until the file that will be renamed is there
        usleep(1000);
    }
    kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) { // it was done before the interrupt: then the result is there, and whole
        EXPECT_EQ(WEXITSTATUS(status), 0);
        EXPECT_GT(files().size(), 2u);
        return;
    }
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    EXPECT_EQ(files(), (std::vector<std::string>{"keys.bin", "values.bin"}));
}

TEST_F(BadInput, OptionsMustAgree) {
    const std::string sort = "sort @keys.bin -o @out --type u32 ";
    expect_failure(2, sort + "--values @values.bin", {"--values and --values-out go together"});
    expect_failure(2, sort + "--values-out @vout", {"--values and --values-out go together"});
    expect_failure(2, sort + "--value-size 8", {"--value-size needs --values"});
    expect_failure(2, sort + "--argsort --values @values.bin --values-out @vout", {"--argsort makes its own values"});
    expect_failure(2, sort + "--values @values.bin --values-out @out", {"cannot both go to"});
    expect_failure(2, sort + "--values @values.bin --values-out @vout --value-size 6", {"--value-size 6", "4, 8, 12 or 16"});
    expect_failure(2, sort + "--values @values.bin --values-out @vout --value-size 20", {"--value-size 20"});
    expect_failure(2, "sort - -o @out --type u32 --values - --values-out @vout", {"standard input"});
}

TEST_F(BadInput, BitRangesMustLieInTheKey) {
    const std::string sort = "sort @keys.bin -o @out --type u32 --bits ";
    for (const char* bits : {"0:33", "8:8", "9:8", "8", "a:b", "-1:8", ":8", "8:", "1:2:3"}) {
        expect_failure(2, sort + bits, {bits, "A:B", "32"});
    }
}

TEST_F(BadInput, DevicesMustExist) {
    expect_failure(3, "sort @keys.bin -o @out --type u32 --device 99", {"there is no device 99; there are: 0 = "});
    expect_failure(3, "sort @keys.bin -o @out --type u32 --device voodoo", {"'voodoo'", "there are: 0 = "});
}

TEST_F(BadInput, MachinesWithoutADriverAreTold) {
    RunOptions options;
    options.environment = {{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}};
    const char* const words = "no Vulkan driver found: install one (on Debian: apt-get install mesa-vulkan-drivers)";
    expect_failure(3, "sort @keys.bin -o @out --type u32", {words}, options);
    expect_failure(3, "info", {words}, options);
    expect_failure(3, "plan --type u32 --count 10 --device 0", {words}, options);
    const RunResult json = run("info --json", options);
    EXPECT_EQ(json.status, 3);
    EXPECT_TRUE(nlohmann::json::parse(json.out)["devices"].empty());
}

TEST_F(BadInput, TooManyKeysForTheDevice) {
    const nlohmann::json info = nlohmann::json::parse(run_well("info --json"));
    const nlohmann::json& device = info["devices"][0];
    uint64_t largest = 0;
    for (const auto& [name, algorithm] : device["algorithms"].items()) {
        largest = std::max(largest, algorithm.value("largest_count_u32", uint64_t{0}));
    }
    write("large.bin", {});
    std::filesystem::resize_file(path("large.bin"), (largest + 1) * 4); // sparse
    expect_failure(3, "sort @large.bin -o @out --type u32 --device 0", {std::to_string(largest)});
}

TEST_F(BadInput, TooManyKeysForTheAlgorithm) {
    write("large.bin", random_bytes(4 * 100000, 1));
    expect_failure(2, "sort @large.bin -o @out --type u32 --algorithm one_workgroup", {"one_workgroup"});
}

} // namespace vksort::test
