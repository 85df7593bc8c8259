// SPDX-License-Identifier: MIT
#include "sort_options.hpp"

#include <charconv>

#include "failure.hpp"
#include "file.hpp"
#include "key_text.hpp"
#include "key_type.hpp"

namespace {

constexpr uint32_t kDefaultValueSize = 4;

VksortAlgorithm parse_algorithm(const std::string& name) {
    std::string names;
    for (int i = 0;; ++i) {
        const auto algorithm = static_cast<VksortAlgorithm>(i);
        const char* known = vksortAlgorithmName(algorithm);
        if (known == nullptr) {
            break;
        }
        if (name == known) {
            return algorithm;
        }
        names += fmt::format("{}{}", i == 0 ? "" : " ", known);
    }
    fail(kBadInput, "unknown algorithm '{}': use one of {}", name, names);
}

bool parse_number(std::string_view text, uint32_t& number) {
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && rest == text.data() + text.size();
}

} // namespace

BitRange parse_bits(const std::string& text, VksortKeyType type) {
    if (text.empty()) {
        return {};
    }
    BitRange range;
    const size_t colon = text.find(':');
    const uint32_t bits = key_bits(type);
    if (colon == std::string::npos || !parse_number(std::string_view(text).substr(0, colon), range.begin) ||
        !parse_number(std::string_view(text).substr(colon + 1), range.end) || range.begin >= range.end || range.end > bits) {
        fail(kBadInput, "'{}' is no range of the bits of a {}: write A:B with 0 <= A < B <= {}", text,
             vksortKeyTypeName(type), bits);
    }
    return range;
}

void SortOptions::add_to(CLI::App& command, bool planning) {
    // A plan takes the words of a sort, so that one can become the other by changing the command's name.
    CLI::Option* in = command.add_option(
        "IN", input, planning ? "File of keys to plan for, instead of --count" : "File of keys; - is standard input");
    CLI::Option* out = command.add_option(
        "-o,--output", output, planning ? "Accepted and not used" : "Where the result goes; - is standard output");
    in->type_name("");
    out->type_name("FILE");
    if (!planning) {
        in->required();
        out->required();
    }
    command.add_option("--type", type, "Key type: u8 i8 u16 i16 f16 u32 i32 f32 u64 i64 f64")->type_name("T")->required();
    command.add_option("--values", values, "File of raw values, one a key, that move with the keys")->type_name("FILE");
    command.add_option("--value-size", value_size, "Bytes of a value: 4, 8, 12 or 16; 4 if not given")->type_name("B");
    command.add_option("--values-out", values_output, planning ? "Accepted and not used" : "Where the sorted values go")
        ->type_name("FILE");
    command.add_flag("--argsort", argsort, "Write the u32 indices that would sort the keys, in place of the keys");
    command.add_flag("--descending", descending, "Largest first; equal keys keep their order all the same");
    command
        .add_option("--bits", bits,
                    "Sort only by bits A up to B of the key's order-preserving unsigned form, 0 being the lowest")
        ->type_name("A:B");
    command.add_option("--algorithm", algorithm, "auto, one_workgroup, onesweep or reduce_scan")
        ->type_name("NAME")
        ->capture_default_str();
    command
        .add_option("--device", device,
                    planning ? "Plan for this device, by number or part of its name; without, for a typical desktop GPU"
                             : "Number or part of the name of a device, see vksort info")
        ->type_name("N|NAME");
    command.add_flag("--text", text, planning ? "IN holds one number a line" : "Keys are text, one number a line");
    command.add_flag("--summary", summary,
                     planning ? "Accepted and not used" : "Say device, algorithm and time on standard error");
    command.add_flag("--timings", timings,
                     planning ? "Accepted and not used" : "Also show each pass with its time on the GPU");
    command.add_flag("--validation", validation,
                     planning ? "Accepted and not used"
                              : "Run under the Khronos validation layer; any message of it is a failure");
}

VksortPlanDesc SortOptions::description() const {
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_SORT;
    desc.keyType = parse_key_type(type);
    desc.algorithm = parse_algorithm(algorithm);
    const BitRange range = parse_bits(bits, desc.keyType);
    desc.beginBit = range.begin;
    desc.endBit = range.end;
    desc.flags |= descending ? VKSORT_PLAN_DESCENDING_BIT : 0;
    if (argsort) {
        if (!values.empty() || value_size != 0 || !values_output.empty()) {
            fail(kBadInput, "--argsort makes its own values: leave out --values, --value-size and --values-out");
        }
        desc.flags |= VKSORT_PLAN_ARGSORT_BIT | VKSORT_PLAN_DISCARD_KEYS_BIT;
        desc.valueSize = sizeof(uint32_t);
        desc.result = VKSORT_RESULT_SEPARATE;
    } else if (!values.empty() || value_size != 0) {
        desc.valueSize = value_size != 0 ? value_size : kDefaultValueSize;
        if (desc.valueSize % 4 != 0 || desc.valueSize > 16) {
            fail(kBadInput,
                 "--value-size {} is not supported: use 4, 8, 12 or 16; for other sizes, --argsort and reorder by the "
                 "indices",
                 value_size);
        }
    }
    return desc;
}

std::string shown_name(const std::string& path) { return path == "-" ? "standard input" : "'" + path + "'"; }

std::vector<std::byte> read_keys(const std::string& path, VksortKeyType type, bool text) {
    std::vector<std::byte> bytes = read_file(path);
    if (text) {
        const std::string_view view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return parse_keys(view, type, shown_name(path));
    }
    const uint32_t size = vksortKeySize(type);
    if (bytes.size() % size != 0) {
        fail(kBadInput,
             "{} holds {} bytes, not a multiple of the {} of a {}: check --type, or give --text for numbers in text",
             shown_name(path), bytes.size(), size, vksortKeyTypeName(type));
    }
    return bytes;
}

std::vector<std::byte> read_values(const std::string& path, uint32_t value_size, uint64_t count) {
    std::vector<std::byte> bytes = read_file(path);
    if (bytes.size() != count * value_size) {
        fail(kBadInput, "{} holds {} bytes of values, but {} keys with {} bytes each need {}: check --value-size",
             shown_name(path), bytes.size(), count, value_size, count * value_size);
    }
    return bytes;
}
