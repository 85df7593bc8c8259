// SPDX-License-Identifier: MIT
#include "key_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "failure.hpp"
#include "key_type.hpp"

namespace {

enum class Parsed { good, not_a_number, out_of_range };

template <class Number> Parsed parse_number(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc::result_out_of_range) {
        return Parsed::out_of_range;
    }
    return error == std::errc{} && rest == end ? Parsed::good : Parsed::not_a_number;
}

template <class Integer> Parsed parse_integer(std::string_view text, uint64_t& key) {
    Integer number = 0;
    Parsed parsed = parse_number(text, number);
    if (std::is_unsigned_v<Integer> && parsed == Parsed::not_a_number && text.size() > 1 && text[0] == '-') {
        // from_chars knows no minus for unsigned numbers; tell -1 from nonsense.
        uint64_t magnitude = 0;
        parsed = parse_number(text.substr(1), magnitude) == Parsed::not_a_number ? parsed : Parsed::out_of_range;
    }
    key = static_cast<std::make_unsigned_t<Integer>>(number);
    return parsed;
}

// What the three float types differ in.
struct FloatFormat {
    uint32_t fraction_bits;
    uint64_t infinity; // exponent all ones
    uint64_t sign;
    uint64_t quiet_nan() const { return infinity | uint64_t{1} << (fraction_bits - 1); }
    uint64_t fraction_mask() const { return low_mask(fraction_bits); }
};

FloatFormat float_format(VksortKeyType type) {
    switch (type) {
    case VKSORT_KEY_F16: return {10, 0x7c00, 0x8000};
    case VKSORT_KEY_F32: return {23, 0x7f800000, 0x80000000};
    default: return {52, 0x7ff0000000000000, 0x8000000000000000};
    }
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
    if (text.size() != lower.size()) {
        return false;
    }
    for (size_t i = 0; i < text.size(); ++i) {
        if ((text[i] | 0x20) != lower[i]) {
            return false;
        }
    }
    return true;
}

// "nan" is the usual quiet NaN; "nan(0x1)" has these bits in its fraction.
Parsed parse_nan(std::string_view text, const FloatFormat& format, uint64_t& key) {
    key = format.quiet_nan();
    if (text.size() == 3) {
        return Parsed::good;
    }
    if (text.size() < 7 || text.substr(3, 3) != "(0x" || text.back() != ')') {
        return Parsed::not_a_number;
    }
    const std::string_view digits = text.substr(6, text.size() - 7);
    uint64_t fraction = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), fraction, 16);
    if (error == std::errc::invalid_argument || rest != digits.data() + digits.size()) {
        return Parsed::not_a_number;
    }
    if (error != std::errc{} || fraction == 0 || fraction > format.fraction_mask()) {
        return Parsed::out_of_range;
    }
    key = format.infinity | fraction;
    return Parsed::good;
}

// from_chars calls a number out of range both when it is too large and when it is nearly zero; strtod tells them apart.
template <class Float> Parsed parse_finite(std::string_view text, Float& number) {
    Parsed parsed = parse_number(text, number);
    if (parsed == Parsed::out_of_range && std::fabs(std::strtod(std::string(text).c_str(), nullptr)) < 1) {
        number = 0;
        parsed = Parsed::good;
    }
    return parsed == Parsed::good && !std::isfinite(number) ? Parsed::out_of_range : parsed;
}

Parsed parse_finite(std::string_view text, VksortKeyType type, uint64_t& key) {
    if (type == VKSORT_KEY_F32) {
        float number = 0;
        const Parsed parsed = parse_finite(text, number);
        key = std::bit_cast<uint32_t>(number);
        return parsed;
    }
    double number = 0;
    const Parsed parsed = parse_finite(text, number);
    if (type == VKSORT_KEY_F64) {
        key = std::bit_cast<uint64_t>(number);
        return parsed;
    }
    key = double_to_half(number);
    return parsed == Parsed::good && key == float_format(type).infinity ? Parsed::out_of_range : parsed;
}

Parsed parse_float(std::string_view text, VksortKeyType type, uint64_t& key) {
    const FloatFormat format = float_format(type);
    const bool negative = text.starts_with('-');
    if (negative) {
        text.remove_prefix(1);
    }
    Parsed parsed = Parsed::good;
    if (text.empty() || text[0] == '-') {
        return Parsed::not_a_number;
    }
    if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity")) {
        key = format.infinity;
    } else if (equals_ignoring_case(text.substr(0, 3), "nan")) {
        parsed = parse_nan(text, format, key);
    } else {
        parsed = parse_finite(text, type, key);
    }
    key |= negative ? format.sign : 0;
    return parsed;
}

Parsed parse_key(std::string_view text, VksortKeyType type, uint64_t& key) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') {
        text.remove_prefix(1);
    }
    switch (type) {
    case VKSORT_KEY_U8: return parse_integer<uint8_t>(text, key);
    case VKSORT_KEY_I8: return parse_integer<int8_t>(text, key);
    case VKSORT_KEY_U16: return parse_integer<uint16_t>(text, key);
    case VKSORT_KEY_I16: return parse_integer<int16_t>(text, key);
    case VKSORT_KEY_U32: return parse_integer<uint32_t>(text, key);
    case VKSORT_KEY_I32: return parse_integer<int32_t>(text, key);
    case VKSORT_KEY_U64: return parse_integer<uint64_t>(text, key);
    case VKSORT_KEY_I64: return parse_integer<int64_t>(text, key);
    default: return parse_float(text, type, key);
    }
}

