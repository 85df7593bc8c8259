// SPDX-License-Identifier: MIT
#include "instance.hpp"

#include <cstdio>
#include <cstring>
#include <mutex>

namespace vksort::host {

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

// volk keeps the loader's entry points, and vkGetDeviceProcAddr for its tables, in globals.
std::mutex volk_mutex;

void open_loader() {
    std::lock_guard lock(volk_mutex);
    if (vkGetInstanceProcAddr == nullptr && volkInitialize() != VK_SUCCESS) {
        throw Error(Error::Kind::device, kNoDriverMessage);
    }
    // A 1.0 loader lacks vkEnumerateInstanceVersion, and would refuse the apiVersion asked for below.
    if (vkEnumerateInstanceVersion == nullptr) {
        throw Error(Error::Kind::device, "the Vulkan loader is too old: install one for Vulkan 1.2 or later");
    }
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_debug_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    const bool error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // Layers of 2025 and later leave the message's name out of its text.
    std::string text = data->pMessage;
    if (data->pMessageIdName != nullptr && text.find(data->pMessageIdName) == std::string::npos) {
        text = std::string(data->pMessageIdName) + ": " + text;
    }
    static_cast<const MessageSink*>(user)->send(error ? VKSORT_SEVERITY_ERROR : VKSORT_SEVERITY_WARNING, text.c_str());
    return VK_FALSE;
}

bool has_validation_layer() {
    uint32_t count = 0;
    check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing Vulkan layers");
    std::vector<VkLayerProperties> layers(count);
    check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing Vulkan layers");
    for (const VkLayerProperties& layer : layers) {
        if (std::strcmp(layer.layerName, kValidationLayer) == 0) {
            return true;
        }
    }
    return false;
}

bool has_instance_extension(const char* name) {
    uint32_t count = 0;
    check(vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr), "listing Vulkan extensions");
    std::vector<VkExtensionProperties> extensions(count);
    check(vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data()), "listing Vulkan extensions");
    for (const VkExtensionProperties& extension : extensions) {
        if (std::strcmp(extension.extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

} // namespace

std::string result_name(VkResult result) {
    switch (result) {
#define VKSORT_CASE(name) \
    case name: return #name
        VKSORT_CASE(VK_SUCCESS);
        VKSORT_CASE(VK_NOT_READY);
        VKSORT_CASE(VK_TIMEOUT);
        VKSORT_CASE(VK_INCOMPLETE);
        VKSORT_CASE(VK_ERROR_OUT_OF_HOST_MEMORY);
        VKSORT_CASE(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        VKSORT_CASE(VK_ERROR_INITIALIZATION_FAILED);
        VKSORT_CASE(VK_ERROR_DEVICE_LOST);
        VKSORT_CASE(VK_ERROR_MEMORY_MAP_FAILED);
        VKSORT_CASE(VK_ERROR_LAYER_NOT_PRESENT);
        VKSORT_CASE(VK_ERROR_EXTENSION_NOT_PRESENT);
        VKSORT_CASE(VK_ERROR_FEATURE_NOT_PRESENT);
        VKSORT_CASE(VK_ERROR_INCOMPATIBLE_DRIVER);
        VKSORT_CASE(VK_ERROR_TOO_MANY_OBJECTS);
        VKSORT_CASE(VK_ERROR_FORMAT_NOT_SUPPORTED);
        VKSORT_CASE(VK_ERROR_FRAGMENTED_POOL);
        VKSORT_CASE(VK_ERROR_OUT_OF_POOL_MEMORY);
        VKSORT_CASE(VK_ERROR_INVALID_SHADER_NV);
        VKSORT_CASE(VK_ERROR_UNKNOWN);
#undef VKSORT_CASE
    default: return "VkResult " + std::to_string(static_cast<int>(result));
    }
}

void check(VkResult result, const char* doing) {
    if (result >= 0) {
        return;
    }
    std::string text = std::string(doing) + " failed: " + result_name(result);
    if (result == VK_ERROR_DEVICE_LOST) {
        text += " (the driver stopped or reset the device; see the system's log)";
    }
    throw Error(Error::Kind::device, text);
}

void MessageSink::send(VksortSeverity severity, const char* text) const {
    if (on_message) {
        on_message(severity, text);
    }
}

template <class Function> void Instance::load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(vkGetInstanceProcAddr(handle_, name));
}

Instance::Instance(bool validation, MessageSink* sink, bool gpu_assisted) {
    open_loader();

    std::vector<const char*> layers;
    std::vector<const char*> extensions;
    VkInstanceCreateFlags flags = 0;
    VkDebugUtilsMessengerCreateInfoEXT messenger = {};
    messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    messenger.pfnUserCallback = on_debug_message;
    messenger.pUserData = sink;
    const VkValidationFeatureEnableEXT enabled = gpu_assisted ? VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT
                                                              : VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features = {};
    features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
    features.pNext = &messenger; // reports on vkCreateInstance and vkDestroyInstance themselves
    features.enabledValidationFeatureCount = 1;
    features.pEnabledValidationFeatures = &enabled;

    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.pApplicationName = "vksort";
    application.applicationVersion =
        VK_MAKE_API_VERSION(0, VKSORT_VERSION_MAJOR, VKSORT_VERSION_MINOR, VKSORT_VERSION_PATCH);
    application.pEngineName = "vksort";
    application.apiVersion = VK_API_VERSION_1_2; // the least that vksort asks for

    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    if (validation) {
        if (!has_validation_layer()) {
            throw Error(Error::Kind::device,
                        std::string("the validation layer ") + kValidationLayer +
                            " is missing: install it (on Debian: apt-get install vulkan-validationlayers)");
        }
        layers.push_back(kValidationLayer);
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
        extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
        info.pNext = &features;
    }
    // Devices that implement Vulkan on top of another interface, such as MoltenVK, are listed only on request.
    if (has_instance_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
        extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
        flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    info.flags = flags;
    info.enabledLayerCount = static_cast<uint32_t>(layers.size());
    info.ppEnabledLayerNames = layers.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();

    const VkResult result = vkCreateInstance(&info, nullptr, &handle_);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER) { // how the loader says that it found no driver
        throw Error(Error::Kind::device, kNoDriverMessage);
    }
    check(result, "creating a Vulkan instance");

#define VKSORT_LOAD(name) load(name, #name);
    VKSORT_INSTANCE_FUNCTIONS(VKSORT_LOAD)
#undef VKSORT_LOAD

    if (validation) {
        PFN_vkCreateDebugUtilsMessengerEXT create = nullptr;
        load(create, "vkCreateDebugUtilsMessengerEXT");
        const VkResult created = create(handle_, &messenger, nullptr, &messenger_);
        if (created != VK_SUCCESS) {
            vkDestroyInstance(handle_, nullptr);
            check(created, "listening to the validation layer");
        }
    }
}

Instance::~Instance() {
    if (messenger_ != VK_NULL_HANDLE) {
        PFN_vkDestroyDebugUtilsMessengerEXT destroy = nullptr;
        load(destroy, "vkDestroyDebugUtilsMessengerEXT");
        destroy(handle_, messenger_, nullptr);
    }
    vkDestroyInstance(handle_, nullptr);
}

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
    // A loader whose drivers all fail reports that as an error here; for the caller it is a machine without devices.
    uint32_t count = 0;
    if (vkEnumeratePhysicalDevices(handle_, &count, nullptr) < 0) {
        return {};
    }
    std::vector<VkPhysicalDevice> devices(count);
    if (vkEnumeratePhysicalDevices(handle_, &count, devices.data()) < 0) {
        return {};
    }
    devices.resize(count);
    return devices;
}

DeviceListing Instance::describe(VkPhysicalDevice device) const {
    DeviceListing listing = {};
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    vkGetPhysicalDeviceProperties2(device, &properties);
    listing.name = properties.properties.deviceName;
    if (properties.properties.apiVersion >= VK_API_VERSION_1_2) {
        VkPhysicalDeviceDriverProperties driver = {};
        driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
        properties.pNext = &driver;
        vkGetPhysicalDeviceProperties2(device, &properties);
        listing.driver = driver.driverName;
        if (driver.driverInfo[0] != '\0') {
            listing.driver += std::string(listing.driver.empty() ? "" : " ") + driver.driverInfo;
        }
    }
    if (listing.driver.empty()) {
        listing.driver = "version " + std::to_string(properties.properties.driverVersion);
    }
    const VkResult result = vksortGetRequiredFeatures(handle_, device, vkGetInstanceProcAddr, &listing.required);
    if (result != VK_SUCCESS) { // one broken driver must not hide the others
        listing.required.supported = VK_FALSE;
        std::snprintf(listing.required.reason, sizeof listing.required.reason, "asking it for its features failed: %s",
                      result_name(result).c_str());
    }
    return listing;
}

bool Instance::has_extension(VkPhysicalDevice device, const char* name) const {
    uint32_t count = 0;
    check(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr), "listing device extensions");
    std::vector<VkExtensionProperties> extensions(count);
    check(vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data()), "listing device extensions");
    for (const VkExtensionProperties& extension : extensions) {
        if (std::strcmp(extension.extensionName, name) == 0) {
            return true;
        }
    }
    return false;
}

void Instance::load_device_table(VolkDeviceTable& table, VkDevice device) const {
    std::lock_guard lock(volk_mutex);
    volkLoadInstanceOnly(handle_);
    volkLoadDeviceTable(&table, device);
}

std::vector<DeviceListing> list_devices() {
    std::vector<DeviceListing> listings;
    try {
        const Instance instance(false, nullptr);
        for (VkPhysicalDevice device : instance.physical_devices()) {
            listings.push_back(instance.describe(device));
        }
    } catch (const Error&) {
        listings.clear(); // no loader or no driver
    }
    return listings;
}

} // namespace vksort::host
