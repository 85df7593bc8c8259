// SPDX-License-Identifier: MIT
/// @file
/// vksort_compiler: compiles comparators from GLSL at run time.
///
/// It is a second, static library, vksort::compiler, which links glslang; vksort itself does not need it. The CMake function
/// vksort_add_comparator compiles comparators at build time. docs/comparators.md describes both.
///
///     VksortCompileComparatorInfo info = {0};
///     info.pSource = "bool before(Key a, Key b) { return a.words[0] % 100 < b.words[0] % 100; }";
///     info.keyWords = 1;
///     VksortCompiledComparator compiled;
///     if (vksortCompileComparator(&info, &compiled, message, sizeof message) == VK_SUCCESS) {
///         VksortComparatorInfo comparatorInfo;
///         vksortGetCompiledComparatorInfo(compiled, &comparatorInfo);
///         vksortCreateComparator(context, &comparatorInfo, &comparator); // copies the kernels
///         vksortDestroyCompiledComparator(compiled);
///     }
///
/// The text is GLSL 4.60 and defines `bool before(Key a, Key b)`. The library declares
/// `struct Key { uint words[KEY_WORDS]; };` before it. The text may define functions, structs, constants and macros.
///
/// `before` must be a strict weak order, as for std::sort. With any other function, elements may come out twice or not at
/// all. The compiler refuses, with a message:
/// - text that does not compile, and a missing `before` or one with another signature;
/// - a constant index past the end of the key;
/// - `main`, include directives and extension directives;
/// - interfaces, shared variables, barriers and 64-bit floats.
///
/// A computed index past the end of the key is not detected. Reading there is undefined, as everywhere in GLSL.

#ifndef VKSORT_COMPILER_H
#define VKSORT_COMPILER_H

#include "vksort.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The compiled kernels of one comparator, in host memory.
VK_DEFINE_HANDLE(VksortCompiledComparator)

/// The text of a comparator.
typedef struct VksortCompileComparatorInfo {
    const char* pSource;  ///< GLSL text.
    size_t sourceSize;    ///< Bytes of the text; 0: it ends with a zero byte.
    const char* pName;    ///< Name of the text in messages, such as that of its file; NULL: "comparator".
    uint32_t keyWords;    ///< Words of 4 bytes in a key: 1 to VKSORT_MAX_KEY_WORDS.
    const void* reserved; ///< Must be NULL.
} VksortCompileComparatorInfo;

/// Compiles the kernels of a comparator. It needs no device and takes 0.1 seconds to several seconds. It is thread-safe.
/// @param pInfo The text.
/// @param pCompiled Receives the kernels, or VK_NULL_HANDLE.
/// @param pMessage Optional: receives a zero-terminated string. On failure it has one error a line, with the line numbers of
///     the application's text, such as "order.glsl:3: 'x' : undeclared identifier". On success it is empty.
/// @param messageSize Bytes of `pMessage`.
/// @retval VK_ERROR_INVALID_SHADER_NV The text is refused.
/// @retval VK_ERROR_FORMAT_NOT_SUPPORTED keyWords is out of range.
/// @retval VK_ERROR_INITIALIZATION_FAILED An argument is missing, a reserved field is set, or glslang failed.
/// @retval VK_ERROR_OUT_OF_HOST_MEMORY There is no memory to compile.
/// @return VK_SUCCESS or one of these errors.
VkResult vksortCompileComparator(const VksortCompileComparatorInfo* pInfo, VksortCompiledComparator* pCompiled,
                                 char* pMessage, size_t messageSize);

/// Returns the kernels for vksortCreateComparator().
/// @param compiled The compiled comparator; if VK_NULL_HANDLE, `pInfo` is not changed.
/// @param pInfo Receives pointers that are valid until `compiled` is destroyed.
void vksortGetCompiledComparatorInfo(VksortCompiledComparator compiled, VksortComparatorInfo* pInfo);

/// Frees the kernels.
/// @param compiled The compiled comparator; VK_NULL_HANDLE is ignored.
void vksortDestroyCompiledComparator(VksortCompiledComparator compiled);

#ifdef __cplusplus
}
#endif

#endif
