// SPDX-License-Identifier: MIT
#include "plan.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "key_traits.h"
#include "ops/ops.h"
#include "select.h"
#include "shader_table.h"

namespace vksort {

// Sizes of dispatches stand before all that plans of one recording share, since a plan that does not sort clears its own.
PlanBuilder::PlanBuilder(const VksortDeviceInfo& deviceInfo, const PlanOverrides& planOverrides, Plan& target)
    : device(deviceInfo), overrides(planOverrides), scratch(deviceInfo), plan(target) {
    if (plan.place.is_shared()) {
        scratch.add(plan.place.plans * scratch.aligned(sizeof(IndirectArgs)));
    }
}

void PlanBuilder::bind_args() {
    if (plan.place.is_shared()) {
        Binding& binding = bind(kBindingArgs, Source::scratch, 0, sizeof(IndirectArgs));
        binding.offset = plan.place.index * scratch.aligned(sizeof(IndirectArgs));
    } else {
        bind_scratch(kBindingArgs, 0, sizeof(IndirectArgs));
    }
}

Pass& PlanBuilder::add_pass(const char* name, ModuleId module) {
    Pass& pass = plan.passes[plan.info.passCount++];
    pass = {};
    pass.name = name;
    pass.module = module;
    pass.step = plan.steps++;
    return pass;
}

Counts counts_of(const VksortPlanDesc& desc) {
    Counts counts;
    counts.elements = desc.maxCount;
    if (desc.operation == VKSORT_OPERATION_MERGE) {
        counts.second = desc.maxCountB;
    }
    if (desc.operation == VKSORT_OPERATION_SEGMENTED_SORT) {
        counts.segments = desc.maxSegments;
    }
    return counts;
}

Binding& PlanBuilder::bind(uint32_t binding, Source source, uint64_t elementSize, uint64_t fixedSize) {
    Binding& target = plan.bindings[binding];
    target = {};
    target.source = source;
    target.elementSize = elementSize;
    target.fixedSize = fixedSize;
    return target;
}

Binding& PlanBuilder::bind_scratch(uint32_t binding, uint64_t elementSize, uint64_t fixedSize, uint32_t slackDivisor) {
    Binding& target = bind(binding, Source::scratch, elementSize, fixedSize);
    target.slackDivisor = slackDivisor;
    target.offset = scratch.add(target.size(counts_of(plan.desc)));
    return target;
}

void PlanBuilder::size_by_args(Pass& pass, uint64_t offset) const {
    pass.dispatch = Dispatch::indirect;
    pass.indirectOffset = plan.bindings[kBindingArgs].offset + offset;
}

void PlanBuilder::move_to_step(uint32_t first, uint32_t step) {
    for (uint32_t i = first; i < plan.info.passCount; ++i) {
        plan.passes[i].step = step + i - first;
    }
    plan.steps = 0;
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        plan.steps = std::max(plan.steps, plan.passes[i].step + 1);
    }
}

void PlanBuilder::leave_out_of_model(uint32_t first) {
    for (uint32_t i = first; i < plan.info.passCount; ++i) {
        plan.passes[i].bytesReadPerElement = 0;
        plan.passes[i].bytesWrittenPerElement = 0;
    }
}

void PlanBuilder::set_push_bytes(uint32_t block, PushKind kind, const void* bytes, uint32_t size) {
    plan.push[block].kind = kind;
    plan.push[block].size = size;
    std::memcpy(plan.push[block].bytes, bytes, size);
    if (plan.place.is_shared()) {
        PushHeader header;
        std::memcpy(&header, bytes, sizeof header);
        header.least = static_cast<uint32_t>(plan.place.least);
        header.flags |= plan.place.is_last() ? 0 : kFlagSmallCounts; // those before the last are of the radix family
        std::memcpy(plan.push[block].bytes, &header, sizeof header);
    }
}

