// SPDX-License-Identifier: MIT
//
// One sentence for the caller, and who gets it.
#pragma once

#include "vksort/vksort.h"

// The compiler checks the arguments of a printf-like function: positions of the text and of the first argument.
#if defined(__GNUC__)
#define VKSORT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKSORT_PRINTF(text, first)
#endif

namespace vksort {

// In a buffer of fixed size, so that no failure path allocates.
struct Message {
    char text[320] = {};
    VKSORT_PRINTF(2, 3) void format(const char* fmt, ...);
};

// The application's callback. Without one, messages go to stderr in builds without NDEBUG, and where VKSORT_DEBUG is 1.
struct MessageReceiver {
    VksortMessageCallback callback = nullptr;
    void* user = nullptr;
    void report(VksortSeverity severity, const char* text) const;
};

} // namespace vksort
