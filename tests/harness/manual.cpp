// SPDX-License-Identifier: MIT
#include "manual.h"

#include <algorithm>
#include <cstring>

#include "plan.h"

namespace vksort::test {

namespace {

void require(VkResult result, const char* what) {
    if (result != VK_SUCCESS) {
        throw host::Error(host::Error::Kind::device, std::string(what) + " failed in a test: " + std::to_string(result));
    }
}

uint32_t mapped_memory_type(uint32_t allowed) {
    VkPhysicalDeviceMemoryProperties memory = {};
    vk().get_physical_device_memory_properties(device().physical_device(), &memory);
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
        if ((allowed >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
            return i;
        }
    }
    throw host::Error(host::Error::Kind::device, "no host-visible memory for a storage buffer");
}

} // namespace

MappedBuffer::MappedBuffer(uint64_t size, VkBufferUsageFlags usage) : size_(size) {
    VkDevice owner = device().device();
    VkBufferCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = size;
    create.usage = usage;
    require(vk().create_buffer(owner, &create, nullptr, &buffer_), "vkCreateBuffer");
    VkMemoryRequirements requirements = {};
    vk().get_buffer_memory_requirements(owner, buffer_, &requirements);
    VkMemoryAllocateInfo allocate = {};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.allocationSize = requirements.size;
    allocate.memoryTypeIndex = mapped_memory_type(requirements.memoryTypeBits);
    require(vk().allocate_memory(owner, &allocate, nullptr, &memory_), "vkAllocateMemory");
    require(vk().bind_buffer_memory(owner, buffer_, memory_, 0), "vkBindBufferMemory");
    void* mapped = nullptr;
    require(vk().map_memory(owner, memory_, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
    mapped_ = static_cast<std::byte*>(mapped);
    Random(mix(size, usage)).fill(bytes());
}

MappedBuffer::MappedBuffer(uint64_t size, VkBufferUsageFlags usage, ByteSpan content) : MappedBuffer(size, usage) {
    write(content);
}

MappedBuffer::~MappedBuffer() {
    vk().destroy_buffer(device().device(), buffer_, nullptr);
    vk().free_memory(device().device(), memory_, nullptr);
}

void MappedBuffer::write(ByteSpan content) const {
    if (!content.empty()) {
        std::memcpy(mapped_, content.data(), content.size());
    }
}

Recording::Recording() {
    VkCommandPoolCreateInfo create = {};
    create.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    create.queueFamilyIndex = device().queue_family();
    require(vk().create_command_pool(device().device(), &create, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo allocate = {};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool_;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    require(vk().allocate_command_buffers(device().device(), &allocate, &commands_), "vkAllocateCommandBuffers");
}

Recording::~Recording() { vk().destroy_command_pool(device().device(), pool_, nullptr); }

void Recording::record(const std::function<void(VkCommandBuffer)>& commands) {
    VkCommandBufferBeginInfo begin = {};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    require(vk().begin_command_buffer(commands_, &begin), "vkBeginCommandBuffer");
    commands(commands_);
    require(vk().end_command_buffer(commands_), "vkEndCommandBuffer");
}

void Recording::run(std::initializer_list<const Recording*> recordings) {
    run(std::span(recordings.begin(), recordings.size()));
}

void Recording::run(std::span<const Recording* const> recordings) {
    VkQueue queue = VK_NULL_HANDLE;
    vk().get_device_queue(device().device(), device().queue_family(), 0, &queue);
    std::vector<VkCommandBuffer> buffers;
    for (const Recording* recording : recordings) {
        buffers.push_back(recording->commands_);
    }
    VkSubmitInfo submit = {};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = static_cast<uint32_t>(buffers.size());
    submit.pCommandBuffers = buffers.data();
    require(vk().queue_submit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    require(vk().queue_wait_idle(queue), "vkQueueWaitIdle");
}

void host_to_plan(VkCommandBuffer commands, const VksortPlanInfo& info) {
    memory_barrier(commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_WRITE_BIT, info.firstStages, info.firstAccess);
}

void plan_to_plan(VkCommandBuffer commands, const VksortPlanInfo& from, const VksortPlanInfo& to) {
    memory_barrier(commands, from.lastStages, from.lastAccess, to.firstStages, to.firstAccess);
}

void plan_to_host(VkCommandBuffer commands, const VksortPlanInfo& info) {
    memory_barrier(commands, info.lastStages, info.lastAccess, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

PairBuffers::PairBuffers(const VksortPlanInfo& info, ByteSpan key_content, ByteSpan value_content, uint32_t recordings)
    : keys(key_content.size(), info.bufferUsage, key_content), values(value_content.size(), info.bufferUsage, value_content),
      scratch(std::max<uint64_t>(info.scratchSize, 4), info.scratchSize > 0 ? info.scratchUsage : info.bufferUsage),
      pool(info, recordings) {}

VksortSortBuffers PairBuffers::buffers(uint64_t count) const {
    VksortSortBuffers sort = {};
    sort.keys = keys.range();
    sort.values = values.range();
    sort.scratch = scratch.range();
    sort.count = count;
    sort.descriptorPool = pool.handle();
    return sort;
}

RecordedParts::RecordedParts(VksortPlan plan, const VksortPlanInfo& info, VksortSortBuffers buffers, uint32_t each) {
    for (uint32_t first = 0; first < info.passCount; first += each) { // as in docs/guide.md
        parts_.push_back(std::make_unique<Recording>());
        recordings_.push_back(parts_.back().get());
        parts_.back()->record([&](VkCommandBuffer commands) {
            if (first == 0) {
                host_to_plan(commands, info);
            }
            buffers.passes = {first, each};
            vksortCmdSort(commands, plan, &buffers);
            if (first + each >= info.passCount) {
                plan_to_host(commands, info);
            }
        });
    }
}

MadePlan made_plan(const VksortPlanDesc& desc, const Limits& limits) {
    MadePlan made;
    VkResult result = context(limits).plan(desc, {}, &made.plan);
    EXPECT_EQ(result, VK_SUCCESS);
    if (result == VK_SUCCESS) {
        vksortGetPlanInfo(made.plan, &made.info);
    }
    return made;
}

} // namespace vksort::test
