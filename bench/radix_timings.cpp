// SPDX-License-Identifier: MIT
//
// Times the sorts on one device: the input is restored before every run, outside the timed region; GPU timestamps
// around the recorded sort; median of the runs. Every result is verified. --workgroup and --keys-per-thread time another
// tuning of the ranking kernels than the one the library would choose.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
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
    std::vector<std::string> algorithms{"auto"};
    uint32_t runs = 11;
    bool passes = false;
    bool computeQueue = false;
    bool statistics = false;
    vksort::PlanOverrides overrides;
};

struct Kind {
    VksortKeyType type = VKSORT_KEY_U32;
    uint32_t keySize = 4;
    uint32_t valueSize = 0;
};

Kind parse_kind(const std::string& text) {
    Kind kind;
    const size_t plus = text.find('+');
    const std::string key = text.substr(0, plus);
    for (int type = VKSORT_KEY_U32; type <= VKSORT_KEY_I8; ++type) {
        if (key == vksortKeyTypeName(static_cast<VksortKeyType>(type))) {
            kind.type = static_cast<VksortKeyType>(type);
        }
    }
    kind.keySize = vksortKeySize(kind.type);
    kind.valueSize = plus == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(text.substr(plus + 1)));
    return kind;
}

VksortAlgorithm parse_algorithm(const std::string& text) {
    for (int i = VKSORT_ALGORITHM_AUTO; i <= VKSORT_ALGORITHM_MSD; ++i) {
        if (text == vksortAlgorithmName(static_cast<VksortAlgorithm>(i))) {
            return static_cast<VksortAlgorithm>(i);
        }
    }
    throw std::runtime_error("unknown algorithm " + text);
}

