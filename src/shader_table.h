// SPDX-License-Identifier: MIT
//
// The SPIR-V modules, in the order of shaders/variants.txt; shader_ids.h, made with them, has their numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vksort {

struct ShaderModule {
    const char* name;
    const uint32_t* words;
    size_t wordCount;
    bool checked; // buffers' bounds, where a pipeline may choose
};

extern const ShaderModule kShaderModules[];
extern const uint32_t kShaderModuleCount;

} // namespace vksort
