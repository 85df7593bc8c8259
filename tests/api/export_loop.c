/* SPDX-License-Identifier: MIT */
/* docs/export.md shows these functions, and meta.export_loop compares. */
#define VK_NO_PROTOTYPES
#include "export_loop.h"

#define DEVICE_FUNCTIONS(X) \
    X(vkCmdBindDescriptorSets) \
    X(vkCmdBindPipeline) \
    X(vkCmdDispatch) \
    X(vkCmdDispatchIndirect) \
    X(vkCmdPipelineBarrier) \
    X(vkCmdPushConstants) \
    X(vkCreateComputePipelines) \
    X(vkCreateShaderModule) \
    X(vkDestroyShaderModule) \
    X(vkUpdateDescriptorSets)

#define X(name) static PFN_##name name;
DEVICE_FUNCTIONS(X)
#undef X

void load_functions(PFN_vkGetDeviceProcAddr get, VkDevice device) {
#define X(name) name = (PFN_##name)get(device, #name);
    DEVICE_FUNCTIONS(X)
#undef X
}

VkResult create_pipeline(VkDevice device, VkPipelineLayout layout, const VksortExportedPipeline* exported,
                         VkPipeline* pipeline) {
    VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = exported->spirv.wordCount * sizeof(uint32_t);
    code.pCode = exported->spirv.pWords;
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
    subgroup.requiredSubgroupSize = exported->requiredSubgroupSize;
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.pNext = exported->requiredSubgroupSize != 0 ? &subgroup : NULL;
    info.stage.flags = exported->fullSubgroups ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &exported->specialization;
    VkResult result = vkCreateShaderModule(device, &code, NULL, &info.stage.module);
    if (result == VK_SUCCESS) {
        result = vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
        vkDestroyShaderModule(device, info.stage.module, NULL);
    }
    return result;
}

void write_set(VkDevice device, const VksortExportedSet* exported, const VksortBuffer* buffers, VkDescriptorSet set) {
    VkDescriptorBufferInfo infos[VKSORT_EXPORT_BINDINGS];
    VkWriteDescriptorSet writes[VKSORT_EXPORT_BINDINGS];
    for (uint32_t i = 0; i < VKSORT_EXPORT_BINDINGS; ++i) {
        const VksortExportedBinding* binding = &exported->bindings[i];
        if (binding->size == 0) {
            return; /* there is nothing to dispatch */
        }
        const VksortBuffer* range = &buffers[binding->buffer];
        infos[i] = (VkDescriptorBufferInfo){range->buffer, range->offset + binding->offset, binding->size};
        writes[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = set,
                                           .dstBinding = i,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &infos[i]};
    }
    vkUpdateDescriptorSets(device, VKSORT_EXPORT_BINDINGS, writes, 0, NULL);
}

void execute(VkCommandBuffer commands, const VksortExportedPlan* plan, const VksortBuffer* buffers, VkPipelineLayout layout,
             const VkPipeline* pipelines, const VkDescriptorSet* sets) {
    const VkPipelineBindPoint compute = VK_PIPELINE_BIND_POINT_COMPUTE;
    for (uint32_t i = 0; i < plan->passCount; ++i) {
        const VksortExportedPass* pass = &plan->pPasses[i];
        const VksortExportedBarrier* wait = &pass->barrier;
        if (wait->srcStages != 0) {
            VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
            barrier.srcAccessMask = wait->srcAccess;
            barrier.dstAccessMask = wait->dstAccess;
            vkCmdPipelineBarrier(commands, wait->srcStages, wait->dstStages, 0, 1, &barrier, 0, NULL, 0, NULL);
        }
        if (!pass->isIndirect && pass->groups.x == 0) {
            continue;
        }
        vkCmdBindPipeline(commands, compute, pipelines[pass->pipeline]);
        vkCmdBindDescriptorSets(commands, compute, layout, 0, 1, &sets[pass->set], 0, NULL);
        vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, pass->pushSize, pass->pPush);
        if (pass->isIndirect) {
            const VksortBuffer* scratch = &buffers[VKSORT_EXPORT_BUFFER_SCRATCH];
            vkCmdDispatchIndirect(commands, scratch->buffer, scratch->offset + pass->indirectOffset);
        } else {
            vkCmdDispatch(commands, pass->groups.x, pass->groups.y, pass->groups.z);
        }
    }
}
