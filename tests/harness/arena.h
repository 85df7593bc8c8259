// SPDX-License-Identifier: MIT
//
// Device memory with a host image, in which tests place their buffers: each at an offset that is not zero and not more
// aligned than asked for, with guard bytes before and after. Everything that no region covers is guard.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device.h"
#include "exact_bindings.h"
#include "generate.h"

namespace vksort::test {

struct Region {
    uint64_t offset = 0;
    uint64_t size = 0;
};

class Arena {
public:
    // usage: exactly what the plans ask for.
    explicit Arena(VkBufferUsageFlags usage) : usage_(usage) {}
    ~Arena() { forget_exact_bindings(device_buffer_); }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    // Forgets all regions; the memory is kept for the next ones. Alignments are at least the device's for storage buffers.
    void clear(uint64_t seed);
    Region allocate(uint64_t size, uint64_t alignment, std::string label);
    std::span<std::byte> bytes(const Region& region);
    uint64_t size() const { return image_.size(); }
    VksortBuffer at(const Region& region) const { return {device_buffer_.handle(), region.offset}; }

    // Closes the image, makes the buffers large enough and fills the staging one.
    void upload();
    void record_upload(VkCommandBuffer commands) const;
    void record_download(VkCommandBuffer commands) const;
    void download();

    ByteSpan result(const Region& region) const;
    // The region's bytes may be anything (or have been looked at) and are left out of check_guards. Regions may overlap.
    void exclude(const Region& region);
    // Where a byte has changed that nobody may write, in words; empty if nowhere.
    std::string check_guards() const;

private:
    struct Placed {
        Region region;
        std::string label;
    };

    void grow(uint64_t size);
    std::string describe(uint64_t position) const;

    VkBufferUsageFlags usage_;
    uint64_t seed_ = 0;
    Bytes image_;
    Bytes result_;
    std::vector<Placed> placed_;
    std::vector<Region> excluded_;
    host::Buffer device_buffer_;
    host::Buffer upload_buffer_;
    host::Buffer download_buffer_;
};

// The two arenas of the process: caller's buffers, and scratch. They have different usage flags, which the plans state.
Arena& data_arena();
Arena& scratch_arena();
void destroy_arenas();

} // namespace vksort::test
