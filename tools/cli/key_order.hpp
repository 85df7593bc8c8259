// SPDX-License-Identifier: MIT
//
// Keys of a file as the CPU compares them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "key_text.hpp"
#include "key_type.hpp"

struct KeyOrder {
    VksortKeyType type = VKSORT_KEY_U32;
    bool descending = false;
    uint32_t begin_bit = 0; // of the order-preserving unsigned form; both 0: all bits
    uint32_t end_bit = 0;
};

// Keys in a form whose unsigned order is the order asked for.
class OrderedKeys {
public:
    OrderedKeys(const KeyOrder& order, std::vector<std::byte> bytes)
        : type_(order.type), size_(vksortKeySize(order.type)), bytes_(std::move(bytes)), shift_(order.begin_bit),
          mask_(low_mask(order.end_bit == 0 ? key_bits(order.type) : order.end_bit - order.begin_bit)),
          invert_(order.descending ? mask_ : 0) {}

    VksortKeyType type() const { return type_; }
    const std::vector<std::byte>& bytes() const { return bytes_; }
    uint64_t count() const { return bytes_.size() / size_; }
    uint64_t raw(uint64_t i) const { return load_key(bytes_.data(), i, size_); }
    uint64_t rank(uint64_t i) const { return (to_ordered(type_, raw(i)) >> shift_ & mask_) ^ invert_; }
    std::string text(uint64_t i) const { return key_to_text(type_, raw(i)); }

    // The first key in [begin, end) that stands after a larger one.
    std::optional<uint64_t> first_unsorted(uint64_t begin, uint64_t end) const {
        for (uint64_t i = begin + 1; i < end; ++i) {
            if (rank(i - 1) > rank(i)) {
                return i;
            }
        }
        return std::nullopt;
    }

private:
    VksortKeyType type_;
    uint32_t size_;
    std::vector<std::byte> bytes_;
    uint32_t shift_;
    uint64_t mask_;
    uint64_t invert_;
};
