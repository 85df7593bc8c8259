// SPDX-License-Identifier: MIT
//
// What the programs write: the standard streams, and files that appear whole or not at all.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vksort::files {

// A file that cannot be written, in one sentence.
class FileError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// To be called once, before anything else: standard streams that can be relied on, write errors in place of signals, and
// no half-written file left behind by an interrupt.
void prepare_program();

bool is_terminal(std::FILE* stream);

// Prints to standard error. A failure to do so cannot be reported, and the program goes on.
void print_error(std::string_view text);

// Prints to standard output. A failure is kept for check_output().
void print_output(std::string_view text);

// Throws FileError if standard output could not be written at any time.
void check_output();

// Whether two names, symbolic links followed, are of one file that exists.
bool is_same_file(const std::string& a, const std::string& b);

// One of OutputFiles.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);

private:
    friend class OutputFiles;

    bool is_standard_output() const { return path_ == "-"; }
    bool is_same_file(const OutputFile& other) const;
    void open();
    void close();
    void put_in_place();
    [[noreturn]] void fail(int error) const;

    std::string path_;                // as given, for messages
    std::filesystem::path target_;    // with symbolic links followed
    std::filesystem::path temporary_; // empty where target_ is written directly
    std::FILE* stream_ = nullptr;
    int slot_ = -1;
};

// The files that a program writes. Each is written beside its place, and then all are put in their places: what can fail
// for want of space or permission fails before any has changed. A file that is replaced keeps its permissions. Devices
// and pipes are written directly; "-" is standard output.
class OutputFiles {
public:
    // Throws FileError where the file cannot be written, or is the same as one before. Nothing is created yet. The
    // reference stays good.
    OutputFile& add(const std::string& path);

    // After the last write to any of them.
    void commit();

private:
    std::vector<std::unique_ptr<OutputFile>> files_;
};

} // namespace vksort::files
