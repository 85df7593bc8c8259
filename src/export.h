// SPDX-License-Identifier: MIT
//
// A plan as data for applications that execute it themselves.
#pragma once

#include "plan.h"

namespace vksort {

// vksortExportPlan, with the choices that only tests make. `exported` is unchanged on failure.
VkResult export_plan(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                     const VkAllocationCallbacks* callbacks, VksortExportedPlan*& exported, Message& message);

VkResult set_export_arguments(VksortExportedPlan& exported, const VksortExportArguments& given);

void free_exported_plan(VksortExportedPlan& exported);

} // namespace vksort
