// SPDX-License-Identifier: MIT
//
// Segmented sort by size classes, and msd, which is the same for one segment. Segments that begin near each other and fit a
// tile together are sorted by one workgroup, at a cost that does not depend on their lengths (msd_finish.comp). Longer ones
// are first partitioned together, most significant digit first, until what has equal digits fits (msd_count.comp,
// msd_scan.comp, msd_partition.comp). The GPU finds out which are which and sizes every dispatch.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "../key_traits.h"
#include "bucket_sort.h"
#include "merge_common.h"
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr const char* kCountNames[kMaxClassLevels] = {"count 0", "count 1", "count 2", "count 3",
                                                      "count 4", "count 5", "count 6", "count 7"};
constexpr const char* kScanNames[kMaxClassLevels] = {"scan 0", "scan 1", "scan 2", "scan 3",
                                                     "scan 4", "scan 5", "scan 6", "scan 7"};
constexpr const char* kPartitionNames[kMaxClassLevels] = {"partition 0", "partition 1", "partition 2", "partition 3",
                                                          "partition 4", "partition 5", "partition 6", "partition 7"};

RankTuning partition_tuning_of(const VksortDeviceInfo& device, const MergeShape& shape, PlanOverrides overrides) {
    if (overrides.partitionWorkgroupSize != 0) {
        overrides.workgroupSize = overrides.partitionWorkgroupSize;
        overrides.keysPerThread = overrides.partitionKeysPerThread;
    }
    if (shape.valueWords == 0) {
        return key_partition_tuning(device, shape.keyWords, overrides);
    }
    return class_partition_tuning(device, shape.keyWords, shape.valueWords, overrides);
}

// Which share of a tile the digits of uniformly distributed keys fill that the scan of a level joins (msd_scan.comp).
double filled_by_digits(double mean, uint32_t tileSize) {
    const double root = std::sqrt(tileSize + 2.25) - 1.5;
    return std::max(std::floor(root * root / mean), 1.0) * mean / tileSize;
}

// The finish's tile for one segment of `count` elements. Digits of uniformly distributed keys have about as many each: the
// tile is to hold them, and most of what chance adds, after as few levels as any tile allows. A tile that is a quarter
// larger is taken where digits fill it and not the first one.
RankTuning one_segment_finish(const VksortDeviceInfo& device, uint32_t keyWords, uint32_t valueWords,
                              const PlanOverrides& overrides, uint64_t count) {
    const auto tuning = [&](uint32_t wanted) { return finish_tuning(device, keyWords, valueWords, overrides, wanted); };
    for (double mean = static_cast<double>(count); mean > 1; mean /= kRadix) {
        const bool whole = mean == static_cast<double>(count);
        const double wanted = whole ? mean : mean + 5 * std::sqrt(mean);
        if (wanted > UINT16_MAX) {
            continue;
        }
        const RankTuning first = tuning(static_cast<uint32_t>(wanted));
        if (first.tile_size() < wanted) {
            continue;
        }
        constexpr double kFilled = 0.85;
        const RankTuning next = tuning(first.tile_size() + 1);
        const bool prefersNext =
            !whole && next.tile_size() > first.tile_size() && next.tile_size() * 4 <= first.tile_size() * 5 &&
            filled_by_digits(mean, first.tile_size()) < kFilled && filled_by_digits(mean, next.tile_size()) >= kFilled;
        return prefersNext ? next : first;
    }
    return tuning(0);
}

// Where segments are told by heads alone, the mean is not known.
uint64_t mean_segment(const VksortPlanDesc& desc, uint64_t elements) {
    constexpr uint64_t kUnknown = 1000;
    return desc.maxSegments == 0 ? kUnknown : elements / desc.maxSegments;
}

uint32_t bits_for(uint64_t values) {
    uint32_t bits = 0;
    while (uint64_t{1} << bits < values) {
        ++bits;
    }
    return bits;
}

