// SPDX-License-Identifier: MIT
#include "describe.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

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

namespace {

// A plan and the plans that share its recording, in the order of VksortPlan_T::list().
struct RecordedPlans {
    Plan others[kMostRecorded];
    const Plan* plans[kMostRecorded] = {};
    uint32_t count = 0;

    RecordedPlans(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan) {
        for (; count + 1 < plan.place.plans; ++count) {
            make_smaller_plan(device, overrides, plan, count, others[count]);
            plans[count] = &others[count];
        }
        plans[count++] = &plan;
        if ((plan.desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0) {
            make_commands_plan(device, plan, others[count]);
            plans[count] = &others[count];
            ++count;
        }
    }
};

} // namespace

uint32_t pass_count(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan) {
    const RecordedPlans recorded(device, overrides, plan);
    return std::accumulate(recorded.plans, recorded.plans + recorded.count, 0u,
                           [](uint32_t count, const Plan* each) { return count + each->info.passCount; });
}

VkResult describe_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, VksortPlanInfo& info, Message& message) {
    Plan plan;
    const VkResult result = make_plan(device, desc, {}, plan, message);
    if (result == VK_SUCCESS) {
        info = plan.info;
        info.passCount = pass_count(device, {}, plan);
    }
    return result;
}

namespace {

VksortPassInfo describe_pass(const Pass& pass, uint64_t count) {
    VksortPassInfo info = {};
    std::snprintf(info.name, sizeof info.name, "%s", pass.name);
    std::snprintf(info.kernel, sizeof info.kernel, "%s", module_name(pass));
    info.workgroupSize = pass.specialization[kSpecWorkgroupSize];
    info.requiredSubgroupSize = pass.requiredSubgroupSize;
    info.workgroups = workgroups_of(pass, count);
    info.indirect = pass.dispatch == Dispatch::indirect ? VK_TRUE : VK_FALSE;
    info.bytesRead = count * pass.bytesReadPerElement;
    info.bytesWritten = count * pass.bytesWrittenPerElement;
    return info;
}

} // namespace

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
    const RecordedPlans recorded(device, overrides, plan);
    uint32_t described = 0;
    for_each_pass(recorded.plans, recorded.count, [&](uint32_t i, const Pass& pass) {
        if (passes != nullptr && described < passCount) {
            const Place& place = recorded.plans[i]->place;
            const bool sorts = count >= place.least && (place.is_last() || count <= recorded.plans[i]->info.maxCount);
            passes[described] = describe_pass(pass, sorts ? count : 0);
        }
        ++described;
    });
    const bool isIncomplete = passes != nullptr && passCount < described;
    passCount = described;
    return isIncomplete ? VK_INCOMPLETE : VK_SUCCESS;
}

} // namespace vksort
