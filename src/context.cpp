// SPDX-License-Identifier: MIT
#include "context.h"

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
    VkResult result = make_plan(context->info, desc, overrides, made->plan, message);
    for (uint32_t i = 0; result == VK_SUCCESS && i < made->plan.info.passCount; ++i) {
        result = context->pipelines.get(made->plan.passes[i], made->pipelines[i]);
        if (result != VK_SUCCESS) {
            message.format("the pipeline of pass '%s' could not be created (VkResult %d)", made->plan.passes[i].name,
                           static_cast<int>(result));
        }
    }
    if (result != VK_SUCCESS) {
        context->report(VKSORT_SEVERITY_ERROR, message.text);
        context->allocator.release(made);
        return result;
    }
    *plan = made;
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
    made->messageCallback = info.messageCallback;
    made->messageUser = info.messageUser;
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

void destroy_plan(VksortPlan plan) { plan->context->allocator.release(plan); }

} // namespace vksort
