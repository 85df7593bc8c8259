// SPDX-License-Identifier: MIT
//
// Where results and messages go: standard streams that are missing or full, outputs that are one file, pairs of files, and
// permissions.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output_files.hpp"
#include "runner.h"

namespace vksort::test {

namespace fs = std::filesystem;

using files::FileError;
using files::OutputFile;

class Output : public CliTest {
protected:
    struct stat status_of(const std::string& name) const {
        struct stat status = {};
        EXPECT_EQ(stat(path(name).c_str(), &status), 0) << name;
        return status;
    }
    mode_t mode_of(const std::string& name) const { return status_of(name).st_mode & 07777; }
};

// The functions, without a program.
class OutputFiles : public Output {};

namespace {

std::vector<RunOptions> missing_streams(int number) {
    RunOptions closed;
    closed.closed = {number};
    RunOptions full;
    (number == STDERR_FILENO ? full.err_path : full.out_path) = "/dev/full";
    return {closed, full};
}

} // namespace

TEST_F(Output, TheStatusIsTheSameWithoutStandardError) {
    for (const RunOptions& options : missing_streams(STDERR_FILENO)) {
        EXPECT_EQ(run("sort @nofile -o @out --type u32", options).status, 2);
        EXPECT_EQ(run("shuffle", options).status, 2);
        EXPECT_EQ(run("plan --type u32 --count 10 --device voodoo", options).status, 3);
        EXPECT_EQ(files(), std::vector<std::string>{});
        EXPECT_EQ(run("generate --type u32 --count 10 -o @out", options).status, 0);
        write("out2", read("out"));
        fs::resize_file(path("out2"), 36);
        EXPECT_EQ(run("verify @out2 --type u32 --input @out", options).status, 1);
        fs::remove(path("out"));
        fs::remove(path("out2"));
    }
}

TEST_F(Output, StandardOutputThatCannotBeWrittenIsTold) {
    for (const RunOptions& options : missing_streams(STDOUT_FILENO)) {
        for (const char* words : {"--help", "--version", "sort --help", "demo", "info --json", "plan --type u32 --count 10",
                                  "generate --type u32 --count 10 --text -o -", "generate --type u32 --count 10 -o -"}) {
            expect_failure(2, words, {"cannot write to standard output: "}, options);
        }
    }
}

TEST_F(Output, WorksWithoutAnyStandardStream) {
    run_well("generate --type u32 --count 1000 -o @expected --values-out @values");
    RunOptions options;
    options.closed = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    EXPECT_EQ(run("generate --type u32 --count 1000 -o @out --values-out @vout", options).status, 0);
    EXPECT_EQ(read("out"), read("expected"));
    EXPECT_EQ(read("vout"), read("values"));
    EXPECT_EQ(run("sort - --type u32 -o @sorted", options).status, 2);
    EXPECT_EQ(files(), (std::vector<std::string>{"expected", "out", "values", "vout"}));
}

TEST_F(OutputFiles, NoFileTakesTheNumberOfAStandardStream) {
    const pid_t child = fork();
    if (child == 0) {
        for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            close(number);
        }
        files::prepare_program();
        const bool above = open(path("out").c_str(), O_WRONLY | O_CREAT, 0600) > STDERR_FILENO;
        char byte = 0;
        const bool fail = ::read(STDIN_FILENO, &byte, 1) == -1 && ::write(STDOUT_FILENO, &byte, 1) == -1 &&
                          ::write(STDERR_FILENO, &byte, 1) == -1;
        _exit(above && fail ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Output, TwoOutputsAreTwoFiles) {
    write("old", random_bytes(40, 1));
    fs::create_hard_link(path("old"), path("hard"));
    fs::create_symlink("old", path("soft"));
    fs::create_symlink(path("new"), path("dangling"));
    fs::create_symlink("dangling", path("chain"));
    fs::create_directory(path("folder"));
    fs::create_directory_symlink("folder", path("other"));
    const std::string folder = path("");
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {"@old", "@old"},
        {"@old", folder + "/./old"},
        {"@old", folder + "folder/../old"},
        {"@old", "@hard"},
        {"@old", "@soft"},
        {"@soft", "@hard"},
        {"@new", "@new"},
        {"@new", folder + "/./new"},
        {"@new", "@dangling"},
        {"@dangling", "@chain"},
        {"@chain", "@new"},
        {"-", "-"},
        {"-", "/dev/stdout"},
        {"@folder/new", "@other/new"},
    };
    for (const auto& [keys, values] : pairs) {
        const std::vector<std::string> parts = {"are one file", "give each a file of its own"};
        expect_failure(2, "generate --type u32 --text --count 10 -o " + keys + " --values-out " + values, parts);
        expect_failure(2, "generate --type u32 --text --count 10 -o " + values + " --values-out " + keys, parts);
        EXPECT_EQ(read("old"), random_bytes(40, 1)) << keys << " " << values;
    }
    EXPECT_TRUE(fs::is_empty(path("folder")));
    // Every command with two outputs.
    const std::string pair = " --type u32 -o @old --values-out @soft ";
    expect_failure(2, "sort @old --values @old" + pair, {"are one file"});
    expect_failure(2, "segsort @old --values @old --heads @old" + pair, {"are one file"});
    expect_failure(2, "merge @old @old --values @old --values-b @old" + pair, {"are one file"});
    // Standard output that goes to the other file.
    RunOptions options;
    options.out_path = path("hard");
    expect_failure(2, "generate --type u32 --count 10 -o - --values-out @old", {"are one file"}, options);
}

TEST_F(Output, OneNullDeviceIsEnoughForTwo) {
    run_well("generate --type u32 --count 10 -o /dev/null --values-out /dev/null");
}

TEST_F(Output, LinksStayLinks) {
    fs::create_symlink("new", path("link"));
    run_well("generate --type u32 --count 10 -o @link"); // makes the file
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read("new").size(), 40u);
    run_well("generate --type u32 --count 20 -o @link"); // replaces it
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read("new").size(), 80u);
}

