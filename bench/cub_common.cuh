// SPDX-License-Identifier: MIT
//
// What the timings of CUB share: uniform random input, and device work between two events, the median of 11 runs after 3.
#ifndef VKSORT_BENCH_CUB_COMMON_CUH
#define VKSORT_BENCH_CUB_COMMON_CUH

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

static __global__ void fill(uint64_t* words, uint64_t count) {
    for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < count; i += uint64_t{gridDim.x} * blockDim.x) {
        uint64_t z = (i + 1) * 0x9E3779B97F4A7C15u + 1;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        words[i] = z ^ (z >> 31);
    }
}

struct Times { // microseconds
    float median, least, greatest;
};

template <typename Work> Times time_work(const Work& work) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < 14; ++i) {
        check(cudaEventRecord(begin));
        work();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end));
        if (i >= 3) {
            times.push_back(milliseconds * 1000);
        }
    }
    check(cudaEventDestroy(begin));
    check(cudaEventDestroy(end));
    std::sort(times.begin(), times.end());
    return {times[5], times.front(), times.back()};
}

#endif
