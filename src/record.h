// SPDX-License-Identifier: MIT
//
// Executes a plan into a command buffer: the only file that emits vkCmd... Misuse is reported and records nothing.
#pragma once

#include "context.h"

namespace vksort {

void record_sort(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortSortBuffers& buffers);
void record_merge(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortMergeBuffers& buffers);
void record_segmented_sort(VkCommandBuffer commandBuffer, const VksortPlan_T& plan,
                           const VksortSegmentedSortBuffers& buffers);
void record_gather(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortGatherBuffers& buffers);

} // namespace vksort
