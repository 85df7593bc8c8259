// SPDX-License-Identifier: MIT
//
// Contexts and plans on a driver whose functions fail.
#include <utility>

#include "../faults.h"
#include "../harness/manual.h"
#include "../harness/sort_case.h"
#include "context.h"

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
        VksortContextCreateInfo info = context_create_info();
        info.getInstanceProcAddr = faults::instance_proc_addr;
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

// A plan that could not be prepared sorts as before, and can be prepared later.
TEST_F(Faults, PlansThatCannotBePreparedStayUsable) {
    VksortContext context = VK_NULL_HANDLE;
    ASSERT_EQ(create(context), VK_SUCCESS);
    VksortPlanDesc desc = {};
    desc.maxCount = 5000;
    desc.algorithm = VKSORT_ALGORITHM_REDUCE_SCAN;
    desc.flags = VKSORT_PLAN_PREPARE_LATER_BIT;
    VksortPlan plan = VK_NULL_HANDLE;
    ASSERT_EQ(vksortCreatePlan(context, &desc, &plan), VK_SUCCESS);
    const Recordable* plain = &plan->current();
    EXPECT_NE(plain, plan);
    const PFN_vkCreateComputePipelines real =
        std::exchange(context->table.vkCreateComputePipelines, faults::create_pipelines);
    EXPECT_EQ(vksortPreparePlan(plan), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    expect_message("could not be created");
    EXPECT_EQ(&plan->current(), plain);
    context->table.vkCreateComputePipelines = real;
    EXPECT_EQ(vksortPreparePlan(plan), VK_SUCCESS);
    EXPECT_EQ(&plan->current(), plan);
    vksortDestroyPlan(plan);
    vksortDestroyContext(context);
}

} // namespace
} // namespace vksort::test
