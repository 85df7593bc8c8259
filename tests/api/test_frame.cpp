// SPDX-License-Identifier: MIT
//
// Features for an application's frame: names and labels for debuggers, timestamps of each dispatch, recording in parts, and
// messages that no callback receives.
#include <cstdlib>
#include <set>

#include "../harness/generate.h"
#include "../harness/manual.h"
#include "../harness/sort_case.h"
#include "context.h"

namespace vksort::test {
namespace {

constexpr uint64_t kElements = 10'007;

class Frame : public DeviceTest {};

VksortPlanDesc reduce_scan() {
    return description_of(SortCase{.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN, .value_size = 4, .count = kElements});
}

PairBuffers pair_buffers(const VksortPlanInfo& info) {
    const Bytes keys = generate_keys(VKSORT_KEY_U32, kElements, Distribution::uniform, test_seed());
    return {info, keys, Bytes(keys.size()), 4};
}

template <typename Function> Function device_function(const char* name) {
    const auto get = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
        device().get_instance_proc_addr()(device().instance(), "vkGetDeviceProcAddr"));
    return reinterpret_cast<Function>(get(device().device(), name));
}

class QueryPool {
public:
    explicit QueryPool(uint32_t count) : count_(count) {
        VkQueryPoolCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
        info.queryType = VK_QUERY_TYPE_TIMESTAMP;
        info.queryCount = count;
        EXPECT_EQ(device_function<PFN_vkCreateQueryPool>("vkCreateQueryPool")(device().device(), &info, nullptr, &pool_),
                  VK_SUCCESS);
    }
    ~QueryPool() { device_function<PFN_vkDestroyQueryPool>("vkDestroyQueryPool")(device().device(), pool_, nullptr); }
    QueryPool(const QueryPool&) = delete;
    QueryPool& operator=(const QueryPool&) = delete;

