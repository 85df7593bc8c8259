// SPDX-License-Identifier: MIT
#include "arena.h"

#include <algorithm>
#include <cstring>

namespace vksort::test {

namespace {

// More than a subgroup of 16-byte elements, so that a stray write of a whole subgroup is seen.
constexpr uint64_t kGuardSize = 1024;

constexpr uint64_t round_up(uint64_t value, uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; }

std::unique_ptr<Arena>& data_slot() {
    static std::unique_ptr<Arena> slot;
    return slot;
}

std::unique_ptr<Arena>& scratch_slot() {
    static std::unique_ptr<Arena> slot;
    return slot;
}

Arena& made(std::unique_ptr<Arena>& slot, VkBufferUsageFlags usage) {
    if (!slot) {
        slot = std::make_unique<Arena>(usage);
    }
    return *slot;
}

} // namespace

Arena& data_arena() { return made(data_slot(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT); }

Arena& scratch_arena() {
    return made(scratch_slot(), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

void destroy_arenas() {
    data_slot().reset();
    scratch_slot().reset();
}

void Arena::clear(uint64_t seed) {
    seed_ = seed;
    image_.clear();
    placed_.clear();
    excluded_.clear();
}

// Extends the image by guard bytes that depend on their position, so that a misplaced copy of them is seen too.
void Arena::grow(uint64_t size) {
    uint64_t begin = image_.size();
    image_.resize(size);
    Random random(mix(seed_, begin));
    random.fill(std::span(image_).subspan(begin));
}

Region Arena::allocate(uint64_t size, uint64_t alignment, std::string label) {
    alignment = std::max({alignment, device().info().storageBufferOffsetAlignment, uint64_t{4}});
    if (checks_bounds()) {
        alignment = std::max<uint64_t>(alignment, kExactAlignment);
    }
    Region region = {round_up(image_.size() + kGuardSize, alignment), size};
    if (region.offset / alignment % 2 == 0) {
        region.offset += alignment;
    }
    grow(region.offset + size);
    placed_.push_back({region, std::move(label)});
    return region;
}

std::span<std::byte> Arena::bytes(const Region& region) { return std::span(image_).subspan(region.offset, region.size); }

void Arena::upload() {
    grow(round_up(image_.size() + kGuardSize, 4));
    if (device_buffer_.size() < image_.size()) {
        uint64_t size = image_.size() + image_.size() / 4;
        forget_exact_bindings(device_buffer_);
        device_buffer_ = host::Buffer(device(), size, usage_);
        bind_exactly(device_buffer_);
        upload_buffer_ = host::Buffer(device(), size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
        download_buffer_ = host::Buffer(device(), size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
    upload_buffer_.upload(image_);
}

void Arena::record_upload(VkCommandBuffer commands) const {
    VkBufferCopy copy = {0, 0, image_.size()};
    vk().cmd_copy_buffer(commands, upload_buffer_.handle(), device_buffer_.handle(), 1, &copy);
}

void Arena::record_download(VkCommandBuffer commands) const {
    VkBufferCopy copy = {0, 0, image_.size()};
    vk().cmd_copy_buffer(commands, device_buffer_.handle(), download_buffer_.handle(), 1, &copy);
}

void Arena::download() {
    result_.resize(image_.size());
    download_buffer_.download(result_);
}

ByteSpan Arena::result(const Region& region) const { return std::span(result_).subspan(region.offset, region.size); }

void Arena::exclude(const Region& region) { excluded_.push_back(region); }

std::string Arena::check_guards() const {
    std::vector<Region> excluded = excluded_;
    std::sort(excluded.begin(), excluded.end(), [](const Region& a, const Region& b) { return a.offset < b.offset; });
    excluded.push_back({image_.size(), 0});
    uint64_t begin = 0;
    for (const Region& region : excluded) {
        const uint64_t size = region.offset - std::min(begin, region.offset);
        if (std::memcmp(image_.data() + begin, result_.data() + begin, size) != 0) {
            const std::byte* image = image_.data();
            const std::byte* changed = std::mismatch(image + begin, image + region.offset, result_.data() + begin).first;
            return describe(static_cast<uint64_t>(changed - image));
        }
        begin = std::max(begin, region.offset + region.size);
    }
    return {};
}

std::string Arena::describe(uint64_t position) const {
    const Placed* before = nullptr; // the region that holds the position, or the last one before it
    const Placed* after = nullptr;
    for (const Placed& placed : placed_) {
        (placed.region.offset <= position ? before : after) = &placed;
        if (after != nullptr) {
            break;
        }
    }
    std::string text = "byte ";
    if (before != nullptr && position < before->region.offset + before->region.size) {
        text += std::to_string(position - before->region.offset) + " inside " + before->label;
    } else {
        text += std::to_string(position) + " of the guards,";
        if (before != nullptr) {
            text += " " + std::to_string(position - before->region.offset - before->region.size) + " behind the end of " +
                    before->label;
        }
        if (after != nullptr) {
            text += (before != nullptr ? " and " : " ") + std::to_string(after->region.offset - position) + " before " +
                    after->label;
        }
    }
    return text + " has changed, which nobody may write";
}

} // namespace vksort::test
