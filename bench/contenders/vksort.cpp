// SPDX-License-Identifier: MIT
//
// Every algorithm of vksort by name, and `auto`. In place, as most callers sort; merges into another buffer.
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "../gpu_clock.h"

namespace vksort::bench {

namespace {

using host::Buffer;
using host::Device;

VksortPlanDesc describe(const Scenario& scenario, VksortAlgorithm algorithm, uint64_t segments) {
    VksortPlanDesc desc = {};
    desc.keyType = scenario.key;
    desc.valueSize = scenario.value_bytes;
    desc.flags = scenario.descending ? VKSORT_PLAN_DESCENDING_BIT : 0;
    desc.algorithm = algorithm;
    desc.maxCount = scenario.count_a();
    if (scenario.operation == Operation::merge) {
        desc.operation = VKSORT_OPERATION_MERGE;
        desc.result = VKSORT_RESULT_SEPARATE;
        desc.maxCountB = scenario.count - scenario.count_a();
    } else if (scenario.operation == Operation::segmented_sort) {
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
        desc.maxSegments = segments;
    }
    return desc;
}

class Plan {
public:
    Plan(Device& device, const VksortPlanDesc& desc) {
        const VkResult result = vksortCreatePlan(device.context(), &desc, &handle_);
        if (result == VK_ERROR_FORMAT_NOT_SUPPORTED) { // what never runs there has been refused before
            throw TooLarge(device.last_message());
        }
        if (result != VK_SUCCESS) {
            throw std::runtime_error(device.last_message());
        }
        vksortGetPlanInfo(handle_, &info);
    }
    ~Plan() { vksortDestroyPlan(handle_); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    VksortPlan handle() const { return handle_; }
    VksortPlanInfo info = {};

private:
    VksortPlan handle_ = VK_NULL_HANDLE;
};

class VksortJob : public Job {
public:
    VksortJob(Device& device, VksortAlgorithm algorithm, const Input& input)
        : device_(device), scenario_(input.scenario), segments_(input.heads.size()),
          desc_(describe(scenario_, algorithm, segments_)), plan_(device, desc_), clock_(device) {
        check_device_memory(device, 2 * scenario_.bytes() + plan_.info.scratchSize + segments_ * 4);
        try {
            allocate(input);
        } catch (const host::Error& error) {
            rethrow(error);
        }
    }

    std::optional<double> gpu_time() override {
        if (!clock_.works()) {
            return std::nullopt;
        }
        device_.run([&](VkCommandBuffer commands) {
            restore(commands);
            record_barrier(device_, commands);
            clock_.start(commands);
            record(commands, false);
            clock_.stamp(commands, "");
        });
        const std::vector<PassTime> times = clock_.read();
        return times.empty() ? std::nullopt : std::optional(times.front().us);
    }

    double wall_time() override {
        device_.run([&](VkCommandBuffer commands) { restore(commands); });
        const auto begin = std::chrono::steady_clock::now();
        device_.run([&](VkCommandBuffer commands) { record(commands, false); });
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }

    void result(HostBytes& keys, HostBytes& values) override {
        (is_merge() ? keys_out_ : keys_).download(keys.span());
        if (values.size() != 0) {
            (is_merge() ? values_out_ : values_).download(values.span());
        }
    }

    std::vector<PassTime> passes() override {
        if (!clock_.works()) {
            return {};
        }
        device_.run([&](VkCommandBuffer commands) {
            restore(commands);
            record_barrier(device_, commands);
            clock_.start(commands);
            record(commands, true);
        });
        return clock_.read();
    }

    std::optional<uint64_t> model_bytes() override {
        if (plan_.info.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES) {
            return std::nullopt; // which passes touch which elements depends on the segments
        }
        std::vector<VksortPassInfo> passes(VKSORT_MAX_PASSES);
        auto count = static_cast<uint32_t>(passes.size());
        if (vksortDescribePasses(&device_.info(), &desc_, scenario_.count, &count, passes.data()) != VK_SUCCESS) {
            return std::nullopt;
        }
        VksortStatistics done = {};
        VksortWorkStatistics work = {};
        read(plan_.info.statisticsOffset, &done, sizeof done);
        read(plan_.info.workStatisticsOffset, &work, sizeof work);
        const bool by_digits =
            plan_.info.algorithm == VKSORT_ALGORITHM_ONESWEEP || plan_.info.algorithm == VKSORT_ALGORITHM_REDUCE_SCAN;
        double bytes = 0;
        uint32_t merges = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const VksortPassInfo& pass = passes[i];
            double share = 1; // of the pass that was run, since the model leaves none out
            if (by_digits && std::strncmp(pass.name, "digit", 5) == 0) {
                share = static_cast<double>(done.digitPassesRun) / plan_.info.digitPasses;
            } else if (by_digits && std::strcmp(pass.name, "copy") == 0) {
                share = done.copied;
            } else if (work.tiles != 0 && std::strncmp(pass.name, "merge", 5) == 0 && merges < VKSORT_MAX_MERGE_PASSES) {
                share = static_cast<double>(work.passes[merges].merged + work.passes[merges].copied) / work.tiles;
                ++merges;
            }
            bytes += share * static_cast<double>(pass.bytesRead + pass.bytesWritten);
        }
        return static_cast<uint64_t>(bytes);
    }

    std::optional<uint64_t> scratch_bytes() override { return plan_.info.scratchSize; }
    std::string note() const override {
        return desc_.algorithm == VKSORT_ALGORITHM_AUTO ? vksortAlgorithmName(plan_.info.algorithm) : "";
    }

private:
    bool is_merge() const { return scenario_.operation == Operation::merge; }
    uint64_t key_bytes() const { return scenario_.count * scenario_.key_bytes(); }
    uint64_t value_bytes() const { return scenario_.count * scenario_.value_bytes; }

