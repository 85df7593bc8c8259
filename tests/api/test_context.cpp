// SPDX-License-Identifier: MIT
//
// Contexts: what is asked of a device, what is refused, whose memory and whose functions are used.
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <thread>

#include "../harness/manual.h"
#include "../harness/sort_case.h"
#include "context.h"
#include "shader_table.h"
#include "test_c_api.h"
#include "vulkan_headers.h"

namespace vksort::test {
namespace {

class Contexts : public DeviceTest {};

VksortPlanDesc pairs_desc(uint64_t count = 100'000) {
    VksortPlanDesc desc = {};
    desc.valueSize = 4;
    desc.maxCount = count;
    return desc;
}

TEST_F(Contexts, RequiredFeatures) {
    VksortRequiredFeatures features;
    std::memset(&features, 0xEE, sizeof features);
    ASSERT_EQ(vksortGetRequiredFeatures(device().instance(), device().physical_device(), device().get_instance_proc_addr(),
                                        &features),
              VK_SUCCESS);
    EXPECT_EQ(features.supported, VK_TRUE);
    EXPECT_GE(features.apiVersion, VK_API_VERSION_1_2);
    ASSERT_LE(features.extensionCount, std::size(features.extensions));
    std::set<std::string> extensions;
    for (uint32_t i = 0; i < features.extensionCount; ++i) {
        extensions.insert(features.extensions[i]);
    }
    EXPECT_EQ(extensions.size(), features.extensionCount);
    EXPECT_EQ(extensions.count(VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME) == 1,
              (features.features & VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT) != 0);
    bool memory_model = (features.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) != 0;
    EXPECT_EQ(features.vulkanMemoryModel == VK_TRUE, memory_model);
    EXPECT_EQ(features.vulkanMemoryModelDeviceScope == VK_TRUE, memory_model);
    bool size_control = (features.features & VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT) != 0;
    EXPECT_EQ(features.subgroupSizeControl == VK_TRUE, size_control);
    EXPECT_EQ(features.computeFullSubgroups == VK_TRUE, size_control);
    EXPECT_EQ(features.pipelineRobustness == VK_TRUE, (features.features & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT) != 0);
    const VksortDeviceInfo& info = features.deviceInfo;
    EXPECT_EQ(info.features, features.features);
    EXPECT_GE(info.subgroupSize, 1u);
    EXPECT_LE(info.minSubgroupSize, info.maxSubgroupSize);
    EXPECT_GE(info.maxSharedMemorySize, 16384u);
    EXPECT_GE(info.maxWorkgroupInvocations, 128u);
    EXPECT_GE(info.maxStorageBufferRange, uint64_t{1} << 27);
    EXPECT_GE(info.maxMemoryAllocationSize, uint64_t{1} << 30) << "what every device of Vulkan 1.1 allows";
    EXPECT_TRUE(info.maxBufferSize == 0 || info.maxBufferSize >= uint64_t{1} << 30);
    EXPECT_TRUE(info.maxBufferSize != 0 || info.apiVersion < VK_API_VERSION_1_3) << "which such a device tells";
    EXPECT_STREQ(info.name, device().info().name);
}

// The environment that chose the device may have promised a subgroup size: the run is then what its name says.
TEST_F(Contexts, SubgroupSizeIsTheOneForced) {
    const char* width = std::getenv("LP_NATIVE_VECTOR_WIDTH");
    if (width != nullptr && std::strstr(device().info().name, "llvmpipe") != nullptr) {
        EXPECT_EQ(device().info().subgroupSize, std::strtoul(width, nullptr, 10) / 32);
    }
    EXPECT_GE(device().info().subgroupSize, 1u);
}

TEST_F(Contexts, RequiredFeaturesOfNothing) {
    VksortRequiredFeatures features;
    EXPECT_EQ(
        vksortGetRequiredFeatures(VK_NULL_HANDLE, device().physical_device(), device().get_instance_proc_addr(), &features),
        VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(vksortGetRequiredFeatures(device().instance(), VK_NULL_HANDLE, device().get_instance_proc_addr(), &features),
              VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(vksortGetRequiredFeatures(device().instance(), device().physical_device(), nullptr, &features),
              VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(vksortGetRequiredFeatures(device().instance(), device().physical_device(), device().get_instance_proc_addr(),
                                        nullptr),
              VK_ERROR_INITIALIZATION_FAILED);
}

TEST_F(Contexts, MissingHandlesAreRefusedInWords) {
    void (*const spoilers[])(VksortContextCreateInfo&) = {
        [](VksortContextCreateInfo& info) { info.instance = VK_NULL_HANDLE; },
        [](VksortContextCreateInfo& info) { info.physicalDevice = VK_NULL_HANDLE; },
        [](VksortContextCreateInfo& info) { info.device = VK_NULL_HANDLE; },
        [](VksortContextCreateInfo& info) { info.getInstanceProcAddr = nullptr; },
        [](VksortContextCreateInfo& info) { info.reserved = &info; },
    };
    for (auto spoil : spoilers) {
        VksortContextCreateInfo info = context_create_info();
        spoil(info);
        auto context = reinterpret_cast<VksortContext>(uintptr_t{8});
        EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_ERROR_INITIALIZATION_FAILED);
        EXPECT_EQ(context, VksortContext{VK_NULL_HANDLE});
        expect_message("");
        info.messageCallback = nullptr; // nobody to tell: no crash
        EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_ERROR_INITIALIZATION_FAILED);
    }
    EXPECT_EQ(vksortCreateContext(nullptr, nullptr, nullptr), VK_ERROR_INITIALIZATION_FAILED);
}

TEST_F(Contexts, FeaturesThatTheDeviceLacksAreRefused) {
    VksortContextCreateInfo info = context_create_info();
    info.enabledFeatures |= 0x1000;
    VksortContext context = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_ERROR_FEATURE_NOT_PRESENT);
    EXPECT_EQ(context, VksortContext{VK_NULL_HANDLE});
    expect_message(device().info().name);
}

PFN_vkVoidFunction real_function(const char* name) { return device().get_instance_proc_addr()(device().instance(), name); }

// A loader that lacks one function. The name is kept here because Vulkan's function pointer takes no user data.
const char* hidden_function = "";
PFN_vkGetDeviceProcAddr real_device_proc_addr = nullptr;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc_addr_without(VkDevice owner, const char* name) {
    return std::strcmp(name, hidden_function) == 0 ? nullptr : real_device_proc_addr(owner, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instance_proc_addr_without(VkInstance instance, const char* name) {
    if (std::strcmp(name, hidden_function) == 0) {
        return nullptr;
    }
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
        return reinterpret_cast<PFN_vkVoidFunction>(device_proc_addr_without);
    }
    return device().get_instance_proc_addr()(instance, name);
}

TEST_F(Contexts, MissingFunctionsAreNamed) {
    real_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real_function("vkGetDeviceProcAddr"));
    for (const char* name : {"vkGetPhysicalDeviceProperties", "vkCmdDispatchIndirect", "vkCreateComputePipelines",
                             "vkCmdPushConstants", "vkCreatePipelineLayout"}) {
        hidden_function = name;
        VksortContextCreateInfo info = context_create_info();
        info.getInstanceProcAddr = instance_proc_addr_without;
        VksortContext context = VK_NULL_HANDLE;
        EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_ERROR_INITIALIZATION_FAILED) << name;
        EXPECT_EQ(context, VksortContext{VK_NULL_HANDLE});
        expect_message(name);
    }
    hidden_function = "";
    VksortContextCreateInfo info = context_create_info();
    info.getInstanceProcAddr = instance_proc_addr_without;
    VksortContext context = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_SUCCESS) << "functions are asked for by this name only";
    vksortDestroyContext(context);
}

