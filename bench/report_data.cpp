// SPDX-License-Identifier: MIT
#include "report_data.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace vksort::bench::report {

namespace {

using nlohmann::json;

// A JSON object that knows where it stands, for the words of a refusal.
class Node {
public:
    Node(const json& value, std::string path) : value_(value), path_(std::move(path)) {
        if (!value.is_object()) {
            refuse("is not an object");
        }
    }

    const json& value() const { return value_; }

    // Null is as good as absent.
    bool has(const char* name) const { return value_.contains(name) && !value_[name].is_null(); }

    Node object(const char* name) const { return {member(name), name_of(name)}; }

    const json& array(const char* name) const {
        const json& found = member(name);
        if (!found.is_array()) {
            refuse("is not an array", name);
        }
        return found;
    }

    std::string text(const char* name) const {
        const json& found = member(name);
        if (!found.is_string()) {
            refuse("is not a string", name);
        }
        return found.get<std::string>();
    }

    // Microseconds, rates and sizes: none of them is negative.
    double number(const char* name) const {
        const json& found = member(name);
        if (!found.is_number()) {
            refuse("is not a number", name);
        }
        const auto number = found.get<double>();
        if (!std::isfinite(number) || number < 0) {
            refuse("is negative or not finite", name);
        }
        return number;
    }

    uint64_t whole(const char* name) const {
        const double approximate = number(name);
        if (!value_[name].is_number_float()) {
            return value_[name].get<uint64_t>();
        }
        if (approximate != std::floor(approximate) || approximate >= 0x1p64) {
            refuse("is not a whole number below 2^64", name);
        }
        return static_cast<uint64_t>(approximate);
    }

    std::optional<double> optional_number(const char* name) const {
        return has(name) ? std::optional(number(name)) : std::nullopt;
    }

    bool flag(const char* name) const {
        if (!has(name)) {
            return false;
        }
        if (!value_[name].is_boolean()) {
            refuse("is neither true nor false", name);
        }
        return value_[name].get<bool>();
    }

    std::string name_of(const char* name) const { return path_.empty() ? name : path_ + "." + name; }

    [[noreturn]] void refuse(const char* why, const char* name = nullptr) const {
        const std::string where = name != nullptr ? name_of(name) : path_;
        throw SchemaError(fmt::format("{} {}", where.empty() ? "the whole" : where, why));
    }

private:
    const json& member(const char* name) const {
        if (!has(name)) {
            refuse("is missing", name);
        }
        return value_[name];
    }

    const json& value_;
    std::string path_;
};

Scenario read_scenario(const Node& node) {
    Scenario scenario;
    scenario.operation = node.text("operation");
    scenario.key = node.text("key");
    scenario.value_bytes = node.has("value_bytes") ? node.whole("value_bytes") : 0;
    scenario.descending = node.flag("descending");
    scenario.begin_bit = node.has("begin_bit") ? node.whole("begin_bit") : 0;
    scenario.end_bit = node.has("end_bit") ? node.whole("end_bit") : 0;
    if (scenario.begin_bit >= scenario.end_bit && scenario.begin_bit != 0) {
        node.refuse("is not above begin_bit", "end_bit");
    }
    scenario.count = node.whole("count");
    scenario.distribution = node.text("distribution");
    scenario.mean_segment = node.optional_number("mean_segment").value_or(0);
    json other = node.value();
    for (const char* known : {"operation", "key", "value_bytes", "descending", "begin_bit", "end_bit", "count",
                              "distribution", "mean_segment"}) {
        other.erase(known);
    }
    if (!other.empty()) {
        scenario.other = other.dump(-1, ' ', false, json::error_handler_t::replace);
    }
    return scenario;
}

std::optional<Times> read_times(const Node& node, const char* name) {
    if (!node.has(name)) {
        return std::nullopt;
    }
    const Node times = node.object(name);
    Times read = {times.number("median"), times.number("p5"), times.number("p95"), times.number("least"),
                  times.number("greatest")};
    if (read.p5 > read.median || read.median > read.p95) {
        node.refuse("is out of order: p5 <= median <= p95 does not hold", name);
    }
    return read;
}

Result read_result(const Node& node) {
    Result result;
    result.scenario = read_scenario(node.object("scenario"));
    result.contender = node.text("contender");
    result.status = node.text("status");
    result.message = node.has("message") ? node.text("message") : "";
    result.runs = node.optional_number("runs");
    result.gpu = read_times(node, "gpu_us");
    result.wall = read_times(node, "wall_us");
    result.items_per_second = node.optional_number("items_per_second");
    result.model_bytes = node.optional_number("model_bytes");
    result.roofline_share = node.optional_number("roofline_share");
    result.scratch_bytes = node.optional_number("scratch_bytes");
    if (node.has("passes")) {
        const json& passes = node.array("passes");
        for (size_t i = 0; i < passes.size(); ++i) {
            const Node pass(passes[i], fmt::format("{}[{}]", node.name_of("passes"), i));
            result.passes.push_back({pass.text("name"), pass.number("us")});
        }
    }
    return result;
}

} // namespace

