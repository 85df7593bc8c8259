// SPDX-License-Identifier: MIT
#include "budget.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "context.h"
#include "environment.h"
#include "shader_table.h"

namespace vksort::test {

namespace {

// Module, comparator, subgroup size and checks, and the constants.
using Key = std::pair<std::string, std::array<uint64_t, kSpecCountOf + 3>>;

// The test that made each pipeline first.
std::map<Key, std::string>& first_makers() {
    static std::map<Key, std::string> makers;
    return makers;
}

std::string current_test() {
    const ::testing::TestInfo* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    return test == nullptr ? "no test" : std::string(test->test_suite_name()) + "." + test->name();
}

void print_makers() {
    std::map<std::string, size_t> by_test;
    for (const auto& [key, test] : first_makers()) {
        ++by_test[test];
    }
    std::vector<std::pair<size_t, std::string>> most;
    for (const auto& [test, pipelines] : by_test) {
        most.emplace_back(pipelines, test);
    }
    std::sort(most.rbegin(), most.rend());
    for (const auto& [pipelines, test] : most) {
        std::printf("    %4zu first made by %s\n", pipelines, test.c_str());
    }
}

// Whether a pipeline was made of each kernel of the library.
bool made_every_kernel() {
    std::set<std::string> made;
    for (const auto& [key, test] : first_makers()) {
        made.insert(key.first);
    }
    bool all = true;
    for (uint32_t i = 0; i < kShaderModuleCount; ++i) {
        if (!made.contains(kShaderModules[i].name)) {
            std::printf("no test made a pipeline of %s\n", kShaderModules[i].name);
            all = false;
        }
    }
    return all;
}

} // namespace

void count_pipelines(VksortContext context) {
    std::string test = current_test();
    context->pipelines.for_each(
        [](void* user, const char* module, const PipelineKey& key, VkPipeline) {
            Key distinct;
            distinct.first = module;
            std::copy(std::begin(key.specialization), std::end(key.specialization), distinct.second.begin());
            distinct.second[kSpecCountOf] = key.comparator;
            distinct.second[kSpecCountOf + 1] = key.requiredSubgroupSize;
            distinct.second[kSpecCountOf + 2] = key.checked ? 1u : 0u;
            first_makers().emplace(distinct, *static_cast<std::string*>(user));
        },
        &test);
}

bool keeps_budget() {
    const size_t pipelines = first_makers().size();
    const int skips = ::testing::UnitTest::GetInstance()->skipped_test_count();
    std::printf("%zu distinct pipelines, %d tests skipped\n", pipelines, skips);
    const char* const most_pipelines = environment("VKSORT_TEST_PIPELINES");
    const char* const expected_skips = environment("VKSORT_TEST_SKIPS");
    bool kept = true;
    if (is_full_level()) {
        return kept;
    }
    if (*most_pipelines != '\0' && pipelines > std::strtoull(most_pipelines, nullptr, 10)) {
        std::printf("more pipelines than the %s of tests/budgets.cmake:\n", most_pipelines);
        print_makers();
        kept = false;
    }
    if (*expected_skips != '\0' && skips != std::atoi(expected_skips)) {
        std::printf("other than the %s skips of tests/budgets.cmake\n", expected_skips);
        kept = false;
    }
    if (*environment("VKSORT_TEST_EVERY_KERNEL") != '\0' && !made_every_kernel()) {
        kept = false;
    }
    return kept;
}

} // namespace vksort::test
