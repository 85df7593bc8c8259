// SPDX-License-Identifier: MIT
#include "context.h"

#include <algorithm>
#include <new>

#include "device_info.h"
#include "tuning.h"

namespace vksort {

namespace {

// What a failed function leaves in the handle that it was to make is undefined, and must not be destroyed.
template <class Handle> VkResult created(VkResult result, Handle& handle) {
    if (result != VK_SUCCESS) {
        handle = VK_NULL_HANDLE;
    }
    return result;
}

VkResult create_layouts(VksortContext_T& context) {
    VkDescriptorSetLayoutBinding bindings[kBindingCountOf];
    for (uint32_t i = 0; i < kBindingCountOf; ++i) {
        bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
    }
    const bool push = (context.info.features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) != 0;
    const VkDescriptorSetLayoutCreateInfo setInfo = {
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
        push ? VkFlags{VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR} : 0, kBindingCountOf, bindings};
    const VkAllocationCallbacks* callbacks = context.allocator.callbacks();
    const VkResult result =
        created(context.table.vkCreateDescriptorSetLayout(context.device, &setInfo, callbacks, &context.setLayout),
                context.setLayout);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, kMaxPushBytes};
    const VkPipelineLayoutCreateInfo layoutInfo = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &context.setLayout, 1, &range};
    return created(context.table.vkCreatePipelineLayout(context.device, &layoutInfo, callbacks, &context.pipelineLayout),
                   context.pipelineLayout);
}

