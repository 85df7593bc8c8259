// SPDX-License-Identifier: MIT
#include "sample.h"

#include <cmath>

namespace {

using nlohmann::json;

// Made up: a start, and a rate in items a microsecond.
struct Contender {
    const char* name;
    double start;
    double rate;
    bool on_gpu;
};

constexpr Contender kContenders[] = {
    {"copy", 2.1, 190000, true},
    {"vksort auto", 26.3, 42000, true},
    {"vksort onesweep", 71.7, 42100, true},
    {"vksort reduce_scan", 96.9, 23000, true},
    {"CUB radix", 41.2, 43300, true},
    {"std::sort", 0.4, 14, false},
};

double time_of(const Contender& contender, double count, double slowdown) {
    const double wobble = 1 + 0.03 * std::sin(count * 0.001 + contender.start);
    return (contender.start + count / contender.rate) * wobble * slowdown;
}

json measured(const json& scenario, const Contender& contender, double slowdown = 1) {
    const double us = time_of(contender, scenario["count"].get<double>(), slowdown);
    json made = result(scenario, contender.name, us, contender.on_gpu ? 0.03 : 0.2);
    if (!contender.on_gpu) {
        made["wall_us"] = made["gpu_us"];
        made["gpu_us"] = nullptr;
        made["scratch_bytes"] = nullptr;
        made["roofline_share"] = nullptr;
        made["model_bytes"] = nullptr;
    }
    return made;
}

void add_passes(json& result) {
    const double us = result["gpu_us"]["median"];
    const bool scan = result["contender"] == "vksort reduce_scan";
    for (int digit = 0; digit < 4; ++digit) {
        if (scan) {
            result["passes"].push_back({{"name", "upsweep " + std::to_string(digit)}, {"us", us * 0.07}});
            result["passes"].push_back({{"name", "spine " + std::to_string(digit)}, {"us", us * 0.01}});
            result["passes"].push_back({{"name", "downsweep " + std::to_string(digit)}, {"us", us * 0.165}});
        } else {
            if (digit == 0) {
                result["passes"].push_back({{"name", "histogram"}, {"us", us * 0.11}});
                result["passes"].push_back({{"name", "scan"}, {"us", us * 0.01}});
            }
            result["passes"].push_back({{"name", "onesweep " + std::to_string(digit)}, {"us", us * (0.21 + 0.005 * digit)}});
        }
    }
}

void add_kind(json& results, uint64_t value_bytes, double slowdown) {
    for (int exponent = 10; exponent <= 28; exponent += 2) {
        json where = scenario(uint64_t{1} << exponent);
        where["value_bytes"] = value_bytes;
        for (const Contender& contender : kContenders) {
            json made = measured(where, contender, slowdown);
            if (std::string(contender.name).starts_with("vksort")) {
                add_passes(made);
            }
            results.push_back(made);
        }
    }
    const char* const distributions[] = {"sorted", "reversed", "equal", "few", "and3", "nearly-sorted", "zipf"};
    double factor = 0.6;
    for (const char* distribution : distributions) {
        json where = scenario(uint64_t{1} << 24, distribution);
        where["value_bytes"] = value_bytes;
        for (const Contender& contender : kContenders) {
            if (contender.name != std::string("copy")) {
                results.push_back(measured(where, contender, slowdown * factor));
            }
        }
        factor += 0.1;
    }
}

void add_segments(json& results) {
    const Contender contenders[] = {{"vksort auto", 40, 30000, true},
                                    {"vksort size_classes", 60, 31000, true},
                                    {"CUB segmented radix", 50, 35000, true}};
    for (int exponent = 0; exponent <= 20; exponent += 2) {
        json where = scenario(uint64_t{1} << 24);
        where["operation"] = "segmented_sort";
        where["mean_segment"] = std::exp2(exponent);
        for (const Contender& contender : contenders) {
            const bool ours = std::string(contender.name).starts_with("vksort");
            results.push_back(measured(where, contender, ours ? 1 + 0.05 * exponent : 1 + 20 * std::exp2(-exponent)));
        }
    }
}

json failed(const json& scenario, const char* contender, const char* status, const char* message) {
    return {{"scenario", scenario},
            {"contender", contender},
            {"status", status},
            {"message", message},
            {"runs", 0},
            {"gpu_us", nullptr},
            {"wall_us", nullptr},
            {"items_per_second", nullptr},
            {"model_bytes", nullptr},
            {"roofline_share", nullptr},
            {"scratch_bytes", nullptr},
            {"passes", json::array()}};
}

} // namespace

