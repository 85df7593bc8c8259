// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "format.hpp"
#include "job.hpp"

namespace {

void run_segsort(const SortOptions& options) {
    Job job(options);
    const std::vector<std::byte> keys = job.keys(options.input);
    const uint64_t count = job.count(keys);
    const std::vector<std::byte> values = job.values(options.values, count);
    const Segments segments = read_segments(options.segments, count);
    vksort::host::SegmentedSortRequest request;
    request.keys = keys;
    request.values = values;
    request.segments = segments.words;
    job.run(
        request, {.lists = {{keys, values}}, .segments = &segments},
        fmt::format("sorted {} {} in {} segments", with_commas(count), options.what(), with_commas(segments.ranges.size())),
        [&](vksort::host::Device& device) { return vksort::host::segmented_sort(device, request); });
}

} // namespace

void add_segsort_command(CLI::App& app) {
    auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("segsort", "Sort each segment of a file of keys by itself, on the GPU");
    options->add_to(*command, SortOptions::Command::segsort);
    command->footer(
        "By heads and flags, key 0 begins a segment in any case. Flags past the last key are ignored. Sorts are stable.\n"
        "Keys, values and segments are raw little-endian arrays. The output file appears whole or not at all; it\n"
        "may be the input file.\n"
        "It is written only once the result was found to be a permutation of the input.");
    command->callback([options] { run_segsort(*options); });
}
