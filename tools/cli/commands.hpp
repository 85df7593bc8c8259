// SPDX-License-Identifier: MIT
//
// One function a command: adds it, with its options and its action, to the command line.
#pragma once

#include <CLI/CLI.hpp>

void add_info_command(CLI::App& app);
void add_generate_command(CLI::App& app);
void add_sort_command(CLI::App& app);
void add_merge_command(CLI::App& app);
void add_segsort_command(CLI::App& app);
void add_verify_command(CLI::App& app);
void add_plan_command(CLI::App& app);
void add_demo_command(CLI::App& app);
