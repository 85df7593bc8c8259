// SPDX-License-Identifier: MIT
//
// The C entry points: argument checks, then one call down. No exception leaves them.
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "compile.h"

namespace {

void say(char* message, size_t size, const char* text) {
    if (message != nullptr && size != 0) {
        std::snprintf(message, size, "%s", text);
    }
}

VkResult compile(const VksortCompileComparatorInfo& info, VksortCompiledComparator* compiled, std::string& message) {
    auto made = std::make_unique<VksortCompiledComparator_T>();
    const std::string_view text(info.pSource, info.sourceSize != 0 ? info.sourceSize : std::strlen(info.pSource));
    const VkResult result = vksort::compiler::compile_comparator(text, info.pName != nullptr ? info.pName : "comparator",
                                                                 info.keyWords, *made, message);
    if (result == VK_SUCCESS) {
        *compiled = made.release();
    } else if (!message.empty() && message.back() == '\n') {
        message.pop_back();
    }
    return result;
}

} // namespace

extern "C" {

VkResult vksortCompileComparator(const VksortCompileComparatorInfo* pInfo, VksortCompiledComparator* pCompiled,
                                 char* pMessage, size_t messageSize) {
    say(pMessage, messageSize, "");
    if (pCompiled != nullptr) {
        *pCompiled = VK_NULL_HANDLE;
    }
    if (pInfo == nullptr || pCompiled == nullptr || pInfo->pSource == nullptr || pInfo->reserved != nullptr) {
        say(pMessage, messageSize, "vksortCompileComparator needs pInfo with a source and no reserved field, and pCompiled");
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (pInfo->keyWords == 0 || pInfo->keyWords > VKSORT_MAX_KEY_WORDS) {
        char text[96];
        std::snprintf(text, sizeof text, "a comparator's keys have 1 to %d words, not %u", VKSORT_MAX_KEY_WORDS,
                      pInfo->keyWords);
        say(pMessage, messageSize, text);
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    try {
        std::string message;
        const VkResult result = compile(*pInfo, pCompiled, message);
        say(pMessage, messageSize, message.c_str());
        return result;
    } catch (const std::bad_alloc&) {
        say(pMessage, messageSize, "no host memory to compile a comparator");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    } catch (...) {
        say(pMessage, messageSize, "glslang failed in a way of its own");
        return VK_ERROR_INITIALIZATION_FAILED;
    }
}

void vksortGetCompiledComparatorInfo(VksortCompiledComparator compiled, VksortComparatorInfo* pInfo) {
    if (compiled != VK_NULL_HANDLE && pInfo != nullptr) {
        *pInfo = {VKSORT_COMPARATOR_VERSION, compiled->keyWords, static_cast<uint32_t>(compiled->kernels.size()),
                  compiled->kernels.data()};
    }
}

void vksortDestroyCompiledComparator(VksortCompiledComparator compiled) { delete compiled; }

} // extern "C"
