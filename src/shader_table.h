// SPDX-License-Identifier: MIT
//
// The SPIR-V modules, in the order of shaders/variants.txt; shader_ids.h, made with them, has their numbers. A module that
// was left out of the build (cmake/KernelSet.cmake) has a row without code, and make_plan() refuses the plans that would
// name it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vksort/vksort.h"

namespace vksort {

struct ShaderModule {
    const char* name;
    const uint32_t* words; // nullptr: compressed, or left out
    size_t wordCount;
    bool checked;                              // buffers' bounds, where a pipeline may choose
    const unsigned char* compressed = nullptr; // a gzip file
    size_t compressedSize = 0;
};

extern const ShaderModule kShaderModules[];
extern const uint32_t kShaderModuleCount;

// What a build has kernels for, or what plans a kernel is for.
struct KernelSet {
    uint32_t operations; // bits 1 << VksortOperation
    uint32_t keyWidths;  // bits of a key: 32, 64, or both combined; kernels for 32 serve 8 and 16, too
    uint32_t values;     // kNoValues, kSomeValues, or both combined
};
inline constexpr uint32_t kNoValues = 1;
inline constexpr uint32_t kSomeValues = 2; // of any size, or argsort
extern const KernelSet kBuiltKernels;

} // namespace vksort
