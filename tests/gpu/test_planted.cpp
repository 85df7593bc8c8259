// SPDX-License-Identifier: MIT
//
// Kernels with a mistake on purpose: what a run with VKSORT_TEST_RACES=1 or VKSORT_TEST_BOUNDS=1 must be told of.
#include "../harness/exact_bindings.h"
#include "../harness/gpu_validation.h"
#include "../harness/manual.h"
#include "common.h"
#include "planted_overrun.h"
#include "planted_race.h"

namespace vksort::test {
namespace {

constexpr VkDeviceSize kBytes = 64; // of the buffer, in more memory than that

void require(VkResult result) {
    if (result != VK_SUCCESS) {
        throw std::runtime_error("a planted kernel could not be run: " + std::to_string(result));
    }
}

// Runs one kernel over one buffer, on the tests' device or on one of its own, with robustBufferAccess or without.
enum class Owner { tests, plain, robust };

class PlantedDevice {
public:
    explicit PlantedDevice(Owner owner) : owns_(owner != Owner::tests), device_(device().device()) {
        if (!owns_) {
            return;
        }
        const float priority = 1;
        VkDeviceQueueCreateInfo queue = {};
        queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
        queue.queueFamilyIndex = device().queue_family();
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        VkPhysicalDeviceFeatures features = {};
        features.robustBufferAccess = owner == Owner::robust ? VK_TRUE : VK_FALSE;
        VkDeviceCreateInfo create = {};
        create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
        create.queueCreateInfoCount = 1;
        create.pQueueCreateInfos = &queue;
        create.pEnabledFeatures = &features;
        require(call<PFN_vkCreateDevice>("vkCreateDevice")(device().physical_device(), &create, nullptr, &device_));
    }
    ~PlantedDevice() {
        if (owns_) {
            call<PFN_vkDestroyDevice>("vkDestroyDevice")(device_, nullptr);
        }
    }
    PlantedDevice(const PlantedDevice&) = delete;
    PlantedDevice& operator=(const PlantedDevice&) = delete;

    void run(std::span<const uint32_t> code) const {
        const VkBuffer buffer = create_buffer();
        const VkDeviceMemory memory = allocate(buffer);
        const VkDescriptorSetLayout set_layout = create_set_layout();
        VkPipelineLayoutCreateInfo layout_create = {};
        layout_create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        layout_create.setLayoutCount = 1;
        layout_create.pSetLayouts = &set_layout;
        VkPipelineLayout layout = VK_NULL_HANDLE;
        require(call<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(device_, &layout_create, nullptr, &layout));
        const VkPipeline pipeline = create_pipeline(code, layout);
        VkDescriptorPool pool = VK_NULL_HANDLE;
        const VkDescriptorSet set = create_set(set_layout, buffer, pool);
        submit([&](VkCommandBuffer commands) {
            call<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
            call<PFN_vkCmdBindDescriptorSets>("vkCmdBindDescriptorSets")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                                                                         1, &set, 0, nullptr);
            call<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, 1, 1, 1);
        });
        call<PFN_vkDestroyDescriptorPool>("vkDestroyDescriptorPool")(device_, pool, nullptr);
        call<PFN_vkDestroyPipeline>("vkDestroyPipeline")(device_, pipeline, nullptr);
        call<PFN_vkDestroyPipelineLayout>("vkDestroyPipelineLayout")(device_, layout, nullptr);
        call<PFN_vkDestroyDescriptorSetLayout>("vkDestroyDescriptorSetLayout")(device_, set_layout, nullptr);
        call<PFN_vkDestroyBuffer>("vkDestroyBuffer")(device_, buffer, nullptr);
        call<PFN_vkFreeMemory>("vkFreeMemory")(device_, memory, nullptr);
    }

private:
    template <typename Function> static Function call(const char* name) {
        return reinterpret_cast<Function>(device().get_instance_proc_addr()(device().instance(), name));
    }

    VkBuffer create_buffer() const {
        VkBufferCreateInfo create = {};
        create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        create.size = kBytes;
        create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        VkBuffer buffer = VK_NULL_HANDLE;
        require(call<PFN_vkCreateBuffer>("vkCreateBuffer")(device_, &create, nullptr, &buffer));
        return buffer;
    }

    VkDeviceMemory allocate(VkBuffer buffer) const {
        VkMemoryRequirements requirements = {};
        call<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(device_, buffer, &requirements);
        VkMemoryAllocateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        info.allocationSize = 4096;
        for (info.memoryTypeIndex = 0; (requirements.memoryTypeBits >> info.memoryTypeIndex & 1) == 0;) {
            ++info.memoryTypeIndex;
        }
        VkDeviceMemory memory = VK_NULL_HANDLE;
        require(call<PFN_vkAllocateMemory>("vkAllocateMemory")(device_, &info, nullptr, &memory));
        require(call<PFN_vkBindBufferMemory>("vkBindBufferMemory")(device_, buffer, memory, 0));
        return memory;
    }

    VkDescriptorSetLayout create_set_layout() const {
        VkDescriptorSetLayoutBinding binding = {};
        binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        binding.descriptorCount = 1;
        binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
        VkDescriptorSetLayoutCreateInfo create = {};
        create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        create.bindingCount = 1;
        create.pBindings = &binding;
        VkDescriptorSetLayout layout = VK_NULL_HANDLE;
        require(call<PFN_vkCreateDescriptorSetLayout>("vkCreateDescriptorSetLayout")(device_, &create, nullptr, &layout));
        return layout;
    }