// A driver that lets pipelines choose whether buffers' bounds are checked, made of one that may not know how: what is asked
// of it is written down and kept from it.
std::map<VkPipeline, VkPipelineRobustnessBufferBehaviorEXT> asked_behavior; // of pipelines that chose

VKAPI_ATTR VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical_device, const char* layer, uint32_t* count,
                                               VkExtensionProperties* properties) {
    const auto real =
        reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(real_function("vkEnumerateDeviceExtensionProperties"));
    uint32_t listed = 0;
    real(physical_device, layer, &listed, nullptr);
    if (properties == nullptr) {
        *count = listed + 1;
        return VK_SUCCESS;
    }
    *count = listed;
    const VkResult result = real(physical_device, layer, count, properties);
    properties[*count] = {VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME, 1};
    ++*count;
    return result;
}

VKAPI_ATTR void VKAPI_CALL list_features(VkPhysicalDevice physical_device, VkPhysicalDeviceFeatures2* features) {
    reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(real_function("vkGetPhysicalDeviceFeatures2"))(physical_device,
                                                                                                      features);
    for (auto* next = static_cast<VkBaseOutStructure*>(features->pNext); next != nullptr; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT) {
            reinterpret_cast<VkPhysicalDevicePipelineRobustnessFeaturesEXT*>(next)->pipelineRobustness = VK_TRUE;
        }
    }
}

