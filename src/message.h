// SPDX-License-Identifier: MIT
//
// Messages to the application: their text, and the callback or stream that receives them.
#pragma once

#include "vksort/vksort.h"

// The compiler checks the arguments of a printf-like function: positions of the text and of the first argument.
#if defined(__GNUC__)
#define VKSORT_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKSORT_PRINTF(text, first)
#endif

namespace vksort {

// One sentence, in a buffer of fixed size, so that no failure path allocates.
struct Message {
    char text[320] = {};
    VKSORT_PRINTF(2, 3) void format(const char* fmt, ...);
};

// The application's callback. Without one, messages go to stderr if VKSORT_DEBUG is 1 or, where it is not set, in builds
// without NDEBUG.
struct MessageReceiver {
    VksortMessageCallback callback = nullptr;
    void* user = nullptr;
    void report(VksortSeverity severity, const char* text) const;
};

} // namespace vksort
