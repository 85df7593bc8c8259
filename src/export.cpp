// SPDX-License-Identifier: MIT
#include "export.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>

#include "comparator.h"
#include "describe.h"
#include "device_info.h"
#include "ops/ops.h"
#include "pipelines.h"
#include "resolve.h"
#include "tuning.h"

namespace vksort {

namespace {

static_assert(VKSORT_EXPORT_BINDINGS == kBindingCountOf && VKSORT_EXPORT_PUSH_BYTES == kMaxPushBytes);
static_assert(VKSORT_EXPORT_BUFFERS + 1 == kSourceCountOf);

constexpr uint64_t kMostCountWords = uint64_t{1} << (32 - kCountWordShift);

VksortExportBuffer buffer_of(Source source) { return static_cast<VksortExportBuffer>(index_of(source) - 1); }
static_assert(index_of(Source::keys) == VKSORT_EXPORT_BUFFER_KEYS + 1 &&
              index_of(Source::values) == VKSORT_EXPORT_BUFFER_VALUES + 1 &&
              index_of(Source::keys_alternate) == VKSORT_EXPORT_BUFFER_KEYS_ALTERNATE + 1 &&
              index_of(Source::values_alternate) == VKSORT_EXPORT_BUFFER_VALUES_ALTERNATE + 1 &&
              index_of(Source::keys_out) == VKSORT_EXPORT_BUFFER_KEYS_OUT + 1 &&
              index_of(Source::values_out) == VKSORT_EXPORT_BUFFER_VALUES_OUT + 1 &&
              index_of(Source::scratch) == VKSORT_EXPORT_BUFFER_SCRATCH + 1 &&
              index_of(Source::count) == VKSORT_EXPORT_BUFFER_COUNT + 1 &&
              index_of(Source::segments) == VKSORT_EXPORT_BUFFER_SEGMENTS + 1 &&
              index_of(Source::second_keys) == VKSORT_EXPORT_BUFFER_KEYS_B + 1 &&
              index_of(Source::second_values) == VKSORT_EXPORT_BUFFER_VALUES_B + 1 &&
              index_of(Source::commands) == VKSORT_EXPORT_BUFFER_COMMANDS + 1);

// A pass among those of all plans.
struct PlannedPass {
    uint32_t plan = 0; // its index
    const Pass* pass = nullptr;
    uint32_t pipeline = 0;
};

// What the caller sees, and behind it what new counts are worked out from. One block of memory, in which the arrays stand,
// too.
struct ExportedPlan : VksortExportedPlan {
    explicit ExportedPlan(const VkAllocationCallbacks* callbacks) : VksortExportedPlan{}, allocator(callbacks) {}

    HostAllocator allocator;
    VksortDeviceInfo device = {};
    Plan* plans = nullptr; // setCount of them
    PlannedPass* planned = nullptr;
    VksortExportedSet* sets = nullptr;
    VksortExportedPass* passes = nullptr;
    unsigned char* push = nullptr; // kMaxPushBytes a pass
};

// Deals out parts of a block of memory, or only adds up their sizes while there is none.
class Block {
public:
    explicit Block(unsigned char* memory = nullptr) : memory_(memory) {}
    template <typename T> T* take(size_t count) {
        size_ = (size_ + alignof(T) - 1) / alignof(T) * alignof(T);
        unsigned char* const at = memory_ != nullptr ? memory_ + size_ : nullptr;
        size_ += count * sizeof(T);
        return reinterpret_cast<T*>(at);
    }
    size_t size() const { return size_; }

private:
    unsigned char* memory_;
    size_t size_ = 0;
};

// The passes of all plans in the order of recording, with the pipelines and modules that differ.
struct Contents {
    const RecordedPlans& recorded;
    PlannedPass passes[kMostRecorded * VKSORT_MAX_PASSES];
    uint32_t passCount = 0;
    const Pass* pipelines[kMostRecorded * VKSORT_MAX_PASSES]; // the first pass that has each
    uint32_t pipelineCount = 0;
    bool choosesChecks;

    Contents(const RecordedPlans& plans, const VksortDeviceInfo& device)
        : recorded(plans), choosesChecks((device.features & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) != 0) {
        for_each_pass(recorded.plans, recorded.count, [this](uint32_t plan, const Pass& pass) {
            passes[passCount++] = {plan, &pass, pipeline_of(pass)};
        });
    }

    uint32_t pipeline_of(const Pass& pass) {
        const PipelineKey key = pipeline_key(pass, choosesChecks);
        for (uint32_t i = 0; i < pipelineCount; ++i) {
            if (pipeline_key(*pipelines[i], choosesChecks) == key) {
                return i;
            }
        }
        pipelines[pipelineCount] = &pass;
        return pipelineCount++;
    }