VkResult initialize(VksortContext_T& context, const VksortContextCreateInfo& info, Message& message) {
    const char* missing = nullptr;
    if (!context.instanceTable.load(info.instance, info.getInstanceProcAddr, missing)) {
        message.format("the instance has no function %s; create it with apiVersion 1.2", missing);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    VksortRequiredFeatures features;
    const VkResult result = query_device(info.physicalDevice, context.instanceTable, features);
    if (result != VK_SUCCESS) {
        message.format("the device could not be queried (VkResult %d)", static_cast<int>(result));
        return result;
    }
    if (!features.supported) {
        message.format("%s cannot run vksort: %s", features.deviceInfo.name, features.reason);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    if ((info.enabledFeatures & ~features.features) != 0) {
        message.format("enabledFeatures 0x%x has bits that %s does not offer (it offers 0x%x)", info.enabledFeatures,
                       features.deviceInfo.name, features.features);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    context.info = narrow_device_info(features.deviceInfo, info.enabledFeatures);
    context.device = info.device;
    const bool push = (info.enabledFeatures & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) != 0;
    if (!context.table.load(info.device, context.instanceTable, push, missing)) {
        message.format("the device has no function %s; was its extension enabled?", missing);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (const VkResult layouts = create_layouts(context); layouts != VK_SUCCESS) {
        message.format("the descriptor or pipeline layout could not be created (VkResult %d)", static_cast<int>(layouts));
        return layouts;
    }
    PipelineCache::Environment environment;
    environment.device = context.device;
    environment.table = &context.table;
    environment.instanceTable = &context.instanceTable;
    environment.allocator = &context.allocator;
    environment.cache = info.pipelineCache;
    environment.layout = context.pipelineLayout;
    environment.sizeControl = (info.enabledFeatures & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
    environment.choosesChecks = (info.enabledFeatures & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) != 0;
    environment.canRequireSize = context.info.canRequireSubgroupSize;
    environment.keepsLoops = is_cpu(context.info);
    context.pipelines.initialize(environment);
    return VK_SUCCESS;
}

// Compiles the pipelines of passes side by side, each once. What fails here fails again, and is reported, when it is asked
// for.
struct Compilation {
    PipelineCache& pipelines;
    const Pass* passes[kMostRecorded * VKSORT_MAX_PASSES] = {};
    uint32_t count = 0;

    explicit Compilation(PipelineCache& cache) : pipelines(cache) {}
    void add(const Plan& plan) {
        for (uint32_t i = 0; i < plan.info.passCount; ++i) {
            const Pass& pass = plan.passes[i];
            const auto same = [&](const Pass* other) { return pipelines.key_of(*other) == pipelines.key_of(pass); };
            if (std::none_of(passes, passes + count, same)) {
                passes[count++] = &pass;
            }
        }
    }

    static void run(void* data, uint32_t index) {
        const Compilation& self = *static_cast<const Compilation*>(data);
        VkPipeline pipeline = VK_NULL_HANDLE;
        self.pipelines.get(*self.passes[index], pipeline);
    }
};

VkResult get_pipelines(VksortContext_T& context, Recordable& recordable, Message& message) {
    const Plan& plan = recordable.plan;
    for (uint32_t i = 0; i < plan.info.passCount; ++i) {
        if (recordable.pipelines[i] != VK_NULL_HANDLE) {
            continue; // other threads may be recording it while the rest of the plan is prepared
        }
        const VkResult result = context.pipelines.get(plan.passes[i], recordable.pipelines[i]);
        if (result != VK_SUCCESS) {
            message.format("the pipeline of pass '%s' could not be created (VkResult %d)", plan.passes[i].name,
                           static_cast<int>(result));
            return result;
        }
    }
    return VK_SUCCESS;
}

// Makes the pipelines of `count` plans that are recorded together.
VkResult make_pipelines(VksortContext_T& context, Recordable* const* recordables, uint32_t count, Message& message) {
    if (context.runJobs != nullptr) {
        Compilation compilation(context.pipelines);
        for (uint32_t i = 0; i < count; ++i) {
            compilation.add(recordables[i]->plan);
        }
        context.runJobs(context.runJobsUser, compilation.count, Compilation::run, &compilation);
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (const VkResult result = get_pipelines(context, *recordables[i], message); result != VK_SUCCESS) {
            return result;
        }
    }
    return VK_SUCCESS;
}

// Makes the pipelines of the plan and of all plans that are recorded with it.
VkResult make_pipelines(VksortPlan_T& plan, Message& message) {
    Recordable* recordables[kMostRecorded] = {&plan};
    for (uint32_t i = 0; i < plan.other_count(); ++i) {
        recordables[i + 1] = &plan.others[i];
    }
    return make_pipelines(*plan.context, recordables, 1 + plan.other_count(), message);
}

// Makes the pipelines of `plain`, with which the call is recorded until the plan is prepared.
VkResult make_plain_pipelines(VksortPlan_T& plan, Message& message) {
    Recordable* recordables[] = {plan.plain, plan.writes_commands() ? &plan.others[plan.smaller_count()] : nullptr};
    return make_pipelines(*plan.context, recordables, plan.writes_commands() ? 2 : 1, message);
}

// Host memory for `count` of them, released by one call; null if there is none.
Recordable* allocate_recordables(const HostAllocator& allocator, uint32_t count) {
    void* memory = allocator.allocate(count * sizeof(Recordable), alignof(Recordable));
    return memory != nullptr ? new (memory) Recordable[count] : nullptr;
}

// Makes the plan's passes, and those of the plans that are recorded with it or before it is prepared.
VkResult make_plans(VksortPlan_T& made, const VksortPlanDesc& desc, const PlanOverrides& overrides, Message& message) {
    const VksortContext_T& context = *made.context;
    if (const VkResult result = make_plan(context.info, desc, overrides, made.plan, message); result != VK_SUCCESS) {
        return result;
    }
    made.isPrepared = true;
    made.separatesPasses = overrides.separatesPasses && (made.plan.place.is_shared() || made.writes_commands());
    const bool isLater = (desc.flags & VKSORT_PLAN_PREPARE_LATER_BIT) != 0;
    made.plain = isLater ? allocate_recordables(context.allocator, 1) : nullptr;
    made.others = made.other_count() > 0 ? allocate_recordables(context.allocator, made.other_count()) : nullptr;
    if ((isLater && made.plain == nullptr) || (made.other_count() > 0 && made.others == nullptr)) {
        message.format("no host memory for a plan");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < made.smaller_count(); ++i) {
        make_smaller_plan(context.info, overrides, made.plan, i, made.others[i].plan);
    }
    if (made.writes_commands()) {
        make_commands_plan(context.info, made.plan, made.others[made.smaller_count()].plan);
    }
    made.isPrepared = made.plain == nullptr || !make_plain_plan(context.info, made.plan, made.plain->plan);
    return VK_SUCCESS;
}

} // namespace

void destroy_context(VksortContext context) {
    const VkAllocationCallbacks* callbacks = context->allocator.callbacks();
    context->pipelines.destroy();
    if (context->pipelineLayout != VK_NULL_HANDLE) {
        context->table.vkDestroyPipelineLayout(context->device, context->pipelineLayout, callbacks);
    }
    if (context->setLayout != VK_NULL_HANDLE) {
        context->table.vkDestroyDescriptorSetLayout(context->device, context->setLayout, callbacks);
    }
    const HostAllocator allocator = context->allocator;
    context->~VksortContext_T();
    allocator.release(context);
}

VkResult create_plan(VksortContext context, const VksortPlanDesc& desc, const PlanOverrides& overrides, VksortPlan* plan) {
    void* memory = context->allocator.allocate(sizeof(VksortPlan_T), alignof(VksortPlan_T));
    if (memory == nullptr) {
        context->report(VKSORT_SEVERITY_ERROR, "no host memory for a plan");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VksortPlan made = new (memory) VksortPlan_T;
    made->context = context;
    Message message;
    VkResult result = make_plans(*made, desc, overrides, message);
    if (result == VK_SUCCESS) {
        result = made->isPrepared ? make_pipelines(*made, message) : make_plain_pipelines(*made, message);
    }
    if (result != VK_SUCCESS) {
        context->report(VKSORT_SEVERITY_ERROR, message.text);
        destroy_plan(made);
        return result;
    }
    *plan = made;
    return VK_SUCCESS;
}

VkResult prepare_plan(VksortPlan plan) {
    const MutexLock lock(plan->preparing);
    if (plan->isPrepared) {
        return VK_SUCCESS;
    }
    Message message;
    if (const VkResult result = make_pipelines(*plan, message); result != VK_SUCCESS) {
        plan->context->report(VKSORT_SEVERITY_ERROR, message.text);
        return result;
    }
    plan->isPrepared.store(true, std::memory_order_release);
    return VK_SUCCESS;
}

VkResult create_context(const VksortContextCreateInfo& info, const VkAllocationCallbacks* callbacks,
                        VksortContext* context) {
    const HostAllocator allocator(callbacks);
    void* memory = allocator.allocate(sizeof(VksortContext_T), alignof(VksortContext_T));
    if (memory == nullptr) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VksortContext made = new (memory) VksortContext_T(callbacks);
    made->messages = {info.messageCallback, info.messageUser};
    made->runJobs = info.runJobs;
    made->runJobsUser = info.runJobsUser;
    Message message;
    const VkResult result = initialize(*made, info, message);
    if (result != VK_SUCCESS) {
        made->report(VKSORT_SEVERITY_ERROR, message.text);
        destroy_context(made);
        return result;
    }
    *context = made;
    return VK_SUCCESS;
}

void destroy_plan(VksortPlan plan) {
    const HostAllocator& allocator = plan->context->allocator;
    allocator.release(plan->plain);
    allocator.release(plan->others);
    plan->~VksortPlan_T();
    allocator.release(plan);
}

} // namespace vksort
