// SPDX-License-Identifier: MIT
#include "subgroup_barriers.h"

#include <cstring>
#include <map>

#include "device.h"

namespace vksort::test {

namespace {

// Of the SPIR-V specification.
constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kOpConstant = 43;
constexpr uint32_t kOpControlBarrier = 224;
constexpr uint32_t kScopeWorkgroup = 2;
constexpr uint32_t kScopeSubgroup = 3;

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice owner, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
    const std::vector<uint32_t> words = with_workgroup_barriers(info->pCode, info->codeSize / 4);
    VkShaderModuleCreateInfo changed = *info;
    changed.pCode = words.data();
    const auto create = reinterpret_cast<PFN_vkCreateShaderModule>(device().function("vkCreateShaderModule"));
    return create(owner, &changed, callbacks, module);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL barriers_device_proc_addr(VkDevice, const char* name) {
    return std::strcmp(name, "vkCreateShaderModule") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(create_module)
                                                          : device().function(name);
}

} // namespace

std::vector<uint32_t> with_workgroup_barriers(const uint32_t* words, size_t count) {
    std::vector<uint32_t> changed(words, words + count);
    std::map<uint32_t, uint32_t> values; // of constants
    uint32_t workgroup = 0;              // the constant that says so
    for (size_t at = kHeaderWords; at < count; at += changed[at] >> 16) {
        const uint32_t operation = changed[at] & 0xFFFF;
        if (operation == kOpConstant) {
            values[changed[at + 2]] = changed[at + 3];
            workgroup = changed[at + 3] == kScopeWorkgroup ? changed[at + 2] : workgroup;
        } else if (operation == kOpControlBarrier && values[changed[at + 1]] == kScopeSubgroup) {
            changed[at + 1] = workgroup;
            changed[at + 2] = workgroup;
        }
    }
    return changed;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL barriers_instance_proc_addr(VkInstance instance, const char* name) {
    return std::strcmp(name, "vkGetDeviceProcAddr") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(barriers_device_proc_addr)
                                                         : device().get_instance_proc_addr()(instance, name);
}

} // namespace vksort::test