    VkPipeline create_pipeline(std::span<const uint32_t> code, VkPipelineLayout layout) const {
        VkShaderModuleCreateInfo module_create = {};
        module_create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        module_create.codeSize = code.size_bytes();
        module_create.pCode = code.data();
        VkComputePipelineCreateInfo create = {};
        create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        create.layout = layout;
        create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        create.stage.pName = "main";
        require(
            call<PFN_vkCreateShaderModule>("vkCreateShaderModule")(device_, &module_create, nullptr, &create.stage.module));
        VkPipeline pipeline = VK_NULL_HANDLE;
        require(call<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(device_, VK_NULL_HANDLE, 1, &create, nullptr,
                                                                               &pipeline));
        call<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(device_, create.stage.module, nullptr);
        return pipeline;
    }

    VkDescriptorSet create_set(VkDescriptorSetLayout layout, VkBuffer buffer, VkDescriptorPool& pool) const {
        const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
        VkDescriptorPoolCreateInfo create = {};
        create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        create.maxSets = 1;
        create.poolSizeCount = 1;
        create.pPoolSizes = &size;
        require(call<PFN_vkCreateDescriptorPool>("vkCreateDescriptorPool")(device_, &create, nullptr, &pool));
        VkDescriptorSetAllocateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        info.descriptorPool = pool;
        info.descriptorSetCount = 1;
        info.pSetLayouts = &layout;
        VkDescriptorSet set = VK_NULL_HANDLE;
        require(call<PFN_vkAllocateDescriptorSets>("vkAllocateDescriptorSets")(device_, &info, &set));
        const VkDescriptorBufferInfo whole = {buffer, 0, VK_WHOLE_SIZE};
        VkWriteDescriptorSet write = {};
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = &whole;
        call<PFN_vkUpdateDescriptorSets>("vkUpdateDescriptorSets")(device_, 1, &write, 0, nullptr);
        return set;
    }

    void submit(const std::function<void(VkCommandBuffer)>& record) const {
        VkCommandPoolCreateInfo pool_create = {};
        pool_create.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        pool_create.queueFamilyIndex = device().queue_family();
        VkCommandPool pool = VK_NULL_HANDLE;
        require(call<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device_, &pool_create, nullptr, &pool));
        VkCommandBufferAllocateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        info.commandPool = pool;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        require(call<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device_, &info, &commands));
        VkCommandBufferBeginInfo begin = {};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        require(call<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin));
        record(commands);
        require(call<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands));
        VkQueue queue = VK_NULL_HANDLE;
        call<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device_, device().queue_family(), 0, &queue);
        VkSubmitInfo submit_info = {};
        submit_info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        submit_info.commandBufferCount = 1;
        submit_info.pCommandBuffers = &commands;
        require(call<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, 1, &submit_info, VK_NULL_HANDLE));
        require(call<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue));
        call<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device_, pool, nullptr);
    }

    bool owns_;
    VkDevice device_;
};

class Planted : public DeviceTest {
protected:
    static std::string told(Owner owner, std::span<const uint32_t> code) {
        PlantedDevice(owner).run(code);
        std::string all;
        for (const std::string& message : take_messages()) {
            all += message + "\n";
        }
        return all;
    }
};

TEST_F(Planted, RaceIsReported) {
    if (!checks_races()) {
        GTEST_SKIP() << "races on shared memory are checked with VKSORT_TEST_RACES=1";
    }
    if (const std::string why = why_races_go_unnoticed(); !why.empty()) {
        GTEST_SKIP() << why;
    }
    for (const Owner owner : {Owner::tests, Owner::plain, Owner::robust}) {
        const std::string messages = told(owner, planted_race);
        EXPECT_NE(messages.find("SharedMemoryDataRace-RaceOnStore"), std::string::npos) << messages;
        EXPECT_NE(messages.find("s_flag"), std::string::npos) << messages;
    }
}

// Newer layers do not look where robustBufferAccess is enabled. What a kernel reads does not depend on it, and the
// tests' device, which is among these, must not have it.
TEST_F(Planted, OverrunIsReported) {
    if (!checks_bounds()) {
        GTEST_SKIP() << "accesses outside of bindings are checked with VKSORT_TEST_BOUNDS=1";
    }
    for (const Owner owner : {Owner::tests, Owner::plain}) {
        const std::string messages = told(owner, planted_overrun);
        EXPECT_NE(messages.find("out of bounds"), std::string::npos) << messages;
    }
}

TEST_F(Planted, OverrunIsReportedWithRobustBufferAccess) {
    if (!checks_bounds()) {
        GTEST_SKIP() << "accesses outside of bindings are checked with VKSORT_TEST_BOUNDS=1";
    }
    if (const std::string why = why_robust_accesses_go_unnoticed(); !why.empty()) {
        EXPECT_EQ(told(Owner::robust, planted_overrun), "") << "it looks after all";
        GTEST_SKIP() << why;
    }
    const std::string messages = told(Owner::robust, planted_overrun);
    EXPECT_NE(messages.find("out of bounds"), std::string::npos) << messages;
}

} // namespace
} // namespace vksort::test
