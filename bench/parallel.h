// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace vksort::bench {

// Calls work(begin, end) for consecutive parts of [0, count), one thread each.
template <typename Work> void parallel_for(uint64_t count, const Work& work) {
    const uint64_t threads = std::clamp<uint64_t>(std::thread::hardware_concurrency(), 1, 64);
    const uint64_t part = std::max<uint64_t>((count + threads - 1) / threads, 1 << 15);
    if (count <= part) {
        work(uint64_t{0}, count);
        return;
    }
    std::vector<std::thread> running;
    for (uint64_t begin = 0; begin < count; begin += part) {
        running.emplace_back([&work, begin, end = std::min(count, begin + part)] { work(begin, end); });
    }
    for (std::thread& thread : running) {
        thread.join();
    }
}

} // namespace vksort::bench
