// SPDX-License-Identifier: MIT
//
// NVIDIA's CUB beside merge_timings.cpp, and its merge sort beside radix_timings.cpp: uniform random keys, merges of two
// sorted halves, segments at the same heads; device work between two events, median of 11 runs after 3. Every result is
// verified on the device.
// Build: nvcc -O3 -std=c++17 -gencode=arch=compute_90,code=sm_90 -o cub-merge bench/cub_merge.cu
// Run:   cub-merge merge-sort LOG2...         u32, u32+4 and u64, 2^LOG2 of each
//        cub-merge merge LOG2...              the same
//        cub-merge segmented LOG2 MEAN...     u32 and u32+4, 2^LOG2 in segments of these mean lengths
// "CUB segmented" is DeviceSegmentedSort. With more than some hundred segments it waits on the host to learn how many are
// of which size class: that is part of its time. "CUB radix" is DeviceSegmentedRadixSort, a workgroup to a segment whatever
// its length: only for means from 1000.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <cub/cub.cuh>
#include <cuda/std/functional>

#include "cub_common.cuh"

template <typename T> class DeviceArray {
public:
    explicit DeviceArray(uint64_t count) { check(cudaMalloc(&data_, std::max<uint64_t>(count, 1) * sizeof(T))); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    T* get() const { return data_; }

private:
    T* data_ = nullptr;
};

// A correct result breaks no rule and has its input's sums of hashes.
struct Verdict {
    unsigned long long broken, keysIn, keysOut, valuesIn, valuesOut;
};

// Ascending heads of segments, the first one 0.
struct Segments {
    const int* heads;
    int count;
};

__device__ uint64_t hash(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

__device__ int segment_of(Segments segments, int place) {
    int begin = 0, end = segments.count;
    while (end - begin > 1) {
        const int middle = begin + (end - begin) / 2;
        (segments.heads[middle] <= place ? begin : end) = middle;
    }
    return begin;
}

// Keys ascend within a segment and stay in it; a value names the place in the input that its key came from.
template <typename Key>
__global__ void judge(const Key* keysIn, const Key* keysOut, const uint32_t* values, Segments segments, int count,
                      Verdict* verdict) {
    Verdict mine = {};
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < count; i += int64_t{gridDim.x} * blockDim.x) {
        const int segment = segment_of(segments, static_cast<int>(i));
        const uint64_t salt = hash(segment + uint64_t{1});
        mine.keysIn += hash(keysIn[i] ^ salt);
        mine.keysOut += hash(keysOut[i] ^ salt);
        if (i != segments.heads[segment] && keysOut[i - 1] > keysOut[i]) {
            ++mine.broken;
        }
        if (values != nullptr) {
            mine.valuesIn += hash(i ^ salt);
            mine.valuesOut += hash(values[i] ^ salt);
            if (values[i] >= static_cast<uint32_t>(count) || keysIn[values[i]] != keysOut[i]) {
                ++mine.broken;
            }
        }
    }
    atomicAdd(&verdict->broken, mine.broken);
    atomicAdd(&verdict->keysIn, mine.keysIn);
    atomicAdd(&verdict->keysOut, mine.keysOut);
    atomicAdd(&verdict->valuesIn, mine.valuesIn);
    atomicAdd(&verdict->valuesOut, mine.valuesOut);
}

__global__ void number(uint32_t* values, int count) {
    for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < count; i += int64_t{gridDim.x} * blockDim.x) {
        values[i] = static_cast<uint32_t>(i);
    }
}

// Random keys, numbered values, and room for the result of CUB's calls with them.
template <typename Key, bool kPairs> struct Data {
    int count;
    DeviceArray<Key> in, out;
    DeviceArray<uint32_t> valuesIn, valuesOut;

    explicit Data(int n) : count(n), in(n), out(n), valuesIn(kPairs ? n : 0), valuesOut(kPairs ? n : 0) {
        fill<<<1024, 256>>>(reinterpret_cast<uint64_t*>(in.get()), uint64_t(n) * sizeof(Key) / 8);
        check(cudaGetLastError());
        if constexpr (kPairs) {
            number<<<1024, 256>>>(valuesIn.get(), n);
            check(cudaGetLastError());
        }
    }

    bool correct(const DeviceArray<int>& offsets, int segments) const {
        const DeviceArray<Verdict> verdict(1);
        check(cudaMemset(verdict.get(), 0, sizeof(Verdict)));
        judge<<<1024, 256>>>(in.get(), out.get(), kPairs ? valuesOut.get() : nullptr, Segments{offsets.get(), segments},
                             count, verdict.get());
        check(cudaGetLastError());
        Verdict found;
        check(cudaMemcpy(&found, verdict.get(), sizeof found, cudaMemcpyDeviceToHost));
        return found.broken == 0 && found.keysIn == found.keysOut && found.valuesIn == found.valuesOut;
    }
};

