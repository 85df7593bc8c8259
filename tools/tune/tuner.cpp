// SPDX-License-Identifier: MIT
#include "tuner.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "context.h"
#include "output_files.hpp"
#include "text.h"

namespace vksort::tune {

namespace {

using bench::Result;
using bench::Status;
using bench::TooLarge;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::string number_text(const std::optional<uint64_t>& number) { return number ? fmt::format("{}", *number) : "-"; }

} // namespace

// A candidate as the benchmark knows those who sort. All of them work on the same copy of the input.
class Tuner::CandidateContender : public bench::Contender {
public:
    CandidateContender(const Tuner& tuner, const Target& target, const Candidate& candidate, std::string name,
                       std::shared_ptr<bench::DeviceData> data)
        : tuner_(tuner), target_(target), candidate_(candidate), name_(std::move(name)), data_(std::move(data)) {}

    std::string name() const override { return name_; }
    std::string refusal(const Scenario&) const override { return ""; } // those that cannot run have been left out

    std::unique_ptr<bench::Job> prepare(const bench::Input& input) override {
        const VksortPlanDesc desc = bench::describe(input.scenario, target_.algorithm, input.heads.size());
        host::Device& device = tuner_.device_;
        const PlanOverrides overrides = target_.overrides(device.info(), desc, candidate_);
        std::shared_ptr<const bench::MadePlan> plan;
        try {
            plan = std::make_shared<const bench::MadePlan>(device, desc, &overrides);
        } catch (const TooLarge&) {
            throw;
        } catch (const std::runtime_error& error) { // a kernel that the driver does not compile: the others may do
            throw TooLarge(error.what());
        }
        if (const std::optional<size_t> pass = target_.main_pass(plan_of(plan->handle())); pass && tuner_.statistics_) {
            numbers_ = tuner_.statistics_->of(plan->handle()->pipelines[*pass]);
        }
        return std::make_unique<bench::VksortJob>(device, std::move(plan), data_);
    }

    std::string verify(const bench::Input& input, std::span<const std::byte> keys,
                       std::span<const std::byte> values) const override {
        return tuner_.options_.verify ? tuner_.options_.verify(input, keys, values) : Contender::verify(input, keys, values);
    }

