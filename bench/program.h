// SPDX-License-Identifier: MIT
//
// What the programs here share: how they end, with a line on standard error and an exit status, and how they quote words.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace vksort::bench {

enum ExitStatus : int { kSuccess = 0, kWrong = 1, kBadUsage = 2, kNoDevice = 3, kInterrupted = 130 };

// Parses the command line, then runs; what `run` throws becomes a status, and so does standard output that cannot be
// written.
int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& run);

// A word within quotation marks, for the shell or for cmd.
std::string quoted(const std::string& word);

} // namespace vksort::bench
