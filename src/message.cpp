// SPDX-License-Identifier: MIT
#include <cstdarg>
#include <cstdio>

#include "plan.h"

namespace vksort {

void Message::format(const char* fmt, ...) {
    va_list arguments;
    va_start(arguments, fmt);
    std::vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
}

} // namespace vksort
