// SPDX-License-Identifier: MIT
//
// Exported plans are what vksortCmd... records: the loop of docs/export.md gives the same dispatches and barriers, with the
// same pipelines, descriptors and push constants. Vulkan is a log here, so that no device is needed.
#include <array>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "../api/export_loop.h"
#include "context.h"
#include "export.h"

namespace vksort::test {
namespace {

uint64_t hash_of(const void* data, size_t size) {
    uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001B3u;
    }
    return hash;
}

std::string numbers(std::initializer_list<uint64_t> values) {
    std::string text;
    for (const uint64_t value : values) {
        text += std::to_string(value) + " ";
    }
    return text;
}

template <typename Handle> Handle handle_of(uint64_t id) { return (Handle) static_cast<uintptr_t>(id); } // or a number
template <typename Handle> uint64_t id_of(Handle handle) { return (uint64_t)handle; }

// What has been made and recorded. The log has a line for each barrier and dispatch, with all that a dispatch depends on.
struct World {
    uint64_t made = 0;
    std::map<uint64_t, std::string> modules, pipelines, sets;
    std::string pipeline, set;
    std::vector<unsigned char> push;
    std::vector<std::string> log;

    void dispatched(const std::string& what) {
        log.push_back(what + "| pipeline " + pipeline + "| set " + set + "| push " +
                      numbers({push.size(), hash_of(push.data(), push.size())}));
    }
} world;

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice, const VkShaderModuleCreateInfo* info, const VkAllocationCallbacks*,
                                             VkShaderModule* module) {
    world.modules[++world.made] = numbers({info->codeSize, hash_of(info->pCode, info->codeSize)});
    *module = handle_of<VkShaderModule>(world.made);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_module(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) {
    world.modules.erase(id_of(module));
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice, VkPipelineCache, uint32_t, const VkComputePipelineCreateInfo* info,
                                                const VkAllocationCallbacks*, VkPipeline* pipeline) {
    const auto* size = static_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(info->stage.pNext);
    const VkSpecializationInfo& constants = *info->stage.pSpecializationInfo;
    std::string text = world.modules.at(id_of(info->stage.module)) + info->stage.pName + " " +
                       numbers({info->stage.flags, size != nullptr ? size->requiredSubgroupSize : 0});
    for (uint32_t i = 0; i < constants.mapEntryCount; ++i) {
        const VkSpecializationMapEntry& entry = constants.pMapEntries[i];
        uint32_t value = 0;
        std::memcpy(&value, static_cast<const char*>(constants.pData) + entry.offset, entry.size);
        text += numbers({entry.constantID, value});
    }
    world.pipelines[++world.made] = text;
    *pipeline = handle_of<VkPipeline>(world.made);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL destroy_pipeline(VkDevice, VkPipeline, const VkAllocationCallbacks*) {}

VKAPI_ATTR VkResult VKAPI_CALL allocate_sets(VkDevice, const VkDescriptorSetAllocateInfo*, VkDescriptorSet* set) {
    *set = handle_of<VkDescriptorSet>(++world.made);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL update_sets(VkDevice, uint32_t count, const VkWriteDescriptorSet* writes, uint32_t,
                                       const VkCopyDescriptorSet*) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i) {
        const VkDescriptorBufferInfo& info = *writes[i].pBufferInfo;
        text += numbers({writes[i].dstBinding, id_of(info.buffer), info.offset, info.range});
    }
    world.sets[id_of(writes[0].dstSet)] = text;
}

VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer, VkPipelineBindPoint, VkPipeline pipeline) {
    world.pipeline = world.pipelines.at(id_of(pipeline));
}

VKAPI_ATTR void VKAPI_CALL bind_sets(VkCommandBuffer, VkPipelineBindPoint, VkPipelineLayout, uint32_t, uint32_t,
                                     const VkDescriptorSet* set, uint32_t, const uint32_t*) {
    world.set = world.sets.at(id_of(*set));
}

