// SPDX-License-Identifier: MIT
//
// The Vulkan functions the library calls, loaded through the caller's vkGetInstanceProcAddr: no loader is linked, and an
// application's own function pointers stay as they are.
#pragma once

#include "vksort/vksort.h"

namespace vksort {

#define VKSORT_INSTANCE_FUNCTIONS(X) \
    X(vkEnumerateDeviceExtensionProperties) \
    X(vkGetDeviceProcAddr) \
    X(vkGetPhysicalDeviceFeatures2) \
    X(vkGetPhysicalDeviceProperties) \
    X(vkGetPhysicalDeviceProperties2)

#define VKSORT_DEVICE_FUNCTIONS(X) \
    X(vkAllocateDescriptorSets) \
    X(vkCmdBindDescriptorSets) \
    X(vkCmdBindPipeline) \
    X(vkCmdDispatch) \
    X(vkCmdDispatchIndirect) \
    X(vkCmdPipelineBarrier) \
    X(vkCmdPushConstants) \
    X(vkCmdWriteTimestamp) \
    X(vkCreateComputePipelines) \
    X(vkCreateDescriptorSetLayout) \
    X(vkCreatePipelineLayout) \
    X(vkCreateShaderModule) \
    X(vkDestroyDescriptorSetLayout) \
    X(vkDestroyPipeline) \
    X(vkDestroyPipelineLayout) \
    X(vkDestroyShaderModule) \
    X(vkUpdateDescriptorSets)

struct InstanceTable {
#define X(name) PFN_##name name = nullptr;
    VKSORT_INSTANCE_FUNCTIONS(X)
#undef X
    // Functions of VK_EXT_debug_utils; null unless the extension is enabled on the instance.
    PFN_vkSetDebugUtilsObjectNameEXT vkSetDebugUtilsObjectNameEXT = nullptr;
    PFN_vkCmdBeginDebugUtilsLabelEXT vkCmdBeginDebugUtilsLabelEXT = nullptr;
    PFN_vkCmdEndDebugUtilsLabelEXT vkCmdEndDebugUtilsLabelEXT = nullptr;
    // Returns false if the instance lacks another function of this table; `missing` then names it.
    bool load(VkInstance instance, PFN_vkGetInstanceProcAddr getInstanceProcAddr, const char*& missing);
};

struct DeviceTable {
#define X(name) PFN_##name name = nullptr;
    VKSORT_DEVICE_FUNCTIONS(X)
#undef X
    PFN_vkCmdPushDescriptorSetKHR vkCmdPushDescriptorSetKHR = nullptr; // with the feature only
    bool load(VkDevice device, const InstanceTable& instance, bool pushDescriptor, const char*& missing);
};

} // namespace vksort