Results read_results(const json& whole) {
    const Node node(whole, "");
    const json schema = node.has("schema") ? whole["schema"] : json();
    if (schema != 1) {
        throw SchemaError(
            fmt::format("schema is {}: this program reads version 1",
                        schema.is_null() ? "missing" : schema.dump(-1, ' ', true, json::error_handler_t::replace)));
    }
    for (const char* name : {"program", "method"}) {
        if (node.has(name)) {
            (void)node.object(name);
        }
    }
    const Node device = node.object("device");
    (void)device.text("name");
    (void)device.text("driver");
    (void)node.optional_number("roofline_bytes_per_second");

    Results results;
    const json& list = node.array("results");
    for (size_t i = 0; i < list.size(); ++i) {
        results.results.push_back(read_result(Node(list[i], fmt::format("results[{}]", i))));
    }
    for (const auto& [name, value] : whole.items()) {
        if (name != "results") {
            results.about[name] = value;
        }
    }
    return results;
}

const Times* measured(const Result& result) {
    if (result.status != "ok") {
        return nullptr;
    }
    const std::optional<Times>& times = result.gpu ? result.gpu : result.wall;
    return times && times->median > 0 ? &*times : nullptr;
}

double rate(const Result& result) {
    const Times* times = measured(result);
    if (times == nullptr) {
        return 0;
    }
    const double given = result.items_per_second.value_or(0);
    return given > 0 ? given : static_cast<double>(result.scenario.count) / times->median * 1e6;
}

double noise(const Times& times) { return times.median > 0 ? (times.p95 - times.p5) / times.median : 0; }

Change change(double ratio, double tolerance) {
    return ratio > 1 + tolerance ? Change::kFaster : ratio < 1 - tolerance ? Change::kSlower : Change::kSame;
}

bool is_vksort(const std::string& contender) { return contender == "vksort" || contender.starts_with("vksort "); }

bool is_roofline(const std::string& contender) { return contender == "copy"; }

std::string kind_text(const Scenario& scenario) {
    std::string text = scenario.operation == "segmented_sort" ? "segmented sort" : scenario.operation;
    text += " " + scenario.key;
    if (scenario.value_bytes != 0) {
        text += fmt::format("+{}", scenario.value_bytes);
    }
    text += scenario.descending ? " descending" : "";
    if (scenario.end_bit != 0) {
        text += fmt::format(", bits {} to {}", scenario.begin_bit, scenario.end_bit - 1);
    }
    return text + (scenario.other.empty() ? "" : " " + scenario.other);
}

std::string scenario_text(const Scenario& scenario) {
    std::string text = fmt::format("{}, n = {}, {}", kind_text(scenario), count_text(scenario.count), scenario.distribution);
    if (scenario.mean_segment > 0) {
        text += ", segments of " + segment_text(scenario.mean_segment);
    }
    return text;
}

std::string segment_text(double mean) {
    return mean == std::floor(mean) && mean < 0x1p63 ? count_text(static_cast<uint64_t>(mean)) : fmt::format("{:.6g}", mean);
}

std::string count_text(uint64_t count) {
    if (count >= 1024 && std::has_single_bit(count)) {
        return fmt::format("2^{}", std::countr_zero(count));
    }
    std::string text = std::to_string(count);
    for (size_t i = text.size(); i > 3; i -= 3) {
        text.insert(i - 3, ",");
    }
    return text;
}

} // namespace vksort::bench::report
