// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "key_order.hpp"
#include "key_text.hpp"
#include "key_type.hpp"
#include "segments.hpp"
#include "sort_options.hpp"

namespace {

struct VerifyOptions {
    std::string output; // of the sort
    std::string type;
    std::string input;
    std::string values;
    std::string input_values;
    uint32_t value_size = 0;
    bool argsort = false;
    bool descending = false;
    std::string bits;
    SegmentOptions segments;
    bool text = false;
};

OrderedKeys load_keys(const VerifyOptions& options, const std::string& path, VksortKeyType type) {
    const BitRange range = parse_bits(options.bits, type);
    return OrderedKeys({type, options.descending, range.begin, range.end}, read_keys(path, type, options.text));
}

using Ranges = std::vector<Segments::Range>;

void check_sorted(const OrderedKeys& keys, const Ranges& ranges) {
    for (const Segments::Range& range : ranges) {
        if (const std::optional<uint64_t> i = keys.first_unsorted(range.begin, range.end)) {
            fail(kCheckFailed, "not sorted: key {} is {}, and key {} after it is {}", *i - 1, keys.text(*i - 1), *i,
                 keys.text(*i));
        }
    }
}

// Sorted within each range, by all bits.
std::vector<uint64_t> ordered_copy(const OrderedKeys& keys, const Ranges& ranges) {
    std::vector<uint64_t> ordered(keys.count());
    for (uint64_t i = 0; i < keys.count(); ++i) {
        ordered[i] = to_ordered(keys.type(), keys.raw(i));
    }
    for (const Segments::Range& range : ranges) {
        std::sort(ordered.begin() + static_cast<ptrdiff_t>(range.begin),
                  ordered.begin() + static_cast<ptrdiff_t>(range.end));
    }
    return ordered;
}

void check_permutation(const OrderedKeys& out, const OrderedKeys& in, const Ranges& ranges) {
    const std::vector<uint64_t> a = ordered_copy(out, ranges);
    const std::vector<uint64_t> b = ordered_copy(in, ranges);
    const auto [at_out, at_in] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at_out == a.end()) {
        return;
    }
    const uint64_t key = std::min(*at_out, *at_in); // the other file is already past it
    const auto place = static_cast<uint64_t>(at_out - a.begin());
    const Segments::Range range = *std::find_if(
        ranges.begin(), ranges.end(), [place](const Segments::Range& one) { return place >= one.begin && place < one.end; });
    const auto times = [&](const std::vector<uint64_t>& keys) {
        const auto [first, last] = std::equal_range(keys.begin() + static_cast<ptrdiff_t>(range.begin),
                                                    keys.begin() + static_cast<ptrdiff_t>(range.end), key);
        return static_cast<uint64_t>(last - first);
    };
    const std::string text = key_to_text(out.type(), from_ordered(out.type(), key));
    if (range.begin == 0 && range.end == out.count()) {
        fail(kCheckFailed, "not a permutation of the input: key {} is there {} times, and was {} times in the input", text,
             times(a), times(b));
    }
    if (range.end - range.begin == 1) {
        fail(kCheckFailed, "key {} is {}, and was {} in the input: it is alone or between segments, and stays", place,
             out.text(place), in.text(place));
    }
    fail(kCheckFailed,
         "not a permutation of the input: key {} is there {} times in the segment of keys {} to {}, and was {} times in the "
         "input",
         text, times(a), range.begin, range.end - 1, times(b));
}

