// SPDX-License-Identifier: MIT
//
// The other parts of an application that sorts by VRDX: a device with the features that VRDX requires, buffers, and one
// submission at a time. With VKSORT_TEST_VOLK it calls Vulkan by volk, otherwise by the loader's prototypes.
#pragma once

#ifdef VKSORT_TEST_VOLK
#include <volk.h>
#else
#include <vulkan/vulkan.h>
#endif

#include <cstdint>
#include <string>
#include <vector>

#include <vksort/vksort_vrdx.h>

// Ends the test program if a Vulkan call has failed.
void require(VkResult result, const char* call);
#define REQUIRE(call) require(call, #call)

// Messages of the sorter, and of the validation layer.
extern std::vector<std::string> messages;
void on_message(void* user, VksortSeverity severity, const char* message);

struct DeviceOptions {
    bool pushDescriptor = true;
    bool allFeatures = false; // also those that vksort uses and VRDX does not require
};

struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint32_t* words = nullptr; // mapped
};

struct Gpu {
    VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    VkCommandPool pool = VK_NULL_HANDLE;
    VkDeviceSize alignment = 0;
    VksortFeatureFlags features = 0; // the result of vrdxGetEnabledFeatures()

    explicit Gpu(const DeviceOptions& options = {});
    ~Gpu();
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    VrdxSorter create_sorter(VksortAlgorithm algorithm = VKSORT_ALGORITHM_AUTO) const;
    Buffer create_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage);
    VkCommandBuffer begin(VkCommandPool from = VK_NULL_HANDLE);
    VkCommandPool create_pool();
    void submit(VkCommandBuffer commandBuffer); // ends the recording, submits it and waits

private:
    std::vector<Buffer> buffers_;
    std::vector<VkCommandPool> pools_;
};

// The barriers around a sort that VRDX's documentation requires.
void barrier_before(VkCommandBuffer commandBuffer);
void barrier_after(VkCommandBuffer commandBuffer);

#ifdef VKSORT_TEST_VOLK
// Number of calls of vkCreateComputePipelines on devices that were created after count_pipelines().
extern uint32_t pipelinesCreated;
void count_pipelines();
#endif
