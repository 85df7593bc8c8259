// SPDX-License-Identifier: MIT
//
// What the kernels of a comparator are compiled from; filled by cmake/EmbedShaderTexts.cmake.
#pragma once

#include <span>

namespace vksort::compiler {

struct ShaderText {
    const char* path; // in shaders/
    const char* text;
};
extern const std::span<const ShaderText> kShaderTexts;

// A line of shaders/comparator_variants.txt, in its order.
struct KernelText {
    const char* name;
    const char* path;
    const char* defines; // GLSL; KEY_WORDS is to be added
};
extern const std::span<const KernelText> kKernelTexts;

const char* find_shader_text(const char* path); // nullptr if there is none

} // namespace vksort::compiler
