// SPDX-License-Identifier: MIT
//
// A copy by a compute shader: the roofline. It "sorts" nothing, and its result is its input.
#include <algorithm>
#include <chrono>
#include <cstring>

#include "../gpu_clock.h"
#include "../statistics.h"
#include "copy_kernel.h"

namespace vksort::bench {

namespace {

using host::Buffer;
using host::Device;

void check(VkResult result, const char* what) {
    if (result != VK_SUCCESS) {
        throw std::runtime_error(std::string(what) + " failed");
    }
}

// The pipeline, and one descriptor set a copy.
class CopyKernel {
public:
    explicit CopyKernel(Device& device) : device_(device) {
        VkDescriptorSetLayoutBinding bindings[2] = {};
        for (uint32_t i = 0; i < 2; ++i) {
            bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        }
        VkDescriptorSetLayoutCreateInfo set = {};
        set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        set.bindingCount = 2;
        set.pBindings = bindings;
        check(call<PFN_vkCreateDescriptorSetLayout>("vkCreateDescriptorSetLayout")(handle(), &set, nullptr, &set_layout_),
              "creating a descriptor set layout");
        const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
        VkPipelineLayoutCreateInfo layout = {};
        layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        layout.setLayoutCount = 1;
        layout.pSetLayouts = &set_layout_;
        layout.pushConstantRangeCount = 1;
        layout.pPushConstantRanges = &range;
        check(call<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(handle(), &layout, nullptr, &layout_),
              "creating a pipeline layout");
        VkShaderModuleCreateInfo module = {};
        module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        module.codeSize = sizeof kCopyKernel;
        module.pCode = kCopyKernel;
        VkShaderModule shader = VK_NULL_HANDLE;
        check(call<PFN_vkCreateShaderModule>("vkCreateShaderModule")(handle(), &module, nullptr, &shader),
              "creating a shader module");
        VkComputePipelineCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = shader;
        info.stage.pName = "main";
        info.layout = layout_;
        const VkResult made = call<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(handle(), VK_NULL_HANDLE, 1,
                                                                                             &info, nullptr, &pipeline_);
        call<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(handle(), shader, nullptr);
        check(made, "creating the copy's pipeline");
        const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
        VkDescriptorPoolCreateInfo pool = {};
        pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        pool.maxSets = 2;
        pool.poolSizeCount = 1;
        pool.pPoolSizes = &size;
        check(call<PFN_vkCreateDescriptorPool>("vkCreateDescriptorPool")(handle(), &pool, nullptr, &pool_),
              "creating a descriptor pool");
    }

    ~CopyKernel() {
        call<PFN_vkDestroyDescriptorPool>("vkDestroyDescriptorPool")(handle(), pool_, nullptr);
        call<PFN_vkDestroyPipeline>("vkDestroyPipeline")(handle(), pipeline_, nullptr);
        call<PFN_vkDestroyPipelineLayout>("vkDestroyPipelineLayout")(handle(), layout_, nullptr);
        call<PFN_vkDestroyDescriptorSetLayout>("vkDestroyDescriptorSetLayout")(handle(), set_layout_, nullptr);
    }
    CopyKernel(const CopyKernel&) = delete;
    CopyKernel& operator=(const CopyKernel&) = delete;

    // At most two of them.
    VkDescriptorSet bind(const Buffer& from, const Buffer& to) {
        VkDescriptorSetAllocateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        info.descriptorPool = pool_;
        info.descriptorSetCount = 1;
        info.pSetLayouts = &set_layout_;
        VkDescriptorSet set = VK_NULL_HANDLE;
        check(call<PFN_vkAllocateDescriptorSets>("vkAllocateDescriptorSets")(handle(), &info, &set),
              "allocating a descriptor set");
        const VkDescriptorBufferInfo buffers[2] = {{from.handle(), 0, VK_WHOLE_SIZE}, {to.handle(), 0, VK_WHOLE_SIZE}};
        VkWriteDescriptorSet write = {};
        write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
        write.dstSet = set;
        write.descriptorCount = 2;
        write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        write.pBufferInfo = buffers;
        call<PFN_vkUpdateDescriptorSets>("vkUpdateDescriptorSets")(handle(), 1, &write, 0, nullptr);
        return set;
    }

