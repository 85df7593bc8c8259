// SPDX-License-Identifier: MIT
//
// Which algorithm a description gets. These functions call no Vulkan function and have no state.
#pragma once

#include "plan.h"

namespace vksort {

// The plans for smaller counts of a sort by `algorithm`; none unless the count is on the GPU.
SmallerPlans smaller_plans(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                           VksortAlgorithm algorithm);

// Resolves AUTO, and checks that an algorithm that is asked for by name can run on the device at all.
VkResult select_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                          VksortAlgorithm& algorithm, Message& message);

// The algorithm that takes the most elements of such a description, if `algorithm` has been chosen for its maxCount. With
// AUTO, a larger count may get another algorithm, which needs less scratch.
VksortAlgorithm least_demanding_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc,
                                          VksortAlgorithm algorithm);

// The algorithm of such a description whose pipelines are the quickest to create. False if there is no choice.
bool plain_algorithm(const VksortPlanDesc& desc, VksortAlgorithm& algorithm);

// Whether kernels of the algorithm need a known subgroup size, as those of the fast algorithms do.
bool ranks_by_ballots_only(VksortAlgorithm algorithm);

// Whether the algorithm belongs to the merge family: merge, locality, segmented, msd and size_classes.
bool is_merge_family(VksortAlgorithm algorithm);

// Whether the algorithm belongs to the radix family: one_workgroup, onesweep and reduce_scan.
bool is_radix_family(VksortAlgorithm algorithm);

// True for msd and size_classes.
bool partitions_by_top_digits(VksortAlgorithm algorithm);

} // namespace vksort
