// SPDX-License-Identifier: MIT
#include "record.h"

#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "ops/ops.h"
#include "resolve.h"

namespace vksort {

namespace {

// One call of vksortCmd..., whatever the operation.
struct Request {
    const char* call;
    VkCommandBuffer commandBuffer;
    const VksortPlan_T& plan;
    const char* names[kSourceCountOf]; // as the public struct has them
    VksortBuffer buffers[kSourceCountOf];
    Arguments arguments;
    VkDescriptorPool descriptorPool;
    VksortPassCallback passCallback;
    void* passUser;
    VksortTimestamps timestamps;
    VksortPassRange passes;
};

// The descriptors of all bindings. Those that no pass uses at this count are bound to whatever is at hand.
struct Bindings {
    VkDescriptorBufferInfo infos[kBindingCountOf] = {};
    bool any = false; // false: nothing is bound, because there is nothing to do
};

// Reports misuse. Always false.
VKSORT_PRINTF(2, 3) bool refuse(const Request& request, const char* format, ...) {
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    Message message;
    message.format("%s recorded nothing: %s", request.call, reason);
    request.plan.context->report(VKSORT_SEVERITY_ERROR, message.text);
    return false;
}

unsigned long long printable(uint64_t value) { return value; }

struct Range {
    uint64_t begin = 0;
    uint64_t end = 0; // 0: the source is not used
};

bool check_source(const Request& request, Source source) {
    const VksortBuffer& buffer = request.buffers[index_of(source)];
    const char* name = request.names[index_of(source)];
    if (buffer.buffer == VK_NULL_HANDLE) {
        return refuse(request, "the plan needs the buffer `%s`, which is VK_NULL_HANDLE", name);
    }
    const uint64_t least = stands_at_any_word(source) ? 0 : request.plan.context->info.storageBufferOffsetAlignment;
    const uint64_t alignment = std::max(least, element_alignment(request.plan.plan, source));
    if (buffer.offset % alignment != 0) {
        return refuse(request, "the offset %llu of `%s` is not a multiple of %llu", printable(buffer.offset), name,
                      printable(alignment));
    }
    return true;
}

bool check_overlaps(const Request& request, const Range (&ranges)[kSourceCountOf]) {
    for (size_t a = 0; a < kSourceCountOf; ++a) {
        for (size_t b = a + 1; b < kSourceCountOf; ++b) {
            const VksortPlanDesc& desc = request.plan.plan.desc;
            const bool written = is_written(desc, static_cast<Source>(a)) || is_written(desc, static_cast<Source>(b));
            if (written && ranges[a].end != 0 && ranges[b].end != 0 &&
                request.buffers[a].buffer == request.buffers[b].buffer && ranges[a].begin < ranges[b].end &&
                ranges[b].begin < ranges[a].end) {
                return refuse(request, "`%s` and `%s` overlap in memory", request.names[a], request.names[b]);
            }
        }
    }
    return true;
}

// Checks a buffer that all plans of the recording share, and sets its range, whichever bindings each plan has in it.
bool add_range(const Request& request, Source source, uint64_t size, Range (&ranges)[kSourceCountOf]) {
    const uint64_t begin = request.buffers[index_of(source)].offset;
    ranges[index_of(source)] = {begin, begin + size};
    return check_source(request, source);
}

bool resolve_bindings(const Request& request, const Plan& plan, const Arguments& arguments, Bindings& bindings) {
    Range ranges[kSourceCountOf];
    if (const uint64_t size = request.plan.plan.info.scratchSize;
        size != 0 && !add_range(request, Source::scratch, size, ranges)) {
        return false;
    }
    if (request.plan.writes_commands() && !add_range(request, Source::commands, sizeof(VksortIndirectCommands), ranges)) {
        return false;
    }
    const BoundSizes sizes = bound_sizes(plan, arguments);
    for (uint32_t i = 0; i < kBindingCountOf; ++i) {
        const Binding& binding = plan.bindings[i];
        const uint64_t size = sizes.bytes[i];
        if (size == 0) {
            continue;
        }
        const size_t source = index_of(binding.source);
        if (ranges[source].end == 0 && !check_source(request, binding.source)) {
            return false;
        }
        const uint64_t largest = request.plan.context->info.maxStorageBufferRange;
        if (size > largest) {
            return refuse(request, "`%s` has %llu bytes, and the device can bind %llu", request.names[source],
                          printable(size), printable(largest));
        }
        const VksortBuffer& buffer = request.buffers[source];
        const uint64_t begin = buffer.offset + binding.offset;
        const uint64_t before = bytes_before(arguments, binding.source);
        bindings.infos[i] = {buffer.buffer, begin - before, size + before};
        ranges[source] = {buffer.offset, std::max(ranges[source].end, begin + size)};
    }
    bindings.any = sizes.any();
    for (uint32_t i = 0; bindings.any && i < kBindingCountOf; ++i) {
        if (sizes.bytes[i] == 0) {
            bindings.infos[i] = bindings.infos[sizes.standIn];
        }
    }
    return check_overlaps(request, ranges);
}

bool pushes_descriptors(const Request& request) { return request.plan.context->has(VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT); }

bool allocate_set(const Request& request, VkDescriptorSet& set) {
    const VksortContext_T& context = *request.plan.context;
    if (request.descriptorPool == VK_NULL_HANDLE) {
        return refuse(request, "without VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT a descriptorPool is needed");
    }
    VkDescriptorSetAllocateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = request.descriptorPool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &context.setLayout;
    if (const VkResult result = context.table.vkAllocateDescriptorSets(context.device, &info, &set); result != VK_SUCCESS) {
        return refuse(request, "the descriptorPool has no room for a set of %u storage buffers (VkResult %d)",
                      kBindingCountOf, static_cast<int>(result));
    }
    return true;
}

struct DescriptorWrites {
    VkWriteDescriptorSet writes[kBindingCountOf] = {};
    DescriptorWrites(const Bindings& bindings, VkDescriptorSet set) {
        for (uint32_t i = 0; i < kBindingCountOf; ++i) {
            writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            writes[i].dstSet = set;
            writes[i].dstBinding = i;
            writes[i].descriptorCount = 1;
            writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            writes[i].pBufferInfo = &bindings.infos[i];
        }
    }
};

// One of the plans of a recording.
struct Part {
    const Recordable* recorded = nullptr;
    Arguments arguments;
    Bindings bindings;
    VkDescriptorSet set = VK_NULL_HANDLE; // null with push descriptors
};

bool prepare_part(const Request& request, Part& part) {
    const VksortContext_T& context = *request.plan.context;
    if (!resolve_bindings(request, part.recorded->plan, part.arguments, part.bindings)) {
        return false;
    }
    // With no elements and no scratch there is nothing to bind or dispatch; the callback still sees every pass.
    if (part.bindings.any && !pushes_descriptors(request)) {
        if (!allocate_set(request, part.set)) {
            return false;
        }
        const DescriptorWrites descriptors(part.bindings, part.set);
        context.table.vkUpdateDescriptorSets(context.device, kBindingCountOf, descriptors.writes, 0, nullptr);
    }
    return true;
}

void bind_descriptors(const Request& request, const Part& part) {
    const VksortContext_T& context = *request.plan.context;
    if (pushes_descriptors(request)) {
        const DescriptorWrites descriptors(part.bindings, VK_NULL_HANDLE);
        context.table.vkCmdPushDescriptorSetKHR(request.commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                context.pipelineLayout, 0, kBindingCountOf, descriptors.writes);
    } else {
        context.table.vkCmdBindDescriptorSets(request.commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, context.pipelineLayout,
                                              0, 1, &part.set, 0, nullptr);
    }
}

void push_constants(const Request& request, const Arguments& arguments, const PushBlock& block) {
    alignas(uint32_t) unsigned char bytes[kMaxPushBytes];
    fill_push_constants(block, arguments, bytes);
    const VksortContext_T& context = *request.plan.context;
    context.table.vkCmdPushConstants(request.commandBuffer, context.pipelineLayout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                     block.size, bytes);
}

void record_barrier(const Request& request, const VksortExportedBarrier& wanted) {
    VkMemoryBarrier barrier = {};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = wanted.srcAccess;
    barrier.dstAccessMask = wanted.dstAccess;
    request.plan.context->table.vkCmdPipelineBarrier(request.commandBuffer, wanted.srcStages, wanted.dstStages, 0, 1,
                                                     &barrier, 0, nullptr, 0, nullptr);
}

void record_dispatch(const Request& request, const Counts& counts, const Pass& pass) {
    const VksortContext_T& context = *request.plan.context;
    if (pass.dispatch == Dispatch::indirect) {
        const VksortBuffer& scratch = request.buffers[index_of(Source::scratch)];
        context.table.vkCmdDispatchIndirect(request.commandBuffer, scratch.buffer, scratch.offset + pass.indirectOffset);
        return;
    }
    const VkDispatchIndirectCommand groups = dispatch_size(pass, counts.all(), context.info.maxWorkgroupCount[0]);
    if (groups.x != 0) {
        context.table.vkCmdDispatch(request.commandBuffer, groups.x, groups.y, groups.z);
    }
}

// A label around the commands that are recorded during its lifetime, for debuggers, if VK_EXT_debug_utils is enabled.
class Label {
public:
    Label(const Request& request, const char* name)
        : instance_(request.plan.context->instanceTable), commandBuffer_(request.commandBuffer) {
        if (instance_.vkCmdBeginDebugUtilsLabelEXT != nullptr) {
            VkDebugUtilsLabelEXT label = {};
            label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
            label.pLabelName = name;
            instance_.vkCmdBeginDebugUtilsLabelEXT(commandBuffer_, &label);
        }
    }
    ~Label() {
        if (instance_.vkCmdEndDebugUtilsLabelEXT != nullptr) {
            instance_.vkCmdEndDebugUtilsLabelEXT(commandBuffer_);
        }
    }
    Label(const Label&) = delete;
    Label& operator=(const Label&) = delete;

private:
    const InstanceTable& instance_;
    VkCommandBuffer commandBuffer_;
};

class Recorder {
public:
    // The plan tells of `passCount` dispatches. Until it is prepared it may have more, which the part with the last of these
    // has, too.
    Recorder(const Request& request, const Part* parts, uint32_t count, uint32_t passCount)
        : request_(request), parts_(parts), count_(count), firstPass_(request.passes.first) {
        const bool hasLast = request.passes.count == 0 || request.passes.count >= passCount - firstPass_;
        endPass_ = hasLast ? UINT32_MAX : firstPass_ + request.passes.count;
    }
    void record();

private:
    void record_pass(const Part& part, const Pass& pass);
    void tell(VksortPassEvent event, const char* name) const;
    void write_timestamp(uint32_t index) const;

