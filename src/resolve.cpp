// SPDX-License-Identifier: MIT
#include "resolve.h"

#include <algorithm>
#include <cstring>

#include "describe.h"
#include "ops/ops.h"

namespace vksort {

Counts counts_in_use(const VksortPlanDesc& desc, const Counts& given) {
    const Counts largest = counts_of(desc);
    const bool countsOnGpu = (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0;
    const bool segmentsOnGpu = (desc.flags & VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT) != 0;
    const bool segmented = desc.operation == VKSORT_OPERATION_SEGMENTED_SORT && desc.segments != VKSORT_SEGMENTS_HEAD_FLAGS;
    Counts counts;
    counts.elements = countsOnGpu ? largest.elements : given.elements;
    if (desc.operation == VKSORT_OPERATION_MERGE) {
        counts.second = countsOnGpu ? largest.second : given.second;
    }
    if (segmented) {
        counts.segments = segmentsOnGpu ? largest.segments : given.segments;
    }
    return counts;
}

Arguments arguments_of(const Plan& plan, const Arguments& last) {
    Arguments arguments = last;
    if (!plan.place.is_last()) {
        arguments.counts = counts_of(plan.desc);
    }
    return arguments;
}

uint64_t element_alignment(const Plan& plan, Source source) {
    const bool gather = plan.desc.operation == VKSORT_OPERATION_GATHER;
    switch (source) {
    case Source::keys:
    case Source::keys_alternate:
    case Source::keys_out:
    case Source::second_keys: return gather ? 4 : std::max(vksortKeySize(plan.desc.keyType), 4u);
    case Source::values:
    case Source::values_alternate:
    case Source::values_out:
    case Source::second_values: return plan.desc.valueSize == 8 || plan.desc.valueSize == 16 ? plan.desc.valueSize : 4;
    case Source::scratch: return plan.info.scratchAlignment;
    default: return 4;
    }
}

bool is_written(const VksortPlanDesc& desc, Source source) {
    switch (source) {
    case Source::keys:
    case Source::values: return desc.operation != VKSORT_OPERATION_GATHER && desc.result != VKSORT_RESULT_SEPARATE;
    case Source::count:
    case Source::segments:
    case Source::second_keys:
    case Source::second_values: return false;
    default: return true;
    }
}

BoundSizes bound_sizes(const Plan& plan, const Arguments& arguments) {
    const bool gather = plan.desc.operation == VKSORT_OPERATION_GATHER;
    BoundSizes sizes;
    bool standInIsWritten = false;
    for (uint32_t i = 0; i < kBindingCountOf; ++i) {
        const Binding& binding = plan.bindings[i];
        if (binding.source == Source::none) {
            continue;
        }
        if (gather && binding.source == Source::values) {
            sizes.bytes[i] = arguments.counts.elements != 0 ? binding.size({arguments.recordCount}) : 0;
        } else {
            sizes.bytes[i] = binding.size(arguments.counts);
        }
        // Bindings that kernels declare writable must not point to inputs, which other recordings may be reading.
        const bool written = is_written(plan.desc, binding.source);
        if (sizes.bytes[i] != 0 && (!sizes.any() || (written && !standInIsWritten))) {
            sizes.standIn = i;
            standInIsWritten = written;
        }
    }
    return sizes;
}

void fill_push_constants(const PushBlock& block, const Arguments& arguments, unsigned char* bytes) {
    std::memcpy(bytes, block.bytes, block.size);
    const auto set_word = [bytes](size_t offset, uint64_t value) {
        const auto word = static_cast<uint32_t>(value);
        std::memcpy(bytes + offset, &word, sizeof word);
    };
    PushHeader header;
    std::memcpy(&header, bytes, sizeof header);
    header.count = static_cast<uint32_t>(arguments.counts.elements);
    header.flags |= static_cast<uint32_t>(arguments.countOffset / 4) << kCountWordShift;
    std::memcpy(bytes, &header, sizeof header);
    if (block.kind == PushKind::gather) {
        set_word(offsetof(GatherPush, recordCount), arguments.recordCount);
    } else if (block.kind == PushKind::merge) {
        set_word(offsetof(MergePush, countB), arguments.counts.second);
        set_word(offsetof(MergePush, segmentCount), arguments.counts.segments);
    } else if (block.kind == PushKind::commands) {
        set_word(offsetof(CommandsPush, commandWord), arguments.commandsOffset / 4);
    }
}

VkDispatchIndirectCommand dispatch_size(const Pass& pass, uint64_t count, uint32_t maxGroupsX) {
    const uint64_t groups = workgroups_of(pass, count);
    if (groups == 0) {
        return {};
    }
    // Folded into two dimensions where one is too short; the kernels let the surplus workgroups leave.
    const uint64_t rows = (groups - 1) / maxGroupsX + 1;
    const uint64_t columns = (groups - 1) / rows + 1;
    return {static_cast<uint32_t>(columns), static_cast<uint32_t>(rows), 1};
}

bool Barriers::has_indirect(uint32_t step) const {
    bool isIndirect = false;
    for_each_pass(plans_, count_, [&](uint32_t, const Pass& pass) {
        isIndirect = isIndirect || (pass.step == step && pass.dispatch == Dispatch::indirect);
    });
    return isIndirect;
}

// Makes what all earlier passes wrote visible to the next ones, and lets them overwrite what those read. Indirect commands
// are waited for only where one follows and sizes have been written since: that costs an NVIDIA H200 one to two
// microseconds.
VksortExportedBarrier Barriers::before(uint32_t passIndex, const Pass& pass) {
    VksortExportedBarrier barrier = {};
    const bool begins = passIndex == firstPass_ || pass.step != step_ || separatesPasses_;
    if (begins && passIndex > 0) {
        barrier.srcStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        barrier.srcAccess = VK_ACCESS_SHADER_WRITE_BIT;
        barrier.dstStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        barrier.dstAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
        const bool isIndirect = has_indirect(pass.step);
        if ((argsWritten_ || separatesPasses_) && isIndirect) {
            barrier.dstStages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
            barrier.dstAccess |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
        }
        argsWritten_ = argsWritten_ && !isIndirect;
    }
    step_ = pass.step;
    argsWritten_ = argsWritten_ || pass.writesArgs;
    return barrier;
}

} // namespace vksort
