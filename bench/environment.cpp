// SPDX-License-Identifier: MIT
#include "environment.h"

#include <ctime>

#include <fmt/format.h>

#include "build_info.h"

namespace vksort::bench {

namespace {

const char* type_name(uint32_t type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "cpu";
    default: return "other";
    }
}

const char* compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc";
#else
    return "unknown";
#endif
}

} // namespace

nlohmann::json program_json() {
    return {{"version", fmt::format("{}.{}.{}", VKSORT_VERSION_MAJOR, VKSORT_VERSION_MINOR, VKSORT_VERSION_PATCH)},
            {"commit", kBuildCommit},
            {"build_type", VKSORT_BENCH_BUILD_TYPE},
            {"compiler", compiler_name()},
            {"flags", VKSORT_BENCH_FLAGS}};
}

nlohmann::json device_json(const host::Device& device, bool compute_queue) {
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        device.get_instance_proc_addr()(device.instance(), "vkGetPhysicalDeviceProperties2"));
    VkPhysicalDeviceDriverProperties driver = {};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &driver;
    get(device.physical_device(), &properties);
    const VksortDeviceInfo& info = device.info();
    return {{"name", info.name},
            {"driver", driver.driverName},
            {"driver_version", driver.driverInfo},
            {"type", type_name(info.deviceType)},
            {"vendor_id", info.vendorId},
            {"subgroup_sizes", {info.minSubgroupSize, info.maxSubgroupSize}},
            {"limits",
             {{"shared_memory", info.maxSharedMemorySize},
              {"workgroup_invocations", info.maxWorkgroupInvocations},
              {"workgroup_count_x", info.maxWorkgroupCount[0]},
              {"storage_buffer_range", info.maxStorageBufferRange},
              {"memory_allocation", info.maxMemoryAllocationSize},
              {"timestamp_period_ns", device.timestamp_period()},
              {"timestamp_bits", device.timestamp_valid_bits()}}},
            {"queue", compute_queue ? "compute" : "graphics"}};
}

std::string date_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
#ifdef _WIN32
    gmtime_s(&parts, &now);
#else
    gmtime_r(&now, &parts);
#endif
    char text[32] = "";
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

} // namespace vksort::bench
