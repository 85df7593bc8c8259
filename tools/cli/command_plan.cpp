// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "sort_options.hpp"
#include "vksort/vksort_host.hpp"

namespace {

struct PlanOptions {
    SortOptions sort;
    std::string count;
};

struct PlannedDevice {
    std::string name = "a typical desktop GPU";
    VksortDeviceInfo info = {};
};

PlannedDevice planned_device(const std::string& selector) {
    PlannedDevice device;
    if (selector.empty()) {
        vksortGetGenericDeviceInfo(&device.info);
    } else {
        const std::vector<vksort::host::DeviceListing> devices = vksort::host::list_devices();
        const vksort::host::DeviceListing& chosen = devices[vksort::host::choose_device(devices, selector)];
        device.name = chosen.name;
        device.info = chosen.required.deviceInfo;
    }
    return device;
}

std::string pass_table(const std::vector<VksortPassInfo>& passes) {
    std::vector<std::vector<std::string>> rows = {
        {"pass", "kernel", "workgroups", "of", "subgroup", "dispatch", "reads", "writes"}};
    uint64_t reads = 0;
    uint64_t writes = 0;
    for (const VksortPassInfo& pass : passes) {
        reads += pass.bytesRead;
        writes += pass.bytesWritten;
        rows.push_back({pass.name, pass.kernel, with_commas(pass.workgroups), std::to_string(pass.workgroupSize),
                        pass.requiredSubgroupSize == 0 ? "any" : std::to_string(pass.requiredSubgroupSize),
                        pass.indirect == VK_TRUE ? "indirect" : "direct", bytes_text(pass.bytesRead),
                        bytes_text(pass.bytesWritten)});
    }
    rows.push_back({"all", "", "", "", "", "", bytes_text(reads), bytes_text(writes)});
    return table_text(rows, 2);
}

void run_plan(const PlanOptions& options) {
    VksortPlanDesc desc = options.sort.description();
    if (options.count.empty() == options.sort.input.empty()) {
        fail(kBadInput, "give either --count or a file of keys");
    }
    desc.maxCount = options.count.empty()
                        ? read_keys(options.sort.input, desc.keyType, options.sort.text).size() / vksortKeySize(desc.keyType)
                        : parse_count(options.count, "--count");
    const PlannedDevice device = planned_device(options.sort.device);

    VksortPlanInfo info = {};
    char message[512] = "";
    VkResult result = vksortDescribePlan(&device.info, &desc, &info, message, sizeof message);
    if (result != VK_SUCCESS) {
        // A description that works for no keys at all is sound; then it is the device that is too small or lacks something.
        VksortPlanDesc empty = desc;
        empty.maxCount = 0;
        VksortDeviceInfo generic = {};
        vksortGetGenericDeviceInfo(&generic);
        const bool sound = vksortDescribePlan(&generic, &empty, &info, nullptr, 0) == VK_SUCCESS;
        fail(sound ? kNoDevice : kBadInput, "{}", message);
    }
    uint32_t pass_count = 0;
    vksortDescribePasses(&device.info, &desc, desc.maxCount, &pass_count, nullptr);
    std::vector<VksortPassInfo> passes(pass_count);
    result = vksortDescribePasses(&device.info, &desc, desc.maxCount, &pass_count, passes.data());
    if (result != VK_SUCCESS) {
        fail(kNoDevice, "the passes of the plan cannot be listed");
    }

    const bool argsort = options.sort.argsort;
    std::string text = fmt::format(
        "{} {} {} keys{}{} by {} on {}\n", argsort ? "argsort of" : "sort of", with_commas(desc.maxCount), options.sort.type,
        desc.valueSize != 0 && !argsort ? fmt::format(" with {}-byte values", desc.valueSize) : "",
        options.sort.descending ? ", descending," : "", vksortAlgorithmName(info.algorithm), device.name);
    const auto line = [&](const char* name, const std::string& value) { text += fmt::format("  {:<10} {}\n", name, value); };
    line("key bits", fmt::format("{}, in at most {} digit passes", info.keyBits, info.digitPasses));
    line("scratch", info.scratchSize == 0 ? "none"
                                          : fmt::format("{} bytes ({}), at a multiple of {}", with_commas(info.scratchSize),
                                                        bytes_text(info.scratchSize), info.scratchAlignment));
    line("at most", with_commas(info.largestCount) + " keys on this device");
    line("passes",
         fmt::format("{} dispatches; passes whose digit is the same in every key cost next to nothing", info.passCount));
    print_out(text + pass_table(passes));
}

} // namespace

void add_plan_command(CLI::App& app) {
    auto options = std::make_shared<PlanOptions>();
    CLI::App* command = app.add_subcommand("plan", "Show the passes, scratch and memory traffic of a sort; needs no GPU");
    options->sort.add_to(*command, true);
    command->add_option("--count", options->count, "Number of keys: 1000000 or 2^20")->type_name("N");
    command->footer("Takes the words of vksort sort, and --count in place of the file of keys.");
    command->callback([options] { run_plan(*options); });
}
