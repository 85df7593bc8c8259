// SPDX-License-Identifier: MIT
//
// Sample sort: sorted tiles, cut into buckets by samples; see shaders/sample_tiles.comp and sample_buckets.comp. Of few
// elements each is sent to its rank instead; see shaders/sample_rank_tiles.comp and sample_ranks.comp.
#include <algorithm>

#include "../key_traits.h"
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

Pass& add_kernel(PlanBuilder& builder, const RadixShape& shape, const char* name, ModuleId module, const RankTuning& tuning,
                 uint32_t elementsEach) {
    Pass& pass = builder.add_pass(name, module);
    specialize(pass, tuning, shape.valueWords);
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = elementsEach;
    return pass;
}

Pass& add_ranks(PlanBuilder& builder, const RadixShape& shape, const SampleTuning& tuning) {
    Pass& pass = builder.add_pass("ranks", by_key(shape, kModule_sample_ranks_k1, kModule_sample_ranks_k2));
    specialize(pass, tuning.ranks);
    pass.specialization[kSpecValueWords] = shape.valueWords;
    pass.specialization[kSpecSamples] = tuning.rankSamples;
    pass.specialization[kSpecSearches] = tuning.rankSearches;
    pass.specialization[kSpecTileKeys] = tuning.tileSize;
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = tuning.ranks.workgroupSize / tuning.ranks.keysPerThread;
    return pass;
}

// Slot 0 is the input, slot 1 where the result belongs, slot 2 holds the sorted tiles.
void bind_slots(PlanBuilder& builder, const RadixShape& shape, uint32_t keyStride, bool leavesSkewed) {
    const VksortResult result = builder.plan.desc.result;
    const bool separate = result == VKSORT_RESULT_SEPARATE;
    const bool pingPong = result == VKSORT_RESULT_PING_PONG;
    builder.bind(kBindingKeys0, Source::keys, keyStride);
    if (pingPong && !shape.packed) {
        builder.bind(kBindingKeys2, Source::keys_alternate, shape.key_bytes());
    } else {
        builder.bind_scratch(kBindingKeys2, shape.key_bytes());
    }
    if (!shape.discardKeys) {
        const Source target = separate ? Source::keys_out : Source::keys;
        if (shape.packed) {
            builder.bind_scratch(kBindingKeys1, shape.key_bytes());
        }
        builder.bind(shape.packed ? kBindingPacked : kBindingKeys1, target, shape.keySize);
    } else if (leavesSkewed && separate) { // onesweep's passes need them
        builder.bind_scratch(kBindingKeys1, shape.key_bytes());
    } else if (leavesSkewed) {
        builder.bind(kBindingKeys1, Source::keys, shape.key_bytes());
    }
    if (shape.valueWords > 0) {
        if (!shape.argsort || (leavesSkewed && !separate)) {
            builder.bind(kBindingValues0, Source::values, shape.value_bytes());
        }
        builder.bind(kBindingValues1, separate ? Source::values_out : Source::values, shape.value_bytes());
        if (pingPong) {
            builder.bind(kBindingValues2, Source::values_alternate, shape.value_bytes());
        } else {
            builder.bind_scratch(kBindingValues2, shape.value_bytes());
        }
    }
}

void add_pack_pass(PlanBuilder& builder, const RadixShape& shape, uint32_t chunk) {
    Pass& pack = builder.add_pass("pack", kModule_radix_copy);
    specialize(pack, copy_tuning(builder.device));
    pack.specialization[kSpecKeyWords] = 1;
    pack.dispatch = Dispatch::per_elements;
    pack.divisor = chunk;
    pack.bytesReadPerElement = shape.key_bytes();
    pack.bytesWrittenPerElement = shape.keySize;
}

// From this count on, onesweep in one dispatch sorts skewed 4-byte keys faster. Uniform keys take 2 µs longer where that
// dispatch is skipped, which matters little for so long a sort.
constexpr uint64_t kLeastLeft = 270'000;

// Whether skewed elements may be left to onesweep, behind.
bool may_leave_skewed(const PlanBuilder& builder, const RadixShape& shape) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const uint64_t least = builder.overrides.leftElements != 0 ? builder.overrides.leftElements : kLeastLeft;
    const bool fits = sorts_all_bits(desc) && !shape.packed && desc.result != VKSORT_RESULT_PING_PONG;
    return fits && can_onesweep(builder.device) && (shape.keyWords == 1 || builder.overrides.leftElements != 0) &&
           desc.maxCount >= least;
}

} // namespace

uint64_t sample_sort_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    return sample_tuning(device, shape.keyWords, shape.valueWords, UINT64_MAX / 2, overrides).most;
}

