// SPDX-License-Identifier: MIT
//
// Whole files in and out; "-" is standard input or output.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// To be called once, before anything else: binary standard streams, write errors instead of signals, and no half-written
// file left behind by an interrupt.
void prepare_files();

bool is_terminal(std::FILE* stream);

std::vector<std::byte> read_file(const std::string& path);

// Prints to standard output and fails if that cannot be written.
void print_out(std::string_view text);

// A file that appears whole at commit() or not at all: it is written beside its place and then renamed. Devices and pipes
// are written directly.
class OutputFile {
public:
    // Fails at once where the file cannot be created. Nothing is created yet.
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    bool is_standard_output() const { return path_ == "-"; }
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    // After the last write. With several files: write all, then commit all.
    void commit();

private:
    void open();
    void close();
    [[noreturn]] void fail_writing(int error);

    std::string path_;      // as given, for messages
    std::string target_;    // with symbolic links followed
    std::string temporary_; // empty where target_ is written directly
    std::FILE* stream_ = nullptr;
    int slot_ = -1;
};
