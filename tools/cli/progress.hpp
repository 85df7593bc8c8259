// SPDX-License-Identifier: MIT
//
// A line on the terminal that says what goes on, once a command has run for more than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

class Progress {
public:
    Progress(); // silent where standard error is no terminal
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // `fraction` 0: not known.
    void stage(const char* name, double fraction = 0);
    void finish(); // clears the line

private:
    void draw_until_done();

    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
    std::string stage_;
    double fraction_ = 0;
    std::thread thread_; // a sort blocks its caller, so the clock ticks here
};
