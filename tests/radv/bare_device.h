// SPDX-License-Identifier: MIT
//
// A VkDevice on which pipelines can be made and nothing else: a driver without hardware has no fences to wait for, which
// vksort::host needs. Set up by vksortGetRequiredFeatures alone, as an engine would.
#pragma once

#include <stdexcept>
#include <string>

#include "vksort/vksort.h"

namespace vksort::test {

class BareDevice {
public:
    // Enables at most `features`, and VK_KHR_pipeline_executable_properties. Throws std::runtime_error.
    explicit BareDevice(VksortFeatureFlags features);
    ~BareDevice();
    BareDevice(const BareDevice&) = delete;
    BareDevice& operator=(const BareDevice&) = delete;

    VkDevice device() const { return device_; }
    VksortContext context() const { return context_; }

    template <typename Function> void load(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(get_device_proc_addr_(device_, name));
        if (function == nullptr) {
            throw std::runtime_error(std::string("the device has no ") + name);
        }
    }

private:
    template <typename Function> void load_instance(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(get_instance_proc_addr_(instance_, name));
        if (function == nullptr) {
            throw std::runtime_error(std::string("the loader has no ") + name);
        }
    }
    void open_loader();
    void create_instance();
    void create_device(const VksortRequiredFeatures& required);

    void* library_ = nullptr;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr_ = nullptr;
    PFN_vkGetDeviceProcAddr get_device_proc_addr_ = nullptr;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device_ = VK_NULL_HANDLE;
    VkDevice device_ = VK_NULL_HANDLE;
    VksortContext context_ = VK_NULL_HANDLE;
};

} // namespace vksort::test
