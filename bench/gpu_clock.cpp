// SPDX-License-Identifier: MIT
#include "gpu_clock.h"

#include <algorithm>

namespace vksort::bench {

namespace {

template <typename Function> void load(host::Device& device, Function& function, const char* name) {
    function = reinterpret_cast<Function>(device.function(name));
}

constexpr uint32_t kStamps = VKSORT_MAX_PASSES + 2;

} // namespace

GpuClock::GpuClock(host::Device& device) : device_(device) {
    if (!works()) {
        return;
    }
    load(device, reset_, "vkCmdResetQueryPool");
    load(device, write_, "vkCmdWriteTimestamp");
    load(device, results_, "vkGetQueryPoolResults");
    PFN_vkCreateQueryPool create = nullptr;
    load(device, create, "vkCreateQueryPool");
    VkQueryPoolCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = kStamps;
    if (create(device.device(), &info, nullptr, &pool_) != VK_SUCCESS) {
        throw std::runtime_error("creating a query pool failed");
    }
}

GpuClock::~GpuClock() {
    if (pool_ != VK_NULL_HANDLE) {
        PFN_vkDestroyQueryPool destroy = nullptr;
        load(device_, destroy, "vkDestroyQueryPool");
        destroy(device_.device(), pool_, nullptr);
    }
}

void GpuClock::start(VkCommandBuffer commands) {
    names_.clear();
    if (works()) {
        reset_(commands, pool_, 0, kStamps);
    }
    stamp(commands, "");
}

void GpuClock::stamp(VkCommandBuffer commands, std::string name) {
    if (works() && names_.size() < kStamps) {
        write_(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, static_cast<uint32_t>(names_.size()));
        names_.push_back(std::move(name));
    }
}

std::vector<PassTime> GpuClock::read() const {
    std::vector<uint64_t> ticks(names_.size());
    if (ticks.empty() || results_(device_.device(), pool_, 0, static_cast<uint32_t>(ticks.size()), ticks.size() * 8,
                                  ticks.data(), 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT) != VK_SUCCESS) {
        return {};
    }
    const uint32_t bits = device_.timestamp_valid_bits();
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    std::vector<PassTime> times;
    for (size_t i = 1; i < ticks.size(); ++i) {
        const uint64_t elapsed = (ticks[i] - ticks[i - 1]) & mask;
        times.push_back({names_[i], static_cast<double>(elapsed) * device_.timestamp_period() / 1000.0});
    }
    return times;
}

void record_barrier(host::Device& device, VkCommandBuffer commands) {
    PFN_vkCmdPipelineBarrier record = nullptr;
    load(device, record, "vkCmdPipelineBarrier");
    constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_READ_BIT |
                            VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    record(commands, kStages, kStages | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void record_copy(host::Device& device, VkCommandBuffer commands, const host::Buffer& from, const host::Buffer& to,
                 uint64_t bytes) {
    if (bytes != 0) {
        PFN_vkCmdCopyBuffer record = nullptr;
        load(device, record, "vkCmdCopyBuffer");
        const VkBufferCopy region = {0, 0, bytes};
        record(commands, from.handle(), to.handle(), 1, &region);
    }
}

host::Buffer make_buffer(host::Device& device, uint64_t bytes) {
    return host::Buffer(device, std::max<uint64_t>(16, (bytes + 15) / 16 * 16),
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                            VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

} // namespace vksort::bench
