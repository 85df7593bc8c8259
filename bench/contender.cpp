// SPDX-License-Identifier: MIT
#include "contender.h"

#include <algorithm>
#ifndef _WIN32
#include <unistd.h>
#endif

#include <fmt/format.h>

#include "verify.h"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

std::string Contender::verify(const Input& input, std::span<const std::byte> keys, std::span<const std::byte> values) const {
    return bench::verify(input, keys, values, true);
}

void rethrow(const host::Error& error) {
    if (std::string_view(error.what()).starts_with("too large")) { // as vksort::host says it of every allocation
        throw TooLarge(error.what());
    }
    throw error;
}

void check_device_memory(host::Device& device, uint64_t bytes) {
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceMemoryProperties>(
        device.get_instance_proc_addr()(device.instance(), "vkGetPhysicalDeviceMemoryProperties"));
    VkPhysicalDeviceMemoryProperties memory = {};
    get(device.physical_device(), &memory);
    uint64_t largest = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0) {
            largest = std::max<uint64_t>(largest, memory.memoryHeaps[i].size);
        }
    }
    // Drivers that run out of memory do not all say so: a share stays free.
    if (bytes > largest / 10 * 9) {
        throw TooLarge(fmt::format("needs {} MiB of device memory, where there are {} MiB", bytes >> 20, largest >> 20));
    }
}

void check_host_memory(uint64_t bytes) {
#ifdef _SC_PHYS_PAGES
    // An allocation may well succeed where there is no such memory, and using it end the program.
    const auto memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    if (bytes > memory / 10 * 9) {
        throw TooLarge(fmt::format("needs {} MiB of host memory, where there are {} MiB", bytes >> 20, memory >> 20));
    }
#else
    static_cast<void>(bytes);
#endif
}

} // namespace vksort::bench
