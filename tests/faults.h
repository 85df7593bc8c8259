// SPDX-License-Identifier: MIT
//
// A Vulkan in which one function fails. Whatever it was to make is then undefined by Vulkan's rules: here the handle is
// nonsense, and destroying it is counted.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstring>
#include <iterator>

namespace vksort::test::faults {

inline PFN_vkGetInstanceProcAddr real_instance_proc_addr = nullptr;
inline PFN_vkGetDeviceProcAddr real_device_proc_addr = nullptr;
inline const char* failing = ""; // the name of the function
inline int destroyed = 0;        // handles that were never made

template <class Handle> Handle nonsense() { return (Handle)uintptr_t{0xBAD0BAD0}; } // a pointer, or on 32 bits a number

// vkCreateX and vkDestroyX, or vkAllocateMemory and vkFreeMemory. Since every call of the first fails, whatever the second
// is given was not made.
template <class Function> struct Pair;
template <class Owner, class Info, class Handle>
struct Pair<VkResult(VKAPI_PTR*)(Owner, const Info*, const VkAllocationCallbacks*, Handle*)> {
    static VKAPI_ATTR VkResult VKAPI_CALL create(Owner, const Info*, const VkAllocationCallbacks*, Handle* handle) {
        *handle = nonsense<Handle>();
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    static VKAPI_ATTR void VKAPI_CALL destroy(Owner, Handle handle, const VkAllocationCallbacks*) {
        destroyed += handle != VK_NULL_HANDLE ? 1 : 0;
    }
};

inline VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice, VkPipelineCache, uint32_t,
                                                       const VkComputePipelineCreateInfo*, const VkAllocationCallbacks*,
                                                       VkPipeline* pipeline) {
    *pipeline = nonsense<VkPipeline>();
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

inline VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
    destroyed += pipeline != VK_NULL_HANDLE ? 1 : 0;
}

struct Replacement {
    const char* create_name;
    const char* destroy_name;
    PFN_vkVoidFunction create;
    PFN_vkVoidFunction destroy;
};

template <class Function> Replacement pair(const char* create_name, const char* destroy_name) {
    return {create_name, destroy_name, reinterpret_cast<PFN_vkVoidFunction>(Pair<Function>::create),
            reinterpret_cast<PFN_vkVoidFunction>(Pair<Function>::destroy)};
}

inline PFN_vkVoidFunction replacement(const char* name) {
    static const Replacement kReplacements[] = {
        pair<PFN_vkCreateDescriptorSetLayout>("vkCreateDescriptorSetLayout", "vkDestroyDescriptorSetLayout"),
        pair<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout", "vkDestroyPipelineLayout"),
        pair<PFN_vkCreateShaderModule>("vkCreateShaderModule", "vkDestroyShaderModule"),
        pair<PFN_vkCreateCommandPool>("vkCreateCommandPool", "vkDestroyCommandPool"),
        pair<PFN_vkCreateFence>("vkCreateFence", "vkDestroyFence"),
        pair<PFN_vkCreateBuffer>("vkCreateBuffer", "vkDestroyBuffer"),
        pair<PFN_vkCreateQueryPool>("vkCreateQueryPool", "vkDestroyQueryPool"),
        pair<PFN_vkAllocateMemory>("vkAllocateMemory", "vkFreeMemory"),
        // A device that was not made has no functions either, so that destroying it would crash.
        {"vkCreateDevice", "", reinterpret_cast<PFN_vkVoidFunction>(Pair<PFN_vkCreateDevice>::create), nullptr},
        {"vkCreateComputePipelines", "vkDestroyPipeline", reinterpret_cast<PFN_vkVoidFunction>(create_pipelines),
         reinterpret_cast<PFN_vkVoidFunction>(destroy_pipeline)},
    };
    for (const Replacement& one : kReplacements) {
        if (std::strcmp(failing, one.create_name) == 0) {
            return std::strcmp(name, one.create_name) == 0    ? one.create
                   : std::strcmp(name, one.destroy_name) == 0 ? one.destroy
                                                              : nullptr;
        }
    }
    return nullptr;
}

inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc_addr(VkDevice device, const char* name) {
    const PFN_vkVoidFunction replaced = replacement(name);
    return replaced != nullptr ? replaced : real_device_proc_addr(device, name);
}

inline VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc_addr(VkInstance instance, const char* name) {
    if (const PFN_vkVoidFunction replaced = replacement(name); replaced != nullptr) {
        return replaced;
    }
    const PFN_vkVoidFunction real = real_instance_proc_addr(instance, name);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        real_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(device_proc_addr);
    }
    return real;
}

} // namespace vksort::test::faults
