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
    // The child's standard output and error go to the files "out" and "err".
    pid_t start(std::vector<std::string> words) const {
        words.insert(words.begin(), program_);
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            dup2(open(path("out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
            dup2(open(path("err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
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
    int run(const std::vector<std::string>& words) const { return finish(start(words)); }

private:
    std::string program_;
    std::filesystem::path folder_;
};

} // namespace vksort::bench
