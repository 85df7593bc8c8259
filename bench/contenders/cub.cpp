// SPDX-License-Identifier: MIT
//
// NVIDIA's CUB, out of place as it is meant to be used, on the same device. Its segmented sort waits on the host in the
// middle of the call to learn how many segments are of which size: that is part of its time.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "../contender.h"
#include "../verify.h"
#include "cub_calls.h"
#include "vksort/vksort_host.hpp"

namespace vksort::bench {

namespace {

void check(cudaError_t error) {
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // or the next call would give it again
        throw TooLarge("no CUDA memory left");
    }
    if (error != cudaSuccess) {
        throw std::runtime_error(fmt::format("CUDA: {}", cudaGetErrorString(error)));
    }
}

class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(uint64_t bytes) { check(cudaMalloc(&data_, std::max<uint64_t>(bytes, 16))); }
    explicit DeviceArray(std::span<const std::byte> bytes) : DeviceArray(bytes.size()) {
        check(cudaMemcpy(data_, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(data_, other.data_);
        return *this;
    }
    void* get() const { return data_; }

private:
    void* data_ = nullptr;
};

class Event {
public:
    Event() { check(cudaEventCreate(&handle)); }
    ~Event() { cudaEventDestroy(handle); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    cudaEvent_t handle = nullptr;
};

struct CubAlgorithm {
    const char* name;
    Operation operation;
    cudaError_t (*call)(CubCall&);
    bool stable;
    uint64_t least_mean; // segments shorter than that are not what it is for
};

// DeviceMergeSort promises stability for its other functions only.
// Names have no comma, which separates them on the command line.
constexpr CubAlgorithm kAlgorithms[] = {
    {"CUB radix sort", Operation::sort, cub_radix_sort, true, 0},
    {"CUB radix sort: 64-bit n", Operation::sort, cub_radix_sort_64_bit_count, true, 0},
    {"CUB merge sort", Operation::sort, cub_merge_sort, false, 0},
    {"CUB merge", Operation::merge, cub_merge, true, 0},
    {"CUB segmented sort", Operation::segmented_sort, cub_segmented_sort, true, 0},
    {"CUB segmented radix sort", Operation::segmented_sort, cub_segmented_radix_sort, true, 1000},
};

bool convert(VksortKeyType type, CubKey& key) {
    switch (type) {
    case VKSORT_KEY_U32: key = CubKey::u32; return true;
    case VKSORT_KEY_I32: key = CubKey::i32; return true;
    case VKSORT_KEY_F32: key = CubKey::f32; return true;
    case VKSORT_KEY_U64: key = CubKey::u64; return true;
    default: return false;
    }
}

CubCall call_of(const Scenario& scenario) {
    CubCall call;
    convert(scenario.key, call.key);
    call.value_bytes = scenario.value_bytes;
    call.descending = scenario.descending;
    call.begin_bit = static_cast<int>(scenario.bits.begin);
    call.end_bit = static_cast<int>(scenario.bits.end);
    call.count = scenario.count;
    call.count_a = scenario.count_a();
    return call;
}

class CubJob : public Job {
public:
    CubJob(const CubAlgorithm& algorithm, const Input& input)
        : algorithm_(algorithm), scenario_(input.scenario), keys_in_(input.keys.span()), values_in_(input.values.span()),
          keys_out_(input.keys.size()), values_out_(input.values.size()), call_(call_of(input.scenario)) {
        std::vector<uint32_t> offsets = input.heads;
        offsets.push_back(static_cast<uint32_t>(scenario_.count));
        offsets_ = DeviceArray(std::as_bytes(std::span(offsets)));
        call_.keys_in = keys_in_.get();
        call_.values_in = values_in_.get();
        call_.keys_out = keys_out_.get();
        call_.values_out = values_out_.get();
        call_.offsets = static_cast<const int*>(offsets_.get());
        call_.segments = input.heads.size();
        check(algorithm_.call(call_));
        scratch_ = DeviceArray(call_.scratch_size);
        call_.scratch = scratch_.get();
    }

    std::optional<double> gpu_time() override {
        check(cudaEventRecord(begin_.handle));
        check(algorithm_.call(call_));
        check(cudaEventRecord(end_.handle));
        check(cudaEventSynchronize(end_.handle));
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin_.handle, end_.handle));
        return static_cast<double>(milliseconds) * 1000;
    }

    double wall_time() override {
        check(cudaDeviceSynchronize());
        const auto begin = std::chrono::steady_clock::now();
        check(algorithm_.call(call_));
        check(cudaDeviceSynchronize());
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

    void result(HostBytes& keys, HostBytes& values) override {
        check(cudaMemcpy(keys.data(), keys_out_.get(), keys.size(), cudaMemcpyDeviceToHost));
        check(cudaMemcpy(values.data(), values_out_.get(), values.size(), cudaMemcpyDeviceToHost));
    }

    std::optional<uint64_t> model_bytes() override {
        // Of its sorts only their authors know how many passes they take.
        return scenario_.operation == Operation::merge ? std::optional(2 * scenario_.bytes()) : std::nullopt;
    }
    std::optional<uint64_t> scratch_bytes() override { return call_.scratch_size; }

private:
    const CubAlgorithm& algorithm_;
    Scenario scenario_;
    DeviceArray keys_in_, values_in_, keys_out_, values_out_, offsets_, scratch_;
    CubCall call_;
    Event begin_, end_;
};

class CubContender : public Contender {
public:
    explicit CubContender(const CubAlgorithm& algorithm) : algorithm_(algorithm) {}

    std::string name() const override { return algorithm_.name; }

    std::string refusal(const Scenario& scenario) const override {
        CubKey key;
        if (scenario.operation != algorithm_.operation) {
            return fmt::format("does no {}", name_of(scenario.operation));
        }
        if (scenario.mean_segment < algorithm_.least_mean) {
            return fmt::format("a workgroup a segment: meant for means from {}", algorithm_.least_mean);
        }
        CubCall call = call_of(scenario);
        if (!convert(scenario.key, key) || algorithm_.call(call) == cudaErrorNotSupported) {
            return "not compiled for these keys, values and bits";
        }
        return scenario.count > INT32_MAX ? "compiled for counts below 2^31" : "";
    }

    std::unique_ptr<Job> prepare(const Input& input) override { return std::make_unique<CubJob>(algorithm_, input); }

    std::string verify(const Input& input, std::span<const std::byte> keys,
                       std::span<const std::byte> values) const override {
        return bench::verify(input, keys, values, algorithm_.stable);
    }

private:
    const CubAlgorithm& algorithm_;
};

// The CUDA device that is this one.
bool select_cuda_device(host::Device& device) {
    const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(
        device.get_instance_proc_addr()(device.instance(), "vkGetPhysicalDeviceProperties2"));
    VkPhysicalDeviceIDProperties id = {};
    id.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES;
    VkPhysicalDeviceProperties2 properties = {};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &id;
    get(device.physical_device(), &properties);
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        return false;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp cuda = {};
        if (cudaGetDeviceProperties(&cuda, i) == cudaSuccess &&
            std::memcmp(cuda.uuid.bytes, id.deviceUUID, VK_UUID_SIZE) == 0) {
            return cudaSetDevice(i) == cudaSuccess;
        }
    }
    return false;
}

} // namespace

void add_cub(host::Device& device, Contenders& contenders) {
    constexpr uint32_t kNvidia = 0x10DE; // elsewhere CUDA is not even asked
    if (device.info().vendorId == kNvidia && select_cuda_device(device)) {
        for (const CubAlgorithm& algorithm : kAlgorithms) {
            contenders.push_back(std::make_unique<CubContender>(algorithm));
        }
    }
}

} // namespace vksort::bench
