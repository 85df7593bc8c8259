// SPDX-License-Identifier: MIT
//
// Kernels that were compressed when the library was built (VKSORT_COMPRESS_KERNELS). The only file behind this uses zlib.
#pragma once

#include "pipelines.h"
#include "shader_table.h"

namespace vksort {

// Writes the module's wordCount words. VK_ERROR_OUT_OF_HOST_MEMORY where zlib gets no memory, which comes from the
// allocator; VK_ERROR_INITIALIZATION_FAILED where the compressed code is damaged.
VkResult inflate_code(const ShaderModule& shader, const HostAllocator& allocator, uint32_t* words);

} // namespace vksort
