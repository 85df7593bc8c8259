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

// Compiles the shader at `path` of the embedded texts to SPIR-V for Vulkan 1.2. `defines` goes before it, and
// comparator.glsl in it is `comparator`. False with glslang's log where it fails. May throw std::bad_alloc.
bool compile_shader(const char* path, const std::string& defines, std::string_view comparator, std::vector<uint32_t>& words,
                    std::string& log);

} // namespace vksort::compiler
