// SPDX-License-Identifier: MIT
//
// Bucket sort: uniform keys are scattered to buckets that were not counted, and each bucket is sorted by a workgroup; see
// shaders/bucket_setup.comp, bucket_partition.comp, bucket_indices.comp and bucket_finish.comp. All other keys are left to
// the passes behind: onesweep's or, where there are so many keys without values that its dispatches take no time to speak
// of, msd's.
#include "bucket_sort.h"

#include <algorithm>
#include <cstddef>

#include "shader_ids.h"

namespace vksort {

namespace {

// From this number of key words on, the fallback is msd instead of onesweep. Uniform keys then have more passes to skip,
// which takes 57 to 67 µs; Morton codes, Zipf keys and few values gain far more. Log: tuning-ops-4.
constexpr uint64_t kManyWords = uint64_t{1} << 26;
// The same limit for counts on the GPU. Such a plan also sorts small counts, to which passes of msd would add 36 µs.
// From this limit on, all coarse buckets together have too many slots for one binding. Log: counts-14.
constexpr uint64_t kManyWordsOnGpu = uint64_t{1} << 29;

// From this count on, the setup sizes all passes, so that passes without work take less time: sorts of 2^25 keys of few
// values save 30 µs. Uniform keys wait for the sizes, for which sorts of 2^24 keys have no time to spare. Log: tuning-ops-5.
constexpr uint64_t kLeastForArgs = 20'000'000;

// Whether values are scattered with their keys; see shaders/device/buckets.glsl.
bool carries_values(const RadixShape& shape) { return shape.valueWords == 1 && !shape.argsort; }

// Whether source indices are scattered as words of their own.
bool has_wide_indices(const RadixShape& shape) { return shape.valueWords > 0 && shape.keyWords == 2; }

uint32_t record_words(const RadixShape& shape) { return shape.valueWords > 0 ? 2 : shape.keyWords; }

bool goes_by_distribution(const VksortDeviceInfo& device, const RadixShape& shape) {
    return shape.floating && can_scatter_by_distribution(device);
}

BucketTuning tuning_of(const VksortDeviceInfo& device, const RadixShape& shape, uint64_t count,
                       const PlanOverrides& overrides) {
    const BucketRecord record = {record_words(shape), carries_values(shape) ? 1u : 0u, has_wide_indices(shape),
                                 goes_by_distribution(device, shape)};
    return bucket_tuning(device, record, count, overrides);
}

// Elements that the buckets, or the coarse buckets of a first level, have space for.
uint64_t slot2_indices(const BucketTuning& tuning) {
    return (uint64_t{tuning.coarseBuckets} << tuning.coarseBucketBits) * tuning.finish.tile_size();
}

// With two levels: elements that the buckets of this number of coarse buckets have space for.
uint64_t slot3_indices(const BucketTuning& tuning, uint32_t coarseBucketsEach) {
    return tuning.coarseBucketBits == 0 ? 0
                                        : std::min(tuning.buckets, uint64_t{coarseBucketsEach} << tuning.coarseBucketBits) *
                                              tuning.finish.tile_size();
}

// Bytes of the source indices that are words of their own, of all slots.
uint64_t index_bytes(const RadixShape& shape, const BucketTuning& tuning) {
    return has_wide_indices(shape) ? (slot2_indices(tuning) + slot3_indices(tuning, tuning.coarseBuckets)) * 4 : 0;
}

// The coarse buckets of each chunk if they are divided into `chunks` chunks.
uint32_t coarse_buckets_of_chunk(const BucketTuning& tuning, uint32_t chunks) {
    return std::max((tuning.coarseBuckets + chunks - 1) / chunks, 1u);
}

// The number of coarse buckets whose buckets fit in memory at a time. A sixteenth of the largest binding is left for the
// state. With values all of them must fit, since values are not brought back from their coarse buckets.
uint32_t coarse_buckets_each(const VksortDeviceInfo& device, const RadixShape& shape, const BucketTuning& tuning) {
    if (shape.valueWords > 0) {
        return coarse_buckets_of_chunk(tuning, 1);
    }
    const uint32_t keyBytes = shape.key_bytes();
    const uint64_t most = largest_bound_buffer(device) / 16 * 15;
    uint32_t chunks = 1;
    while (chunks < 4 &&
           (slot2_indices(tuning) + slot3_indices(tuning, coarse_buckets_of_chunk(tuning, chunks))) * keyBytes > most) {
        ++chunks;
    }
    return coarse_buckets_of_chunk(tuning, chunks);
}

bool leaves_to_msd(const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    if (overrides.manyElements != 0) {
        return desc.maxCount >= overrides.manyElements;
    }
    const RadixShape shape(desc);
    const bool isOnGpu = (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0;
    return shape.keysOnly && desc.maxCount >= (isOnGpu ? kManyWordsOnGpu : kManyWords) / shape.keyWords;
}

bool sizes_by_args(const PlanBuilder& builder, bool beforeMsd) {
    return beforeMsd || builder.plan.place.is_shared() || builder.overrides.bucketArgs ||
           builder.plan.desc.maxCount >= kLeastForArgs;
}

} // namespace

Buckets::Buckets(const PlanBuilder& builder, Onesweep& onesweep, bool msdFollows)
    : shape(onesweep.shape), byDistribution(goes_by_distribution(builder.device, shape)),
      recordBytes(record_words(shape) * 4),
      tuning(tuning_of(builder.device, shape, builder.plan.desc.maxCount, builder.overrides)), beforeMsd(msdFollows),
      sizedByArgs(sizes_by_args(builder, msdFollows)), bucketSize(std::max(tuning.finish.tile_size(), 1u)) {
    RadixPush& push = onesweep.push;
    push.flags |= (beforeMsd ? kFlagBeforeMsd : 0) | (sizedByArgs ? kFlagBucketArgs : 0);
    push.bucketSize = bucketSize;
    push.bucketMean = tuning.mean;
    push.coarseBucketBits = tuning.coarseBucketBits;
    push.firstTile = std::max(tuning.partition.tile_size(), 1u);
    push.coarseBucketsOffset = static_cast<uint32_t>((onesweep.stateBytes - sizeof(Control)) / 4);
    onesweep.stateBytes += (kMostCoarseBuckets + (two_levels() ? 2 * tuning.buckets : 0)) * 4 + index_bytes(shape, tuning);
    if (byDistribution) {
        push.distributionOffset = static_cast<uint32_t>((onesweep.stateBytes - sizeof(Control)) / 4);
        onesweep.stateBytes += (kRangeBins + histogram_cells(builder.device) + 1) * 4;
    }
    coarseBucketsEach = std::max(tuning.coarseBuckets, 1u);
    if (two_levels() && beforeMsd) {
        const uint32_t chunks = shape.valueWords > 0 ? 0 : builder.overrides.coarseBucketChunks;
        coarseBucketsEach =
            chunks != 0 ? coarse_buckets_of_chunk(tuning, chunks) : coarse_buckets_each(builder.device, shape, tuning);
    }
}

void Buckets::bind_slots(PlanBuilder& builder, uint64_t leastBytes) const {
    builder.bind_scratch(kBindingKeys2, 0, std::max(slot2_indices(tuning) * recordBytes, leastBytes));
    if (two_levels()) {
        builder.bind_scratch(kBindingBuckets, 0, slot3_indices(tuning, coarseBucketsEach) * recordBytes);
    }
    if (carries_values(shape)) {
        builder.bind_scratch(kBindingValues2, 0,
                             std::max(slot2_indices(tuning), builder.plan.desc.maxCount) * shape.value_bytes());
        if (two_levels()) {
            builder.bind_scratch(kBindingBucketValues, 0, slot3_indices(tuning, coarseBucketsEach) * shape.value_bytes());
        }
    } else if (shape.valueWords > 0) {
        builder.bind_scratch(kBindingValues2, shape.value_bytes());
    }
}

Pass& Buckets::add_kernel(PlanBuilder& builder, const char* name, bool isFinish) const {
    const ModuleId ofKeys = isFinish ? by_key(shape, kModule_bucket_finish_k1, kModule_bucket_finish_k2)
                                     : by_key(shape, kModule_bucket_partition_k1, kModule_bucket_partition_k2);
    const ModuleId withIndices =
        isFinish ? by_key(shape, kModule_bucket_finish_k1_indices, kModule_bucket_finish_k2_indices)
                 : by_key(shape, kModule_bucket_partition_k1_indices, kModule_bucket_partition_k2_indices);
    Pass& pass = builder.add_pass(name, shape.valueWords > 0 ? withIndices : ofKeys);
    specialize(pass, isFinish ? tuning.finish : tuning.partition, shape.valueWords);
    pass.bytesReadPerElement = recordBytes + (has_wide_indices(shape) ? 4 : 0);
    pass.bytesWrittenPerElement = pass.bytesReadPerElement;
    return pass;
}

void Buckets::size(PlanBuilder& builder, Pass& pass, uint64_t args, uint64_t groups, uint32_t elements) const {
    pass.dispatch = groups != 0 ? Dispatch::fixed : Dispatch::per_elements;
    pass.groupsLimit = static_cast<uint32_t>(groups);
    pass.divisor = elements;
    if (sizedByArgs) {
        builder.size_by_args(pass, args);
    }
}

void Buckets::add_passes(PlanBuilder& builder, const RadixPush& push) const {
    Pass& setup = builder.add_pass("setup", by_key(shape, kModule_bucket_setup_k1, kModule_bucket_setup_k2));
    specialize(setup, bucket_sample_tuning(builder.device, shape.keyWords, byDistribution, builder.plan.desc.maxCount));
    setup.specialization[kSpecHistogramCells] = histogram_cells(builder.device);
    setup.writesArgs = true;
    setup.dispatch = Dispatch::fixed;
    setup.groupsLimit = 1 + kSetupStages; // all but one prefetch its code
    if (byDistribution) {
        add_distribution(builder, push);
    }

    const uint32_t ownValueBytes = shape.argsort ? 0 : shape.value_bytes(); // that are read
    const bool readsValues = carries_values(shape) || builder.plan.desc.result != VKSORT_RESULT_SEPARATE;
    Pass& first = add_kernel(builder, two_levels() ? "coarse buckets" : "buckets", false);
    first.specialization[kSpecBuckets] = tuning.scatterCoarseBuckets;
    first.bytesReadPerElement = push.keyStride + (readsValues ? ownValueBytes : 0);
    first.bytesWrittenPerElement += readsValues ? ownValueBytes : 0;
    size(builder, first, offsetof(IndirectArgs, firstBuckets), 0, push.firstTile);
    const uint32_t chunks = std::max((tuning.coarseBuckets + coarseBucketsEach - 1) / coarseBucketsEach, 1u);
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
        const uint32_t firstOfChunk = builder.plan.info.passCount;
        if (two_levels()) {
            add_second_level(builder, push);
        }
        Pass& finish = add_kernel(builder, "finish buckets", true);
        finish.specialization[kSpecSourceSlot] = two_levels() ? 3 : 2;
        finish.bytesReadPerElement += ownValueBytes;
        finish.bytesWrittenPerElement = (shape.discardKeys ? 0 : shape.key_bytes()) + shape.value_bytes();
        finish.writesArgs = beforeMsd || (push.flags & kFlagOneDispatch) == 0;
        size(builder, finish, offsetof(IndirectArgs, bucketFinish), 0, tuning.sparseMean);
        finish.extraGroups = sizedByArgs ? 0 : 1;
        for (uint32_t i = firstOfChunk; i < builder.plan.info.passCount; ++i) {
            Pass& pass = builder.plan.passes[i];
            pass.digitPass = chunk;
            pass.bytesReadPerElement /= chunks;
            pass.bytesWrittenPerElement /= chunks;
        }
    }
    for (uint32_t i = 0; i < builder.plan.info.passCount; ++i) {
        // The same constant wherever there is one chunk, so that few kernels serve all counts.
        builder.plan.passes[i].specialization[kSpecCoarseBucketsEach] = chunks > 1 ? coarseBucketsEach : kMostCoarseBuckets;
        builder.plan.passes[i].specialization[kSpecFlags] = byDistribution ? kFlagByDistribution : 0;
    }
    if (chunks > 1 && builder.plan.desc.result != VKSORT_RESULT_SEPARATE) {
        Pass& restore = builder.add_pass("restore", kModule_bucket_restore);
        specialize(restore, copy_tuning(builder.device));
        restore.specialization[kSpecKeyWords] = shape.keyWords;
        size(builder, restore, offsetof(IndirectArgs, bucketRestore), 0, push.firstTile);
    }
}

// Counts the keys of each histogram cell.
void Buckets::add_distribution(PlanBuilder& builder, const RadixPush& push) const {
    Pass& pass =
        builder.add_pass("distribution", by_key(shape, kModule_bucket_distribution_k1, kModule_bucket_distribution_k2));
    const PlainTuning sizes = bucket_distribution_tuning(builder.device);
    specialize(pass, sizes);
    pass.specialization[kSpecHistogramCells] = histogram_cells(builder.device);
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = sizes.workgroupSize * sizes.keysPerThread;
    pass.groupsLimit = sizes.maxGroups;
    pass.bytesReadPerElement = push.keyStride;
}

void Buckets::add_second_level(PlanBuilder& builder, const RadixPush& push) const {
    const uint32_t bucketsOfCoarseBucket = 1u << tuning.coarseBucketBits;
    const uint64_t tilesOfCoarseBucket =
        (uint64_t{bucketSize} * bucketsOfCoarseBucket + push.firstTile - 1) / push.firstTile;
    Pass& second = add_kernel(builder, "buckets", false);
    if (carries_values(shape)) {
        second.bytesReadPerElement += shape.value_bytes();
        second.bytesWrittenPerElement += shape.value_bytes();
    }
    second.specialization[kSpecBuckets] = bucketsOfCoarseBucket;
    second.specialization[kSpecSourceSlot] = 2;
    size(builder, second, offsetof(IndirectArgs, buckets), coarseBucketsEach * tilesOfCoarseBucket, push.firstTile);
    Pass& indices = builder.add_pass("indices", kModule_bucket_indices);
    specialize(indices, PlainTuning{single_workgroup_size(builder.device), 1, 1});
    indices.specialization[kSpecBuckets] = bucketsOfCoarseBucket;
    size(builder, indices, offsetof(IndirectArgs, bucketIndices), coarseBucketsEach, tuning.mean << tuning.coarseBucketBits);
}

uint64_t bucket_sort_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const BucketTuning tuning = tuning_of(device, RadixShape(desc), 1, overrides);
    if (tuning.partition.workgroupSize == 0 || tuning.finish.workgroupSize == 0) {
        return 0;
    }
    constexpr uint64_t kMost = UINT32_MAX / uint64_t{5} * 4; // a slot is a word, and a fifth of the slots are slack
    return std::min({kMost, uint64_t{kMostCoarseBuckets} * kMostCoarseBuckets * tuning.mean,
                     onesweep_limit(device, desc, overrides), msd_limit(device, desc, overrides)});
}

