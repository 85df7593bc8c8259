// SPDX-License-Identifier: MIT
//
// What sort, merge and segsort do around the work itself: files, the device, the report.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "output_files.hpp"
#include "permutation.hpp"
#include "progress.hpp"
#include "sort_options.hpp"
#include "vksort/vksort_host.hpp"

class Job {
public:
    // Fails, before anything is read, where the options make no sense or an output file cannot be written.
    explicit Job(const SortOptions& options);

    Progress& progress() { return progress_; }
    const VksortPlanDesc& description() const { return desc_; }
    // The keys of an input file, and the values of `count` keys; none where `path` is empty.
    std::vector<std::byte> keys(const std::string& path) const;
    std::vector<std::byte> values(const std::string& path, uint64_t count) const;
    uint64_t count(const std::vector<std::byte>& keys) const;

    // Fills in what requests have in common, opens the device, has `operation` work on it, writes what comes back where it
    // is a permutation of `input`, and reports: `done` is what the report says was done.
    void run(vksort::host::Request& request, const JobInput& input, const std::string& done,
             const std::function<vksort::host::SortOutcome(vksort::host::Device&)>& operation);

private:
    // Fails where the result is no permutation of the input.
    void check(const JobInput& input, const vksort::host::SortOutcome& outcome) const;
    void write(const vksort::host::SortOutcome& outcome);

    const SortOptions& options_;
    VksortPlanDesc desc_;
    vksort::files::OutputFiles outputs_;
    vksort::files::OutputFile& output_;
    vksort::files::OutputFile* values_output_; // null where there is none
    Progress progress_;
};
