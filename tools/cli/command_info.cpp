// SPDX-License-Identifier: MIT
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "file.hpp"
#include "format.hpp"
#include "vksort/vksort_host.hpp"

namespace {

using Json = nlohmann::ordered_json;
using vksort::host::DeviceListing;

constexpr uint32_t kAutoExponents[] = {10, 16, 20, 24};

const char* type_name(uint32_t device_type) {
    switch (device_type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete GPU";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated GPU";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual GPU";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "software";
    default: return "other";
    }
}

std::string version_text(uint32_t version) {
    return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                       VK_API_VERSION_PATCH(version));
}

constexpr VksortFeatureFlagBits kFeatures[] = {VKSORT_FEATURE_MEMORY_MODEL_BIT, VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT,
                                               VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT,
                                               VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT};

const char* feature_name(VksortFeatureFlagBits feature) {
    switch (feature) {
    case VKSORT_FEATURE_MEMORY_MODEL_BIT: return "memory_model";
    case VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT: return "push_descriptor";
    case VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT: return "subgroup_size_control";
    case VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT: return "pipeline_robustness";
    default: return "unknown";
    }
}

// What planning says of a sort of u32 keys, or of the one operation that an algorithm is for.
struct Probe {
    bool works = false;
    VksortPlanInfo plan = {};
    std::string message;
};

Probe probe(const VksortDeviceInfo& device, VksortAlgorithm algorithm, uint64_t count) {
    VksortPlanDesc desc = {};
    desc.keyType = VKSORT_KEY_U32;
    desc.algorithm = algorithm;
    if (algorithm == VKSORT_ALGORITHM_SEGMENTED || algorithm == VKSORT_ALGORITHM_SIZE_CLASSES) {
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    }
    desc.maxCount = count;
    Probe result;
    char message[512] = "";
    result.works = vksortDescribePlan(&device, &desc, &result.plan, message, sizeof message) == VK_SUCCESS;
    result.message = message;
    return result;
}

std::vector<VksortAlgorithm> algorithms() {
    std::vector<VksortAlgorithm> all;
    for (int i = VKSORT_ALGORITHM_AUTO + 1; vksortAlgorithmName(static_cast<VksortAlgorithm>(i)) != nullptr; ++i) {
        all.push_back(static_cast<VksortAlgorithm>(i));
    }
    return all;
}

// A limit that is 0 where the device does not tell.
Json known(uint64_t limit) { return limit != 0 ? Json(limit) : Json(nullptr); }

Json device_json(const DeviceListing& device, size_t index) {
    const VksortDeviceInfo& info = device.required.deviceInfo;
    Json json = {{"index", index}, {"name", device.name}, {"driver", device.driver}};
    json["supported"] = device.required.supported == VK_TRUE;
    if (device.required.supported != VK_TRUE) {
        json["reason"] = device.required.reason;
        return json;
    }
    json["type"] = type_name(info.deviceType);
    json["vendor_id"] = info.vendorId;
    json["vulkan"] = version_text(info.apiVersion);
    json["subgroup"] = {{"size", info.subgroupSize},
                        {"min", info.minSubgroupSize},
                        {"max", info.maxSubgroupSize},
                        {"can_require", info.canRequireSubgroupSize == VK_TRUE}};
    json["limits"] = {{"shared_memory", info.maxSharedMemorySize},
                      {"workgroup_invocations", info.maxWorkgroupInvocations},
                      {"workgroup_size_x", info.maxWorkgroupSizeX},
                      {"workgroup_subgroups", info.maxWorkgroupSubgroups},
                      {"workgroup_count", {info.maxWorkgroupCount[0], info.maxWorkgroupCount[1], info.maxWorkgroupCount[2]}},
                      {"storage_buffer_range", info.maxStorageBufferRange},
                      {"memory_allocation", known(info.maxMemoryAllocationSize)},
                      {"buffer_size", known(info.maxBufferSize)},
                      {"storage_buffer_offset_alignment", info.storageBufferOffsetAlignment},
                      {"storage_buffers", info.maxStorageBuffers}};
    json["multiprocessors"] = known(info.multiprocessors);
    for (VksortFeatureFlagBits feature : kFeatures) {
        json["features"][feature_name(feature)] = (info.features & feature) != 0;
    }
    for (VksortAlgorithm algorithm : algorithms()) {
        const Probe result = probe(info, algorithm, 0);
        Json& entry = json["algorithms"][vksortAlgorithmName(algorithm)];
        entry["works"] = result.works;
        if (result.works) {
            entry["largest_count_u32"] = result.plan.largestCount;
        } else {
            entry["reason"] = result.message;
        }
    }
    for (uint32_t exponent : kAutoExponents) {
        const Probe result = probe(info, VKSORT_ALGORITHM_AUTO, uint64_t{1} << exponent);
        json["auto_u32"][fmt::format("2^{}", exponent)] =
            result.works ? Json(vksortAlgorithmName(result.plan.algorithm)) : Json(nullptr);
    }
    return json;
}

