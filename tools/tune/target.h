// SPDX-License-Identifier: MIT
//
// What can be tuned: one table of src/tuning.cpp each, and which plan shows its sizes at work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan.h"
#include "scenario.h"

namespace vksort::tune {

using bench::Scenario;

// none: nothing is ranked
enum class Rank : uint32_t { none = 0, ballots = kRankBallots, counters = kRankCounters, atomics = kRankAtomics };
const char* name_of(Rank rank);

struct Candidate {
    uint32_t workgroup_size = 0;
    uint32_t keys_per_thread = 0;
    uint32_t rounds = 1;
    Rank rank = Rank::none;
    uint32_t tile_size() const { return workgroup_size * keys_per_thread; }
    bool operator==(const Candidate&) const = default;
};

// Lists of which every combination is a candidate.
struct Grid {
    std::vector<uint32_t> workgroup_sizes, keys_per_thread, rounds;
};
std::vector<Candidate> combine(const Grid& grid, const std::vector<Rank>& ranks);

enum class TargetId {
    partition,
    downsweep,
    one_workgroup,
    sample_tiles,
    bucket,
    bucket_partition,
    finish,
    large_finish,
    segment_partition,
    merge,
    merge_sort
};

struct Target {
    TargetId id;
    const char* name;
    // In src/tuning.cpp, src/finish_tuning.cpp, src/sample_tuning.cpp or src/bucket_tuning.cpp, or a function of
    // src/merge_tuning.cpp.
    const char* table;
    bench::Operation operation;
    VksortAlgorithm algorithm;
    const char* kernel; // how the names of its modules begin
    bool ranks;         // by ballots or, some, by counters
    bool rounds;        // its tiles can go through shared memory in parts

    bool is_segmented() const { return operation == bench::Operation::segmented_sort; }
    bool has_rows() const { return ranks; } // else merge_tuning is a function
    // Kernels that rank by atomics or by counters, and those that partition keys without values, are others.
    const char* table_for(const Scenario& kind, Rank rank) const {
        return rank == Rank::atomics                                        ? "kAtomicPartitionRows"
               : rank == Rank::counters && id == TargetId::downsweep        ? "kCounterDownsweepRows"
               : rank == Rank::counters && id == TargetId::one_workgroup    ? "kCounterOneWorkgroupRows"
               : id == TargetId::segment_partition && kind.value_bytes == 0 ? "kKeyPartitionRows"
                                                                            : table;
    }

    std::vector<uint64_t> default_means() const; // lengths of segments
    uint64_t default_count(bool cpu_device) const;
    Grid default_grid(const Scenario& kind, bool cpu_device) const;
    // Words of a key in the kernels, as the rows count them.
    uint32_t key_words(const Scenario& kind) const;

    // "384x22/2"; with `show_rank` also "384x22/2 counters".
    std::string text_of(const Candidate& candidate, bool show_rank) const;
    PlanOverrides overrides(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const Candidate& candidate) const;
    // The pass whose sizes these are, if the plan has it.
    std::optional<size_t> main_pass(const Plan& plan) const;
    // What the library takes by itself, if it can do it at all.
    std::optional<Candidate> todays(const VksortDeviceInfo& device, const VksortPlanDesc& desc) const;
    // Why a candidate cannot run there, or nothing.
    std::string refusal(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const Candidate& candidate) const;
};

const std::vector<Target>& all_targets();
const Target& parse_target(std::string_view name); // throws std::invalid_argument with the names there are

// Words of a value, as the rows count them.
uint32_t value_words(const Scenario& kind);

} // namespace vksort::tune
