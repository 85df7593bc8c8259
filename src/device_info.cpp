// SPDX-License-Identifier: MIT
#include "device_info.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../shaders/host/bindings.h"
#include "vulkan_headers.h"

namespace vksort {

namespace {

// Looks for up to kCount device extensions by name.
template <size_t kCount>
VkResult find_extensions(VkPhysicalDevice physicalDevice, const InstanceTable& table, const char* const (&names)[kCount],
                         bool (&found)[kCount]) {
    uint32_t count = 0;
    VkResult result = table.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, nullptr);
    if (result != VK_SUCCESS || count == 0) {
        return result;
    }
    auto* properties = static_cast<VkExtensionProperties*>(std::calloc(count, sizeof(VkExtensionProperties)));
    if (properties == nullptr) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    result = table.vkEnumerateDeviceExtensionProperties(physicalDevice, nullptr, &count, properties);
    for (uint32_t i = 0; result >= VK_SUCCESS && i < count; ++i) {
        for (size_t n = 0; n < kCount; ++n) {
            found[n] = found[n] || std::strcmp(properties[i].extensionName, names[n]) == 0;
        }
    }
    std::free(properties);
    return result < VK_SUCCESS ? result : VK_SUCCESS;
}

void refuse(VksortRequiredFeatures& features, const char* reason) {
    if (features.reason[0] == '\0') {
        std::snprintf(features.reason, sizeof features.reason, "%s", reason);
    }
    features.supported = VK_FALSE;
}

void check_floor(VksortRequiredFeatures& features, const VkPhysicalDeviceSubgroupProperties& subgroup) {
    constexpr VkSubgroupFeatureFlags kNeeded = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                               VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
                                               VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    if (features.deviceInfo.apiVersion < VK_API_VERSION_1_2) {
        refuse(features, "the driver offers less than Vulkan 1.2");
    }
    if ((subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0 ||
        (subgroup.supportedOperations & kNeeded) != kNeeded) {
        refuse(features, "compute shaders lack subgroup basic, vote, ballot, arithmetic or shuffle operations");
    }
    if (features.deviceInfo.maxStorageBuffers < kBindingCountOf) {
        char reason[96];
        std::snprintf(reason, sizeof reason, "a compute shader can use fewer than %u storage buffers", kBindingCountOf);
        refuse(features, reason);
    }
}

} // namespace

VkResult query_device(VkPhysicalDevice physicalDevice, const InstanceTable& table, VksortRequiredFeatures& features) {
    features = {};
    features.supported = VK_TRUE;
    features.apiVersion = VK_API_VERSION_1_2;
    VksortDeviceInfo& info = features.deviceInfo;

    // The functions of Vulkan 1.1 may be called for a device of that version only.
    VkPhysicalDeviceProperties basics;
    table.vkGetPhysicalDeviceProperties(physicalDevice, &basics);
    const VkPhysicalDeviceLimits& limits = basics.limits;
    std::memcpy(info.name, basics.deviceName, sizeof info.name);
    info.vendorId = basics.vendorID;
    info.deviceType = static_cast<uint32_t>(basics.deviceType);
    info.apiVersion = basics.apiVersion;
    info.maxSharedMemorySize = limits.maxComputeSharedMemorySize;
    info.maxWorkgroupInvocations = limits.maxComputeWorkGroupInvocations;
    info.maxWorkgroupSizeX = limits.maxComputeWorkGroupSize[0];
    std::memcpy(info.maxWorkgroupCount, limits.maxComputeWorkGroupCount, sizeof info.maxWorkgroupCount);
    info.maxStorageBufferRange = limits.maxStorageBufferRange;
    info.storageBufferOffsetAlignment = limits.minStorageBufferOffsetAlignment;
    info.maxStorageBuffers = std::min(limits.maxPerStageDescriptorStorageBuffers, limits.maxDescriptorSetStorageBuffers);
    if (info.apiVersion < VK_API_VERSION_1_2) {
        refuse(features, "the driver offers less than Vulkan 1.2");
        return VK_SUCCESS;
    }

    const char* const names[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME,
                                 VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME,
                                 VK_KHR_MAINTENANCE_4_EXTENSION_NAME};
    bool found[5] = {};
    if (const VkResult result = find_extensions(physicalDevice, table, names, found); result != VK_SUCCESS) {
        return result;
    }
    const bool sizeControl = found[1] || info.apiVersion >= VK_API_VERSION_1_3;

    VkPhysicalDeviceShaderSMBuiltinsPropertiesNV multiprocessors = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SM_BUILTINS_PROPERTIES_NV, nullptr, 0, 0};
    void* const known = found[2] ? &multiprocessors : nullptr;
    VkPhysicalDeviceSubgroupSizeControlProperties sizeProperties = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES, known, 0, 0, 0, 0};
    void* const sized = sizeControl ? &sizeProperties : known;
    VkPhysicalDeviceMaintenance4Properties bufferLimit = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES, sized,
                                                          0};
    void* const bounded = found[4] || info.apiVersion >= VK_API_VERSION_1_3 ? &bufferLimit : sized;
    VkPhysicalDeviceMaintenance3Properties allocationLimit = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
                                                              bounded, 0, 0};
    VkPhysicalDeviceSubgroupProperties subgroup = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &allocationLimit, 0, 0, 0, VK_FALSE};
    VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup, {}};
    table.vkGetPhysicalDeviceProperties2(physicalDevice, &properties);
    // Every device has subgroups of at least one invocation, so 0 means that the chain was not filled in: for an instance of
    // Vulkan 1.0 the loader emulates this function by vkGetPhysicalDeviceProperties.
    if (subgroup.subgroupSize == 0) {
        refuse(features, "its VkInstance was created for Vulkan 1.0; set VkApplicationInfo::apiVersion to "
                         "VK_API_VERSION_1_2 or later");
        return VK_SUCCESS;
    }

    VkPhysicalDevicePipelineRobustnessFeaturesEXT robustness = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT, nullptr, VK_FALSE};
    void* const extended = found[3] ? &robustness : nullptr;
    VkPhysicalDeviceSubgroupSizeControlFeatures sizeFeatures = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, extended, VK_FALSE, VK_FALSE};
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan12.pNext = sizeControl ? &sizeFeatures : extended;
    VkPhysicalDeviceFeatures2 available = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12, {}};
    table.vkGetPhysicalDeviceFeatures2(physicalDevice, &available);

    info.multiprocessors = multiprocessors.shaderSMCount;
    info.maxMemoryAllocationSize = allocationLimit.maxMemoryAllocationSize;
    info.maxBufferSize = bufferLimit.maxBufferSize;
    info.subgroupSize = subgroup.subgroupSize;
    info.minSubgroupSize = sizeProperties.minSubgroupSize;
    info.maxSubgroupSize = sizeProperties.maxSubgroupSize;
    info.maxWorkgroupSubgroups = sizeProperties.maxComputeWorkgroupSubgroups;
    info.canRequireSubgroupSize = (sizeProperties.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    if (vulkan12.vulkanMemoryModel && vulkan12.vulkanMemoryModelDeviceScope) {
        features.features |= VKSORT_FEATURE_MEMORY_MODEL_BIT;
        features.vulkanMemoryModel = VK_TRUE;
        features.vulkanMemoryModelDeviceScope = VK_TRUE;
    }
    if (found[0]) {
        features.features |= VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT;
        features.extensions[features.extensionCount++] = names[0];
    }
    if (sizeControl && sizeFeatures.subgroupSizeControl && sizeFeatures.computeFullSubgroups) {
        features.features |= VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT;
        features.subgroupSizeControl = VK_TRUE;
        features.computeFullSubgroups = VK_TRUE;
        // Where a driver of 1.3 still lists the extension, an application of 1.2 can enable it.
        if (found[1]) {
            features.extensions[features.extensionCount++] = names[1];
        } else {
            features.apiVersion = VK_API_VERSION_1_3;
        }
    }
    if (robustness.pipelineRobustness) {
        features.features |= VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT;
        features.pipelineRobustness = VK_TRUE;
        features.extensions[features.extensionCount++] = names[3];
    }
    info = narrow_device_info(info, features.features);
    check_floor(features, subgroup);
    return VK_SUCCESS;
}