VKAPI_ATTR VkResult VKAPI_CALL make_pipeline(VkDevice owner, VkPipelineCache cache, uint32_t count,
                                             const VkComputePipelineCreateInfo* info, const VkAllocationCallbacks* callbacks,
                                             VkPipeline* pipeline) {
    EXPECT_EQ(count, 1u);
    VkComputePipelineCreateInfo passed_on = *info;
    passed_on.pNext = nullptr;
    const VkResult result = reinterpret_cast<PFN_vkCreateComputePipelines>(
        real_device_proc_addr(owner, "vkCreateComputePipelines"))(owner, cache, count, &passed_on, callbacks, pipeline);
    if (const auto* robustness = static_cast<const VkPipelineRobustnessCreateInfoEXT*>(info->pNext)) {
        EXPECT_EQ(robustness->sType, VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT);
        asked_behavior[*pipeline] = robustness->storageBuffers;
    }
    return result;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL choosing_device_proc_addr(VkDevice owner, const char* name) {
    return std::strcmp(name, "vkCreateComputePipelines") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(make_pipeline)
                                                              : real_device_proc_addr(owner, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL choosing_instance_proc_addr(VkInstance, const char* name) {
    const std::pair<const char*, PFN_vkVoidFunction> own[] = {
        {"vkEnumerateDeviceExtensionProperties", reinterpret_cast<PFN_vkVoidFunction>(list_extensions)},
        {"vkGetPhysicalDeviceFeatures2", reinterpret_cast<PFN_vkVoidFunction>(list_features)},
        {"vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(choosing_device_proc_addr)}};
    for (const auto& [replaced, function] : own) {
        if (std::strcmp(name, replaced) == 0) {
            return function;
        }
    }
    return real_function(name);
}

// What each kernel of some plans asked for, by module.
std::map<std::string, std::set<VkPipelineRobustnessBufferBehaviorEXT>> behavior_of_kernels(VksortFeatureFlags features) {
    real_device_proc_addr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real_function("vkGetDeviceProcAddr"));
    asked_behavior.clear();
    VksortContextCreateInfo info = context_create_info();
    info.getInstanceProcAddr = choosing_instance_proc_addr;
    info.enabledFeatures = features;
    VksortContext context = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_SUCCESS);
    for (VksortOperation operation : {VKSORT_OPERATION_SORT, VKSORT_OPERATION_GATHER, VKSORT_OPERATION_SEGMENTED_SORT}) {
        VksortPlanDesc desc = pairs_desc(5000);
        desc.operation = operation;
        if (operation == VKSORT_OPERATION_SEGMENTED_SORT) {
            desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
            desc.maxSegments = 10;
        }
        VksortPlan plan = VK_NULL_HANDLE;
        EXPECT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS);
        vksortDestroyPlan(plan);
    }
    std::map<std::string, std::set<VkPipelineRobustnessBufferBehaviorEXT>> behavior;
    context->pipelines.for_each(
        [](void* user, const char* module, const PipelineKey&, VkPipeline pipeline) {
            auto& of = (*static_cast<decltype(behavior)*>(user))[module];
            if (const auto asked = asked_behavior.find(pipeline); asked != asked_behavior.end()) {
                of.insert(asked->second);
            }
        },
        &behavior);
    vksortDestroyContext(context);
    return behavior;
}

// As the manifest says of a module or, of some passes of it, the plan.
bool is_faster_checked(const std::string& module) {
    return module.starts_with("radix_onesweep") ||
           std::any_of(kShaderModules, kShaderModules + kShaderModuleCount,
                       [&module](const ShaderModule& shader) { return shader.checked && shader.name == module; });
}

TEST_F(Contexts, PipelinesChooseChecks) {
    VksortRequiredFeatures offered;
    ASSERT_EQ(
        vksortGetRequiredFeatures(device().instance(), device().physical_device(), choosing_instance_proc_addr, &offered),
        VK_SUCCESS);
    EXPECT_NE(offered.features & VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT, 0u);
    EXPECT_EQ(offered.pipelineRobustness, VK_TRUE);
    ASSERT_GT(offered.extensionCount, 0u);
    EXPECT_STREQ(offered.extensions[offered.extensionCount - 1], VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME);

    const auto kernels = behavior_of_kernels(device().info().features | VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT);
    std::set<std::string> from_callers; // kernels whose addresses a caller's buffer decides
    for (const auto& [name, behaviors] : kernels) {
        ASSERT_EQ(behaviors.size(), 1u) << name;
        if (name == "gather" || name == "segment_heads") {
            from_callers.insert(name);
            EXPECT_EQ(*behaviors.begin(), VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_EXT) << name;
        } else if (!is_faster_checked(name)) {
            EXPECT_EQ(*behaviors.begin(), VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT) << name;
        }
    }
    EXPECT_EQ(from_callers.size(), 2u);
    EXPECT_GT(kernels.size(), 5u);
    const VksortFeatureFlags others = device().info().features & ~VksortFeatureFlags{VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT};
    for (const auto& [name, behaviors] : behavior_of_kernels(others)) {
        EXPECT_TRUE(behaviors.empty()) << name;
    }
}

// Host memory that is counted, and that can run out.
struct CountingMemory {
    std::atomic<int> live{0};
    std::atomic<int> total{0};
    std::atomic<int> left{INT_MAX}; // allocations that succeed

    VkAllocationCallbacks callbacks() {
        VkAllocationCallbacks result = {};
        result.pUserData = this;
        result.pfnAllocation = [](void* user, size_t size, size_t alignment, VkSystemAllocationScope) -> void* {
            auto& self = *static_cast<CountingMemory*>(user);
            if (self.left == 0) {
                return nullptr;
            }
            --self.left;
            ++self.live;
            ++self.total;
            size_t rounded = (size + alignment - 1) / alignment * alignment;
            return std::aligned_alloc(std::max(alignment, sizeof(void*)), std::max(rounded, alignment));
        };
        result.pfnReallocation = [](void*, void*, size_t, size_t, VkSystemAllocationScope) -> void* { return nullptr; };
        result.pfnFree = [](void* user, void* memory) {
            static_cast<CountingMemory*>(user)->live -= memory != nullptr ? 1 : 0;
            std::free(memory);
        };
        return result;
    }
};

TEST_F(Contexts, HostMemoryIsTheCallers) {
    CountingMemory memory;
    VkAllocationCallbacks callbacks = memory.callbacks();
    VksortContextCreateInfo info = context_create_info();
    VksortContext context = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, &callbacks, &context), VK_SUCCESS);
    EXPECT_GT(memory.live, 0);
    VksortPlanDesc desc = pairs_desc();
    VksortPlan plan = VK_NULL_HANDLE;
    int before = memory.total;
    ASSERT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS);
    EXPECT_GT(memory.total, before);
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
    EXPECT_EQ(memory.live, 0) << "leaked";
}

