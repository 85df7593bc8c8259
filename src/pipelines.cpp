// SPDX-License-Identifier: MIT
#include "pipelines.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>

#include "comparator.h"
#include "inflate.h"
#include "spirv_hints.h"
#include "vulkan_headers.h"

namespace vksort {

HostAllocator::HostAllocator(const VkAllocationCallbacks* callbacks) : given_(callbacks != nullptr) {
    if (given_) {
        callbacks_ = *callbacks;
    }
}

void* HostAllocator::allocate(size_t size, size_t alignment) const {
    if (given_) {
        return callbacks_.pfnAllocation(callbacks_.pUserData, size, alignment, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
    }
    return std::malloc(size); // aligned for every type we have
}

void HostAllocator::release(void* memory) const {
    if (given_) {
        callbacks_.pfnFree(callbacks_.pUserData, memory);
    } else {
        std::free(memory);
    }
}

bool PipelineKey::operator==(const PipelineKey& other) const {
    return module == other.module && comparator == other.comparator && requiredSubgroupSize == other.requiredSubgroupSize &&
           checked == other.checked &&
           std::equal(std::begin(specialization), std::end(specialization), std::begin(other.specialization));
}

PipelineKey pipeline_key(const Pass& pass, bool choosesChecks) {
    PipelineKey key;
    key.module = pass.module;
    key.comparator = pass.comparator != VK_NULL_HANDLE ? pass.comparator->id : 0;
    key.requiredSubgroupSize = pass.requiredSubgroupSize;
    key.checked = choosesChecks && (pass.checked || module_of(pass).checked);
    std::copy(std::begin(pass.specialization), std::end(pass.specialization), std::begin(key.specialization));
    return key;
}

SubgroupDemand subgroup_demand(const PipelineKey& key, bool sizeControl, bool canRequireSize) {
    if (key.requiredSubgroupSize == 0 || !sizeControl) {
        return {};
    }
    return {true, canRequireSize ? key.requiredSubgroupSize : 0};
}

PipelineNode* PipelineCache::find(const PipelineKey& key) {
    for (PipelineNode* node = first_; node != nullptr; node = node->next) {
        if (node->key == key) {
            return node;
        }
    }
    return nullptr;
}

VkResult copy_code(const ShaderModule& shader, bool keepsLoops, [[maybe_unused]] const HostAllocator& allocator,
                   uint32_t* words) {
#ifdef VKSORT_COMPRESSED_KERNELS
    if (shader.compressed != nullptr) { // a comparator's kernels are as the caller passed them
        if (const VkResult result = inflate_code(shader, allocator, words); result != VK_SUCCESS) {
            return result;
        }
    } else
#endif
    {
        std::memcpy(words, shader.words, shader.wordCount * sizeof(uint32_t));
    }
    if (keepsLoops) {
        keep_loops(words, shader.wordCount);
    }
    return VK_SUCCESS;
}

VkResult PipelineCache::create_module(const ShaderModule& shader, VkShaderModule& module) {
    const HostAllocator& allocator = *environment_.allocator;
    VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0,
                                     shader.wordCount * sizeof(uint32_t), shader.words};
    uint32_t* copy = nullptr;
    VkResult result = VK_SUCCESS;
    if (environment_.keepsLoops || shader.compressed != nullptr) {
        copy = static_cast<uint32_t*>(allocator.allocate(info.codeSize, alignof(uint32_t)));
        result = copy != nullptr ? copy_code(shader, environment_.keepsLoops, allocator, copy) : VK_ERROR_OUT_OF_HOST_MEMORY;
        info.pCode = copy;
    }
    if (result == VK_SUCCESS) {
        result = environment_.table->vkCreateShaderModule(environment_.device, &info, allocator.callbacks(), &module);
    }
    if (copy != nullptr) {
        allocator.release(copy);
    }
    return result;
}

VkResult PipelineCache::create(const PipelineKey& key, const ShaderModule& shader, VkPipeline& pipeline) {
    const DeviceTable& table = *environment_.table;
    const VkAllocationCallbacks* callbacks = environment_.allocator->callbacks();
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult result = create_module(shader, module);
    if (result != VK_SUCCESS) {
        return result;
    }
    VkSpecializationMapEntry entries[kSpecCountOf];
    for (uint32_t i = 0; i < kSpecCountOf; ++i) {
        entries[i] = {i, i * 4, 4};
    }
    const VkSpecializationInfo specialization = {kSpecCountOf, entries, sizeof key.specialization, key.specialization};
    const SubgroupDemand demand = subgroup_demand(key, environment_.sizeControl, environment_.canRequireSize);
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo requiredSize = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, nullptr, demand.size};