// Whether the finish sorts pairs as packed keys and indices of a key's size: the bits of the key that the levels have not
// sorted by, and its source index in the job. It does if such words suffice for uniformly distributed keys.
bool indexes_keys(const VksortDeviceInfo& device, const MergeShape& shape, const PlanOverrides& overrides, uint64_t count) {
    if (shape.segmented || shape.keySize < 4 || shape.valueWords == 0) {
        return false;
    }
    if (overrides.indexed) {
        return true;
    }
    const RankTuning tile = one_segment_finish(device, shape.keyWords, 0, overrides, count);
    uint32_t bits = 8 * shape.keySize;
    uint64_t mean = count;
    for (; mean > tile.tile_size() && bits > 0; mean /= kRadix) {
        bits -= kRadixBits;
    }
    const uint64_t digits = mean == count ? 1 : tile.tile_size() / std::max<uint64_t>(mean, 1) + 1; // in a job
    return bits + bits_for(digits) + bits_for(tile.tile_size()) <= 8 * shape.keySize;
}

// Levels that uniformly distributed keys take until a tile holds what they leave together.
uint32_t uniform_levels(uint64_t count, uint32_t tileSize) {
    uint32_t levels = 0;
    for (; count > tileSize; count /= kRadix) {
        ++levels;
    }
    return levels;
}

class MsdPlanner : MergeFamilyPlanner {
public:
    MsdPlanner(PlanBuilder& builder, bool afterBuckets);
    void plan();

private:
    void fill_push();
    void bind_state();
    void bind_data();
    // What slot 1 is to have is made from the caller's input, or is to be brought there.
    bool needs_copy() const { return shape_.argsort || desc_.keyStride != 0 || shape_.packed; }
    bool reads_input() const { return shape_.separate && !needs_copy(); }
    Pass& add_tile_pass(const char* name, ModuleId oneWord, ModuleId twoWords, const RankTuning& tuning);
    Pass& add_key_pass(const char* name, ModuleId module, const PlainTuning& tuning);
    uint32_t span_words() const;
    void add_job_passes();
    // msd with values: its ranges may have more tiles than one workgroup should scan.
    bool has_chunks() const { return !shape_.segmented && shape_.valueWords > 0 && levels_ > 0; }
    bool plans_fallback() const;
    uint32_t plan_levels() const;
    bool plans_coarse_buckets() const;
    uint64_t slot2_bytes() const;
    void add_setup();
    void add_coarse_buckets_pass();
    void add_level(uint32_t level);
    Pass& add_finish(const char* name, const RankTuning& tuning, uint64_t args);
    Pass& add_skewed_pass(const char* name, const RankTuning& tuning, uint64_t args, bool byDigits);
    void add_fallback();
    void push_second_block(uint32_t first);

    bool indexed_;
    uint64_t meanSegment_;
    RankTuning finish_;
    RankTuning large_; // a second finish, for longer segments; workgroupSize 0: there is none
    RankTuning partition_;
    RankTuning scan_;
    bool fallback_;
    uint32_t levels_; // none where every segment fits a tile
    bool coarse_buckets_;
    // The fallback; where there are buckets, their push constants and state are added to its own.
    std::optional<Onesweep> onesweep_;
    std::optional<Onesweep> late_;   // behind the levels, if onesweep_ stands beside them
    std::optional<Buckets> buckets_; // sorted first, if the keys are for them
};

