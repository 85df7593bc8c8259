// SPDX-License-Identifier: MIT
//
// Which algorithm a description gets. Pure.
#pragma once

#include "plan.h"

namespace vksort {

// Resolves AUTO, and checks that the algorithm asked for by name can run on the device at all.
VkResult select_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                          VksortAlgorithm& algorithm, Message& message);

// Which algorithm takes the most elements of such a description, if `algorithm` has been chosen for its maxCount. With AUTO a
// larger count may get another one, which needs less scratch.
VksortAlgorithm least_demanding_algorithm(const VksortDeviceInfo& device, const VksortPlanDesc& desc, VksortAlgorithm algorithm);

// The algorithm of such a description whose pipelines are the quickest to make. False if there is no choice.
bool plain_algorithm(const VksortPlanDesc& desc, VksortAlgorithm& algorithm);

// The fast algorithms, whose kernels need a known subgroup size.
bool ranks_by_ballots_only(VksortAlgorithm algorithm);

// Merge passes instead of digit passes.
bool is_merge_family(VksortAlgorithm algorithm);

// Digit passes, least significant first.
bool is_radix_family(VksortAlgorithm algorithm);

// msd and msd.
bool partitions_by_top_digits(VksortAlgorithm algorithm);

} // namespace vksort
