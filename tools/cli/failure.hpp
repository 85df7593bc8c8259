// SPDX-License-Identifier: MIT
//
// How a command ends early: one line for standard error, and the exit status.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

enum ExitStatus : int {
    kSuccess = 0,
    kCheckFailed = 1,
    kBadInput = 2, // bad usage, bad input, or a file that cannot be read or written
    kNoDevice = 3, // no device that can do it, or a device failure
};

class Failure : public std::runtime_error {
public:
    Failure(ExitStatus exit_status, const std::string& text) : std::runtime_error(text), status(exit_status) {}
    ExitStatus status;
};

template <class... Arguments>
[[noreturn]] void fail(ExitStatus status, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    throw Failure(status, fmt::format(text, std::forward<Arguments>(arguments)...));
}
