// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "key_text.hpp"
#include "progress.hpp"
#include "sort_options.hpp"
#include "vksort/vksort_host.hpp"

namespace {

void check_files(const SortOptions& options) {
    if (options.values.empty() != options.values_output.empty()) {
        fail(kBadInput, "--values and --values-out go together: give both or neither");
    }
    if (options.value_size != 0 && options.values.empty()) {
        fail(kBadInput, "--value-size needs --values and --values-out");
    }
    if (options.input == "-" && options.values == "-") {
        fail(kBadInput, "keys and values cannot both come from standard input: give a file for one of them");
    }
    if (!options.values_output.empty() && options.output == options.values_output) {
        fail(kBadInput, "keys and values cannot both go to '{}': give --values-out another name", options.output);
    }
    if (options.output == "-" && !options.text && is_terminal(stdout)) {
        fail(kBadInput, "binary data would go to the terminal: give a file, a pipe or --text");
    }
}

// What the library refuses on any device is refused before anything is read or opened.
void check_description(const VksortPlanDesc& desc) {
    VksortDeviceInfo generic = {};
    vksortGetGenericDeviceInfo(&generic);
    VksortPlanInfo info = {};
    char message[512] = "";
    if (vksortDescribePlan(&generic, &desc, &info, message, sizeof message) == VK_ERROR_FORMAT_NOT_SUPPORTED) {
        fail(kBadInput, "{}", message);
    }
}

std::string summary_text(const vksort::host::Device& device, const SortOptions& options, uint64_t count,
                         const vksort::host::SortOutcome& outcome) {
    const bool on_gpu = outcome.total_microseconds > 0;
    const double time = on_gpu ? outcome.total_microseconds : outcome.wall_microseconds;
    const std::string what = options.argsort           ? options.type + " keys (indices only)"
                             : !options.values.empty() ? fmt::format("{} keys with {}-byte values", options.type,
                                                                     options.value_size != 0 ? options.value_size : 4)
                                                       : options.type + " keys";
    return fmt::format("sorted {} {} on {} by {} in {}{} ({})\n", with_commas(count), what, device.listing().name,
                       vksortAlgorithmName(outcome.plan.algorithm), time_text(time), on_gpu ? "" : " with submission",
                       rate_text(count, time));
}

std::string timings_text(const vksort::host::SortOutcome& outcome) {
    if (outcome.passes.empty()) {
        return fmt::format("no times of single passes: the device has no timestamps, or there was nothing to sort\n");
    }
    std::vector<std::vector<std::string>> rows = {{"pass", "GPU time", "share"}};
    for (const vksort::host::PassTime& pass : outcome.passes) {
        const double share = outcome.total_microseconds > 0 ? 100 * pass.microseconds / outcome.total_microseconds : 0;
        rows.push_back({pass.name, time_text(pass.microseconds), fmt::format("{:.1f}%", share)});
    }
    rows.push_back({"first to last pass", time_text(outcome.total_microseconds), ""});
    rows.push_back({"with submission", time_text(outcome.wall_microseconds), ""});
    return table_text(rows, 1) + fmt::format("  {} of {} digit passes ran, {} look-back fallbacks\n",
                                             outcome.statistics.digitPassesRun, outcome.plan.digitPasses,
                                             outcome.statistics.fallbacks);
}

void run_sort(const SortOptions& options) {
    check_files(options);
    const VksortPlanDesc desc = options.description();
    check_description(desc);
    OutputFile output(options.output);
    std::unique_ptr<OutputFile> values_output;
    if (!options.values_output.empty()) {
        values_output = std::make_unique<OutputFile>(options.values_output);
    }

    Progress progress;
    progress.stage("reading");
    const std::vector<std::byte> keys = read_keys(options.input, desc.keyType, options.text);
    const uint64_t count = keys.size() / vksortKeySize(desc.keyType);
    std::vector<std::byte> values;
    if (!options.values.empty()) {
        values = read_values(options.values, desc.valueSize, count);
    }

    progress.stage("opening the device");
    uint32_t validation_messages = 0;
    vksort::host::DeviceOptions device_options;
    device_options.selector = options.device;
    device_options.validation = options.validation;
    device_options.on_message = [&](VksortSeverity severity, const std::string& message) {
        // Errors of vksort itself come back as exceptions; the layer's messages are the only other ones.
        if (severity == VKSORT_SEVERITY_WARNING || options.validation) {
            fmt::print(stderr, "vksort: {}\n", message);
        }
        ++validation_messages;
    };
    vksort::host::SortOutcome outcome;
    std::string report;
    {
        vksort::host::Device device(device_options);
        vksort::host::SortRequest request;
        request.desc = desc;
        request.keys = keys;
        request.values = values;
        request.warm_up = options.summary || options.timings;
        request.progress = [&](const char* stage, double fraction) { progress.stage(stage, fraction); };
        outcome = vksort::host::sort(device, request);
        if (options.summary || options.timings) {
            report = summary_text(device, options, count, outcome);
        }
    }
    if (options.validation && validation_messages != 0) {
        fail(kNoDevice, "the validation layer had {} messages; nothing was written", validation_messages);
    }

    progress.stage("writing");
    if (options.argsort) {
        options.text ? output.write(keys_to_text(outcome.values, VKSORT_KEY_U32)) : output.write(outcome.values);
    } else {
        options.text ? output.write(keys_to_text(outcome.keys, desc.keyType)) : output.write(outcome.keys);
    }
    if (values_output) {
        values_output->write(outcome.values);
        values_output->commit();
    }
    output.commit();
    report += options.timings ? timings_text(outcome) : "";
    progress.finish();
    fmt::print(stderr, "{}", report);
}

} // namespace

void add_sort_command(CLI::App& app) {
    auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("sort", "Sort a file of keys, alone or with values, on the GPU");
    options->add_to(*command, false);
    command->footer("Keys and values are raw little-endian arrays. Floats are in IEEE 754 total order. Sorts are stable.\n"
                    "The output file appears whole or not at all; it may be the input file.");
    command->callback([options] { run_sort(*options); });
}