MsdPlanner::MsdPlanner(PlanBuilder& builder, bool afterBuckets)
    : MergeFamilyPlanner(builder), indexed_(indexes_keys(builder.device, shape_, builder.overrides, total_)),
      meanSegment_(mean_segment(desc_, total_)),
      finish_(shape_.segmented ? segment_finish_tuning(builder.device, shape_.keyWords, shape_.valueWords, builder.overrides,
                                                       meanSegment_)
                               : one_segment_finish(builder.device, shape_.keyWords, indexed_ ? 0 : shape_.valueWords,
                                                    builder.overrides, total_)),
      large_(shape_.segmented && total_ > finish_.tile_size()
                 ? large_finish_tuning(builder.device, shape_.keyWords, shape_.valueWords, builder.overrides, meanSegment_,
                                       finish_)
                 : RankTuning{}),
      partition_(partition_tuning_of(builder.device, shape_, builder.overrides)),
      scan_(
          class_scan_tuning(builder.device, finish_, shape_.segmented ? ScannedRanges::of_segments : ScannedRanges::of_one)),
      fallback_(plans_fallback()), levels_(plan_levels()), coarse_buckets_(plans_coarse_buckets()) {
    if (afterBuckets || fallback_) {
        onesweep_.emplace(builder, Role::fallback);
        if (!afterBuckets) {
            late_ = late_onesweep(builder, Role::fallback, *onesweep_);
        }
    }
    if (afterBuckets) {
        buckets_.emplace(builder, *onesweep_, true);
    }
}

// msd may leave skewed keys to onesweep.
bool MsdPlanner::plans_fallback() const {
    return !builder_.overrides.noFallback && !shape_.segmented && total_ > finish_.tile_size() && !shape_.packed &&
           can_onesweep(builder_.device) && total_ <= onesweep_limit(builder_.device, desc_, builder_.overrides);
}

// The number of levels: one a digit or, where onesweep may sort what levels have left together, slightly more than uniformly
// distributed keys take, as levels with nothing to do take time, too. Onesweep begins anew, so it cannot follow levels that
// have moved the
// keys whose source indices argsort is to tell.
uint32_t MsdPlanner::plan_levels() const {
    if (total_ <= std::max(finish_.tile_size(), large_.tile_size())) {
        return 0;
    }
    const uint32_t spare = has_floats(desc_) ? 2 : 1; // whose first digit, and half of the second, is the exponent
    const uint32_t most =
        builder_.overrides.levels != 0 ? builder_.overrides.levels : uniform_levels(total_, finish_.tile_size()) + spare;
    const bool leaves = fallback_ && (shape_.separate || !shape_.argsort);
    return leaves ? std::min(most, shape_.keySize) : shape_.keySize;
}

// The elements that the padded buckets of the first digits take besides the input and a kCoarseSlackDivisor-th of it.
constexpr uint64_t kCoarseSlackElements = uint64_t{kRadix} * kCoarseSlack;

// msd may partition uniform keys by their first digit without a count, into a slot 2 of its own that has a slack,
// if a second level follows in any case. Where scratch as a whole would no longer fit a binding, keys are sorted with
// less of it.
bool MsdPlanner::plans_coarse_buckets() const {
    const uint64_t bytes = shape_.slot_key_bytes() * (total_ + total_ / kCoarseSlackDivisor + kCoarseSlackElements);
    return !shape_.segmented && shape_.keySize >= 4 && levels_ >= 2 && total_ / kRadix > finish_.tile_size() &&
           shape_.valueWords == 0 && desc_.result != VKSORT_RESULT_PING_PONG &&
           bytes <= largest_bound_buffer(builder_.device) / 4 * 3;
}

// Of keys.
uint64_t MsdPlanner::slot2_bytes() const {
    return shape_.slot_key_bytes() * (total_ + (coarse_buckets_ ? total_ / kCoarseSlackDivisor + kCoarseSlackElements : 0));
}

