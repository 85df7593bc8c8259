/* SPDX-License-Identifier: MIT */
/* An application's own loop over an exported plan, as docs/export.md has it. */
#ifndef VKSORT_TESTS_EXPORT_LOOP_H
#define VKSORT_TESTS_EXPORT_LOOP_H

#include "vksort/vksort.h"

#ifdef __cplusplus
extern "C" {
#endif

/* To be called first. */
void load_functions(PFN_vkGetDeviceProcAddr get, VkDevice device);

VkResult create_pipeline(VkDevice device, VkPipelineLayout layout, const VksortExportedPipeline* exported,
                         VkPipeline* pipeline);
void write_set(VkDevice device, const VksortExportedSet* exported, const VksortBuffer* buffers, VkDescriptorSet set);
void execute(VkCommandBuffer commands, const VksortExportedPlan* plan, const VksortBuffer* buffers, VkPipelineLayout layout,
             const VkPipeline* pipelines, const VkDescriptorSet* sets);

#ifdef __cplusplus
}
#endif

#endif