void plan_sample_sort(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const RadixShape shape(desc);
    SampleTuning tuning = sample_tuning(builder.device, shape.keyWords, shape.valueWords, desc.maxCount, builder.overrides);
    const uint32_t tile = std::max(tuning.tileSize, 1u);
    const uint64_t tiles = divide_up(desc.maxCount, tile);
    const bool ranked = tuning.ranks.workgroupSize != 0;

    Onesweep onesweep(builder, Role::after_setup);
    const bool leavesSkewed = !ranked && onesweep.oneDispatch && may_leave_skewed(builder, shape);
    if (leavesSkewed) { // all buckets that there are, are of uniform keys
        tuning.bucketSize = tuning.bucketMean;
        tuning.mostBuckets = static_cast<uint32_t>(divide_up(desc.maxCount, std::max(tuning.bucketMean, 1u)));
    }
    RadixPush push = leavesSkewed ? onesweep.push : radix_push(builder.device, desc, shape);
    const PlainTuning copy = copy_tuning(builder.device);
    push.copyChunk = copy.workgroupSize * copy.keysPerThread;
    push.firstSlot = desc.result == VKSORT_RESULT_SEPARATE ? kFirstAny : kFirst2;
    push.firstTile = tile;
    push.rowLength = ranked ? tile / kRankedGap : static_cast<uint32_t>(tiles);
    push.bucketSize = std::max(tuning.bucketSize, 1u);
    push.bucketMean = std::max(tuning.bucketMean, 1u);
    const uint64_t buckets = tuning.mostBuckets;
    const uint64_t cutWords = buckets * tiles;
    const uint64_t ownWords = ranked ? tiles * push.rowLength * shape.keyWords : cutWords + buckets * shape.keyWords;
    push.splittersOffset = static_cast<uint32_t>(cutWords);
    if (leavesSkewed) { // what onesweep has in the state comes behind
        push.binsOffset += static_cast<uint32_t>(ownWords);
        push.statusOffset += static_cast<uint32_t>(ownWords);
    }
    builder.bind_scratch(kBindingRadixState, 0, (leavesSkewed ? onesweep.stateBytes : sizeof(Control)) + ownWords * 4);
    builder.plan.info.statisticsOffset = 0;
    builder.plan.info.tileSize = tile;
    bind_slots(builder, shape, push.keyStride, leavesSkewed);
    builder.set_push(push);

    // A workgroup takes a bucket, and further ones where keys are skewed, and buckets more.
    uint64_t groups =
        std::min<uint64_t>(buckets, std::max<uint64_t>(divide_up(desc.maxCount, push.bucketMean), tuning.bucketGroups));
    if (builder.overrides.bucketsAtOnce != 0) {
        groups = std::min<uint64_t>(groups, builder.overrides.bucketsAtOnce);
    }
    const auto groupElements = static_cast<uint32_t>(divide_up(desc.maxCount, std::max<uint64_t>(groups, 1)));

    const uint32_t valueBytes = shape.value_bytes();
    const ModuleId tilesModule = ranked ? by_key(shape, kModule_sample_rank_tiles_k1, kModule_sample_rank_tiles_k2)
                                        : by_key(shape, kModule_sample_tiles_k1, kModule_sample_tiles_k2);
    Pass& tilePass = add_kernel(builder, shape, "tiles", tilesModule, tuning.tile, tile);
    tilePass.leastGroups = 1; // for the count, which may be 0
    if (!ranked) {
        tilePass.specialization[kSpecSamples] = tuning.samples;
        tilePass.specialization[kSpecTileKeys] = tile / tuning.tile.workgroupSize;
        tilePass.specialization[kSpecFlags] = leavesSkewed ? kFlagLeavesSkewed : 0;
    }
    tilePass.bytesReadPerElement = push.keyStride + (shape.argsort ? 0 : valueBytes);
    tilePass.bytesWrittenPerElement = shape.key_bytes() + valueBytes;
    Pass& lastPass =
        ranked ? add_ranks(builder, shape, tuning)
               : add_kernel(builder, shape, "buckets", by_key(shape, kModule_sample_buckets_k1, kModule_sample_buckets_k2),
                            tuning.bucket, groupElements);
    lastPass.bytesReadPerElement = shape.key_bytes() + valueBytes;
    lastPass.bytesWrittenPerElement = (shape.discardKeys ? 0 : shape.key_bytes()) + valueBytes;
    if (shape.packed && !shape.discardKeys) {
        add_pack_pass(builder, shape, push.copyChunk);
    }
    if (leavesSkewed) {
        const uint32_t first = builder.plan.info.passCount;
        onesweep.add_passes(builder, Role::after_setup);
        builder.leave_out_of_model(first);
    }
}

} // namespace vksort