TEST_F(Contexts, HostMemoryRunsOut) {
    CountingMemory memory;
    VkAllocationCallbacks callbacks = memory.callbacks();
    VksortContextCreateInfo info = context_create_info();
    VksortContext context = VK_NULL_HANDLE;
    memory.left = 0;
    EXPECT_EQ(vksortCreateContext(&info, &callbacks, &context), VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(context, VksortContext{VK_NULL_HANDLE});
    take_messages(); // a sentence is allowed, not required: there may be no memory to say it
    memory.left = INT_MAX;
    ASSERT_EQ(vksortCreateContext(&info, &callbacks, &context), VK_SUCCESS);
    VksortPlanDesc desc = pairs_desc();
    VksortPlan plan = VK_NULL_HANDLE;
    // None for the plan; none for its first module, or on CPU drivers a copy of its code.
    for (const int allocations : {0, 1}) {
        memory.left = allocations;
        EXPECT_EQ(vksortCreatePlan(context, &desc, &plan), VK_ERROR_OUT_OF_HOST_MEMORY) << allocations;
        EXPECT_EQ(plan, VksortPlan{VK_NULL_HANDLE}) << allocations;
        take_messages();
    }
    memory.left = INT_MAX;
    ASSERT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS) << "the context is whole after the failure";
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
    EXPECT_EQ(memory.live, 0) << "leaked";
}

