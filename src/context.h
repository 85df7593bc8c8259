// SPDX-License-Identifier: MIT
//
// The objects behind the public handles.
#pragma once

#include <atomic>

#include "pipelines.h"
#include "plan.h"
#include "vk_table.h"

struct VksortContext_T {
    explicit VksortContext_T(const VkAllocationCallbacks* callbacks) : allocator(callbacks) {}

    void report(VksortSeverity severity, const char* message) const {
        if (messageCallback != nullptr) {
            messageCallback(messageUser, severity, message);
        }
    }

    bool has(VksortFeatureFlagBits feature) const { return (info.features & feature) != 0; }

    vksort::HostAllocator allocator;
    VksortMessageCallback messageCallback = nullptr;
    void* messageUser = nullptr;
    VksortRunJobs runJobs = nullptr;
    void* runJobsUser = nullptr;
    VksortDeviceInfo info = {}; // features narrowed to what is enabled
    vksort::InstanceTable instanceTable;
    vksort::DeviceTable table;
    VkDevice device = VK_NULL_HANDLE;
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout pipelineLayout = VK_NULL_HANDLE;
    vksort::PipelineCache pipelines;
};

namespace vksort {

// A plan that can be recorded.
struct Recordable {
    Plan plan;
    VkPipeline pipelines[VKSORT_MAX_PASSES] = {};
};

} // namespace vksort

struct VksortPlan_T : vksort::Recordable {
    VksortContext context = VK_NULL_HANDLE;
    vksort::Mutex preparing;
    std::atomic<bool> isPrepared = false;
    vksort::Recordable* plain = nullptr; // What is recorded until then.

    const vksort::Recordable& current() const {
        return isPrepared.load(std::memory_order_acquire) ? static_cast<const vksort::Recordable&>(*this) : *plain;
    }
};

namespace vksort {

VkResult create_context(const VksortContextCreateInfo& info, const VkAllocationCallbacks* callbacks, VksortContext* context);
void destroy_context(VksortContext context);
void destroy_plan(VksortPlan plan);
VkResult prepare_plan(VksortPlan plan);

// vksortCreatePlan, with the choices that only tests and tuning make.
VkResult create_plan(VksortContext context, const VksortPlanDesc& desc, const PlanOverrides& overrides, VksortPlan* plan);

// For tests and tools.
inline const Plan& plan_of(VksortPlan plan) { return plan->plan; }
inline const VksortDeviceInfo& device_info_of(VksortContext context) { return context->info; }

} // namespace vksort
