// SPDX-License-Identifier: MIT
#include "message.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vksort {

namespace {

bool prints_messages() {
#ifdef NDEBUG
    const bool isUsual = false;
#else
    const bool isUsual = true;
#endif
    const char* wish = std::getenv("VKSORT_DEBUG");
    return wish == nullptr || *wish == '\0' ? isUsual : std::strcmp(wish, "0") != 0;
}

} // namespace

void Message::format(const char* fmt, ...) {
    va_list arguments;
    va_start(arguments, fmt);
    std::vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
}

void MessageReceiver::report(VksortSeverity severity, const char* text) const {
    if (callback != nullptr) {
        callback(user, severity, text);
    } else if (prints_messages()) {
        std::fprintf(stderr, "vksort: %s: %s\n", severity == VKSORT_SEVERITY_ERROR ? "error" : "warning", text);
    }
}

} // namespace vksort
