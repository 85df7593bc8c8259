// SPDX-License-Identifier: MIT
//
// Builds without some operations, key widths or values: what shaders/variants.txt says that kernels are for, and the plans
// that are refused.
#include <map>
#include <string>
#include <utility>

#include "plan_checks.h"
#include "shader_ids.h"
#include "shader_table.h"

namespace vksort::test {
namespace {

constexpr VksortOperation kOperations[] = {VKSORT_OPERATION_SORT, VKSORT_OPERATION_GATHER, VKSORT_OPERATION_MERGE,
                                           VKSORT_OPERATION_SEGMENTED_SORT};

// Calls plan(desc) for descriptions that between them get every kernel of the operation.
template <typename Visit> void for_each_layout(VksortPlanDesc desc, Visit&& visit) {
    for (const VkFlags flags : {VkFlags{0}, VkFlags{VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT},
                                VkFlags{VKSORT_PLAN_ARGSORT_BIT}}) {
        desc.flags = flags;
        for (const VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_PING_PONG, VKSORT_RESULT_SEPARATE}) {
            desc.result = result;
            // Some keys are copied only where they are read by stride, which merges and in-place sorts refuse.
            const bool strided = (flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0 && result == VKSORT_RESULT_SEPARATE;
            desc.keyStride = strided && desc.operation != VKSORT_OPERATION_MERGE ? 16 : 0;
            if (desc.operation != VKSORT_OPERATION_SEGMENTED_SORT) {
                visit(desc);
                continue;
            }
            for (const VksortSegments segments : {VKSORT_SEGMENTS_HEAD_FLAGS, VKSORT_SEGMENTS_HEAD_INDICES,
                                                  VKSORT_SEGMENTS_OFFSETS, VKSORT_SEGMENTS_OFFSET_COUNTS}) {
                desc.segments = segments;
                for (const uint64_t length : {1'000u, 1'000'000u}) {
                    desc.maxSegments = segments == VKSORT_SEGMENTS_HEAD_FLAGS ? 0 : desc.maxCount / length;
                    visit(desc);
                }
            }
        }
    }
}

template <typename Visit> void for_each_plan(VksortOperation operation, Visit&& visit) {
    VksortComparator_T comparator;
    comparator.keyWords = 1;
    VksortPlanDesc desc = {};
    desc.operation = operation;
    for (const VksortDeviceInfo& device :
         {generic_device(), least_device(), cpu_device(8), gpu_device(0x10DE, 32, 32), gpu_device(0x8086, 8, 32)}) {
        for (const VksortKeyType key : {VKSORT_KEY_F32, VKSORT_KEY_I8, VKSORT_KEY_F64, VKSORT_KEY_COMPARATOR}) {
            desc.keyType = key;
            desc.comparator = key == VKSORT_KEY_COMPARATOR ? &comparator : VK_NULL_HANDLE;
            for (const uint32_t valueSize : {0u, 4u}) {
                desc.valueSize = valueSize;
                for (int algorithm = VKSORT_ALGORITHM_AUTO; algorithm <= VKSORT_ALGORITHM_BUCKET_SORT; ++algorithm) {
                    desc.algorithm = static_cast<VksortAlgorithm>(algorithm);
                    for (const uint64_t count : {300u, 3'000u, 20'000u, 300'000u, 1u << 22, 1u << 28, 1u << 29}) {
                        desc.maxCount = count;
                        desc.maxCountB = operation == VKSORT_OPERATION_MERGE ? count : 0;
                        for_each_layout(desc, [&](const VksortPlanDesc& laidOut) {
                            Plan plan;
                            Message message;
                            if (make_plan(device, laidOut, {}, plan, message) == VK_SUCCESS) {
                                visit(plan);
                            }
                        });
                    }
                }
            }
        }
    }
}

// A bit for each key width together with each kind of values.
uint32_t kinds(const KernelSet& set) {
    return ((set.keyWidths & 32) != 0 ? set.values : 0) | ((set.keyWidths & 64) != 0 ? set.values << 2 : 0);
}

// Every plan names only modules that are for it, and every module is named for each operation together with each key width
// and kind of values that it is for: a build with any of these has no module that none of its plans names.
TEST(KernelSet, ModulesAreForWhatNamesThem) {
    std::map<std::pair<uint32_t, VksortOperation>, uint32_t> uses; // kinds, by module and operation
    for (const VksortOperation operation : kOperations) {
        for_each_plan(operation, [&](const Plan& plan) {
            check_marks(plan);
            if (plan.desc.keyType == VKSORT_KEY_COMPARATOR) {
                return;
            }
            const uint32_t used = kinds(needed_kernels(plan.desc));
            if ((plan.desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0) {
                uses[{kModule_write_commands, operation}] |= used;
            }
            for (uint32_t i = 0; i < plan.info.passCount; ++i) {
                uses[{plan.passes[i].module, operation}] |= used;
            }
        });
    }
    for (uint32_t module = 0; module < kModuleCount; ++module) {
        const KernelSet& marks = kModuleMarks[module];
        for (const VksortOperation operation : kOperations) {
            EXPECT_EQ((uses[{module, operation}]), (marks.operations & 1u << operation) != 0 ? kinds(marks) : 0)
                << kShaderModules[module].name << ", operation " << operation
                << ": bits of 32-bit keys without and with values, then of 64-bit keys";
        }
    }
}

TEST(KernelSet, TestsHaveAllKernels) {
    for (uint32_t module = 0; module < kModuleCount; ++module) {
        const ShaderModule& shader = kShaderModules[module];
        EXPECT_TRUE(shader.words != nullptr || shader.compressed != nullptr) << shader.name;
        EXPECT_GT(shader.wordCount, 0u) << shader.name;
    }
}

TEST(KernelSet, WhatWasLeftOutIsRefusedInWords) {
    constexpr const char* kNames[] = {"sort", "gather", "merge", "segmented_sort"};
    for (const VksortOperation operation : kOperations) {
        VksortPlanDesc desc = {};
        desc.operation = operation;
        const auto refusal = [&desc](const KernelSet& built) {
            Message message;
            const VkResult result = check_kernels(built, desc, message);
            EXPECT_EQ(result, message.text[0] == '\0' ? VK_SUCCESS : VK_ERROR_FEATURE_NOT_PRESENT);
            return std::string(message.text);
        };
        const auto has = [](const std::string& text, const std::string& words) {
            return text.find(words) != std::string::npos;
        };
        EXPECT_EQ(refusal({1u << operation, 32 | 64, kNoValues}), "");
        const std::string withoutOperation = refusal({~(1u << operation), 32 | 64, kNoValues});
        EXPECT_TRUE(has(withoutOperation, std::string("build it with ") + kNames[operation] + " in VKSORT_OPERATIONS"))
            << withoutOperation;
        for (const VksortKeyType key : reference::kAllKeyTypes) {
            desc.keyType = key;
            const uint32_t width = reference::key_size(key) == 8 ? 64 : 32;
            EXPECT_EQ(refusal({~0u, width, kNoValues}), "");
            const std::string withoutWidth = refusal({~0u, 96 - width, kNoValues});
            const bool needed = operation != VKSORT_OPERATION_GATHER;
            EXPECT_EQ(has(withoutWidth, "build it with " + std::to_string(width) + " in VKSORT_KEY_WIDTHS"), needed)
                << withoutWidth;
            EXPECT_EQ(withoutWidth.empty(), !needed);
            for (const auto& [valueSize, flags] :
                 {std::pair<uint32_t, VkFlags>{0, 0}, {8, 0}, {0, VKSORT_PLAN_ARGSORT_BIT}}) {
                desc.valueSize = valueSize;
                desc.flags = flags;
                const bool some = valueSize != 0 || flags != 0;
                EXPECT_EQ(refusal({~0u, width, some ? kSomeValues : kNoValues}), "");
                const std::string text = refusal({~0u, width, some ? kNoValues : kSomeValues});
                EXPECT_EQ(has(text, std::string("build it with ") + (some ? "some" : "none") + " in VKSORT_VALUES"), needed)
                    << text;
                EXPECT_EQ(text.empty(), !needed);
            }
            desc.valueSize = 0;
            desc.flags = 0;
        }
        desc.keyType = VKSORT_KEY_COMPARATOR;
        EXPECT_EQ(refusal({~0u, 32, kSomeValues}), "");
    }
}

} // namespace
} // namespace vksort::test