void MsdPlanner::fill_push() {
    fill_common_push();
    push_.flags |= kFlagMsd | (shape_.separate ? kFlagSeparate : 0) | (shape_.segmented ? 0 : kFlagOneSegment) |
                   (shape_.valueWords == 0 ? kFlagCursors : 0) | (indexed_ ? kFlagIndexed : 0) |
                   (fallback_ ? kFlagFallback : 0) | (coarse_buckets_ ? kFlagCoarseBuckets : 0) |
                   (reads_input() ? kFlagReadsInput : 0) | (late_ ? kFlagLate : 0) |
                   (shape_.segmented && has_few_heads(meanSegment_, shape_.valueWords) ? kFlagFewHeads : 0);
    // What the result is, and how input that needs a copy is stored, are nothing to the kernels of levels and jobs.
    constexpr uint32_t kOfOthers = kFlagArgsort | kFlagDiscardKeys | kFlagPacked | kFlagStrided;
    knownFlags_ = (knownFlags_ | (push_.flags & ~kFlagsOfPush)) & ~kOfOthers;
    if (builder_.overrides.fewPipelines) {
        knownFlags_ &= kFlagFewHeads | kFlagIndexed; // which are constants wherever they are asked for
    }
    push_.tileSize = std::max(finish_.tile_size(), 1u);
    push_.partitionTile = std::max(partition_.tile_size(), 1u);
    push_.levels = levels_;
    push_.countGroups = count_groups(shape_.segmented);
    push_.fallbackGroups = late_ ? late_->firstGroups : onesweep_ ? onesweep_->firstGroups : 0;
    const uint64_t spans = shape_.segmented ? std::max<uint64_t>(divide_up(total_, 32 * span_words()), 1) : 1;
    const uint64_t ranges = levels_ > 0 ? total_ / push_.tileSize : 0; // with coarse buckets one a first digit at least
    push_.maxBlocks = static_cast<uint32_t>(divide_up(spans, kClassBlock));
    push_.maxRanges = static_cast<uint32_t>(ranges);
    push_.maxTiles = static_cast<uint32_t>(levels_ > 0 ? total_ / push_.partitionTile + ranges : 0);
    // Two jobs for each span of head flags. A level makes at most two of each digit run, and copy jobs of longer ones.
    push_.maxJobs =
        static_cast<uint32_t>(2 * spans + uint64_t{levels_} * (3 * divide_up(total_, push_.tileSize / 2) + 3 * ranges));
}

void MsdPlanner::bind_state() {
    if (shape_.segmented) {
        reserve_heads();
    }
    // The levels and onesweep, or the buckets, are never executed at the same time, and share memory. The words that must be
    // 0 before onesweep's one dispatch, which may follow the levels, have memory of their own.
    const uint64_t control = builder_.scratch.aligned(sizeof(MergeControl));
    if (onesweep_ && (onesweep_->oneDispatch || late_)) {
        reserve((control - sizeof(MergeControl) + onesweep_->afterSetupBytes) / 4);
    }
    // In the order of shaders/device/msd.glsl.
    push_.msdOffset = reserve(push_.maxBlocks);
    reserve(uint64_t{4} * push_.maxJobs);
    reserve(uint64_t{2} * kRangeWords * push_.maxRanges);
    reserve(uint64_t{2} * push_.maxTiles);
    reserve(uint64_t{kRadix} * (shape_.valueWords == 0 ? 2 * push_.maxRanges : push_.maxTiles));
    if (coarse_buckets_) {
        reserve(kRadix);
    }
    if (has_chunks()) {
        reserve(uint64_t{2} * kRadix *
                (std::min(push_.maxTiles / kChunkTiles, kMostChunks) + std::min(push_.maxRanges, kRadix)));
    }
    if (!onesweep_) {
        bind_reserved();
        return;
    }
    const uint64_t state = sizeof(MergeControl) + stateWords_ * 4;
    if (state < control + onesweep_->stateBytes) {
        reserve((control + onesweep_->stateBytes - state + 3) / 4);
    }
    bind_reserved();
    Binding& binding = builder_.bind(kBindingRadixState, Source::scratch, 0, onesweep_->stateBytes);
    binding.offset = builder_.plan.bindings[kBindingState].offset + control;
}

