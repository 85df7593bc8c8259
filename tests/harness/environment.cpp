// SPDX-License-Identifier: MIT
#include "environment.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "random.h"

namespace vksort::test {

const char* environment(const char* name) {
    const char* text = std::getenv(name);
    return text != nullptr ? text : "";
}

bool is_full_level() { return std::strcmp(environment("VKSORT_TEST_LEVEL"), "full") == 0; }

namespace {

constexpr uint64_t kDefaultSeed = 1;

// Suites whose expectations depend on a sample of the keys. About once in 10,000 times a sample takes uniform keys for
// skewed ones (shaders/workgroup/uniformity.glsl), and these suites sort hundreds of cases. So their inputs are fixed.
constexpr std::string_view kSampled[] = {"BucketFloats",     "BucketSort",  "BucketValues",
                                         "MsdCoarseBuckets", "MsdFallback", "SampleSort"};

bool has_fixed_input(std::string_view suite) {
    const std::string_view name = suite.substr(suite.rfind('/') + 1); // parametrized ones have a prefix
    return std::find(std::begin(kSampled), std::end(kSampled), name) != std::end(kSampled);
}

} // namespace

uint64_t base_seed() {
    const char* text = environment("VKSORT_TEST_SEED");
    return *text != '\0' ? std::strtoull(text, nullptr, 0) : kDefaultSeed;
}

uint64_t test_seed() {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const std::string suite = test == nullptr ? "" : test->test_suite_name();
    const std::string name = test == nullptr ? "" : suite + "." + test->name();
    return mix(has_fixed_input(suite) ? kDefaultSeed : base_seed(), hash(name));
}

void use_no_kernels_of_other_widths() {
    if (std::getenv("LP_NATIVE_VECTOR_WIDTH") != nullptr && std::getenv("MESA_SHADER_CACHE_DIR") == nullptr) {
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    }
}

bool wants_validation() { return std::strcmp(environment("VKSORT_TEST_VALIDATION"), "0") != 0; }

} // namespace vksort::test
