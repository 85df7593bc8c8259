// SPDX-License-Identifier: MIT
//
// Private to vksort::host: what a Device is made of.
#pragma once

#include "instance.hpp"

namespace vksort::host {

// A VkBuffer with memory of its own.
struct Allocation {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VkDeviceSize size = 0;
    std::byte* mapped = nullptr; // where the host may read and write it
};

struct Device::State {
    struct Pool {
        VkDescriptorPool handle = VK_NULL_HANDLE;
        uint32_t sets = 0;
        uint32_t descriptors = 0;
        bool taken = false; // given out since the last run
    };

    explicit State(const DeviceOptions& options);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // Records, submits, waits; descriptor pools are left alone.
    void submit(const std::function<void(VkCommandBuffer)>& record);
    void reset_pools();

    enum class Use { device, staging };
    Allocation allocate(VkDeviceSize size, VkBufferUsageFlags usage, Use use);
    void release(Allocation& allocation);
    const Allocation& staging(); // made at the first use

    MessageSink sink;
    std::unique_ptr<Instance> instance;
    DeviceListing listing;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory = {};
    VkDeviceSize largest_allocation = 0;
    double timestamp_period = 0;
    uint32_t timestamp_valid_bits = 0;
    uint32_t queue_family = 0;
    bool pipeline_statistics = false;
    bool force_staging = false;

    VkDevice device = VK_NULL_HANDLE;
    VolkDeviceTable vk = {};
    VkQueue queue = VK_NULL_HANDLE;
    VkCommandPool command_pool = VK_NULL_HANDLE;
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    VksortContext context = VK_NULL_HANDLE;
    std::vector<Pool> pools;
    Allocation staging_buffer;

private:
    void choose_queue_family(bool prefer_compute);
    void create_device(const DeviceOptions& options);
    void create_context(bool side_by_side);
    void destroy();
};

} // namespace vksort::host
