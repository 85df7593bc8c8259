// SPDX-License-Identifier: MIT
//
// The options that `sort` and `plan` share, and reading what they name.
#pragma once

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "vksort/vksort.h"

struct BitRange {
    uint32_t begin = 0;
    uint32_t end = 0; // both 0: all bits
};

// "A:B", the bits from A up to but not including B. Fails where it is none of `type`.
BitRange parse_bits(const std::string& text, VksortKeyType type);

struct SortOptions {
    std::string input;
    std::string output;
    std::string type;
    std::string values;
    std::string values_output;
    uint32_t value_size = 0; // 0: not given
    bool argsort = false;
    bool descending = false;
    std::string bits;
    std::string algorithm = "auto";
    std::string device;
    bool text = false;
    bool timings = false;
    bool summary = false;
    bool validation = false;

    void add_to(CLI::App& command, bool planning);
    // Fails where options contradict each other or mean nothing. maxCount stays 0.
    VksortPlanDesc description() const;
};

// The keys of a file: raw, or numbers a line. Fails where the file holds no whole number of keys.
std::vector<std::byte> read_keys(const std::string& path, VksortKeyType type, bool text);

// The raw values of a file. Fails where their number differs from `count`.
std::vector<std::byte> read_values(const std::string& path, uint32_t value_size, uint64_t count);

// "'keys.bin'" or "standard input".
std::string shown_name(const std::string& path);
