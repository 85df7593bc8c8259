// SPDX-License-Identifier: MIT
//
// Digit passes, least significant digit first: one dispatch for each digit (shaders/radix_onesweep.comp), or one dispatch
// for all digits (shaders/radix_sweeps.comp).
#include <algorithm>
#include <cstddef>

#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr const char* kPassNames[kMaxDigitPasses] = {"digit 0", "digit 1", "digit 2", "digit 3",
                                                     "digit 4", "digit 5", "digit 6", "digit 7"};

// Whether one dispatch executes all digit passes behind passes of another algorithm, which seldom leave it anything to sort.
// It saves skipped dispatches of about 2 µs each. For more elements its tiles are not all executed at once, and it is slower
// than a dispatch for each digit; keys-only sorts, which are not to take a tenth longer than onesweep alone, reach that
// point sooner. Log: tuning-5 to tuning-7. Behind msd, whose own passes take longer, one dispatch serves more elements. Log:
// tuning-ops-1. Where nothing is known of how a device schedules workgroups, one workgroup could have to sort all tiles, so
// that each digit has a dispatch.
bool prefers_one_dispatch(const PlanBuilder& builder, const RadixShape& shape, Role role, PlanOverrides::Sweeps sweeps) {
    const uint64_t most = role == Role::fallback ? 5'000'000 : shape.keysOnly && shape.keyWords == 1 ? 1'100'000 : 2'200'000;
    switch (sweeps) {
    case PlanOverrides::Sweeps::apart: return false;
    case PlanOverrides::Sweeps::together: return true;
    default: return runs_many_workgroups(builder.device) && builder.plan.desc.maxCount <= most;
    }
}

RankTuning tuning_of(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const RadixShape& shape,
                     const PlanOverrides& overrides, bool oneDispatch = false) {
    const auto& choose = oneDispatch ? sweeps_tuning : onesweep_tuning;
    return choose(device, shape.keyWords, shape.valueWords, shape.keysOnly, desc.maxCount, overrides);
}

// It takes more shared memory than a dispatch for each.
bool is_one_dispatch(const PlanBuilder& builder, const RadixShape& shape, Role role, PlanOverrides::Sweeps sweeps) {
    return role != Role::whole && prefers_one_dispatch(builder, shape, role, sweeps) &&
           tuning_of(builder.device, builder.plan.desc, shape, builder.overrides, true).workgroupSize != 0;
}

// A kernel that ranks tiles and looks back.
void specialize_sweep(Pass& pass, const PlanBuilder& builder, const Onesweep& onesweep) {
    specialize(pass, onesweep.tuning, onesweep.shape.valueWords);
    pass.specialization[kSpecDisorderModulo] = builder.overrides.disorderModulo;
    pass.specialization[kSpecSpinLimit] =
        builder.overrides.spinLimit != 0 ? builder.overrides.spinLimit : spin_limit(builder.device);
    pass.specialization[kSpecStallModulo] = builder.overrides.stallModulo;
}

// NVIDIA devices start workgroups in order, so that their tiles need no ticket. A ticket costs 3 % of a pass of 2^24
// elements. Log: tuning-ops-2.
uint32_t tile_number_flags(const PlanBuilder& builder) {
    switch (builder.overrides.tileNumbers) {
    case PlanOverrides::TileNumbers::tickets: return 0;
    case PlanOverrides::TileNumbers::groups: return kFlagTileIsGroup;
    case PlanOverrides::TileNumbers::groups_backwards: return kFlagTileIsGroup | kFlagBackwards;
    default: return builder.device.vendorId == kVendorNvidia ? kFlagTileIsGroup : 0;
    }
}

// Whether a digit pass of the kernels that rank by ballots is faster with checks of buffers' bounds. With many elements
// checks save up to 4 % on an H100, with few they cost time. Log: tuning-ops-3.
bool is_faster_checked(const RadixShape& shape, uint64_t count) {
    return shape.valueWords > 0 && (shape.keyWords == 2 || (shape.valueWords == 1 && count > 10'000'000));
}

} // namespace

bool runs_many_workgroups(const VksortDeviceInfo& device) {
    return device.vendorId == kVendorNvidia || device.vendorId == kVendorAmd || device.vendorId == kVendorIntel;
}

bool can_onesweep(const VksortDeviceInfo& device) { return (device.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0; }

uint64_t onesweep_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const uint64_t tile = tuning_of(device, desc, RadixShape(desc), overrides).tile_size();
    // A status word counts to here (shaders/host/radix.h).
    return tile == 0 ? 0 : UINT32_MAX - tile - 1;
}

