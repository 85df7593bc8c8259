// SPDX-License-Identifier: MIT
//
// A plan in words and numbers, without a device.
#pragma once

#include "plan.h"

namespace vksort {

// Workgroups of a pass for `count` elements; of an indirect one, as the GPU will count them.
uint64_t workgroups_of(const Pass& pass, uint64_t count);

VkResult describe_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, VksortPlanInfo& info, Message& message);

// A plan and those that share its recording, as VksortPlan_T::list() has them. `plan` must outlive it.
struct RecordedPlans {
    Plan others[kMostRecorded];
    const Plan* plans[kMostRecorded] = {};
    uint32_t count = 0;

    RecordedPlans(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan);
    uint32_t pass_count() const;
};

// Dispatches of the plan and of those that share its recording.
uint32_t pass_count(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan);

VkResult describe_passes(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                         uint64_t count, uint32_t& passCount, VksortPassInfo* passes);

} // namespace vksort
