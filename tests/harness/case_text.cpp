// SPDX-License-Identifier: MIT
//
// Cases, and what they found, in words.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "batch_item.h"
#include "comparator.h"
#include "context.h"

namespace vksort::test {

namespace {

// What is not as usual.
std::string unless_zero(const char* name, uint32_t value) {
    return value == 0 ? "" : std::string(", ") + name + " " + std::to_string(value);
}

const char* name_of(VksortResult result) {
    switch (result) {
    case VKSORT_RESULT_IN_PLACE: return "in place";
    case VKSORT_RESULT_PING_PONG: return "ping-pong";
    default: return "separate";
    }
}

} // namespace

std::string hex(uint64_t bits, uint32_t size) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%0*" PRIx64, static_cast<int>(2 * size), bits);
    return text;
}

std::string hex(ByteSpan bytes) {
    std::string text;
    for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
        text += (i == 0 ? "" : " ") + hex(reference::load_bits(bytes.data() + i, 4), 4);
    }
    const auto size = static_cast<uint32_t>(bytes.size());
    return size % 4 == 0 ? text : hex(reference::load_bits(bytes.data(), size), size);
}

// Those of indirect dispatches as their sizes stand in the end.
std::vector<std::string> Batch::kernels_run(const Item& item) {
    std::vector<std::string> kernels;
    const Plan& plan = item.sorting_plan();
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        uint32_t groups = 1;
        if (plan.passes[i].dispatch == Dispatch::indirect) {
            std::memcpy(&groups, scratch_arena().result(item.scratch).data() + plan.passes[i].indirectOffset, sizeof groups);
        }
        if (groups != 0) {
            kernels.push_back(module_name(plan.passes[i]));
        }
    }
    return kernels;
}

std::string describe(const PlanOverrides& overrides) {
    std::string text;
    const auto add = [&text](const char* name, uint32_t value) { text += unless_zero(name, value); };
    add("stall modulo", overrides.stallModulo);
    add("disorder modulo", overrides.disorderModulo);
    add("workgroup size", overrides.workgroupSize);
    add("keys a thread", overrides.keysPerThread);
    add("spin limit", overrides.spinLimit);
    add("rank", overrides.rank);
    add("stage rounds", overrides.stageRounds);
    add("drain groups", overrides.drainGroups);
    add("merge ways", overrides.mergeWays);
    add("tiles ahead", overrides.prefetchTiles);
    add("merge partition", overrides.mergePartition ? 1 : 0);
    add("partition workgroup size", overrides.partitionWorkgroupSize);
    add("partition keys a thread", overrides.partitionKeysPerThread);
    add("large workgroup size", overrides.largeWorkgroupSize);
    add("large keys a thread", overrides.largeKeysPerThread);
    add("left elements", overrides.leftElements);
    add("sweeps", static_cast<uint32_t>(overrides.sweeps));
    add("tile numbers", static_cast<uint32_t>(overrides.tileNumbers));
    add("many elements", overrides.manyElements);
    add("words not apart", overrides.ownSharedMemory ? 0 : 1);
    add("skewed bins", overrides.skewedBins ? 1 : 0);
    add("bucket args", overrides.bucketArgs ? 1 : 0);
    add("buckets at once", overrides.bucketsAtOnce);
    add("coarse bucket chunks", overrides.coarseBucketChunks);
    add("sample step", static_cast<uint32_t>(overrides.sampleStep));
    for (uint32_t i = 0; i < overrides.smaller.count; ++i) {
        const SmallerPlan& smaller = overrides.smaller.plans[i];
        add(vksortAlgorithmName(smaller.algorithm), static_cast<uint32_t>(smaller.mostElements));
    }
    add("sampled keys a thread", overrides.sampleKeysPerThread);
    add("indexed", overrides.indexed ? 1 : 0);
    add("no fallback", overrides.noFallback ? 1 : 0);
    add("levels", overrides.levels);
    return text;
}

std::string describe(const Limits& limits) {
    std::string text;
    const auto add = [&text](const char* name, uint32_t value) { text += unless_zero(name, value); };
    text += limits.features == Limits{}.features ? "" : ", features " + hex(limits.features, 4);
    add("shared memory", limits.shared_memory);
    add("invocations", limits.invocations);
    add("groups in x", limits.groups_x);
    add("as a GPU", limits.is_gpu ? 1 : 0);
    return text;
}

std::string describe_counts(uint64_t count, uint64_t max_count, const std::optional<uint32_t>& gpu_count) {
    std::string text = ", count " + std::to_string(count) + " of " + std::to_string(max_count);
    return gpu_count ? text + ", buffer says " + std::to_string(*gpu_count) : text;
}

std::string describe(const SortCase& sort) {
    std::string text = vksortAlgorithmName(sort.algorithm);
    text += std::string(" ") + KeyOrder{{.type = sort.key}, sort.ordering}.type_name();
    text += sort.argsort ? ", argsort" : sort.value_size > 0 ? ", values of " + std::to_string(sort.value_size) : "";
    text += sort.descending ? ", descending" : "";
    text += sort.discard_keys ? ", keys discarded" : "";
    text += std::string(", ") + name_of(sort.result);
    if (sort.begin_bit != 0 || sort.end_bit != 0) {
        text += ", bits " + std::to_string(sort.begin_bit) + ":" + std::to_string(sort.end_bit);
    }
    if (sort.stride != 0) {
        text += ", stride " + std::to_string(sort.stride) + " offset " + std::to_string(sort.offset);
    }
    text += describe_counts(sort.count, sort.capacity(), sort.gpu_count);
    text += !sort.ordered_keys.empty() ? ", " + sort.keys_name
            : sort.digit_mask          ? ", digits " + hex(*sort.digit_mask, 1)
                                       : std::string(", ") + name_of(sort.distribution);
    text += describe(sort.overrides);
    return text + describe(sort.limits);
}

std::string describe(const GatherCase& gather) {
    return "gather of records of " + std::to_string(gather.record_size) +
           describe_counts(gather.count, std::max(gather.count, gather.max_count), gather.gpu_count) + " from " +
           std::to_string(gather.record_count) + (gather.out_of_range ? ", some out of range" : "");
}

} // namespace vksort::test