    VkQueryPool handle() const { return pool_; }
    void reset(VkCommandBuffer commands) const {
        device_function<PFN_vkCmdResetQueryPool>("vkCmdResetQueryPool")(commands, pool_, 0, count_);
    }
    // For each query, its timestamp and whether it is available.
    std::vector<std::pair<uint64_t, uint64_t>> results() const {
        std::vector<std::pair<uint64_t, uint64_t>> results(count_);
        device_function<PFN_vkGetQueryPoolResults>("vkGetQueryPoolResults")(
            device().device(), pool_, 0, count_, 16 * count_, results.data(), 16,
            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
        return results;
    }

private:
    VkQueryPool pool_ = VK_NULL_HANDLE;
    uint32_t count_;
};

TEST_F(Frame, Version) {
    EXPECT_EQ(vksortGetVersion(), VKSORT_VERSION);
    VksortContextCreateInfo info = context_create_info();
    VksortContext made = VK_NULL_HANDLE;
    for (const uint32_t version : {0u, VKSORT_VERSION, VKSORT_VERSION + 1}) {
        info.headerVersion = version; // Another patch version is accepted.
        ASSERT_EQ(vksortCreateContext(&info, nullptr, &made), VK_SUCCESS);
        vksortDestroyContext(made);
    }
    info.headerVersion = 3u << 22 | 14u << 12;
    EXPECT_EQ(vksortCreateContext(&info, nullptr, &made), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(made, VksortContext{VK_NULL_HANDLE});
    expect_message("compiled with the header of vksort 3.14, and this library is vksort " +
                   std::to_string(VKSORT_VERSION_MAJOR) + "." + std::to_string(VKSORT_VERSION_MINOR));
}

// A call writes the timestamps of all its dispatches, with 0 elements too, and no other queries.
TEST_F(Frame, TimestampsOfEachDispatch) {
    if (device().timestamp_valid_bits() == 0) {
        GTEST_SKIP() << "the queue has no timestamps";
    }
    const MadePlan plan = made_plan(reduce_scan());
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    const PairBuffers memory = pair_buffers(plan.info);
    const uint32_t passes = plan.info.passCount;
    for (const uint64_t count : {kElements, uint64_t{0}}) {
        constexpr uint32_t kFirst = 3;
        const QueryPool pool(kFirst + passes + 1 + 2);
        VksortSortBuffers buffers = memory.buffers(count);
        buffers.timestamps = {pool.handle(), kFirst};
        Recording recording;
        recording.record([&](VkCommandBuffer commands) {
            pool.reset(commands);
            host_to_plan(commands, plan.info);
            vksortCmdSort(commands, plan.plan, &buffers);
            plan_to_host(commands, plan.info);
        });
        Recording::run({&recording});
        const auto results = pool.results();
        for (uint32_t i = 0; i < results.size(); ++i) {
            const bool is_ours = i >= kFirst && i <= kFirst + passes;
            EXPECT_EQ(results[i].second != 0, is_ours) << "query " << i;
            if (is_ours && i > kFirst && device().timestamp_valid_bits() == 64) {
                EXPECT_GE(results[i].first, results[i - 1].first);
            }
        }
    }
}

TEST_F(Frame, PartsOutOfRangeAreRefused) {
    const MadePlan plan = made_plan(reduce_scan());
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    const PairBuffers memory = pair_buffers(plan.info);
    VksortSortBuffers buffers = memory.buffers(kElements);
    std::vector<uint32_t> recorded;
    buffers.passCallback = [](void* user, VkCommandBuffer, VksortPassEvent event, uint32_t index, const char*) {
        if (event == VKSORT_PASS_BEGIN) {
            static_cast<std::vector<uint32_t>*>(user)->push_back(index);
        }
    };
    buffers.passUser = &recorded;
    const uint32_t passes = plan.info.passCount;
    const auto record = [&](uint32_t first, uint32_t count) {
        buffers.passes = {first, count};
        recorded.clear();
        Recording().record([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan.plan, &buffers); });
        return recorded;
    };
    EXPECT_EQ(record(0, 1), std::vector<uint32_t>{0});
    EXPECT_EQ(record(passes - 1, UINT32_MAX), std::vector<uint32_t>{passes - 1});
    EXPECT_EQ(record(1, 2), (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(record(passes - 2, 0), (std::vector<uint32_t>{passes - 2, passes - 1}));
    EXPECT_TRUE(record(passes, 0).empty());
    expect_message("passes.first " + std::to_string(passes) + " is not below the plan's " + std::to_string(passes) +
                   " dispatches");
}

// Parts in secondary command buffers, with timestamps and labels, which a primary one executes in order.
TEST_F(Frame, PartsInSecondaryCommandBuffers) {
    const MadePlan plan = made_plan(reduce_scan());
    ASSERT_TRUE(plan.plan != VK_NULL_HANDLE);
    const PairBuffers memory = pair_buffers(plan.info);
    const Bytes input(memory.keys.bytes().begin(), memory.keys.bytes().end());
    VksortSortBuffers buffers = memory.buffers(kElements);
    const bool has_timestamps = device().timestamp_valid_bits() != 0;
    const QueryPool queries(plan.info.passCount + 1);
    buffers.timestamps = {has_timestamps ? queries.handle() : VK_NULL_HANDLE, 0};
    VkDevice owner = device().device();
    VkCommandPoolCreateInfo pool_info = {};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.queueFamilyIndex = device().queue_family();
    VkCommandPool pool = VK_NULL_HANDLE;
    ASSERT_EQ(device_function<PFN_vkCreateCommandPool>("vkCreateCommandPool")(owner, &pool_info, nullptr, &pool),
              VK_SUCCESS);
    VkCommandBufferAllocateInfo allocate = {};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
    allocate.commandBufferCount = 2;
    VkCommandBuffer halves[2] = {};
    ASSERT_EQ(device_function<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(owner, &allocate, halves),
              VK_SUCCESS);
    for (uint32_t i = 0; i < 2; ++i) {
        VkCommandBufferInheritanceInfo inheritance = {};
        inheritance.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO;
        VkCommandBufferBeginInfo begin = {};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        begin.pInheritanceInfo = &inheritance;
        ASSERT_EQ(device_function<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(halves[i], &begin), VK_SUCCESS);
        buffers.passes = {i * plan.info.passCount / 2, i == 0 ? plan.info.passCount / 2 : 0};
        vksortCmdSort(halves[i], plan.plan, &buffers);
        ASSERT_EQ(device_function<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(halves[i]), VK_SUCCESS);
    }
    Recording recording;
    recording.record([&](VkCommandBuffer commands) {
        queries.reset(commands);
        host_to_plan(commands, plan.info);
        device_function<PFN_vkCmdExecuteCommands>("vkCmdExecuteCommands")(commands, 2, halves);
        plan_to_host(commands, plan.info);
    });
    Recording::run({&recording});
    const Bytes expected = reference::gather(input, 4, reference::argsort(input, {}));
    EXPECT_TRUE(std::ranges::equal(memory.keys.bytes(), expected));
    for (const auto& [time, is_there] : queries.results()) {
        EXPECT_EQ(is_there != 0, has_timestamps);
    }
    device_function<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(owner, pool, nullptr);
}

// Functions of VK_EXT_debug_utils that keep their arguments.
struct Told {
    std::vector<std::string> labels;
    int depth = 0;
    std::set<std::string> names;
} told;

VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer, const VkDebugUtilsLabelEXT* label) {
    told.labels.push_back(std::string(static_cast<size_t>(told.depth), '>') + label->pLabelName);
    ++told.depth;
}
VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer) { --told.depth; }
VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice, const VkDebugUtilsObjectNameInfoEXT* info) {
    EXPECT_EQ(info->objectType, VK_OBJECT_TYPE_PIPELINE);
    EXPECT_NE(info->objectHandle, 0u);
    told.names.insert(info->pObjectName);
    return VK_SUCCESS;
}

template <bool kHasDebugUtils> VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL proc_addr(VkInstance instance, const char* name) {
    const std::pair<const char*, PFN_vkVoidFunction> own[] = {
        {"vkCmdBeginDebugUtilsLabelEXT", reinterpret_cast<PFN_vkVoidFunction>(begin_label)},
        {"vkCmdEndDebugUtilsLabelEXT", reinterpret_cast<PFN_vkVoidFunction>(end_label)},
        {"vkSetDebugUtilsObjectNameEXT", reinterpret_cast<PFN_vkVoidFunction>(set_name)}};
    for (const auto& [replaced, function] : own) {
        if (std::strcmp(name, replaced) == 0) {
            return kHasDebugUtils ? function : nullptr;
        }
    }
    return device().get_instance_proc_addr()(instance, name);
}

void record_with(PFN_vkGetInstanceProcAddr get_instance_proc_addr) {
    told = {};
    VksortContextCreateInfo info = context_create_info();
    info.getInstanceProcAddr = get_instance_proc_addr;
    VksortContext made = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreateContext(&info, nullptr, &made), VK_SUCCESS);
    const VksortPlanDesc desc = reduce_scan();
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreatePlan(made, &desc, &plan), VK_SUCCESS);
    VksortPlanInfo plan_info;
    vksortGetPlanInfo(plan, &plan_info);
    {
        const PairBuffers memory = pair_buffers(plan_info);
        const VksortSortBuffers buffers = memory.buffers(kElements);
        Recording().record([&](VkCommandBuffer commands) { vksortCmdSort(commands, plan, &buffers); });
    }
    vksortDestroyPlan(plan);
    vksortDestroyContext(made);
}