// Loops of modules that the driver has been given.
struct Loops {
    uint32_t unrolled;
    uint32_t kept;
};
Loops loops = {};

VKAPI_ATTR VkResult VKAPI_CALL count_loops(VkDevice owner, const VkShaderModuleCreateInfo* info,
                                           const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
    constexpr uint32_t kHeaderWords = 5;
    constexpr uint32_t kOpLoopMerge = 246;
    for (size_t at = kHeaderWords; at < info->codeSize / 4; at += info->pCode[at] >> 16) {
        if ((info->pCode[at] & 0xFFFF) == kOpLoopMerge) {
            loops.unrolled += info->pCode[at + 3] & 1;
            loops.kept += info->pCode[at + 3] >> 1 & 1;
        }
    }
    return reinterpret_cast<PFN_vkCreateShaderModule>(device().function("vkCreateShaderModule"))(owner, info, callbacks,
                                                                                                 module);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counting_device_proc_addr(VkDevice, const char* name) {
    return std::strcmp(name, "vkCreateShaderModule") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(count_loops)
                                                          : device().function(name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL counting_proc_addr(VkInstance instance, const char* name) {
    return std::strcmp(name, "vkGetDeviceProcAddr") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(counting_device_proc_addr)
                                                         : device().get_instance_proc_addr()(instance, name);
}

// GPUs are asked to unroll loops over an invocation's keys, CPU drivers are asked not to.
TEST_F(Contexts, LoopsAreKeptOnCpuDrivers) {
    VksortContextCreateInfo info = context_create_info();
    info.getInstanceProcAddr = counting_proc_addr;
    VksortContext context = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, nullptr, &context), VK_SUCCESS);
    VksortPlanDesc desc = pairs_desc();
    desc.algorithm = VKSORT_ALGORITHM_MERGE;
    VksortPlan plan = VK_NULL_HANDLE;
    loops = {};
    ASSERT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS);
    const bool on_cpu = device().info().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    EXPECT_EQ(loops.unrolled == 0, on_cpu);
    EXPECT_TRUE(loops.kept > 0 || !on_cpu);
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
}

TEST_F(Contexts, PipelineCacheIsUsed) {
    auto create_cache = reinterpret_cast<PFN_vkCreatePipelineCache>(device().function("vkCreatePipelineCache"));
    auto destroy_cache = reinterpret_cast<PFN_vkDestroyPipelineCache>(device().function("vkDestroyPipelineCache"));
    VkPipelineCacheCreateInfo cache_info = {};
    cache_info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    VkPipelineCache cache = VK_NULL_HANDLE;
    ASSERT_EQ(create_cache(device().device(), &cache_info, nullptr, &cache), VK_SUCCESS);
    VksortContextCreateInfo info = context_create_info();
    info.pipelineCache = cache;
    VksortContext context = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, nullptr, &context), VK_SUCCESS);
    VksortPlanDesc desc = pairs_desc();
    VksortPlan plan = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS);
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
    destroy_cache(device().device(), cache, nullptr); // the caller's to destroy: validation would see it destroyed twice
}

