// SPDX-License-Identifier: MIT
//
// Merge sort, merge, locality sort and segmented sort: tiles sorted by themselves (merge_blocksort.comp), then passes that
// merge neighbouring lists, two (merge_pass.comp, segmented_pass.comp) or, under a comparator, four
// (merge_pass_fourway.comp). Where each tile's share of the lists begins a dispatch before the pass finds
// (merge_partition.comp, merge_partition_fourway.comp, segmented_partition.comp), in sorts by two lists and small merges the
// pass itself. How many passes the count at hand needs, and between which slots they go, is decided on the GPU: by each
// kernel where the host knows the counts, otherwise by merge_setup.comp.
#include <algorithm>
#include <cstddef>

#include "../comparator.h"
#include "merge_common.h"
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr const char* kMergePartitionNames[] = {
    "partition 0",  "partition 1",  "partition 2",  "partition 3",  "partition 4",  "partition 5",  "partition 6",
    "partition 7",  "partition 8",  "partition 9",  "partition 10", "partition 11", "partition 12", "partition 13",
    "partition 14", "partition 15", "partition 16", "partition 17", "partition 18", "partition 19", "partition 20",
    "partition 21", "partition 22", "partition 23", "partition 24", "partition 25", "partition 26", "partition 27",
    "partition 28", "partition 29", "partition 30", "partition 31"};
constexpr const char* kMergeNames[] = {"merge 0",  "merge 1",  "merge 2",  "merge 3",  "merge 4",  "merge 5",  "merge 6",
                                       "merge 7",  "merge 8",  "merge 9",  "merge 10", "merge 11", "merge 12", "merge 13",
                                       "merge 14", "merge 15", "merge 16", "merge 17", "merge 18", "merge 19", "merge 20",
                                       "merge 21", "merge 22", "merge 23", "merge 24", "merge 25", "merge 26", "merge 27",
                                       "merge 28", "merge 29", "merge 30", "merge 31"};

// One kernel in its variants.
struct Kernel {
    ModuleId oneWord, twoWords;
    ComparatorKernel comparator;
};

