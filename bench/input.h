// SPDX-License-Identifier: MIT
//
// Input of a scenario in host memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "scenario.h"

namespace vksort::bench {

// Bytes not written yet: the threads that fill them share the page faults.
class HostBytes {
public:
    HostBytes() = default;
    explicit HostBytes(uint64_t size) { resize(size); }
    // The contents are lost.
    void resize(uint64_t size) {
        if (size > capacity_) {
            data_.reset();
            capacity_ = 0;
            data_ = std::make_unique_for_overwrite<std::byte[]>(size);
            capacity_ = size;
        }
        size_ = size;
    }
    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }
    uint64_t size() const { return size_; }
    std::span<std::byte> span() { return {data_.get(), size_}; }
    std::span<const std::byte> span() const { return {data_.get(), size_}; }

private:
    std::unique_ptr<std::byte[]> data_;
    uint64_t size_ = 0;
    uint64_t capacity_ = 0;
};

struct Input {
    Scenario scenario;
    HostBytes keys;   // merge: those of A, then those of B
    HostBytes values; // the first word of each is its index, the others follow from that
    std::vector<uint32_t>
        heads; // segmented sort: where segments begin, 0 first; their lengths are distributed exponentially
};

// Word `word` of the value with this index.
uint32_t value_word(uint64_t index, uint32_t word);

// Overwrites `input`. The same on every machine, whatever its number of threads.
void generate(const Scenario& scenario, uint64_t seed, Input& input);

} // namespace vksort::bench
