// SPDX-License-Identifier: MIT
//
// Proofs that a result holds what went in, before it replaces anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "segments.hpp"

// Arrays of keys and of their values. Key i and value i are record i.
struct Records {
    std::span<const std::byte> keys;
    std::span<const std::byte> values; // empty: records are keys
};

// What went into an operation.
struct JobInput {
    std::vector<Records> lists;         // one, or the two of a merge
    const Segments* segments = nullptr; // of a segmented sort

    uint64_t count(uint32_t key_size) const;
};

// Whether the result has exactly the records of the input: in each segment those of the segment, and between segments
// what was there. Sums of hashes with random seeds are compared, and a wrong result passes with a probability of about
// 2^-64. That is cheap enough for every sort: a few nanoseconds a record, about as long as reading and
// writing it takes.
bool is_permutation(const JobInput& input, const Records& result, uint32_t key_size, uint32_t value_size);

// Whether the indices are those of the `count` records, each once, and each within its segment. Exact.
bool is_permutation_of_indices(const JobInput& input, std::span<const std::byte> indices, uint64_t count);
