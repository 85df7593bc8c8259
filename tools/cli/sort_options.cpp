// SPDX-License-Identifier: MIT
#include "sort_options.hpp"

#include <charconv>

#include "failure.hpp"
#include "file.hpp"
#include "key_text.hpp"
#include "key_type.hpp"
#include "output_files.hpp"

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

void SortOptions::add_to(CLI::App& app, Command for_command) {
    command = for_command;
    add_files(app);
    add_values(app);
    add_order(app);
    add_running(app);
}

void SortOptions::add_files(CLI::App& app) {
    // The command line of a sort becomes that of its plan by changing the command's name.
    const bool planning = command == Command::plan;
    CLI::Option* in = nullptr;
    if (command == Command::merge) {
        in = app.add_option("A", input, "File of sorted keys; - is standard input");
        app.add_option("B", second_input,
                       "File of more keys, sorted in the same order; of equal keys, those of A come first")
            ->type_name("")
            ->required();
    } else {
        in = app.add_option("IN", input,
                            planning ? "File of keys to plan for, instead of --count" : "File of keys; - is standard input");
    }
    CLI::Option* out = add_run_option(app.add_option("-o,--output", output, "Where the result goes; - is standard output"));
    in->type_name("");
    out->type_name("FILE");
    if (!planning) {
        in->required();
        out->required();
    }
    add_key(app);
    if (command == Command::segsort) {
        segments.add_to(app, "Segments");
    }
}

void SortOptions::add_key(CLI::App& app) {
    CLI::Option* option = app.add_option("--type", type, "Key type: u8 i8 u16 i16 f16 u32 i32 f32 u64 i64 f64");
    option->type_name("T");
    if (command == Command::plan) { // a comparator is made for a device
        option->required();
        return;
    }
    app.add_option("--comparator", comparator,
                   "In place of a type, a file of GLSL with bool before(Key a, Key b), where Key is "
                   "struct { uint words[]; }")
        ->type_name("FILE");
    app.add_option("--key-size", key_size, "Bytes of a key under a comparator: a multiple of 4, up to 64")->type_name("B");
}

void SortOptions::add_values(CLI::App& app) {
    const bool merging = command == Command::merge;
    app.add_option("--values", values,
                   merging ? "File of raw values, one a key of A, that move with the keys"
                           : "File of raw values, one a key, that move with the keys")
        ->type_name("FILE");
    if (merging) {
        app.add_option("--values-b", second_values, "The same for the keys of B")->type_name("FILE");
    }
    app.add_option("--value-size", value_size, "Bytes of a value: 4, 8, 12 or 16; 4 if not given")->type_name("B");
    add_run_option(app.add_option("--values-out", values_output, "Where the sorted values go"))->type_name("FILE");
    const char* argsort_help = "Write the u32 indices that would sort the keys, in place of the keys";
    if (merging) {
        argsort_help = "In place of the keys, write where each comes from: its u32 position in A, or the count of A plus "
                       "its position in B";
    } else if (command == Command::segsort) {
        argsort_help = "In place of the keys, write where each comes from: its u32 position in the whole file";
    }
    app.add_flag("--argsort", argsort, argsort_help);
}

void SortOptions::add_order(CLI::App& app) {
    if (command == Command::merge) {
        app.add_flag("--descending", descending, "A and B are sorted largest first, and so is the result");
        return;
    }
    app.add_flag("--descending", descending, "Largest first; equal keys keep their order all the same");
    if (command == Command::segsort) {
        app.add_option("--algorithm", algorithm, "auto, segmented or size_classes")
            ->type_name("NAME")
            ->capture_default_str();
        return;
    }
    app.add_option("--bits", bits,
                   "Sort only by bits A up to B of the key's order-preserving unsigned form, 0 being the lowest")
        ->type_name("A:B");
    app.add_option("--algorithm", algorithm,
                   "auto, one_workgroup, sample_sort, bucket_sort, msd, onesweep, reduce_scan, merge or locality")
        ->type_name("NAME")
        ->capture_default_str();
}

void SortOptions::add_running(CLI::App& app) {
    const bool planning = command == Command::plan;
    app.add_option("--device", device,
                   planning ? "Plan for this device, by number or part of its name; without, for a typical desktop GPU"
                            : "Number or part of the name of a device, see vksort info")
        ->type_name("N|NAME");
    app.add_flag("--text", text, planning ? "IN holds one number a line" : "Keys are text, one number a line");
    add_run_option(app.add_flag("--summary", summary, "Say device, algorithm and time on standard error"));
    add_run_option(app.add_flag("--timings", timings, "Also show each pass with its time on the GPU"));
    if (command != Command::merge) {
        const char* stats_help = "With --algorithm locality: show how many tiles each pass merged and copied";
        if (command == Command::segsort) {
            stats_help = "By the algorithm segmented: show how many tiles each pass merged and copied";
        }
        add_run_option(app.add_flag("--stats", stats, stats_help));
    }
    add_run_option(
        app.add_flag("--validation", validation, "Run under the Khronos validation layer; any message of it is a failure"));
}

