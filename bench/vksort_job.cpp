// SPDX-License-Identifier: MIT
#include "vksort_job.h"

#include <cstring>

#include "context.h"

namespace vksort::bench {

using host::Buffer;
using host::Device;

namespace {

Buffer filled(Device& device, std::span<const std::byte> bytes) {
    Buffer buffer = make_buffer(device, bytes.size());
    if (!bytes.empty()) {
        buffer.upload(bytes);
    }
    return buffer;
}

void on_pass(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t, const char* name) {
    if (event == VKSORT_PASS_END) {
        static_cast<GpuClock*>(user)->stamp(commands, name);
    }
}

} // namespace

VksortPlanDesc describe(const Scenario& scenario, VksortAlgorithm algorithm, uint64_t segments, VksortResult result) {
    VksortPlanDesc desc = {};
    desc.result = result;
    desc.keyType = scenario.key;
    desc.valueSize = scenario.value_bytes;
    desc.flags = scenario.descending ? VKSORT_PLAN_DESCENDING_BIT : 0;
    desc.algorithm = algorithm;
    desc.beginBit = scenario.bits.begin;
    desc.endBit = scenario.bits.end;
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

MadePlan::MadePlan(Device& device, const VksortPlanDesc& description, const PlanOverrides* overrides)
    : desc(description), overridden(overrides != nullptr) {
    const VkResult result = create_plan(device.context(), desc, overridden ? *overrides : PlanOverrides{}, &handle_);
    if (result == VK_ERROR_FORMAT_NOT_SUPPORTED) { // what never runs there has been refused before
        throw TooLarge(device.last_message());
    }
    if (result != VK_SUCCESS) {
        throw std::runtime_error(device.last_message());
    }
    vksortGetPlanInfo(handle_, &info);
}

DeviceData::DeviceData(Device& device, const Input& input, bool alternate)
    : scenario(input.scenario), segments(input.heads.size()), has_alternate(alternate) {
    check_device_memory(device, bytes());
    const uint64_t keys_a = scenario.count_a() * scenario.key_bytes();
    const uint64_t values_a = scenario.count_a() * scenario.value_bytes;
    try {
        keys_in = filled(device, input.keys.span().first(keys_a));
        values_in = filled(device, input.values.span().first(values_a));
        if (is_merge()) {
            keys_b = filled(device, input.keys.span().subspan(keys_a));
            values_b = filled(device, input.values.span().subspan(values_a));
        }
        keys = make_buffer(device, input.keys.size());
        values = make_buffer(device, input.values.size());
        if (has_alternate) {
            keys_alternate = make_buffer(device, input.keys.size());
            values_alternate = make_buffer(device, input.values.size());
        }
        heads = filled(device, std::as_bytes(std::span(input.heads)));
    } catch (const host::Error& error) {
        rethrow(error);
    }
}

VksortJob::VksortJob(Device& device, std::shared_ptr<const MadePlan> plan, std::shared_ptr<DeviceData> data)
    : device_(device), plan_(std::move(plan)), data_(std::move(data)), clock_(device) {
    check_device_memory(device, data_->bytes() + plan_->info.scratchSize);
    try {
        scratch_ = make_buffer(device_, plan_->info.scratchSize);
        if (data_->is_merge() || is_separate()) { // what another job left there must not pass for this one's result
            data_->keys.fill(0xDEADBEEF);
            data_->values.fill(0xDEADBEEF);
        }
    } catch (const host::Error& error) {
        rethrow(error);
    }
}

std::optional<double> VksortJob::gpu_time() {
    const auto restored = [this](VkCommandBuffer commands) {
        restore(commands);
        record_barrier(device_, commands);
    };
    return gpu_time_of(device_, clock_, restored, [this](VkCommandBuffer commands) { record(commands, false); });
}

double VksortJob::wall_time() {
    device_.run([&](VkCommandBuffer commands) { restore(commands); });
    return wall_time_of(device_, [this](VkCommandBuffer commands) { record(commands, false); });
}

void VksortJob::result(HostBytes& keys, HostBytes& values) {
    const bool alternate = plan_->info.resultInAlternate == VK_TRUE;
    (alternate ? data_->keys_alternate : data_->keys).download(keys.span());
    if (values.size() != 0) {
        (alternate ? data_->values_alternate : data_->values).download(values.span());
    }
}

std::vector<PassTime> VksortJob::passes() {
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

std::optional<uint64_t> VksortJob::model_bytes() {
    const VksortPlanInfo& info = plan_->info;
    if (plan_->overridden || info.algorithm == VKSORT_ALGORITHM_SIZE_CLASSES || info.algorithm == VKSORT_ALGORITHM_MSD ||
        info.algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        return std::nullopt; // which passes touch which elements depends on the segments, or on the keys
    }
    std::vector<VksortPassInfo> passes(VKSORT_MAX_PASSES);
    auto count = static_cast<uint32_t>(passes.size());
    if (vksortDescribePasses(&device_.info(), &plan_->desc, data_->scenario.count, &count, passes.data()) != VK_SUCCESS) {
        return std::nullopt;
    }
    VksortStatistics done = {};
    VksortWorkStatistics work = {};
    read(info.statisticsOffset, &done, sizeof done);
    read(info.workStatisticsOffset, &work, sizeof work);
    const bool by_digits = info.algorithm == VKSORT_ALGORITHM_ONESWEEP || info.algorithm == VKSORT_ALGORITHM_REDUCE_SCAN;
    double bytes = 0;
    uint32_t merges = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const VksortPassInfo& pass = passes[i];
        double share = 1; // of the pass that was run, since the model leaves none out
        if (by_digits && std::strncmp(pass.name, "digit", 5) == 0) {
            share = static_cast<double>(done.digitPassesRun) / info.digitPasses;
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

std::string VksortJob::note() const {
    return plan_->desc.algorithm == VKSORT_ALGORITHM_AUTO ? vksortAlgorithmName(plan_->info.algorithm) : "";
}

void VksortJob::restore(VkCommandBuffer commands) const {
    if (!data_->is_merge() && !is_separate()) {
        record_copy(device_, commands, data_->keys_in, data_->keys, key_bytes());
        record_copy(device_, commands, data_->values_in, data_->values, value_bytes());
    }
}

template <typename Buffers> void VksortJob::set_common(Buffers& buffers, bool by_pass) {
    buffers.scratch.buffer = scratch_.handle();
    buffers.descriptorPool = device_.descriptor_pool(plan_->info);
    if (by_pass) {
        buffers.passCallback = on_pass;
        buffers.passUser = &clock_;
    }
}

void VksortJob::record(VkCommandBuffer commands, bool by_pass) {
    const DeviceData& data = *data_;
    const uint64_t count = data.scenario.count;
    if (data.is_merge()) {
        VksortMergeBuffers buffers = {};
        set_common(buffers, by_pass);
        buffers.keysA.buffer = data.keys_in.handle();
        buffers.keysB.buffer = data.keys_b.handle();
        buffers.valuesA.buffer = data.values_in.handle();
        buffers.valuesB.buffer = data.values_b.handle();
        buffers.keysOut.buffer = data.keys.handle();
        buffers.valuesOut.buffer = data.values.handle();
        buffers.countA = data.scenario.count_a();
        buffers.countB = count - data.scenario.count_a();
        vksortCmdMerge(commands, plan_->handle(), &buffers);
    } else if (data.scenario.operation == Operation::segmented_sort) {
        VksortSegmentedSortBuffers buffers = {};
        set_common(buffers, by_pass);
        buffers.keys.buffer = source_keys();
        buffers.values.buffer = source_values();
        buffers.keysOut.buffer = data.keys.handle();
        buffers.valuesOut.buffer = data.values.handle();
        buffers.segments.buffer = data.heads.handle();
        buffers.count = count;
        buffers.segmentCount = data.segments;
        vksortCmdSegmentedSort(commands, plan_->handle(), &buffers);
    } else {
        VksortSortBuffers buffers = {};
        set_common(buffers, by_pass);
        buffers.keys.buffer = source_keys();
        buffers.values.buffer = source_values();
        buffers.keysOut.buffer = data.keys.handle();
        buffers.valuesOut.buffer = data.values.handle();
        buffers.keysAlternate.buffer = data.keys_alternate.handle();
        buffers.valuesAlternate.buffer = data.values_alternate.handle();
        buffers.count = count;
        vksortCmdSort(commands, plan_->handle(), &buffers);
    }
}

void VksortJob::read(uint64_t offset, void* to, size_t size) const {
    if (offset != UINT64_MAX) {
        scratch_.download({static_cast<std::byte*>(to), size}, offset);
    }
}

} // namespace vksort::bench
