// SPDX-License-Identifier: MIT
//
// Which algorithm a description gets. Pure.
#pragma once

#include "plan.h"

namespace vksort {

// Resolves AUTO, and checks that the algorithm asked for by name can run on the device at all.
VkResult select_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                          VksortAlgorithm& algorithm, Message& message);

// Merge passes instead of digit passes.
bool is_merge_family(VksortAlgorithm algorithm);

// Digit passes, least significant first.
bool is_radix_family(VksortAlgorithm algorithm);

// size_classes and msd.
bool partitions_by_top_digits(VksortAlgorithm algorithm);

// What AUTO takes when one workgroup is not enough.
VksortAlgorithm many_workgroup_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc,
                                         const PlanOverrides& overrides);

} // namespace vksort
