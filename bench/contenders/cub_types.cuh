// SPDX-License-Identifier: MIT
//
// From the types in a CubCall to C++ types.
#pragma once

#include "cub_calls.h"

namespace vksort::bench {

// A call's arrays with their types.
template <typename Key, typename Value = uint32_t> struct CubArrays {
    explicit CubArrays(const CubCall& call)
        : keys_in(static_cast<const Key*>(call.keys_in)), keys_out(static_cast<Key*>(call.keys_out)),
          values_in(static_cast<const Value*>(call.values_in)), values_out(static_cast<Value*>(call.values_out)) {}
    const Key* keys_in;
    Key* keys_out;
    const Value* values_in;
    Value* values_out;
};

// u32 and u64: what is compared beyond radix sorts.
template <typename Work> cudaError_t with_unsigned_key(const CubCall& call, const Work& work) {
    if (call.descending || call.end_bit != 0 || (call.value_bytes != 0 && call.value_bytes != 4)) {
        return cudaErrorNotSupported;
    }
    switch (call.key) {
    case CubKey::u32: return work(CubArrays<uint32_t>(call));
    case CubKey::u64: return work(CubArrays<uint64_t>(call));
    default: return cudaErrorNotSupported;
    }
}

} // namespace vksort::bench
