// SPDX-License-Identifier: MIT
//
// Runs sweeps: every candidate is verified, timed by the benchmark's method, and shown as it comes.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "choice.h"
#include "kernel_cost.h"
#include "measure.h"
#include "vksort_job.h"

namespace vksort::tune {

struct TunerOptions {
    bench::Method method;
    uint64_t seed = 1;
    double budget_seconds = 0; // of a sweep: no candidate is begun after them; 0: none
    bool passes = false;
    bool statistics = false; // all that the driver tells of a kernel
    size_t top = 10;         // candidates shown in the end; 0: all
    // What is wrong with a result; tests give another.
    std::function<std::string(const bench::Input&, std::span<const std::byte> keys, std::span<const std::byte> values)>
        verify;
};

class Tuner {
public:
    Tuner(host::Device& device, const Provenance& provenance, const TunerOptions& options);

    // Prints, and returns the row for src/tuning.cpp. Throws TooLarge where the input or all candidates are.
    std::string sweep(const Sweep& sweep, std::vector<Candidate> candidates);
    bool any_wrong() const { return any_wrong_; }

private:
    class CandidateContender;

    std::vector<Candidate> runnable(const Sweep& sweep, const std::vector<Candidate>& candidates) const;
    void measure_all(const Sweep& sweep, std::vector<Measured>& measured);
    // Whether the candidate stays in.
    bool measure(const Sweep& sweep, const std::shared_ptr<bench::DeviceData>& data, Measured& measured);
    std::string name_of(const Sweep& sweep, const Candidate& candidate) const;
    void print_result(const std::string& name, const bench::Result& result, const bench::PipelineNumbers& numbers) const;
    void print_ranking(const Sweep& sweep, const std::vector<Measured>& sorted) const;

    host::Device& device_;
    Provenance provenance_;
    TunerOptions options_;
    std::atomic<bool> interrupted_{false}; // never; the benchmark asks
    bench::Bench bench_;
    std::optional<bench::PipelineStatistics> statistics_; // where the device has them
    std::optional<Candidate> todays_;
    bench::Input input_;
    bool any_wrong_ = false;
};

} // namespace vksort::tune