    // The first pipeline of the same module, which may be `pipeline` itself.
    uint32_t module_owner(uint32_t pipeline) const {
        uint32_t i = 0;
        while (&module_of(*pipelines[i]) != &module_of(*pipelines[pipeline])) {
            ++i;
        }
        return i;
    }
};

// The library's own words are handed out where they are, unless they are compressed or to be changed.
bool copies_code(const ShaderModule& shader, const Pass& pass, bool keepsLoops) {
    return keepsLoops || shader.compressed != nullptr || pass.comparator != VK_NULL_HANDLE;
}

struct Arrays {
    ExportedPlan* exported = nullptr;
    VksortExportedPipeline* pipelines = nullptr;
    VkSpecializationMapEntry* entries = nullptr; // kSpecCountOf, the same for all pipelines
    uint32_t* constants = nullptr;               // kSpecCountOf a pipeline
    uint32_t* words = nullptr;                   // of all modules that are copied
};

Arrays take_arrays(Block& block, const Contents& contents, bool keepsLoops) {
    Arrays arrays;
    arrays.exported = block.take<ExportedPlan>(1);
    Plan* const plans = block.take<Plan>(contents.recorded.count);
    PlannedPass* const planned = block.take<PlannedPass>(contents.passCount);
    auto* const sets = block.take<VksortExportedSet>(contents.recorded.count);
    auto* const passes = block.take<VksortExportedPass>(contents.passCount);
    arrays.pipelines = block.take<VksortExportedPipeline>(contents.pipelineCount);
    arrays.entries = block.take<VkSpecializationMapEntry>(kSpecCountOf);
    arrays.constants = block.take<uint32_t>(size_t{contents.pipelineCount} * kSpecCountOf);
    auto* const push = reinterpret_cast<unsigned char*>(
        block.take<uint32_t>(size_t{contents.passCount} * kMaxPushBytes / sizeof(uint32_t)));
    size_t words = 0;
    for (uint32_t i = 0; i < contents.pipelineCount; ++i) {
        const Pass& pass = *contents.pipelines[i];
        if (contents.module_owner(i) == i && copies_code(module_of(pass), pass, keepsLoops)) {
            words += module_of(pass).wordCount;
        }
    }
    arrays.words = block.take<uint32_t>(words);
    if (arrays.exported != nullptr) {
        arrays.exported->plans = plans;
        arrays.exported->planned = planned;
        arrays.exported->sets = sets;
        arrays.exported->passes = passes;
        arrays.exported->push = push;
    }
    return arrays;
}

VkResult fill_pipelines(const Contents& contents, const Arrays& arrays, bool keepsLoops) {
    const VksortDeviceInfo& device = arrays.exported->device;
    const bool sizeControl = (device.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
    for (uint32_t i = 0; i < kSpecCountOf; ++i) {
        arrays.entries[i] = {i, i * 4, 4};
    }
    uint32_t* words = arrays.words;
    for (uint32_t i = 0; i < contents.pipelineCount; ++i) {
        const Pass& pass = *contents.pipelines[i];
        const ShaderModule& shader = module_of(pass);
        const PipelineKey key = pipeline_key(pass, contents.choosesChecks);
        const SubgroupDemand demand = subgroup_demand(key, sizeControl, device.canRequireSubgroupSize != VK_FALSE);
        uint32_t* const constants = arrays.constants + size_t{i} * kSpecCountOf;
        std::copy(std::begin(key.specialization), std::end(key.specialization), constants);
        VksortExportedPipeline& pipeline = arrays.pipelines[i];
        pipeline = {};
        pipeline.kernel = shader.name;
        pipeline.specialization = {kSpecCountOf, arrays.entries, sizeof key.specialization, constants};
        pipeline.requiredSubgroupSize = demand.size;
        pipeline.fullSubgroups = demand.full ? VK_TRUE : VK_FALSE;
        pipeline.workgroupSize = key.specialization[kSpecWorkgroupSize];
        pipeline.robustBufferAccess = key.checked ? VK_TRUE : VK_FALSE;
        if (const uint32_t owner = contents.module_owner(i); owner != i) {
            pipeline.spirv = arrays.pipelines[owner].spirv;
            continue;
        }
        pipeline.spirv = {shader.words, shader.wordCount};
        if (copies_code(shader, pass, keepsLoops)) {
            const VkResult result = copy_code(shader, keepsLoops, arrays.exported->allocator, words);
            if (result != VK_SUCCESS) {
                return result;
            }
            pipeline.spirv.pWords = words;
            words += shader.wordCount;
        }
    }
    return VK_SUCCESS;
}

// What does not depend on counts.
void fill_passes(const Contents& contents, bool separatesPasses, ExportedPlan& exported) {
    for (uint32_t i = 0; i < contents.recorded.count; ++i) {
        new (&exported.plans[i]) Plan(*contents.recorded.plans[i]);
    }
    Barriers barriers(contents.recorded.plans, contents.recorded.count, separatesPasses);
    for (uint32_t i = 0; i < contents.passCount; ++i) {
        const PlannedPass& planned = contents.passes[i];
        const Plan& original = *contents.recorded.plans[planned.plan];
        const Plan& copy = exported.plans[planned.plan];
        exported.planned[i] = planned;
        exported.planned[i].pass = copy.passes + (planned.pass - original.passes);
        VksortExportedPass& pass = exported.passes[i];
        pass = {};
        pass.name = planned.pass->name;
        pass.pipeline = planned.pipeline;
        pass.set = planned.plan;
        pass.barrier = barriers.before(i, *planned.pass);
        pass.pPush = exported.push + size_t{i} * kMaxPushBytes;
        pass.pushSize = copy.push[planned.pass->pushBlock].size;
    }
}

// The plan for the maximum of the counts, which the others are for parts of.
const Plan& last_plan(const ExportedPlan& exported) { return exported.plans[exported.plans[0].place.plans - 1]; }

// What the caller's buffers have to hold.
void fill_buffers(ExportedPlan& exported, const Arguments& last) {
    const Plan& plan = last_plan(exported);
    for (uint32_t i = 0; i < VKSORT_EXPORT_BUFFERS; ++i) {
        const auto source = static_cast<Source>(i + 1);
        VksortExportedBuffer& buffer = exported.buffers[i];
        buffer = {};
        buffer.alignment = std::max<uint64_t>(exported.device.storageBufferOffsetAlignment, element_alignment(plan, source));
        buffer.isWritten = is_written(plan.desc, source) ? VK_TRUE : VK_FALSE;
    }
    exported.buffers[VKSORT_EXPORT_BUFFER_SCRATCH].size = plan.info.scratchSize;
    for (uint32_t i = 0; i < exported.setCount; ++i) {
        const BoundSizes sizes = bound_sizes(exported.plans[i], arguments_of(exported.plans[i], last));
        for (uint32_t binding = 0; binding < kBindingCountOf; ++binding) {
            if (sizes.bytes[binding] != 0) {
                const Binding& bound = exported.plans[i].bindings[binding];
                uint64_t& size = exported.buffers[buffer_of(bound.source)].size;
                size = std::max(size, bound.offset + bytes_before(last, bound.source) + sizes.bytes[binding]);
            }
        }
    }
}

void fill_set(const Plan& plan, const Arguments& arguments, const BoundSizes& sizes, VksortExportedSet& set) {
    for (uint32_t i = 0; i < kBindingCountOf; ++i) {
        const uint32_t from = sizes.bytes[i] != 0 ? i : sizes.standIn;
        set.bindings[i] = {};
        if (sizes.any()) {
            const Binding& binding = plan.bindings[from];
            set.bindings[i].buffer = buffer_of(binding.source);
            set.bindings[i].offset = binding.offset;
            set.bindings[i].size = sizes.bytes[from] + bytes_before(arguments, binding.source);
        }
    }
}

void fill_counts(ExportedPlan& exported, const Arguments& last) {
    fill_buffers(exported, last);
    bool hasBindings[kMostRecorded] = {};
    for (uint32_t i = 0; i < exported.setCount; ++i) {
        const Plan& plan = exported.plans[i];
        const Arguments arguments = arguments_of(plan, last);
        const BoundSizes sizes = bound_sizes(plan, arguments);
        hasBindings[i] = sizes.any();
        fill_set(plan, arguments, sizes, exported.sets[i]);
    }
    for (uint32_t i = 0; i < exported.passCount; ++i) {
        const Plan& plan = exported.plans[exported.planned[i].plan];
        const Pass& planned = *exported.planned[i].pass;
        const Arguments arguments = arguments_of(plan, last);
        VksortExportedPass& pass = exported.passes[i];
        unsigned char* const push = exported.push + size_t{i} * kMaxPushBytes;
        fill_push_constants(plan.push[planned.pushBlock], arguments, push);
        std::memcpy(push + offsetof(PushHeader, pass), &planned.digitPass, sizeof planned.digitPass);
        pass.isIndirect = VK_FALSE;
        pass.groups = {};
        pass.indirectOffset = 0;
        if (hasBindings[exported.planned[i].plan] && planned.dispatch == Dispatch::indirect) {
            pass.isIndirect = VK_TRUE;
            pass.indirectOffset = planned.indirectOffset;
        } else if (hasBindings[exported.planned[i].plan]) {
            pass.groups = dispatch_size(planned, arguments.counts.all(), exported.device.maxWorkgroupCount[0]);
        }
    }
}

Counts given_counts(const VksortExportArguments& given) { return {given.count, given.countB, given.segmentCount}; }

// Whether a plan can be executed with these.
bool can_use(const ExportedPlan& exported, const VksortExportArguments& given, const Arguments& arguments) {
    const Plan& plan = last_plan(exported);
    const Counts largest = counts_of(plan.desc);
    const auto is_word_in_reach = [&exported](uint32_t offset) {
        return offset % 4 == 0 && offset < std::max<uint64_t>(exported.device.storageBufferOffsetAlignment, 4);
    };
    if (!is_word_in_reach(given.countOffset) || given.countOffset / 4 >= kMostCountWords ||
        !is_word_in_reach(given.commandsOffset) || arguments.counts.elements > largest.elements ||
        arguments.counts.second > largest.second || arguments.counts.segments > largest.segments) {
        return false;
    }
    const BoundSizes sizes = bound_sizes(plan, arguments);
    return *std::max_element(std::begin(sizes.bytes), std::end(sizes.bytes)) <= exported.device.maxStorageBufferRange;
}

} // namespace

VkResult export_plan(const VksortDeviceInfo& offered, const VksortPlanDesc& given, const PlanOverrides& overrides,
                     const VkAllocationCallbacks* callbacks, VksortExportedPlan*& exported, Message& message) {
    const VksortDeviceInfo device = narrow_device_info(offered, offered.features); // as a context has it
    VksortPlanDesc desc = given;
    desc.flags &= ~VkFlags{VKSORT_PLAN_PREPARE_LATER_BIT};
    Plan plan;
    if (const VkResult result = make_plan(device, desc, overrides, plan, message); result != VK_SUCCESS) {
        return result;
    }
    const RecordedPlans recorded(device, overrides, plan);
    const Contents contents(recorded, device);
    const bool keepsLoops = is_cpu(device);
    Block sizes;
    take_arrays(sizes, contents, keepsLoops);
    const HostAllocator allocator(callbacks);
    auto* const memory = static_cast<unsigned char*>(allocator.allocate(sizes.size(), alignof(ExportedPlan)));
    if (memory == nullptr) {
        message.format("no host memory for an exported plan of %llu bytes", static_cast<unsigned long long>(sizes.size()));
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    auto* const made = new (memory) ExportedPlan(callbacks);
    Block block(memory);
    const Arrays arrays = take_arrays(block, contents, keepsLoops);
    made->device = device;
    made->info = plan.info;
    made->info.passCount = contents.passCount;
    made->passCount = contents.passCount;
    made->setCount = recorded.count;
    made->pipelineCount = contents.pipelineCount;
    made->pPipelines = arrays.pipelines;
    made->pSets = made->sets;
    made->pPasses = made->passes;
    if (const VkResult result = fill_pipelines(contents, arrays, keepsLoops); result != VK_SUCCESS) {
        message.format("a compressed kernel could not be inflated (VkResult %d)", static_cast<int>(result));
        free_exported_plan(*made);
        return result;
    }
    fill_passes(contents, overrides.separatesPasses && plan.place.is_shared(), *made);
    Arguments largest;
    largest.counts = counts_of(desc);
    largest.recordCount = desc.maxCount;
    fill_counts(*made, largest);
    exported = made;
    return VK_SUCCESS;
}

VkResult set_export_arguments(VksortExportedPlan& exported, const VksortExportArguments& given) {
    auto& plan = static_cast<ExportedPlan&>(exported);
    Arguments arguments;
    arguments.counts = counts_in_use(last_plan(plan).desc, given_counts(given));
    arguments.recordCount = given.recordCount != 0 ? given.recordCount : plan.info.maxCount;
    arguments.countOffset = given.countOffset;
    arguments.commandsOffset = given.commandsOffset;
    if (!can_use(plan, given, arguments)) {
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    fill_counts(plan, arguments);
    return VK_SUCCESS;
}

void free_exported_plan(VksortExportedPlan& exported) {
    auto& plan = static_cast<ExportedPlan&>(exported);
    const HostAllocator allocator = plan.allocator;
    plan.~ExportedPlan();
    allocator.release(&plan);
}

} // namespace vksort
