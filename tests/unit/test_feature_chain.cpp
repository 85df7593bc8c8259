// SPDX-License-Identifier: MIT
//
// vksort::FeatureChain sets fields in the structs of a chain, and adds the structs that are missing.
#include <gtest/gtest.h>

#include "vksort/vksort.hpp"

#include "vulkan_headers.h"

namespace vksort::test {
namespace {

VksortRequiredFeatures everything() {
    VksortRequiredFeatures required = {};
    required.vulkanMemoryModel = VK_TRUE;
    required.vulkanMemoryModelDeviceScope = VK_TRUE;
    required.subgroupSizeControl = VK_TRUE;
    required.computeFullSubgroups = VK_TRUE;
    required.pipelineRobustness = VK_TRUE;
    return required;
}

// Returns the struct of this type in a chain, or nullptr. Expects that no type occurs twice.
template <typename Features> const Features* find(const void* chain, VkStructureType type) {
    const void* found = nullptr;
    for (auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr; link = link->pNext) {
        if (link->sType == type) {
            EXPECT_EQ(found, nullptr) << "type " << type << " is there twice";
            found = link;
        }
    }
    return static_cast<const Features*>(found);
}

const VkPhysicalDeviceVulkanMemoryModelFeatures* memory_model(const void* chain) {
    return find<VkPhysicalDeviceVulkanMemoryModelFeatures>(chain,
                                                           VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES);
}
const VkPhysicalDeviceSubgroupSizeControlFeatures* size_control(const void* chain) {
    return find<VkPhysicalDeviceSubgroupSizeControlFeatures>(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);
}
const VkPhysicalDevicePipelineRobustnessFeaturesEXT* robustness(const void* chain) {
    return find<VkPhysicalDevicePipelineRobustnessFeaturesEXT>(
        chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT);
}

TEST(FeatureChain, BringsStructsOfItsOwn) {
    FeatureChain chain(everything());
    ASSERT_NE(memory_model(chain.head()), nullptr);
    EXPECT_TRUE(memory_model(chain.head())->vulkanMemoryModel);
    EXPECT_TRUE(memory_model(chain.head())->vulkanMemoryModelDeviceScope);
    EXPECT_FALSE(memory_model(chain.head())->vulkanMemoryModelAvailabilityVisibilityChains);
    ASSERT_NE(size_control(chain.head()), nullptr);
    EXPECT_TRUE(size_control(chain.head())->subgroupSizeControl);
    EXPECT_TRUE(size_control(chain.head())->computeFullSubgroups);
    ASSERT_NE(robustness(chain.head()), nullptr);
    EXPECT_TRUE(robustness(chain.head())->pipelineRobustness);
}

TEST(FeatureChain, FillsStructsOfVersions) {
    VkPhysicalDeviceVulkan13Features vulkan13 = {};
    vulkan13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    vulkan13.synchronization2 = VK_TRUE;
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan12.pNext = &vulkan13;
    VkPhysicalDeviceFeatures2 features = {};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &vulkan12;
    FeatureChain chain(everything(), &features);
    EXPECT_TRUE(vulkan12.vulkanMemoryModel && vulkan12.vulkanMemoryModelDeviceScope);
    EXPECT_FALSE(vulkan12.bufferDeviceAddress);
    EXPECT_TRUE(vulkan13.subgroupSizeControl && vulkan13.computeFullSubgroups);
    EXPECT_TRUE(vulkan13.synchronization2);
    // Vulkan forbids the structs of single features beside those of whole versions.
    EXPECT_EQ(memory_model(chain.head()), nullptr);
    EXPECT_EQ(size_control(chain.head()), nullptr);
    ASSERT_NE(robustness(chain.head()), nullptr);
    EXPECT_EQ(find<VkPhysicalDeviceFeatures2>(chain.head(), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2), &features);
}

TEST(FeatureChain, FillsSeparateStructs) {
    VkPhysicalDevicePipelineRobustnessFeaturesEXT robust = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT, nullptr, VK_FALSE};
    VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
                                                         &robust, VK_FALSE, VK_FALSE};
    VkPhysicalDeviceVulkanMemoryModelFeatures model = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
                                                       &sizes, VK_FALSE, VK_FALSE, VK_TRUE};
    FeatureChain chain(everything(), &model);
    EXPECT_EQ(chain.head(), &model) << "nothing is missing";
    EXPECT_TRUE(model.vulkanMemoryModel && model.vulkanMemoryModelDeviceScope);
    EXPECT_TRUE(model.vulkanMemoryModelAvailabilityVisibilityChains) << "what the application wants stays";
    EXPECT_TRUE(sizes.subgroupSizeControl && sizes.computeFullSubgroups);
    EXPECT_TRUE(robust.pipelineRobustness);
}

TEST(FeatureChain, AsksForNothingThatIsNotOffered) {
    VkPhysicalDeviceVulkan12Features vulkan12 = {};
    vulkan12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    vulkan12.timelineSemaphore = VK_TRUE;
    VksortRequiredFeatures required = {};
    FeatureChain chain(required, &vulkan12);
    EXPECT_EQ(chain.head(), &vulkan12);
    EXPECT_FALSE(vulkan12.vulkanMemoryModel || vulkan12.vulkanMemoryModelDeviceScope);
    EXPECT_TRUE(vulkan12.timelineSemaphore);
    EXPECT_EQ(FeatureChain(required).head(), nullptr);
    required.subgroupSizeControl = VK_TRUE;
    FeatureChain one(required);
    ASSERT_NE(size_control(one.head()), nullptr);
    EXPECT_FALSE(size_control(one.head())->computeFullSubgroups);
    EXPECT_EQ(size_control(one.head())->pNext, nullptr);
}

} // namespace
} // namespace vksort::test
