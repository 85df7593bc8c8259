// SPDX-License-Identifier: MIT
#include "runner.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

namespace fs = std::filesystem;

namespace vksort::test {

namespace {

std::string program() {
    const char* given = std::getenv("VKSORT_CLI");
    return given != nullptr ? given : VKSORT_CLI_PATH;
}

std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void spill(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    ASSERT_TRUE(file.good()) << path;
}

int open_pipe_without_reader() {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) {
        return -1;
    }
    close(ends[0]);
    return ends[1];
}

int open_for_writing(const fs::path& usual, const std::string& given) {
    return open(given.empty() ? usual.c_str() : given.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

} // namespace

std::string to_string(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

Bytes to_bytes(const std::string& text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return Bytes(bytes, bytes + text.size());
}

Bytes random_bytes(size_t size, uint32_t seed) {
    std::mt19937 random(seed);
    Bytes bytes(size);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<std::byte>(random()); });
    return bytes;
}

Bytes reordered(const Bytes& records, uint32_t record_size, const std::vector<uint32_t>& order) {
    return reference::gather(records, record_size, order);
}

void CliTest::SetUp() {
    std::string pattern = (fs::temp_directory_path() / "vksort-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = fs::path(pattern) / "files";
    pipes_ = fs::path(pattern) / "pipes";
    fs::create_directory(folder_);
    fs::create_directory(pipes_);
}

void CliTest::TearDown() { fs::remove_all(folder_.parent_path()); }

std::string CliTest::path(const std::string& name) const { return (folder_ / name).string(); }

void CliTest::write(const std::string& name, const Bytes& bytes) const { spill(folder_ / name, to_string(bytes)); }

Bytes CliTest::read(const std::string& name) const {
    EXPECT_TRUE(fs::exists(folder_ / name)) << name;
    return to_bytes(slurp(folder_ / name));
}

std::vector<std::string> CliTest::files() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

RunResult CliTest::run(const std::string& words, const RunOptions& options) {
    std::vector<std::string> arguments = {program()};
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        arguments.push_back(word[0] == '@' ? path(word.substr(1)) : word);
    }
    spill(pipes_ / "in", options.input);

    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int in = open((pipes_ / "in").c_str(), O_RDONLY | O_CLOEXEC);
        const int out =
            options.closed_output ? open_pipe_without_reader() : open_for_writing(pipes_ / "out", options.out_path);
        const int err = open_for_writing(pipes_ / "err", options.err_path);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        for (const int number : options.closed) {
            close(number);
        }
        for (const auto& [name, value] : options.environment) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        if (options.largest_file != 0) {
            const rlimit limit = {options.largest_file, options.largest_file};
            setrlimit(RLIMIT_FSIZE, &limit);
        }
        execv(pointers[0], pointers.data());
        _exit(127);
    }
    EXPECT_GT(child, 0);
    int wait_status = 0;
    EXPECT_EQ(waitpid(child, &wait_status, 0), child);
    RunResult result;
    result.status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
    result.out = options.closed_output || !options.out_path.empty() ? "" : slurp(pipes_ / "out");
    result.err = options.err_path.empty() ? slurp(pipes_ / "err") : "";
    return result;
}

std::string CliTest::run_well(const std::string& words, const std::string& input) {
    RunOptions options;
    options.input = input;
    const RunResult result = run(words, options);
    EXPECT_EQ(result.status, 0) << words << "\n" << result.err;
    EXPECT_EQ(result.err, "") << words;
    return result.out;
}

void CliTest::expect_failure(int status, const std::string& words, const std::vector<std::string>& parts,
                             const RunOptions& options) {
    const std::vector<std::string> before = files();
    const RunResult result = run(words, options);
    EXPECT_EQ(result.status, status) << words << "\n" << result.err;
    EXPECT_EQ(result.out, "") << words;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << words << "\n" << result.err;
    EXPECT_TRUE(result.err.starts_with("vksort: ")) << result.err;
    for (const std::string& part : parts) {
        EXPECT_NE(result.err.find(part), std::string::npos) << words << "\nexpected: " << part << "\nfound: " << result.err;
    }
    EXPECT_EQ(files(), before) << words;
}

} // namespace vksort::test
