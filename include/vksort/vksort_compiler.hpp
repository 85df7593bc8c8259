// SPDX-License-Identifier: MIT
//
// A thin C++17 wrapper of vksort_compiler.h, in the manner of vksort.hpp.
//
//     vksort::CompiledComparator compiled;
//     VkResult result = compiled.compile(text, key_words, "order.glsl", message, sizeof message);
//     vksort::Comparator comparator;
//     result = comparator.create(context, compiled.info());

#ifndef VKSORT_COMPILER_HPP
#define VKSORT_COMPILER_HPP

#include <string_view>

#include "vksort.hpp"
#include "vksort_compiler.h"

namespace vksort {

inline namespace cpp {

// Owns a VksortCompiledComparator.
class CompiledComparator {
public:
    CompiledComparator() noexcept = default;
    explicit CompiledComparator(VksortCompiledComparator handle) noexcept : handle_(handle) {}
    CompiledComparator(CompiledComparator&& other) noexcept : handle_(other.release()) {}
    CompiledComparator& operator=(CompiledComparator&& other) noexcept {
        CompiledComparator(std::move(other)).swap(*this);
        return *this;
    }
    CompiledComparator(const CompiledComparator&) = delete;
    CompiledComparator& operator=(const CompiledComparator&) = delete;
    ~CompiledComparator() { vksortDestroyCompiledComparator(handle_); }

    // Replaces what was owned, where it succeeds.
    VkResult compile(std::string_view text, uint32_t key_words, const char* name = nullptr, char* message = nullptr,
                     size_t message_size = 0) noexcept {
        VksortCompileComparatorInfo info = {};
        info.pSource = text.empty() ? "" : text.data();
        info.sourceSize = text.size();
        info.pName = name;
        info.keyWords = key_words;
        VksortCompiledComparator compiled = VK_NULL_HANDLE;
        const VkResult result = vksortCompileComparator(&info, &compiled, message, message_size);
        if (result == VK_SUCCESS) {
            CompiledComparator(compiled).swap(*this);
        }
        return result;
    }

    // Valid as long as this; all zero if nothing was compiled.
    VksortComparatorInfo info() const noexcept {
        VksortComparatorInfo info = {};
        vksortGetCompiledComparatorInfo(handle_, &info);
        return info;
    }

    VksortCompiledComparator get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != VK_NULL_HANDLE; }
    VksortCompiledComparator release() noexcept { return std::exchange(handle_, VksortCompiledComparator{VK_NULL_HANDLE}); }
    void reset() noexcept { CompiledComparator().swap(*this); }
    void swap(CompiledComparator& other) noexcept { std::swap(handle_, other.handle_); }

private:
    VksortCompiledComparator handle_ = VK_NULL_HANDLE;
};

} // namespace cpp

} // namespace vksort

#endif
