// SPDX-License-Identifier: MIT
#include "measure.h"

#include <algorithm>
#include <chrono>

namespace vksort::bench {

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

nlohmann::json to_json(const Steadiness& steadiness) {
    return {{"least_runs", steadiness.least_runs},
            {"most_runs", steadiness.most_runs},
            {"most_seconds", steadiness.most_seconds},
            {"median_uncertainty", steadiness.uncertainty}};
}

} // namespace

nlohmann::json to_json(const Method& method) {
    return {{"input", "restored before every run, outside the timed region"},
            {"gpu_us", "timestamps around the commands, in one command buffer with the restored input"},
            {"wall_us", "host clock around recording, submitting and waiting, of other runs"},
            {"warm_up_runs", method.warm_up_runs},
            {"warm_up_seconds", method.warm_up_seconds},
            {"warm_up_most_seconds", method.warm_up_seconds * Method::kMostWarmUp},
            {"gpu", to_json(method.gpu)},
            {"wall", to_json(method.wall)}};
}

std::string Bench::check(const Contender& contender, const Input& input, Job& job) {
    keys_.resize(input.keys.size());
    values_.resize(input.values.size());
    job.wall_time();
    job.result(keys_, values_);
    return contender.verify(input, keys_.span(), values_.span());
}

void Bench::time(const Contender& contender, Job& job, Result& result) {
    const double begin = seconds();
    const double least = contender.is_host() ? 0 : method_.warm_up_seconds;
    const double most = least * Method::kMostWarmUp;
    const double warm_up = last_timed_ ? std::clamp(begin - *last_timed_, least, most) : most;
    for (uint32_t run = 0; (run < method_.warm_up_runs || seconds() - begin < warm_up) && !interrupted_; ++run) {
        if (!job.gpu_time()) {
            job.wall_time();
        }
    }
    const auto unless_interrupted = [this](auto&& once) -> std::optional<double> {
        return interrupted_ ? std::nullopt : once();
    };
    const std::vector<double> gpu = sample(
        method_.gpu, [&] { return unless_interrupted([&] { return job.gpu_time(); }); }, seconds);
    const std::vector<double> wall = sample(
        gpu.empty() ? method_.gpu : method_.wall,
        [&] { return unless_interrupted([&] { return std::optional(job.wall_time()); }); }, seconds);
    if (!contender.is_host()) {
        last_timed_ = seconds();
    }
    result.runs = static_cast<uint32_t>(gpu.empty() ? wall.size() : gpu.size());
    result.gpu = gpu.empty() ? std::nullopt : std::optional(summarize(gpu));
    result.wall = wall.empty() ? std::nullopt : std::optional(summarize(wall));
    if (interrupted_) {
        // Less than the method asks for: no number, rather than one that looks like the others.
        result.status = Status::interrupted;
        result.gpu = result.wall = std::nullopt;
        return;
    }
    result.model_bytes = job.model_bytes();
    result.scratch_bytes = job.scratch_bytes();
    result.message = job.note();
    if (roofline_ && result.model_bytes && result.gpu && result.gpu->median > 0) {
        const double reached = static_cast<double>(*result.model_bytes) / (result.gpu->median * 1e-6);
        result.roofline_share = reached / *roofline_;
    }
    if (method_.passes) {
        result.passes = job.passes();
    }
}

Result Bench::measure(Contender& contender, const Input& input) {
    Result result;
    result.scenario = input.scenario;
    result.contender = contender.name();
    result.message = contender.refusal(input.scenario);
    if (!result.message.empty()) {
        result.status = Status::unsupported;
        return result;
    }
    try {
        const std::unique_ptr<Job> job = contender.prepare(input);
        result.message = check(contender, input, *job);
        if (!result.message.empty()) {
            result.status = Status::wrong;
            return result;
        }
        time(contender, *job, result);
    } catch (const TooLarge& error) {
        result.status = Status::too_large;
        result.message = error.what();
    } catch (const std::bad_alloc&) {
        result.status = Status::too_large;
        result.message = "no host memory left";
    }
    return result;
}

} // namespace vksort::bench
