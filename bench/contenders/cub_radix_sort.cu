// SPDX-License-Identifier: MIT
#include <cub/device/device_radix_sort.cuh>

#include "cub_types.cuh"

namespace vksort::bench {

namespace {

template <typename Key> int end_bit(const CubCall& call) {
    return call.end_bit != 0 ? call.end_bit : static_cast<int>(8 * sizeof(Key));
}

template <typename Key, typename Count, typename Value = uint32_t> cudaError_t ascending(CubCall& call) {
    const CubArrays<Key, Value> a(call);
    const auto count = static_cast<Count>(call.count);
    if (call.value_bytes == 0) {
        return cub::DeviceRadixSort::SortKeys(call.scratch, call.scratch_size, a.keys_in, a.keys_out, count, call.begin_bit,
                                              end_bit<Key>(call));
    }
    return cub::DeviceRadixSort::SortPairs(call.scratch, call.scratch_size, a.keys_in, a.keys_out, a.values_in, a.values_out,
                                           count, call.begin_bit, end_bit<Key>(call));
}

cudaError_t descending(CubCall& call) {
    const CubArrays<uint32_t> a(call);
    const auto count = static_cast<uint32_t>(call.count);
    if (call.value_bytes == 0) {
        return cub::DeviceRadixSort::SortKeysDescending(call.scratch, call.scratch_size, a.keys_in, a.keys_out, count,
                                                        call.begin_bit, end_bit<uint32_t>(call));
    }
    return cub::DeviceRadixSort::SortPairsDescending(call.scratch, call.scratch_size, a.keys_in, a.keys_out, a.values_in,
                                                     a.values_out, count, call.begin_bit, end_bit<uint32_t>(call));
}

// What values of 8 bytes and 64-bit counts are compiled for.
template <typename Count, typename Value> cudaError_t ascending_unsigned(CubCall& call) {
    if (call.descending) {
        return cudaErrorNotSupported;
    }
    switch (call.key) {
    case CubKey::u32: return ascending<uint32_t, Count, Value>(call);
    case CubKey::u64: return ascending<uint64_t, Count, Value>(call);
    default: return cudaErrorNotSupported;
    }
}

} // namespace

cudaError_t cub_radix_sort(CubCall& call) {
    if (call.value_bytes == 8) {
        return ascending_unsigned<uint32_t, uint64_t>(call);
    }
    if (call.value_bytes != 0 && call.value_bytes != 4) {
        return cudaErrorNotSupported;
    }
    if (call.descending) {
        return call.key == CubKey::u32 ? descending(call) : cudaErrorNotSupported;
    }
    switch (call.key) {
    case CubKey::i32: return ascending<int32_t, uint32_t>(call);
    case CubKey::f32: return ascending<float, uint32_t>(call);
    case CubKey::u64: return ascending<uint64_t, uint32_t>(call);
    default: return ascending<uint32_t, uint32_t>(call);
    }
}

// CUB picks another tuning for 64-bit counts, which is the better one for some types.
cudaError_t cub_radix_sort_64_bit_count(CubCall& call) {
    switch (call.value_bytes) {
    case 0:
    case 4: return ascending_unsigned<uint64_t, uint32_t>(call);
    case 8: return ascending_unsigned<uint64_t, uint64_t>(call);
    default: return cudaErrorNotSupported;
    }
}

} // namespace vksort::bench
