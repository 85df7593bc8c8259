// SPDX-License-Identifier: MIT
//
// Pipelines by (module, specialization, subgroup size, checks), made when a plan first needs one and kept with the context.
#pragma once

#include "mutex.h"
#include "plan.h"
#include "shader_table.h"
#include "vk_table.h"

namespace vksort {

struct PipelineKey {
    ModuleId module = 0;
    uint64_t comparator = 0; // id; 0: the library's own kernels
    uint32_t specialization[kSpecCountOf] = {};
    uint32_t requiredSubgroupSize = 0;
    bool checked = false; // buffers' bounds, where a pipeline may choose
    bool operator==(const PipelineKey& other) const;
};

// The pipeline of a pass. Where no pipeline may choose checks of bounds, those with and without are the same.
PipelineKey pipeline_key(const Pass& pass, bool choosesChecks);

// What a pipeline asks of subgroups.
struct SubgroupDemand {
    bool full = false;
    uint32_t size = 0; // 0: any
};
SubgroupDemand subgroup_demand(const PipelineKey& key, bool sizeControl, bool canRequireSize);

struct PipelineNode {
    PipelineKey key;
    const char* moduleName = "";
    VkPipeline pipeline = VK_NULL_HANDLE;
    PipelineNode* next = nullptr;
};

// Host memory through the caller's callbacks, or malloc.
class HostAllocator {
public:
    explicit HostAllocator(const VkAllocationCallbacks* callbacks);
    void* allocate(size_t size, size_t alignment) const;
    void release(void* memory) const;
    const VkAllocationCallbacks* callbacks() const { return given_ ? &callbacks_ : nullptr; }

private:
    VkAllocationCallbacks callbacks_ = {};
    bool given_ = false;
};

// Writes a module's words as the driver is to get them. keepsLoops: it compiles for the CPU, see keep_loops().
VkResult copy_code(const ShaderModule& shader, bool keepsLoops, const HostAllocator& allocator, uint32_t* words);

class PipelineCache {
public:
    struct Environment {
        VkDevice device = VK_NULL_HANDLE;
        const DeviceTable* table = nullptr;
        const InstanceTable* instanceTable = nullptr;
        const HostAllocator* allocator = nullptr;
        VkPipelineCache cache = VK_NULL_HANDLE;
        VkPipelineLayout layout = VK_NULL_HANDLE;
        bool sizeControl = false;    // full subgroups may be asked for
        bool canRequireSize = false; // and a size
        bool choosesChecks = false;  // pipelines may, of the bounds of buffers
        bool keepsLoops = false;     // the driver compiles for the CPU, see keep_loops()
    };

    void initialize(const Environment& environment) { environment_ = environment; }
    void destroy();

    PipelineKey key_of(const Pass& pass) const { return pipeline_key(pass, environment_.choosesChecks); }

    // Thread-safe. Two threads that need the same new pipeline at once may both compile it; one copy is kept.
    VkResult get(const Pass& pass, VkPipeline& pipeline);

    // Pipelines made from now on can be asked for their statistics (VK_KHR_pipeline_executable_properties).
    void capture_statistics() { captureStatistics_ = true; }
    // Calls visit(user, module name, key, pipeline) for every pipeline so far.
    void for_each(void (*visit)(void* user, const char* module, const PipelineKey& key, VkPipeline pipeline), void* user);
    // Pipelines so far.
    uint32_t count() {
        uint32_t pipelines = 0;
        for_each([](void* user, const char*, const PipelineKey&, VkPipeline) { ++*static_cast<uint32_t*>(user); },
                 &pipelines);
        return pipelines;
    }

private:
    PipelineNode* find(const PipelineKey& key);
    VkResult create_module(const ShaderModule& shader, VkShaderModule& module);
    VkResult create(const PipelineKey& key, const ShaderModule& shader, VkPipeline& pipeline);
    void set_name(VkPipeline pipeline, const char* moduleName) const;

    Environment environment_;
    Mutex mutex_;
    PipelineNode* first_ = nullptr;
    bool captureStatistics_ = false;
};

} // namespace vksort
