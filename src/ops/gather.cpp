// SPDX-License-Identifier: MIT
//
// Records reordered by an index array; see shaders/gather.comp.
#include <algorithm>

#include "ops.h"
#include "shader_ids.h"

namespace vksort {

void plan_gather(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    constexpr uint32_t kWordsPerThread = 8;
    const uint32_t workgroupSize = std::min(256u, builder.device.maxWorkgroupInvocations);

    GatherPush push = {};
    push.flags = (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0 ? kFlagCountFromBuffer : 0;
    push.recordWords = desc.valueSize / 4;
    builder.bind(kBindingKeys0, Source::keys, 4);
    builder.bind(kBindingValues0, Source::values, desc.valueSize);
    builder.bind(kBindingValues1, Source::values_out, desc.valueSize);
    builder.set_push(push);

    Pass& pass = builder.add_pass("gather", kModule_gather);
    pass.specialization[kSpecWorkgroupSize] = workgroupSize;
    pass.specialization[kSpecKeysPerThread] = 1;
    pass.specialization[kSpecSubgroupSize] = 1;
    pass.specialization[kSpecStageRounds] = 1;
    // The kernel strides over the words, so a count from the GPU that is below the maximum only leaves threads idle.
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = std::max(1u, workgroupSize * kWordsPerThread / push.recordWords);
    pass.groupsLimit = builder.device.maxWorkgroupCount[0];
    pass.bytesReadPerElement = 4 + desc.valueSize;
    pass.bytesWrittenPerElement = desc.valueSize;
}

} // namespace vksort
