// SPDX-License-Identifier: MIT
//
// Sizes of the kernels, chosen by the properties of the device. The rows are in tuning.cpp and its *_tuning.cpp neighbours;
// the measurements behind them are in docs/log/tuning.md.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan.h"
#include "vksort/vksort.h"

namespace vksort {

inline constexpr uint32_t kVendorNvidia = 0x10DE;
inline constexpr uint32_t kVendorAmd = 0x1002;
inline constexpr uint32_t kVendorIntel = 0x8086;

// Whether the driver of the device runs kernels on the CPU.
bool is_cpu(const VksortDeviceInfo& device);

// The subgroup size that pipelines can be created with: 32 where there is a choice, 0 if it cannot be known.
uint32_t known_subgroup_size(const VksortDeviceInfo& device);

// Whether AUTO takes algorithms that rank by ballots. A ballot answers for as many keys as a subgroup has lanes, which pays
// from 16 lanes on. CPU drivers run the lanes one after another, so that ballots do not pay there.
bool prefers_ballots(const VksortDeviceInfo& device);

// The number of tiles of `size` elements that hold `count` elements. A size of 0, which is not known yet, counts as 1.
constexpr uint64_t divide_up(uint64_t count, uint64_t size) {
    size = std::max<uint64_t>(size, 1);
    return (count + size - 1) / size;
}

// A kernel that ranks tiles: the partition kernels and one_workgroup.
struct RankTuning {
    bool ballot = false; // ranks by ballots, not by counters; needs subgroupSize
    // With match: the kernel ranks by what shared atomics return, and by ballots only where that was not stable.
    bool atomics = false;
    uint32_t subgroupSize = 1; // 1 where the kernel uses no subgroup operations
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t stageRounds = 1; // the tile goes through shared memory in this number of rounds
    uint32_t tile_size() const { return workgroupSize * keysPerThread; }
};

// A kernel whose sizes do not depend on the subgroup size.
struct PlainTuning {
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t maxGroups = 0;
};

// Digit passes of onesweep over at most `count` keys. keysOnly: keys-only, sorted by all their bits, so that equal keys
// cannot be told apart.
RankTuning onesweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly,
                           uint64_t count, const PlanOverrides& overrides);
// The same, where one dispatch executes all digit passes.
RankTuning sweeps_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly,
                         uint64_t count, const PlanOverrides& overrides);
// The number of staging rounds of onesweep's keys-only pass over the lowest digit, whose tiles are those of the other
// passes.
uint32_t scatter_rounds(const VksortDeviceInfo& device, uint32_t keyWords, const RankTuning& tuning);
// Digit passes of reduce_scan.
RankTuning downsweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                            const PlanOverrides& overrides);
// The stable partition of msd and size_classes.
RankTuning class_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                  const PlanOverrides& overrides);
// The bits of an element's index in a tile of at most `count` elements, where workgroup/indexed_bins.glsl can sort the tile:
// 4-byte keys with values. 0 elsewhere.
uint32_t indexed_key_bits(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords, uint64_t count);
// Shared memory of a kernel of one_workgroup, in bytes. Values with shared memory of their own come on top.
uint32_t one_workgroup_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
// The smallest tile of at least `wanted` elements, or else the largest tile. workgroupSize is 0 if no variant fits the
// device.
RankTuning one_workgroup_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t wanted,
                                const PlanOverrides& overrides);
// sample_sort. `tile` is the kernel that sorts tiles of tileSize elements, or the samples; `bucket` the kernel that sorts
// buckets, which sorts up to its tile at once. If keys are uniform, a bucket is to have bucketMean elements; a bucket
// between samples is to have bucketSize. `ranks` is the kernel that finds the rank of each element instead of buckets,
// without samples of all elements. It is for small counts, and its workgroupSize is 0 otherwise.
struct SampleTuning {
    RankTuning tile;
    RankTuning bucket;
    uint32_t tileSize = 0;
    uint32_t samples = 0;
    uint32_t bucketSize = 0;
    uint32_t bucketMean = 0;
    uint32_t mostBuckets = 0;  // the most buckets that there may be
    uint32_t bucketGroups = 0; // the least workgroups that sort buckets, where there are that many buckets
    uint64_t most = 0;         // the most elements that can be sorted; 0 if no variant fits the device
    PlainTuning ranks;         // keysPerThread: the invocations that share an element
    uint32_t rankSamples = 0;  // the samples of tiles that shared memory holds
    uint32_t rankSearches = 0; // the searches that an invocation executes at once
};
SampleTuning sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                           const PlanOverrides& overrides);
// bucket_sort. `partition` is the kernel that scatters keys to buckets, `finish` the kernel that sorts a bucket, which has
// space for one tile of it. Uniform keys fill a bucket with `mean` elements on average, or `sparseMean` where the ends of
// their range are not known. Where there are many buckets, keys are first scattered to coarse buckets of 2^coarseBucketBits
// buckets each. Workgroup sizes are 0 if no variant fits the device.
struct BucketTuning {
    RankTuning partition;
    RankTuning finish;
    uint32_t mean = 0;
    uint32_t sparseMean = 0;
    uint64_t buckets = 0; // the most buckets that there may be
    uint32_t coarseBucketBits = 0;
    uint32_t coarseBuckets = 0;        // coarse buckets
    uint32_t scatterCoarseBuckets = 0; // the most coarse buckets that the kernel can scatter to
};
// The elements that bucket_sort scatters and sorts.
struct BucketRecord {
    uint32_t words = 1;          // of a key, or of a key packed with its source index
    uint32_t valueWords = 0;     // of the values that are scattered with the keys
    bool wideIndices = false;    // a key's source index is a word of its own
    bool byDistribution = false; // buckets are equal shares of a histogram of the keys, and so less uniform
};
BucketTuning bucket_tuning(const VksortDeviceInfo& device, const BucketRecord& record, uint64_t count,
                           const PlanOverrides& overrides);
