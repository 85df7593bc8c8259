// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "output_files.hpp"

namespace {

constexpr std::chrono::milliseconds kQuietTime{1000};
constexpr std::chrono::milliseconds kTick{200};

} // namespace

Progress::Progress() {
    if (vksort::files::is_terminal(stderr)) {
        thread_ = std::thread([this] { draw_until_done(); });
    }
}

Progress::~Progress() { finish(); }

void Progress::finish() {
    if (thread_.joinable()) {
        {
            std::lock_guard lock(mutex_);
            done_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
}

void Progress::stage(const char* name, double fraction) {
    std::lock_guard lock(mutex_);
    stage_ = name;
    fraction_ = fraction;
}

void Progress::draw_until_done() {
    std::unique_lock lock(mutex_);
    const auto is_done = [this] { return done_; };
    bool drawn = false;
    for (bool done = changed_.wait_for(lock, kQuietTime, is_done); !done; done = changed_.wait_for(lock, kTick, is_done)) {
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
        const std::string percent = fraction_ > 0 ? fmt::format(" {:.0f}%", fraction_ * 100) : "";
        // \r and "erase to the end of the line" redraw in place.
        vksort::files::print_error(fmt::format("\r{}{}, {:.0f} s\033[K", stage_, percent, elapsed.count()));
        drawn = true;
    }
    if (drawn) {
        vksort::files::print_error("\r\033[K");
    }
}
