// SPDX-License-Identifier: MIT
//
// For VKSORT_TEST_RACES=1. The layer takes a workgroup's barriers for all that orders accesses to shared memory, and so
// would report what a subgroup's barriers order within the subgroup. It gets modules in which those are the
// workgroup's.
#pragma once

#include <cstdint>
#include <vector>

#include "vksort/vksort.h"

namespace vksort::test {

std::vector<uint32_t> with_workgroup_barriers(const uint32_t* words, size_t count);

// For VksortContextCreateInfo::getInstanceProcAddr.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL barriers_instance_proc_addr(VkInstance instance, const char* name);

} // namespace vksort::test
