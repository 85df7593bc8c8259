// SPDX-License-Identifier: MIT
//
// What is wrong with a caller's text, in the caller's terms: one error a line, "name:line: what".
#pragma once

#include <string>
#include <string_view>

namespace vksort::compiler {

// The words of shaders/comparator_refused.txt in a text, comments left out; empty if there are none.
std::string find_refused_words(std::string_view text, std::string_view name);

// From glslang's log of a failed shaders/comparator_check.glsl.
std::string explain_check(std::string_view log, std::string_view name);

// From glslang's log of a failed kernel, after the check has passed: the text must be in the kernel's way.
std::string explain_kernel(std::string_view log, std::string_view name);

// Where the text is right, and what glslang makes of it is not.
std::string explain_invalid(std::string_view name);

} // namespace vksort::compiler