    void record(VkCommandBuffer commands, VkDescriptorSet set, uint64_t bytes) {
        const auto count = static_cast<uint32_t>((bytes + 15) / 16);
        if (count == 0) {
            return;
        }
        const uint32_t groups = std::min(device_.info().maxWorkgroupCount[0], (count + 511) / 512);
        call<PFN_vkCmdBindPipeline>("vkCmdBindPipeline")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
        call<PFN_vkCmdBindDescriptorSets>("vkCmdBindDescriptorSets")(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1,
                                                                     &set, 0, nullptr);
        call<PFN_vkCmdPushConstants>("vkCmdPushConstants")(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &count);
        call<PFN_vkCmdDispatch>("vkCmdDispatch")(commands, groups, 1, 1);
    }

private:
    template <typename Function> Function call(const char* name) const {
        return reinterpret_cast<Function>(device_.function(name));
    }
    VkDevice handle() const { return device_.device(); }

    Device& device_;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
};

void check_size(Device& device, uint64_t bytes) {
    if (bytes > device.info().maxStorageBufferRange) {
        throw TooLarge("larger than maxStorageBufferRange");
    }
}

class CopyJob : public Job {
public:
    CopyJob(Device& device, uint64_t key_bytes, uint64_t value_bytes)
        : device_(device), key_bytes_(key_bytes), value_bytes_(value_bytes), kernel_(device), clock_(device) {
        check_size(device, std::max(key_bytes, value_bytes));
        check_device_memory(device, 2 * (key_bytes + value_bytes));
        try {
            for (size_t i = 0; i < 2; ++i) {
                keys_[i] = make_buffer(device, key_bytes);
                values_[i] = make_buffer(device, value_bytes);
            }
        } catch (const host::Error& error) {
            rethrow(error);
        }
        key_set_ = kernel_.bind(keys_[0], keys_[1]);
        value_set_ = kernel_.bind(values_[0], values_[1]);
    }

    void upload(const Input& input) {
        keys_[0].upload(input.keys.span());
        if (value_bytes_ != 0) {
            values_[0].upload(input.values.span());
        }
    }

    std::optional<double> gpu_time() override {
        return gpu_time_of(
            device_, clock_, [](VkCommandBuffer) {}, [this](VkCommandBuffer commands) { record(commands); });
    }

    double wall_time() override {
        return wall_time_of(device_, [this](VkCommandBuffer commands) { record(commands); });
    }

    void result(HostBytes& keys, HostBytes& values) override {
        keys_[1].download(keys.span());
        if (value_bytes_ != 0) {
            values_[1].download(values.span());
        }
    }

    std::optional<uint64_t> model_bytes() override { return 2 * (key_bytes_ + value_bytes_); }
    std::optional<uint64_t> scratch_bytes() override { return 0; }

private:
    void record(VkCommandBuffer commands) {
        kernel_.record(commands, key_set_, key_bytes_);
        kernel_.record(commands, value_set_, value_bytes_);
    }

    Device& device_;
    uint64_t key_bytes_, value_bytes_;
    CopyKernel kernel_;
    GpuClock clock_;
    Buffer keys_[2], values_[2]; // from and to
    VkDescriptorSet key_set_ = VK_NULL_HANDLE, value_set_ = VK_NULL_HANDLE;
};

class CopyContender : public Contender {
public:
    explicit CopyContender(Device& device) : device_(device) {}
    std::string name() const override { return "copy"; }
    std::string refusal(const Scenario&) const override { return ""; }
    std::unique_ptr<Job> prepare(const Input& input) override {
        auto job = std::make_unique<CopyJob>(device_, input.keys.size(), input.values.size());
        job->upload(input);
        return job;
    }
    std::string verify(const Input& input, std::span<const std::byte> keys,
                       std::span<const std::byte> values) const override {
        const bool same = std::equal(keys.begin(), keys.end(), input.keys.span().begin()) &&
                          std::equal(values.begin(), values.end(), input.values.span().begin());
        return same ? "" : "the copy differs from its input";
    }

private:
    Device& device_;
};

} // namespace

void add_copy(Device& device, Contenders& contenders) { contenders.push_back(std::make_unique<CopyContender>(device)); }

std::optional<double> measure_roofline(Device& device) {
    // Larger than any cache, and no longer than needed on a CPU.
    const bool is_cpu = device.info().deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint64_t bytes =
        std::min<uint64_t>(uint64_t{is_cpu ? 64u : 1024u} << 20, device.info().maxStorageBufferRange / 16 * 16);
    try {
        CopyJob job(device, bytes, 0);
        std::vector<double> times;
        const auto begin = std::chrono::steady_clock::now();
        // The first ones are left out: a GPU that idled takes its time to raise its clocks.
        while (times.size() < 11) {
            const std::optional<double> time = job.gpu_time();
            if (!time || *time <= 0) {
                return std::nullopt;
            }
            if (is_cpu || std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(300)) {
                times.push_back(*time);
            }
        }
        return 2 * static_cast<double>(bytes) / (summarize(times).median * 1e-6);
    } catch (const TooLarge&) {
        return std::nullopt;
    }
}

} // namespace vksort::bench
