// SPDX-License-Identifier: MIT
#include "options.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "program.h"

namespace vksort::bench {

namespace {

bool is_custom(const Options& o) {
    return !(o.operations.empty() && o.keys.empty() && o.bits.empty() && o.counts.empty() && o.orders.empty() &&
             o.distributions.empty() && o.values.empty() && o.means.empty());
}

template <typename To, typename From, typename Parse>
void replace(std::vector<To>& values, const std::vector<From>& texts, const Parse& parse) {
    if (!texts.empty()) {
        values.clear();
        for (const From& text : texts) {
            values.push_back(parse(text));
        }
    }
}

Preset custom_preset(const Options& options, bool cpu_device) {
    Preset preset = default_preset(cpu_device, options.seed);
    preset.name = "custom";
    preset.tasks.clear();
    Choice choice;
    replace(choice.operations, options.operations, [](const std::string& text) { return parse_operation(text); });
    replace(choice.keys, options.keys, [](const std::string& text) { return parse_key_type(text); });
    replace(choice.bits, options.bits, [](const std::string& text) { return parse_bits(text); });
    replace(choice.counts, options.counts, [](const std::string& text) { return parse_sorted_count(text); });
    replace(choice.distributions, options.distributions, [](const std::string& text) { return parse_distribution(text); });
    replace(choice.descending, options.orders, [](const std::string& text) {
        if (text != "ascending" && text != "descending") {
            throw std::invalid_argument(fmt::format("there is no order {}, only ascending, descending", text));
        }
        return text == "descending";
    });
    replace(choice.value_bytes, options.values, [](uint32_t bytes) { return checked_value_bytes(bytes); });
    replace(choice.mean_segments, options.means, [](uint64_t mean) { return std::max<uint64_t>(mean, 1); });
    if (!options.means.empty() && options.operations.empty()) {
        choice.operations = {Operation::segmented_sort};
    }
    if (!options.bits.empty() && std::any_of(choice.operations.begin(), choice.operations.end(),
                                             [](Operation operation) { return operation != Operation::sort; })) {
        throw std::invalid_argument("--bits is for sorts: merges and segmented sorts go by whole keys");
    }
    for (const Scenario& scenario : combine(choice)) {
        preset.tasks.push_back({scenario, {}});
    }
    return preset;
}

// A word of a command line as it is typed: in quotation marks only where a shell needs them.
std::string typed(const std::string& word) {
    const auto is_plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string_view("-_=+,.:^/%@").find(static_cast<char>(c)) != std::string_view::npos;
    };
    return !word.empty() && std::all_of(word.begin(), word.end(), is_plain) ? word : quoted(word);
}

} // namespace

void CommonOptions::apply(Steadiness& steadiness) const {
    steadiness.least_runs = runs.value_or(steadiness.least_runs);
    steadiness.most_runs = std::max(steadiness.most_runs, steadiness.least_runs);
    steadiness.most_seconds = seconds.value_or(steadiness.most_seconds);
    steadiness.uncertainty = noise.value_or(steadiness.uncertainty);
}

void add_common_options(CLI::App& app, CommonOptions& options) {
    app.add_option("--device", options.device, "index or part of the name of a device, as `vksort info` lists them");
    app.add_flag("--compute-queue", options.compute_queue, "a queue without graphics, where there is one");
    app.add_option("--seed", options.seed, "of everything that is random");
    app.add_option("--runs", options.runs, "runs at least (the floor of the method)")->group("Method");
    app.add_option("--seconds", options.seconds, "at most so long a measurement (the ceiling)")->group("Method");
    app.add_option("--noise", options.noise, "run until the median is known to this share, 0.005 for half a percent")
        ->group("Method");
}

void add_options(CLI::App& app, Options& options) {
    add_common_options(app, options);
    CLI::Option* quick = app.add_flag("--quick", options.quick, "less than a minute, on a CPU driver too");
    app.add_flag("--campaign", options.campaign, "an hour and more: besides the default, 1500 sizes drawn at random")
        ->excludes(quick);
    app.add_flag("--list", options.list, "print what would be run, and end");
    app.add_flag("--passes", options.passes, "print the time of every pass (the files have it always)");
    const auto many = [&app](const char* name, auto& values, const char* text) {
        app.add_option(name, values, text)->delimiter(',')->group("Scenarios of your own: every combination of");
    };
    many("--operations", options.operations, "sort, merge, segmented_sort");
    many("--keys", options.keys, "u32, i32, f32, u64, i64, f64, u16, i16, f16, u8, i8");
    many("--bits", options.bits, "bits that are sorted by: 16:32 for 16 to 31, 0 being the lowest; all, if not given");
    many("--values", options.values, "bytes of the value that moves with a key: 0, 4, 8, 12, 16");
    many("--orders", options.orders, "ascending, descending");
    many("--counts", options.counts, "elements: 1000000 or 2^20");
    many("--distributions", options.distributions,
         "uniform, and2, and3, and4, and5, sorted, reversed, equal, few, nearly-sorted, low16, zipf, unit, normal, offset, "
         "projected, splats, morton");
    many("--means", options.means, "mean lengths of segments");
    app.add_option("--contenders", options.contenders, "only these: vksort, 'vksort onesweep', copy, std, CUB, ...")
        ->delimiter(',');
    app.add_option("--json", options.json, "write the results to this file")->group("Files");
    app.add_option("--csv", options.csv, "write the results to this file")->group("Files");
    app.add_option("--html", options.html, "write a report to this file")->group("Files");
}

std::string command_text(int argc, const char* const* argv) {
    std::string text = "vksort-bench";
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const std::string name = word.substr(0, word.find('='));
        if (name == "--json" || name == "--csv" || name == "--html" || name == "--svg") {
            i += name == word ? 1 : 0; // its value is a word of its own
        } else {
            text += " " + typed(word);
        }
    }
    return text;
}

Preset preset_of(const Options& options, bool cpu_device) {
    if (is_custom(options) && (options.quick || options.campaign)) {
        throw std::invalid_argument("--quick and --campaign say what is run: leave out the scenarios of your own");
    }
    Preset preset = is_custom(options) ? custom_preset(options, cpu_device)
                    : options.quick    ? quick_preset(cpu_device)
                    : options.campaign ? campaign_preset(cpu_device, options.seed)
                                       : default_preset(cpu_device, options.seed);
    options.apply(preset.method.gpu);
    options.apply(preset.method.wall);
    return preset;
}

} // namespace vksort::bench
