// SPDX-License-Identifier: MIT
#include <cstdio>

#include <gtest/gtest.h>

#include "budget.h"
#include "device.h"
#include "environment.h"
#include "gpu_validation.h"

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    if (::testing::GTEST_FLAG(list_tests)) {
        return RUN_ALL_TESTS();
    }
    vksort::test::use_no_kernels_of_other_widths();
    try {
        const VksortDeviceInfo& info = vksort::test::device().info();
        std::printf("%s (%s), subgroups of %u to %u, features %x, seed %llu, level %s, validation %s\n", info.name,
                    vksort::test::device().listing().driver.c_str(), info.minSubgroupSize, info.maxSubgroupSize,
                    info.features, static_cast<unsigned long long>(vksort::test::base_seed()),
                    vksort::test::is_full_level() ? "full" : "ci", vksort::test::wants_validation() ? "on" : "off");
        if (vksort::test::checks_races()) {
            const std::string why = vksort::test::why_races_go_unnoticed();
            std::printf("races on shared memory are %s\n", why.empty() ? "checked" : ("not checked: " + why).c_str());
        }
        std::fflush(stdout);
    } catch (const vksort::host::Error& error) {
        std::fprintf(stderr, "no device to test on: %s\n", error.what());
        return 1;
    }
    int result = RUN_ALL_TESTS();
    // Leaks and the like are reported when the device goes: they fail the run too.
    vksort::test::destroy_device();
    for (const std::string& message : vksort::test::take_messages()) {
        std::fprintf(stderr, "a message while the device was destroyed: %s\n", message.c_str());
        result = 1;
    }
    if (!vksort::test::keeps_budget()) {
        result = 1;
    }
    // A filter that matches nothing must not look like success.
    if (::testing::UnitTest::GetInstance()->test_to_run_count() == 0) {
        std::fprintf(stderr, "no test matches the filter\n");
        result = 1;
    }
    return result;
}
