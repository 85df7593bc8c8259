// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "key_text.hpp"
#include "key_type.hpp"
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
    bool text = false;
};

// Keys in a form whose unsigned order is the order asked for.
class Keys {
public:
    Keys(const VerifyOptions& options, VksortKeyType type, std::vector<std::byte> bytes)
        : type_(type), size_(vksortKeySize(type)), bytes_(std::move(bytes)) {
        const BitRange range = parse_bits(options.bits, type);
        shift_ = range.begin;
        mask_ = low_mask(range.end == 0 ? key_bits(type) : range.end - range.begin);
        invert_ = options.descending ? mask_ : 0;
    }
    uint64_t count() const { return bytes_.size() / size_; }
    uint64_t raw(uint64_t i) const { return load_key(bytes_.data(), i, size_); }
    uint64_t rank(uint64_t i) const { return (to_ordered(type_, raw(i)) >> shift_ & mask_) ^ invert_; }
    std::string text(uint64_t i) const { return key_to_text(type_, raw(i)); }
    VksortKeyType type() const { return type_; }

private:
    VksortKeyType type_;
    uint32_t size_;
    std::vector<std::byte> bytes_;
    uint32_t shift_ = 0;
    uint64_t mask_ = 0;
    uint64_t invert_ = 0;
};

Keys load_keys(const VerifyOptions& options, const std::string& path, VksortKeyType type) {
    return Keys(options, type, read_keys(path, type, options.text));
}

void check_sorted(const Keys& keys) {
    for (uint64_t i = 1; i < keys.count(); ++i) {
        if (keys.rank(i - 1) > keys.rank(i)) {
            fail(kCheckFailed, "not sorted: key {} is {}, and key {} after it is {}", i - 1, keys.text(i - 1), i,
                 keys.text(i));
        }
    }
}

std::vector<uint64_t> ordered_copy(const Keys& keys) {
    std::vector<uint64_t> ordered(keys.count());
    for (uint64_t i = 0; i < keys.count(); ++i) {
        ordered[i] = to_ordered(keys.type(), keys.raw(i));
    }
    std::sort(ordered.begin(), ordered.end());
    return ordered;
}

void check_permutation(const Keys& out, const Keys& in) {
    const std::vector<uint64_t> a = ordered_copy(out);
    const std::vector<uint64_t> b = ordered_copy(in);
    const auto [at_out, at_in] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (at_out == a.end()) {
        return;
    }
    const uint64_t key = std::min(*at_out, *at_in); // the other file is already past it
    const auto times = [key](const std::vector<uint64_t>& keys) {
        const auto [first, last] = std::equal_range(keys.begin(), keys.end(), key);
        return static_cast<uint64_t>(last - first);
    };
    fail(kCheckFailed, "not a permutation of the input: key {} is there {} times, and was {} times in the input",
         key_to_text(out.type(), from_ordered(out.type(), key)), times(a), times(b));
}

// Where each place of the stable sort comes from. Stable sorts are unique, so that everything else follows.
std::vector<uint32_t> stable_order(const Keys& in) {
    std::vector<uint64_t> ranks(in.count());
    for (uint64_t i = 0; i < in.count(); ++i) {
        ranks[i] = in.rank(i);
    }
    std::vector<uint32_t> order(in.count());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return ranks[a] < ranks[b]; });
    return order;
}

void check_stable_keys(const Keys& out, const Keys& in, const std::vector<uint32_t>& order) {
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
    int standard_inputs = 0;
    for (const std::string* path : {&options.output, &options.input, &options.values, &options.input_values}) {
        standard_inputs += *path == "-" ? 1 : 0;
    }
    if (standard_inputs > 1) {
        fail(kBadInput, "only one file can be standard input: give names for the others");
    }
}

void run_verify(const VerifyOptions& options) {
    check_options(options);
    const VksortKeyType type = parse_key_type(options.type);
    parse_bits(options.bits, type);
    const char* order_name = options.descending ? "descending" : "ascending";

    if (options.argsort) {
        const std::vector<std::byte> indices = read_keys(options.output, VKSORT_KEY_U32, options.text);
        const Keys in = load_keys(options, options.input, type);
        check_same_count(indices.size() / sizeof(uint32_t), in.count(), "indices");
        check_values(indices, {}, sizeof(uint32_t), stable_order(in));
        print_out(fmt::format("verified: {} indices sort {} keys stably, {}\n", with_commas(in.count()), options.type,
                              order_name));
        return;
    }

    const Keys out = load_keys(options, options.output, type);
    std::optional<Keys> in;
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
    check_sorted(out);
    std::string verdict = fmt::format("verified: {} {} keys, {}", with_commas(out.count()), options.type, order_name);
    if (in) {
        check_same_count(out.count(), in->count(), "keys");
        check_permutation(out, *in);
        verdict += ", a permutation of the input";
        if (stable) {
            const std::vector<uint32_t> order = stable_order(*in);
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
    CLI::App* command = app.add_subcommand("verify", "Check the result of a sort on the CPU");
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
    command->add_flag("--text", options->text, "Keys and indices are text, one number a line");
    command->footer("Exit status 0: verified; 1: a check failed.");
    command->callback([options] { run_verify(*options); });
}
