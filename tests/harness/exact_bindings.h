// SPDX-License-Identifier: MIT
//
// VKSORT_TEST_BOUNDS=1: every binding of a recording is bound as a buffer of its own, exactly as long as the binding, in the
// same memory. GPU-assisted validation, which looks at the ends of buffers and not of bindings, then tells of each access
// outside. Kernels of which nothing checks the bounds (VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) must have none.
#pragma once

#include "vksort/vksort_host.hpp"

namespace vksort::test {

bool checks_bounds();

// Of offsets, where bindings are buffers: what a buffer's memory may ask for.
inline constexpr uint32_t kExactAlignment = 256;

// Bindings of this buffer become buffers of their own from now on.
void bind_exactly(const host::Buffer& buffer);
// Destroys these, before the buffer goes.
void forget_exact_bindings(const host::Buffer& buffer);

// For VksortContextCreateInfo::getInstanceProcAddr; without push descriptors.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL exact_instance_proc_addr(VkInstance instance, const char* name);

} // namespace vksort::test
