// SPDX-License-Identifier: MIT
//
// Text and tables of the report: everything that goes into a page goes through `escape`, or `escape_markdown`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vksort::bench::report {

// For text and for attributes in double quotes, of HTML and of XML. What is no UTF-8, or no character of XML, becomes
// U+FFFD.
std::string escape(std::string_view text);

// For text of Markdown as GitHub reads it, in a line of a table or elsewhere: no character of it is taken for markup, and a
// line break is a space. What `escape` replaces by U+FFFD becomes U+FFFD.
std::string escape_markdown(std::string_view text);
// The same with line breaks, none of which begins what Markdown takes for a list: 125 columns at most where words allow it.
std::string wrapped_markdown(std::string text);

// Four significant digits, never an exponent.
std::string number_text(double number);
std::string rate_text(double items_per_second); // "34.56 G/s"
std::string time_text(double microseconds);     // "485.4 µs"
std::string bytes_text(double bytes);           // "1.5 MiB"
std::string share_text(double share);           // "12.5%"
std::string ratio_text(double ratio);           // "0.85×"
// As count_text, with the exponent raised.
std::string raised_count_text(uint64_t count);
std::string raised_power_text(int exponent);

struct Cell {
    std::string text;
    const char* style = nullptr; // a class of the page's style sheet, or kBest; a constant, since it is not escaped
};
inline constexpr const char* kBest = "best"; // bold in Markdown

struct Table {
    std::vector<std::string> heads;
    std::vector<std::vector<Cell>> rows;
    size_t text_columns = 1; // the others are numbers, to the right
};

// In a box that scrolls by itself where the screen is narrow.
std::string table_html(const Table& table);
// The same behind a line to open it by; open at once if it is short.
std::string folded_table_html(const Table& table, const std::string& title);

std::string table_markdown(const Table& table);

} // namespace vksort::bench::report
