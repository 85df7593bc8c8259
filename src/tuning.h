// SPDX-License-Identifier: MIT
//
// Sizes of the kernels, chosen by the properties of the device. Data: tuning.cpp has the rows and where they come from.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan.h"
#include "vksort/vksort.h"

namespace vksort {

inline constexpr uint32_t kVendorNvidia = 0x10DE;
inline constexpr uint32_t kVendorAmd = 0x1002;
inline constexpr uint32_t kVendorIntel = 0x8086;

bool is_cpu(const VksortDeviceInfo& device); // whether its driver runs kernels on the CPU

// The subgroup size that pipelines can be made with, 32 where there is a choice; 0 if it cannot be known.
uint32_t known_subgroup_size(const VksortDeviceInfo& device);

// Whether AUTO takes algorithms that rank by ballots. These answer for as many keys as a subgroup has lanes, and pay from 16 on; CPU drivers run
// the lanes one after another.
bool prefers_ballots(const VksortDeviceInfo& device);

// How many tiles of `size` elements hold `count` of them; sizes that are not known yet, 0, count as 1.
constexpr uint64_t divide_up(uint64_t count, uint64_t size) {
    size = std::max<uint64_t>(size, 1);
    return (count + size - 1) / size;
}

// A kernel that ranks tiles: the partition kernels and one_workgroup.
struct RankTuning {
    bool ballot = false;        // rank by ballots, not by counters; needs subgroupSize
    bool atomics = false;      // with match: by what shared atomics return, and by ballots only where that was not stable
    uint32_t subgroupSize = 1; // 1 where subgroups are not used
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t stageRounds = 1; // a tile goes through shared memory in so many parts
    uint32_t tile_size() const { return workgroupSize * keysPerThread; }
};

// A kernel that does not care for subgroups.
struct PlainTuning {
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0;
    uint32_t maxGroups = 0;
};

// Digit passes of onesweep over `count` keys at most. keysOnly: no values, and all bits of the keys are sorted by, so that equal keys
// cannot be told apart.
RankTuning onesweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly,
                           uint64_t count, const PlanOverrides& overrides);
// The same, where one dispatch does for all of them.
RankTuning sweeps_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, bool keysOnly, uint64_t count,
                         const PlanOverrides& overrides);
// Its lowest digit position of keys without values, whose tiles are those of the other passes: in how many parts they go through shared memory.
uint32_t scatter_rounds(const VksortDeviceInfo& device, uint32_t keyWords, const RankTuning& tuning);
// Digit passes of reduce_scan.
RankTuning downsweep_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                            const PlanOverrides& overrides);
// The stable partition of msd and msd.
RankTuning class_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                  const PlanOverrides& overrides);
// Bits of an element's number, of `count` at most in the tile, where workgroup/indexed_bins.glsl can sort it: keys of one word with values; 0 elsewhere.
uint32_t tag_bits(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords, uint64_t count);
// Shared memory that a kernel of one_workgroup takes; values that have some of their own come on top.
uint32_t one_workgroup_shared_bytes(const RankTuning& tuning, uint32_t keyWords, uint32_t valueWords);
// The smallest tile of `wanted` elements at least, or else the largest. workgroupSize 0 if no variant fits the device.
RankTuning one_workgroup_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t wanted,
                                const PlanOverrides& overrides);
// sample_sort: the kernel that sorts tiles of tileSize elements, or so many samples, and the one that sorts buckets. A bucket of uniformly distributed keys is
// to have bucketMean elements, one between samples bucketSize, and a workgroup sorts as many at once as its tile. `most` elements are possible, 0 if no
// variant fits the device. Of few elements, if its workgroupSize is not 0, the kernel that finds places by ranks instead of buckets, without samples
// of all elements: keysPerThread are the invocations that share an element there, rankSamples the tiles' samples that there is room for, rankSearches
// the searches that each of them has under way at once.
struct SampleTuning {
    RankTuning tile;
    RankTuning bucket;
    uint32_t tileSize = 0;
    uint32_t samples = 0;
    uint32_t bucketSize = 0;
    uint32_t bucketMean = 0;
    uint32_t mostBuckets = 0;  // that there may be
    uint32_t bucketGroups = 0; // workgroups that sort buckets, or more
    uint64_t most = 0;
    PlainTuning ranks;
    uint32_t rankSamples = 0;
    uint32_t rankSearches = 0;
};
SampleTuning sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, uint64_t count,
                           const PlanOverrides& overrides);
