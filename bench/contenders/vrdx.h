// SPDX-License-Identifier: MIT
//
// VRDX (vulkan_radix_sort), for the contender of that name and for counts that the GPU knows alone. Built where
// VKSORT_BENCH_VRDX_DIR has its header.
#pragma once

#include <memory>
#include <string>

#include "../scenario.h"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

struct VrdxBuffers {
    VkBuffer keys = VK_NULL_HANDLE;
    VkBuffer values = VK_NULL_HANDLE; // none: keys without values
    VkBuffer storage = VK_NULL_HANDLE;
};

class VrdxSorter {
public:
    explicit VrdxSorter(host::Device& device); // refusal() must have nothing to say of the device
    ~VrdxSorter();
    VrdxSorter(const VrdxSorter&) = delete;
    VrdxSorter& operator=(const VrdxSorter&) = delete;

    // Why it cannot sort this on this device, or nothing.
    static std::string refusal(const host::Device& device, const Scenario& scenario);

    uint64_t storage_bytes(uint64_t most, bool with_values) const;
    // What a buffer of keys, or of values, must hold: the ranges that it binds end at an alignment.
    static uint64_t data_bytes(const host::Device& device, uint64_t most);

    void record(VkCommandBuffer commands, const VrdxBuffers& buffers, uint64_t count) const;
    // The count is the first word of `count_buffer`, and at most `most`.
    void record_indirect(VkCommandBuffer commands, const VrdxBuffers& buffers, VkBuffer count_buffer, uint64_t most) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vksort::bench