Onesweep::Onesweep(const PlanBuilder& builder, Role role, PlanOverrides::Sweeps sweeps)
    : shape(builder.plan.desc), oneDispatch(is_one_dispatch(builder, shape, role, sweeps)),
      tuning(tuning_of(builder.device, builder.plan.desc, shape, builder.overrides, oneDispatch)),
      push(radix_push(builder.device, builder.plan.desc, shape)) {
    const PlainTuning histogram = histogram_tuning(builder.device, builder.plan.desc.maxCount);
    const PlainTuning copy = copy_tuning(builder.device);
    push.tileSize = std::max(tuning.tile_size(), 1u);
    push.histogramChunk = histogram.workgroupSize * histogram.keysPerThread;
    push.histogramGroups = histogram.maxGroups;
    push.copyChunk = copy.workgroupSize * copy.keysPerThread;
    if (oneDispatch) {
        push.flags |= role == Role::fallback ? kFlagSizedByArgs : kFlagOneDispatch;
        firstGroups = sweep_groups(builder.device);
    } else {
        push.flags |= kFlagStatus | (shape.keysOnly ? kFlagScattered : 0);
    }
    const uint64_t tiles = (builder.plan.desc.maxCount + push.tileSize - 1) / push.tileSize;
    push.maxTiles = static_cast<uint32_t>(tiles);
    stateBytes = lay_out_state(shape, push, 2 * tiles * kRadix);
    afterSetupBytes = stateBytes - 2 * tiles * kRadix * 4;
}

std::optional<Onesweep> late_onesweep(const PlanBuilder& builder, Role role, Onesweep& early) {
    const bool isForced = builder.overrides.sweeps != PlanOverrides::Sweeps::by_count;
    if (early.oneDispatch || !builder.plan.place.is_shared() || (!runs_many_workgroups(builder.device) && !isForced)) {
        return std::nullopt;
    }
    Onesweep late(builder, role, PlanOverrides::Sweeps::together);
    if (!late.oneDispatch) {
        return std::nullopt;
    }
    early.push.flags |= late.push.flags;
    early.push.maxTiles = std::max(early.push.maxTiles, late.push.maxTiles);
    early.stateBytes = std::max(early.stateBytes, late.stateBytes);
    early.afterSetupBytes = late.afterSetupBytes;
    return late;
}

void Onesweep::add_passes(PlanBuilder& builder, Role role) const {
    if (oneDispatch) {
        add_one_dispatch(builder, role);
        return;
    }
    add_setup_passes(builder, shape, push, role);
    for (uint32_t digitPass = 0; digitPass < shape.digitPasses; ++digitPass) {
        Pass& pass = builder.add_pass(kPassNames[digitPass],
                                      tuning.atomics ? kModule_radix_onesweep_k1_atomics
                                                     : by_key(shape, kModule_radix_onesweep_k1, kModule_radix_onesweep_k2));
        specialize_sweep(pass, builder, *this);
        if (digitPass == 0 && shape.keysOnly) {
            pass.module = by_key(shape, kModule_radix_scatter_k1, kModule_radix_scatter_k2);
            pass.specialization[kSpecStageRounds] = scatter_rounds(builder.device, shape.keyWords, tuning);
        } else {
            pass.specialization[kSpecFlags] = tile_number_flags(builder);
        }
        pass.checked = is_faster_checked(shape, builder.plan.desc.maxCount);
        pass.digitPass = digitPass;
        builder.size_by_args(pass, pass_args_offset(digitPass));
        pass.divisor = push.tileSize;
        model_partition(pass, builder.plan.desc, shape, digitPass);
    }
    if (role != Role::after_setup) {
        add_copy_pass(builder, shape, push, role);
    }
}

void Onesweep::add_one_dispatch(PlanBuilder& builder, Role role) const {
    Pass& pass = builder.add_pass("fallback sweeps", tuning.atomics
                                                         ? kModule_radix_sweeps_k1_atomics
                                                         : by_key(shape, kModule_radix_sweeps_k1, kModule_radix_sweeps_k2));
    specialize_sweep(pass, builder, *this);
    pass.specialization[kSpecDigitPasses] = shape.digitPasses;
    pass.divisor = push.tileSize;
    pass.groupsLimit = firstGroups;
    if (role == Role::fallback) {
        builder.size_by_args(pass, offsetof(IndirectArgs, fallback));
    } else {
        pass.dispatch = Dispatch::per_elements;
    }
}

void plan_onesweep(PlanBuilder& builder) {
    Onesweep onesweep(builder, Role::whole);
    bind_state(builder, onesweep.stateBytes);
    bind_radix_buffers(builder, onesweep.shape, onesweep.push);
    builder.set_push(onesweep.push);
    onesweep.add_passes(builder, Role::whole);
    builder.plan.info.digitPasses = onesweep.shape.digitPasses;
}

} // namespace vksort
