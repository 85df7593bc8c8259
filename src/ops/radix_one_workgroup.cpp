// SPDX-License-Identifier: MIT
//
// The whole sort in one workgroup; see shaders/one_workgroup.comp.
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr KernelVariants kKernel = {kModule_one_workgroup_k1_match, kModule_one_workgroup_k1_counters,
                                    kModule_one_workgroup_k2_match, kModule_one_workgroup_k2_counters};

} // namespace

uint64_t one_workgroup_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    return one_workgroup_tuning(device, shape.keyWords, shape.valueWords, UINT64_MAX, overrides).tile_size();
}

void plan_one_workgroup(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const RadixShape shape(desc);
    const RankTuning tuning = one_workgroup_tuning(builder.device, shape.keyWords, shape.valueWords, desc.maxCount, builder.overrides);
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    RadixPush push = radix_push(builder.device, desc, shape);
    push.firstSlot = separate ? kFirstAny : kFirst2;

    builder.bind(kBindingKeys0, Source::keys, push.keyStride);
    if (!shape.discardKeys) {
        builder.bind(shape.packed ? kBindingPacked : kBindingKeys1, separate ? Source::keys_out : Source::keys,
                     shape.keySize);
    }
    if (shape.valueWords > 0) {
        if (!shape.argsort) {
            builder.bind(kBindingValues0, Source::values, shape.value_bytes());
        }
        builder.bind(kBindingValues1, separate ? Source::values_out : Source::values, shape.value_bytes());
    }
    builder.set_push(push);

    Pass& pass = builder.add_pass("one workgroup", kKernel.of(shape.keyWords, !tuning.match));
    specialize(pass, tuning, shape.valueWords);
    pass.bytesReadPerElement = push.keyStride + (shape.argsort ? 0 : shape.value_bytes());
    pass.bytesWrittenPerElement = (shape.discardKeys ? 0 : shape.keySize) + shape.value_bytes();
    builder.plan.info.digitPasses = shape.digitPasses;
}

} // namespace vksort
