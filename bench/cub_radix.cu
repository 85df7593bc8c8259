// SPDX-License-Identifier: MIT
//
// NVIDIA's CUB on the same inputs as radix_timings.cpp: uniform random keys, device work between two events, median of
// 11 runs after 3. Build: nvcc -O3 -gencode=arch=compute_90,code=sm_90 -o cub-radix bench/cub_radix.cu
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cub/cub.cuh>

#include "cub_common.cuh"

template <typename T> __global__ void count_inversions(const T* keys, uint64_t count, unsigned* inversions) {
    for (uint64_t i = 1 + blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < count;
         i += uint64_t{gridDim.x} * blockDim.x) {
        if (keys[i - 1] > keys[i]) {
            atomicAdd(inversions, 1u);
        }
    }
}

// CUB picks another tuning for 64-bit counts: faster for u32 keys, slower for pairs. Both are timed.
template <typename Key, typename Value, typename Count> void run(const char* name, const char* contender, Count count) {
    constexpr bool kPairs = !std::is_same_v<Value, cub::NullType>;
    Key *in, *out;
    Value *valuesIn = nullptr, *valuesOut = nullptr;
    unsigned* inversions;
    check(cudaMalloc(&in, uint64_t{count} * sizeof(Key)));
    check(cudaMalloc(&out, uint64_t{count} * sizeof(Key)));
    check(cudaMalloc(&inversions, 4));
    if constexpr (kPairs) {
        check(cudaMalloc(&valuesIn, uint64_t{count} * sizeof(Value)));
        check(cudaMalloc(&valuesOut, uint64_t{count} * sizeof(Value)));
    }
    fill<<<1024, 256>>>(reinterpret_cast<uint64_t*>(in), uint64_t{count} * sizeof(Key) / 8);
    void* scratch = nullptr;
    size_t scratchSize = 0;
    const auto sort = [&] {
        if constexpr (kPairs) {
            check(cub::DeviceRadixSort::SortPairs(scratch, scratchSize, in, out, valuesIn, valuesOut, count));
        } else {
            check(cub::DeviceRadixSort::SortKeys(scratch, scratchSize, in, out, count));
        }
    };
    sort();
    check(cudaMalloc(&scratch, scratchSize));
    const Times times = time_work(sort);
    check(cudaMemset(inversions, 0, 4));
    count_inversions<<<1024, 256>>>(out, count, inversions);
    unsigned wrong = 0;
    check(cudaMemcpy(&wrong, inversions, 4, cudaMemcpyDeviceToHost));
    std::printf("%-8s %10llu %-14s %12.1f %12.1f %12.1f %10.2f%s\n", name, static_cast<unsigned long long>(count), contender,
                times.median, times.least, times.greatest, double(count) / times.median / 1000.0,
                wrong == 0 ? "" : "  WRONG RESULT");
    std::fflush(stdout);
    cudaFree(in), cudaFree(out), cudaFree(inversions), cudaFree(scratch), cudaFree(valuesIn), cudaFree(valuesOut);
}

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const uint64_t count = uint64_t{1} << std::atoi(argv[i]);
        const auto both = [count](auto key, auto value, const char* name) {
            using Key = decltype(key);
            using Value = decltype(value);
            run<Key, Value>(name, "CUB, 32-bit n", static_cast<uint32_t>(count));
            run<Key, Value>(name, "CUB, 64-bit n", count);
        };
        both(uint32_t{}, cub::NullType{}, "u32");
        both(uint32_t{}, uint32_t{}, "u32+4");
        both(uint64_t{}, cub::NullType{}, "u64");
    }
}