json empty_file() {
    return {
        {"schema", 1},
        {"program",
         {{"version", "0.1.0"},
          {"commit", "0123abc"},
          {"build_type", "Release"},
          {"compiler", "GNU 12.2.0"},
          {"flags", "-O3"}}},
        {"device",
         {{"name", "Sample device, made up for a test"},
          {"driver", "sample driver"},
          {"driver_version", "1.2.3"},
          {"type", "discrete GPU"},
          {"vendor_id", 4318},
          {"subgroup_sizes", {32, 64}},
          {"limits", {{"shared_memory", 49152}, {"workgroup_invocations", 1024}}},
          {"queue", "compute and graphics"}}},
        {"date", "2026-01-02T03:04:05Z"},
        {"command", "vksort-bench --seed 7"},
        {"preset", "default"},
        {"seed", 7},
        {"method", {{"warm_up_seconds", 0.3}, {"clock", "timestamps of the GPU"}, {"verified", true}, {"seeds", {1, 2, 3}}}},
        {"roofline_bytes_per_second", 3.35e12},
        {"results", json::array()}};
}

json scenario(uint64_t count, const std::string& distribution) {
    return {{"operation", "sort"},          {"key", "u32"},     {"value_bytes", 0}, {"descending", false}, {"count", count},
            {"distribution", distribution}, {"mean_segment", 0}};
}

json times(double median, double noise) {
    return {{"median", median},
            {"p5", median * (1 - noise / 2)},
            {"p95", median * (1 + noise / 2)},
            {"least", median * (1 - noise * 0.6)},
            {"greatest", median * (1 + noise * 2)}};
}

json result(const json& scenario, const std::string& contender, double microseconds, double noise) {
    const double count = scenario["count"];
    return {{"scenario", scenario},
            {"contender", contender},
            {"status", "ok"},
            {"message", ""},
            {"runs", 37},
            {"gpu_us", times(microseconds, noise)},
            {"wall_us", times(microseconds * 1.1 + 17, noise)},
            {"items_per_second", count / microseconds * 1e6},
            {"model_bytes", count * 36},
            {"roofline_share", count * 36 / microseconds * 1e6 / 3.35e12},
            {"scratch_bytes", count * 4 + 8192},
            {"passes", json::array()}};
}

json sample_file() {
    json file = empty_file();
    json& results = file["results"];
    add_kind(results, 0, 1);
    add_kind(results, 4, 1.4);
    add_segments(results);
    json merge = scenario(1000000);
    merge["operation"] = "merge";
    merge["key"] = "u64";
    results.push_back(measured(merge, {"vksort merge", 20, 20000, true}));
    results.push_back(measured(merge, {"CUB merge", 15, 24000, true}));
    results.push_back(failed(scenario(uint64_t{1} << 30), "vksort auto", "too_large", "at most 2^29 keys on this device"));
    results.push_back(failed(scenario(uint64_t{1} << 28, "zipf"), "other library", "wrong", "key 17 is out of order"));
    results.push_back(failed(merge, "other library", "unsupported", "no merge of u64"));
    results.push_back(failed(scenario(uint64_t{1} << 28, "few"), "std::sort", "interrupted", ""));
    return file;
}

json with(const std::vector<json>& results) {
    json file = empty_file();
    file["results"] = results;
    return file;
}

bool has(const std::string& whole, const std::string& text) { return whole.find(text) != std::string::npos; }

size_t count_of(const std::string& whole, const std::string& text) {
    size_t count = 0;
    for (size_t at = whole.find(text); at != std::string::npos; at = whole.find(text, at + 1)) {
        ++count;
    }
    return count;
}