void MsdPlanner::bind_data() {
    bind_first_slots();
    const uint64_t keyBytes = shape_.slot_key_bytes();
    if (buckets_) {
        buckets_->bind_slots(builder_, slot2_bytes());
    } else if (levels_ > 0) {
        if (desc_.result == VKSORT_RESULT_PING_PONG && !shape_.packed) {
            builder_.bind(kBindingKeys2, Source::keys_alternate, keyBytes);
        } else {
            builder_.bind_scratch(kBindingKeys2, keyBytes, coarse_buckets_ ? keyBytes * kCoarseSlackElements : 0,
                                  coarse_buckets_ ? kCoarseSlackDivisor : 0);
        }
        bind_value_slot2();
    }
    if (shape_.segmented) {
        bind_segments();
    }
    bind_packed();
}

Pass& MsdPlanner::add_tile_pass(const char* name, ModuleId oneWord, ModuleId twoWords, const RankTuning& tuning) {
    Pass& pass = builder_.add_pass(name, shape_.keyWords == 2 ? twoWords : oneWord);
    specialize(pass, tuning, shape_.valueWords);
    pass.specialization[kSpecFlags] = knownFlags_;
    pass.bytesReadPerElement = static_cast<uint32_t>(shape_.slot_key_bytes() + shape_.value_bytes());
    pass.bytesWrittenPerElement = pass.bytesReadPerElement;
    return pass;
}

Pass& MsdPlanner::add_key_pass(const char* name, ModuleId module, const PlainTuning& tuning) {
    Pass& pass = builder_.add_pass(name, module);
    specialize(pass, tuning);
    pass.specialization[kSpecValueWords] = shape_.valueWords;
    return pass;
}

void MsdPlanner::add_coarse_buckets_pass() {
    Pass& scatter =
        add_tile_pass("coarse buckets", kModule_msd_partition_keys_k1, kModule_msd_partition_keys_k2, partition_);
    scatter.specialization[kSpecFlags] |= kFlagUncounted;
    builder_.size_by_args(scatter, offsetof(IndirectArgs, coarseBuckets));
    scatter.divisor = push_.partitionTile;
}

void MsdPlanner::add_level(uint32_t level) {
    const auto of_level = [level](uint64_t levels) { return levels + level * sizeof(DispatchArgs); };
    const bool cursors = (push_.flags & kFlagCursors) != 0;
    RankTuning counting = partition_;
    counting.stageRounds = 1;
    counting.keysPerThread = cursors ? std::min(partition_.keysPerThread, 16u) : partition_.keysPerThread;
    Pass& count = add_tile_pass(kCountNames[level], kModule_msd_count_k1, kModule_msd_count_k2, counting);
    count.specialization[kSpecValueWords] = 0;
    count.digitPass = level;
    builder_.size_by_args(count,
                          of_level(cursors ? offsetof(IndirectArgs, rangeCounts) : offsetof(IndirectArgs, rangeTiles)));
    count.divisor = push_.partitionTile;
    count.groupsLimit = cursors ? push_.countGroups : 0;
    count.bytesReadPerElement = static_cast<uint32_t>(shape_.slot_key_bytes());
    count.bytesWrittenPerElement = 0;

    // Whole segments have many rows of counts each, their digits few.
    const bool hasLong = level == 0 && !cursors && shape_.segmented && are_very_long(meanSegment_);
    const RankTuning scanning = hasLong ? class_scan_tuning(builder_.device, finish_, ScannedRanges::long_segments) : scan_;
    Pass& scan = builder_.add_pass(kScanNames[level], kModule_msd_scan);
    specialize(scan, scanning, 0);
    scan.specialization[kSpecFlags] = knownFlags_ & (kFlagsKnown | kFlagOneSegment | kFlagCursors | kFlagReadsInput);
    scan.digitPass = level;
    scan.writesArgs = true;
    builder_.size_by_args(scan, of_level(offsetof(IndirectArgs, ranges)));
    scan.specialization[kSpecLargeTile] = large_.tile_size();
    scan.divisor = push_.tileSize;

    Pass& partition =
        cursors
            ? add_tile_pass(kPartitionNames[level], kModule_msd_partition_keys_k1, kModule_msd_partition_keys_k2, partition_)
            : add_tile_pass(kPartitionNames[level], kModule_msd_partition_k1, kModule_msd_partition_k2, partition_);
    partition.digitPass = level;
    partition.checked = cursors && partition_.ballot; // NVIDIA's driver was seen to make slower code of it without
    builder_.size_by_args(partition, of_level(offsetof(IndirectArgs, rangePartitions)));
    partition.divisor = push_.partitionTile;
}

