// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "format.hpp"
#include "job.hpp"

namespace {

void run_sort(const SortOptions& options) {
    Job job(options);
    const std::vector<std::byte> keys = job.keys(options.input);
    const uint64_t count = job.count(keys);
    const std::vector<std::byte> values = job.values(options.values, count);
    vksort::host::SortRequest request;
    request.keys = keys;
    request.values = values;
    job.run(request, {.lists = {{keys, values}}}, fmt::format("sorted {} {}", with_commas(count), options.what()),
            [&](vksort::host::Device& device) { return vksort::host::sort(device, request); });
}

} // namespace

void add_sort_command(CLI::App& app) {
    auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("sort", "Sort a file of keys, alone or with values, on the GPU");
    options->add_to(*command, SortOptions::Command::sort);
    command->footer("Keys and values are raw little-endian arrays. Floats are in IEEE 754 total order. Sorts are stable.\n"
                    "The output file appears whole or not at all; it may be the input file.\n"
                    "It is written only once the result was found to be a permutation of the input.");
    command->callback([options] { run_sort(*options); });
}
