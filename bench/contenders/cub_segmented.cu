// SPDX-License-Identifier: MIT
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "cub_types.cuh"

namespace vksort::bench {

cudaError_t cub_segmented_sort(CubCall& call) {
    return with_unsigned_key(call, [&]<typename Key>(const CubArrays<Key>& a) {
        const auto count = static_cast<int64_t>(call.count);
        const auto segments = static_cast<int64_t>(call.segments);
        if (call.value_bytes == 0) {
            return cub::DeviceSegmentedSort::StableSortKeys(call.scratch, call.scratch_size, a.keys_in, a.keys_out, count,
                                                            segments, call.offsets, call.offsets + 1);
        }
        return cub::DeviceSegmentedSort::StableSortPairs(call.scratch, call.scratch_size, a.keys_in, a.keys_out, a.values_in,
                                                         a.values_out, count, segments, call.offsets, call.offsets + 1);
    });
}

cudaError_t cub_segmented_radix_sort(CubCall& call) {
    return with_unsigned_key(call, [&]<typename Key>(const CubArrays<Key>& a) {
        const auto count = static_cast<int64_t>(call.count);
        const auto segments = static_cast<int64_t>(call.segments);
        if (call.value_bytes == 0) {
            return cub::DeviceSegmentedRadixSort::SortKeys(call.scratch, call.scratch_size, a.keys_in, a.keys_out, count,
                                                           segments, call.offsets, call.offsets + 1);
        }
        return cub::DeviceSegmentedRadixSort::SortPairs(call.scratch, call.scratch_size, a.keys_in, a.keys_out, a.values_in,
                                                        a.values_out, count, segments, call.offsets, call.offsets + 1);
    });
}

} // namespace vksort::bench
