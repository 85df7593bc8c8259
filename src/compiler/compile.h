// SPDX-License-Identifier: MIT
//
// A comparator's text to its kernels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vksort/vksort_compiler.h"

struct VksortCompiledComparator_T {
    uint32_t keyWords = 0;
    std::vector<std::vector<uint32_t>> words; // a kernel each
    std::vector<VksortSpirv> kernels;         // views of them
};

namespace vksort::compiler {

// On VK_ERROR_INVALID_SHADER_NV with what is wrong, one error a line. May throw std::bad_alloc.
VkResult compile_comparator(std::string_view text, std::string_view name, uint32_t key_words,
                            VksortCompiledComparator_T& compiled, std::string& message);

} // namespace vksort::compiler