std::string range_of(VksortKeyType type) {
    const uint64_t ordered_last = low_mask(key_bits(type));
    if (!is_float(type)) {
        return fmt::format("{} to {}", key_to_text(type, from_ordered(type, 0)),
                           key_to_text(type, from_ordered(type, ordered_last)));
    }
    const uint64_t largest = float_format(type).infinity - 1;
    return fmt::format("up to {} either way, inf or nan", key_to_text(type, largest));
}

std::string_view trim(std::string_view line) {
    constexpr std::string_view kBlank = " \t\r";
    const size_t first = line.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : line.substr(first, line.find_last_not_of(kBlank) - first + 1);
}

// A line as a message shows it: short, and without control characters.
std::string quoted(std::string_view line) {
    constexpr size_t kLongest = 40;
    std::string shown;
    for (char c : line.substr(0, kLongest)) {
        shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    }
    return "'" + shown + (line.size() > kLongest ? "...'" : "'");
}

template <class Number> void append_number(std::string& text, Number number) {
    char buffer[64];
    text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
}

void append_half(std::string& text, uint16_t half) {
    const double value = half_to_double(half);
    char buffer[64];
    if (value == std::trunc(value)) { // at most five digits
        text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr);
        return;
    }
    // There is no to_chars for halves: the fewest digits that come back as this half. Five always do.
    for (int digits = 1; digits <= 5; ++digits) {
        char* end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits).ptr;
        double back = 0;
        std::from_chars(buffer, end, back);
        if (double_to_half(back) == half || digits == 5) {
            text.append(buffer, end);
            return;
        }
    }
}

void append_float(std::string& text, VksortKeyType type, uint64_t key) {
    const FloatFormat format = float_format(type);
    if ((key & format.infinity) == format.infinity) {
        const uint64_t fraction = key & format.fraction_mask();
        text += (key & format.sign) != 0 ? "-" : "";
        text += fraction == 0 ? "inf" : "nan";
        if (fraction != 0 && (format.infinity | fraction) != format.quiet_nan()) {
            text += fmt::format("(0x{:x})", fraction);
        }
        return;
    }
    if (type == VKSORT_KEY_F16) {
        append_half(text, static_cast<uint16_t>(key));
    } else if (type == VKSORT_KEY_F32) {
        append_number(text, std::bit_cast<float>(static_cast<uint32_t>(key)));
    } else {
        append_number(text, std::bit_cast<double>(key));
    }
}

} // namespace

std::vector<std::byte> parse_keys(std::string_view text, VksortKeyType type, const std::string& name) {
    const uint32_t size = vksortKeySize(type);
    std::vector<std::byte> keys;
    uint64_t blank_line = 0; // the first of blank lines that may turn out to be the end of the file
    uint64_t line_number = 0;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++line_number;
        if (line.empty()) {
            blank_line = blank_line != 0 ? blank_line : line_number;
            continue;
        }
        if (blank_line != 0) {
            fail(kBadInput, "line {} of {} is empty: give one {} a line", blank_line, name, vksortKeyTypeName(type));
        }
        uint64_t key = 0;
        switch (parse_key(line, type, key)) {
        case Parsed::good: break;
        case Parsed::not_a_number:
            fail(kBadInput, "line {} of {} is not a number: {}; give one {} a line", line_number, name, quoted(line),
                 vksortKeyTypeName(type));
        case Parsed::out_of_range:
            fail(kBadInput, "line {} of {} is out of range: {} is no {} ({})", line_number, name, quoted(line),
                 vksortKeyTypeName(type), range_of(type));
        }
        const auto* bytes = reinterpret_cast<const std::byte*>(&key);
        keys.insert(keys.end(), bytes, bytes + size);
    }
    return keys;
}

void append_key(std::string& text, VksortKeyType type, uint64_t key) {
    switch (type) {
    case VKSORT_KEY_I8: return append_number(text, static_cast<int8_t>(key));
    case VKSORT_KEY_I16: return append_number(text, static_cast<int16_t>(key));
    case VKSORT_KEY_I32: return append_number(text, static_cast<int32_t>(key));
    case VKSORT_KEY_I64: return append_number(text, static_cast<int64_t>(key));
    case VKSORT_KEY_F16:
    case VKSORT_KEY_F32:
    case VKSORT_KEY_F64: return append_float(text, type, key);
    default: return append_number(text, key);
    }
}

std::string key_to_text(VksortKeyType type, uint64_t key) {
    std::string text;
    append_key(text, type, key);
    return text;
}

std::string keys_to_text(std::span<const std::byte> keys, VksortKeyType type) {
    const uint32_t size = vksortKeySize(type);
    std::string text;
    for (uint64_t i = 0; i < keys.size() / size; ++i) {
        append_key(text, type, load_key(keys.data(), i, size));
        text += '\n';
    }
    return text;
}
