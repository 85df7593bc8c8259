// SPDX-License-Identifier: MIT
//
// Makes every pipeline that the plans of all operations use on this device and prints what the driver's compiler says of
// them. Nothing is run, so no hardware is needed: see tests/radv/CMakeLists.txt. Exit status 1 if a pipeline of the default
// tuning keeps values in memory because they do not fit its registers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../bench/pipeline_statistics.h"
#include "../reference.h"
#include "bare_device.h"
#include "by_magnitude.h"
#include "case_insensitive.h"
#include "comparator.h"
#include "context.h"
#include "layer_then_depth.h"
#include "select.h"
#include "shader_table.h"
#include "tuning.h"

namespace {

using namespace vksort;

// Keys of 4, 8 and 16 bytes: the three sizes of tile that the tuning has.
constexpr const VksortComparatorInfo* kComparators[] = {&by_magnitude, &layer_then_depth, &case_insensitive};

// Values of 8 and 12 bytes are between those that say whether registers suffice.
std::vector<uint32_t> value_sizes(bool all) {
    return all ? std::vector<uint32_t>{0, 4, 8, 12, 16} : std::vector<uint32_t>{0, 4, 16};
}

bool is_full_level() {
    const char* const level = std::getenv("VKSORT_TEST_LEVEL");
    return level != nullptr && std::strcmp(level, "full") == 0;
}

// Keys of each size, and of 4 and 8 bytes both kinds: whose bits are in order, and others. The full level has all.
std::vector<VksortKeyType> key_types() {
    if (is_full_level()) {
        return {std::begin(reference::kAllKeyTypes), std::end(reference::kAllKeyTypes)};
    }
    return {VKSORT_KEY_U8, VKSORT_KEY_U16, VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_F64};
}

struct Row {
    std::string name;
    bench::PipelineNumbers numbers;
};

// Sorts, merges and segmented sorts by an order of the keys' own or by a comparator.
void add_merge_family(std::vector<VksortPlanDesc>& descriptions, VksortKeyType key, VksortComparator comparator) {
    for (uint32_t value_size : value_sizes(comparator == VK_NULL_HANDLE && is_full_level())) {
        VksortPlanDesc desc = {};
        desc.keyType = key;
        desc.comparator = comparator;
        desc.valueSize = value_size;
        desc.maxCount = 1'000'000;
        desc.algorithm = VKSORT_ALGORITHM_LOCALITY;
        descriptions.push_back(desc);
        desc.algorithm = VKSORT_ALGORITHM_MERGE;
        for (uint64_t count : {1u << 24, 1'000'000u}) { // under a comparator passes of four lists, and of two
            desc.maxCount = count;
            descriptions.push_back(desc);
        }
        desc.operation = VKSORT_OPERATION_SEGMENTED_SORT;
        desc.segments = VKSORT_SEGMENTS_OFFSETS;
        desc.maxSegments = 1000;
        desc.algorithm = VKSORT_ALGORITHM_SEGMENTED;
        descriptions.push_back(desc);
        if (comparator == VK_NULL_HANDLE) {
            desc.algorithm = VKSORT_ALGORITHM_SIZE_CLASSES;
            descriptions.push_back(desc);
            desc.result = VKSORT_RESULT_SEPARATE; // whose kernels read the input where it is
            descriptions.push_back(desc);
            desc.keyStride = 2 * vksortKeySize(key); // which takes a pass more
            descriptions.push_back(desc);
            desc.keyStride = 0;
        }
        desc.algorithm = VKSORT_ALGORITHM_AUTO;
        desc.operation = VKSORT_OPERATION_MERGE;
        desc.segments = VKSORT_SEGMENTS_HEAD_FLAGS;
        desc.maxSegments = 0;
        desc.result = VKSORT_RESULT_SEPARATE;
        for (uint64_t count : {1u << 26, 1u << 24, 100'000u}) { // with a partition, in two sizes of tiles, and without
            desc.maxCount = count;
            desc.maxCountB = count;
            descriptions.push_back(desc);
        }
    }
}

// Counts for which an algorithm has tiles of different sizes.
std::vector<uint64_t> counts_of(const VksortDeviceInfo& info, const VksortPlanDesc& desc) {
    switch (desc.algorithm) {
    case VKSORT_ALGORITHM_ONE_WORKGROUP:
    case VKSORT_ALGORITHM_SAMPLE_SORT: {
        VksortPlanInfo plan = {};
        if (vksortDescribePlan(&info, &desc, &plan, nullptr, 0) != VK_SUCCESS) {
            return {1}; // whose refusal will be seen
        }
        std::vector<uint64_t> counts = {plan.largestCount};
        const bool one = desc.algorithm != VKSORT_ALGORITHM_SAMPLE_SORT;
        for (uint64_t count = one ? 512 : 10'000; count < plan.largestCount; count = one ? count + 512 : 2 * count) {
            counts.push_back(count);
        }
        return counts;
    }
    case VKSORT_ALGORITHM_MSD: return {1000, 2500, 5000, 10'000, 300'000, 1'000'000, 1 << 24};
    default: return {1'000'000};
    }
}

// Plans that together use every kernel, at the full level in every width of value, in the tuning that users get.
std::vector<VksortPlanDesc> all_descriptions(const VksortDeviceInfo& info,
                                             const std::vector<VksortComparator>& comparators) {
    std::vector<VksortPlanDesc> descriptions;
    for (VksortAlgorithm algorithm : {VKSORT_ALGORITHM_ONE_WORKGROUP, VKSORT_ALGORITHM_ONESWEEP,
                                      VKSORT_ALGORITHM_REDUCE_SCAN, VKSORT_ALGORITHM_MSD, VKSORT_ALGORITHM_SAMPLE_SORT}) {
        if (algorithm == VKSORT_ALGORITHM_ONESWEEP && (info.features & VKSORT_FEATURE_MEMORY_MODEL_BIT) == 0) {
            continue;
        }
        for (VksortKeyType key : key_types()) {
            for (uint32_t value_size : value_sizes(is_full_level())) {
                VksortPlanDesc desc = {};
                desc.algorithm = algorithm;
                desc.keyType = key;
                desc.valueSize = value_size;
                for (uint64_t count : counts_of(info, desc)) {
                    desc.maxCount = count;
                    descriptions.push_back(desc);
                }
            }
        }
    }
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_U64, VKSORT_KEY_U8}) {
        add_merge_family(descriptions, key, VK_NULL_HANDLE);
    }
    for (VksortComparator comparator : comparators) {
        add_merge_family(descriptions, VKSORT_KEY_COMPARATOR, comparator);
    }
    for (VksortKeyType key : {VKSORT_KEY_U32, VKSORT_KEY_F32, VKSORT_KEY_U64, VKSORT_KEY_F64}) { // floats by distribution
        VksortPlanDesc desc = {};
        desc.algorithm = VKSORT_ALGORITHM_BUCKET_SORT;
        desc.keyType = key;
        VksortPlanInfo plan = {};
        if (vksortDescribePlan(&info, &desc, &plan, nullptr, 0) != VK_SUCCESS) {
            plan.largestCount = 1; // whose refusal will be seen
        }
        // At once, by coarse buckets, and with so much scratch that these are divided.
        for (uint64_t count : {uint64_t{500'000}, uint64_t{2'000'000}, uint64_t{1} << 24, plan.largestCount}) {
            desc.maxCount = count;
            descriptions.push_back(desc);
        }
        for (uint32_t value_size : {4u, 16u}) {
            desc.valueSize = value_size;
            for (uint64_t count : {500'000u, 10'000'000u}) {
                desc.maxCount = count;
                descriptions.push_back(desc);
            }
        }
    }
    VksortPlanDesc gather = {};
    gather.operation = VKSORT_OPERATION_GATHER;
    gather.valueSize = 64;
    gather.maxCount = 1'000'000;
    gather.flags = VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_WRITE_COMMANDS_BIT;
    descriptions.push_back(gather);
    if (known_subgroup_size(info) == 0) { // Only these are refused, so that any other refusal is seen.
        std::erase_if(descriptions, [](const VksortPlanDesc& desc) { return ranks_by_ballots_only(desc.algorithm); });
    }
    return descriptions;
}

struct Collection {
    const bench::PipelineStatistics& statistics;
    std::vector<Row> rows;
    std::set<std::string> kernels;
    std::map<uint64_t, uint32_t> key_words; // by comparator
};

// Key words tell the comparators apart; 0: none.
std::string of_comparator(uint32_t key_words) {
    return key_words != 0 ? " of keys of " + std::to_string(key_words) + " words" : "";
}

void visit(void* user, const char* module, const PipelineKey& key, VkPipeline pipeline) {
    auto& collection = *static_cast<Collection*>(user);
    std::string name = module;
    collection.kernels.insert(name + of_comparator(key.comparator != 0 ? collection.key_words.at(key.comparator) : 0));
    name += " " + std::to_string(key.specialization[kSpecWorkgroupSize]) + "x" +
            std::to_string(key.specialization[kSpecKeysPerThread]) + " v" +
            std::to_string(key.specialization[kSpecValueWords]);
    name += key.comparator != 0 ? " k" + std::to_string(collection.key_words.at(key.comparator)) : "";
    name += key.requiredSubgroupSize != 0 ? " w" + std::to_string(key.requiredSubgroupSize) : "";
    collection.rows.push_back({name, collection.statistics.of(pipeline)});
}

struct Kernels {
    std::set<std::string> used;
    std::set<std::string> listed;
};

// Returns whether all is well.
bool run(VksortFeatureFlags features, bool may_spill, Kernels& kernels) {
    test::BareDevice device(features);
    const bench::PipelineStatistics statistics(device.device(), [&device](const char* name) {
        PFN_vkVoidFunction function = nullptr;
        device.load(function, name);
        return function;
    });
    const VksortDeviceInfo& info = device_info_of(device.context());
    device.context()->pipelines.capture_statistics();
    std::vector<VksortComparator> comparators;
    std::map<uint64_t, uint32_t> key_words;
    for (const VksortComparatorInfo* example : kComparators) {
        VksortComparator comparator = VK_NULL_HANDLE;
        if (vksortCreateComparator(device.context(), example, &comparator) != VK_SUCCESS) {
            return false;
        }
        comparators.push_back(comparator);
        key_words[comparator->id] = comparator->keyWords;
        for (const ShaderModule& kernel : comparator->kernels) {
            kernels.listed.insert(kernel.name + of_comparator(comparator->keyWords));
        }
    }
    std::vector<VksortPlan> plans;
    for (const VksortPlanDesc& desc : all_descriptions(info, comparators)) {
        VksortPlan plan = VK_NULL_HANDLE;
        if (vksortCreatePlan(device.context(), &desc, &plan) != VK_SUCCESS) {
            return false; // the message callback has said why
        }
        plans.push_back(plan);
    }
    Collection collection = {statistics, {}, {}, key_words};
    device.context()->pipelines.for_each(visit, &collection);
    for (VksortPlan plan : plans) {
        vksortDestroyPlan(plan);
    }
    for (VksortComparator comparator : comparators) {
        vksortDestroyComparator(comparator);
    }
    std::printf("\n%s, subgroups of %u to %u, features %x: %zu pipelines\n%-52s %6s %6s %7s %7s %7s %8s %7s\n", info.name,
                info.minSubgroupSize, info.maxSubgroupSize, info.features, collection.rows.size(),
                "kernel, workgroup x keys, value words, key words", "SGPRs", "VGPRs", "spilled", "LDS", "scratch", "code",
                "waves");
    bool sound = !collection.rows.empty();
    std::sort(collection.rows.begin(), collection.rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
    for (const Row& row : collection.rows) {
        // A statistic that the driver no longer gives must not look like zero spills.
        for (const char* needed : {"SGPRs", "VGPRs", "Spilled SGPRs", "Spilled VGPRs", "Scratch size"}) {
            if (row.numbers.count(needed) == 0) {
                std::fprintf(stderr, "%s: the driver reports no '%s'\n", row.name.c_str(), needed);
                return false;
            }
        }
        auto number = [&](const char* key) {
            auto found = row.numbers.find(key);
            return static_cast<unsigned long long>(found == row.numbers.end() ? 0 : found->second);
        };
        bool spills = number("Spilled VGPRs") != 0 || number("Scratch size") != 0;
        std::printf("%-52s %6llu %6llu %7llu %7llu %7llu %8llu %7llu%s\n", row.name.c_str(), number("SGPRs"),
                    number("VGPRs"), number("Spilled VGPRs") + number("Spilled SGPRs"), number("LDS size"),
                    number("Scratch size"), number("Code size"), number("Subgroups per SIMD"), spills ? "  SPILLS" : "");
        sound = sound && (may_spill || !spills);
    }
    kernels.used.merge(collection.kernels);
    return sound;
}

} // namespace

int main() {
    try {
        Kernels kernels;
        for (uint32_t i = 0; i < kShaderModuleCount; ++i) {
            kernels.listed.insert(kShaderModules[i].name);
        }
        bool sound = run(~VksortFeatureFlags{0}, false, kernels);
        // Without subgroup size control, which these devices always have, kernels without subgroup operations are used. They
        // must compile; what they spill is shown and not judged.
        sound = run(~VksortFeatureFlags{VKSORT_FEATURE_SUBGROUP_SIZE_CONTROL_BIT}, true, kernels) && sound;
        for (const std::string& name : kernels.listed) {
            const std::string kernel = name.substr(0, name.find(' '));
            // For NVIDIA's GPUs, whose atomics are known to follow the order of lanes.
            const bool for_others = kernel.ends_with("_atomics");
            if (kernels.used.count(name) == (for_others ? 1 : 0)) {
                std::fprintf(stderr, "%s the kernel %s\n", for_others ? "this GPU got" : "no plan used", name.c_str());
                sound = false;
            }
        }
        std::printf("%s\n", sound ? "no pipeline of the default tuning spills" : "FAILED");
        return sound ? 0 : 1;
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
