// SPDX-License-Identifier: MIT
//
// Whole files in, and text out; "-" is standard input. Files that are written: output_files.hpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

std::vector<std::byte> read_file(const std::string& path);

// Prints to standard output and fails if that cannot be written.
void print_out(std::string_view text);
