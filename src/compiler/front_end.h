// SPDX-License-Identifier: MIT
//
// glslang, as far as it is needed here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vksort::compiler {

// What glslang calls the caller's text in its log: no path of a kernel.
inline constexpr std::string_view kCallersText = "<comparator>";

enum class Outcome {
    compiled,
    refused, // glslang's log says why
    invalid, // what glslang made of it is no SPIR-V: the words of an instruction, counted in 16 bits, may overflow
};

// Compiles the shader at `path` of the embedded texts to SPIR-V for Vulkan 1.2, and validates that. `defines` goes before
// it, and comparator.glsl in it is `comparator`. Names are left out where the result is `for_use`; that goes by an
// optimizer, which prints where something is invalid. May throw std::bad_alloc.
Outcome compile_shader(const char* path, const std::string& defines, std::string_view comparator, bool for_use,
                       std::vector<uint32_t>& words, std::string& log);

} // namespace vksort::compiler