void MsdPlanner::add_setup() {
    if (shape_.segmented) {
        add_setup_pass();
        return;
    }
    constexpr uint32_t kSamples = 1024; // of the keys
    // The setup of 2^24 pairs takes 33 % less time with 1024 invocations than with 256. Log: tuning-ops-7.
    const uint32_t workgroupSize = std::min(kSamples, builder_.device.maxWorkgroupInvocations);
    Pass& setup = builder_.add_pass("setup", shape_.keyWords == 2 ? kModule_msd_setup_k2 : kModule_msd_setup_k1);
    specialize(setup, PlainTuning{workgroupSize, kSamples / workgroupSize, 1});
    setup.specialization[kSpecWordBins] = msd_word_bins(builder_.device);
    setup.writesArgs = true;
    if (buckets_) {
        setup.name = "msd setup";
        builder_.size_by_args(setup, offsetof(IndirectArgs, msd));
        setup.groupsLimit = 1;
    }
}

// Slots 0 to 2 are the same for both.
void MsdPlanner::add_fallback() {
    const uint32_t first = builder_.plan.info.passCount;
    onesweep_->add_passes(builder_, Role::fallback);
    if (late_) {
        const uint32_t behind = builder_.plan.passes[first - 1].step + 1;
        builder_.move_to_step(first, 1); // the setup's is 0
        late_->add_passes(builder_, Role::fallback);
        Pass& late = builder_.plan.passes[builder_.plan.info.passCount - 1];
        builder_.size_by_args(late, offsetof(IndirectArgs, tiles));
        builder_.move_to_step(builder_.plan.info.passCount - 1, behind);
    }
    push_second_block(first);
    builder_.leave_out_of_model(first);
}

void MsdPlanner::push_second_block(uint32_t first) {
    for (uint32_t i = first; i < builder_.plan.info.passCount; ++i) {
        builder_.plan.passes[i].pushBlock = 1;
    }
}

// Words of an invocation's span of head flags. A span's elements are no more than a tile's, and a block of spans has many
// tiles' elements, so that few jobs are cut short by the end of a block.
uint32_t MsdPlanner::span_words() const {
    constexpr uint32_t kMostWords = 14; // 32 are possible
    return std::clamp(finish_.tile_size() / 4 / 32, 1u, kMostWords);
}

// The passes that find the segments that fit a tile, and those that have to be partitioned.
void MsdPlanner::add_job_passes() {
    for (const auto& [name, module] : {std::pair{"blocks", kModule_msd_blocks}, {"jobs", kModule_msd_jobs}}) {
        Pass& pass = builder_.add_pass(name, module);
        specialize(pass, PlainTuning{kClassBlock, span_words()});
        pass.dispatch = Dispatch::per_elements;
        pass.divisor = 32 * span_words() * kClassBlock;
    }
    Pass& jobs = builder_.plan.passes[builder_.plan.info.passCount - 1];
    jobs.writesArgs = true;
    jobs.specialization[kSpecLargeTile] = large_.tile_size();
}