template <typename Key, bool kPairs> constexpr const char* kind() {
    return sizeof(Key) == 8 ? "u64" : kPairs ? "u32+4" : "u32";
}

// `call` takes CUB's first two arguments: without scratch it only says how much it needs.
template <typename Key, bool kPairs, typename Call>
bool run(const Data<Key, kPairs>& data, const DeviceArray<int>& heads, int segments, const std::string& operation,
         const Call& call) {
    check(cudaMemset(data.out.get(), 0, data.count * sizeof(Key)));
    if constexpr (kPairs) {
        check(cudaMemset(data.valuesOut.get(), 0, data.count * sizeof(uint32_t)));
    }
    size_t scratchSize = 0;
    check(call(nullptr, scratchSize));
    const DeviceArray<char> scratch(scratchSize);
    const Times times = time_work([&] { check(call(scratch.get(), scratchSize)); });
    const bool correct = data.correct(heads, segments);
    // merge_timings.cpp prints the operation and the median in 20 and 12 columns: a long name takes from the median's.
    const int medianWidth = 12 - std::max(static_cast<int>(operation.size()) - 20, 0);
    std::printf("%-8s %10d %-20s %*.1f %12.1f %12.1f %10.2f%s\n", kind<Key, kPairs>(), data.count, operation.c_str(),
                std::max(medianWidth, 0), times.median, times.least, times.greatest,
                double(data.count) / times.median / 1000.0, correct ? "" : "  WRONG RESULT");
    std::fflush(stdout);
    return correct;
}

template <typename Key, bool kPairs, typename Call>
bool run(const Data<Key, kPairs>& data, const std::string& operation, const Call& call) {
    const DeviceArray<int> head(1);
    check(cudaMemset(head.get(), 0, sizeof(int)));
    return run(data, head, 1, operation, call);
}

template <typename Key, bool kPairs> bool merge_sort(int count) {
    const Data<Key, kPairs> data(count);
    return run(data, "CUB merge sort", [&](void* scratch, size_t& size) {
        const cuda::std::less<Key> less;
        if constexpr (kPairs) {
            return cub::DeviceMergeSort::SortPairsCopy(scratch, size, data.in.get(), data.valuesIn.get(), data.out.get(),
                                                       data.valuesOut.get(), count, less);
        } else {
            return cub::DeviceMergeSort::SortKeysCopy(scratch, size, data.in.get(), data.out.get(), count, less);
        }
    });
}

template <typename Key, bool kPairs> bool merge(int count) {
    const Data<Key, kPairs> data(count);
    const int half = count / 2;
    size_t scratchSize = 0;
    check(cub::DeviceRadixSort::SortKeys(nullptr, scratchSize, data.in.get(), data.out.get(), half));
    const DeviceArray<char> sortScratch(scratchSize);
    for (const int at : {0, half}) {
        check(cub::DeviceRadixSort::SortKeys(sortScratch.get(), scratchSize, data.in.get() + at, data.out.get() + at, half));
    }
    check(cudaMemcpy(data.in.get(), data.out.get(), count * sizeof(Key), cudaMemcpyDeviceToDevice));
    return run(data, "CUB merge", [&](void* scratch, size_t& size) {
        if constexpr (kPairs) {
            return cub::DeviceMerge::MergePairs(scratch, size, data.in.get(), data.valuesIn.get(), half,
                                                data.in.get() + half, data.valuesIn.get() + half, half, data.out.get(),
                                                data.valuesOut.get());
        } else {
            return cub::DeviceMerge::MergeKeys(scratch, size, data.in.get(), half, data.in.get() + half, half,
                                               data.out.get());
        }
    });
}

