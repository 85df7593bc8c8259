// SPDX-License-Identifier: MIT
//
// Contexts and plans on a driver whose functions fail.
#include "../faults.h"
#include "../harness/manual.h"
#include "../harness/sort_case.h"

namespace vksort::test {
namespace {

class Faults : public DeviceTest {
protected:
    void TearDown() override {
        faults::failing = "";
        DeviceTest::TearDown();
    }

    static VkResult create(VksortContext& context) {
        faults::real_instance_proc_addr = device().get_instance_proc_addr();
        faults::destroyed = 0;
        VksortContextCreateInfo info = {};
        info.instance = device().instance();
        info.physicalDevice = device().physical_device();
        info.device = device().device();
        info.getInstanceProcAddr = faults::instance_proc_addr;
        info.enabledFeatures = device().info().features;
        info.messageCallback = on_message;
        return vksortCreateContext(&info, nullptr, &context);
    }
};

TEST_F(Faults, ContextsDestroyOnlyWhatWasMade) {
    for (const char* name : {"vkCreateDescriptorSetLayout", "vkCreatePipelineLayout"}) {
        faults::failing = name;
        auto context = reinterpret_cast<VksortContext>(uintptr_t{8});
        EXPECT_EQ(create(context), VK_ERROR_OUT_OF_DEVICE_MEMORY) << name;
        EXPECT_EQ(context, VksortContext{VK_NULL_HANDLE}) << name;
        EXPECT_EQ(faults::destroyed, 0) << name;
        expect_message("layout could not be created");
    }
}

TEST_F(Faults, PlansDestroyOnlyWhatWasMade) {
    for (const char* name : {"vkCreateShaderModule", "vkCreateComputePipelines"}) {
        faults::failing = name;
        VksortContext context = VK_NULL_HANDLE;
        ASSERT_EQ(create(context), VK_SUCCESS) << name;
        VksortPlanDesc desc = {};
        desc.maxCount = 1000;
        auto plan = reinterpret_cast<VksortPlan>(uintptr_t{8});
        EXPECT_EQ(vksortCreatePlan(context, &desc, &plan), VK_ERROR_OUT_OF_DEVICE_MEMORY) << name;
        EXPECT_EQ(plan, VksortPlan{VK_NULL_HANDLE}) << name;
        expect_message("could not be created");
        vksortDestroyContext(context);
        EXPECT_EQ(faults::destroyed, 0) << name;
    }
}

} // namespace
} // namespace vksort::test