TEST_F(Contexts, ManyThreadsMakePlans) {
    VksortContextCreateInfo info = context_create_info();
    VksortContext context = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, nullptr, &context), VK_SUCCESS);
    constexpr int kThreads = 6;
    std::vector<std::thread> threads;
    std::atomic<int> made{0};
    for (int i = 0; i < kThreads; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 12; ++round) {
                VksortPlanDesc desc = pairs_desc(round % 2 == 0 ? 1000 : 101'000);
                desc.keyType = (i + round) % 3 == 0 ? VKSORT_KEY_F64 : VKSORT_KEY_U32;
                VksortPlan plan = VK_NULL_HANDLE;
                if (vksortCreatePlan(context, &desc, &plan) == VK_SUCCESS) {
                    VksortPlanInfo plan_info;
                    vksortGetPlanInfo(plan, &plan_info);
                    made += plan_info.maxCount == desc.maxCount ? 1 : 0;
                    vksortDestroyPlan(plan);
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(made, kThreads * 12);
    vksortDestroyContext(context);
}

TEST_F(Contexts, NothingIsDestroyedQuietly) {
    vksortDestroyContext(VK_NULL_HANDLE);
    vksortDestroyPlan(VK_NULL_HANDLE);
    VksortPlanInfo info = {};
    vksortGetPlanInfo(VK_NULL_HANDLE, &info);
    VksortPlanDesc desc = pairs_desc();
    VksortPlan plan = VK_NULL_HANDLE;
    EXPECT_NE(vksortCreatePlan(VK_NULL_HANDLE, &desc, &plan), VK_SUCCESS);
    EXPECT_NE(vksortCreatePlan(context().handle(), nullptr, &plan), VK_SUCCESS);
    EXPECT_NE(vksortCreatePlan(context().handle(), &desc, nullptr), VK_SUCCESS);
    take_messages();
}

TEST_F(Contexts, RefusedPlansSaySoThroughTheCallback) {
    VksortPlanDesc desc = pairs_desc();
    desc.valueSize = 7;
    auto plan = reinterpret_cast<VksortPlan>(uintptr_t{8});
    EXPECT_EQ(vksortCreatePlan(context().handle(), &desc, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(plan, VksortPlan{VK_NULL_HANDLE});
    expect_message("valueSize 7");
    VksortContextCreateInfo info = context_create_info();
    info.messageCallback = nullptr;
    VksortContext silent = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, nullptr, &silent), VK_SUCCESS);
    EXPECT_EQ(vksortCreatePlan(silent, &desc, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    vksortDestroyContext(silent);
}

// More than the device can bind: refused with the largest count, and that count is accepted.
TEST_F(Contexts, LargestCountOfThisDevice) {
    VksortPlanDesc desc = pairs_desc(0);
    VksortPlanInfo info;
    ASSERT_EQ(vksortDescribePlan(&context().info(), &desc, &info, nullptr, 0), VK_SUCCESS);
    desc.maxCount = info.largestCount + 1;
    VksortPlan plan = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreatePlan(context().handle(), &desc, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    expect_message(std::to_string(info.largestCount));
    desc.maxCount = info.largestCount;
    EXPECT_EQ(vksortCreatePlan(context().handle(), &desc, &plan), VK_SUCCESS);
    vksortDestroyPlan(plan);
}

TEST_F(Contexts, CApi) {
    EXPECT_EQ(c_api_pure_functions(), 0) << "the line in test_c_api.c";
    constexpr uint64_t kCount = 5'003;
    for (VksortFeatureFlags hidden : {VkFlags{0}, VkFlags{VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT}}) {
        VksortContextCreateInfo info = context_create_info();
        info.enabledFeatures &= ~hidden;
        CSort sort;
        ASSERT_EQ(c_api_create(&sort, &info, kCount), 0) << "the line in test_c_api.c";
        {
            Bytes input = generate_keys(VKSORT_KEY_U32, kCount, Distribution::few, 3);
            MappedBuffer keys(4 * kCount, sort.info.bufferUsage, input);
            MappedBuffer values(4 * kCount, sort.info.bufferUsage, generate_values(kCount, 4));
            MappedBuffer scratch(std::max<uint64_t>(sort.info.scratchSize, 4),
                                 sort.info.scratchSize > 0 ? sort.info.scratchUsage : sort.info.bufferUsage);
            DescriptorPool pool(sort.info, 1);
            Recording recording;
            recording.record([&](VkCommandBuffer commands) {
                host_to_plan(commands, sort.info);
                c_api_record(&sort, commands, keys.handle(), values.handle(), scratch.handle(), pool.handle(), kCount);
                plan_to_host(commands, sort.info);
            });
            Recording::run({&recording});
            EXPECT_EQ(static_cast<uint32_t>(sort.passes), sort.info.passCount);
            std::vector<uint32_t> order = reference::argsort(input, {});
            EXPECT_EQ(std::memcmp(values.bytes().data(), order.data(), 4 * kCount), 0);
        }
        c_api_destroy(&sort);
    }
}

} // namespace
} // namespace vksort::test