    const bench::PipelineNumbers& numbers() const { return numbers_; }

private:
    const Tuner& tuner_;
    const Target& target_;
    Candidate candidate_;
    std::string name_;
    std::shared_ptr<bench::DeviceData> data_;
    bench::PipelineNumbers numbers_;
};

Tuner::Tuner(host::Device& device, const Provenance& provenance, const TunerOptions& options)
    : device_(device), provenance_(provenance), options_(options), bench_(options.method, std::nullopt, interrupted_) {
    if (device.has_pipeline_statistics()) {
        device.context()->pipelines.capture_statistics();
        statistics_.emplace(device.device(), [&device](const char* name) { return device.function(name); });
    }
}

std::string Tuner::name_of(const Sweep& sweep, const Candidate& candidate) const {
    return sweep.target->text_of(candidate, sweep.show_rank) + (todays_ == candidate ? " *" : "");
}

// Those that the device can run in every scenario, and today's. The others are counted, by why they cannot.
std::vector<Candidate> Tuner::runnable(const Sweep& sweep, const std::vector<Candidate>& candidates) const {
    std::vector<Candidate> kept;
    std::map<std::string, size_t> refused;
    for (const Candidate& candidate : candidates) {
        std::string refusal;
        for (size_t i = 0; i < sweep.means.size() && refusal.empty(); ++i) {
            refusal = sweep.target->refusal(device_.info(), sweep.description(i), candidate);
        }
        if (refusal.empty()) {
            kept.push_back(candidate);
        } else {
            ++refused[refusal];
        }
    }
    std::string text = fmt::format("\n{}: {} candidate{}\n", sweep.text(), kept.size(), kept.size() == 1 ? "" : "s");
    for (const auto& [why, count] : refused) {
        text += fmt::format("    {} left out: {}\n", count, why);
    }
    files::print_output(text);
    return kept;
}

std::string Tuner::sweep(const Sweep& sweep, std::vector<Candidate> candidates) {
    todays_ = sweep.target->todays(device_.info(), sweep.description(0));
    if (todays_ && std::find(candidates.begin(), candidates.end(), *todays_) == candidates.end()) {
        candidates.push_back(*todays_);
    }
    std::vector<Measured> measured;
    for (const Candidate& candidate : runnable(sweep, candidates)) {
        measured.push_back({candidate, {}});
    }
    if (measured.empty()) {
        throw TooLarge("no candidate can run there");
    }
    if (todays_) {
        // If time runs out it shall be the far ones that are missing.
        const auto distance = [this](const Measured& m) {
            const bool is_todays = m.candidate == *todays_;
            return is_todays ? -1.0 : std::abs(std::log(double{1} * m.candidate.tile_size() / todays_->tile_size()));
        };
        std::stable_sort(measured.begin(), measured.end(),
                         [&](const Measured& a, const Measured& b) { return distance(a) < distance(b); });
    }
    const auto row = [&] {
        std::erase_if(measured, [&](const Measured& m) { return m.us.size() != sweep.means.size(); });
        if (measured.empty()) {
            return std::string();
        }
        sort_by_time(measured);
        print_ranking(sweep, measured);
        return row_text(provenance_, sweep, measured);
    };
    try {
        measure_all(sweep, measured);
    } catch (...) { // a lost device, say: what was measured is shown
        files::print_output(row());
        throw;
    }
    return row();
}

void Tuner::measure_all(const Sweep& sweep, std::vector<Measured>& measured) {
    const double begin = seconds();
    const std::vector<Scenario> scenarios = sweep.scenarios();
    for (size_t i = 0; i < scenarios.size(); ++i) {
        bench::check_host_memory(2 * scenarios[i].bytes()); // and the result
        bench::generate(scenarios[i], options_.seed, input_);
        const auto data = std::make_shared<bench::DeviceData>(device_, input_);
        files::print_output(
            fmt::format("{}\n{:<22} {:>4} {:>11} {:>11} {:>11} {:>11} {:>9} {:>11} {:>7}\n",
                        sweep.target->is_segmented() ? fmt::format("segments of {}", scenarios[i].mean_segment) : "",
                        "candidate", "runs", "device", "5 %", "95 %", "items", "registers", "shared", "spills"));
        // Each scenario has its share of the time.
        const double end =
            begin + options_.budget_seconds * static_cast<double>(i + 1) / static_cast<double>(scenarios.size());
        size_t late = 0;
        std::erase_if(measured, [&](Measured& candidate) {
            if (options_.budget_seconds > 0 && seconds() > end && candidate.candidate != todays_) {
                ++late;
                return true;
            }
            return !measure(sweep, data, candidate);
        });
        if (late != 0) {
            files::print_output(fmt::format("    {} left out: the time was over\n", late));
        }
    }
}

bool Tuner::measure(const Sweep& sweep, const std::shared_ptr<bench::DeviceData>& data, Measured& measured) {
    const std::string name = name_of(sweep, measured.candidate);
    CandidateContender contender(*this, *sweep.target, measured.candidate, name, data);
    const Result result = bench_.measure(contender, input_);
    print_result(name, result, contender.numbers());
    if (result.status == Status::wrong) {
        any_wrong_ = true;
        files::print_error(fmt::format("vksort-tune: {} gives a wrong result for {}: {}\n", name,
                                       bench::text_of(data->scenario), result.message));
    }
    if (result.status != Status::ok || result.median_us() <= 0) {
        return false;
    }
    measured.us.push_back(result.median_us());
    return true;
}

void Tuner::print_result(const std::string& name, const Result& result, const bench::PipelineNumbers& numbers) const {
    if (result.status != Status::ok) {
        files::print_output(
            fmt::format("{:<22} {}: {}\n", name, result.status == Status::wrong ? "WRONG" : "left out", result.message));
        return;
    }
    const bench::Summary times = result.gpu ? *result.gpu : result.wall.value_or(bench::Summary{});
    const KernelCost cost = cost_of(numbers);
    std::string text =
        fmt::format("{:<22} {:>4} {:>11} {:>11} {:>11} {:>11} {:>9} {:>11} {:>7}\n", name, result.runs,
                    bench::time_text(times.median), bench::time_text(times.p5), bench::time_text(times.p95),
                    bench::rate_text(result.items_per_second()), number_text(cost.registers),
                    cost.shared_bytes ? bench::bytes_text(*cost.shared_bytes) : "-", number_text(cost.spills));
    if (options_.statistics) {
        for (const auto& [statistic, number] : numbers) {
            text += fmt::format("    {:<40} {:>12}\n", statistic, number);
        }
    }
    if (options_.passes) {
        for (const bench::PassTime& pass : result.passes) {
            text += fmt::format("    {:<22} {:>12}\n", pass.name, bench::time_text(pass.us));
        }
    }
    files::print_output(text);
}

void Tuner::print_ranking(const Sweep& sweep, const std::vector<Measured>& sorted) const {
    std::string text = fmt::format("\nbest first: {:<32}", sweep.text());
    for (const uint64_t mean : sweep.means) {
        text += fmt::format(" {:>11}", sweep.target->is_segmented() ? fmt::format("of {}", mean) : "items");
    }
    text += fmt::format(" {:>8}\n", "slower");
    const auto line = [&](const Measured& measured) {
        text += fmt::format("    {:<40}", name_of(sweep, measured.candidate));
        for (const double us : measured.us) {
            text += fmt::format(" {:>11}", bench::rate_text(sweep.items_per_second(us)));
        }
        text += fmt::format(" {:>6.1f} %\n", (mean_time(measured) / mean_time(sorted.front()) - 1) * 100);
    };
    const size_t shown = options_.top == 0 ? sorted.size() : std::min(options_.top, sorted.size());
    bool has_todays = false;
    for (size_t i = 0; i < sorted.size(); ++i) {
        const bool is_todays = sorted[i].candidate == todays_;
        has_todays |= is_todays;
        if (i < shown || is_todays) {
            line(sorted[i]);
        }
    }
    files::print_output(text + (has_todays ? "    * what the library takes today\n" : ""));
}

} // namespace vksort::tune
