// SPDX-License-Identifier: MIT
//
// Test data, the same for the same seed on every platform: integer arithmetic only, no std:: distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "vksort/vksort.h"

enum class Distribution { uniform, sorted, reversed, equal, few, and2, and3, nearly_sorted, normal, zipf };

// Fails with the list of names.
Distribution parse_distribution(const std::string& name);

std::vector<std::byte> generate_keys(VksortKeyType type, uint64_t count, Distribution distribution, uint64_t seed);

// The u64 draw keys of a small scene, in the order in which a scene graph yields them.
std::vector<std::byte> generate_draw_keys(uint64_t count, uint64_t seed);