// The setup of bucket_sort, which samples as many keys as one of its tiles has.
PlainTuning bucket_sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, bool byDistribution, uint64_t count);
// bucket_sort by distribution: whether the device has the shared memory for it, the kernel that counts keys, and the number
// of histogram cells.
bool can_scatter_by_distribution(const VksortDeviceInfo& device);
PlainTuning bucket_distribution_tuning(const VksortDeviceInfo& device);
uint32_t histogram_cells(const VksortDeviceInfo& device);
// What a pass of the merge family merges.
enum class MergeKind : uint8_t { two_inputs, two_lists, four_lists, work_queues };
// The sizes of such a pass. workgroupSize is 0 if keys of this number of words do not fit.
struct MergeTuning {
    MergeKind kind = MergeKind::two_lists;
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0; // at most 31
    uint32_t prefetchTiles = 0; // of merges: a workgroup prefetches the keys of the tile that is this many tiles later
    uint32_t slots() const { return workgroupSize * keysPerThread; } // of the tile in shared memory
    uint32_t tile_size() const;                                      // keys of a tile, at most slots()
};
MergeTuning merge_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, MergeKind kind,
                         uint64_t count, const PlanOverrides& overrides);
// Whether passes of merge sort by a comparator, over `bytes` bytes of keys and values, merge four lists instead of two.
bool merges_four_lists(const VksortDeviceInfo& device, uint64_t bytes, const PlanOverrides& overrides);
// Whether a partition pass finds where the tiles of a merge begin. Otherwise each workgroup of the merge pass does.
bool merge_has_partition(const VksortDeviceInfo& device, uint64_t tiles, const PlanOverrides& overrides);
// The workgroups that drain the work queues of locality and segmented sort, and whether each may take an equal share only.
uint32_t drain_groups(const VksortDeviceInfo& device);
bool drains_evenly(const VksortDeviceInfo& device);
// The partition of msd and size_classes where it need not be stable.
RankTuning key_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, const PlanOverrides& overrides);
// The finish of msd and size_classes: a tile of at least `wanted` elements, if there is one. workgroupSize is 0 if no
// variant fits the device.
RankTuning finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                         const PlanOverrides& overrides, uint32_t wanted = 0);
// The same for segments of this mean length.
RankTuning segment_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                 const PlanOverrides& overrides, uint64_t meanLength);
// Whether the finish handles heads of segments as if most register runs, and most words of their flags, had none.
bool has_few_heads(uint64_t meanLength, uint32_t valueWords);
// Whether few of the jobs that the finish finds too skewed for bins have heads of segments.
bool leaves_over_digits(uint64_t meanLength, const RankTuning& finish);
// A second finish for segments that are longer than the tile of the first. workgroupSize is 0 if there is none.
RankTuning large_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                               const PlanOverrides& overrides, uint64_t meanLength, const RankTuning& finish);
// Whether most elements are in segments that levels partition.
bool are_very_long(uint64_t meanLength);
// The scan of the levels' tile counts, which has one workgroup for each bucket of msd: 256 invocations, a multiple, or a
// fraction of them. of_one: buckets of one long segment. of_segments: of many segments of any length. long_segments: whole
// long segments.
enum class ScannedRanges : uint8_t { of_one, of_segments, long_segments };
RankTuning class_scan_tuning(const VksortDeviceInfo& device, const RankTuning& finish, ScannedRanges ranges);
PlainTuning histogram_tuning(const VksortDeviceInfo& device, uint64_t count);
PlainTuning copy_tuning(const VksortDeviceInfo& device);
// The bins to which msd's setup hashes the words of a sample. More bins make it less likely that words share a bin by
// chance.
uint32_t msd_word_bins(const VksortDeviceInfo& device);
// The workgroups that share the tiles in reduce_scan.
uint32_t spine_groups(const VksortDeviceInfo& device);
// The workgroup size of the spine, which has one workgroup for each digit.
uint32_t spine_workgroup_size(const VksortDeviceInfo& device);
// The failed reads of a predecessor's status after which a workgroup counts that tile itself.
uint32_t spin_limit(const VksortDeviceInfo& device);
// The most workgroups of onesweep in one dispatch.
uint32_t sweep_groups(const VksortDeviceInfo& device);
// The workgroup size of kernels whose dispatches have one workgroup or a few.
uint32_t single_workgroup_size(const VksortDeviceInfo& device);

// The workgroups that count digits.
uint32_t count_groups(bool segmented);

// Shared memory of one workgroup, in bytes, for a kernel that includes workgroup/rank.glsl and workgroup/partition.glsl.
uint32_t rank_shared_bytes(const RankTuning& tuning);

} // namespace vksort
