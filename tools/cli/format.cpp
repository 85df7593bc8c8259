// SPDX-License-Identifier: MIT
#include "format.hpp"

#include <algorithm>
#include <charconv>

#include "failure.hpp"

namespace {

bool parse_whole(std::string_view text, uint64_t& number) {
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && rest == text.data() + text.size();
}

} // namespace

std::string with_commas(uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && (digits.size() - i) % 3 == 0) {
            text += ',';
        }
        text += digits[i];
    }
    return text;
}

std::string bytes_text(uint64_t bytes) {
    if (bytes < 1024) {
        return fmt::format("{} B", bytes);
    }
    static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < std::size(kUnits); ++unit) {
        value /= 1024;
    }
    return value == static_cast<double>(static_cast<uint64_t>(value)) ? fmt::format("{:.0f} {}", value, kUnits[unit])
                                                                      : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string time_text(double microseconds) {
    if (microseconds < 1000) {
        return fmt::format("{:.1f} us", microseconds);
    }
    return microseconds < 1e6 ? fmt::format("{:.2f} ms", microseconds / 1e3) : fmt::format("{:.2f} s", microseconds / 1e6);
}

std::string rate_text(uint64_t elements, double microseconds) {
    const double mega = microseconds > 0 ? static_cast<double>(elements) / microseconds : 0;
    return mega < 1000 ? fmt::format("{:.1f} M/s", mega) : fmt::format("{:.2f} G/s", mega / 1000);
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, size_t left) {
    std::vector<size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            line += i < left ? fmt::format("  {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

uint64_t parse_count(const std::string& text, const char* what) {
    uint64_t base = 0;
    uint64_t exponent = 1;
    const size_t caret = text.find('^');
    bool good = parse_whole(std::string_view(text).substr(0, caret), base);
    if (good && caret != std::string::npos) {
        good = parse_whole(std::string_view(text).substr(caret + 1), exponent);
    }
    uint64_t count = 1;
    for (uint64_t i = 0; good && i < exponent && base > 1; ++i) {
        good = count <= UINT64_MAX / base;
        count *= base;
    }
    if (!good) {
        fail(kBadInput, "{} '{}' is not a count: write 1000000 or 2^20", what, text);
    }
    return base > 1 || exponent == 0 ? count : base;
}
