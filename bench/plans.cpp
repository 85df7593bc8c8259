// SPDX-License-Identifier: MIT
#include "plans.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "context.h"
#include "output_files.hpp"
#include "program.h"
#include "scenario.h"
#include "vksort/vksort.hpp"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

namespace {

constexpr const char* kSegments = "segments:";

double milliseconds_of(const auto& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

VksortPlanDesc description(const std::string& kind, const std::string& count) {
    const bool segmented = kind.rfind(kSegments, 0) == 0;
    Scenario scenario;
    parse_kind(segmented ? kind.substr(std::string(kSegments).size()) : kind, scenario);
    VksortPlanDesc desc = {};
    desc.keyType = scenario.key;
    desc.valueSize = scenario.value_bytes;
    desc.maxCount = parse_count(count);
    if (segmented) {
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
        desc.maxSegments = desc.maxCount / 16;
    }
    return desc;
}

std::string output_of(const std::string& command) {
#ifdef _WIN32
    FILE* const pipe = _popen(('"' + command + '"').c_str(), "r");
#else
    FILE* const pipe = popen(command.c_str(), "r");
#endif
    if (pipe == nullptr) {
        throw std::runtime_error("no process could be started for a plan");
    }
    std::string text;
    char buffer[256];
    while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) {
        text += buffer;
    }
#ifdef _WIN32
    _pclose(pipe);
#else
    pclose(pipe);
#endif
    return text;
}

void turn_off_caches() {
    for (const char* variable : {"__GL_SHADER_DISK_CACHE=0", "MESA_SHADER_CACHE_DISABLE=true"}) {
#ifdef _WIN32
        _putenv(variable);
#else
        putenv(const_cast<char*>(variable)); // which keeps the pointer
#endif
    }
}

} // namespace

int time_one_plan(const PlanOptions& options, const std::string& kind, const std::string& count) {
    host::DeviceOptions device_options;
    device_options.selector = options.device;
    device_options.compiles_side_by_side = options.side_by_side;
    host::Device device(device_options);
    VksortPlanDesc desc = description(kind, count);
    desc.flags = options.prepare_later ? VkFlags{VKSORT_PLAN_PREPARE_LATER_BIT} : 0;
    VksortPlan plan = VK_NULL_HANDLE;
    VkResult result = VK_SUCCESS;
    const double creation = milliseconds_of([&] { result = vksortCreatePlan(device.context(), &desc, &plan); });
    if (result != VK_SUCCESS) {
        throw std::invalid_argument(device.last_message());
    }
    const cpp::Plan owner(plan);
    const uint32_t pipelines = device.context()->pipelines.count();
    const double preparation = milliseconds_of([plan] { vksortPreparePlan(plan); });
    files::print_output(
        fmt::format("{:.1f} {} {:.1f} {}\n", creation, pipelines, preparation, device.context()->pipelines.count()));
    return kSuccess;
}

int time_plans(const std::string& program, const PlanOptions& options) {
    turn_off_caches();
    // What is wrong with a kind or the device is told before a process is started.
    for (const std::string& kind : options.kinds) {
        for (const std::string& count : options.counts) {
            description(kind, count);
        }
    }
    for (const std::string& kind : options.segmented_kinds) {
        description(kSegments + kind, "2^24");
    }
    host::DeviceOptions device_options;
    device_options.selector = options.device;
    const host::Device device(device_options);
    files::print_output(fmt::format("{}, {}\n\n", device.listing().name, device.listing().driver));
    files::print_output(options.prepare_later
                            ? "| plan | create, ms | pipelines | prepare, ms | pipelines |\n|---|---|---|---|---|\n"
                            : "| plan | create, ms | pipelines |\n|---|---|---|\n");
    int status = kSuccess;
    const auto time = [&](const std::string& kind, const std::string& count) {
        std::string command = fmt::format("{} plans --one {} {}", quoted(program), quoted(kind), quoted(count));
        command += options.device.empty() ? "" : " --device " + quoted(options.device);
        command += options.prepare_later ? " --prepare-later" : "";
        command += options.side_by_side ? " --side-by-side" : "";
        std::istringstream figures(output_of(command));
        double creation = 0, preparation = 0;
        uint32_t pipelines = 0, all = 0;
        const std::string name = fmt::format("{}, {}", kind, count);
        if (!(figures >> creation >> pipelines >> preparation >> all)) {
            files::print_output(fmt::format("| {} | - | - |{}\n", name, options.prepare_later ? " - | - |" : ""));
            status = kNoDevice;
        } else if (options.prepare_later) {
            files::print_output(fmt::format("| {} | {:.0f} | {} | {:.0f} | {} |\n", name, creation, pipelines, preparation,
                                            all - pipelines));
        } else {
            files::print_output(fmt::format("| {} | {:.0f} | {} |\n", name, creation, pipelines));
        }
    };
    for (const std::string& kind : options.kinds) {
        for (const std::string& count : options.counts) {
            time(kind, count);
        }
    }
    for (const std::string& kind : options.segmented_kinds) {
        time(kSegments + kind, "2^24");
    }
    return status;
}

} // namespace vksort::bench
