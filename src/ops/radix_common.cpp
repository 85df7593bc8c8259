// SPDX-License-Identifier: MIT
#include "radix_common.h"

#include <algorithm>
#include <cstring>

#include "../key_traits.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr uint64_t kControlWords = sizeof(Control) / 4;

} // namespace

RadixShape::RadixShape(const VksortPlanDesc& desc) {
    keySize = vksortKeySize(desc.keyType);
    keyWords = keySize == 8 ? 2 : 1;
    argsort = (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    discardKeys = (desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0;
    valueWords = argsort ? 1 : desc.valueSize / 4;
    packed = keySize < 4;
    floating = has_floats(desc);
    keysOnly = valueWords == 0 && sorts_all_bits(desc);
    // Narrow keys stand at the top of their word.
    const uint32_t lift = packed ? 32 - 8 * keySize : 0;
    beginBit = lift + desc.beginBit;
    endBit = lift + (sorts_all_bits(desc) ? 8 * keySize : desc.endBit);
    digitPasses = (endBit - beginBit + kRadixBits - 1) / kRadixBits;
}

RadixPush radix_push(const VksortDeviceInfo& device, const VksortPlanDesc& desc, const RadixShape& shape) {
    RadixPush push = {};
    push.flags = ((desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0 ? kFlagCountFromBuffer : 0) |
                 (shape.argsort ? kFlagArgsort : 0) | (shape.discardKeys ? kFlagDiscardKeys : 0) |
                 (shape.packed ? kFlagPacked : 0) | (shape.packed || desc.keyStride != 0 ? kFlagStrided : 0);
    push.digitPasses = shape.digitPasses;
    push.beginBit = shape.beginBit;
    push.endBit = shape.endBit;
    push.keyBytes = shape.keySize;
    push.keyStride = desc.keyStride != 0 ? desc.keyStride : shape.keySize;
    push.keyOffset = desc.keyOffset;
    const KeyInversion inversion = key_inversion(desc.keyType, (desc.flags & VKSORT_PLAN_DESCENDING_BIT) != 0);
    push.invertLow = inversion.low;
    push.invertHigh = inversion.high;
    push.invertNegativeLow = inversion.negativeLow;
    push.invertNegativeHigh = inversion.negativeHigh;
    push.maxGroupsX = device.maxWorkgroupCount[0];
    return push;
}

ModuleId by_key(const RadixShape& shape, ModuleId oneWord, ModuleId twoWords) {
    return shape.keyWords == 2 ? twoWords : oneWord;
}

void bind_radix_buffers(PlanBuilder& builder, const RadixShape& shape, RadixPush& push) {
    const VksortPlanDesc& desc = builder.plan.desc;
    const bool separate = desc.result == VKSORT_RESULT_SEPARATE;
    const bool pingPong = desc.result == VKSORT_RESULT_PING_PONG;
    const bool hasValues = shape.valueWords > 0;
    // An odd number of passes ends in the other buffer. Narrow keys are packed at the end, into `keys`, in any case.
    const bool endsInAlternate = pingPong && !shape.packed && shape.digitPasses % 2 == 1;
    builder.plan.info.resultInAlternate = endsInAlternate;

    push.firstSlot = separate ? kFirstAny : endsInAlternate ? kFirst1 : kFirst2;
    const bool needsSlot2 = !separate || shape.digitPasses >= 2;

    builder.bind(kBindingKeys0, Source::keys, push.keyStride);
    if (shape.packed) {
        const bool needsSlot1 = separate || shape.digitPasses >= 2;
        if (needsSlot1) {
            builder.bind_scratch(kBindingKeys1, shape.key_bytes());
        }
        if (needsSlot2) {
            builder.bind_scratch(kBindingKeys2, shape.key_bytes());
        }
        if (!shape.discardKeys || !separate) {
            builder.bind(kBindingPacked, separate ? Source::keys_out : Source::keys, shape.keySize);
        }
    } else if (pingPong) {
        builder.bind(kBindingKeys1, endsInAlternate ? Source::keys_alternate : Source::keys, shape.keySize);
        builder.bind(kBindingKeys2, endsInAlternate ? Source::keys : Source::keys_alternate, shape.keySize);
    } else {
        if (!separate) {
            builder.bind(kBindingKeys1, Source::keys, shape.keySize);
        } else if (!shape.discardKeys) {
            builder.bind(kBindingKeys1, Source::keys_out, shape.keySize);
        } else if (shape.digitPasses >= 3) { // passed through, but not as the result
            builder.bind_scratch(kBindingKeys1, shape.keySize);
        }
        if (needsSlot2) {
            builder.bind_scratch(kBindingKeys2, shape.keySize);
        }
    }
    if (!hasValues) {
        return;
    }
    const uint64_t valueSize = shape.value_bytes();
    if (!(separate && shape.argsort)) {
        builder.bind(kBindingValues0, Source::values, valueSize);
    }
    if (pingPong) {
        builder.bind(kBindingValues1, endsInAlternate ? Source::values_alternate : Source::values, valueSize);
        builder.bind(kBindingValues2, endsInAlternate ? Source::values : Source::values_alternate, valueSize);
    } else {
        builder.bind(kBindingValues1, separate ? Source::values_out : Source::values, valueSize);
        if (needsSlot2) {
            builder.bind_scratch(kBindingValues2, valueSize);
        }
    }
}

uint64_t lay_out_state(const RadixShape& shape, RadixPush& push, uint64_t ownWords) {
    const uint64_t binWords = uint64_t{shape.digitPasses} * kRadix;
    push.binsOffset = 0;
    push.statusOffset = static_cast<uint32_t>(binWords);
    return (kControlWords + binWords + ownWords) * 4;
}

void bind_state(PlanBuilder& builder, uint64_t bytes) {
    builder.bind_scratch(kBindingRadixState, 0, bytes);
    builder.bind_args();
    builder.plan.info.statisticsOffset = 0;
}

void specialize(Pass& pass, const RankTuning& tuning, uint32_t valueWords) {
    pass.specialization[kSpecWorkgroupSize] = tuning.workgroupSize;
    pass.specialization[kSpecKeysPerThread] = tuning.keysPerThread;
    pass.specialization[kSpecSubgroupSize] = tuning.subgroupSize;
    pass.specialization[kSpecValueWords] = valueWords;
    pass.specialization[kSpecStageRounds] = tuning.stageRounds;
    pass.requiredSubgroupSize = tuning.ballot ? tuning.subgroupSize : 0;
}

void specialize(Pass& pass, const PlainTuning& tuning) {
    pass.specialization[kSpecWorkgroupSize] = tuning.workgroupSize;
    pass.specialization[kSpecKeysPerThread] = tuning.keysPerThread;
    pass.specialization[kSpecSubgroupSize] = 1;
    pass.specialization[kSpecStageRounds] = 1;
}

void add_setup_passes(PlanBuilder& builder, const RadixShape& shape, const RadixPush& push, Role role) {
    const bool fallback = role != Role::whole;
    const bool afterSetup = role == Role::after_setup;
    const PlainTuning single = {single_workgroup_size(builder.device), 1, 1};
    // Where the host knows the count, it sizes the histogram, too, and no dispatch waits for its size.
    const bool hostCount = !fallback && (push.flags & kFlagCountFromBuffer) == 0;
    if (!afterSetup) {
        Pass& setup = builder.add_pass(fallback ? "fallback setup" : "setup", kModule_radix_setup);
        specialize(setup, single);
        setup.writesArgs = true;
        if (fallback) {
            builder.size_by_args(setup, offsetof(IndirectArgs, fallback));
            setup.groupsLimit = 1;
        }
    }

    const PlainTuning tuning = histogram_tuning(builder.device, builder.plan.desc.maxCount);
    Pass& histogram =
        builder.add_pass(fallback ? "fallback histogram" : "histogram",
                         afterSetup ? by_key(shape, kModule_radix_sized_histogram_k1, kModule_radix_sized_histogram_k2)
                                    : by_key(shape, kModule_radix_histogram_k1, kModule_radix_histogram_k2));
    specialize(histogram, tuning);
    histogram.specialization[kSpecDigitPasses] = shape.digitPasses;
    const uint32_t anyValues = std::min(shape.valueWords, 1u); // one kernel for all widths
    histogram.specialization[kSpecValueWords] = anyValues;
    histogram.writesArgs = (push.flags & kFlagStatus) != 0 && !afterSetup;
    if (hostCount) {
        histogram.dispatch = Dispatch::per_elements;
        histogram.leastGroups = 1; // as the setup has it
    } else {
        builder.size_by_args(histogram, offsetof(IndirectArgs, histogram));
    }
    histogram.divisor = push.histogramChunk;
    histogram.groupsLimit = push.histogramGroups;
    histogram.bytesReadPerElement = push.keyStride;

    // reduce_scan, which is also for devices without the memory model, does without workgroups that read what others write.
    if ((push.flags & kFlagStatus) == 0) {
        Pass& scan = builder.add_pass("scan", kModule_radix_scan);
        specialize(scan, single);
        scan.specialization[kSpecDigitPasses] = shape.digitPasses;
        scan.specialization[kSpecValueWords] = anyValues;
        scan.writesArgs = true;
    }
}

void add_copy_pass(PlanBuilder& builder, const RadixShape& shape, const RadixPush& push, Role role) {
    Pass& copy = builder.add_pass(role == Role::fallback ? "fallback copy" : "copy", kModule_radix_copy);
    specialize(copy, copy_tuning(builder.device));
    copy.specialization[kSpecKeyWords] = shape.keyWords;
    copy.specialization[kSpecValueWords] = shape.valueWords;
    builder.size_by_args(copy, offsetof(IndirectArgs, copy));
    copy.divisor = push.copyChunk;
    // With every digit pass running: narrow keys are always packed, others are moved if they end in the wrong slot.
    const bool misplaced = push.firstSlot == kFirst2 && shape.digitPasses % 2 == 1;
    if (!misplaced && !shape.packed) {
        copy.groupsLimit = 0;
        copy.divisor = 0;
        return;
    }
    if (!shape.discardKeys) {
        copy.bytesReadPerElement = shape.key_bytes();
        copy.bytesWrittenPerElement = shape.keySize;
    }
    if (misplaced) {
        copy.bytesReadPerElement += shape.value_bytes();
        copy.bytesWrittenPerElement += shape.value_bytes();
    }
}

uint64_t pass_args_offset(uint32_t digitPass) { return offsetof(IndirectArgs, passes) + digitPass * sizeof(DispatchArgs); }

uint64_t spine_args_offset(uint32_t digitPass) { return offsetof(IndirectArgs, spines) + digitPass * sizeof(DispatchArgs); }

void model_partition(Pass& pass, const VksortPlanDesc& desc, const RadixShape& shape, uint32_t digitPass) {
    const bool first = digitPass == 0;
    const bool last = digitPass + 1 == shape.digitPasses;
    const uint32_t inputKey = desc.keyStride != 0 ? desc.keyStride : shape.keySize;
    pass.bytesReadPerElement = (first ? inputKey : shape.key_bytes()) + (first && shape.argsort ? 0 : shape.value_bytes());
    pass.bytesWrittenPerElement = (last && shape.discardKeys ? 0 : shape.key_bytes()) + shape.value_bytes();
}

} // namespace vksort
