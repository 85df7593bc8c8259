// SPDX-License-Identifier: MIT
//
// Sorts by msd in tiles so small that few keys need its levels.
#pragma once

#include "skewed_keys.h"

namespace vksort::test {

// The partition's tiles are shorter than the finish's, so that none stands for the other.
inline constexpr PlanOverrides kTiles = [] {
    PlanOverrides overrides = kSmallTiles;
    overrides.partitionWorkgroupSize = 128;
    overrides.partitionKeysPerThread = 2;
    overrides.noFallback = true; // levels to the end, whatever the keys
    return overrides;
}();
inline SortCase msd(VksortKeyType key = VKSORT_KEY_U32, uint32_t value_size = 0) {
    return {.algorithm = VKSORT_ALGORITHM_MSD, .key = key, .value_size = value_size, .overrides = kTiles};
}

} // namespace vksort::test