    const Request& request_;
    const Part* parts_;
    uint32_t count_;
    uint32_t firstPass_;
    uint32_t endPass_;
    const Plan* plans_[kMostRecorded] = {};
    uint32_t passIndex_ = 0;
    const Part* bound_ = nullptr;
    uint32_t boundBlock_ = 0; // of its push constants
};

void Recorder::tell(VksortPassEvent event, const char* name) const {
    if (request_.passCallback != nullptr) {
        request_.passCallback(request_.passUser, request_.commandBuffer, event, passIndex_, name);
    }
}

void Recorder::write_timestamp(uint32_t index) const {
    const VksortTimestamps& timestamps = request_.timestamps;
    if (timestamps.queryPool != VK_NULL_HANDLE) {
        request_.plan.context->table.vkCmdWriteTimestamp(request_.commandBuffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                                         timestamps.queryPool, timestamps.firstQuery + index);
    }
}

void Recorder::record_pass(const Part& part, const Pass& pass) {
    const VksortContext_T& context = *request_.plan.context;
    if (part.bindings.any) {
        const VkPipeline pipeline = part.recorded->pipelines[&pass - part.recorded->plan.passes];
        context.table.vkCmdBindPipeline(request_.commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        const bool isOther = bound_ != &part;
        if (isOther) {
            bind_descriptors(request_, part);
        }
        if (isOther || pass.pushBlock != boundBlock_) {
            push_constants(request_, part.arguments, part.recorded->plan.push[pass.pushBlock]);
        }
        bound_ = &part;
        boundBlock_ = pass.pushBlock;
        // All else in the push constants stays as it is from pass to pass.
        context.table.vkCmdPushConstants(request_.commandBuffer, context.pipelineLayout, VK_SHADER_STAGE_COMPUTE_BIT,
                                         offsetof(PushHeader, pass), sizeof pass.digitPass, &pass.digitPass);
    }
    tell(VKSORT_PASS_BEGIN, pass.name);
    if (part.bindings.any) {
        const Label label(request_, pass.name);
        record_dispatch(request_, part.arguments.counts, pass);
    }
    tell(VKSORT_PASS_END, pass.name);
    write_timestamp(1 + passIndex_);
}

void Recorder::record() {
    bool dispatches = false;
    for (uint32_t i = 0; i < count_; ++i) {
        plans_[i] = &parts_[i].recorded->plan;
        dispatches = dispatches || parts_[i].bindings.any;
    }
    const Label label(request_, request_.call);
    if (firstPass_ == 0) {
        write_timestamp(0);
    }
    Barriers barriers(plans_, count_, request_.plan.separatesPasses, firstPass_);
    for_each_pass(plans_, count_, [&](uint32_t part, const Pass& pass) {
        if (passIndex_ >= firstPass_ && passIndex_ < endPass_) {
            const VksortExportedBarrier barrier = barriers.before(passIndex_, pass);
            if (barrier.srcStages != 0 && dispatches) {
                record_barrier(request_, barrier);
            }
            record_pass(parts_[part], pass);
        }
        ++passIndex_;
    });
}

// Records if the counts that the caller gives, and all else, are right.
void record_for(Request& request, const Counts& given) {
    const uint64_t alignment = request.plan.context->info.storageBufferOffsetAlignment;
    request.arguments.counts = counts_in_use(request.plan.plan.desc, given);
    request.arguments.countOffset = request.buffers[index_of(Source::count)].offset % alignment;
    request.arguments.commandsOffset = request.buffers[index_of(Source::commands)].offset % alignment;
    const Counts largest = counts_of(request.plan.plan.desc);
    const auto within = [&request](const char* name, uint64_t count, const char* maxName, uint64_t max) {
        return count <= max ||
               refuse(request, "%s %llu is above the plan's %s %llu", name, printable(count), maxName, printable(max));
    };
    const bool merge = request.plan.plan.desc.operation == VKSORT_OPERATION_MERGE;
    if (!within(merge ? "countA" : "count", request.arguments.counts.elements, "maxCount", largest.elements) ||
        !within("countB", request.arguments.counts.second, "maxCountB", largest.second) ||
        !within("segmentCount", request.arguments.counts.segments, "maxSegments", largest.segments)) {
        return;
    }
    const Recordable* recorded[kMostRecorded] = {};
    Part parts[kMostRecorded];
    const uint32_t count = request.plan.list(request.plan.current(), recorded);
    for (uint32_t i = 0; i < count; ++i) {
        parts[i].recorded = recorded[i];
        parts[i].arguments = arguments_of(recorded[i]->plan, request.arguments);
    }
    const uint32_t passCount = request.plan.pass_count();
    if (request.passes.first >= passCount) {
        refuse(request, "passes.first %u is not below the plan's %u dispatches", request.passes.first, passCount);
        return;
    }
    for (uint32_t i = count; i > 0; --i) { // the larger ones first, since the smaller ones need less of each buffer
        if (!prepare_part(request, parts[i - 1])) {
            return;
        }
    }
    Recorder(request, parts, count, passCount).record();
}

bool check_call(const Request& request, VksortOperation operation, const void* reserved) {
    if (request.plan.plan.desc.operation != operation) {
        return refuse(request, "the plan is of another operation");
    }
    if (request.commandBuffer == VK_NULL_HANDLE) {
        return refuse(request, "commandBuffer is VK_NULL_HANDLE");
    }
    if (reserved != nullptr) {
        return refuse(request, "the reserved field must be null");
    }
    return true;
}

// The fields that every struct of buffers has.
template <typename Buffers>
Request request_of(const char* call, VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const Buffers& buffers) {
    return {call,
            commandBuffer,
            plan,
            {},
            {},
            {},
            buffers.descriptorPool,
            buffers.passCallback,
            buffers.passUser,
            buffers.timestamps,
            buffers.passes};
}

void set(Request& request, Source source, const char* name, const VksortBuffer& buffer) {
    request.names[index_of(source)] = name;
    request.buffers[index_of(source)] = buffer;
}

// Buffers that sorts and segmented sorts have.
template <typename Buffers> void set_sort_buffers(Request& request, const Buffers& buffers) {
    set(request, Source::keys, "keys", buffers.keys);
    set(request, Source::values, "values", buffers.values);
    set(request, Source::keys_out, "keysOut", buffers.keysOut);
    set(request, Source::values_out, "valuesOut", buffers.valuesOut);
    set(request, Source::scratch, "scratch", buffers.scratch);
    set(request, Source::count, "countBuffer", buffers.countBuffer);
    set(request, Source::commands, "commands", buffers.commands);
}

} // namespace

void record_sort(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortSortBuffers& buffers) {
    Request request = request_of("vksortCmdSort", commandBuffer, plan, buffers);
    set_sort_buffers(request, buffers);
    set(request, Source::keys_alternate, "keysAlternate", buffers.keysAlternate);
    set(request, Source::values_alternate, "valuesAlternate", buffers.valuesAlternate);
    if (!check_call(request, VKSORT_OPERATION_SORT, buffers.reserved)) {
        return;
    }
    record_for(request, {buffers.count});
}

void record_gather(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortGatherBuffers& buffers) {
    Request request = request_of("vksortCmdGather", commandBuffer, plan, buffers);
    set(request, Source::keys, "indices", buffers.indices);
    set(request, Source::values, "records", buffers.records);
    set(request, Source::values_out, "out", buffers.out);
    set(request, Source::count, "countBuffer", buffers.countBuffer);
    set(request, Source::commands, "commands", buffers.commands);
    if (!check_call(request, VKSORT_OPERATION_GATHER, buffers.reserved)) {
        return;
    }
    request.arguments.recordCount = buffers.recordCount != 0 ? buffers.recordCount : plan.plan.info.maxCount;
    record_for(request, {buffers.count});
}

void record_merge(VkCommandBuffer commandBuffer, const VksortPlan_T& plan, const VksortMergeBuffers& buffers) {
    Request request = request_of("vksortCmdMerge", commandBuffer, plan, buffers);
    set(request, Source::keys, "keysA", buffers.keysA);
    set(request, Source::values, "valuesA", buffers.valuesA);
    set(request, Source::second_keys, "keysB", buffers.keysB);
    set(request, Source::second_values, "valuesB", buffers.valuesB);
    set(request, Source::keys_out, "keysOut", buffers.keysOut);
    set(request, Source::values_out, "valuesOut", buffers.valuesOut);
    set(request, Source::scratch, "scratch", buffers.scratch);
    set(request, Source::count, "countBuffer", buffers.countBuffer);
    set(request, Source::commands, "commands", buffers.commands);
    if (!check_call(request, VKSORT_OPERATION_MERGE, buffers.reserved)) {
        return;
    }
    record_for(request, {buffers.countA, buffers.countB});
}

void record_segmented_sort(VkCommandBuffer commandBuffer, const VksortPlan_T& plan,
                           const VksortSegmentedSortBuffers& buffers) {
    Request request = request_of("vksortCmdSegmentedSort", commandBuffer, plan, buffers);
    set_sort_buffers(request, buffers);
    set(request, Source::segments, "segments", buffers.segments);
    if (!check_call(request, VKSORT_OPERATION_SEGMENTED_SORT, buffers.reserved)) {
        return;
    }
    record_for(request, {buffers.count, 0, buffers.segmentCount});
}

} // namespace vksort
