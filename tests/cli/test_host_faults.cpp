// SPDX-License-Identifier: MIT
//
// vksort::host on a driver whose functions fail.
#include <volk.h> // first: it declares Vulkan without prototypes

#include <gtest/gtest.h>

#include "../faults.h"
#include "vksort/vksort_host.hpp"

namespace vksort::test {

class HostFaults : public testing::Test {
protected:
    // The functions that volk found, which vksort::host goes by, are replaced.
    void SetUp() override {
        ASSERT_FALSE(host::list_devices().empty());
        faults::real_instance_proc_addr = vkGetInstanceProcAddr;
        vkGetInstanceProcAddr = faults::instance_proc_addr;
        faults::destroyed = 0;
    }
    void TearDown() override {
        faults::failing = "";
        vkGetInstanceProcAddr = faults::real_instance_proc_addr;
    }

    static void expect_error(const char* name, const std::function<void()>& action) {
        faults::failing = name;
        try {
            action();
            ADD_FAILURE() << name;
        } catch (const host::Error& error) {
            EXPECT_EQ(error.kind, host::Error::Kind::device) << name;
            EXPECT_NE(std::string(error.what()), "") << name;
        }
        EXPECT_EQ(faults::destroyed, 0) << name;
    }
};

TEST_F(HostFaults, DevicesDestroyOnlyWhatWasMade) {
    for (const char* name : {"vkCreateDevice", "vkCreateCommandPool", "vkCreateFence", "vkCreateDescriptorSetLayout",
                             "vkCreatePipelineLayout"}) {
        expect_error(name, [] { const host::Device device; });
    }
}

TEST_F(HostFaults, BuffersAndSortsDestroyOnlyWhatWasMade) {
    for (const char* name : {"vkCreateBuffer", "vkAllocateMemory", "vkCreateQueryPool", "vkCreateComputePipelines"}) {
        expect_error(name, [] {
            host::Device device;
            if (faults::failing == std::string("vkCreateQueryPool") && device.timestamp_period() == 0) {
                throw host::Error(host::Error::Kind::device, "there are no queries to make");
            }
            const std::vector<std::byte> keys(40000);
            host::SortRequest request;
            request.keys = keys;
            host::sort(device, request);
        });
    }
}

} // namespace vksort::test
