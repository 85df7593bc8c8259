// SPDX-License-Identifier: MIT
#include "results.h"

#include <fmt/format.h>

namespace vksort::bench {

namespace {

using nlohmann::json;

json to_json(const std::optional<Summary>& times) {
    if (!times) {
        return nullptr;
    }
    return {{"median", times->median},
            {"p5", times->p5},
            {"p95", times->p95},
            {"least", times->least},
            {"greatest", times->greatest}};
}

template <typename Value> json or_null(const std::optional<Value>& value) { return value ? json(*value) : json(nullptr); }

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) {
        return text;
    }
    std::string out = "\"";
    for (const char c : text) {
        out += c == '"' ? "\"\"" : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
    }
    return out + "\"";
}

std::string columns(const std::optional<Summary>& times) {
    return times ? fmt::format("{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}", times->median, times->p5, times->p95, times->least,
                               times->greatest)
                 : ",,,,";
}

template <typename Value> std::string or_empty(const std::optional<Value>& value) {
    return value ? fmt::format("{}", *value) : "";
}

} // namespace

const char* name_of(Status status) {
    switch (status) {
    case Status::wrong: return "wrong";
    case Status::too_large: return "too_large";
    case Status::unsupported: return "unsupported";
    case Status::interrupted: return "interrupted";
    default: return "ok";
    }
}

json to_json(const Scenario& scenario) {
    return {{"operation", name_of(scenario.operation)},
            {"key", vksortKeyTypeName(scenario.key)},
            {"value_bytes", scenario.value_bytes},
            {"descending", scenario.descending},
            {"begin_bit", scenario.bits.begin},
            {"end_bit", scenario.bits.end},
            {"count", scenario.count},
            {"distribution", name_of(scenario.distribution)},
            {"mean_segment", scenario.mean_segment}};
}

json to_json(const Result& result) {
    json passes = json::array();
    for (const PassTime& pass : result.passes) {
        passes.push_back({{"name", pass.name}, {"us", pass.us}});
    }
    return {{"scenario", to_json(result.scenario)},
            {"contender", result.contender},
            {"status", name_of(result.status)},
            {"message", result.message},
            {"runs", result.runs},
            {"gpu_us", to_json(result.gpu)},
            {"wall_us", to_json(result.wall)},
            {"items_per_second", result.items_per_second()},
            {"model_bytes", or_null(result.model_bytes)},
            {"roofline_share", or_null(result.roofline_share)},
            {"scratch_bytes", or_null(result.scratch_bytes)},
            {"passes", passes}};
}

std::string to_csv(const Result& result) {
    const Scenario& s = result.scenario;
    std::string passes;
    for (const PassTime& pass : result.passes) {
        passes += fmt::format("{}{}={:.3f}", passes.empty() ? "" : ";", pass.name, pass.us);
    }
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{},{},{},{},{},{}", name_of(s.operation),
                       vksortKeyTypeName(s.key), s.value_bytes, s.descending ? 1 : 0, s.count, name_of(s.distribution),
                       s.mean_segment, csv_field(result.contender), name_of(result.status), csv_field(result.message),
                       result.runs, columns(result.gpu), columns(result.wall), result.items_per_second(),
                       or_empty(result.model_bytes), or_empty(result.roofline_share), or_empty(result.scratch_bytes),
                       csv_field(passes), s.bits.begin, s.bits.end);
}

std::string csv_text(const json& head, const std::vector<Result>& results) {
    std::string text;
    for (const auto& [name, value] : head.items()) {
        if (name != "results") {
            text += fmt::format("# {}: {}\n", name, value.dump());
        }
    }
    text += kCsvColumns;
    text += '\n';
    for (const Result& result : results) {
        text += to_csv(result) + '\n';
    }
    return text;
}

} // namespace vksort::bench