uint64_t splitmix64(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Sorted, and the same keys: their sum and the sum of their mixed values agree. Values hold the input index in their
// first word: each must name an input key equal to its own, and rise among equal keys.
template <typename Key>
bool verify(const std::vector<std::byte>& in, const std::vector<std::byte>& out, const std::vector<std::byte>& values,
            uint32_t valueSize) {
    const auto* input = reinterpret_cast<const Key*>(in.data());
    const auto* output = reinterpret_cast<const Key*>(out.data());
    const size_t count = in.size() / sizeof(Key);
    uint64_t sumIn = 0, sumOut = 0;
    uint32_t previous = 0;
    for (size_t i = 0; i < count; ++i) {
        uint64_t a = input[i], b = output[i];
        sumIn += splitmix64(a);
        sumOut += splitmix64(b);
        if (i > 0 && output[i - 1] > output[i]) {
            return false;
        }
        if (valueSize != 0) {
            uint32_t index = 0;
            std::memcpy(&index, values.data() + i * valueSize, 4);
            if (index >= count || input[index] != output[i] || (i > 0 && output[i - 1] == output[i] && index <= previous)) {
                return false;
            }
            previous = index;
        }
    }
    return sumIn == sumOut;
}

struct Timing {
    double median = 0, low = 0, high = 0; // microseconds
    std::vector<std::pair<std::string, double>> passes;
    VksortPlanInfo info = {};
    bool correct = false;
};

Timing time_sort(Device& device, const Options& options, const Kind& kind, uint64_t count, VksortAlgorithm algorithm) {
    VksortPlanDesc desc = {};
    desc.keyType = kind.type;
    desc.valueSize = kind.valueSize;
    desc.algorithm = algorithm;
    desc.maxCount = count;
    VksortPlan plan = VK_NULL_HANDLE;
    if (vksort::create_plan(device.context(), desc, options.overrides, &plan) != VK_SUCCESS) {
        throw std::runtime_error(device.last_message());
    }
    Timing timing;
    vksortGetPlanInfo(plan, &timing.info);

    std::vector<std::byte> keys(count * kind.keySize), values(count * kind.valueSize);
    uint64_t state = 1;
    for (size_t i = 0; i + 8 <= keys.size(); i += 8) {
        const uint64_t word = splitmix64(state);
        std::memcpy(keys.data() + i, &word, 8);
    }
    for (uint64_t i = 0; i < count && kind.valueSize != 0; ++i) {
        const auto index = static_cast<uint32_t>(i);
        std::memcpy(values.data() + i * kind.valueSize, &index, 4);
    }
    constexpr VkBufferUsageFlags kCopies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const auto make = [&](uint64_t size) {
        return Buffer(device, std::max<uint64_t>(size, 16), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | kCopies);
    };
    Buffer keysInput = make(keys.size()), keysBuffer = make(keys.size());
    Buffer valuesInput = make(values.size()), valuesBuffer = make(values.size());
    Buffer scratch(device, std::max<uint64_t>(timing.info.scratchSize, 16),
                   VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | kCopies);
    keysInput.upload(keys);
    if (!values.empty()) {
        valuesInput.upload(values);
    }

    VkQueryPoolCreateInfo queryInfo = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    queryInfo.queryType = VK_QUERY_TYPE_TIMESTAMP;
    queryInfo.queryCount = 2 + timing.info.passCount;
    const auto load = [&](const char* name) { return device.function(name); };
    const auto createQueryPool = reinterpret_cast<PFN_vkCreateQueryPool>(load("vkCreateQueryPool"));
    const auto destroyQueryPool = reinterpret_cast<PFN_vkDestroyQueryPool>(load("vkDestroyQueryPool"));
    const auto getResults = reinterpret_cast<PFN_vkGetQueryPoolResults>(load("vkGetQueryPoolResults"));
    const auto cmdReset = reinterpret_cast<PFN_vkCmdResetQueryPool>(load("vkCmdResetQueryPool"));
    const auto cmdStamp = reinterpret_cast<PFN_vkCmdWriteTimestamp>(load("vkCmdWriteTimestamp"));
    const auto cmdCopy = reinterpret_cast<PFN_vkCmdCopyBuffer>(load("vkCmdCopyBuffer"));
    const auto cmdBarrier = reinterpret_cast<PFN_vkCmdPipelineBarrier>(load("vkCmdPipelineBarrier"));
    VkQueryPool pool = VK_NULL_HANDLE;
    if (createQueryPool(device.device(), &queryInfo, nullptr, &pool) != VK_SUCCESS) {
        throw std::runtime_error("no query pool");
    }

    struct Stamps {
        PFN_vkCmdWriteTimestamp write;
        VkQueryPool pool;
        std::vector<std::string> names;
    } stamps{cmdStamp, pool, {}};
    const auto record = [&](VkCommandBuffer cmd, bool perPass) {
        cmdReset(cmd, pool, 0, queryInfo.queryCount);
        const VkBufferCopy keyCopy = {0, 0, keys.size()}, valueCopy = {0, 0, values.size()};
        cmdCopy(cmd, keysInput.handle(), keysBuffer.handle(), 1, &keyCopy);
        if (!values.empty()) {
            cmdCopy(cmd, valuesInput.handle(), valuesBuffer.handle(), 1, &valueCopy);
        }
        VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
        cmdBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
        cmdStamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
        VksortSortBuffers buffers = {};
        buffers.keys = {keysBuffer.handle(), 0};
        buffers.values = {valuesBuffer.handle(), 0};
        buffers.scratch = {scratch.handle(), 0};
        buffers.count = count;
        if (timing.info.descriptorSets != 0) {
            buffers.descriptorPool = device.descriptor_pool(timing.info);
        }
        if (perPass) {
            stamps.names.clear();
            buffers.passUser = &stamps;
            buffers.passCallback = [](void* user, VkCommandBuffer target, VksortPassEvent event, uint32_t index,
                                      const char* name) {
                if (event == VKSORT_PASS_END) {
                    auto& s = *static_cast<Stamps*>(user);
                    s.write(target, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, s.pool, 2 + index);
                    s.names.emplace_back(name);
                }
            };
        }
        vksortCmdSort(cmd, plan, &buffers);
        cmdStamp(cmd, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    };
    const uint64_t mask =
        device.timestamp_valid_bits() >= 64 ? ~uint64_t{0} : (uint64_t{1} << device.timestamp_valid_bits()) - 1;
    const auto stamp = [&](uint32_t index) {
        uint64_t ticks = 0;
        getResults(device.device(), pool, index, 1, 8, &ticks, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        return ticks & mask;
    };
    const auto microseconds = [&](uint64_t from, uint64_t to) {
        return static_cast<double>((to - from) & mask) * device.timestamp_period() / 1000.0;
    };
    // A GPU that idled while the host made the input takes its time to raise its clocks.
    constexpr double kWarmUpMicroseconds = 300000;
    const auto begin = std::chrono::steady_clock::now();
    do {
        device.run([&](VkCommandBuffer cmd) { record(cmd, false); });
    } while (std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() <
             kWarmUpMicroseconds);
    std::vector<double> times;
    for (uint32_t run = 0; run < options.runs; ++run) {
        device.run([&](VkCommandBuffer cmd) { record(cmd, false); });
        times.push_back(microseconds(stamp(0), stamp(1)));
    }
    std::sort(times.begin(), times.end());
    timing.median = times[times.size() / 2];
    timing.low = times.front();
    timing.high = times.back();
    if (options.passes) {
        device.run([&](VkCommandBuffer cmd) { record(cmd, true); });
        uint64_t before = stamp(0);
        for (uint32_t i = 0; i < stamps.names.size(); ++i) {
            const uint64_t now = stamp(2 + i);
            timing.passes.emplace_back(stamps.names[i], microseconds(before, now));
            before = now;
        }
    }
    std::vector<std::byte> sortedKeys(keys.size()), sortedValues(values.size());
    keysBuffer.download(sortedKeys);
    if (!values.empty()) {
        valuesBuffer.download(sortedValues);
    }
    timing.correct = kind.keySize == 8 ? verify<uint64_t>(keys, sortedKeys, sortedValues, kind.valueSize)
                                       : verify<uint32_t>(keys, sortedKeys, sortedValues, kind.valueSize);
    destroyQueryPool(device.device(), pool, nullptr);
    vksortDestroyPlan(plan);
    return timing;
}

// Registers, shared memory and the like of every pipeline made so far, as the driver tells them.
void print_statistics(Device& device) {
    struct Visitor {
        Device& device;
        PFN_vkGetPipelineExecutableStatisticsKHR get;
    } visitor{device, reinterpret_cast<PFN_vkGetPipelineExecutableStatisticsKHR>(
                          device.function("vkGetPipelineExecutableStatisticsKHR"))};
    device.context()->pipelines.for_each(
        [](void* user, const char* module, const vksort::PipelineKey& key, VkPipeline pipeline) {
            const auto& self = *static_cast<Visitor*>(user);
            VkPipelineExecutableInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, 0};
            uint32_t count = 0;
            self.get(self.device.device(), &info, &count, nullptr);
            std::vector<VkPipelineExecutableStatisticKHR> statistics(
                count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR, nullptr, "", "", {}, {}});
            self.get(self.device.device(), &info, &count, statistics.data());
            std::printf("%s %ux%u/%u values %u:", module, key.specialization[vksort::kSpecWorkgroupSize],
                        key.specialization[vksort::kSpecKeysPerThread], key.specialization[vksort::kSpecStageRounds],
                        key.specialization[vksort::kSpecValueWords]);
            for (const VkPipelineExecutableStatisticKHR& s : statistics) {
                std::printf(" %s %llu;", s.name, static_cast<unsigned long long>(s.value.u64));
            }
            std::printf("\n");
        },
        &visitor);
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Times vksort's radix sorts, uniform random keys"};
    app.add_option("--log2", options.log2Counts, "counts, as powers of two")->delimiter(',');
    app.add_option("--kinds", options.kinds, "u32, u32+4, u64, u64+8, ...: key type + value bytes")->delimiter(',');
    app.add_option("--algorithms", options.algorithms)->delimiter(',');
    app.add_option("--runs", options.runs);
    app.add_flag("--passes", options.passes, "one more run with the time of each pass");
    app.add_flag("--statistics", options.statistics, "what the driver tells of each pipeline: registers, shared memory");
    app.add_flag("--compute-queue", options.computeQueue);
    app.add_option("--workgroup", options.overrides.workgroupSize);
    app.add_option("--keys-per-thread", options.overrides.keysPerThread);
    app.add_option("--rounds", options.overrides.stageRounds);
    app.add_option("--rank", options.overrides.rank, "1: ballots, 2: counters");
    CLI11_PARSE(app, argc, argv);
    try {
        vksort::host::DeviceOptions deviceOptions;
        deviceOptions.prefer_compute_queue = options.computeQueue;
        deviceOptions.pipeline_statistics = options.statistics;
        Device device(deviceOptions);
        if (options.statistics && device.has_pipeline_statistics()) {
            device.context()->pipelines.capture_statistics();
        }
        std::printf("%s, %s, %s queue\n", device.listing().name.c_str(), device.listing().driver.c_str(),
                    options.computeQueue ? "compute" : "graphics");
        std::printf("%-8s %10s %-14s %12s %12s %12s %10s\n", "kind", "n", "algorithm", "median us", "min us", "max us",
                    "G items/s");
        bool correct = true;
        for (const std::string& kindText : options.kinds) {
            for (const uint32_t log2 : options.log2Counts) {
                for (const std::string& algorithmText : options.algorithms) {
                    const uint64_t count = uint64_t{1} << log2;
                    const VksortAlgorithm algorithm = parse_algorithm(algorithmText);
                    try {
                        const Timing t = time_sort(device, options, parse_kind(kindText), count, algorithm);
                        std::printf("%-8s %10llu %-14s %12.1f %12.1f %12.1f %10.2f%s\n", kindText.c_str(),
                                    static_cast<unsigned long long>(count), vksortAlgorithmName(t.info.algorithm), t.median,
                                    t.low, t.high, static_cast<double>(count) / t.median / 1000.0,
                                    t.correct ? "" : "  WRONG RESULT");
                        for (const auto& [name, time] : t.passes) {
                            std::printf("    %-20s %10.1f\n", name.c_str(), time);
                        }
                        correct = correct && t.correct;
                    } catch (const std::runtime_error& error) {
                        std::printf("%-8s %10llu %-14s %s\n", kindText.c_str(), static_cast<unsigned long long>(count),
                                    algorithmText.c_str(), error.what());
                    }
                    std::fflush(stdout);
                }
            }
        }
        if (options.statistics && device.has_pipeline_statistics()) {
            print_statistics(device);
        }
        return correct ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
