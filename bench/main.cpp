// SPDX-License-Identifier: MIT
//
// vksort-bench: how fast a device sorts, beside others. README.md states the method.
#include <algorithm>
#include <csignal>
#include <exception>
#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "capacity.h"
#include "compare.h"
#include "environment.h"
#include "live_table.h"
#include "options.h"
#include "output_files.hpp"
#include "plans.h"
#include "program.h"
#include "report.h"
#include "report_markdown.h"
#include "report_pictures.h"
#include "verify.h"

namespace vksort::bench {

namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free); // a signal handler sets it

// Once: a second interrupt ends the program at once.
void on_interrupt(int) {
    g_interrupted = true;
    std::signal(SIGINT, SIG_DFL);
}

struct Work {
    Scenario scenario;
    std::vector<Contender*> contenders;
};

// Who takes part in what. Contenders that cannot do a scenario are named only where the user asked for them.
std::vector<Work> plan_work(const Preset& preset, const Contenders& contenders, const std::vector<std::string>& chosen) {
    std::vector<Work> work;
    for (const Task& task : preset.tasks) {
        Work item{task.scenario, {}};
        for (const std::unique_ptr<Contender>& contender : contenders) {
            const bool named = !chosen.empty();
            if (!is_chosen(contender->name(), named ? chosen : task.contenders)) {
                continue;
            }
            const bool exactly = std::find(chosen.begin(), chosen.end(), contender->name()) != chosen.end();
            const bool too_long = contender->is_host() && task.scenario.count > preset.largest_host_count && !named;
            if (exactly || (!too_long && contender->refusal(task.scenario).empty())) {
                item.contenders.push_back(contender.get());
            }
        }
        if (!item.contenders.empty()) {
            work.push_back(std::move(item));
        }
    }
    return work;
}

