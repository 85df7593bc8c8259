// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "format.hpp"
#include "job.hpp"
#include "key_order.hpp"

namespace {

// Fails at the first key out of order. Gives the bytes back.
std::vector<std::byte> checked_sorted(const SortOptions& options, const std::string& path, VksortKeyType type,
                                      std::vector<std::byte> bytes) {
    const OrderedKeys keys({type, options.descending}, std::move(bytes));
    if (const std::optional<uint64_t> i = keys.first_unsorted(0, keys.count())) {
        fail(kBadInput, "{} is not sorted {}: key {}{} is {}, after {}; sort it first (vksort sort{})", shown_name(path),
             options.descending ? "descending" : "ascending", *i, options.text ? fmt::format(" (line {})", *i + 1) : "",
             keys.text(*i), keys.text(*i - 1), options.descending ? " --descending" : "");
    }
    return keys.bytes();
}

void run_merge(const SortOptions& options) {
    Job job(options);
    const auto read_sorted = [&](const std::string& path) {
        return !options.comparator.empty() // whose order only the GPU knows
                   ? job.keys(path)
                   : checked_sorted(options, path, job.description().keyType, job.keys(path));
    };
    const std::vector<std::byte> keys_a = read_sorted(options.input);
    const std::vector<std::byte> keys_b = read_sorted(options.second_input);
    const uint64_t count_a = job.count(keys_a);
    const uint64_t count_b = job.count(keys_b);
    const std::vector<std::byte> values_a = job.values(options.values, count_a);
    const std::vector<std::byte> values_b = job.values(options.second_values, count_b);
    vksort::host::MergeRequest request;
    request.keys_a = keys_a;
    request.keys_b = keys_b;
    request.values_a = values_a;
    request.values_b = values_b;
    job.run(request, {.lists = {{keys_a, values_a}, {keys_b, values_b}}},
            fmt::format("merged {} and {} {}", with_commas(count_a), with_commas(count_b), options.what()),
            [&](vksort::host::Device& device) { return vksort::host::merge(device, request); });
}

} // namespace

void add_merge_command(CLI::App& app) {
    auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("merge", "Merge two sorted files of keys, alone or with values, on the GPU");
    options->add_to(*command, SortOptions::Command::merge);
    command->footer(
        "A and B are raw little-endian arrays, sorted as vksort sort does; a file that is not is refused, except\n"
        "under a comparator, which only the GPU knows. Of equal keys, those of A come first.\n"
        "The output file appears whole or not at all.\n"
        "It is written only once the result was found to be a permutation of the input.");
    command->callback([options] { run_merge(*options); });
}