// As in merge_timings.cpp: lengths with an exponential distribution. The last offset is the count.
std::vector<int> segment_offsets(int count, int mean) {
    std::vector<int> offsets;
    uint64_t state = 7;
    for (uint64_t at = 0; at < static_cast<uint64_t>(count);) {
        offsets.push_back(static_cast<int>(at));
        uint64_t z = state += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        const double unit = static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
        at += 1 + static_cast<uint64_t>(-std::log(1.0 - unit) * (mean - 1));
    }
    offsets.push_back(count);
    return offsets;
}

template <bool kPairs> bool segmented(int count, int mean) {
    const Data<uint32_t, kPairs> data(count);
    const std::vector<int> hostOffsets = segment_offsets(count, mean);
    const int segments = static_cast<int>(hostOffsets.size()) - 1;
    const DeviceArray<int> offsets(hostOffsets.size());
    check(cudaMemcpy(offsets.get(), hostOffsets.data(), hostOffsets.size() * sizeof(int), cudaMemcpyHostToDevice));
    const int *begins = offsets.get(), *ends = offsets.get() + 1;
    const std::string where = ", mean " + std::to_string(mean);
    bool correct = run(data, offsets, segments, "CUB segmented" + where, [&](void* scratch, size_t& size) {
        if constexpr (kPairs) {
            return cub::DeviceSegmentedSort::SortPairs(scratch, size, data.in.get(), data.out.get(), data.valuesIn.get(),
                                                       data.valuesOut.get(), count, segments, begins, ends);
        } else {
            return cub::DeviceSegmentedSort::SortKeys(scratch, size, data.in.get(), data.out.get(), count, segments, begins,
                                                      ends);
        }
    });
    if (mean >= 1000) {
        const bool radix = run(data, offsets, segments, "CUB radix" + where, [&](void* scratch, size_t& size) {
            if constexpr (kPairs) {
                return cub::DeviceSegmentedRadixSort::SortPairs(scratch, size, data.in.get(), data.out.get(),
                                                                data.valuesIn.get(), data.valuesOut.get(), count, segments,
                                                                begins, ends);
            } else {
                return cub::DeviceSegmentedRadixSort::SortKeys(scratch, size, data.in.get(), data.out.get(), count, segments,
                                                               begins, ends);
            }
        });
        correct = correct && radix;
    }
    return correct;
}

int main(int argc, char** argv) {
    const std::string operation = argc > 1 ? argv[1] : "";
    const bool bySegments = operation == "segmented";
    std::vector<int> numbers;
    for (int i = 2; i < argc; ++i) {
        numbers.push_back(std::atoi(argv[i]));
    }
    bool understood =
        bySegments ? numbers.size() >= 2 : !numbers.empty() && (operation == "merge" || operation == "merge-sort");
    for (size_t i = 0; i < numbers.size(); ++i) {
        understood = understood && numbers[i] >= 1 && ((bySegments && i != 0) || numbers[i] <= 30);
    }
    if (!understood) {
        std::fprintf(stderr, "usage: cub-merge merge-sort LOG2... | merge LOG2... | segmented LOG2 MEAN...\n");
        return 1;
    }
    std::printf("%-8s %10s %-20s %12s %12s %12s %10s\n", "kind", "n", "operation", "median us", "min us", "max us",
                "G items/s");
    bool correct = true;
    for (size_t i = bySegments ? 1 : 0; i < numbers.size(); ++i) {
        const int count = 1 << numbers[bySegments ? 0 : i];
        if (bySegments) {
            correct = segmented<false>(count, numbers[i]) && correct;
            correct = segmented<true>(count, numbers[i]) && correct;
        } else if (operation == "merge") {
            correct = merge<uint32_t, false>(count) && correct;
            correct = merge<uint32_t, true>(count) && correct;
            correct = merge<uint64_t, false>(count) && correct;
        } else {
            correct = merge_sort<uint32_t, false>(count) && correct;
            correct = merge_sort<uint32_t, true>(count) && correct;
            correct = merge_sort<uint64_t, false>(count) && correct;
        }
    }
    return correct ? 0 : 1;
}
