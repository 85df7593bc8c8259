// SPDX-License-Identifier: MIT
//
// vksort_compiler: comparators from GLSL text at run time. A second, static library (vksort::compiler), which brings
// glslang along; vksort itself does not need it. To compile at build time instead, see the CMake function
// vksort_add_comparator; docs/comparators.md tells of both.
//
//     VksortCompileComparatorInfo info = {0};
//     info.pSource = "bool before(Key a, Key b) { return a.words[0] % 100 < b.words[0] % 100; }";
//     info.keyWords = 1;
//     VksortCompiledComparator compiled;
//     if (vksortCompileComparator(&info, &compiled, message, sizeof message) == VK_SUCCESS) {
//         VksortComparatorInfo comparatorInfo;
//         vksortGetCompiledComparatorInfo(compiled, &comparatorInfo);
//         vksortCreateComparator(context, &comparatorInfo, &comparator); // copies the kernels
//         vksortDestroyCompiledComparator(compiled);
//     }
//
// The text, in GLSL 4.60, defines
//     bool before(Key a, Key b)
// where Key is, and is declared for it,
//     struct Key { uint words[KEY_WORDS]; };
// It may hold functions, structs, constants and macros of its own. The order has to be a strict weak one, as for std::sort:
// anything else gives no order, and elements may come out twice or not at all. Refused, in words: text that does not compile;
// a missing `before` or one of another signature; a constant index past the key; main, #include and #extension; interfaces
// and shared variables; barriers; 64-bit floats. A computed index past the key cannot be seen here: reading there is
// undefined, as everywhere in GLSL.

#ifndef VKSORT_COMPILER_H
#define VKSORT_COMPILER_H

#include "vksort.h"

#ifdef __cplusplus
extern "C" {
#endif

VK_DEFINE_HANDLE(VksortCompiledComparator)

typedef struct VksortCompileComparatorInfo {
    const char* pSource;
    size_t sourceSize;   // bytes; 0: pSource ends with a zero
    const char* pName;   // what messages call the text, such as its file; NULL: "comparator"
    uint32_t keyWords;   // words of 4 bytes in a key, 1 to VKSORT_MAX_KEY_WORDS
    const void* reserved;
} VksortCompileComparatorInfo;

// Compiles every kernel. Needs no device, and takes from tenths of a second to seconds. Thread-safe.
// On failure pMessage (optional, messageSize bytes, always zero-terminated) gets the errors, one a line, with the lines of
// the caller's own text: "order.glsl:3: 'x' : undeclared identifier". It is empty on success.
// Errors: VK_ERROR_INVALID_SHADER_NV (the text is refused), VK_ERROR_FORMAT_NOT_SUPPORTED (keyWords),
// VK_ERROR_INITIALIZATION_FAILED (an argument is missing, or glslang failed), VK_ERROR_OUT_OF_HOST_MEMORY.
VkResult vksortCompileComparator(const VksortCompileComparatorInfo* pInfo, VksortCompiledComparator* pCompiled,
                                 char* pMessage, size_t messageSize);

// What vksortCreateComparator takes. Its pointers are valid until `compiled` is destroyed.
void vksortGetCompiledComparatorInfo(VksortCompiledComparator compiled, VksortComparatorInfo* pInfo);

// VK_NULL_HANDLE is ignored.
void vksortDestroyCompiledComparator(VksortCompiledComparator compiled);

#ifdef __cplusplus
}
#endif

#endif