#define VKSORT_KERNEL(name, comparator) \
    Kernel { kModule_##name##_k1, kModule_##name##_k2, kComparator##comparator }
constexpr Kernel kBlocksort = VKSORT_KERNEL(merge_blocksort, Blocksort);
constexpr Kernel kSegmentedBlocksort = VKSORT_KERNEL(segmented_blocksort, SegmentedBlocksort);
constexpr Kernel kMergePartition = VKSORT_KERNEL(merge_partition, Partition);
constexpr Kernel kPass = VKSORT_KERNEL(merge_pass, Pass);
constexpr Kernel kSegmentedPartition = VKSORT_KERNEL(segmented_partition, SegmentedPartition);
constexpr Kernel kSegmentedPass = VKSORT_KERNEL(segmented_pass, SegmentedPass);
#undef VKSORT_KERNEL
// Comparators alone have these.
constexpr Kernel kFourwayPartition = {kModuleCount, kModuleCount, kComparatorFourwayPartition};
constexpr Kernel kFourwayPass = {kModuleCount, kModuleCount, kComparatorFourwayPass};

// Passes that make one list of `lists`, `ways` at a time.
uint32_t passes_of_ways(uint64_t lists, uint64_t ways) {
    uint32_t passes = 0;
    for (uint64_t merged = 1; merged < lists; merged *= ways) {
        ++passes;
    }
    return passes;
}

MergeShape shape_of(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    MergeShape shape(desc);
    const uint32_t elementBytes = static_cast<uint32_t>(shape.slot_key_bytes() + shape.value_bytes());
    const bool isSort = !shape.twoInputs && !shape.queues;
    shape.fourWay = isSort && shape.comparator && merges_four_lists(device, desc.maxCount * elementBytes, overrides);
    // Sorts by four lists are long, and their kernels a tenth slower where they work out what a setup leaves for them.
    shape.hostCounts = !shape.queues && !shape.fourWay && (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) == 0;
    return shape;
}

MergeTuning tuning_of(const VksortDeviceInfo& device, const MergeShape& shape, uint64_t count,
                      const PlanOverrides& overrides) {
    return merge_tuning(device, shape.keyWords, shape.valueWords, shape.kind(), count, overrides);
}

// Plans one description.
class MergePlanner : MergeFamilyPlanner {
public:
    explicit MergePlanner(PlanBuilder& builder);
    void plan();

private:
    void fill_push();
    void bind_state();
    void bind_sort();
    void bind_merge();
    Pass& add(const char* name, const Kernel& kernel, const PlainTuning& tuning, uint32_t valueWords);
    Pass& add_tile_pass(const char* name, const Kernel& kernel);

    // For flags and slots that the host knows. CPU drivers take longer to compile a kernel for each of them than they gain
    // by it.
    bool is_specialized() const { return !is_cpu(builder_.device); }
    // Of an element, by a pass.
    uint32_t bytes_moved() const { return static_cast<uint32_t>(shape_.slot_key_bytes() + shape_.value_bytes()); }
    uint32_t bytes_read_at_first() const {
        return static_cast<uint32_t>(push_.keyStride + (shape_.argsort ? 0 : shape_.value_bytes()));
    }
    uint32_t source_slot(uint32_t passesFrom) const; // for the kernels, where passesFrom passes are left, this one included
    void add_blocksort();
    void add_merge_passes();

    MergeTuning tuning_;
    uint32_t maxTiles_;
    uint32_t passes_;
};

MergePlanner::MergePlanner(PlanBuilder& builder) : MergeFamilyPlanner(builder) {
    shape_ = shape_of(builder.device, desc_, builder.overrides);
    tuning_ = tuning_of(builder.device, shape_, total_, builder.overrides);
    const uint64_t tile = std::max(tuning_.tile_size(), 1u);
    maxTiles_ = static_cast<uint32_t>(std::max<uint64_t>((total_ + tile - 1) / tile, 1));
    shape_.passSearches = !shape_.queues && !shape_.fourWay &&
                          !(shape_.twoInputs && merge_has_partition(builder.device, maxTiles_, builder.overrides));
    passes_ = shape_.twoInputs ? 1 : passes_of_ways(maxTiles_, shape_.fourWay ? 4 : 2);
}

void MergePlanner::fill_push() {
    fill_common_push();
    push_.tileSize = tuning_.tile_size();
    push_.maxTiles = maxTiles_;
    push_.maxPasses = passes_;
    push_.drainGroups = builder_.overrides.drainGroups != 0 ? builder_.overrides.drainGroups : drain_groups(builder_.device);
    push_.flags |= drains_evenly(builder_.device) ? kFlagDrainEvenly : 0;
}

void MergePlanner::bind_state() {
    const uint64_t tiles = maxTiles_;
    push_.splitsOffset = reserve(shape_.queues         ? 4 * tiles
                                 : shape_.fourWay      ? 3 * (tiles + 1)
                                 : shape_.passSearches ? 0
                                                       : tiles);
    if (shape_.fourWay) {
        reserve((total_ / kSampleStep + 1) * shape_.keyWords);
    }
    if (shape_.queues) {
        push_.statusOffset = reserve(maxTiles_);
    }
    if (shape_.segmented) {
        uint64_t ranges = 0;
        for (uint32_t level = 0; level <= passes_; ++level) {
            ranges += 2 * (uint64_t{(maxTiles_ - 1) >> level} + 1);
        }
        push_.rangesOffset = reserve(ranges);
        reserve_heads();
    }
    bind_reserved();
    if (shape_.queues) {
        builder_.plan.info.workStatisticsOffset = offsetof(MergeControl, tiles);
    }
}

void MergePlanner::bind_sort() {
    bind_first_slots();
    if (passes_ > 0) {
        if (desc_.result == VKSORT_RESULT_PING_PONG && !shape_.packed) {
            builder_.bind(kBindingKeys2, Source::keys_alternate, shape_.slot_key_bytes());
        } else {
            builder_.bind_scratch(kBindingKeys2, shape_.slot_key_bytes());
        }
        bind_value_slot2();
    }
    if (shape_.segmented) {
        bind_segments();
    }
}

void MergePlanner::bind_merge() {
    builder_.bind(kBindingKeys0, Source::keys, shape_.keySize);
    builder_.bind(kBindingSecondKeys, Source::second_keys, 0).secondSize = shape_.keySize;
    if (!shape_.discardKeys) {
        const uint64_t bytes = shape_.slot_key_bytes();
        if (shape_.packed) {
            builder_.bind_scratch(kBindingKeys1, 0, total_ * bytes);
        } else {
            builder_.bind(kBindingKeys1, Source::keys_out, bytes).secondSize = bytes;
        }
    }
    if (shape_.valueWords > 0) {
        const uint64_t bytes = shape_.value_bytes();
        if (!shape_.argsort) {
            builder_.bind(kBindingValues0, Source::values, bytes);
            builder_.bind(kBindingSecondValues, Source::second_values, 0).secondSize = bytes;
        }
        builder_.bind(kBindingValues1, Source::values_out, bytes).secondSize = bytes;
    }
}

Pass& MergePlanner::add_tile_pass(const char* name, const Kernel& kernel) {
    return add(name, kernel, {tuning_.workgroupSize, tuning_.keysPerThread, 0}, shape_.valueWords);
}

Pass& MergePlanner::add(const char* name, const Kernel& kernel, const PlainTuning& tuning, uint32_t valueWords) {
    Pass& pass = builder_.add_pass(name, 0);
    specialize(pass, tuning);
    pass.specialization[kSpecValueWords] = valueWords;
    pass.specialization[kSpecFlags] = is_specialized() ? knownFlags_ : 0;
    if (shape_.comparator) {
        pass.comparator = desc_.comparator;
        pass.module = kernel.comparator;
    } else {
        pass.module = shape_.keyWords == 2 ? kernel.twoWords : kernel.oneWord;
    }
    return pass;
}

void MergePlanner::add_blocksort() {
    Pass& pass = add_tile_pass("blocksort", shape_.segmented ? kSegmentedBlocksort : kBlocksort);
    size_by_args(pass, offsetof(IndirectArgs, tiles));
    pass.divisor = push_.tileSize;
    pass.leastGroups = shape_.hostCounts ? 1 : 0; // it writes the statistics
    pass.bytesReadPerElement = bytes_read_at_first();
    pass.bytesWrittenPerElement = bytes_moved();
}

// Where the keys of a pass stand follows from its number.
uint32_t MergePlanner::source_slot(uint32_t passesFrom) const {
    const bool known = is_specialized() && !builder_.overrides.fewPipelines;
    return !known ? 0 : passesFrom % 2 == 1 ? 2 : 1;
}

void MergePlanner::add_merge_passes() {
    const Kernel& partitionKernel = shape_.queues    ? kSegmentedPartition
                                    : shape_.fourWay ? kFourwayPartition
                                                     : kMergePartition;
    const Kernel& passKernel = shape_.queues ? kSegmentedPass : shape_.fourWay ? kFourwayPass : kPass;
    for (uint32_t i = 0; i < passes_; ++i) {
        if (!shape_.passSearches) {
            // Whatever the tile and the values: one pipeline.
            Pass& partition = add(kMergePartitionNames[i], partitionKernel, one_key_a_thread(kPartitionTiles), 0);
            partition.specialization[kSpecSourceSlot] = source_slot(passes_ - i);
            partition.digitPass = i;
            size_by_args(partition, offsetof(IndirectArgs, partitions) + i * sizeof(DispatchArgs));
            partition.divisor = push_.tileSize * kPartitionTiles;
            partition.leastGroups = shape_.hostCounts ? 1 : 0; // it writes the statistics
        }

        Pass& merge = add_tile_pass(kMergeNames[i], passKernel);
        merge.specialization[kSpecSourceSlot] = source_slot(passes_ - i);
        merge.digitPass = i;
        merge.specialization[kSpecPrefetchTiles] = shape_.passSearches ? 0 : tuning_.prefetchTiles;
        size_by_args(merge, offsetof(IndirectArgs, merges) + i * sizeof(DispatchArgs));
        merge.divisor = push_.tileSize;
        merge.leastGroups = shape_.twoInputs && shape_.hostCounts && shape_.passSearches ? 1 : 0; // it writes the statistics
        merge.groupsLimit = shape_.queues ? push_.drainGroups : 0;
        merge.bytesReadPerElement = shape_.twoInputs ? bytes_read_at_first() : bytes_moved();
        merge.bytesWrittenPerElement = bytes_moved();
    }
}

void MergePlanner::plan() {
    fill_push();
    bind_state();
    if (shape_.twoInputs) {
        bind_merge();
    } else {
        bind_sort();
    }
    bind_packed();
    builder_.set_push(push_);

    VksortPlanInfo& info = builder_.plan.info;
    info.tileSize = tuning_.tile_size();
    info.mergePasses = passes_;

    if (!shape_.hostCounts) {
        add_setup_pass();
    }
    if (!shape_.twoInputs) {
        if (shape_.segmented) {
            add_segment_passes();
        }
        add_blocksort();
    }
    add_merge_passes();
    add_pack_pass();
}

} // namespace

uint64_t merge_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const uint64_t tile = tuning_of(device, shape_of(device, desc, overrides), UINT32_MAX, overrides).tile_size();
    const uint64_t second = desc.operation == VKSORT_OPERATION_MERGE ? desc.maxCountB : 0;
    // Positions of whole tiles, one past the last included, are 32-bit.
    const uint64_t limit = UINT32_MAX - 2 * tile;
    return tile == 0 ? 0 : limit - second; // check_merge has seen to it that B is smaller
}

void plan_merge_family(PlanBuilder& builder) { MergePlanner(builder).plan(); }

} // namespace vksort
