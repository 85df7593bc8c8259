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
    return result == VK_SUCCESS && info.keyBits == 64 && !context && !plan ? 0 : 1;
}
