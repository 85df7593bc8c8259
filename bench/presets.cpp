// SPDX-License-Identifier: MIT
#include "presets.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "random.h"

namespace vksort::bench {

namespace {

void add(Preset& preset, const Choice& choice, const std::vector<std::string>& contenders = {}) {
    for (const Scenario& scenario : combine(choice)) {
        preset.tasks.push_back({scenario, contenders});
    }
}

std::vector<uint64_t> powers(uint32_t first, uint32_t last, uint32_t step) {
    std::vector<uint64_t> counts;
    for (uint32_t power = first; power <= last; power += step) {
        counts.push_back(uint64_t{1} << power);
    }
    return counts;
}

Choice sorts(VksortKeyType key, uint32_t value_bytes, std::vector<uint64_t> counts) {
    Choice choice;
    choice.keys = {key};
    choice.value_bytes = {value_bytes};
    choice.counts = std::move(counts);
    return choice;
}

} // namespace

bool is_chosen(const std::string& name, const std::vector<std::string>& chosen) {
    return chosen.empty() || std::any_of(chosen.begin(), chosen.end(), [&](const std::string& text) {
               return name == text || name.starts_with(text + " ") || name.starts_with(text + "::");
           });
}

std::vector<Scenario> combine(const Choice& choice) {
    std::vector<Scenario> scenarios;
    const auto add_lengths = [&](const Scenario& base) {
        for (const uint64_t count : choice.counts) {
            for (const Distribution distribution : choice.distributions) {
                for (const uint64_t mean : choice.mean_segments) {
                    Scenario scenario = base;
                    scenario.count = count;
                    scenario.distribution = base.operation == Operation::merge ? Distribution::uniform : distribution;
                    scenario.mean_segment = base.operation == Operation::segmented_sort ? mean : 0;
                    if (std::find(scenarios.begin(), scenarios.end(), scenario) == scenarios.end()) {
                        scenarios.push_back(scenario);
                    }
                }
            }
        }
    };
    for (const Operation operation : choice.operations) {
        for (const VksortKeyType key : choice.keys) {
            for (const uint32_t value_bytes : choice.value_bytes) {
                for (const bool descending : choice.descending) {
                    for (const BitRange bits : choice.bits) {
                        Scenario base;
                        base.operation = operation;
                        base.key = key;
                        base.value_bytes = value_bytes;
                        base.descending = descending;
                        base.bits = bits_of_key(bits, key);
                        add_lengths(base);
                    }
                }
            }
        }
    }
    return scenarios;
}

std::vector<uint64_t> random_counts(size_t how_many, uint64_t least, uint64_t greatest, uint64_t seed) {
    std::vector<uint64_t> counts;
    const double low = std::log(static_cast<double>(least)), high = std::log(static_cast<double>(greatest));
    for (size_t i = 0; i < how_many; ++i) {
        const double at = low + (high - low) * unit(mix(seed ^ 0x51, i));
        counts.push_back(std::clamp(static_cast<uint64_t>(std::llround(std::exp(at))), least, greatest));
    }
    return counts;
}

Preset quick_preset(bool cpu_device) {
    Preset preset;
    preset.name = "quick";
    preset.method.warm_up_runs = 1;
    preset.method.warm_up_seconds = cpu_device ? 0 : 0.1;
    preset.method.gpu = {5, 31, 0.2, 0.01};
    preset.method.wall = {3, 7, 0.1, 0.01};
    const std::vector<uint64_t> counts = cpu_device ? powers(10, 16, 3) : powers(12, 24, 4);
    const uint64_t large = counts.back();
    const std::vector<std::string> few = {"vksort auto", "copy", "std::sort", "CUB"};
    add(preset, sorts(VKSORT_KEY_U32, 0, counts), few);
    add(preset, sorts(VKSORT_KEY_U32, 4, {large}), few);
    add(preset, sorts(VKSORT_KEY_U64, 0, {large}), few);
    Choice segments = sorts(VKSORT_KEY_U32, 0, {large});
    segments.operations = {Operation::segmented_sort};
    segments.mean_segments = {100};
    add(preset, segments, few);
    Choice merges = sorts(VKSORT_KEY_U32, 0, {large});
    merges.operations = {Operation::merge};
    add(preset, merges, few);
    return preset;
}

Preset default_preset(bool cpu_device, uint64_t seed) {
    Preset preset;
    preset.name = "default";
    preset.method.warm_up_seconds = cpu_device ? 0 : 0.1;
    preset.method.gpu = {11, 101, 0.3, 0.005};
    preset.method.wall = {5, 21, 0.15, 0.02};
    preset.largest_host_count = 1 << 22;
    const uint32_t last = cpu_device ? 18 : 28;
    const uint64_t large = uint64_t{1} << (cpu_device ? 16 : 24);
    const std::vector<uint64_t> counts = powers(10, last, 2);
    add(preset, sorts(VKSORT_KEY_U32, 0, counts));
    add(preset, sorts(VKSORT_KEY_U32, 4, counts));
    add(preset, sorts(VKSORT_KEY_U64, 0, counts));
    add(preset, sorts(VKSORT_KEY_U64, 8, counts), {"vksort auto", "copy", "std", "CUB"});
    const std::vector<std::string> best = {"vksort auto", "vksort locality", "CUB"};
    // Sizes that no tile divides.
    add(preset, sorts(VKSORT_KEY_U32, 0, {1023, 4097, large - 1, large + 1, 1000003}), best);
    add(preset, sorts(VKSORT_KEY_U32, 0, random_counts(8, 1 << 10, uint64_t{1} << last, seed)), best);
    Choice types = sorts(VKSORT_KEY_U32, 0, {large});
    types.keys = {VKSORT_KEY_I32, VKSORT_KEY_F32, VKSORT_KEY_I64, VKSORT_KEY_F64,
                  VKSORT_KEY_U16, VKSORT_KEY_F16, VKSORT_KEY_U8};
    add(preset, types, best);
    Choice values = sorts(VKSORT_KEY_U32, 0, {large});
    values.value_bytes = {8, 12, 16};
    add(preset, values, best);
    Choice descending = sorts(VKSORT_KEY_U32, 0, {large});
    descending.descending = {true};
    add(preset, descending, best);
    for (const uint32_t value_bytes : {0u, 4u}) {
        Choice high_bits = sorts(VKSORT_KEY_U32, value_bytes, {large});
        high_bits.bits = {{16, 32}};
        add(preset, high_bits, best);
        Choice distributions = sorts(VKSORT_KEY_U32, value_bytes, {large});
        distributions.distributions.assign(std::next(std::begin(kDistributions)), std::end(kDistributions));
        add(preset, distributions, best);
        Choice segments = sorts(VKSORT_KEY_U32, value_bytes, {large});
        segments.operations = {Operation::segmented_sort};
        segments.mean_segments = {10, 30, 100, 300, 1000, 10000, 100000, 1000000};
        add(preset, segments, {"vksort segmented", "vksort size_classes", "CUB"});
    }
    Choice merges = sorts(VKSORT_KEY_U32, 0, powers(16, last, 4));
    merges.operations = {Operation::merge};
    add(preset, merges);
    merges.value_bytes = {4};
    add(preset, merges);
    merges.keys = {VKSORT_KEY_U64};
    merges.value_bytes = {0};
    add(preset, merges);
    return preset;
}

Preset campaign_preset(bool cpu_device, uint64_t seed) {
    Preset preset = default_preset(cpu_device, seed);
    preset.name = "campaign";
    preset.method.gpu = {11, 201, 0.5, 0.005};
    preset.largest_host_count = 1 << 24;
    // Merrill and Grimshaw's way: sizes at random, so that no tile size flatters anybody.
    Choice sizes = sorts(VKSORT_KEY_U32, 0, random_counts(500, 1 << 10, uint64_t{1} << (cpu_device ? 18 : 28), seed));
    std::sort(sizes.counts.begin(), sizes.counts.end());
    const std::vector<std::string> best = {"vksort auto", "CUB"};
    add(preset, sizes, best);
    sizes.value_bytes = {4};
    add(preset, sizes, best);
    sizes.value_bytes = {0};
    sizes.keys = {VKSORT_KEY_U64};
    add(preset, sizes, best);
    return preset;
}

} // namespace vksort::bench
