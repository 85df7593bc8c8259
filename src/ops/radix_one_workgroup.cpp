// SPDX-License-Identifier: MIT
//
// The whole sort in one workgroup; see shaders/one_workgroup.comp.
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr KernelVariants kOneWorkgroup = {kModule_one_workgroup_k1_ballot, kModule_one_workgroup_k1_counter,
                                          kModule_one_workgroup_k2_ballot, kModule_one_workgroup_k2_counter};

// Whether bins follow the distribution of skewed keys. That takes a larger kernel, which pays in larger tiles: 2^13 and2
// keys take 36 % less time with it. Keys of 8 bytes and packed keys and indices always have it. Log: tuning-ops-6.
bool has_skewed_bins(const RankTuning& tuning, const RadixShape& shape, const PlanOverrides& overrides) {
    constexpr uint32_t kSmallTile = 2048;
    const bool wanted = overrides.skewedBins || tuning.tile_size() > kSmallTile;
    return wanted && tuning.ballot && shape.keyWords == 1 && !shape.packed;
}

} // namespace

uint64_t one_workgroup_limit(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const PlanOverrides& overrides) {
    const RadixShape shape(desc);
    return one_workgroup_tuning(device, shape.keyWords, shape.valueWords, UINT64_MAX, overrides).tile_size();
}

void plan_one_workgroup(PlanBuilder& builder) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const RadixShape shape(desc);
    const RankTuning tuning =
        one_workgroup_tuning(builder.device, shape.keyWords, shape.valueWords, desc.maxCount, builder.overrides);
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    RadixPush push = radix_push(builder.device, desc, shape);
    push.firstSlot = separate ? kFirstAny : kFirst2;

    builder.bind(kBindingKeys0, Source::keys, push.keyStride);
    if (!shape.discardKeys) {
        builder.bind(shape.packed ? kBindingPacked : kBindingKeys1, separate ? Source::keys_out : Source::keys,
                     shape.keySize);
    }
    if (shape.valueWords > 0) {
        if (!shape.argsort) {
            builder.bind(kBindingValues0, Source::values, shape.value_bytes());
        }
        builder.bind(kBindingValues1, separate ? Source::values_out : Source::values, shape.value_bytes());
    }
    if (builder.plan.place.is_shared()) {
        builder.bind_scratch(kBindingRadixState, 0, sizeof(Control)); // for the statistics
    }
    builder.set_push(push);

    const uint32_t indexedKeyBits =
        tuning.ballot && !shape.packed ? indexed_key_bits(tuning, shape.keyWords, shape.valueWords, desc.maxCount) : 0;
    Pass& pass = builder.add_pass("one workgroup", indexedKeyBits > 0 ? kModule_one_workgroup_k1_indexed_ballot
                                                   : has_skewed_bins(tuning, shape, builder.overrides)
                                                       ? kModule_one_workgroup_k1_skewed_ballot
                                                       : kOneWorkgroup.of(shape.keyWords, !tuning.ballot));
    specialize(pass, tuning, shape.valueWords);
    pass.specialization[kSpecIndexedKeyBits] = indexedKeyBits;
    const uint32_t sharedBytes =
        one_workgroup_shared_bytes(tuning, shape.keyWords, shape.valueWords) + tuning.tile_size() * 4;
    const bool sharesWords = indexedKeyBits > 0 && shape.valueWords == 1 &&
                             sharedBytes <= builder.device.maxSharedMemorySize && builder.overrides.ownSharedMemory;
    pass.specialization[kSpecFlags] = sharesWords ? kFlagSharesWords : 0;
    pass.bytesReadPerElement = push.keyStride + (shape.argsort ? 0 : shape.value_bytes());
    pass.bytesWrittenPerElement = (shape.discardKeys ? 0 : shape.keySize) + shape.value_bytes();
    builder.plan.info.digitPasses = shape.digitPasses;
}

} // namespace vksort
