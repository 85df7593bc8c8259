// SPDX-License-Identifier: MIT
//
// Private to vksort::host: a VkInstance, its functions, and what it knows of physical devices.
#pragma once

#include <volk.h> // first: it declares Vulkan without prototypes

#include <string>
#include <vector>

#include "../vulkan_headers.h"
#include "vksort/vksort_host.hpp"

namespace vksort::host {

// "VK_ERROR_DEVICE_LOST"
std::string result_name(VkResult result);

// Throws Error(device) "<doing> failed: VK_ERROR_..."; nothing on success.
void check(VkResult result, const char* doing);

// The same for a function that makes something. What a failed one leaves in the handle is undefined, and must not be
// destroyed.
template <class Handle> void check_made(VkResult result, Handle& handle, const char* doing) {
    if (result < 0) {
        handle = VK_NULL_HANDLE;
    }
    check(result, doing);
}

// Receives messages of vksort and of the validation layer. Its address is handed to both: it may not move.
struct MessageSink {
    std::function<void(VksortSeverity, const std::string&)> on_message;
    std::string last_error; // vksort's own
    void send(VksortSeverity severity, const char* text) const;
};

// Instance-level functions are kept here rather than in volk's globals, so that several instances can live side by side.
#define VKSORT_INSTANCE_FUNCTIONS(X) \
    X(vkDestroyInstance) \
    X(vkEnumeratePhysicalDevices) \
    X(vkGetPhysicalDeviceProperties2) \
    X(vkGetPhysicalDeviceFeatures2) \
    X(vkGetPhysicalDeviceMemoryProperties) \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkEnumerateDeviceExtensionProperties) \
    X(vkCreateDevice) \
    X(vkGetDeviceProcAddr)

class Instance {
public:
    // `sink` is used where `validation` is on, and must outlive the instance. Throws Error.
    Instance(bool validation, MessageSink* sink, bool gpu_assisted = false);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance handle() const { return handle_; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    DeviceListing describe(VkPhysicalDevice device) const;
    bool has_extension(VkPhysicalDevice device, const char* name) const;
    // Fills `table` with the functions of a device made from this instance.
    void load_device_table(VolkDeviceTable& table, VkDevice device) const;

#define VKSORT_DECLARE(name) PFN_##name name = nullptr;
    VKSORT_INSTANCE_FUNCTIONS(VKSORT_DECLARE)
#undef VKSORT_DECLARE

private:
    template <class Function> void load(Function& function, const char* name) const;

    VkInstance handle_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

} // namespace vksort::host
