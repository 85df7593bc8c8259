// SPDX-License-Identifier: MIT
//
// How many pipelines AUTO makes for all that can be asked for on one device. Each takes a driver tens or hundreds of
// milliseconds to compile, and a program that sorts many kinds of data has all of its own.
#include <array>
#include <set>

#include "plan_checks.h"

namespace vksort::test {
namespace {

// What tells pipelines apart.
using PipelineName = std::array<uint32_t, kSpecCountOf + 3>;

class Pipelines {
public:
    void add(const VksortDeviceInfo& device, const VksortPlanDesc& desc) {
        const Plan plan = plan_of(device, desc);
        add(plan);
        for (uint32_t i = 0; i + 1 < plan.place.plans; ++i) {
            Plan smaller;
            make_smaller_plan(device, {}, plan, i, smaller);
            add(smaller);
        }
    }
    void add(const Plan& plan) {
        for (uint32_t i = 0; i < plan.info.passCount; ++i) {
            const Pass& pass = plan.passes[i];
            PipelineName name = {};
            std::copy(std::begin(pass.specialization), std::end(pass.specialization), name.begin());
            name[kSpecCountOf] = pass.module;
            name[kSpecCountOf + 1] = pass.requiredSubgroupSize;
            name[kSpecCountOf + 2] = pass.checked ? 1 : 0;
            names_.insert(name);
        }
    }
    size_t count() const { return names_.size(); }

private:
    std::set<PipelineName> names_;
};

// Four an octave, from 2^6 to 2^28.
std::vector<uint64_t> all_counts() {
    std::vector<uint64_t> counts;
    for (uint64_t octave = 1 << 4; octave < 1 << 26; octave *= 2) {
        for (uint64_t quarters = 4; quarters < 8; ++quarters) {
            counts.push_back(octave * quarters);
        }
    }
    return counts;
}

TEST(PlanPipelines, AutoMakesFew) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    Pipelines sorts;
    Pipelines all;
    for (VksortKeyType key : reference::kAllKeyTypes) {
        for (uint32_t value_size : {0u, 4u, 8u, 12u, 16u}) {
            for (uint64_t count : all_counts()) {
                VksortPlanDesc desc = {};
                desc.keyType = key;
                desc.valueSize = value_size;
                desc.maxCount = count;
                for (VksortResult result : {VKSORT_RESULT_IN_PLACE, VKSORT_RESULT_SEPARATE}) {
                    desc.result = result;
                    sorts.add(device, desc);
                    all.add(device, desc);
                }
                desc.result = VKSORT_RESULT_IN_PLACE;
                desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
                desc.segments = VKSORT_SEGMENTS_HEAD_INDICES;
                for (uint64_t mean : {10, 100, 1000, 10'000, 100'000}) {
                    desc.maxSegments = count / mean;
                    all.add(device, desc);
                }
                desc.maxSegments = 0;
                desc.segments = {};
                desc.operation = VKSORT_OPERATION_MERGE;
                desc.result = VKSORT_RESULT_SEPARATE;
                desc.maxCount = count / 2;
                desc.maxCountB = count / 2;
                all.add(device, desc);
            }
        }
    }
    EXPECT_LE(sorts.count(), 640u);
    EXPECT_LE(all.count(), 915u);
}

// A render loop that needs more space makes a plan for a larger capacity, and finds the pipelines of the smaller plans made.
// From 2^16 to 2^26 elements eleven plans of up to 20 pipelines each have these few.
TEST(PlanPipelines, LargerCapacitiesReuseThem) {
    const VksortDeviceInfo device = gpu_device(0x10DE, 32, 32);
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_U64}) {
        for (uint32_t value_size : {0u, 4u}) {
            Pipelines made;
            for (uint32_t exponent = 16; exponent <= 26; ++exponent) {
                VksortPlanDesc desc = {};
                desc.keyType = key;
                desc.valueSize = value_size;
                desc.maxCount = uint64_t{1} << exponent;
                desc.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT;
                made.add(device, desc);
            }
            EXPECT_LE(made.count(), 45u) << vksortKeyTypeName(key) << ", values of " << value_size;
        }
    }
}

} // namespace
} // namespace vksort::test