VKAPI_ATTR void VKAPI_CALL push_constants(VkCommandBuffer, VkPipelineLayout, VkShaderStageFlags, uint32_t offset,
                                          uint32_t size, const void* values) {
    if (offset == 0) {
        world.push.resize(size);
    }
    ASSERT_LE(offset + size, world.push.size());
    std::memcpy(world.push.data() + offset, values, size);
}

VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer, VkPipelineStageFlags from, VkPipelineStageFlags to, VkDependencyFlags,
                                   uint32_t, const VkMemoryBarrier* memory, uint32_t, const VkBufferMemoryBarrier*, uint32_t,
                                   const VkImageMemoryBarrier*) {
    world.log.push_back("barrier " + numbers({from, to, memory->srcAccessMask, memory->dstAccessMask}));
}

VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer, uint32_t x, uint32_t y, uint32_t z) {
    world.dispatched("dispatch " + numbers({x, y, z}));
}

VKAPI_ATTR void VKAPI_CALL dispatch_indirect(VkCommandBuffer, VkBuffer buffer, VkDeviceSize offset) {
    world.dispatched("dispatch at " + numbers({id_of(buffer), offset}));
}

template <typename Function> PFN_vkVoidFunction plain(Function* function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL function_of(VkDevice, const char* name) {
    const std::map<std::string, PFN_vkVoidFunction> functions = {
        {"vkAllocateDescriptorSets", plain(allocate_sets)},  {"vkCmdBindDescriptorSets", plain(bind_sets)},
        {"vkCmdBindPipeline", plain(bind_pipeline)},         {"vkCmdDispatch", plain(dispatch)},
        {"vkCmdDispatchIndirect", plain(dispatch_indirect)}, {"vkCmdPipelineBarrier", plain(barrier)},
        {"vkCmdPushConstants", plain(push_constants)},       {"vkCreateComputePipelines", plain(create_pipelines)},
        {"vkCreateShaderModule", plain(create_module)},      {"vkDestroyPipeline", plain(destroy_pipeline)},
        {"vkDestroyShaderModule", plain(destroy_module)},    {"vkUpdateDescriptorSets", plain(update_sets)},
    };
    const auto found = functions.find(name);
    return found != functions.end() ? found->second : nullptr;
}

// A context on no device.
struct NoDevice {
    explicit NoDevice(const VksortDeviceInfo& info) : context(nullptr) {
        context.info = info;
        context.messages = {keep_message, &message};
#define X(name) context.table.name = reinterpret_cast<PFN_##name>(function_of(VK_NULL_HANDLE, #name));
        VKSORT_DEVICE_FUNCTIONS(X)
#undef X
        PipelineCache::Environment environment;
        environment.table = &context.table;
        environment.instanceTable = &context.instanceTable;
        environment.allocator = &context.allocator;
        environment.sizeControl = context.has(VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT);
        environment.canRequireSize = info.canRequireSubgroupSize != VK_FALSE;
        environment.choosesChecks = context.has(VKSORT_FEATURE_PIPELINE_ROBUSTNESS_BIT);
        environment.keepsLoops = info.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
        context.pipelines.initialize(environment);
    }
    ~NoDevice() { context.pipelines.destroy(); }
    static void keep_message(void* user, VksortSeverity, const char* text) { *static_cast<std::string*>(user) = text; }

    std::string message; // the last one
    VksortContext_T context;
};

constexpr uint32_t kCountOffset = 8;
constexpr uint32_t kCommandsOffset = 12;

// Ranges of the exported plan's buffers: each buffer is another one.
std::array<VksortBuffer, VKSORT_EXPORT_BUFFERS> ranges() {
    std::array<VksortBuffer, VKSORT_EXPORT_BUFFERS> all = {};
    for (uint32_t i = 0; i < VKSORT_EXPORT_BUFFERS; ++i) {
        all[i] = {handle_of<VkBuffer>(1'000 + i), 256 * (i + 1)};
    }
    return all;
}

template <typename Buffers> Buffers common_buffers() {
    Buffers buffers = {};
    buffers.descriptorPool = handle_of<VkDescriptorPool>(1);
    buffers.countBuffer = ranges()[VKSORT_EXPORT_BUFFER_COUNT];
    buffers.countBuffer.offset += kCountOffset;
    buffers.commands = ranges()[VKSORT_EXPORT_BUFFER_COMMANDS];
    buffers.commands.offset += kCommandsOffset;
    return buffers;
}

template <typename Buffers> Buffers sort_buffers(const VksortExportArguments& given) {
    const auto all = ranges();
    auto buffers = common_buffers<Buffers>();
    buffers.keys = all[VKSORT_EXPORT_BUFFER_KEYS];
    buffers.values = all[VKSORT_EXPORT_BUFFER_VALUES];
    buffers.keysOut = all[VKSORT_EXPORT_BUFFER_KEYS_OUT];
    buffers.valuesOut = all[VKSORT_EXPORT_BUFFER_VALUES_OUT];
    buffers.scratch = all[VKSORT_EXPORT_BUFFER_SCRATCH];
    buffers.count = given.count;
    return buffers;
}

void record(VksortPlan plan, const VksortExportArguments& given) {
    const auto all = ranges();
    const auto commands = handle_of<VkCommandBuffer>(1);
    switch (plan->plan.desc.operation) {
    case VKSORT_OPERATION_SORT: {
        auto buffers = sort_buffers<VksortSortBuffers>(given);
        buffers.keysAlternate = all[VKSORT_EXPORT_BUFFER_KEYS_ALTERNATE];
        buffers.valuesAlternate = all[VKSORT_EXPORT_BUFFER_VALUES_ALTERNATE];
        vksortCmdSort(commands, plan, &buffers);
        break;
    }
    case VKSORT_OPERATION_SEGMENTED_SORT: {
        auto buffers = sort_buffers<VksortSegmentedSortBuffers>(given);
        buffers.segments = all[VKSORT_EXPORT_BUFFER_SEGMENTS];
        buffers.segmentCount = given.segmentCount;
        vksortCmdSegmentedSort(commands, plan, &buffers);
        break;
    }
    case VKSORT_OPERATION_MERGE: {
        auto buffers = common_buffers<VksortMergeBuffers>();
        buffers.keysA = all[VKSORT_EXPORT_BUFFER_KEYS];
        buffers.keysB = all[VKSORT_EXPORT_BUFFER_KEYS_B];
        buffers.valuesA = all[VKSORT_EXPORT_BUFFER_VALUES];
        buffers.valuesB = all[VKSORT_EXPORT_BUFFER_VALUES_B];
        buffers.keysOut = all[VKSORT_EXPORT_BUFFER_KEYS_OUT];
        buffers.valuesOut = all[VKSORT_EXPORT_BUFFER_VALUES_OUT];
        buffers.scratch = all[VKSORT_EXPORT_BUFFER_SCRATCH];
        buffers.countA = given.count;
        buffers.countB = given.countB;
        vksortCmdMerge(commands, plan, &buffers);
        break;
    }
    default: {
        auto buffers = common_buffers<VksortGatherBuffers>();
        buffers.indices = all[VKSORT_EXPORT_BUFFER_KEYS];
        buffers.records = all[VKSORT_EXPORT_BUFFER_VALUES];
        buffers.out = all[VKSORT_EXPORT_BUFFER_VALUES_OUT];
        buffers.count = given.count;
        buffers.recordCount = given.recordCount;
        vksortCmdGather(commands, plan, &buffers);
        break;
    }
    }
}

void execute_exported(const VksortExportedPlan& plan) {
    const auto all = ranges();
    std::vector<VkPipeline> pipelines(plan.pipelineCount);
    for (uint32_t i = 0; i < plan.pipelineCount; ++i) {
        ASSERT_EQ(create_pipeline(VK_NULL_HANDLE, VK_NULL_HANDLE, &plan.pPipelines[i], &pipelines[i]), VK_SUCCESS);
    }
    std::vector<VkDescriptorSet> sets;
    for (uint32_t i = 0; i < plan.setCount; ++i) {
        sets.push_back(handle_of<VkDescriptorSet>(++world.made));
        write_set(VK_NULL_HANDLE, &plan.pSets[i], all.data(), sets.back());
    }
    execute(VK_NULL_HANDLE, &plan, all.data(), VK_NULL_HANDLE, pipelines.data(), sets.data());
}

class Exports : public ::testing::Test {
protected:
    void SetUp() override { load_functions(function_of, VK_NULL_HANDLE); }

    // Compares for some counts; if the plan is refused, both must refuse it.
    void compare(const VksortDeviceInfo& device, VksortPlanDesc desc, const VksortComparatorInfo* kernels = nullptr) {
        NoDevice none(device);
        if (kernels != nullptr) {
            desc.keyType = VKSORT_KEY_COMPARATOR;
            ASSERT_EQ(vksortCreateComparator(&none.context, kernels, &desc.comparator), VK_SUCCESS);
        }
        VksortPlan plan = VK_NULL_HANDLE;
        const VkResult result = vksortCreatePlan(&none.context, &desc, &plan);
        VksortExportedPlan* exported = nullptr;
        char message[320];
        ASSERT_EQ(vksortExportPlan(&device, &desc, nullptr, &exported, message, sizeof message), result) << message;
        ASSERT_EQ(exported != nullptr, result == VK_SUCCESS);
        EXPECT_EQ(message, none.message);
        if (result != VK_SUCCESS) {
            ++refused_;
            return;
        }
        for (const uint64_t divisor : {1, 2, 1'000'000'000}) {
            const VksortExportArguments given = {desc.maxCount / divisor,
                                                 desc.maxCountB / divisor,
                                                 desc.maxSegments / divisor,
                                                 desc.maxCount / divisor / 2 + 1,
                                                 kCountOffset,
                                                 kCommandsOffset};
            world.log.clear();
            record(plan, given);
            const std::vector<std::string> recorded = std::move(world.log);
            world.log.clear();
            ASSERT_EQ(vksortSetExportArguments(exported, &given), VK_SUCCESS);
            execute_exported(*exported);
            const size_t last = world.log.empty() ? 0 : world.log.size() - 1;
            const bool nothing = recorded.empty() && (world.log.empty() || world.log[last].starts_with("barrier"));
            EXPECT_TRUE(recorded == world.log || nothing)
                << vksortAlgorithmName(exported->info.algorithm) << ", count " << given.count << " of " << desc.maxCount
                << ", flags " << desc.flags << ", " << recorded.size() << " and " << world.log.size() << " commands";
            ++compared_;
            shared_ += exported->setCount > 1 ? 1 : 0;
        }
        vksortDestroyPlan(plan);
        if (kernels != nullptr) {
            vksortDestroyComparator(desc.comparator);
            execute_exported(*exported); // the words are copies
        }
        vksortFreeExportedPlan(exported);
    }

    static std::vector<VksortDeviceInfo> devices() {
        VksortDeviceInfo generic;
        vksortGetGenericDeviceInfo(&generic);
        generic.features &= ~VkFlags{VKSORT_FEATURE_PUSH_DESCRIPTOR_BIT};
        VksortDeviceInfo cpu = generic;
        cpu.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
        cpu.minSubgroupSize = cpu.maxSubgroupSize = cpu.subgroupSize = 8;
        VksortDeviceInfo least = generic;
        least.features = 0;
        least.canRequireSubgroupSize = VK_FALSE;
        least.maxWorkgroupInvocations = 128;
        least.maxSharedMemorySize = 16384;
        return {generic, cpu, least};
    }

    uint64_t compared_ = 0;
    uint64_t shared_ = 0;
    uint64_t refused_ = 0;
};

TEST_F(Exports, SortsAreAsRecorded) {
    for (const VksortDeviceInfo& device : devices()) {
        for (uint32_t algorithm = 0; algorithm <= VKSORT_ALGORITHM_BUCKET_SORT; ++algorithm) {
            for (const uint64_t most : {uint64_t{0}, uint64_t{1'000}, uint64_t{300'000}, uint64_t{1} << 24}) {
                for (const VkFlags flags :
                     {0, VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_DESCENDING_BIT,
                      VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT | VKSORT_PLAN_ARGSORT_BIT}) {
                    VksortPlanDesc desc = {};
                    desc.algorithm = static_cast<VksortAlgorithm>(algorithm);
                    desc.keyType = most % 7 == 0 ? VKSORT_KEY_U32 : VKSORT_KEY_F64;
                    desc.valueSize = flags == 0 ? 0 : 4;
                    desc.flags = flags;
                    desc.maxCount = most;
                    desc.result = static_cast<VksortResult>((algorithm + flags) % 3);
                    compare(device, desc);
                    desc.keyType = VKSORT_KEY_I16;
                    desc.valueSize = 4;
                    compare(device, desc);
                }
            }
        }
    }
    EXPECT_GT(compared_, 1'000u);
    EXPECT_GT(shared_, 50u);
    EXPECT_GT(refused_, 50u);
}

TEST_F(Exports, OtherOperationsAreAsRecorded) {
    for (const VksortDeviceInfo& device : devices()) {
        for (const VkFlags flags : {0, VKSORT_PLAN_COUNT_FROM_BUFFER_BIT + 0,
                                    VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT}) {
            for (const uint64_t most : {uint64_t{0}, uint64_t{1'000}, uint64_t{3'000'000}}) {
                VksortPlanDesc desc = {};
                desc.flags = flags;
                desc.valueSize = 4;
                desc.maxCount = most;
                desc.operation = VKSORT_OPERATION_GATHER;
                compare(device, desc);
                desc.result = VKSORT_RESULT_SEPARATE;
                desc.operation = VKSORT_OPERATION_MERGE;
                desc.maxCountB = most / 3;
                compare(device, desc);
                desc.maxCountB = 0;
                desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
                for (uint32_t kind = 0; kind <= VKSORT_SEGMENTS_OFFSET_COUNTS; ++kind) {
                    desc.segments = static_cast<VksortSegments>(kind);
                    desc.maxSegments = kind == VKSORT_SEGMENTS_HEAD_FLAGS ? 0 : most / 100;
                    desc.flags = flags;
                    compare(device, desc);
                    if (kind != VKSORT_SEGMENTS_HEAD_FLAGS) {
                        desc.flags |= VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT;
                        compare(device, desc);
                    }
                }
            }
        }
    }
    EXPECT_GT(compared_, 300u);
}

TEST_F(Exports, ComparatorsAreAsRecorded) {
    constexpr uint32_t kKernels = 8;
    std::array<std::array<uint32_t, 6>, kKernels> words = {};
    std::array<VksortSpirv, kKernels> spirv = {};
    for (uint32_t i = 0; i < kKernels; ++i) {
        words[i] = {0x07230203, 0x00010500, 0, 1, 0, i};
        spirv[i] = {words[i].data(), words[i].size()};
    }
    const VksortComparatorInfo kernels = {VKSORT_COMPARATOR_VERSION, 3, kKernels, spirv.data()};
    for (const VksortDeviceInfo& device : devices()) {
        VksortPlanDesc desc = {};
        desc.maxCount = 100'000;
        desc.valueSize = 4;
        compare(device, desc, &kernels);
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
        compare(device, desc, &kernels);
    }
    EXPECT_EQ(refused_, 0u);
}

struct Counted {
    int64_t blocks = 0;
    int64_t left = INT64_MAX; // allocations that succeed
};

VKAPI_ATTR void* VKAPI_CALL allocate(void* user, size_t size, size_t, VkSystemAllocationScope) {
    auto& counted = *static_cast<Counted*>(user);
    if (counted.left-- <= 0) {
        return nullptr;
    }
    ++counted.blocks;
    return std::malloc(size);
}

VKAPI_ATTR void VKAPI_CALL release(void* user, void* memory) {
    static_cast<Counted*>(user)->blocks -= memory != nullptr ? 1 : 0;
    std::free(memory);
}

// Compressed kernels may take more than one block, but only while they are inflated.
TEST_F(Exports, MemoryIsTheCallers) {
    VksortDeviceInfo device;
    vksortGetGenericDeviceInfo(&device);
    VksortPlanDesc desc = {};
    desc.maxCount = 1'000'000;
    Counted counted;
    VkAllocationCallbacks callbacks = {};
    callbacks.pUserData = &counted;
    callbacks.pfnAllocation = allocate;
    callbacks.pfnFree = release;
    VksortExportedPlan* plan = nullptr;
    ASSERT_EQ(vksortExportPlan(&device, &desc, &callbacks, &plan, nullptr, 0), VK_SUCCESS);
    EXPECT_EQ(counted.blocks, 1);
    vksortFreeExportedPlan(plan);
    EXPECT_EQ(counted.blocks, 0);
    counted.left = 0;
    char message[320];
    EXPECT_EQ(vksortExportPlan(&device, &desc, &callbacks, &plan, message, sizeof message), VK_ERROR_OUT_OF_HOST_MEMORY);
    EXPECT_EQ(plan, nullptr);
    EXPECT_NE(std::strstr(message, "no host memory"), nullptr);
}

TEST_F(Exports, WrongArgumentsChangeNothing) {
    VksortDeviceInfo device;
    vksortGetGenericDeviceInfo(&device);
    VksortPlanDesc desc = {};
    desc.operation = VKSORT_OPERATION_GATHER;
    desc.valueSize = 64;
    desc.maxCount = 1'000;
    VksortExportedPlan* plan = nullptr;
    ASSERT_EQ(vksortExportPlan(&device, &desc, nullptr, &plan, nullptr, 0), VK_SUCCESS);
    const uint32_t groups = plan->pPasses[0].groups.x;
    const auto set = [plan](uint64_t count, uint64_t records, uint32_t count_offset, uint32_t commands_offset) {
        const VksortExportArguments given = {count, 0, 0, records, count_offset, commands_offset};
        return vksortSetExportArguments(plan, &given);
    };
    EXPECT_EQ(set(1'001, 1, 0, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(set(10, uint64_t{1} << 26, 0, 0), VK_ERROR_FORMAT_NOT_SUPPORTED) << "4 GiB cannot be bound";
    EXPECT_EQ(set(10, 1, 2, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(set(10, 1, 256, 0), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(set(10, 1, 0, 256), VK_ERROR_FORMAT_NOT_SUPPORTED);
    EXPECT_EQ(plan->pPasses[0].groups.x, groups);
    EXPECT_EQ(plan->buffers[VKSORT_EXPORT_BUFFER_VALUES].size, 64'000u);
    EXPECT_EQ(set(10, 1, 252, 252), VK_SUCCESS);
    EXPECT_LT(plan->pPasses[0].groups.x, groups);
    EXPECT_EQ(plan->buffers[VKSORT_EXPORT_BUFFER_VALUES].size, 64u);
    const VksortExportArguments given = {};
    EXPECT_EQ(vksortSetExportArguments(nullptr, &given), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(vksortSetExportArguments(plan, nullptr), VK_ERROR_INITIALIZATION_FAILED);
    vksortFreeExportedPlan(plan);
    vksortFreeExportedPlan(nullptr);
    EXPECT_EQ(vksortExportPlan(nullptr, &desc, nullptr, &plan, nullptr, 0), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(plan, nullptr);
    EXPECT_EQ(vksortExportPlan(&device, &desc, nullptr, nullptr, nullptr, 0), VK_ERROR_INITIALIZATION_FAILED);
}

} // namespace
} // namespace vksort::test