namespace {

// A range of bits that is the whole key is none: every algorithm knows whole keys.
VksortPlanDesc normal_form(VksortPlanDesc desc) {
    const KeyTraits* traits = key_traits(desc.keyType); // comparators have none
    if (traits != nullptr && desc.beginBit == 0 && desc.endBit == 8 * traits->size) {
        desc.endBit = 0;
    }
    return desc;
}

void bind_counts(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const bool twoCounts = desc.operation == VKSORT_OPERATION_MERGE || desc.operation == VKSORT_OPERATION_SEGMENTED_SORT;
    if ((desc.flags & (VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT)) != 0) {
        builder.bind(kBindingCount, Source::count, 0, twoCounts ? 8 : 4);
    }
}

// The plan, whether or not the device has memory enough for it.
Plan laid_out(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
              VksortAlgorithm algorithm, const Place& place = {}) {
    Plan plan;
    plan.place = place;
    plan.desc = desc;
    plan.info.algorithm = algorithm;
    plan.info.statisticsOffset = UINT64_MAX;
    plan.info.workStatisticsOffset = UINT64_MAX;
    PlanBuilder builder(device, overrides, plan);
    bind_counts(builder);
    if (desc.operation == VKSORT_OPERATION_GATHER) {
        plan_gather(builder);
    } else if (partitions_by_top_digits(algorithm)) {
        plan_msd(builder);
    } else if (is_merge_family(algorithm)) {
        plan_merge_family(builder);
    } else if (algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
        plan_one_workgroup(builder);
    } else if (algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        plan_sample_sort(builder);
    } else if (algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        plan_bucket_sort(builder);
    } else if (algorithm == VKSORT_ALGORITHM_ONESWEEP) {
        plan_onesweep(builder);
    } else {
        plan_reduce_scan(builder);
    }
    plan.info.scratchSize = builder.scratch.size();
    plan.info.scratchAlignment = builder.scratch.alignment();
    if (place.is_shared()) {
        plan.info.statisticsOffset = place.plans * builder.scratch.aligned(sizeof(IndirectArgs));
    }
    return plan;
}

uint64_t algorithm_limit(const VksortDeviceInfo& device, const PlanOverrides& overrides, VksortAlgorithm algorithm,
                         const VksortPlanDesc& desc) {
    if (desc.operation == VKSORT_OPERATION_GATHER) {
        return UINT32_MAX;
    }
    if (partitions_by_top_digits(algorithm)) {
        return msd_limit(device, desc, overrides);
    }
    if (is_merge_family(algorithm)) {
        return merge_limit(device, desc, overrides);
    }
    if (algorithm == VKSORT_ALGORITHM_ONE_WORKGROUP) {
        return one_workgroup_limit(device, desc, overrides);
    }
    if (algorithm == VKSORT_ALGORITHM_SAMPLE_SORT) {
        return sample_sort_limit(device, desc, overrides);
    }
    if (algorithm == VKSORT_ALGORITHM_BUCKET_SORT) {
        return bucket_sort_limit(device, desc, overrides);
    }
    if (algorithm == VKSORT_ALGORITHM_ONESWEEP) {
        return onesweep_limit(device, desc, overrides);
    }
    return reduce_scan_limit(device, desc, overrides);
}

// Which limit of the device a plan passes.
enum class Excess { none, binding, buffer, scratch };

Excess excess_of(const VksortDeviceInfo& device, const Plan& plan) {
    uint64_t largest = 0;
    for (const Binding& binding : plan.bindings) {
        largest = std::max(largest, binding.source == Source::none ? 0 : binding.size(counts_of(plan.desc)));
    }
    if (largest > device.maxStorageBufferRange) {
        return Excess::binding;
    }
    const uint64_t most = largest_buffer(device);
    return largest > most ? Excess::buffer : plan.info.scratchSize > most ? Excess::scratch : Excess::none;
}

// The plan with those for smaller counts that share its recording, if there are any and memory suffices.
Plan laid_out_with_smaller(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                           VksortAlgorithm algorithm) {
    const SmallerPlans smaller = smaller_plans(device, desc, overrides, algorithm);
    if (smaller.count == 0) {
        return laid_out(device, desc, overrides, algorithm);
    }
    const uint64_t least = smaller.plans[smaller.count - 1].mostElements + 1;
    Plan plan = laid_out(device, desc, overrides, algorithm, Place{smaller.count, smaller.count + 1, least});
    plan.smaller = smaller;
    for (uint32_t i = 0; i < smaller.count; ++i) {
        Plan other;
        make_smaller_plan(device, overrides, plan, i, other);
        plan.info.scratchSize = std::max(plan.info.scratchSize, other.info.scratchSize);
    }
    return excess_of(device, plan) == Excess::none ? plan : laid_out(device, desc, overrides, algorithm);
}

// Found by halving, since sizes grow with the count. Where bucket_sort divides its ranges further a size shrinks by a step,
// and the count that is found can be off by that much. Whether a plan is made is for fits_device() to say.
uint64_t largest_count(const VksortDeviceInfo& device, VksortPlanDesc desc, const PlanOverrides& overrides,
                       VksortAlgorithm algorithm) {
    uint64_t fits = 0;
    uint64_t beyond = algorithm_limit(device, overrides, algorithm, desc) + 1;
    while (beyond - fits > 1) {
        desc.maxCount = fits + (beyond - fits) / 2;
        (fits_device(device, desc, overrides, algorithm) ? fits : beyond) = desc.maxCount;
    }
    return fits;
}

// Says which limit of the device the description exceeds. `largest` is the largest count that fits.
VkResult refuse_count(const VksortDeviceInfo& device, VksortPlanDesc desc, const PlanOverrides& overrides,
                      VksortAlgorithm algorithm, uint64_t largest, Message& message) {
    const char* what = "elements";
    unsigned long long count = desc.maxCount;
    char fitting[64] = "";
    desc.maxCount = 0; // of list B and of the segments there may be too many with no element at all
    Excess excess = excess_of(device, laid_out(device, desc, overrides, algorithm));
    if (excess != Excess::none) {
        const bool merge = desc.operation == VKSORT_OPERATION_MERGE;
        what = merge ? "elements of B" : "segments";
        count = merge ? desc.maxCountB : desc.maxSegments;
    } else {
        const uint64_t limit = algorithm_limit(device, overrides, algorithm, desc);
        desc.maxCount = std::min(largest + 1, limit);
        excess = excess_of(device, laid_out(device, desc, overrides, algorithm));
        if (excess == Excess::none) {
            desc.maxCount = std::min<uint64_t>(count, limit);
            excess = excess_of(device, laid_out(device, desc, overrides, algorithm));
        }
        if (excess == Excess::none) {
            message.format("%llu elements are too many for %s, which takes %llu of this kind on %s", count,
                           desc.operation == VKSORT_OPERATION_GATHER ? "gather" : vksortAlgorithmName(algorithm),
                           static_cast<unsigned long long>(limit), device.name);
            return kRefused;
        }
        if (largest < count) {
            std::snprintf(fitting, sizeof fitting, "; the largest count that fits is %llu",
                          static_cast<unsigned long long>(largest));
        }
    }
    const bool bound = excess == Excess::binding;
    message.format("%llu %s need %s above the %llu bytes that %s can %s%s", count, what,
                   bound                      ? "a buffer range"
                   : excess == Excess::buffer ? "a buffer"
                                              : "scratch",
                   static_cast<unsigned long long>(bound ? device.maxStorageBufferRange : largest_buffer(device)),
                   device.name, bound ? "bind" : "allocate for a buffer", fitting);
    return kRefused;
}

uint32_t sorted_bits(const VksortPlanDesc& desc) {
    if (desc.operation == VKSORT_OPERATION_GATHER) {
        return 0;
    }
    return sorts_all_bits(desc) ? 8 * key_bytes(desc) : desc.endBit - desc.beginBit;
}

} // namespace

