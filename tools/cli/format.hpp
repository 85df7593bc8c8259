// SPDX-License-Identifier: MIT
//
// Numbers and tables as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// 1000000 -> "1,000,000"
std::string with_commas(uint64_t number);

// 3145728 -> "3.00 MiB"
std::string bytes_text(uint64_t bytes);

// 1234.5 -> "1.23 ms"
std::string time_text(double microseconds);

// Elements a second: "12.3 M/s"
std::string rate_text(uint64_t elements, double microseconds);

// Rows of cells, columns padded; the first row is the heading. The first `left` columns are aligned to the left.
std::string table_text(const std::vector<std::vector<std::string>>& rows, size_t left);

// "1000000" or "2^20". Fails naming `what`.
uint64_t parse_count(const std::string& text, const char* what);
