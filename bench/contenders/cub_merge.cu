// SPDX-License-Identifier: MIT
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cuda/std/functional>

#include "cub_types.cuh"

namespace vksort::bench {

cudaError_t cub_merge_sort(CubCall& call) {
    return with_unsigned_key(call, [&]<typename Key>(const CubArrays<Key>& a) {
        const cuda::std::less<Key> less;
        const auto count = static_cast<int64_t>(call.count);
        if (call.value_bytes == 0) {
            return cub::DeviceMergeSort::SortKeysCopy(call.scratch, call.scratch_size, a.keys_in, a.keys_out, count, less);
        }
        return cub::DeviceMergeSort::SortPairsCopy(call.scratch, call.scratch_size, a.keys_in, a.values_in, a.keys_out,
                                                   a.values_out, count, less);
    });
}

cudaError_t cub_merge(CubCall& call) {
    return with_unsigned_key(call, [&]<typename Key>(const CubArrays<Key>& a) {
        const auto count_a = static_cast<int64_t>(call.count_a);
        const auto count_b = static_cast<int64_t>(call.count - call.count_a);
        if (call.value_bytes == 0) {
            return cub::DeviceMerge::MergeKeys(call.scratch, call.scratch_size, a.keys_in, count_a, a.keys_in + count_a,
                                               count_b, a.keys_out);
        }
        return cub::DeviceMerge::MergePairs(call.scratch, call.scratch_size, a.keys_in, a.values_in, count_a,
                                            a.keys_in + count_a, a.values_in + count_a, count_b, a.keys_out, a.values_out);
    });
}

} // namespace vksort::bench
