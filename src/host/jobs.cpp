// SPDX-License-Identifier: MIT
#include "jobs.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

namespace vksort::host {

void run_jobs(void*, uint32_t count, VksortJob job, void* data) {
    std::atomic<uint32_t> next = 0;
    const auto work = [&] {
        for (uint32_t index = next++; index < count; index = next++) {
            job(data, index);
        }
    };
    std::vector<std::thread> helpers;
    try {
        const uint32_t wanted = std::min(count, std::max(std::thread::hardware_concurrency(), 1u));
        for (uint32_t i = 1; i < wanted; ++i) {
            helpers.emplace_back(work);
        }
    } catch (const std::system_error&) {
        // The system gives no more threads: those that there are do the work.
    }
    work();
    for (std::thread& helper : helpers) {
        helper.join();
    }
}

} // namespace vksort::host
