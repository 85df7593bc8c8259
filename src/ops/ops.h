// SPDX-License-Identifier: MIT
//
// One function an algorithm: description -> bindings, scratch and passes. They assume a checked description and are
// called with any maxCount, also ones that do not fit: plan.cpp looks for the largest count that way.
#pragma once

#include "../plan.h"
#include "../scratch.h"
#include "../tuning.h"

namespace vksort {

// What every op works on.
struct PlanBuilder {
    const VksortDeviceInfo& device;
    const PlanOverrides& overrides;
    ScratchLayout scratch;
    Plan& plan;

    PlanBuilder(const VksortDeviceInfo& deviceInfo, const PlanOverrides& planOverrides, Plan& target);

    Pass& add_pass(const char* name, ModuleId module);
    Binding& bind(uint32_t binding, Source source, uint64_t elementSize, uint64_t fixedSize = 0);
    // A region of scratch.
    Binding& bind_scratch(uint32_t binding, uint64_t elementSize, uint64_t fixedSize = 0, uint32_t slackDivisor = 0);
    // IndirectArgs, in scratch. Before any pass is added that is sized there.
    void bind_args();
    // The GPU sizes the dispatch, by what stands at byte `offset` of IndirectArgs.
    void size_by_args(Pass& pass, uint64_t offset) const;
    // Moves the last passes, from `first` on, each a step behind the one before, to begin at `step`.
    void move_to_step(uint32_t first, uint32_t step);
    // Passes from `first` on, which the GPU may not take, move no bytes in the model of traffic.
    void leave_out_of_model(uint32_t first);
    void set_push(const RadixPush& push, uint32_t block = 0) { set_push_bytes(block, PushKind::radix, &push, sizeof push); }
    void set_push(const MergePush& push) { set_push_bytes(0, PushKind::merge, &push, sizeof push); }
    void set_push(const GatherPush& push) { set_push_bytes(0, PushKind::gather, &push, sizeof push); }
    void set_push(const CommandsPush& push) { set_push_bytes(0, PushKind::commands, &push, sizeof push); }

private:
    void set_push_bytes(uint32_t block, PushKind kind, const void* bytes, uint32_t size);
};

// Bytes that one buffer can have; UINT64_MAX where the device does not tell.
uint64_t largest_buffer(const VksortDeviceInfo& device);
// Of which a binding can be the whole.
uint64_t largest_bound_buffer(const VksortDeviceInfo& device);

// Largest count that the algorithm itself allows, whatever the buffers.
uint64_t one_workgroup_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
uint64_t onesweep_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
uint64_t reduce_scan_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
// Whether the device has what look-back needs.
bool can_onesweep(const VksortDeviceInfo& device);
// Whether it is known that the device runs many workgroups of a dispatch at once, which onesweep in one dispatch needs to be
// fast.
bool runs_many_workgroups(const VksortDeviceInfo& device);
uint64_t sample_sort_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);

// Bytes of scratch that the keys take.
uint64_t bucket_sort_bytes(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
// The levels by which bucket_sort scatters desc.maxCount elements; with two, there are coarse buckets.
uint32_t bucket_sort_levels(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
uint64_t bucket_sort_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);

void plan_one_workgroup(PlanBuilder& builder);
void plan_sample_sort(PlanBuilder& builder);
void plan_bucket_sort(PlanBuilder& builder);
void plan_onesweep(PlanBuilder& builder);
void plan_reduce_scan(PlanBuilder& builder);
void plan_gather(PlanBuilder& builder);
// Adds the one pass that writes a VksortIndirectCommands.
void plan_commands(PlanBuilder& builder);

// Merge, merge sort, locality sort and segmented sort.
uint64_t merge_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
void plan_merge_family(PlanBuilder& builder);
// Whether the finish of msd sorts 32-bit keys with values as fast as keys without values.
bool msd_indexes_keys(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
uint64_t msd_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides);
void plan_msd(PlanBuilder& builder);
// msd for the keys that bucket_sort leaves.
void plan_buckets_before_msd(PlanBuilder& builder);

// Bytes of a key, under a comparator too.
uint32_t key_bytes(const VksortPlanDesc& desc);

Counts counts_of(const VksortPlanDesc& desc);

} // namespace vksort
