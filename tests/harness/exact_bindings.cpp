// SPDX-License-Identifier: MIT
#include "exact_bindings.h"

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device.h"
#include "environment.h"

namespace vksort::test {

namespace {

using Range = std::pair<VkDeviceSize, VkDeviceSize>; // offset and size

struct Known {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::map<Range, VkBuffer> exact;
};

std::map<VkBuffer, Known>& known_buffers() {
    static std::map<VkBuffer, Known> known;
    return known;
}

VkBuffer make_buffer(VkDeviceMemory memory, const Range& range) {
    VkBufferCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = range.second;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    if (vk().create_buffer(device().device(), &info, nullptr, &buffer) != VK_SUCCESS) {
        throw std::runtime_error("a binding's own buffer could not be made");
    }
    VkMemoryRequirements requirements = {};
    vk().get_buffer_memory_requirements(device().device(), buffer, &requirements);
    if (kExactAlignment % requirements.alignment != 0 ||
        vk().bind_buffer_memory(device().device(), buffer, memory, range.first) != VK_SUCCESS) {
        throw std::runtime_error("a binding's own buffer could not be bound");
    }
    return buffer;
}

VKAPI_ATTR void VKAPI_CALL update_exactly(VkDevice owner, uint32_t count, const VkWriteDescriptorSet* writes,
                                          uint32_t copies, const VkCopyDescriptorSet* copy) {
    std::vector<VkWriteDescriptorSet> exact(writes, writes + count);
    std::vector<VkDescriptorBufferInfo> infos(count);
    for (uint32_t i = 0; i < count; ++i) {
        infos[i] = *writes[i].pBufferInfo; // one a write, as the library has them
        exact[i].pBufferInfo = &infos[i];
        const auto known = known_buffers().find(infos[i].buffer);
        if (known == known_buffers().end()) {
            continue;
        }
        const Range range = {infos[i].offset, (infos[i].range + 3) / 4 * 4}; // kernels read whole words
        VkBuffer& buffer = known->second.exact[range];
        if (buffer == VK_NULL_HANDLE) {
            buffer = make_buffer(known->second.memory, range);
        }
        infos[i] = {buffer, 0, range.second};
    }
    const auto update = reinterpret_cast<PFN_vkUpdateDescriptorSets>(device().function("vkUpdateDescriptorSets"));
    update(owner, count, exact.data(), copies, copy);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL exact_device_proc_addr(VkDevice, const char* name) {
    return std::strcmp(name, "vkUpdateDescriptorSets") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(update_exactly)
                                                            : device().function(name);
}

} // namespace

bool checks_bounds() { return std::strcmp(environment("VKSORT_TEST_BOUNDS"), "1") == 0; }

void bind_exactly(const host::Buffer& buffer) { known_buffers()[buffer.handle()].memory = buffer.memory(); }

void forget_exact_bindings(const host::Buffer& buffer) {
    const auto known = known_buffers().find(buffer.handle());
    if (known != known_buffers().end()) {
        for (const auto& [range, exact] : known->second.exact) {
            vk().destroy_buffer(device().device(), exact, nullptr);
        }
        known_buffers().erase(known);
    }
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL exact_instance_proc_addr(VkInstance instance, const char* name) {
    return std::strcmp(name, "vkGetDeviceProcAddr") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(exact_device_proc_addr)
                                                         : device().get_instance_proc_addr()(instance, name);
}

} // namespace vksort::test
