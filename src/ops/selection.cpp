// SPDX-License-Identifier: MIT
//
// The whole sort in one dispatch of workgroups that each select the elements of their ranks; see shaders/selection.comp.
#include "../key_traits.h"
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

bool can_select(const VksortPlanDesc& desc) {
    // While some workgroups write, others still read.
    const RadixShape shape(desc);
    const bool reads = desc.result == VKSORT_RESULT_IN_PLACE && !(shape.argsort && shape.discardKeys);
    return sorts_all_bits(desc) && !shape.packed && !reads;
}

uint64_t selection_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    return selection_tuning(device, shape.keyWords, shape.valueWords, UINT64_MAX, overrides).kernel.tile_size();
}

void plan_selection(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const RadixShape shape(desc);
    const SelectionTuning tuning = selection_tuning(builder.device, shape.keyWords, shape.valueWords, desc.maxCount, builder.overrides);
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    const bool pingPong = desc.result == VKSORT_RESULT_PING_PONG;
    const RadixPush push = radix_push(builder.device, desc, shape);

    builder.plan.info.resultInAlternate = pingPong;
    builder.bind(kBindingKeys0, Source::keys, push.keyStride);
    if (!shape.discardKeys) {
        builder.bind(kBindingKeys1, separate ? Source::keys_out : Source::keys_alternate, shape.keySize);
    }
    if (shape.valueWords > 0) {
        if (!shape.argsort) {
            builder.bind(kBindingValues0, Source::values, shape.value_bytes());
        }
        builder.bind(kBindingValues1, separate ? Source::values_out : pingPong ? Source::values_alternate : Source::values, shape.value_bytes());
    }
    builder.set_push(push);

    Pass& pass = builder.add_pass("selection", by_key(shape, kModule_selection_k1, kModule_selection_k2));
    specialize(pass, tuning.kernel, shape.valueWords);
    pass.specialization[kSpecSelected] = tuning.each + kMostInSelectionBin;
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = tuning.each;
    pass.bytesReadPerElement = push.keyStride + (shape.argsort ? 0 : shape.value_bytes());
    pass.bytesWrittenPerElement = (shape.discardKeys ? 0 : shape.keySize) + shape.value_bytes();
}

} // namespace vksort
