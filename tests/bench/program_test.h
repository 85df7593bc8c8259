// SPDX-License-Identifier: MIT
//
// A program run as users run it, in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace vksort::bench {

// Where a program's standard streams go: to the files "out" and "err", or elsewhere.
struct Streams {
    std::string out_path, err_path;
    std::vector<int> closed; // the numbers of those that are not there
};

class ProgramTest : public testing::Test {
protected:
    explicit ProgramTest(const char* program) : program_(program) {}

    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "vksort-bench-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string text(const std::string& name) const {
        std::ifstream file(folder_ / name, std::ios::binary);
        std::ostringstream content;
        content << file.rdbuf();
        return content.str();
    }
    pid_t start(std::vector<std::string> words, const Streams& streams = {}) const {
        words.insert(words.begin(), program_);
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            const auto open_for_writing = [](const std::string& name) {
                return open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
            };
            dup2(open_for_writing(streams.out_path.empty() ? path("out") : streams.out_path), STDOUT_FILENO);
            dup2(open_for_writing(streams.err_path.empty() ? path("err") : streams.err_path), STDERR_FILENO);
            for (const int number : streams.closed) {
                close(number);
            }
            execv(arguments[0], arguments.data());
            _exit(127);
        }
        return child;
    }
    static int finish(pid_t child) {
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int run(const std::vector<std::string>& words, const Streams& streams = {}) const {
        return finish(start(words, streams));
    }

private:
    std::string program_;
    std::filesystem::path folder_;
};

} // namespace vksort::bench
