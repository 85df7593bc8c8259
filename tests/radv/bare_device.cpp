// SPDX-License-Identifier: MIT
#include "bare_device.h"

#include <cstdio>
#include <vector>

#include <dlfcn.h>

#include "vulkan_headers.h"

namespace vksort::test {

namespace {

void require(VkResult result, const char* what) {
    if (result != VK_SUCCESS) {
        throw std::runtime_error(std::string(what) + " failed with VkResult " + std::to_string(result));
    }
}

} // namespace

void BareDevice::open_loader() {
    library_ = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) {
        throw std::runtime_error("no Vulkan loader: install libvulkan1");
    }
    get_instance_proc_addr_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library_, "vkGetInstanceProcAddr"));
}

void BareDevice::create_instance() {
    PFN_vkCreateInstance create = nullptr;
    load_instance(create, "vkCreateInstance");
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    require(create(&info, nullptr, &instance_), "vkCreateInstance");
    PFN_vkEnumeratePhysicalDevices enumerate = nullptr;
    load_instance(enumerate, "vkEnumeratePhysicalDevices");
    uint32_t count = 1;
    VkResult result = enumerate(instance_, &count, &physical_device_);
    if (result < 0 || count == 0) {
        throw std::runtime_error("the driver lists no device");
    }
    load_instance(get_device_proc_addr_, "vkGetDeviceProcAddr");
}

void BareDevice::create_device(const VksortRequiredFeatures& required) {
    std::vector<const char*> extensions(required.extensions, required.extensions + required.extensionCount);
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {};
    statistics.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    statistics.pipelineExecutableInfo = VK_TRUE;
    VkPhysicalDeviceSubgroupSizeControlFeatures size_control = {};
    size_control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    size_control.pNext = &statistics;
    size_control.subgroupSizeControl = required.subgroupSizeControl;
    size_control.computeFullSubgroups = required.computeFullSubgroups;
    VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness = {};
    robustness.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT;
    robustness.pNext = &size_control;
    robustness.pipelineRobustness = required.pipelineRobustness;
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    if (required.pipelineRobustness == VK_TRUE) {
        vulkan12.pNext = &robustness;
    } else {
        vulkan12.pNext = &size_control;
    }
    vulkan12.vulkanMemoryModel = required.vulkanMemoryModel;
    vulkan12.vulkanMemoryModelDeviceScope = required.vulkanMemoryModelDeviceScope;
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = {};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &vulkan12;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    PFN_vkCreateDevice create = nullptr;
    load_instance(create, "vkCreateDevice");
    require(create(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
}

BareDevice::BareDevice(VksortFeatureFlags features) {
    open_loader();
    create_instance();
    VksortRequiredFeatures required;
    require(vksortGetRequiredFeatures(instance_, physical_device_, get_instance_proc_addr_, &required),
            "vksortGetRequiredFeatures");
    if (required.supported != VK_TRUE) {
        throw std::runtime_error(std::string(required.deviceInfo.name) + " cannot run vksort: " + required.reason);
    }
    create_device(required);
    VksortContextCreateInfo info = {};
    info.instance = instance_;
    info.physicalDevice = physical_device_;
    info.device = device_;
    info.getInstanceProcAddr = get_instance_proc_addr_;
    info.enabledFeatures = required.features & features;
    info.messageCallback = [](void*, VksortSeverity, const char* text) { std::fprintf(stderr, "%s\n", text); };
    require(vksortCreateContext(&info, nullptr, &context_), "vksortCreateContext");
}

BareDevice::~BareDevice() {
    vksortDestroyContext(context_);
    PFN_vkDestroyDevice destroy_device = nullptr;
    load(destroy_device, "vkDestroyDevice");
    destroy_device(device_, nullptr);
    PFN_vkDestroyInstance destroy_instance = nullptr;
    load_instance(destroy_instance, "vkDestroyInstance");
    destroy_instance(instance_, nullptr);
    dlclose(library_);
}

} // namespace vksort::test
