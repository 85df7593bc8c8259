// SPDX-License-Identifier: MIT
//
// The one device of a test process, with every message it and the validation layer give.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "vksort/vksort.h"
#include "vksort/vksort_host.hpp"

namespace vksort {
struct PlanOverrides;
}

namespace vksort::test {

// Made at the first use, with validation and synchronization validation. The loader's environment picks the driver
// (VK_ICD_FILENAMES), VKSORT_TEST_DEVICE one of its devices.
host::Device& device();
void destroy_device();

// The Vulkan functions that tests call themselves.
struct Functions {
    PFN_vkCreateBuffer create_buffer;
    PFN_vkDestroyBuffer destroy_buffer;
    PFN_vkGetBufferMemoryRequirements get_buffer_memory_requirements;
    PFN_vkAllocateMemory allocate_memory;
    PFN_vkFreeMemory free_memory;
    PFN_vkBindBufferMemory bind_buffer_memory;
    PFN_vkMapMemory map_memory;
    PFN_vkCreateCommandPool create_command_pool;
    PFN_vkDestroyCommandPool destroy_command_pool;
    PFN_vkAllocateCommandBuffers allocate_command_buffers;
    PFN_vkBeginCommandBuffer begin_command_buffer;
    PFN_vkEndCommandBuffer end_command_buffer;
    PFN_vkGetDeviceQueue get_device_queue;
    PFN_vkQueueSubmit queue_submit;
    PFN_vkQueueWaitIdle queue_wait_idle;
    PFN_vkCreateDescriptorPool create_descriptor_pool;
    PFN_vkDestroyDescriptorPool destroy_descriptor_pool;
    PFN_vkResetDescriptorPool reset_descriptor_pool;
    PFN_vkCmdCopyBuffer cmd_copy_buffer;
    PFN_vkCmdFillBuffer cmd_fill_buffer;
    PFN_vkCmdPipelineBarrier cmd_pipeline_barrier;
    PFN_vkGetPhysicalDeviceMemoryProperties get_physical_device_memory_properties;
};
const Functions& vk();

// What vksort and the validation layer have said since the last call. A message that no test takes fails the test.
std::vector<std::string> take_messages();

// Takes the messages and expects exactly one that contains `part`.
void expect_message(const std::string& part);

// Records a message as vksort's callback does; for contexts that a test makes itself.
void on_message(void* user, VksortSeverity severity, const char* message);
// Of a context on the device, with all of its features.
VksortContextCreateInfo context_create_info();

// Makes the device look smaller than it is, or other; zero leaves a limit alone.
struct Limits {
    VksortFeatureFlags features = ~VksortFeatureFlags{0}; // at most these
    uint32_t shared_memory = 0;
    uint32_t invocations = 0;
    uint32_t groups_x = 0; // workgroups in the first dimension of a dispatch
    bool is_gpu = false;   // gets what GPUs get: other kernels and plans than CPU drivers
    auto operator<=>(const Limits&) const = default;
};

// The least that Vulkan allows, and no feature beyond it.
inline constexpr Limits kLeastLimits = {.features = 0, .shared_memory = 16384, .invocations = 128, .groups_x = 65535};

// A context on the one device that claims no more than the limits, and the plans made with it.
class Context {
public:
    explicit Context(const Limits& limits);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    VksortContext handle() const { return handle_; }
    // As the library sees the device through this context.
    const VksortDeviceInfo& info() const { return info_; }
    // What the device lacks for the algorithm, in the words of its refusal; null: nothing.
    const char* lacks_for(VksortAlgorithm algorithm) const;
    bool can_run(VksortAlgorithm algorithm) const { return lacks_for(algorithm) == nullptr; }

    // Plans live until the test ends; the same description gives the same plan.
    VkResult plan(const VksortPlanDesc& desc, const PlanOverrides& overrides, VksortPlan* plan);
    void destroy_plans();

    // Made when a name is first asked for, and kept.
    VksortComparator comparator(const std::string& name, const VksortComparatorInfo& kernels);

private:
    struct Plans;
    VksortContext handle_ = VK_NULL_HANDLE;
    VksortDeviceInfo info_ = {};
    std::map<VksortComparator, std::unique_ptr<Plans>> plans_; // null: of built-in keys
    std::map<std::string, VksortComparator> comparators_;
};

// Below the full level CPU drivers sort segments, and by msd, with kernels that read what the plan is for when they run.
// Users get kernels that are specialized for each description, by which a suite has hundreds of pipelines. A test that
// begins with this has them, too.
void use_specialized_kernels();

// Contexts are kept, so that their pipelines are compiled once.
Context& context(const Limits& limits = {});
// Of all contexts.
size_t pipelines_made();
// Pipelines, plans and comparators go; contexts are made again when they are needed.
void destroy_contexts();

// A descriptor pool with exactly the coarse bucket that `recordings` recordings of a plan need, as its info tells.
class DescriptorPool {
public:
    DescriptorPool(const VksortPlanInfo& info, uint32_t recordings);
    ~DescriptorPool();
    DescriptorPool(const DescriptorPool&) = delete;
    DescriptorPool& operator=(const DescriptorPool&) = delete;
    VkDescriptorPool handle() const { return handle_; }
    void reset();

private:
    VkDescriptorPool handle_ = VK_NULL_HANDLE;
};

void memory_barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written, VkPipelineStageFlags to,
                    VkAccessFlags used);

// Base of every test that touches the device.
class DeviceTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;
};

} // namespace vksort::test
