// SPDX-License-Identifier: MIT
//
// The objects behind the public handles.
#pragma once

#include <atomic>

#include "message.h"
#include "pipelines.h"
#include "plan.h"
#include "vk_table.h"

struct VksortContext_T {
    explicit VksortContext_T(const VkAllocationCallbacks* callbacks) : allocator(callbacks) {}

    void report(VksortSeverity severity, const char* message) const { messages.report(severity, message); }

    bool has(VksortFeatureFlagBits feature) const { return (info.features & feature) != 0; }

    vksort::HostAllocator allocator;
    vksort::MessageReceiver messages;
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
    vksort::Recordable* plain = nullptr; // The plan that is recorded until isPrepared is true.
    // Plans that are recorded with this one: first those for smaller counts, then the one that writes indirect commands.
    vksort::Recordable* others = nullptr;
    bool separatesPasses = false; // as in PlanOverrides

    uint32_t smaller_count() const { return plan.place.plans - 1; }
    bool writes_commands() const { return (plan.desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0; }
    uint32_t other_count() const { return smaller_count() + (writes_commands() ? 1 : 0); }
    // VksortPlanInfo::passCount: the dispatches that are recorded once the plan is prepared.
    uint32_t pass_count() const {
        uint32_t count = plan.info.passCount;
        for (uint32_t i = 0; i < other_count(); ++i) {
            count += others[i].plan.info.passCount;
        }
        return count;
    }
    // The plan for maxCount, or `plain` until isPrepared is true.
    const vksort::Recordable& current() const {
        return isPrepared.load(std::memory_order_acquire) ? static_cast<const vksort::Recordable&>(*this) : *plain;
    }
    // Lists all plans of one recording: by rising counts up to `largest`, then the plan that writes indirect commands.
    // Returns their number.
    uint32_t list(const vksort::Recordable& largest, const vksort::Recordable* (&recorded)[vksort::kMostRecorded]) const {
        uint32_t count = 0;
        for (uint32_t i = 0; &largest == this && i < smaller_count(); ++i) {
            recorded[count++] = &others[i];
        }
        recorded[count++] = &largest;
        if (writes_commands()) {
            recorded[count++] = &others[smaller_count()];
        }
        return count;
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