void MsdPlanner::plan() {
    fill_push();
    bind_state();
    bind_data();
    builder_.set_push(push_);
    builder_.plan.info.tileSize = buckets_ ? buckets_->bucketSize : push_.tileSize;
    if (onesweep_) {
        onesweep_->push.firstSlot = shape_.separate ? kFirstAny : kFirst2;
        builder_.set_push(onesweep_->push, 1);
    }

    if (buckets_) {
        buckets_->add_passes(builder_, onesweep_->push);
        push_second_block(0);
    }
    const uint32_t first = builder_.plan.info.passCount;
    add_setup();
    if (needs_copy()) {
        Pass& copy = add_key_pass("copy", kModule_msd_copy, one_key_a_thread(kWordGroup));
        copy.specialization[kSpecKeyWords] = shape_.keyWords;
        builder_.size_by_args(copy, offsetof(IndirectArgs, pack));
        copy.divisor = push_.copyChunk;
        copy.bytesReadPerElement = push_.keyStride;
        copy.bytesWrittenPerElement = static_cast<uint32_t>(shape_.slot_key_bytes());
    }
    if (shape_.segmented) {
        add_segment_passes();
        add_job_passes();
    }
    if (coarse_buckets_) {
        add_coarse_buckets_pass();
    }
    for (uint32_t level = 0; level < levels_; ++level) {
        add_level(level);
    }
    add_finish("finish", finish_, offsetof(IndirectArgs, jobs));
    const uint32_t others = builder_.plan.info.passCount;
    if (large_.workgroupSize != 0) {
        add_finish("large finish", large_, offsetof(IndirectArgs, largeJobs)).specialization[kSpecLargeTile] =
            large_.tile_size();
    }
    const bool leavesDigits = !shape_.segmented || leaves_over_digits(meanSegment_, finish_);
    add_skewed_pass("skewed", finish_, offsetof(IndirectArgs, skewed), leavesDigits);
    if (large_.workgroupSize != 0) {
        const bool leavesLarge = leaves_over_digits(meanSegment_, large_);
        add_skewed_pass("large skewed", large_, offsetof(IndirectArgs, skewed) + sizeof(DispatchArgs), leavesLarge)
            .specialization[kSpecLargeTile] = large_.tile_size();
    }
    builder_.leave_out_of_model(others);
    add_pack_pass();
    if (fallback_) {
        add_fallback();
    }
    if (buckets_) {
        builder_.leave_out_of_model(first);
    }
}

Pass& MsdPlanner::add_finish(const char* name, const RankTuning& tuning, uint64_t args) {
    Pass& finish = add_tile_pass(name, kModule_msd_finish_k1, kModule_msd_finish_k2, tuning);
    finish.writesArgs = true;
    builder_.size_by_args(finish, args);
    finish.divisor = tuning.tile_size();
    return finish;
}

// Jobs that a finish has left over: by digits where that is faster, otherwise by merging, without subgroups.
Pass& MsdPlanner::add_skewed_pass(const char* name, const RankTuning& tuning, uint64_t args, bool byDigits) {
    Pass& skewed = byDigits ? add_tile_pass(name, kModule_msd_digits_k1, kModule_msd_digits_k2, tuning)
                            : add_tile_pass(name, kModule_msd_skewed_k1, kModule_msd_skewed_k2, tuning);
    skewed.specialization[kSpecFlags] = 0; // one pipeline for all kinds of sorts
    if (!byDigits) {
        skewed.requiredSubgroupSize = 0;
    }
    builder_.size_by_args(skewed, args);
    skewed.divisor = tuning.tile_size();
    return skewed;
}

} // namespace

bool msd_indexes_keys(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    return indexes_keys(device, MergeShape(desc), overrides, desc.maxCount);
}

uint64_t msd_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const MergeShape shape(desc);
    const uint64_t tile = finish_tuning(device, shape.keyWords, shape.valueWords, overrides).tile_size();
    const uint64_t partitionTile = partition_tuning_of(device, shape, overrides).tile_size();
    // A job may reach a tile beyond the last element, and its end has to fit a word, too. The finishes' tiles depend on the
    // segments' lengths, so the largest one is assumed.
    constexpr uint64_t kMostTile = 1 << 15;
    return tile == 0 || partitionTile == 0 ? 0 : UINT32_MAX - 2 * std::max({kMostTile, tile, partitionTile});
}

void plan_msd(PlanBuilder& builder) { MsdPlanner(builder, false).plan(); }

void plan_buckets_before_msd(PlanBuilder& builder) { MsdPlanner(builder, true).plan(); }

} // namespace vksort