CLI::Option* SortOptions::add_run_option(CLI::Option* option) const {
    return command == Command::plan ? option->group("") : option;
}

VksortKeyType SortOptions::key_type() const {
    if (comparator.empty()) {
        if (type.empty()) {
            fail(kBadInput, "--type is required, or --comparator and --key-size for an order of your own");
        }
        if (key_size != 0) {
            fail(kBadInput, "--key-size is for keys under a --comparator: the size of a {} is known", type);
        }
        return parse_key_type(type);
    }
    if (!type.empty() || !bits.empty() || text) {
        fail(kBadInput,
             "keys under a --comparator are raw and have an order of its own: leave out --type, --bits and --text");
    }
    if (key_size == 0 || key_size % 4 != 0 || key_size > 4 * VKSORT_MAX_KEY_WORDS) {
        fail(kBadInput, "--comparator needs the --key-size, a multiple of 4 from 4 to {}", 4 * VKSORT_MAX_KEY_WORDS);
    }
    return VKSORT_KEY_COMPARATOR;
}

uint32_t SortOptions::key_bytes() const { return comparator.empty() ? vksortKeySize(parse_key_type(type)) : key_size; }

VksortPlanDesc SortOptions::description() const {
    VksortPlanDesc desc = {};
    desc.keyType = key_type();
    desc.algorithm = parse_algorithm(algorithm);
    const BitRange range = bits.empty() ? BitRange{} : parse_bits(bits, desc.keyType);
    desc.beginBit = range.begin;
    desc.endBit = range.end;
    desc.flags |= descending ? VKSORT_PLAN_DESCENDING_BIT : 0;
    if (command == Command::merge) {
        desc.operation = VKSORT_OPERATION_MERGE;
        desc.result = VKSORT_RESULT_SEPARATE;
    } else if (command == Command::segsort) {
        if (segments.path() == nullptr) {
            fail(kBadInput, "nothing says where the segments are: give one of --heads, --flags, --offsets and --pairs");
        }
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = segments.kind();
        if (stats && desc.algorithm == VKSORT_ALGORITHM_AUTO) {
            desc.algorithm = VKSORT_ALGORITHM_SEGMENTED;
        } else if (stats && desc.algorithm != VKSORT_ALGORITHM_SEGMENTED) {
            fail(kBadInput, "--stats counts what the algorithm segmented merges: {} merges nothing", algorithm);
        }
    } else if (stats && command == Command::sort && desc.algorithm != VKSORT_ALGORITHM_LOCALITY) {
        fail(kBadInput, "--stats counts what a locality sort merges: add --algorithm locality, or leave it out");
    }
    if (argsort) {
        if (!values.empty() || !second_values.empty() || value_size != 0 || !values_output.empty()) {
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

void SortOptions::check_files() const {
    const bool merging = command == Command::merge;
    if (values.empty() != values_output.empty() || (merging && values.empty() != second_values.empty())) {
        fail(kBadInput, "{}",
             merging ? "--values, --values-b and --values-out go together: give all or none"
                     : "--values and --values-out go together: give both or neither");
    }
    if (value_size != 0 && values.empty()) {
        fail(kBadInput, "--value-size needs --values and --values-out");
    }
    const std::string none;
    const std::string* segment_file = segments.path();
    int standard_inputs = 0;
    for (const std::string* path :
         {&input, &second_input, &values, &second_values, &comparator, segment_file != nullptr ? segment_file : &none}) {
        standard_inputs += *path == "-" ? 1 : 0;
    }
    if (standard_inputs > 1) {
        fail(kBadInput, "only one file can be standard input: give names for the others");
    }
    if (output == "-" && !text && vksort::files::is_terminal(stdout)) {
        fail(kBadInput, "binary data would go to the terminal: give a file, a pipe or --text");
    }
}

std::string SortOptions::what() const {
    const std::string keys =
        comparator.empty() ? type + " keys" : fmt::format("{}-byte keys under {}", key_size, shown_name(comparator));
    if (argsort) {
        return keys + " (indices only)";
    }
    return values.empty() ? keys
                          : fmt::format("{} with {}-byte values", keys, value_size != 0 ? value_size : kDefaultValueSize);
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

std::vector<std::byte> read_raw_keys(const std::string& path, uint32_t size) {
    std::vector<std::byte> bytes = read_file(path);
    if (bytes.size() % size != 0) {
        fail(kBadInput, "{} holds {} bytes, not a multiple of the {} of a key: check --key-size", shown_name(path),
             bytes.size(), size);
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