    VkPipelineRobustnessCreateInfoEXT robustness = {}; // the rest, 0, is as the device has it
    robustness.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT;
    robustness.storageBuffers = key.checked ? VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT
                                            : VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT;

    VkComputePipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.flags = captureStatistics_ ? VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR : 0;
    info.layout = environment_.layout;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = &specialization;
    info.stage.flags = demand.full ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0;
    info.stage.pNext = demand.size != 0 ? &requiredSize : nullptr;
    info.pNext = environment_.choosesChecks ? &robustness : nullptr;
    result = table.vkCreateComputePipelines(environment_.device, environment_.cache, 1, &info, callbacks, &pipeline);
    table.vkDestroyShaderModule(environment_.device, module, callbacks);
    return result;
}

// Names the pipeline for debuggers and validation layers, if VK_EXT_debug_utils is enabled.
void PipelineCache::set_name(VkPipeline pipeline, const char* moduleName) const {
    if (environment_.instanceTable->vkSetDebugUtilsObjectNameEXT == nullptr) {
        return;
    }
    char name[64];
    std::snprintf(name, sizeof name, "vksort %s", moduleName);
    VkDebugUtilsObjectNameInfoEXT info = {};
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
    info.objectType = VK_OBJECT_TYPE_PIPELINE;
    info.objectHandle = (uint64_t)pipeline; // VkPipeline is a pointer or a number, depending on the platform.
    info.pObjectName = name;
    environment_.instanceTable->vkSetDebugUtilsObjectNameEXT(environment_.device, &info);
}

VkResult PipelineCache::get(const Pass& pass, VkPipeline& pipeline) {
    const ShaderModule& shader = module_of(pass);
    const PipelineKey key = key_of(pass);
    {
        const MutexLock lock(mutex_);
        if (const PipelineNode* node = find(key)) {
            pipeline = node->pipeline;
            return VK_SUCCESS;
        }
    }
    VkPipeline made = VK_NULL_HANDLE;
    if (const VkResult result = create(key, shader, made); result != VK_SUCCESS) {
        return result;
    }
    const VkAllocationCallbacks* callbacks = environment_.allocator->callbacks();
    const MutexLock lock(mutex_);
    if (const PipelineNode* node = find(key)) {
        environment_.table->vkDestroyPipeline(environment_.device, made, callbacks);
        pipeline = node->pipeline;
        return VK_SUCCESS;
    }
    void* memory = environment_.allocator->allocate(sizeof(PipelineNode), alignof(PipelineNode));
    if (memory == nullptr) {
        environment_.table->vkDestroyPipeline(environment_.device, made, callbacks);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    set_name(made, module_name(pass));
    first_ = new (memory) PipelineNode{key, module_name(pass), made, first_};
    pipeline = made;
    return VK_SUCCESS;
}

void PipelineCache::for_each(void (*visit)(void*, const char*, const PipelineKey&, VkPipeline), void* user) {
    const MutexLock lock(mutex_);
    for (const PipelineNode* node = first_; node != nullptr; node = node->next) {
        visit(user, node->moduleName, node->key, node->pipeline);
    }
}

void PipelineCache::destroy() {
    while (first_ != nullptr) {
        PipelineNode* node = first_;
        first_ = node->next;
        environment_.table->vkDestroyPipeline(environment_.device, node->pipeline, environment_.allocator->callbacks());
        environment_.allocator->release(node);
    }
}

} // namespace vksort
