// SPDX-License-Identifier: MIT
//
// Instances that an application has made for too old a version of Vulkan: the refusal names the instance, not the device.
#include <string>
#include <vector>

#include "../harness/device.h"

namespace vksort::test {
namespace {

class InstanceVersions : public DeviceTest {};

template <typename Function> Function function_of(VkInstance instance, const char* name) {
    return reinterpret_cast<Function>(device().get_instance_proc_addr()(instance, name));
}

// Of the version, with no VkApplicationInfo where that is 0, and without layers and extensions.
class BareInstance {
public:
    explicit BareInstance(uint32_t version) {
        VkApplicationInfo application = {};
        application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
        application.apiVersion = version;
        VkInstanceCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
        info.pApplicationInfo = version != 0 ? &application : nullptr;
        const auto create = function_of<PFN_vkCreateInstance>(VK_NULL_HANDLE, "vkCreateInstance");
        EXPECT_EQ(create(&info, nullptr, &handle_), VK_SUCCESS);
    }
    ~BareInstance() { function_of<PFN_vkDestroyInstance>(handle_, "vkDestroyInstance")(handle_, nullptr); }
    BareInstance(const BareInstance&) = delete;
    BareInstance& operator=(const BareInstance&) = delete;

    VkInstance handle() const { return handle_; }

    // The one that the tests run on.
    VkPhysicalDevice physical_device() const {
        const auto enumerate = function_of<PFN_vkEnumeratePhysicalDevices>(handle_, "vkEnumeratePhysicalDevices");
        const auto properties_of = function_of<PFN_vkGetPhysicalDeviceProperties>(handle_, "vkGetPhysicalDeviceProperties");
        uint32_t count = 0;
        enumerate(handle_, &count, nullptr);
        std::vector<VkPhysicalDevice> found(count);
        enumerate(handle_, &count, found.data());
        for (VkPhysicalDevice candidate : found) {
            VkPhysicalDeviceProperties properties;
            properties_of(candidate, &properties);
            if (std::string(properties.deviceName) == device().info().name) {
                return candidate;
            }
        }
        return VK_NULL_HANDLE;
    }

private:
    VkInstance handle_ = VK_NULL_HANDLE;
};

TEST_F(InstanceVersions, OneThatIsTooOldIsNamed) {
    for (const uint32_t version : {0u, VK_API_VERSION_1_0}) {
        const BareInstance instance(version);
        VksortRequiredFeatures features;
        ASSERT_EQ(vksortGetRequiredFeatures(instance.handle(), instance.physical_device(), device().get_instance_proc_addr(),
                                            &features),
                  VK_SUCCESS);
        EXPECT_EQ(features.supported, VK_FALSE);
        EXPECT_NE(std::string(features.reason).find("VkApplicationInfo::apiVersion"), std::string::npos) << features.reason;
        EXPECT_STREQ(features.deviceInfo.name, device().info().name);

        VksortContextCreateInfo info = {};
        info.instance = instance.handle();
        info.physicalDevice = instance.physical_device();
        info.device = device().device(); // nothing is asked of it
        info.getInstanceProcAddr = device().get_instance_proc_addr();
        info.messageCallback = on_message;
        VksortContext context = VK_NULL_HANDLE;
        EXPECT_EQ(vksortCreateContext(&info, nullptr, &context), VK_ERROR_FEATURE_NOT_PRESENT);
        expect_message("its VkInstance was created for Vulkan 1.0; set VkApplicationInfo::apiVersion");
    }
}

TEST_F(InstanceVersions, TheLeastThatIsAskedForSuffices) {
    const BareInstance instance(VK_API_VERSION_1_2);
    VksortRequiredFeatures features;
    ASSERT_EQ(vksortGetRequiredFeatures(instance.handle(), instance.physical_device(), device().get_instance_proc_addr(),
                                        &features),
              VK_SUCCESS);
    EXPECT_EQ(features.supported, VK_TRUE) << features.reason;
}

} // namespace
} // namespace vksort::test