VksortDeviceInfo narrow_device_info(const VksortDeviceInfo& offered, VksortFeatureFlags enabled) {
    VksortDeviceInfo info = offered;
    info.features = enabled;
    if ((enabled & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) == 0) {
        info.minSubgroupSize = info.subgroupSize;
        info.maxSubgroupSize = info.subgroupSize;
        info.maxWorkgroupSubgroups = info.maxWorkgroupInvocations / std::max(info.subgroupSize, 1u);
        info.canRequireSubgroupSize = VK_FALSE;
    }
    return info;
}

} // namespace vksort

extern "C" {

VKSORT_API VkResult vksortGetRequiredFeatures(VkInstance instance, VkPhysicalDevice physicalDevice,
                                              PFN_vkGetInstanceProcAddr getInstanceProcAddr,
                                              VksortRequiredFeatures* pFeatures) {
    vksort::InstanceTable table;
    const char* missing = nullptr;
    if (instance == VK_NULL_HANDLE || physicalDevice == VK_NULL_HANDLE || getInstanceProcAddr == nullptr ||
        pFeatures == nullptr || !table.load(instance, getInstanceProcAddr, missing)) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::query_device(physicalDevice, table, *pFeatures);
}

VKSORT_API const char* vksortFeatureDescription(VksortFeatureFlagBits feature) {
    switch (feature) {
    case VKSORT_FEATURE_MEMORY_MODEL_BIT:
        return "Vulkan memory model with device scope: with subgroup size control adds onesweep and bucket_sort";
    case VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT: return "push descriptors: recording needs no descriptor pool";
    case VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT:
        return "subgroup size control: adds the algorithms that rank keys by subgroup ballots";
    case VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT: return "pipeline robustness: kernels without checks of buffers' bounds";
    default: return nullptr;
    }
}

VKSORT_API void vksortGetGenericDeviceInfo(VksortDeviceInfo* pInfo) {
    if (pInfo == nullptr) {
        return;
    }
    *pInfo = {};
    std::snprintf(pInfo->name, sizeof pInfo->name, "generic GPU");
    pInfo->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    pInfo->apiVersion = VK_API_VERSION_1_3;
    pInfo->features = VKSORT_FEATURE_MEMORY_MODEL_BIT | VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT |
                      VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT | VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT;
    pInfo->subgroupSize = 32;
    pInfo->minSubgroupSize = 32;
    pInfo->maxSubgroupSize = 32;
    pInfo->canRequireSubgroupSize = VK_TRUE;
    pInfo->maxSharedMemorySize = 48 * 1024;
    pInfo->maxWorkgroupInvocations = 1024;
    pInfo->maxWorkgroupSizeX = 1024;
    pInfo->maxWorkgroupSubgroups = 32;
    pInfo->maxWorkgroupCount[0] = 65535;
    pInfo->maxWorkgroupCount[1] = 65535;
    pInfo->maxWorkgroupCount[2] = 65535;
    pInfo->maxStorageBufferRange = UINT32_MAX;
    pInfo->storageBufferOffsetAlignment = 256;
    pInfo->maxStorageBuffers = 64;
}

} // extern "C"
