// SPDX-License-Identifier: MIT
#include "environment.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "random.h"

namespace vksort::test {

const char* environment(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr ? text : "";
}

bool is_full_level() { return std::strcmp(environment("VKSORT_TEST_LEVEL"), "full") == 0; }

uint64_t base_seed() {
    const char* text = environment("VKSORT_TEST_SEED");
    return *text != '\0' ? std::strtoull(text, nullptr, 0) : 1;
}

uint64_t test_seed() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = test == nullptr ? "" : std::string(test->test_suite_name()) + "." + test->name();
    return mix(base_seed(), hash(name));
}

bool wants_validation() { return std::strcmp(environment("VKSORT_TEST_VALIDATION"), "0") != 0; }

} // namespace vksort::test
