// SPDX-License-Identifier: MIT
//
// Writes a VksortIndirectCommands for a count on the GPU; see shaders/write_commands.comp.
#include <algorithm>

#include "ops.h"
#include "shader_ids.h"

namespace vksort {

void plan_commands(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    CommandsPush push = {};
    push.countB = static_cast<uint32_t>(desc.maxCountB);
    push.elementsPerWorkgroup = desc.elementsPerWorkgroup;
    push.verticesPerElement = desc.verticesPerElement;
    push.maxGroupsX = builder.device.maxWorkgroupCount[0];
    builder.bind(kBindingKeys1, Source::commands, 0, sizeof(VksortIndirectCommands));
    builder.set_push(push);

    Pass& pass = builder.add_pass("write_commands", kModule_write_commands);
    pass.specialization[kSpecWorkgroupSize] = std::min(32u, builder.device.maxWorkgroupInvocations);
    pass.specialization[kSpecKeysPerThread] = 1;
    pass.specialization[kSpecSubgroupSize] = 1;
    pass.specialization[kSpecStageRounds] = 1;
}

} // namespace vksort