// bucket_sort: the kernel that scatters keys to buckets, and the one that sorts a bucket, which has room for a tile of it. Evenly spread
// keys have `mean` of them in a bucket, or `sparseMean` where the ends of their range are not known. Where these are many, they are scattered to
// coarse buckets of 2^coarseBucketBits buckets first. Workgroup sizes are 0 if no variant fits the device.
struct BucketTuning {
    RankTuning partition;
    RankTuning finish;
    uint32_t mean = 0;
    uint32_t sparseMean = 0;
    uint64_t buckets = 0; // that there may be
    uint32_t coarseBucketBits = 0;
    uint32_t coarseBuckets = 0;
    uint32_t scatterCoarseBuckets = 0; // that the kernel is for which scatters keys to them
};
// What it scatters and sorts.
struct BucketRecord {
    uint32_t words = 1;       // of a key, or of one above its place
    uint32_t valueWords = 0;  // that move along
    bool wideIndices = false; // a key's place is a word of its own
    bool byDistribution = false; // buckets are even parts of keys that have been counted, and so less even
};
BucketTuning bucket_tuning(const VksortDeviceInfo& device, const BucketRecord& record, uint64_t count, const PlanOverrides& overrides);
// Its setup, which looks at as many keys as a tile of it has.
PlainTuning bucket_sample_tuning(const VksortDeviceInfo& device, uint32_t keyWords, bool byDistribution, uint64_t count);
// By distribution: whether there is the shared memory for it, the kernel that counts keys, and of how many cells.
bool can_scatter_by_distribution(const VksortDeviceInfo& device);
PlainTuning bucket_distribution_tuning(const VksortDeviceInfo& device);
uint32_t bucket_cells(const VksortDeviceInfo& device);
// What a pass of the merge family merges.
enum class MergeKind : uint8_t { two_inputs, two_lists, four_lists, work_queues };
// workgroupSize 0 if keys of this many words do not fit.
struct MergeTuning {
    MergeKind kind = MergeKind::two_lists;
    uint32_t workgroupSize = 0;
    uint32_t keysPerThread = 0; // at most 31
    uint32_t prefetchTiles = 0;    // merges: a workgroup asks for the keys of so much later a tile
    uint32_t places() const { return workgroupSize * keysPerThread; }
    uint32_t tile_size() const; // as many keys as have places
};
MergeTuning merge_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords, MergeKind kind, uint64_t count,
                         const PlanOverrides& overrides);
// Whether passes of merge sort by a comparator, over so many bytes of keys and values, merge four lists, not two.
bool merges_four_lists(const VksortDeviceInfo& device, uint64_t bytes, const PlanOverrides& overrides);
// Whether a partition finds where the tiles of a merge begin; otherwise each workgroup of the pass does.
bool merge_has_partition(const VksortDeviceInfo& device, uint64_t tiles, const PlanOverrides& overrides);
// Workgroups that drain the work queues of locality and segmented sort, and whether each may take an even share only.
uint32_t drain_groups(const VksortDeviceInfo& device);
bool drains_evenly(const VksortDeviceInfo& device);
// The partition of msd and msd where it need not be stable.
RankTuning key_partition_tuning(const VksortDeviceInfo& device, uint32_t keyWords, const PlanOverrides& overrides);
// The finish of msd and msd: a tile of `wanted` elements at least, if there is one. workgroupSize 0 if no variant
// fits the device.
RankTuning finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                         const PlanOverrides& overrides, uint32_t wanted = 0);
// For segments of this length on average.
RankTuning segment_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                                 const PlanOverrides& overrides, uint64_t meanLength);
// Whether the finish goes about heads of segments as if most windows, and words of their flags, have none.
bool has_few_heads(uint64_t meanLength, uint32_t valueWords);
// Whether few of the jobs that the finish finds too skewed for bins have heads of segments.
bool leaves_over_digits(uint64_t meanLength, const RankTuning& finish);
// A second finish for segments that its tile does not hold; workgroupSize 0 if there is none.
RankTuning large_finish_tuning(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                               const PlanOverrides& overrides, uint64_t meanLength, const RankTuning& finish);
// Whether most elements are in segments that levels divide.
bool are_very_long(uint64_t meanLength);
// Their scan of the tiles' counts, of which there is one workgroup a range: 256 invocations, a multiple, or a part of them.
enum class ScannedRanges : uint8_t { of_one, of_segments, long_segments }; // of one long segment; of many, of any length; whole long ones
RankTuning class_scan_tuning(const VksortDeviceInfo& device, const RankTuning& finish, ScannedRanges ranges);
PlainTuning histogram_tuning(const VksortDeviceInfo& device, uint64_t count);
PlainTuning copy_tuning(const VksortDeviceInfo& device);
// Bins of msd's setup, to which it hashes a sample's words. More tell more of their agreement from chance.
uint32_t msd_word_bins(const VksortDeviceInfo& device);
// Workgroups that share the tiles in reduce_scan.
uint32_t spine_groups(const VksortDeviceInfo& device);
// Workgroup size of the spine, of which there is one workgroup a digit.
uint32_t spine_workgroup_size(const VksortDeviceInfo& device);
// Failed reads of a predecessor's status after which a workgroup counts that tile itself.
uint32_t spin_limit(const VksortDeviceInfo& device);
// Workgroups that sweep all digit positions in one dispatch, at most.
uint32_t sweep_groups(const VksortDeviceInfo& device);
// Workgroup size of the kernels that run as one or a few workgroups.
uint32_t single_workgroup_size(const VksortDeviceInfo& device);

// Workgroups that count digits.
uint32_t count_groups(bool segmented);

// Shared memory of one workgroup, in bytes, for a kernel that includes workgroup/rank.glsl and workgroup/partition.glsl.
uint32_t rank_shared_bytes(const RankTuning& tuning);

} // namespace vksort
