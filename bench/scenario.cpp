// SPDX-License-Identifier: MIT
#include "scenario.h"

#include <bit>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

namespace vksort::bench {

namespace {

constexpr Operation kOperations[] = {Operation::sort, Operation::merge, Operation::segmented_sort};

template <typename Value, typename Values> Value parse_name(std::string_view name, const char* what, const Values& values) {
    std::string known;
    for (const Value value : values) {
        if (name == name_of(value)) {
            return value;
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(value));
    }
    throw std::invalid_argument(fmt::format("there is no {} {}, only {}", what, name, known));
}

template <typename Number> bool parse_whole(std::string_view text, Number& number) {
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && rest == text.data() + text.size();
}

} // namespace

const char* name_of(Operation operation) {
    switch (operation) {
    case Operation::merge: return "merge";
    case Operation::segmented_sort: return "segmented_sort";
    default: return "sort";
    }
}

const char* name_of(Distribution distribution) {
    switch (distribution) {
    case Distribution::and2: return "and2";
    case Distribution::and3: return "and3";
    case Distribution::and4: return "and4";
    case Distribution::and5: return "and5";
    case Distribution::sorted: return "sorted";
    case Distribution::reversed: return "reversed";
    case Distribution::equal: return "equal";
    case Distribution::few: return "few";
    case Distribution::nearly_sorted: return "nearly-sorted";
    case Distribution::low16: return "low16";
    case Distribution::zipf: return "zipf";
    case Distribution::unit: return "unit";
    case Distribution::normal: return "normal";
    case Distribution::offset: return "offset";
    case Distribution::projected: return "projected";
    case Distribution::splats: return "splats";
    case Distribution::morton: return "morton";
    default: return "uniform";
    }
}

Operation parse_operation(std::string_view name) { return parse_name<Operation>(name, "operation", kOperations); }

Distribution parse_distribution(std::string_view name) {
    return parse_name<Distribution>(name, "distribution", kDistributions);
}

VksortKeyType parse_key_type(std::string_view name) {
    for (int type = VKSORT_KEY_U32; type <= VKSORT_KEY_I8; ++type) {
        if (name == vksortKeyTypeName(static_cast<VksortKeyType>(type))) {
            return static_cast<VksortKeyType>(type);
        }
    }
    throw std::invalid_argument(fmt::format("there is no key type {}, only u, i and f with 8 to 64 bits (no f8)", name));
}

uint64_t parse_count(const std::string& text) {
    uint64_t base = 0, exponent = 1;
    const size_t caret = text.find('^');
    bool good = parse_whole(std::string_view(text).substr(0, caret), base);
    if (caret != std::string::npos) {
        good = good && parse_whole(std::string_view(text).substr(caret + 1), exponent) && base == 2 && exponent < 40;
        base = uint64_t{1} << (exponent & 63);
    }
    if (!good || base > uint64_t{1} << 39) {
        throw std::invalid_argument(fmt::format("{} is no count: write 1000000 or 2^20", text));
    }
    return base;
}

uint64_t parse_sorted_count(const std::string& text) {
    const uint64_t count = parse_count(text);
    if (count == 0) {
        throw std::invalid_argument("there is nothing to sort in 0 elements");
    }
    return count;
}

uint32_t checked_value_bytes(uint32_t bytes) {
    if (bytes % 4 != 0 || bytes > 16) {
        throw std::invalid_argument(fmt::format("values of {} bytes: they have 0, 4, 8, 12 or 16", bytes));
    }
    return bytes;
}

BitRange parse_bits(const std::string& text) {
    BitRange bits;
    const size_t colon = text.find(':');
    if (colon == std::string::npos || !parse_whole(std::string_view(text).substr(0, colon), bits.begin) ||
        !parse_whole(std::string_view(text).substr(colon + 1), bits.end)) {
        throw std::invalid_argument(fmt::format("{} is no range of bits: write 16:32 for the bits 16 to 31", text));
    }
    if (bits.begin >= bits.end) {
        throw std::invalid_argument(
            fmt::format("there are no bits in {}: the second number is the first bit left out", text));
    }
    return bits;
}

BitRange bits_of_key(BitRange bits, VksortKeyType key) {
    const uint32_t width = 8 * vksortKeySize(key);
    if (bits.end > width) {
        throw std::invalid_argument(
            fmt::format("bits {}:{} of a {} key: it has {}", bits.begin, bits.end, vksortKeyTypeName(key), width));
    }
    return bits == BitRange{0, width} ? BitRange{} : bits;
}

std::string kind_text(const Scenario& scenario) {
    const char* key = vksortKeyTypeName(scenario.key);
    return scenario.value_bytes == 0 ? key : fmt::format("{}+{}", key, scenario.value_bytes);
}

void parse_kind(const std::string& text, Scenario& scenario) {
    const size_t plus = text.find('+');
    scenario.key = parse_key_type(std::string_view(text).substr(0, plus));
    uint64_t bytes = 0;
    if (plus != std::string::npos &&
        (!parse_whole(std::string_view(text).substr(plus + 1), bytes) || bytes == 0 || bytes > UINT32_MAX)) {
        throw std::invalid_argument(fmt::format("{} is no kind of sort: write u32, or u32+4 with values", text));
    }
    scenario.value_bytes = checked_value_bytes(static_cast<uint32_t>(bytes));
}

std::string count_text(uint64_t count) {
    return count >= 1024 && std::has_single_bit(count) ? fmt::format("2^{}", std::countr_zero(count))
                                                       : fmt::format("{}", count);
}

std::string text_of(const Scenario& scenario) {
    std::string text = fmt::format("{} {}", name_of(scenario.operation), kind_text(scenario));
    if (scenario.descending) {
        text += " descending";
    }
    if (!scenario.bits.is_all()) {
        text += fmt::format(", bits {} to {}", scenario.bits.begin, scenario.bits.end - 1);
    }
    text += fmt::format(", {}, {}", count_text(scenario.count), name_of(scenario.distribution));
    if (scenario.operation == Operation::segmented_sort) {
        text += fmt::format(", mean {}", scenario.mean_segment);
    }
    return text;
}

} // namespace vksort::bench
