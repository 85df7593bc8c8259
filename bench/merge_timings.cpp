// SPDX-License-Identifier: MIT
//
// Times merges of two sorted inputs and segmented sorts on one device: inputs are restored before every run, outside the timed
// region; GPU timestamps around the recorded commands; median of the runs. Every result is verified on the host. Merge sort is
// timed by radix_timings.cpp, beside the other sorts.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>

#include "context.h"
#include "plan.h"
#include "vksort/vksort_host.hpp"

namespace {

using vksort::host::Buffer;
using vksort::host::Device;

struct Options {
    std::vector<uint32_t> log2Counts{16, 20, 24};
    std::vector<std::string> kinds{"u32", "u32+4", "u64"};
    std::vector<uint32_t> means; // segmented sorts of these mean lengths; none: merges
    std::vector<std::string> algorithms{"size_classes", "segmented"}; // of segmented sorts
    uint32_t runs = 11;
    bool computeQueue = false;
    bool passes = false;
    vksort::PlanOverrides overrides;
};

uint64_t splitmix64(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

template <typename T> std::span<const std::byte> bytes_of(const std::vector<T>& data) {
    return std::as_bytes(std::span(data));
}

template <typename Key> std::vector<Key> random_keys(uint64_t count, uint64_t seed) {
    std::vector<Key> keys(count);
    for (Key& key : keys) {
        key = static_cast<Key>(splitmix64(seed));
    }
    return keys;
}

// Sorted keys, one drawn uniformly from each of `count` equal parts of the range.
template <typename Key> std::vector<Key> sorted_keys(uint64_t count, uint64_t seed) {
    std::vector<Key> keys(count);
    const double part = std::ldexp(1.0, 8 * sizeof(Key)) / static_cast<double>(count);
    for (uint64_t i = 0; i < count; ++i) {
        const double unit = static_cast<double>(splitmix64(seed) >> 11) * 0x1p-53;
        const double key = (static_cast<double>(i) + unit) * part;
        keys[i] = key < std::ldexp(1.0, 8 * sizeof(Key)) ? static_cast<Key>(key) : std::numeric_limits<Key>::max();
    }
    return keys;
}

// Sorts every segment on the host, many at once.
template <typename Key> void sort_segments(std::vector<Key>& keys, const std::vector<uint32_t>& heads) {
    std::atomic<size_t> next{0};
    const size_t chunk = std::max<size_t>(heads.size() / 256, 1);
    const auto work = [&] {
        for (size_t first = next.fetch_add(chunk); first < heads.size(); first = next.fetch_add(chunk)) {
            for (size_t i = first; i < std::min(first + chunk, heads.size()); ++i) {
                const size_t end = i + 1 < heads.size() ? heads[i + 1] : keys.size();
                std::sort(keys.begin() + heads[i], keys.begin() + static_cast<std::ptrdiff_t>(end));
            }
        }
    };
    std::vector<std::thread> threads(std::max(std::thread::hardware_concurrency(), 1u));
    for (std::thread& thread : threads) {
        thread = std::thread(work);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

// A timestamp after every pass, through the library's pass callback.
struct PassStamps {
    PFN_vkCmdWriteTimestamp stamp;
    VkQueryPool pool;
    std::vector<std::string> names;
    static void mark(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t, const char* name) {
        auto& self = *static_cast<PassStamps*>(user);
        if (event == VKSORT_PASS_END) {
            self.names.emplace_back(name);
            self.stamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, self.pool, static_cast<uint32_t>(self.names.size()));
        }
    }
};

struct Times {
    double median, least, greatest;
    std::vector<std::pair<std::string, double>> passes; // of one more run
};

// Times in microseconds of what `record` does, each time after `restore`.
Times time_commands(Device& device, const Options& options, const std::function<void(VkCommandBuffer)>& restore,
                    const std::function<void(VkCommandBuffer, PassStamps*)>& record) {
    const auto load = [&device](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(device.function(name));
    };
    PFN_vkCreateQueryPool createQueryPool;
    PFN_vkDestroyQueryPool destroyQueryPool;
    PFN_vkGetQueryPoolResults getResults;
    PFN_vkCmdResetQueryPool reset;
    PFN_vkCmdWriteTimestamp stamp;
    PFN_vkCmdPipelineBarrier barrier;
    load(createQueryPool, "vkCreateQueryPool");
    load(destroyQueryPool, "vkDestroyQueryPool");
    load(getResults, "vkGetQueryPoolResults");
    load(reset, "vkCmdResetQueryPool");
    load(stamp, "vkCmdWriteTimestamp");
    load(barrier, "vkCmdPipelineBarrier");
    VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = VKSORT_MAX_PASSES + 2;
    VkQueryPool pool = VK_NULL_HANDLE;
    if (createQueryPool(device.device(), &info, nullptr, &pool) != VK_SUCCESS) {
        throw std::runtime_error("no query pool");
    }
    const uint32_t bits = device.timestamp_valid_bits();
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    std::vector<double> times;
    std::vector<std::pair<std::string, double>> passes;
    // A GPU that waited while the host made the inputs has slowed its clock down: it works for a while before it is timed.
    constexpr std::chrono::milliseconds kWarmUpTime{300};
    const auto start = std::chrono::steady_clock::now();
    uint32_t warmUps = 3;
    for (uint32_t run = 0; run < warmUps + options.runs + (options.passes ? 1 : 0); ++run) {
        if (run == warmUps - 1 && std::chrono::steady_clock::now() - start < kWarmUpTime) {
            ++warmUps;
        }
        PassStamps stamps = {stamp, pool, {}};
        const bool withPasses = run == warmUps + options.runs;
        device.run([&](VkCommandBuffer commands) {
            reset(commands, pool, 0, info.queryCount);
            restore(commands);
            const VkMemoryBarrier restored = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
            barrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &restored, 0, nullptr, 0, nullptr);
            stamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
            record(commands, withPasses ? &stamps : nullptr);
            if (!withPasses) {
                stamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
            }
        });
        std::vector<uint64_t> ticks(withPasses ? stamps.names.size() + 1 : 2);
        getResults(device.device(), pool, 0, static_cast<uint32_t>(ticks.size()), ticks.size() * 8, ticks.data(), 8,
                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        const auto microseconds = [&](size_t i) {
            return static_cast<double>((ticks[i] - ticks[i - 1]) & mask) * device.timestamp_period() / 1000.0;
        };
        if (withPasses) {
            for (size_t i = 1; i < ticks.size(); ++i) {
                passes.emplace_back(stamps.names[i - 1], microseconds(i));
            }
        } else if (run >= warmUps) {
            times.push_back(microseconds(1));
        }
    }
    destroyQueryPool(device.device(), pool, nullptr);
    std::sort(times.begin(), times.end());
    return {times[times.size() / 2], times.front(), times.back(), passes};
}

void print(const std::string& kind, uint64_t count, const std::string& what, const Times& times, bool correct) {
    std::printf("%-8s %10llu %-20s %12.1f %12.1f %12.1f %10.2f%s\n", kind.c_str(), static_cast<unsigned long long>(count),
                what.c_str(), times.median, times.least, times.greatest, static_cast<double>(count) / times.median / 1000.0,
                correct ? "" : "  WRONG RESULT");
    for (const auto& [name, time] : times.passes) {
        std::printf("    %-20s %10.1f\n", name.c_str(), time);
    }
    std::fflush(stdout);
}

class Bench {
public:
    Bench(Device& device, const Options& options) : device_(device), options_(options) {}

    template <typename Key> bool merge(const std::string& kind, uint32_t valueSize, uint64_t count);
    template <typename Key> bool segmented(const std::string& kind, uint32_t valueSize, uint64_t count, uint32_t mean,
                                         const std::string& algorithm);

private:
    Buffer make(uint64_t size) const {
        return Buffer(device_, std::max<uint64_t>(size, 16),
                      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                          VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    }
    template <typename T> Buffer filled(const std::vector<T>& data) const {
        Buffer buffer = make(data.size() * sizeof(T));
        if (!data.empty()) {
            buffer.upload(bytes_of(data));
        }
        return buffer;
    }
    VksortPlan plan(const VksortPlanDesc& desc, VksortPlanInfo& info) const {
        VksortPlan made = VK_NULL_HANDLE;
        if (vksort::create_plan(device_.context(), desc, options_.overrides, &made) != VK_SUCCESS) {
            throw std::runtime_error(device_.last_message());
        }
        vksortGetPlanInfo(made, &info);
        return made;
    }
    void copy(VkCommandBuffer commands, const Buffer& from, const Buffer& to, uint64_t size) const {
        const VkBufferCopy region = {0, 0, size};
        if (size != 0) {
            reinterpret_cast<PFN_vkCmdCopyBuffer>(device_.function("vkCmdCopyBuffer"))(commands, from.handle(), to.handle(), 1,
                                                                                        &region);
        }
    }

    Device& device_;
    const Options& options_;
};

template <typename Key> bool Bench::merge(const std::string& kind, uint32_t valueSize, uint64_t count) {
    const std::vector<Key> a = sorted_keys<Key>(count / 2, 1), b = sorted_keys<Key>(count - count / 2, 2);
    std::vector<uint32_t> valuesA(valueSize != 0 ? a.size() : 0), valuesB(valueSize != 0 ? b.size() : 0);
    std::iota(valuesA.begin(), valuesA.end(), 0u);
    std::iota(valuesB.begin(), valuesB.end(), static_cast<uint32_t>(a.size()));
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_MERGE;
    desc.keyType = sizeof(Key) == 8 ? VKSORT_KEY_U64 : VKSORT_KEY_U32;
    desc.valueSize = valueSize;
    desc.result = VKSORT_RESULT_SEPARATE;
    desc.maxCount = a.size();
    desc.maxCountB = b.size();
    VksortPlanInfo info;
    const VksortPlan made = plan(desc, info);
    const Buffer keysA = filled(a), keysB = filled(b), boundA = filled(valuesA), boundB = filled(valuesB);
    const Buffer keysOut = make(count * sizeof(Key)), valuesOut = make(count * valueSize), scratch = make(info.scratchSize);
    const Times times = time_commands(
        device_, options_, [](VkCommandBuffer) {},
        [&](VkCommandBuffer commands, PassStamps* stamps) {
            VksortMergeBuffers buffers = {};
            buffers.passCallback = stamps != nullptr ? PassStamps::mark : nullptr;
            buffers.passUser = stamps;
            buffers.keysA.buffer = keysA.handle();
            buffers.keysB.buffer = keysB.handle();
            buffers.valuesA.buffer = boundA.handle();
            buffers.valuesB.buffer = boundB.handle();
            buffers.keysOut.buffer = keysOut.handle();
            buffers.valuesOut.buffer = valuesOut.handle();
            buffers.scratch.buffer = scratch.handle();
            buffers.countA = a.size();
            buffers.countB = b.size();
            if (info.descriptorSets != 0) {
                buffers.descriptorPool = device_.descriptor_pool(info);
            }
            vksortCmdMerge(commands, made, &buffers);
        });
    vksortDestroyPlan(made);
    std::vector<Key> got(count), expected(count);
    keysOut.download(std::as_writable_bytes(std::span(got)));
    std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
    bool correct = got == expected;
    if (valueSize != 0) {
        std::vector<uint32_t> values(count);
        valuesOut.download(std::as_writable_bytes(std::span(values)));
        for (uint64_t i = 0; i < count && correct; ++i) {
            correct = values[i] < count && got[i] == (values[i] < a.size() ? a[values[i]] : b[values[i] - a.size()]) &&
                      (i == 0 || got[i - 1] != got[i] || values[i - 1] < values[i]);
        }
    }
    print(kind, count, "merge", times, correct);
    return correct;
}

template <typename Key>
bool Bench::segmented(const std::string& kind, uint32_t valueSize, uint64_t count, uint32_t mean,
                      const std::string& algorithm) {
    const std::vector<Key> keys = random_keys<Key>(count, 1);
    std::vector<uint32_t> values(valueSize != 0 ? count : 0), heads;
    std::iota(values.begin(), values.end(), 0u);
    uint64_t seed = 7;
    for (uint64_t at = 0; at < count;) { // lengths with an exponential distribution
        heads.push_back(static_cast<uint32_t>(at));
        const double unit = static_cast<double>(splitmix64(seed) >> 11) * 0x1p-53;
        at += 1 + static_cast<uint64_t>(-std::log(1.0 - unit) * (mean - 1));
    }
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
    desc.algorithm = algorithm == "segmented" ? VKSORT_ALGORITHM_SEGMENTED : VKSORT_ALGORITHM_SIZE_CLASSES;
    desc.keyType = sizeof(Key) == 8 ? VKSORT_KEY_U64 : VKSORT_KEY_U32;
    desc.valueSize = valueSize;
    desc.maxCount = count;
    desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
    desc.maxSegments = heads.size();
    VksortPlanInfo info;
    const VksortPlan made = plan(desc, info);
    const Buffer keysIn = filled(keys), valuesIn = filled(values), segments = filled(heads);
    const Buffer sorted = make(count * sizeof(Key)), moved = make(count * valueSize), scratch = make(info.scratchSize);
    const Times times = time_commands(
        device_, options_,
        [&](VkCommandBuffer commands) {
            copy(commands, keysIn, sorted, count * sizeof(Key));
            copy(commands, valuesIn, moved, count * valueSize);
        },
        [&](VkCommandBuffer commands, PassStamps* stamps) {
            VksortSegmentedSortBuffers buffers = {};
            buffers.passCallback = stamps != nullptr ? PassStamps::mark : nullptr;
            buffers.passUser = stamps;
            buffers.keys.buffer = sorted.handle();
            buffers.values.buffer = moved.handle();
            buffers.segments.buffer = segments.handle();
            buffers.scratch.buffer = scratch.handle();
            buffers.count = count;
            buffers.segmentCount = heads.size();
            if (info.descriptorSets != 0) {
                buffers.descriptorPool = device_.descriptor_pool(info);
            }
            vksortCmdSegmentedSort(commands, made, &buffers);
        });
    vksortDestroyPlan(made);
    std::vector<Key> got(count);
    sorted.download(std::as_writable_bytes(std::span(got)));
    std::vector<Key> expected = keys;
    sort_segments(expected, heads);
    bool correct = got == expected;
    if (valueSize != 0) {
        std::vector<uint32_t> places(count);
        moved.download(std::as_writable_bytes(std::span(places)));
        for (uint64_t i = 0; i < count && correct; ++i) {
            correct = places[i] < count && keys[places[i]] == got[i];
        }
    }
    print(kind, count, algorithm + ", " + std::to_string(mean), times, correct);
    return correct;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Times vksort's merges of two equal halves, or segmented sorts, of uniform random keys"};
    app.add_option("--log2", options.log2Counts, "counts, as powers of two")->delimiter(',');
    app.add_option("--kinds", options.kinds, "u32, u32+4, u64")->delimiter(',');
    app.add_option("--means", options.means, "segmented sorts with these mean lengths")->delimiter(',');
    app.add_option("--algorithms", options.algorithms, "of segmented sorts: size_classes, segmented")->delimiter(',');
    app.add_option("--runs", options.runs);
    app.add_flag("--compute-queue", options.computeQueue);
    app.add_flag("--passes", options.passes, "one more run with the time of each pass");
    app.add_option("--workgroup", options.overrides.workgroupSize);
    app.add_option("--keys-per-thread", options.overrides.keysPerThread);
    app.add_option("--partition-workgroup", options.overrides.partitionWorkgroupSize);
    app.add_option("--partition-keys", options.overrides.partitionKeysPerThread);
    app.add_option("--drain-groups", options.overrides.drainGroups);
    CLI11_PARSE(app, argc, argv);
    try {
        vksort::host::DeviceOptions deviceOptions;
        deviceOptions.prefer_compute_queue = options.computeQueue;
        Device device(deviceOptions);
        std::printf("%s, %s, %s queue\n", device.listing().name.c_str(), device.listing().driver.c_str(),
                    options.computeQueue ? "compute" : "graphics");
        std::printf("%-8s %10s %-20s %12s %12s %12s %10s\n", "kind", "n", "operation", "median us", "min us", "max us",
                    "G items/s");
        Bench bench(device, options);
        bool correct = true;
        for (const std::string& kind : options.kinds) {
            const uint32_t valueSize = kind == "u32+4" ? 4 : 0;
            const bool wide = kind == "u64";
            for (const uint32_t log2 : options.log2Counts) {
                const uint64_t count = uint64_t{1} << log2;
                if (options.means.empty()) {
                    correct = (wide ? bench.merge<uint64_t>(kind, valueSize, count)
                                    : bench.merge<uint32_t>(kind, valueSize, count)) &&
                              correct;
                }
                for (const uint32_t mean : options.means) {
                    for (const std::string& algorithm : options.algorithms) {
                        correct = (wide ? bench.segmented<uint64_t>(kind, valueSize, count, mean, algorithm)
                                        : bench.segmented<uint32_t>(kind, valueSize, count, mean, algorithm)) &&
                                  correct;
                    }
                }
            }
        }
        return correct ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
