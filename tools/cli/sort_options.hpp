// SPDX-License-Identifier: MIT
//
// The options that `sort`, `merge`, `segsort` and `plan` share, and reading what they name.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "segments.hpp"
#include "vksort/vksort.h"

struct BitRange {
    uint32_t begin = 0;
    uint32_t end = 0; // both 0: all bits
};

// "A:B", the bits from A up to but not including B. Fails where it is none of `type`.
BitRange parse_bits(const std::string& text, VksortKeyType type);

struct SortOptions {
    enum class Command { sort, merge, segsort, plan };

    Command command = Command::sort;
    std::string input;
    std::string second_input; // merge: list B
    std::string output;
    std::string type;
    std::string values;
    std::string second_values; // merge: those of list B
    std::string values_output;
    uint32_t value_size = 0; // 0: not given
    bool argsort = false;
    bool descending = false;
    std::string comparator; // file of GLSL, in place of a type
    uint32_t key_size = 0;  // bytes of a key under a comparator
    std::string bits;
    SegmentOptions segments; // segsort
    std::string algorithm = "auto";
    std::string device;
    bool text = false;
    bool timings = false;
    bool summary = false;
    bool stats = false;
    bool validation = false;

    void add_to(CLI::App& app, Command for_command);
    // Fails where options contradict each other or mean nothing. The counts stay 0.
    VksortPlanDesc description() const;
    // Fails where two things would go through one file.
    void check_files() const;
    // "u32 keys with 4-byte values"
    std::string what() const;
    // Bytes of a key; good once description() was.
    uint32_t key_bytes() const;

private:
    void add_files(CLI::App& app);
    void add_values(CLI::App& app);
    void add_order(CLI::App& app);
    void add_key(CLI::App& app);
    VksortKeyType key_type() const;
    void add_running(CLI::App& app);
    // Options that matter only when something is sorted. `plan` accepts and ignores them, and hides them from its help.
    CLI::Option* add_run_option(CLI::Option* option) const;
};

// The keys of a file: raw, or numbers a line. Fails where the file holds no whole number of keys.
std::vector<std::byte> read_keys(const std::string& path, VksortKeyType type, bool text);

// The keys of a file, raw, of `size` bytes each.
std::vector<std::byte> read_raw_keys(const std::string& path, uint32_t size);

// The raw values of a file. Fails where their number differs from `count`.
std::vector<std::byte> read_values(const std::string& path, uint32_t value_size, uint64_t count);

// "'keys.bin'" or "standard input".
std::string shown_name(const std::string& path);