uint64_t bucket_sort_bytes(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    const BucketTuning tuning = tuning_of(device, shape, desc.maxCount, overrides);
    const uint32_t each = leaves_to_msd(desc, overrides) ? coarse_buckets_each(device, shape, tuning) : tuning.coarseBuckets;
    const uint64_t elements = slot2_indices(tuning) + slot3_indices(tuning, each);
    const uint64_t values = (carries_values(shape) ? elements : desc.maxCount) * shape.value_bytes();
    return elements * record_words(shape) * 4 + values + index_bytes(shape, tuning);
}

uint32_t bucket_sort_levels(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    return tuning_of(device, RadixShape(desc), desc.maxCount, overrides).coarseBucketBits > 0 ? 2 : 1;
}

void plan_bucket_sort(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    if (leaves_to_msd(desc, builder.overrides)) {
        plan_buckets_before_msd(builder);
        return;
    }
    Onesweep onesweep(builder, Role::after_setup);
    const std::optional<Onesweep> late = late_onesweep(builder, Role::after_setup, onesweep);
    onesweep.push.flags |= late ? kFlagPassesBeside : 0;
    const Buckets buckets(builder, onesweep, false);
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    onesweep.push.firstSlot = separate ? kFirstAny : kFirst2;

    bind_state(builder, onesweep.stateBytes);
    const RadixShape& shape = buckets.shape;
    builder.bind(kBindingKeys0, Source::keys, onesweep.push.keyStride);
    if (separate && shape.discardKeys) { // onesweep's passes need them
        builder.bind_scratch(kBindingKeys1, shape.key_bytes());
    } else {
        builder.bind(kBindingKeys1, separate ? Source::keys_out : Source::keys, shape.key_bytes());
    }
    buckets.bind_slots(builder, desc.maxCount * shape.key_bytes());
    if (shape.valueWords > 0) {
        if (!(separate && shape.argsort)) {
            builder.bind(kBindingValues0, Source::values, shape.value_bytes());
        }
        builder.bind(kBindingValues1, separate ? Source::values_out : Source::values, shape.value_bytes());
    }
    builder.set_push(onesweep.push);
    builder.plan.info.tileSize = buckets.bucketSize;

    buckets.add_passes(builder, onesweep.push);
    const uint32_t first = builder.plan.info.passCount;
    onesweep.add_passes(builder, Role::after_setup);
    if (late) {
        const uint32_t behind = builder.plan.passes[first - 1].step + 1;
        builder.move_to_step(first, 1); // the setup's is 0
        late->add_passes(builder, Role::after_setup);
        builder.move_to_step(builder.plan.info.passCount - 1, behind);
    }
    builder.leave_out_of_model(first);
}

} // namespace vksort
