// SPDX-License-Identifier: MIT
//
// Between cub.cpp and the files that nvcc compiles, which see neither Vulkan nor fmt.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace vksort::bench {

enum class CubKey { u32, i32, f32, u64 };

// One call of CUB. Without scratch it only says in scratch_size how much it needs.
struct CubCall {
    CubKey key = CubKey::u32;
    uint32_t value_bytes = 0; // 0 or 4; radix sorts of u32 and u64, ascending, also 8
    bool descending = false;  // radix sorts only
    int begin_bit = 0;        // the same; both 0: all bits
    int end_bit = 0;
    const void* keys_in = nullptr;
    const void* values_in = nullptr;
    void* keys_out = nullptr;
    void* values_out = nullptr;
    uint64_t count = 0;
    uint64_t count_a = 0;         // merge: A is the first part of the input, B the rest
    const int* offsets = nullptr; // segmented: where segments begin, and the count
    uint64_t segments = 0;
    void* scratch = nullptr;
    size_t scratch_size = 0;
};

// cudaErrorNotSupported: not compiled.
cudaError_t cub_radix_sort(CubCall& call);
cudaError_t cub_radix_sort_64_bit_count(CubCall& call);
cudaError_t cub_merge_sort(CubCall& call);
cudaError_t cub_merge(CubCall& call);
cudaError_t cub_segmented_sort(CubCall& call);
cudaError_t cub_segmented_radix_sort(CubCall& call);

} // namespace vksort::bench
