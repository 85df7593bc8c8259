// SPDX-License-Identifier: MIT
//
// Lets one header declare constants and structs for both C++ and GLSL (std430, 32-bit unsigned members only).
#ifdef __cplusplus
#include <cstdint>
#define UINT uint32_t
#define VKSORT_CONST_UINT(name, value) inline constexpr uint32_t name = value;
#define VKSORT_INTEROP_BEGIN namespace vksort {
#define VKSORT_INTEROP_END }
#else
#define UINT uint
#define VKSORT_CONST_UINT(name, value) const uint name = value;
#define VKSORT_INTEROP_BEGIN
#define VKSORT_INTEROP_END
#endif
