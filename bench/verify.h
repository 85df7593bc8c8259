// SPDX-License-Identifier: MIT
//
// Is a result right? Decided on the host, from the input alone and never by another contender.
#pragma once

#include <string>

#include "input.h"

namespace vksort::bench {

// What is wrong with a result, or nothing. Every key must stand in order and in its segment, and the keys of a segment be
// those of the input (by two sums of hashes). Values must be whole, name an input key equal to their own and, in a stable
// sort, rise among equal keys: together that leaves one result only. Keys without values, by a part of their bits, are
// sorted again on the host where the sort is stable: they show it. Small inputs are also sorted by std::stable_sort and
// compared.
std::string verify(const Input& input, std::span<const std::byte> keys, std::span<const std::byte> values, bool stable);
// Host memory that this takes at most, beyond the input and the result.
uint64_t verify_bytes(const Scenario& scenario);

} // namespace vksort::bench
