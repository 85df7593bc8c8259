// SPDX-License-Identifier: MIT
//
// A comparator's kernels behind their handle.
#pragma once

#include "plan.h"
#include "shader_table.h"

namespace vksort {

// In the order of shaders/comparator_variants.txt.
enum ComparatorKernel : ModuleId {
    kComparatorBlocksort,
    kComparatorSegmentedBlocksort,
    kComparatorPartition,
    kComparatorPass,
    kComparatorFourwayPartition,
    kComparatorFourwayPass,
    kComparatorSegmentedPartition,
    kComparatorSegmentedPass,
    kComparatorKernelCount,
};

const ShaderModule& module_of(const Pass& pass);
inline const char* module_name(const Pass& pass) { return module_of(pass).name; }

VkResult create_comparator(VksortContext context, const VksortComparatorInfo& info, VksortComparator* comparator);
void destroy_comparator(VksortComparator comparator);

} // namespace vksort

struct VksortComparator_T {
    VksortContext context = VK_NULL_HANDLE;
    uint64_t id = 0; // never used again
    uint32_t keyWords = 0;
    vksort::ShaderModule kernels[vksort::kComparatorKernelCount] = {};
    uint32_t* words = nullptr;
};
