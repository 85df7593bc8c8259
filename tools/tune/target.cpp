// SPDX-License-Identifier: MIT
#include "target.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "shader_ids.h"
#include "shader_table.h"
#include "tuning_rows.h"

namespace vksort::tune {

namespace {

using bench::Operation;

constexpr uint32_t kDigits = 256;
constexpr uint32_t kLargestTile = 0xFFFF;  // places in a tile are half words
constexpr uint32_t kMostMergedKeys = 31;   // of an invocation
constexpr uint32_t kMostOfSampleTile = 16; // likewise: of a bucket twice as many, which an invocation sorts by a network

Candidate candidate_of(const Target& target, const Pass& pass) {
    Candidate candidate;
    candidate.workgroup_size = pass.specialization[kSpecWorkgroupSize];
    candidate.keys_per_thread = pass.specialization[kSpecKeysPerThread];
    if (target.id == TargetId::sample_tiles) { // it has room for more, of samples
        candidate.keys_per_thread = pass.specialization[kSpecTileKeys];
    }
    if (target.rounds) {
        candidate.rounds = pass.specialization[kSpecStageRounds];
    }
    if (target.ranks) {
        candidate.rank = pass.module == kModule_radix_onesweep_k1_atomics ? Rank::atomics
                         : pass.specialization[kSpecSubgroupSize] > 1     ? Rank::ballots
                                                                          : Rank::counters;
    }
    return candidate;
}

// What the kernels ask for, whatever the device.
std::string kernel_refusal(const Target& target, const Candidate& candidate) {
    if (candidate.keys_per_thread % candidate.rounds != 0) {
        return "the rounds do not divide the keys of an invocation";
    }
    if (candidate.rounds != 1 && !target.rounds) {
        return "its tiles go through shared memory in one round";
    }
    if (target.ranks && candidate.workgroup_size < kDigits && kDigits % candidate.workgroup_size != 0) {
        return "workgroups have 256 invocations and more, or a part of 256 that divides it";
    }
    if (candidate.tile_size() > kLargestTile) {
        return "a tile has 65,535 keys at most";
    }
    if (target.id == TargetId::sample_tiles && candidate.keys_per_thread > kMostOfSampleTile) {
        return "an invocation has 16 keys of a tile at most";
    }
    const bool merges_rest = target.id == TargetId::finish || target.id == TargetId::large_finish; // what it leaves over
    if ((!target.ranks || merges_rest) && candidate.keys_per_thread > kMostMergedKeys) {
        return "an invocation merges 31 keys at most";
    }
    return "";
}

// What all candidates have in common, and what the library takes today.
PlanOverrides common_overrides(TargetId id) {
    PlanOverrides overrides;
    if (id == TargetId::sample_tiles) { // few elements are ranked
        overrides.sampleStep = PlanOverrides::SampleStep::buckets;
    }
    return overrides;
}

} // namespace

const std::vector<Target>& all_targets() {
    static const std::vector<Target> targets = {
        {TargetId::partition, "partition", "kPartitionRows", Operation::sort, VKSORT_ALGORITHM_ONESWEEP, "radix_onesweep_",
         true, true},
        {TargetId::downsweep, "downsweep", "kDownsweepRows", Operation::sort, VKSORT_ALGORITHM_REDUCE_SCAN,
         "radix_downsweep_", true, true},
        {TargetId::one_workgroup, "one_workgroup", "kOneWorkgroupRows", Operation::sort, VKSORT_ALGORITHM_ONE_WORKGROUP,
         "one_workgroup_", true, false},
        // With as many samples as a tile has keys, and buckets of twice as many at most.
        {TargetId::sample_tiles, "sample-tiles", "kSampleRows", Operation::sort, VKSORT_ALGORITHM_SAMPLE_SORT,
         "sample_tiles_", true, false},
        // What a bucket has room for, and the kernel that scatters keys to buckets.
        {TargetId::bucket, "bucket", "kBucketRows", Operation::sort, VKSORT_ALGORITHM_BUCKET_SORT, "bucket_finish_", true,
         false},
        {TargetId::bucket_partition, "bucket-partition", "kBucketPartitionRows", Operation::sort,
         VKSORT_ALGORITHM_BUCKET_SORT, "bucket_partition_", true, true},
        {TargetId::finish, "finish", "kSegmentFinishRows", Operation::segmented_sort, VKSORT_ALGORITHM_SIZE_CLASSES,
         "msd_finish_", true, false},
        {TargetId::large_finish, "large-finish", "kLargeFinishRows", Operation::segmented_sort,
         VKSORT_ALGORITHM_SIZE_CLASSES, "msd_finish_", true, false},
        {TargetId::segment_partition, "segment-partition", "kClassPartitionRows", Operation::segmented_sort,
         VKSORT_ALGORITHM_SIZE_CLASSES, "msd_partition_", true, true},
        {TargetId::merge, "merge", "merge_tuning", Operation::merge, VKSORT_ALGORITHM_MERGE, "merge_pass_", false, false},
        {TargetId::merge_sort, "merge-sort", "merge_tuning", Operation::sort, VKSORT_ALGORITHM_MERGE, "merge_pass_", false,
         false},
    };
    return targets;
}

const Target& parse_target(std::string_view name) {
    std::string known;
    for (const Target& target : all_targets()) {
        if (name == target.name) {
            return target;
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", target.name);
    }
    throw std::invalid_argument(fmt::format("there is no target {}, only {} and all", name, known));
}

uint32_t value_words(const Scenario& kind) { return kind.value_bytes / 4; }

const char* name_of(Rank rank) {
    switch (rank) {
    case Rank::ballots: return "ballots";
    case Rank::counters: return "counters";
    case Rank::atomics: return "atomics";
    case Rank::none: break;
    }
    return "";
}

std::vector<Candidate> combine(const Grid& grid, const std::vector<Rank>& ranks) {
    std::vector<Candidate> candidates;
    for (const Rank rank : ranks) {
        for (const uint32_t workgroup_size : grid.workgroup_sizes) {
            for (const uint32_t keys : grid.keys_per_thread) {
                for (const uint32_t rounds : grid.rounds) {
                    const Candidate candidate = {workgroup_size, keys, rounds, rank};
                    if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end()) {
                        candidates.push_back(candidate);
                    }
                }
            }
        }
    }
    return candidates;
}

std::vector<uint64_t> Target::default_means() const {
    switch (id) {
    case TargetId::finish: return {10, 1000, 100000};
    case TargetId::large_finish: return {300, 1000, 10000};
    case TargetId::segment_partition: return {10000, 1000000};
    default: return {0};
    }
}

uint64_t Target::default_count(bool cpu_device) const {
    if (id == TargetId::one_workgroup) {
        return 1 << 12;
    }
    return uint64_t{1} << (cpu_device ? 14 : id == TargetId::sample_tiles ? 17 : 26);
}

uint32_t Target::key_words(const Scenario& kind) const {
    // bucket_sort has a key's place below it where there are values.
    const bool with_index = (id == TargetId::bucket || id == TargetId::bucket_partition) && kind.value_bytes != 0;
    return kind.key_bytes() == 8 || with_index ? 2 : 1;
}

Grid Target::default_grid(const Scenario& kind, bool cpu_device) const {
    const bool wide = key_words(kind) == 2;
    const bool plain = !wide && kind.value_bytes == 0;
    if (cpu_device) { // few: such drivers take seconds to compile a kernel
        return {{128}, ranks ? std::vector<uint32_t>{8, 16, 32} : std::vector<uint32_t>{4, 8, 16}, {1}};
    }
    switch (id) {
    case TargetId::partition:
    case TargetId::downsweep:
    case TargetId::segment_partition:
    case TargetId::bucket_partition:
        return {{256, 384, 512, 640},
                wide    ? std::vector<uint32_t>{6, 8, 9, 11, 13, 15}
                : plain ? std::vector<uint32_t>{11, 14, 15, 16, 18, 20, 22, 24}
                        : std::vector<uint32_t>{9, 11, 14, 15, 16, 18, 20},
                {1, 2}};
    case TargetId::large_finish: return {{384, 448, 512, 640, 768}, {4, 5, 6, 8, 10, 12}, {1}};
    case TargetId::one_workgroup: return {{256, 320, 384, 512, 640, 1024}, {4, 8, 10, 12, 14, 16}, {1}};
    case TargetId::sample_tiles: return {{256, 384, 512, 768, 1024}, {1, 2, 3, 4, 6, 8}, {1}};
    case TargetId::bucket:
    case TargetId::finish: // its windows have an even number of keys
        return {
            {256, 320, 384, 448, 512}, wide ? std::vector<uint32_t>{2, 4, 6, 8} : std::vector<uint32_t>{4, 6, 8, 10}, {1}};
    default:
        return {{256, 384, 512},
                wide ? std::vector<uint32_t>{2, 3, 4, 5, 6, 7} : std::vector<uint32_t>{4, 5, 6, 7, 8, 10, 14},
                {1}};
    }
}

std::string Target::text_of(const Candidate& candidate, bool show_rank) const {
    std::string text = fmt::format("{}x{}", candidate.workgroup_size, candidate.keys_per_thread);
    if (rounds || candidate.rounds != 1) {
        text += fmt::format("/{}", candidate.rounds);
    }
    if (show_rank) {
        text += fmt::format(" {}", name_of(candidate.rank));
    }
    return text;
}

PlanOverrides Target::overrides(const VksortDeviceInfo& device, const VksortPlanDesc& desc,
                                const Candidate& candidate) const {
    PlanOverrides overrides = common_overrides(id);
    overrides.rank = static_cast<uint32_t>(candidate.rank);
    overrides.stageRounds = rounds ? candidate.rounds : 0;
    if (id == TargetId::segment_partition || id == TargetId::bucket_partition) {
        overrides.partitionWorkgroupSize = candidate.workgroup_size;
        overrides.partitionKeysPerThread = candidate.keys_per_thread;
        return overrides;
    }
    if (id == TargetId::large_finish) {
        overrides.largeWorkgroupSize = candidate.workgroup_size;
        overrides.largeKeysPerThread = candidate.keys_per_thread;
        return overrides;
    }
    overrides.workgroupSize = candidate.workgroup_size;
    overrides.keysPerThread = candidate.keys_per_thread;
    if (id == TargetId::finish) { // the large one stays as it is, and the partition, or it would take these sizes, too
        if (const std::optional<Candidate> large = parse_target("large-finish").todays(device, desc)) {
            overrides.largeWorkgroupSize = large->workgroup_size;
            overrides.largeKeysPerThread = large->keys_per_thread;
        }
        if (const std::optional<Candidate> partition = parse_target("segment-partition").todays(device, desc)) {
            overrides.partitionWorkgroupSize = partition->workgroup_size;
            overrides.partitionKeysPerThread = partition->keys_per_thread;
            overrides.stageRounds = partition->rounds;
        }
    }
    return overrides;
}

std::optional<size_t> Target::main_pass(const Plan& plan) const {
    for (size_t i = 0; i < plan.info.passCount; ++i) {
        if (id == TargetId::large_finish && std::strcmp(plan.passes[i].name, "large finish") != 0) {
            continue; // the finish has the same kernel
        }
        if (std::strncmp(kShaderModules[plan.passes[i].module].name, kernel, std::strlen(kernel)) == 0) {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<Candidate> Target::todays(const VksortDeviceInfo& device, const VksortPlanDesc& desc) const {
    Plan plan;
    Message message;
    if (make_plan(device, desc, common_overrides(id), plan, message) != VK_SUCCESS) {
        return std::nullopt;
    }
    const std::optional<size_t> pass = main_pass(plan);
    return pass ? std::optional(candidate_of(*this, plan.passes[*pass])) : std::nullopt;
}

std::string Target::refusal(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const Candidate& candidate) const {
    std::string text = kernel_refusal(*this, candidate);
    if (!text.empty()) {
        return text;
    }
    const uint32_t subgroup = known_subgroup_size(device);
    if ((candidate.rank == Rank::ballots || candidate.rank == Rank::atomics) && subgroup != 0 &&
        candidate.workgroup_size % subgroup != 0) {
        return "workgroups are not made of whole subgroups";
    }
    Plan plan;
    Message message;
    if (make_plan(device, desc, overrides(device, desc, candidate), plan, message) != VK_SUCCESS) {
        return message.text;
    }
    const std::optional<size_t> pass = main_pass(plan);
    if (!pass) {
        return "so few elements, or such short segments, have no use for the kernel";
    }
    const Candidate made = candidate_of(*this, plan.passes[*pass]);
    if (candidate.rank == Rank::atomics && made.rank == Rank::ballots) {
        return "atomics rank in the partition of keys without values, of 4 bytes at most";
    }
    if (candidate.rank == Rank::counters && made.rank != Rank::counters) {
        return "counters rank in one_workgroup and in the downsweep";
    }
    // Where a candidate does not fit, the library takes other sizes.
    if (made != candidate) {
        return "more invocations, shared memory or subgroups than the device has";
    }
    return "";
}

} // namespace vksort::tune