// The values, which are smaller, could be written.
TEST_F(Output, APairIsReplacedAsAPair) {
    write("keys", random_bytes(50, 1));
    write("values", random_bytes(50, 2));
    RunOptions options;
    options.largest_file = 2000; // a full disk, as far as the tool can tell
    for (const char* outputs : {"-o @keys --values-out @values", "-o @values --values-out @keys"}) {
        expect_failure(2, std::string("generate --type u64 --count 300 ") + outputs, {"cannot write", "File too large"},
                       options);
        EXPECT_EQ(read("keys"), random_bytes(50, 1));
        EXPECT_EQ(read("values"), random_bytes(50, 2));
    }
}

TEST_F(OutputFiles, AReplacementThatFailsIsToldWithWhatWasReplaced) {
    write("one", random_bytes(50, 1));
    files::OutputFiles outputs;
    outputs.add(path("one")).write("first");
    outputs.add(path("two")).write("second");
    fs::create_directory(path("two")); // after it was seen that a file can be written there
    try {
        outputs.commit();
        FAIL() << "a folder was replaced";
    } catch (const FileError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("cannot write '" + path("two") + "': ")) << text;
        EXPECT_NE(text.find("that file is as it was, but '" + path("one") + "' has the new contents already"),
                  std::string::npos)
            << text;
    }
    EXPECT_EQ(to_string(read("one")), "first");
    EXPECT_TRUE(fs::is_empty(path("two")));
}

TEST_F(OutputFiles, NothingIsLeftWithoutACommit) {
    {
        files::OutputFiles outputs;
        outputs.add(path("one")).write("first");
        outputs.add(path("two")).write("second");
        EXPECT_EQ(files().size(), 2u);
    }
    EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(OutputFiles, NobodyElseReadsWhatReplacesAPrivateFile) {
    write("private", random_bytes(50, 1));
    fs::permissions(path("private"), fs::perms::owner_read | fs::perms::owner_write);
    files::OutputFiles outputs;
    OutputFile& output = outputs.add(path("private"));
    output.write("secret");
    for (const std::string& name : files()) {
        EXPECT_EQ(mode_of(name) & 0077, 0u) << name;
    }
    EXPECT_EQ(files().size(), 2u);
    outputs.commit();
    EXPECT_EQ(files(), std::vector<std::string>{"private"});
    EXPECT_EQ(mode_of("private"), 0600u);
    EXPECT_EQ(to_string(read("private")), "secret");
}

TEST_F(Output, PermissionsAreKept) {
    for (const mode_t mode : {0600u, 0640u, 0664u, 0444u, 0755u}) {
        write("out", {});
        ASSERT_EQ(chmod(path("out").c_str(), mode), 0);
        run_well("generate --type u32 --count 10 -o @out");
        EXPECT_EQ(mode_of("out"), mode);
        fs::remove(path("out"));
    }
}

TEST_F(Output, NewFilesGetWhatTheUmaskLeaves) {
    for (const mode_t mask : {0022u, 0077u, 0002u}) {
        const mode_t before = umask(mask);
        run_well("generate --type u32 --count 10 -o @out");
        umask(before);
        EXPECT_EQ(mode_of("out"), 0666u & ~mask);
        fs::remove(path("out"));
    }
}

TEST_F(Output, OwnerAndGroupAreKept) {
    write("out", {});
    if (chown(path("out").c_str(), 12345, 54321) != 0) {
        GTEST_SKIP() << "only root gives files away";
    }
    ASSERT_EQ(chmod(path("out").c_str(), 0640), 0);
    run_well("generate --type u32 --count 10 -o @out");
    EXPECT_EQ(status_of("out").st_uid, 12345u);
    EXPECT_EQ(status_of("out").st_gid, 54321u);
    EXPECT_EQ(mode_of("out"), 0640u);
}

// Replaces another user's file in a folder that both may write to. The new file belongs to the user that writes it, which
// is not in the old file's group.
TEST_F(OutputFiles, AnotherGroupMayDoWhatAnybodyMay) {
    write("out", {});
    if (chown(path("out").c_str(), 12345, 54321) != 0) {
        GTEST_SKIP() << "only root gives files away";
    }
    ASSERT_EQ(chmod(path("out").c_str(), 0664), 0);
    fs::permissions(path(""), fs::perms::all);
    fs::permissions(fs::path(path("")).parent_path().parent_path(), fs::perms::all);
    const pid_t child = fork();
    if (child == 0) {
        if (setgid(1000) != 0 || setuid(1000) != 0) {
            _exit(1);
        }
        files::OutputFiles outputs;
        outputs.add(path("out")).write("new");
        outputs.commit();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(to_string(read("out")), "new");
    EXPECT_EQ(status_of("out").st_uid, 1000u);
    EXPECT_EQ(mode_of("out"), 0644u);
}

} // namespace vksort::test
