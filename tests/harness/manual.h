// SPDX-License-Identifier: MIT
//
// Buffers and command buffers for tests that do what an application does by hand.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "device.h"
#include "generate.h"

namespace vksort::test {

// Memory that the host reads and writes, in a VkBuffer of exactly this size and usage.
class MappedBuffer {
public:
    MappedBuffer(uint64_t size, VkBufferUsageFlags usage);
    MappedBuffer(uint64_t size, VkBufferUsageFlags usage, ByteSpan content);
    ~MappedBuffer();
    MappedBuffer(const MappedBuffer&) = delete;
    MappedBuffer& operator=(const MappedBuffer&) = delete;

    VkBuffer handle() const { return buffer_; }
    VksortBuffer range() const { return {buffer_, 0}; }
    std::span<std::byte> bytes() const { return {mapped_, size_}; }
    void write(ByteSpan content) const;

private:
    VkBuffer buffer_ = VK_NULL_HANDLE;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::byte* mapped_ = nullptr;
    uint64_t size_ = 0;
};

// A command buffer with a pool of its own, that can be submitted more than once.
class Recording {
public:
    Recording();
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    void record(const std::function<void(VkCommandBuffer)>& commands);
    // Submits all and waits.
    static void run(std::initializer_list<const Recording*> recordings);
    static void run(std::span<const Recording* const> recordings);

private:
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

// What a plan's contract asks of the caller, when the host has written the inputs and will read the results.
void host_to_plan(VkCommandBuffer commands, const VksortPlanInfo& info);
void plan_to_plan(VkCommandBuffer commands, const VksortPlanInfo& from, const VksortPlanInfo& to);
void plan_to_host(VkCommandBuffer commands, const VksortPlanInfo& info);

// The buffers of a sort in place, exactly as large as their content, and a descriptor pool.
struct PairBuffers {
    PairBuffers(const VksortPlanInfo& info, ByteSpan key_content, ByteSpan value_content, uint32_t recordings);
    VksortSortBuffers buffers(uint64_t count) const;

    MappedBuffer keys, values, scratch;
    DescriptorPool pool;
};

// A sort in parts of `each` dispatches, each part in a command buffer of its own.
class RecordedParts {
public:
    RecordedParts(VksortPlan plan, const VksortPlanInfo& info, VksortSortBuffers buffers, uint32_t each);
    const std::vector<const Recording*>& recordings() const { return recordings_; }

private:
    std::vector<std::unique_ptr<Recording>> parts_;
    std::vector<const Recording*> recordings_;
};

// The plan and what it says of itself; the test fails if it is refused.
struct MadePlan {
    VksortPlan plan = VK_NULL_HANDLE;
    VksortPlanInfo info = {};
};
MadePlan made_plan(const VksortPlanDesc& desc, const Limits& limits = {});

} // namespace vksort::test
