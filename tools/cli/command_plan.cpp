// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.hpp"
#include "export.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "sort_options.hpp"
#include "vksort/vksort_host.hpp"

namespace {

struct PlanOptions {
    SortOptions sort;
    std::string count;
    std::string count_b;  // of a merge
    std::string segments; // of a segmented sort: "flags", "heads:N", "offsets:N" or "pairs:N"
    std::string folder;   // to export to
    bool counts_on_gpu = false;
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

void set_segments(const std::string& text, VksortPlanDesc& desc) {
    desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    const size_t colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    desc.segments = kind == "heads"     ? VKSORT_SEGMENTS_HEAD_INDICES
                    : kind == "offsets" ? VKSORT_SEGMENTS_OFFSETS
                    : kind == "pairs"   ? VKSORT_SEGMENTS_OFFSET_COUNTS
                                        : VKSORT_SEGMENTS_HEAD_FLAGS;
    const bool counted = desc.segments != VKSORT_SEGMENTS_HEAD_FLAGS;
    if ((!counted && kind != "flags") || counted != (colon != std::string::npos)) {
        fail(kBadInput, "--segments '{}' is no kind of segments: write flags, heads:N, offsets:N or pairs:N, N segments",
             text);
    }
    desc.maxSegments = counted ? parse_count(text.substr(colon + 1), "--segments") : 0;
}

VksortPlanDesc described(const PlanOptions& options) {
    VksortPlanDesc desc = options.sort.description();
    if (options.count.empty() == options.sort.input.empty()) {
        fail(kBadInput, "give either --count or a file of keys");
    }
    if (!options.count_b.empty() && !options.segments.empty()) {
        fail(kBadInput, "--merge and --segments are two operations: give one of them");
    }
    desc.maxCount = options.count.empty()
                        ? read_keys(options.sort.input, desc.keyType, options.sort.text).size() / vksortKeySize(desc.keyType)
                        : parse_count(options.count, "--count");
    if (!options.count_b.empty()) {
        desc.operation = VKSORT_OPERATION_MERGE;
        desc.result = VKSORT_RESULT_SEPARATE;
        desc.maxCountB = parse_count(options.count_b, "--merge");
    }
    if (!options.segments.empty()) {
        set_segments(options.segments, desc);
    }
    desc.flags |= options.counts_on_gpu ? VKSORT_PLAN_COUNT_FROM_BUFFER_BIT : 0;
    return desc;
}

// "sort of 1,000 u32 keys with 4-byte values, descending,"
std::string headline(const PlanOptions& options, const VksortPlanDesc& desc) {
    const bool argsort = options.sort.argsort;
    std::string operation = "sort";
    std::string counts = with_commas(desc.maxCount);
    std::string segments;
    if (desc.operation == VKSORT_OPERATION_MERGE) {
        operation = "merge";
        counts += " and " + with_commas(desc.maxCountB);
    } else if (desc.operation == VKSORT_OPERATION_SEGMENTED_SORT) {
        operation = "segmented sort";
        segments = desc.segments == VKSORT_SEGMENTS_HEAD_FLAGS
                       ? " in flagged segments"
                       : fmt::format(" in {} segments", with_commas(desc.maxSegments));
    }
    return fmt::format("{} of {} {} keys{}{}{}",
                       !argsort                                  ? operation
                       : desc.operation == VKSORT_OPERATION_SORT ? "argsort"
                                                                 : operation + " of the indices",
                       counts, options.sort.type,
                       desc.valueSize != 0 && !argsort ? fmt::format(" with {}-byte values", desc.valueSize) : "", segments,
                       options.sort.descending ? ", descending," : "");
}

void run_plan(const PlanOptions& options) {
    const VksortPlanDesc desc = described(options);
    const PlannedDevice device = planned_device(options.sort.device);

    VksortPlanInfo info = {};
    char message[512] = "";
    VkResult result = vksortDescribePlan(&device.info, &desc, &info, message, sizeof message);
    if (result != VK_SUCCESS) {
        // A description that works for no keys at all is sound; then it is the device that is too small or lacks something.
        VksortPlanDesc empty = desc;
        empty.maxCount = 0;
        empty.maxCountB = 0;
        empty.maxSegments = 0;
        VksortDeviceInfo generic = {};
        vksortGetGenericDeviceInfo(&generic);
        const bool sound = vksortDescribePlan(&generic, &empty, &info, nullptr, 0) == VK_SUCCESS;
        fail(sound ? kNoDevice : kBadInput, "{}", message);
    }
    uint32_t pass_count = 0;
    const uint64_t count = desc.maxCount + desc.maxCountB;
    vksortDescribePasses(&device.info, &desc, count, &pass_count, nullptr);
    std::vector<VksortPassInfo> passes(pass_count);
    result = vksortDescribePasses(&device.info, &desc, count, &pass_count, passes.data());
    if (result != VK_SUCCESS) {
        fail(kNoDevice, "the passes of the plan cannot be listed");
    }

    std::string text =
        fmt::format("{} by {} on {}\n", headline(options, desc), vksortAlgorithmName(info.algorithm), device.name);
    const auto line = [&](const char* name, const std::string& value) { text += fmt::format("  {:<10} {}\n", name, value); };
    // Only the radix family goes digit by digit.
    const bool digits = info.digitPasses != 0;
    line("key bits", digits ? fmt::format("{}, in at most {} digit passes", info.keyBits, info.digitPasses)
                            : std::to_string(info.keyBits));
    const bool classes = info.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES;
    const bool msd = info.algorithm == VKSORT_ALGORITHM_MSD;
    if (msd) {
        line("tiles", fmt::format("of {} keys, partitioned until they fit", info.tileSize));
    } else if (classes) {
        line("tiles", fmt::format("of {} keys, and longer segments partitioned until they fit", info.tileSize));
    } else if (info.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        line("tiles", fmt::format("of {} keys, joined in one more pass", info.tileSize));
    } else if (info.algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        line("buckets", fmt::format("of up to {} keys", info.tileSize));
    } else if (!digits) {
        line("tiles", fmt::format("of {} keys, merged in {} passes", info.tileSize, info.mergePasses));
    }
    line("scratch", info.scratchSize == 0 ? "none"
                                          : fmt::format("{} bytes ({}), at a multiple of {}", with_commas(info.scratchSize),
                                                        bytes_text(info.scratchSize), info.scratchAlignment));
    line("at most", fmt::format("{} keys{} on this device", with_commas(info.largestCount),
                                desc.operation == VKSORT_OPERATION_MERGE ? " in A beside these in B" : ""));
    const char* cost = "";
    if (digits) {
        cost = "; passes whose digit is the same in every key cost next to nothing";
    } else if (msd) {
        cost = "; counts and partitions move only what does not fit a tile yet, and this counts all keys";
    } else if (info.algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        cost = "; those after the buckets sort keys that are not spread evenly, and this does not count them";
    } else if (classes) {
        cost = "; counts and partitions move only what is left of long segments, and this counts all keys";
    } else if (info.workStatisticsOffset != UINT64_MAX) {
        cost = "; a merge pass moves only tiles that are not in place, and this counts them all";
    }
    line("passes", fmt::format("{} dispatches{}", info.passCount, cost));
    if (!options.folder.empty()) {
        export_files(device.info, desc, options.folder);
    }
    print_out(text + pass_table(passes));
}

} // namespace

void add_plan_command(CLI::App& app) {
    auto options = std::make_shared<PlanOptions>();
    CLI::App* command =
        app.add_subcommand("plan", "Show the passes, scratch and memory traffic of a sort, merge or segmented sort");
    options->sort.add_to(*command, SortOptions::Command::plan);
    command->add_option("--count", options->count, "Number of keys: 1000000 or 2^20")->type_name("N");
    command->add_option("--merge", options->count_b, "Plan a merge with a second list of N keys")->type_name("N");
    command
        ->add_option("--segments", options->segments,
                     "Plan a segmented sort: flags (one bit a key), heads:N, offsets:N (begin and end) or pairs:N (offset "
                     "and count, in any order), for N segments")
        ->type_name("KIND");
    command->add_flag("--count-on-gpu", options->counts_on_gpu, "Plan for counts that a buffer on the GPU has, up to these");
    command
        ->add_option(
            "--export", options->folder,
            "Also write all that executing the plan takes: plan.json, and the kernels as SPIR-V. See docs/export.md")
        ->type_name("FOLDER");
    command->footer(
        "Takes every option of vksort sort, except those of comparators, so that its command line can be reused.\n"
        "Options about output, reports and validation are accepted and ignored. Needs no GPU.");
    command->callback([options] { run_plan(*options); });
}
