// SPDX-License-Identifier: MIT
#include "report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <iterator>

#include "report_data.h"

namespace vksort::bench::report {

namespace {

constexpr size_t kShortTable = 16; // rows
constexpr const char* kText = "t"; // the style of text among numbers

// The bytes of the character that `text` begins with, or 0 if that is none.
size_t character_size(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const size_t size = byte(0) < 0x80             ? 1
                        : (byte(0) & 0xE0) == 0xC0 ? 2
                        : (byte(0) & 0xF0) == 0xE0 ? 3
                        : (byte(0) & 0xF8) == 0xF0 ? 4
                                                   : 0;
    if (size == 0 || size > text.size()) {
        return 0;
    }
    uint32_t code = size == 1 ? byte(0) : byte(0) & (0x7Fu >> size);
    for (size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3Fu);
    }
    constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool control = code < 0x20 && code != '\t' && code != '\n';
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); // hides text
    const bool good = code >= kLeast[size] && code <= 0x10FFFF && !control && !surrogate && !direction && code != 0x7F &&
                      code != 0xFFFE && code != 0xFFFF;
    return good ? size : 0;
}

// Text whose every byte of ASCII is replaced by what `replacement` says of its index, unless that is nothing.
template <class Replacement> std::string with_replacements(std::string_view text, Replacement replacement) {
    std::string replaced;
    for (size_t at = 0; at < text.size();) {
        const size_t size = character_size(text.substr(at));
        const std::string_view other = size == 0 ? "\uFFFD" : size == 1 ? replacement(at) : "";
        replaced += other.empty() ? text.substr(at, size) : other;
        at += std::max<size_t>(size, 1);
    }
    return replaced;
}

// Such columns stand to the left, their heads too.
bool is_text(const Table& table, size_t column) {
    const bool styled = !table.rows.empty() && column < table.rows[0].size() && table.rows[0][column].style != nullptr;
    return column < table.text_columns || (styled && table.rows[0][column].style == std::string_view(kText));
}

// `value` with the largest unit that leaves at least 1 of it.
std::string scaled_text(double value, double step, const std::vector<const char*>& units) {
    size_t unit = 0;
    for (; value >= step && unit + 1 < units.size(); ++unit) {
        value /= step;
    }
    return number_text(value) + " " + units[unit];
}

} // namespace

std::string escape(std::string_view text) {
    return with_replacements(text, [&](size_t at) -> std::string_view {
        switch (text[at]) {
        case '&': return "&amp;";
        case '<': return "&lt;";
        case '>': return "&gt;";
        case '"': return "&quot;";
        case '\'': return "&#39;";
        default: return "";
        }
    });
}

std::string escape_markdown(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_[]<>#|~&$";
    constexpr std::string_view kEscaped = R"(\\\`\*\_\[\]\<\>\#\|\~\&\$)";
    const auto is_of_word = [&](size_t at) {
        return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at]));
    };
    return with_replacements(text, [&](size_t at) -> std::string_view {
        if (text[at] == '\n' || text[at] == '\t') {
            return " ";
        }
        const size_t found = kMarkup.find(text[at]);
        const bool inside_word = text[at] == '_' && at > 0 && is_of_word(at - 1) && is_of_word(at + 1); // no emphasis
        return found == std::string_view::npos || inside_word ? "" : kEscaped.substr(2 * found, 2);
    });
}

std::string wrapped_markdown(std::string text) {
    constexpr size_t kColumns = 125;
    constexpr size_t kNone = std::string::npos;
    size_t last_space = kNone; // before a letter: digits and signs may begin a list
    size_t columns = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        columns += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
        if (text[i] == ' ' && i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1]))) {
            last_space = columns <= kColumns + 1 || last_space == kNone ? i : last_space;
        }
        if (columns > kColumns && last_space != kNone) {
            text[last_space] = '\n';
            i = last_space;
            columns = 0;
            last_space = kNone;
        }
    }
    return text;
}

std::string number_text(double number) {
    if (number == 0 || !std::isfinite(number)) {
        return number == 0 ? "0" : "-";
    }
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(number))));
    return fmt::format("{:.{}f}", number, std::clamp(3 - magnitude, 0, 12));
}

std::string rate_text(double items_per_second) {
    return scaled_text(items_per_second, 1000, {"/s", "k/s", "M/s", "G/s", "T/s"});
}

std::string time_text(double microseconds) { return scaled_text(microseconds, 1000, {"µs", "ms", "s"}); }

std::string bytes_text(double bytes) {
    return bytes < 1024 ? fmt::format("{:.0f} B", bytes)
                        : scaled_text(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

std::string share_text(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string ratio_text(double ratio) {
    return ratio < 10 ? fmt::format("{:.{}f}×", ratio, ratio < 0.1 ? 3 : 2) : fmt::format("{:.0f}×", ratio);
}

std::string raised_power_text(int exponent) {
    constexpr const char* kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "2⁻" : "2";
    for (char digit : std::to_string(std::abs(exponent))) {
        text += kRaised[digit - '0'];
    }
    return text;
}

std::string raised_count_text(uint64_t count) {
    return count >= 1024 && std::has_single_bit(count) ? raised_power_text(std::countr_zero(count)) : count_text(count);
}

std::string table_html(const Table& table) {
    std::string html = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
    const auto style_of = [&](size_t column, const char* style) {
        std::string classes = column < table.text_columns ? "" : "n";
        if (style != nullptr) {
            classes += (classes.empty() ? "" : " ") + std::string(style);
        }
        return classes.empty() ? "" : " class=\"" + classes + "\"";
    };
    for (size_t i = 0; i < table.heads.size(); ++i) {
        html +=
            fmt::format("<th scope=\"col\"{}>{}</th>",
                        style_of(i, is_text(table, i) && i >= table.text_columns ? kText : nullptr), escape(table.heads[i]));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const std::vector<Cell>& row : table.rows) {
        html += "<tr>";
        for (size_t i = 0; i < row.size(); ++i) {
            html += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", style_of(i, row[i].style), escape(row[i].text))
                           : fmt::format("<td{}>{}</td>", style_of(i, row[i].style), escape(row[i].text));
        }
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string table_markdown(const Table& table) {
    const auto line_of = [](const std::vector<Cell>& cells) {
        std::string line = "|";
        for (const Cell& cell : cells) {
            const char* mark = cell.style != nullptr && std::string_view(cell.style) == kBest ? "**" : "";
            line += fmt::format(" {}{}{} |", mark, escape_markdown(cell.text), mark);
        }
        return line + "\n";
    };
    std::vector<Cell> heads;
    std::string rule = "|";
    for (const std::string& head : table.heads) {
        rule += is_text(table, heads.size()) ? "---|" : "---:|";
        heads.push_back({head});
    }
    std::string text = line_of(heads) + rule + "\n";
    for (const std::vector<Cell>& row : table.rows) {
        text += line_of(row);
    }
    return text;
}

std::string folded_table_html(const Table& table, const std::string& title) {
    return fmt::format("<details{}><summary>{} ({} rows)</summary>\n{}</details>\n",
                       table.rows.size() <= kShortTable ? " open=\"open\"" : "", escape(title), table.rows.size(),
                       table_html(table));
}

} // namespace vksort::bench::report
