// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "device_state.hpp"

namespace vksort::host {

namespace {

constexpr VkDeviceSize kStagingSize = 64 << 20;

constexpr VkMemoryPropertyFlags kHostCoherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
// Memory that the host reads at full speed; without the cache, reads crawl.
constexpr VkMemoryPropertyFlags kHostCached = kHostCoherent | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

constexpr uint32_t kNoType = UINT32_MAX;

uint32_t find_type(const VkPhysicalDeviceMemoryProperties& memory, uint32_t allowed, VkMemoryPropertyFlags wanted) {
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        if ((allowed >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return i;
        }
    }
    return kNoType;
}

std::string mebibytes(VkDeviceSize bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB"; }

} // namespace

Allocation Device::State::allocate(VkDeviceSize size, VkBufferUsageFlags usage, Use use) {
    Allocation result;
    result.size = size;
    if (size > largest_allocation) {
        throw Error(Error::Kind::device, "too large for " + listing.name + ": a buffer of " + mebibytes(size) +
                                             ", where it allows " + mebibytes(largest_allocation));
    }
    VkBufferCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = size;
    info.usage = usage;
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    check(vk.vkCreateBuffer(device, &info, nullptr, &result.buffer), "creating a buffer");

    VkMemoryRequirements requirements = {};
    vk.vkGetBufferMemoryRequirements(device, result.buffer, &requirements);
    const uint32_t allowed = requirements.memoryTypeBits;
    uint32_t type = kNoType;
    if (use == Use::staging) {
        type = find_type(memory, allowed, kHostCached);
        type = type != kNoType ? type : find_type(memory, allowed, kHostCoherent);
    } else {
        if (!force_staging) {
            type = find_type(memory, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kHostCached);
        }
        type = type != kNoType ? type : find_type(memory, allowed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
        type = type != kNoType ? type : find_type(memory, allowed, 0);
    }

    VkMemoryAllocateInfo allocate_info = {};
    allocate_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate_info.allocationSize = requirements.size;
    allocate_info.memoryTypeIndex = type;
    const VkResult allocated = vk.vkAllocateMemory(device, &allocate_info, nullptr, &result.memory);
    if (allocated != VK_SUCCESS) {
        result.memory = VK_NULL_HANDLE; // else undefined
        release(result);
        throw Error(Error::Kind::device, "too large for " + listing.name + ": it has no memory left for a buffer of " +
                                             mebibytes(size) + " (" + result_name(allocated) + ")");
    }
    VkResult bound = vk.vkBindBufferMemory(device, result.buffer, result.memory, 0);
    const VkMemoryPropertyFlags flags = memory.memoryTypes[type].propertyFlags;
    const bool map = use == Use::staging || (!force_staging && (flags & kHostCached) == kHostCached);
    if (bound == VK_SUCCESS && map) {
        void* pointer = nullptr;
        bound = vk.vkMapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &pointer);
        result.mapped = static_cast<std::byte*>(pointer);
    }
    if (bound != VK_SUCCESS) {
        release(result);
        check(bound, "mapping a buffer");
    }
    return result;
}

void Device::State::release(Allocation& allocation) {
    vk.vkDestroyBuffer(device, allocation.buffer, nullptr);
    vk.vkFreeMemory(device, allocation.memory, nullptr);
    allocation = {};
}

const Allocation& Device::State::staging() {
    if (staging_buffer.buffer == VK_NULL_HANDLE) {
        staging_buffer = allocate(std::min(kStagingSize, largest_allocation),
                                  VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, Use::staging);
    }
    return staging_buffer;
}

struct Buffer::State {
    State(Device::State& owner, uint64_t bytes, VkBufferUsageFlags usage) : device(owner), size(bytes) {
        // Shaders read whole words, and a VkBuffer may not be empty.
        const uint64_t words = std::max<uint64_t>(1, bytes / 4 + (bytes % 4 != 0));
        allocation = device.allocate(words * 4, usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                                     Device::State::Use::device);
    }
    ~State() { device.release(allocation); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void check_range(uint64_t offset, uint64_t bytes) const {
        if (offset > size || bytes > size - offset) {
            throw Error(Error::Kind::usage, "bytes " + std::to_string(offset) + " to " + std::to_string(offset + bytes) +
                                                " lie outside a buffer of " + std::to_string(size) + " bytes");
        }
    }

    void copy(VkBuffer from, uint64_t from_offset, VkBuffer to, uint64_t to_offset, uint64_t bytes) {
        device.submit([&](VkCommandBuffer commands) {
            const VkBufferCopy region = {from_offset, to_offset, bytes};
            device.vk.vkCmdCopyBuffer(commands, from, to, 1, &region);
        });
    }

    Device::State& device;
    uint64_t size;
    Allocation allocation;
};

Buffer::Buffer() noexcept = default;
Buffer::Buffer(Device& device, uint64_t size, VkBufferUsageFlags usage)
    : state_(std::make_unique<State>(device.state(), size, usage)) {}
Buffer::Buffer(Buffer&&) noexcept = default;
Buffer& Buffer::operator=(Buffer&&) noexcept = default;
Buffer::~Buffer() = default;

VkBuffer Buffer::handle() const { return state_ ? state_->allocation.buffer : VK_NULL_HANDLE; }
VkDeviceMemory Buffer::memory() const { return state_ ? state_->allocation.memory : VK_NULL_HANDLE; }
uint64_t Buffer::size() const { return state_ ? state_->size : 0; }

void Buffer::upload(std::span<const std::byte> bytes, uint64_t offset) {
    if (bytes.empty()) {
        return;
    }
    state_->check_range(offset, bytes.size());
    if (state_->allocation.mapped != nullptr) {
        std::memcpy(state_->allocation.mapped + offset, bytes.data(), bytes.size());
        return;
    }
    const Allocation& staging = state_->device.staging();
    for (uint64_t done = 0; done < bytes.size();) {
        const uint64_t piece = std::min<uint64_t>(staging.size, bytes.size() - done);
        std::memcpy(staging.mapped, bytes.data() + done, piece);
        state_->copy(staging.buffer, 0, state_->allocation.buffer, offset + done, piece);
        done += piece;
    }
}

void Buffer::download(std::span<std::byte> bytes, uint64_t offset) const {
    if (bytes.empty()) {
        return;
    }
    state_->check_range(offset, bytes.size());
    if (state_->allocation.mapped != nullptr) {
        std::memcpy(bytes.data(), state_->allocation.mapped + offset, bytes.size());
        return;
    }
    const Allocation& staging = state_->device.staging();
    for (uint64_t done = 0; done < bytes.size();) {
        const uint64_t piece = std::min<uint64_t>(staging.size, bytes.size() - done);
        state_->copy(state_->allocation.buffer, offset + done, staging.buffer, 0, piece);
        std::memcpy(bytes.data() + done, staging.mapped, piece);
        done += piece;
    }
}

void Buffer::fill(uint32_t word) {
    state_->device.submit([&](VkCommandBuffer commands) {
        state_->device.vk.vkCmdFillBuffer(commands, state_->allocation.buffer, 0, VK_WHOLE_SIZE, word);
    });
}

} // namespace vksort::host