// Where each place of the stable sort comes from. Stable sorts are unique, so that everything else follows.
std::vector<uint32_t> stable_order(const OrderedKeys& in, const Ranges& ranges) {
    std::vector<uint64_t> ranks(in.count());
    for (uint64_t i = 0; i < in.count(); ++i) {
        ranks[i] = in.rank(i);
    }
    std::vector<uint32_t> order(in.count());
    std::iota(order.begin(), order.end(), 0);
    for (const Segments::Range& range : ranges) {
        std::stable_sort(order.begin() + static_cast<ptrdiff_t>(range.begin),
                         order.begin() + static_cast<ptrdiff_t>(range.end),
                         [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
    }
    return order;
}

void check_stable_keys(const OrderedKeys& out, const OrderedKeys& in, const std::vector<uint32_t>& order) {
    for (uint64_t i = 0; i < out.count(); ++i) {
        if (out.raw(i) != in.raw(order[i])) {
            fail(kCheckFailed, "not stable: key {} is {}, where a stable sort has {} (input key {})", i, out.text(i),
                 in.text(order[i]), order[i]);
        }
    }
}

// `input_values` empty: the values were 0, 1, 2, ...
void check_values(const std::vector<std::byte>& values, const std::vector<std::byte>& input_values, uint32_t size,
                  const std::vector<uint32_t>& order) {
    for (uint64_t i = 0; i < order.size(); ++i) {
        const std::byte* found = values.data() + i * size;
        const std::byte* expected = reinterpret_cast<const std::byte*>(&order[i]);
        if (!input_values.empty()) {
            expected = input_values.data() + uint64_t{order[i]} * size;
        }
        if (std::memcmp(found, expected, size) == 0) {
            continue;
        }
        if (input_values.empty()) {
            fail(kCheckFailed, "not stable, or not sorted: value {} is {}, where a stable sort has {}", i,
                 static_cast<uint32_t>(load_key(found, 0, size)), order[i]);
        }
        fail(kCheckFailed, "not stable, or not sorted: value {} is not the one of input key {}, as in a stable sort", i,
             order[i]);
    }
}

void check_same_count(uint64_t out, uint64_t in, const char* what) {
    if (out != in) {
        fail(kCheckFailed, "not a permutation of the input: there are {} {}, and {} keys in the input", out, what, in);
    }
}

void check_options(const VerifyOptions& options) {
    if (options.argsort && (!options.values.empty() || !options.input_values.empty() || options.value_size != 0)) {
        fail(kBadInput, "--argsort checks indices: leave out --values, --input-values and --value-size");
    }
    if ((options.argsort || !options.values.empty()) && options.input.empty()) {
        fail(kBadInput, "values and indices are checked against the input: give --input");
    }
    if (options.values.empty() && (!options.input_values.empty() || options.value_size != 0)) {
        fail(kBadInput, "--input-values and --value-size need --values, the sorted values");
    }
    if (options.input_values.empty() && options.value_size != 0 && options.value_size != 4) {
        fail(kBadInput, "without --input-values the values are u32 indices: leave out --value-size or give 4");
    }
    if (!options.values.empty() && options.value_size > 0 && (options.value_size % 4 != 0 || options.value_size > 16)) {
        fail(kBadInput, "--value-size {} is not supported: use 4, 8, 12 or 16", options.value_size);
    }
    const std::string none;
    const std::string* segment_file = options.segments.path();
    int standard_inputs = 0;
    for (const std::string* path : {&options.output, &options.input, &options.values, &options.input_values,
                                    segment_file != nullptr ? segment_file : &none}) {
        standard_inputs += *path == "-" ? 1 : 0;
    }
    if (standard_inputs > 1) {
        fail(kBadInput, "only one file can be standard input: give names for the others");
    }
}

// What is sorted by itself: everything, or each segment and each key between segments.
struct Parts {
    Ranges ranges;
    std::string text; // for the verdict
};

Parts sorted_parts(const VerifyOptions& options, uint64_t count) {
    if (options.segments.path() == nullptr) {
        return {{{0, count}}, ""};
    }
    const Segments segments = read_segments(options.segments, count);
    return {cover(segments, count), fmt::format(", in {} segments", with_commas(segments.ranges.size()))};
}

void verify_indices(const VerifyOptions& options, VksortKeyType type, const char* order_name) {
    const std::vector<std::byte> indices = read_keys(options.output, VKSORT_KEY_U32, options.text);
    const OrderedKeys in = load_keys(options, options.input, type);
    check_same_count(indices.size() / sizeof(uint32_t), in.count(), "indices");
    const Parts parts = sorted_parts(options, in.count());
    check_values(indices, {}, sizeof(uint32_t), stable_order(in, parts.ranges));
    print_out(fmt::format("verified: {} indices sort {} keys stably, {}{}\n", with_commas(in.count()), options.type,
                          order_name, parts.text));
}

void run_verify(const VerifyOptions& options) {
    check_options(options);
    const VksortKeyType type = parse_key_type(options.type);
    parse_bits(options.bits, type);
    const char* order_name = options.descending ? "descending" : "ascending";
    if (options.argsort) {
        verify_indices(options, type, order_name);
        return;
    }

    const OrderedKeys out = load_keys(options, options.output, type);
    std::optional<OrderedKeys> in;
    if (!options.input.empty()) {
        in.emplace(load_keys(options, options.input, type));
    }
    const uint32_t value_size = options.value_size != 0 ? options.value_size : 4;
    std::vector<std::byte> values;
    std::vector<std::byte> input_values;
    if (!options.values.empty()) {
        values = read_values(options.values, value_size, out.count());
        if (!options.input_values.empty()) {
            input_values = read_values(options.input_values, value_size, in->count());
        }
    }

    const bool stable = !options.bits.empty() || !options.values.empty(); // then it shows
    const Parts parts = sorted_parts(options, out.count());
    check_sorted(out, parts.ranges);
    std::string verdict =
        fmt::format("verified: {} {} keys, {}{}", with_commas(out.count()), options.type, order_name, parts.text);
    if (in) {
        check_same_count(out.count(), in->count(), "keys");
        check_permutation(out, *in, parts.ranges);
        verdict += parts.text.empty() ? ", a permutation of the input" : ", each a permutation of the input's";
        if (stable) {
            const std::vector<uint32_t> order = stable_order(*in, parts.ranges);
            check_stable_keys(out, *in, order);
            verdict += ", stable";
            if (!options.values.empty()) {
                check_values(values, input_values, value_size, order);
                verdict += " with their values";
            }
        }
    }
    print_out(verdict + "\n");
}

} // namespace

void add_verify_command(CLI::App& app) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command = app.add_subcommand("verify", "Check the result of a sort, or of a segmented sort, on the CPU");
    command->add_option("OUT", options->output, "File of sorted keys; - is standard input")->type_name("")->required();
    command->add_option("--type", options->type, "Key type: u8 i8 u16 i16 f16 u32 i32 f32 u64 i64 f64")
        ->type_name("T")
        ->required();
    command->add_option("--input", options->input, "Also check that the keys are those of this file")->type_name("FILE");
    command
        ->add_option("--values", options->values,
                     "The sorted values: also check that each belongs to its key and that the sort was stable")
        ->type_name("FILE");
    command
        ->add_option("--input-values", options->input_values, "The values before the sort; without, they were 0, 1, 2, ...")
        ->type_name("FILE");
    command->add_option("--value-size", options->value_size, "Bytes of a value; 4 if not given")->type_name("B");
    command->add_flag("--argsort", options->argsort, "OUT holds the u32 indices that sort --input");
    command->add_flag("--descending", options->descending, "Largest first");
    command->add_option("--bits", options->bits, "Sorted by bits A up to B only")->type_name("A:B");
    options->segments.add_to(*command, "Sorted within segments");
    command->add_flag("--text", options->text, "Keys and indices are text, one number a line");
    command->footer("Exit status 0: verified; 1: a check failed.");
    command->callback([options] { run_verify(*options); });
}
