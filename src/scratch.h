// SPDX-License-Identifier: MIT
//
// Lays out named regions in the caller's scratch buffer: one aligned prefix sum.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vksort/vksort.h"

namespace vksort {

class ScratchLayout {
public:
    explicit ScratchLayout(const VksortDeviceInfo& device)
        : alignment_(std::max<uint64_t>(device.storageBufferOffsetAlignment, kLeastAlignment)) {}

    // Returns the region's offset. Every region begins aligned for a descriptor and holds whole words.
    uint64_t add(uint64_t size) {
        const uint64_t offset = size_;
        size_ = round_up(size_ + size);
        return offset;
    }

    // The first offset from there on where a region may begin.
    uint64_t aligned(uint64_t offset) const { return round_up(offset); }

    uint64_t size() const { return size_; }
    uint64_t alignment() const { return alignment_; }

private:
    // A cache line, and what 16-byte values need.
    static constexpr uint64_t kLeastAlignment = 64;

    uint64_t round_up(uint64_t value) const { return (value + alignment_ - 1) / alignment_ * alignment_; }

    uint64_t alignment_;
    uint64_t size_ = 0;
};

} // namespace vksort