std::string device_text(const DeviceListing& device, size_t index) {
    const VksortDeviceInfo& info = device.required.deviceInfo;
    std::string text = fmt::format("{}: {}\n", index, device.name);
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("   {:<11} {}\n", name, value);
    };
    line("driver", device.driver);
    if (device.required.supported != VK_TRUE) {
        line("cannot run", device.required.reason);
        return text;
    }
    line("type", fmt::format("{}, Vulkan {}", type_name(info.deviceType), version_text(info.apiVersion)));
    line("subgroup", info.minSubgroupSize == info.maxSubgroupSize
                         ? fmt::format("{}", info.subgroupSize)
                         : fmt::format("{} ({} to {})", info.subgroupSize, info.minSubgroupSize, info.maxSubgroupSize));
    const std::string allocation =
        info.maxMemoryAllocationSize != 0 ? ", " + bytes_text(info.maxMemoryAllocationSize) + " an allocation" : "";
    line("limits", fmt::format("{} shared memory, {} invocations a workgroup, {} a buffer binding{}",
                               bytes_text(info.maxSharedMemorySize), info.maxWorkgroupInvocations,
                               bytes_text(info.maxStorageBufferRange), allocation));
    const char* title = "features";
    for (VksortFeatureFlagBits feature : kFeatures) {
        const char* found = (info.features & feature) != 0 ? "yes" : "no";
        line(title, fmt::format("{:<3} {}: {}", found, feature_name(feature), vksortFeatureDescription(feature)));
        title = "";
    }
    title = "algorithms";
    for (VksortAlgorithm algorithm : algorithms()) {
        const Probe result = probe(info, algorithm, 0);
        line(title,
             fmt::format("{:<3} {}: {}", result.works ? "yes" : "no", vksortAlgorithmName(algorithm),
                         result.works ? "up to " + with_commas(result.plan.largestCount) + " u32 keys" : result.message));
        title = "";
    }
    std::string choices;
    for (uint32_t exponent : kAutoExponents) {
        const Probe result = probe(info, VKSORT_ALGORITHM_AUTO, uint64_t{1} << exponent);
        choices += fmt::format("{}{} at 2^{}", choices.empty() ? "" : ", ",
                               result.works ? vksortAlgorithmName(result.plan.algorithm) : "none", exponent);
    }
    line("auto", choices);
    return text;
}

void run_info(bool json) {
    const std::vector<DeviceListing> devices = vksort::host::list_devices();
    std::string text;
    Json list = Json::array();
    bool any = false;
    for (size_t i = 0; i < devices.size(); ++i) {
        any = any || devices[i].required.supported == VK_TRUE;
        if (json) {
            list.push_back(device_json(devices[i], i));
        } else {
            text += device_text(devices[i], i);
        }
    }
    if (json) {
        text = Json({{"vksort", fmt::format("{}.{}.{}", VKSORT_VERSION_MAJOR, VKSORT_VERSION_MINOR, VKSORT_VERSION_PATCH)},
                     {"devices", list}})
                   .dump(2, ' ', false, Json::error_handler_t::replace) +
               "\n";
    }
    print_out(text);
    if (devices.empty()) {
        fail(kNoDevice, "{}", vksort::host::kNoDriverMessage);
    }
    if (!any) {
        fail(kNoDevice, "none of the devices can run vksort: the list says why");
    }
}

} // namespace

void add_info_command(CLI::App& app) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("info", "List the Vulkan devices and what vksort can do on each");
    command->add_flag("--json", *json, "As JSON");
    command->footer("Exit status 3 if no device can run vksort.");
    command->callback([json] { run_info(*json); });
}