TEST_F(Frame, NamesAndLabels) {
    record_with(proc_addr<true>);
    EXPECT_EQ(told.depth, 0);
    uint32_t count = VKSORT_MAX_PASSES;
    VksortPassInfo passes[VKSORT_MAX_PASSES];
    const VksortPlanDesc desc = reduce_scan();
    ASSERT_EQ(vksortDescribePasses(&device().info(), &desc, kElements, &count, passes), VK_SUCCESS);
    std::vector<std::string> labels = {"vksortCmdSort"};
    std::set<std::string> names;
    for (uint32_t i = 0; i < count; ++i) {
        labels.push_back(std::string(">") + passes[i].name);
        names.insert(std::string("vksort ") + passes[i].kernel);
    }
    EXPECT_EQ(told.labels, labels);
    EXPECT_EQ(told.names, names);
}

TEST_F(Frame, WithoutDebugUtils) {
    record_with(proc_addr<false>);
    EXPECT_TRUE(told.labels.empty());
    EXPECT_TRUE(told.names.empty());
}

// Returns the text that a refused plan prints to stderr if the context has no callback.
std::string printed(const char* wish) {
    setenv("VKSORT_DEBUG", wish, 1);
    VksortContextCreateInfo info = context_create_info();
    info.messageCallback = nullptr;
    VksortContext silent = VK_NULL_HANDLE;
    EXPECT_EQ(vksortCreateContext(&info, nullptr, &silent), VK_SUCCESS);
    VksortPlanDesc desc = reduce_scan();
    desc.valueSize = 7;
    VksortPlan plan = VK_NULL_HANDLE;
    testing::internal::CaptureStderr();
    EXPECT_EQ(vksortCreatePlan(silent, &desc, &plan), VK_ERROR_FORMAT_NOT_SUPPORTED);
    const std::string text = testing::internal::GetCapturedStderr();
    vksortDestroyContext(silent);
    unsetenv("VKSORT_DEBUG");
    return text;
}

TEST_F(Frame, MessagesWithoutACallback) {
    const std::string text = printed("1");
    EXPECT_EQ(text.find("vksort: error: valueSize 7 is not"), 0u) << text;
    EXPECT_EQ(text.find('\n') + 1, text.size());
    EXPECT_EQ(printed("0"), "");
}

} // namespace
} // namespace vksort::test