    Buffer filled(std::span<const std::byte> bytes) {
        Buffer buffer = make_buffer(device_, bytes.size());
        if (!bytes.empty()) {
            buffer.upload(bytes);
        }
        return buffer;
    }

    void allocate(const Input& input) {
        const uint64_t keys_a = scenario_.count_a() * scenario_.key_bytes();
        const uint64_t values_a = scenario_.count_a() * scenario_.value_bytes;
        keys_in_ = filled(input.keys.span().first(keys_a));
        values_in_ = filled(input.values.span().first(values_a));
        if (is_merge()) {
            keys_b_ = filled(input.keys.span().subspan(keys_a));
            values_b_ = filled(input.values.span().subspan(values_a));
            keys_out_ = make_buffer(device_, key_bytes());
            values_out_ = make_buffer(device_, value_bytes());
        } else {
            keys_ = make_buffer(device_, key_bytes());
            values_ = make_buffer(device_, value_bytes());
        }
        heads_ = filled(std::as_bytes(std::span(input.heads)));
        scratch_ = make_buffer(device_, plan_.info.scratchSize);
    }

    void restore(VkCommandBuffer commands) {
        if (!is_merge()) {
            record_copy(device_, commands, keys_in_, keys_, key_bytes());
            record_copy(device_, commands, values_in_, values_, value_bytes());
        }
    }

    static void on_pass(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t, const char* name) {
        if (event == VKSORT_PASS_END) {
            static_cast<GpuClock*>(user)->stamp(commands, name);
        }
    }

    template <typename Buffers> void set_common(Buffers& buffers, bool by_pass) {
        buffers.scratch.buffer = scratch_.handle();
        buffers.descriptorPool = device_.descriptor_pool(plan_.info);
        if (by_pass) {
            buffers.passCallback = on_pass;
            buffers.passUser = &clock_;
        }
    }

    void record(VkCommandBuffer commands, bool by_pass) {
        if (is_merge()) {
            VksortMergeBuffers buffers = {};
            set_common(buffers, by_pass);
            buffers.keysA.buffer = keys_in_.handle();
            buffers.keysB.buffer = keys_b_.handle();
            buffers.valuesA.buffer = values_in_.handle();
            buffers.valuesB.buffer = values_b_.handle();
            buffers.keysOut.buffer = keys_out_.handle();
            buffers.valuesOut.buffer = values_out_.handle();
            buffers.countA = scenario_.count_a();
            buffers.countB = scenario_.count - scenario_.count_a();
            vksortCmdMerge(commands, plan_.handle(), &buffers);
        } else if (scenario_.operation == Operation::segmented_sort) {
            VksortSegmentedSortBuffers buffers = {};
            set_common(buffers, by_pass);
            buffers.keys.buffer = keys_.handle();
            buffers.values.buffer = values_.handle();
            buffers.segments.buffer = heads_.handle();
            buffers.count = scenario_.count;
            buffers.segmentCount = segments_;
            vksortCmdSegmentedSort(commands, plan_.handle(), &buffers);
        } else {
            VksortSortBuffers buffers = {};
            set_common(buffers, by_pass);
            buffers.keys.buffer = keys_.handle();
            buffers.values.buffer = values_.handle();
            buffers.count = scenario_.count;
            vksortCmdSort(commands, plan_.handle(), &buffers);
        }
    }

    void read(uint64_t offset, void* to, size_t size) const {
        if (offset != UINT64_MAX) {
            scratch_.download({static_cast<std::byte*>(to), size}, offset);
        }
    }

    Device& device_;
    Scenario scenario_;
    uint64_t segments_;
    VksortPlanDesc desc_;
    Plan plan_;
    GpuClock clock_;
    Buffer keys_in_, values_in_, keys_, values_; // merge: the first two are A
    Buffer keys_b_, values_b_, keys_out_, values_out_;
    Buffer heads_, scratch_;
};

class VksortContender : public Contender {
public:
    VksortContender(Device& device, VksortAlgorithm algorithm) : device_(device), algorithm_(algorithm) {}

    std::string name() const override { return fmt::format("vksort {}", vksortAlgorithmName(algorithm_)); }

    std::string refusal(const Scenario& scenario) const override {
        // The algorithm's own limits, found without a device's memory in the way.
        Scenario small = scenario;
        if (algorithm_ != VKSORT_ALGORITHM_ONE_WORKGROUP) {
            small.count = std::min<uint64_t>(small.count, 1024);
        }
        const VksortPlanDesc desc = describe(small, algorithm_, small.count);
        VksortPlanInfo info = {};
        char message[512] = "";
        return vksortDescribePlan(&device_.info(), &desc, &info, message, sizeof message) == VK_SUCCESS ? "" : message;
    }

    std::unique_ptr<Job> prepare(const Input& input) override {
        return std::make_unique<VksortJob>(device_, algorithm_, input);
    }

private:
    Device& device_;
    VksortAlgorithm algorithm_;
};

} // namespace

void add_vksort(Device& device, Contenders& contenders) {
    for (int algorithm = VKSORT_ALGORITHM_AUTO; vksortAlgorithmName(static_cast<VksortAlgorithm>(algorithm)) != nullptr;
         ++algorithm) {
        contenders.push_back(std::make_unique<VksortContender>(device, static_cast<VksortAlgorithm>(algorithm)));
    }
}

} // namespace vksort::bench
