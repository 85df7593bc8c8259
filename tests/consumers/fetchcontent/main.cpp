// SPDX-License-Identifier: MIT
#include <vksort/vksort.hpp>

int main() {
    VksortDeviceInfo device;
    vksortGetGenericDeviceInfo(&device);
    VksortPlanDesc desc = vksort::argsort<double>(50'000, VKSORT_PLAN_DESCENDING_BIT);
    VksortPlanInfo info = {};
    VkResult result = vksortDescribePlan(&device, &desc, &info, nullptr, 0);
    vksort::Context context;
    vksort::Plan plan;
    VksortRequiredFeatures required = {};
    required.subgroupSizeControl = VK_TRUE;
    VkPhysicalDeviceVulkan13Features vulkan13 = {};
    vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    vksort::FeatureChain chain(required, &vulkan13);
    const bool is_chained = chain.head() == &vulkan13 && vulkan13.subgroupSizeControl == VK_TRUE;
    return is_chained && result == VK_SUCCESS && info.keyBits == 64 && !context && !plan ? 0 : 1;
}
