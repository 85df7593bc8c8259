// SPDX-License-Identifier: MIT
#include "front_end.h"

#include <cstring>

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include "shader_texts.h"

namespace vksort::compiler {

namespace {

// glslang counts its initializations, but up to version 12 each one makes its lock anew, even while another thread compiles.
// So it is initialized once, and never finalized.
bool start_glslang() {
    static const bool started = glslang::InitializeProcess();
    return started;
}

class Includer : public glslang::TShader::Includer {
public:
    explicit Includer(std::string_view comparator) : comparator_(comparator) {}

    // Beside the includer, or else from the top.
    IncludeResult* includeLocal(const char* header, const char* includer, size_t) override {
        if (std::strcmp(header, "comparator.glsl") == 0) {
            return new IncludeResult(std::string(kCallersText), comparator_.data(), comparator_.size(), nullptr);
        }
        const std::string_view from(includer);
        for (const std::string& path : {std::string(from.substr(0, from.rfind('/') + 1)) + header, std::string(header)}) {
            if (const char* text = find_shader_text(path.c_str()); text != nullptr) {
                return new IncludeResult(path, text, std::strlen(text), nullptr);
            }
        }
        return nullptr;
    }
    void releaseInclude(IncludeResult* result) override { delete result; }

private:
    std::string_view comparator_;
};

} // namespace

const char* find_shader_text(const char* path) {
    for (const ShaderText& shader : kShaderTexts) {
        if (std::strcmp(shader.path, path) == 0) {
            return shader.text;
        }
    }
    return nullptr;
}

Outcome compile_shader(const char* path, const std::string& defines, std::string_view comparator, bool for_use,
                       std::vector<uint32_t>& words, std::string& log) {
    if (!start_glslang()) {
        log = "glslang could not be initialized";
        return Outcome::refused;
    }
    constexpr auto kRules = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
    const char* text = find_shader_text(path);
    const char* name = path;
    glslang::TShader shader(EShLangCompute);
    shader.setStringsWithLengthsAndNames(&text, nullptr, &name, 1);
    shader.setPreamble(defines.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_2);
    shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_5);
    Includer includer(comparator);
    if (!shader.parse(GetDefaultResources(), 100, false, kRules, includer)) {
        log = shader.getInfoLog();
        return Outcome::refused;
    }
    glslang::TProgram program;
    program.addShader(&shader);
    if (!program.link(kRules)) {
        log = program.getInfoLog();
        return Outcome::refused;
    }
    glslang::SpvOptions options;
    options.stripDebugInfo = for_use;
    options.validate = true;
    spv::SpvBuildLogger logger;
    glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &logger, &options);
    return logger.getAllMessages().find("error: ") == std::string::npos ? Outcome::compiled : Outcome::invalid;
}

} // namespace vksort::compiler
