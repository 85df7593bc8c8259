// SPDX-License-Identifier: MIT
/// @file
/// A thin, header-only C++17 wrapper of vksort_compiler.h, in the manner of vksort.hpp.
///
///     vksort::CompiledComparator compiled;
///     VkResult result = compiled.compile(text, key_words, "order.glsl", message, sizeof message);
///     vksort::Comparator comparator;
///     result = comparator.create(context, compiled.info());

#ifndef VKSORT_COMPILER_HPP
#define VKSORT_COMPILER_HPP

#include <string_view>

#include "vksort.hpp"
#include "vksort_compiler.h"

namespace vksort {

inline namespace cpp {

/// Owns a VksortCompiledComparator.
class CompiledComparator {
public:
    CompiledComparator() noexcept = default; ///< Owns nothing.
    /// Takes ownership of a handle.
    explicit CompiledComparator(VksortCompiledComparator handle) noexcept : handle_(handle) {}
    /// Takes the handle of `other`, which then owns nothing.
    CompiledComparator(CompiledComparator&& other) noexcept : handle_(other.release()) {}
    /// Destroys the object owned so far, and takes the handle of `other`.
    CompiledComparator& operator=(CompiledComparator&& other) noexcept {
        CompiledComparator(std::move(other)).swap(*this);
        return *this;
    }
    CompiledComparator(const CompiledComparator&) = delete;
    CompiledComparator& operator=(const CompiledComparator&) = delete;
    /// Destroys the object owned.
    ~CompiledComparator() { vksortDestroyCompiledComparator(handle_); }

    /// Calls vksortCompileComparator(). On success, the new kernels replace those owned so far. `message`, of `message_size`
    /// bytes, is optional.
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

    /// Returns the kernels for vksort::Comparator::create(). Its pointers are valid as long as this object owns the kernels.
    /// All fields are zero if there are none.
    VksortComparatorInfo info() const noexcept {
        VksortComparatorInfo info = {};
        vksortGetCompiledComparatorInfo(handle_, &info);
        return info;
    }

    /// Returns the handle, or VK_NULL_HANDLE.
    VksortCompiledComparator get() const noexcept { return handle_; }
    /// Whether there is a handle.
    explicit operator bool() const noexcept { return handle_ != VK_NULL_HANDLE; }
    /// Returns the handle and gives up its ownership.
    VksortCompiledComparator release() noexcept { return std::exchange(handle_, VksortCompiledComparator{VK_NULL_HANDLE}); }
    /// Destroys the object owned.
    void reset() noexcept { CompiledComparator().swap(*this); }
    /// Exchanges the handles.
    void swap(CompiledComparator& other) noexcept { std::swap(handle_, other.handle_); }

private:
    VksortCompiledComparator handle_ = VK_NULL_HANDLE;
};

} // namespace cpp

} // namespace vksort

#endif
