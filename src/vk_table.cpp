// SPDX-License-Identifier: MIT
#include "vk_table.h"

namespace vksort {

bool InstanceTable::load(VkInstance instance, PFN_vkGetInstanceProcAddr getInstanceProcAddr, const char*& missing) {
#define X(name) \
    name = reinterpret_cast<PFN_##name>(getInstanceProcAddr(instance, #name)); \
    if (name == nullptr) { \
        missing = #name; \
        return false; \
    }
    VKSORT_INSTANCE_FUNCTIONS(X)
#undef X
#define X(name) name = reinterpret_cast<PFN_##name>(getInstanceProcAddr(instance, #name));
    X(vkSetDebugUtilsObjectNameEXT)
    X(vkCmdBeginDebugUtilsLabelEXT)
    X(vkCmdEndDebugUtilsLabelEXT)
#undef X
    return true;
}

bool DeviceTable::load(VkDevice device, const InstanceTable& instance, bool pushDescriptor, const char*& missing) {
#define X(name) \
    name = reinterpret_cast<PFN_##name>(instance.vkGetDeviceProcAddr(device, #name)); \
    if (name == nullptr) { \
        missing = #name; \
        return false; \
    }
    VKSORT_DEVICE_FUNCTIONS(X)
    if (pushDescriptor) {
        X(vkCmdPushDescriptorSetKHR)
    }
#undef X
    return true;
}

} // namespace vksort
