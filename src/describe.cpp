// SPDX-License-Identifier: MIT
#include "describe.h"

#include <algorithm>
#include <cstdio>

#include "comparator.h"
#include "ops/ops.h"

namespace vksort {

uint64_t workgroups_of(const Pass& pass, uint64_t count) {
    if (pass.dispatch == Dispatch::one) {
        return 1;
    }
    if (pass.dispatch == Dispatch::fixed) {
        return pass.groupsLimit;
    }
    if (pass.divisor == 0 || count == 0) {
        return pass.leastGroups;
    }
    const uint64_t groups = (count - 1) / pass.divisor + 1 + pass.extraGroups;
    return pass.groupsLimit != 0 ? std::min<uint64_t>(groups, pass.groupsLimit) : groups;
}

VkResult describe_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, VksortPlanInfo& info, Message& message) {
    Plan plan;
    const VkResult result = make_plan(device, desc, {}, plan, message);
    if (result == VK_SUCCESS) {
        info = plan.info;
    }
    return result;
}

VkResult describe_passes(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                         uint64_t count, uint32_t& passCount, VksortPassInfo* passes) {
    Plan plan;
    Message message;
    if (const VkResult result = make_plan(device, desc, overrides, plan, message); result != VK_SUCCESS) {
        return result;
    }
    if (count > counts_of(desc).all()) {
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    const uint32_t written = passes != nullptr ? std::min(passCount, plan.info.passCount) : 0;
    for (uint32_t i = 0; i < written; ++i) {
        const Pass& pass = plan.passes[i];
        VksortPassInfo& info = passes[i];
        info = {};
        std::snprintf(info.name, sizeof info.name, "%s", pass.name);
        std::snprintf(info.kernel, sizeof info.kernel, "%s", module_name(pass));
        info.workgroupSize = pass.specialization[kSpecWorkgroupSize];
        info.requiredSubgroupSize = pass.requiredSubgroupSize;
        info.workgroups = workgroups_of(pass, count);
        info.indirect = pass.dispatch == Dispatch::indirect ? VK_TRUE : VK_FALSE;
        info.bytesRead = count * pass.bytesReadPerElement;
        info.bytesWritten = count * pass.bytesWrittenPerElement;
    }
    passCount = plan.info.passCount;
    return passes != nullptr && written < plan.info.passCount ? VK_INCOMPLETE : VK_SUCCESS;
}

} // namespace vksort
