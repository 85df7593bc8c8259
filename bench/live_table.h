// SPDX-License-Identifier: MIT
//
// Results as they come, and on a terminal a line that says how far it is.
#pragma once

#include <chrono>
#include <string>

#include "results.h"

namespace vksort::bench {

class LiveTable {
public:
    LiveTable(size_t total, bool with_passes);
    ~LiveTable();
    LiveTable(const LiveTable&) = delete;
    LiveTable& operator=(const LiveTable&) = delete;

    void starting(const Scenario& scenario, const std::string& contender);
    void add(const Result& result);
    void finish(); // clears the line

private:
    void print(const std::string& text); // to standard output, with the line out of the way

    size_t total_;
    size_t done_ = 0;
    bool with_passes_;
    bool terminal_;
    bool drawn_ = false;
    std::string scenario_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string table_head();
std::string table_row(const Result& result);

} // namespace vksort::bench