void write_files(const Options& options, const nlohmann::json& head, const std::vector<Result>& results) {
    nlohmann::json whole = head;
    whole["results"] = nlohmann::json::array();
    for (const Result& result : results) {
        whole["results"].push_back(to_json(result));
    }
    const std::pair<const std::string&, std::function<std::string()>> outputs[] = {
        {options.csv, [&] { return csv_text(head, results); }},
        {options.json, [&] { return whole.dump(1) + "\n"; }},
        {options.html, [&] { return html_report(whole); }},
    };
    std::exception_ptr failure; // of one file, which does not keep the others from being written
    for (const auto& [path, text] : outputs) {
        if (path.empty()) {
            continue;
        }
        try {
            files::OutputFiles output;
            output.add(path).write(text());
            output.commit();
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

// Fails now, not after an hour.
void check_files(const Options& options) {
    files::OutputFiles outputs;
    for (const std::string& path : {options.json, options.csv, options.html}) {
        if (!path.empty()) {
            outputs.add(path);
        }
    }
}

void run_all(const std::vector<Work>& work, const Preset& preset, const Options& options, std::optional<double> roofline,
             std::vector<Result>& results) {
    size_t total = 0;
    for (const Work& item : work) {
        total += item.contenders.size();
    }
    LiveTable table(total, options.passes);
    Bench bench(preset.method, roofline, g_interrupted);
    Input input;
    for (const Work& item : work) {
        std::string too_large;
        try {
            check_host_memory(2 * item.scenario.bytes() + verify_bytes(item.scenario)); // and the result
            generate(item.scenario, options.seed, input);
        } catch (const TooLarge& error) {
            too_large = error.what();
        } catch (const std::bad_alloc&) {
            too_large = "no host memory left";
        }
        for (Contender* contender : item.contenders) {
            if (g_interrupted) {
                return;
            }
            table.starting(item.scenario, contender->name());
            Result result;
            if (too_large.empty()) {
                result = bench.measure(*contender, input);
            } else {
                result.scenario = item.scenario;
                result.contender = contender->name();
                result.status = Status::too_large;
                result.message = too_large;
            }
            table.add(result);
            results.push_back(std::move(result));
        }
    }
}

int list_work(const std::vector<Work>& work) {
    for (const Work& item : work) {
        std::string names;
        for (const Contender* contender : item.contenders) {
            names += fmt::format("{}{}", names.empty() ? "" : "; ", contender->name());
        }
        files::print_output(fmt::format("{}: {}\n", text_of(item.scenario), names));
    }
    return kSuccess;
}

// A contender that is not built, or misspelt, is not left out without a word.
void warn_of_unknown(const Contenders& contenders, const std::vector<std::string>& chosen) {
    for (const std::string& name : chosen) {
        if (std::none_of(contenders.begin(), contenders.end(),
                         [&](const auto& contender) { return is_chosen(contender->name(), {name}); })) {
            files::print_error(fmt::format("vksort-bench: there is no contender {} here\n", name));
        }
    }
}

int bench(const Options& options, const std::string& command) {
    if (!options.list) {
        check_files(options);
    }
    host::DeviceOptions device_options;
    device_options.selector = options.device;
    device_options.prefer_compute_queue = options.compute_queue;
    host::Device device(device_options);
    const bool cpu_device = device.info().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const Preset preset = preset_of(options, cpu_device);
    Contenders contenders;
    add_vksort(device, contenders);
    add_copy(device, contenders);
#ifdef VKSORT_BENCH_HAS_CUDA
    add_cub(device, contenders);
#endif
#ifdef VKSORT_BENCH_HAS_VRDX
    add_vrdx(device, contenders);
#endif
    add_std_sort(contenders);
    const std::vector<Work> work = plan_work(preset, contenders, options.contenders);
    if (work.empty()) {
        throw std::invalid_argument("no contender of that name can do any of it; --list shows what there is");
    }
    warn_of_unknown(contenders, options.contenders);
    if (options.list) {
        return list_work(work);
    }
    std::signal(SIGINT, on_interrupt);
    files::print_output(fmt::format("{}, {}\n", device.listing().name, device.listing().driver));
    const std::optional<double> roofline = measure_roofline(device);
    if (roofline) {
        files::print_output(fmt::format("roofline: a large copy reads and writes {:.1f} GB/s\n", *roofline / 1e9));
    }
    files::print_output("\n");

    const nlohmann::json head = {
        {"schema", kSchema},
        {"program", program_json()},
        {"device", device_json(device, options.compute_queue)},
        {"date", date_text()},
        {"command", command},
        {"preset", preset.name},
        {"method", to_json(preset.method)},
        {"seed", options.seed},
        {"roofline_bytes_per_second", roofline ? nlohmann::json(*roofline) : nlohmann::json(nullptr)},
    };
    std::vector<Result> results;
    try {
        run_all(work, preset, options, roofline, results);
    } catch (...) { // what was measured is kept
        write_files(options, head, results);
        throw;
    }
    write_files(options, head, results);
    if (g_interrupted) {
        files::print_error("vksort-bench: interrupted; what was measured is kept\n");
        return kInterrupted;
    }
    return std::any_of(results.begin(), results.end(), [](const Result& r) { return r.status == Status::wrong; }) ? kWrong
                                                                                                                  : kSuccess;
}

nlohmann::json read_json(const std::string& path) {
    std::ifstream file(path);
    nlohmann::json results = nlohmann::json::parse(file, nullptr, false);
    if (!file || results.is_discarded() || !results.is_object() || results.value("schema", 0) != kSchema) {
        throw std::invalid_argument(fmt::format("{} is no result of vksort-bench --json", path));
    }
    return results;
}

// Each is left out where it is empty.
struct ReportOutputs {
    std::string html, markdown; // files
    std::string pictures;       // a directory
};

int report_results(const std::string& source, const ReportOutputs& wanted) {
    if (wanted.html.empty() && wanted.markdown.empty() && wanted.pictures.empty()) {
        throw std::invalid_argument("a report needs a file to write, --markdown or --pictures");
    }
    const nlohmann::json results = read_json(source);
    files::OutputFiles outputs;
    const auto add_page = [&](const std::string& path, std::string (*page)(const nlohmann::json&)) {
        if (path.empty()) {
            return;
        }
        if (files::is_same_file(source, path)) {
            throw std::invalid_argument(
                fmt::format("the report would replace the results in {}: give it another name", source));
        }
        outputs.add(path).write(page(results));
    };
    add_page(wanted.html, html_report);
    add_page(wanted.markdown, markdown_report);
    if (!wanted.pictures.empty()) {
        const std::vector<PictureFile> drawn = report_pictures(results);
        if (drawn.empty()) {
            throw std::invalid_argument(fmt::format("{} has no results that a picture is made of", source));
        }
        write_pictures(outputs, wanted.pictures, drawn);
    }
    outputs.commit();
    return kSuccess;
}

int compare_files(const std::string& before, const std::string& after, double threshold) {
    std::ostringstream text;
    const int status = compare_results(read_json(before), read_json(after), threshold, text);
    files::print_output(text.str());
    return status;
}

int run(int argc, char** argv) {
    CLI::App app("Times vksort on this device beside others. Without a choice: the default preset, some minutes on a GPU.",
                 "vksort-bench");
    // On Windows an argument with a leading slash is a path as well, and no option.
    app.allow_windows_style_options(false);
    Options options;
    add_options(app, options);
    CLI::App* compare = app.add_subcommand("compare", "compare two files of results");
    std::string before, after;
    double threshold = 0.03;
    compare->add_option("before", before, "JSON of the one")->required();
    compare->add_option("after", after, "JSON of the other")->required();
    compare->add_option("--threshold", threshold, "shares below are taken for noise")->capture_default_str();
    CLI::App* report = app.add_subcommand("report", "make a report of a file of results");
    std::string source;
    ReportOutputs wanted;
    report->add_option("results", source, "JSON of --json")->required();
    report->add_option("html", wanted.html, "the file to write");
    report->add_option("--markdown", wanted.markdown, "write the tables of a report to this file, as Markdown");
    report->add_option("--pictures", wanted.pictures, "write charts for a README to this directory, as SVG");
    CLI::App* plans = app.add_subcommand("plans", "time vksortCreatePlan where the driver has compiled nothing before");
    PlanOptions plan_options;
    std::vector<std::string> one;
    plans->add_option("--device", plan_options.device, "index or part of the name of a device");
    plans->add_option("--kinds", plan_options.kinds, "keys, with the bytes of their values: u32, u64+4, ...")
        ->capture_default_str();
    plans->add_option("--counts", plan_options.counts, "elements: 1000000 or 2^20")->capture_default_str();
    plans->add_option("--segmented-kinds", plan_options.segmented_kinds, "of segmented sorts of 2^24 elements")
        ->capture_default_str();
    plans->add_flag("--prepare-later", plan_options.prepare_later, "with VKSORT_PLAN_PREPARE_LATER_BIT");
    plans->add_flag("--side-by-side", plan_options.side_by_side,
                    "pipelines compile on all processors, not one after another");
    plans->add_option("--one", one, "")->expected(2)->group(""); // of the processes that the program starts
    CLI::App* capacity = app.add_subcommand("capacity", "time sorts whose count the GPU knows alone, beside exact plans");
    CapacityOptions capacity_options;
    add_capacity_options(*capacity, capacity_options);
    app.footer("Exit status: 0 success, 1 a contender was wrong, 2 bad usage or a file that cannot be written, 3 no device\n"
               "or a device failure, 130 interrupted. Files of what was measured are written in every case.");
    return run_program(app, argc, argv, [&] {
        if (compare->parsed()) {
            return compare_files(before, after, threshold);
        }
        if (report->parsed()) {
            return report_results(source, wanted);
        }
        if (plans->parsed()) {
            return one.empty() ? time_plans(argv[0], plan_options) : time_one_plan(plan_options, one[0], one[1]);
        }
        if (capacity->parsed()) {
            return time_capacities(capacity_options, command_text(argc, argv));
        }
        return bench(options, command_text(argc, argv));
    });
}

} // namespace

} // namespace vksort::bench

int main(int argc, char** argv) { return vksort::bench::run(argc, argv); }
