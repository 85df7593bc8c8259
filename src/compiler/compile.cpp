// SPDX-License-Identifier: MIT
#include "compile.h"

#include "front_end.h"
#include "messages.h"
#include "shader_texts.h"

namespace vksort::compiler {

namespace {

// The first capability of a module besides Shader, which every device has; 0 if there is none.
uint32_t extra_capability(const std::vector<uint32_t>& words) {
    constexpr size_t kHeaderWords = 5;
    constexpr uint32_t kOpCapability = 2u << 16 | 17u; // of two words, and before every other instruction
    constexpr uint32_t kShader = 1;
    for (size_t i = kHeaderWords; i + 1 < words.size() && words[i] == kOpCapability; i += 2) {
        if (words[i + 1] != kShader) {
            return words[i + 1];
        }
    }
    return 0;
}

} // namespace

VkResult compile_comparator(std::string_view text, std::string_view name, uint32_t key_words,
                            VksortCompiledComparator_T& compiled, std::string& message) {
    if (text.find('\0') != text.npos) {
        message = std::string(name) + ": there is a zero in the text";
        return VK_ERROR_INVALID_SHADER_NV;
    }
    message = find_refused_words(text, name);
    if (!message.empty()) {
        return VK_ERROR_INVALID_SHADER_NV;
    }
    const std::string comparator = std::string(text) + "\n"; // the last line may be a comment
    const std::string key_define = "#define KEY_WORDS " + std::to_string(key_words) + "\n";
    std::string log;
    std::vector<uint32_t> check;
    const Outcome checked =
        compile_shader("comparator_check.glsl", "#define COMPARATOR\n" + key_define, comparator, false, check, log);
    if (checked != Outcome::compiled) {
        message = checked == Outcome::invalid ? explain_invalid(name) : explain_check(log, name);
        return VK_ERROR_INVALID_SHADER_NV;
    }
    if (const uint32_t capability = extra_capability(check); capability != 0) {
        message = std::string(name) + ": needs what the device may not have, such as 64-bit floats (SPIR-V capability " +
                  std::to_string(capability) + ")";
        return VK_ERROR_INVALID_SHADER_NV;
    }
    compiled.keyWords = key_words;
    for (const KernelText& kernel : kKernelTexts) {
        std::vector<uint32_t> words;
        const Outcome made = compile_shader(kernel.path, kernel.defines + key_define, comparator, true, words, log);
        if (made != Outcome::compiled) {
            message = made == Outcome::invalid ? explain_invalid(name) : explain_kernel(log, name);
            return VK_ERROR_INVALID_SHADER_NV;
        }
        compiled.words.push_back(std::move(words));
    }
    for (const std::vector<uint32_t>& words : compiled.words) {
        compiled.kernels.push_back({words.data(), words.size()});
    }
    return VK_SUCCESS;
}

} // namespace vksort::compiler
