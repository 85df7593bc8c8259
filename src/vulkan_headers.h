// SPDX-License-Identifier: MIT
//
// The Vulkan headers, and what the oldest ones that vksort compiles with, 1.3.204, do not declare.
#pragma once

#include <vulkan/vulkan_core.h>

#ifndef VK_VERSION_1_3 // since 1.3.204
#error "vksort needs the Vulkan headers of version 1.3.204 or newer."
#endif

#ifndef VK_KHR_portability_enumeration // since 1.3.208
#define VK_KHR_portability_enumeration 1
#define VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME "VK_KHR_portability_enumeration"

inline constexpr VkFlags VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR = 0x1;
#endif

#ifndef VK_EXT_pipeline_robustness // since 1.3.224
#define VK_EXT_pipeline_robustness 1
#define VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME "VK_EXT_pipeline_robustness"

inline constexpr auto VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT = VkStructureType(1000068000);
inline constexpr auto VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT = VkStructureType(1000068001);

enum VkPipelineRobustnessBufferBehaviorEXT : int {
    VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT = 0,
    VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT = 1,
    VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT = 2,
};

enum VkPipelineRobustnessImageBehaviorEXT : int { VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT = 0 };

struct VkPhysicalDevicePipelineRobustnessFeaturesEXT {
    VkStructureType sType;
    void* pNext;
    VkBool32 pipelineRobustness;
};

struct VkPipelineRobustnessCreateInfoEXT {
    VkStructureType sType;
    const void* pNext;
    VkPipelineRobustnessBufferBehaviorEXT storageBuffers;
    VkPipelineRobustnessBufferBehaviorEXT uniformBuffers;
    VkPipelineRobustnessBufferBehaviorEXT vertexInputs;
    VkPipelineRobustnessImageBehaviorEXT images;
};
#endif