uint64_t largest_buffer(const VksortDeviceInfo& device) {
    const auto limit = [](uint64_t known) { return known != 0 ? known : UINT64_MAX; };
    return std::min(limit(device.maxMemoryAllocationSize), limit(device.maxBufferSize));
}

uint64_t largest_bound_buffer(const VksortDeviceInfo& device) {
    return std::min(device.maxStorageBufferRange, largest_buffer(device));
}

bool fits_device(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides,
                 VksortAlgorithm algorithm) {
    const uint64_t limit = algorithm_limit(device, overrides, algorithm, desc);
    if (limit == 0 || desc.maxCount > limit) {
        return false;
    }
    return excess_of(device, laid_out(device, desc, overrides, algorithm)) == Excess::none;
}

VkResult make_plan(const VksortDeviceInfo& device, const VksortPlanDesc& given, const PlanOverrides& overrides, Plan& plan,
                   Message& message) {
    const VksortPlanDesc desc = normal_form(given);
    if (const VkResult result = check_desc(desc, message); result != VK_SUCCESS) {
        return result;
    }
    if (const VkResult result = check_kernels(kBuiltKernels, desc, message); result != VK_SUCCESS) {
        return result;
    }
    VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO;
    if (const VkResult result = select_algorithm(device, desc, overrides, algorithm, message); result != VK_SUCCESS) {
        return result;
    }
    if (algorithm_limit(device, overrides, algorithm, desc) == 0) {
        message.format("%s has too little shared memory (%u bytes) or too few invocations in a workgroup (%u) to sort",
                       device.name, device.maxSharedMemorySize, device.maxWorkgroupInvocations);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    const uint64_t largest = largest_count(device, desc, overrides, least_demanding_algorithm(device, desc, algorithm));
    if (!fits_device(device, desc, overrides, algorithm)) {
        return refuse_count(device, desc, overrides, algorithm, largest, message);
    }
    plan = laid_out_with_smaller(device, desc, overrides, algorithm);

    VksortPlanInfo& info = plan.info;
    info.maxCount = desc.maxCount;
    info.largestCount = std::max(largest, desc.maxCount); // close to 2^32 AUTO may find one that takes a few more
    info.scratchUsage = info.scratchSize == 0 ? 0 : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
    info.bufferUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    info.keyBits = sorted_bits(desc);
    if ((device.features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) == 0) {
        info.descriptorSets = plan.place.plans + ((desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0 ? 1 : 0);
        info.storageDescriptors = kBindingCountOf;
    }
    info.firstStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    info.firstAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    info.lastStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    info.lastAccess = VK_ACCESS_SHADER_WRITE_BIT;

    Plan plain;
    if ((desc.flags & VKSORT_PLAN_PREPARE_LATER_BIT) != 0 && make_plain_plan(device, plan, plain)) {
        info.scratchSize = std::max(info.scratchSize, plain.info.scratchSize);
        info.scratchAlignment = std::max(info.scratchAlignment, plain.info.scratchAlignment);
        info.scratchUsage |= plain.info.scratchUsage;
    }
    return VK_SUCCESS;
}

void make_smaller_plan(const VksortDeviceInfo& device, const PlanOverrides& overrides, const Plan& plan, uint32_t index,
                       Plan& smaller) {
    const SmallerPlan* all = plan.smaller.plans;
    VksortPlanDesc desc = plan.desc;
    desc.maxCount = all[index].mostElements;
    PlanOverrides own = overrides;
    own.leftElements = UINT32_MAX; // sample_sort sorts skewed keys itself
    own.manyElements = UINT32_MAX; // bucket_sort leaves keys to onesweep
    const uint64_t least = index == 0 ? 0 : all[index - 1].mostElements + 1;
    smaller = laid_out(device, desc, own, all[index].algorithm, Place{index, plan.place.plans, least});
    smaller.info.maxCount = desc.maxCount;
    smaller.info.scratchUsage = plan.info.scratchUsage;
}

void make_commands_plan(const VksortDeviceInfo& device, const Plan& plan, Plan& commands) {
    commands = {};
    commands.desc = plan.desc;
    const PlanOverrides overrides;
    PlanBuilder builder(device, overrides, commands);
    bind_counts(builder);
    plan_commands(builder);
}

bool make_plain_plan(const VksortDeviceInfo& device, const Plan& plan, Plan& plain) {
    VksortPlanDesc desc = plan.desc;
    if (!plain_algorithm(desc, desc.algorithm) || desc.algorithm == plan.info.algorithm) {
        return false;
    }
    desc.flags &= ~VkFlags{VKSORT_PLAN_PREPARE_LATER_BIT};
    PlanOverrides overrides;
    overrides.workgroupSize = std::min(256u, device.maxWorkgroupInvocations);
    overrides.keysPerThread = 2; // compilers take the longer the more there are
    overrides.fewPipelines = true;
    overrides.alone = true;
    Message refusal; // The plan that it stands in for has been made, so there is nothing to report.
    return make_plan(device, desc, overrides, plain, refusal) == VK_SUCCESS &&
           plain.info.resultInAlternate == plan.info.resultInAlternate;
}

} // namespace vksort
