// SPDX-License-Identifier: MIT
//
// Timestamps in a command buffer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "contender.h"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

class GpuClock {
public:
    explicit GpuClock(host::Device& device);
    ~GpuClock();
    GpuClock(const GpuClock&) = delete;
    GpuClock& operator=(const GpuClock&) = delete;

    bool works() const { return device_.timestamp_period() > 0; }
    void start(VkCommandBuffer commands);
    void stamp(VkCommandBuffer commands, std::string name); // the time since the stamp before
    std::vector<PassTime> read() const;                     // once the commands have run

private:
    host::Device& device_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
    std::vector<std::string> names_; // of the stamps, the first without a name
    PFN_vkCmdResetQueryPool reset_ = nullptr;
    PFN_vkCmdWriteTimestamp write_ = nullptr;
    PFN_vkGetQueryPoolResults results_ = nullptr;
};

// Device time in microseconds of what `record` records; nothing without timestamps. `restore` records what comes before, its
// barrier included. Both are called with a command buffer.
template <typename Restore, typename Record>
std::optional<double> gpu_time_of(host::Device& device, GpuClock& clock, Restore&& restore, Record&& record) {
    if (!clock.works()) {
        return std::nullopt;
    }
    device.run([&](VkCommandBuffer commands) {
        restore(commands);
        clock.start(commands);
        record(commands);
        clock.stamp(commands, "");
    });
    const std::vector<PassTime> times = clock.read();
    return times.empty() ? std::nullopt : std::optional(times.front().us);
}

// The host's time in microseconds to record, submit and wait.
template <typename Record> double wall_time_of(host::Device& device, Record&& record) {
    const auto begin = std::chrono::steady_clock::now();
    device.run([&](VkCommandBuffer commands) { record(commands); });
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

// What was written before is there for what follows, in transfers and kernels.
void record_barrier(host::Device& device, VkCommandBuffer commands);
void record_copy(host::Device& device, VkCommandBuffer commands, const host::Buffer& from, const host::Buffer& to,
                 uint64_t bytes);

// A buffer for everything that a benchmark does with one.
host::Buffer make_buffer(host::Device& device, uint64_t bytes);

} // namespace vksort::bench
