// SPDX-License-Identifier: MIT
#include "merge_common.h"

#include <algorithm>
#include <cstddef>

#include "../comparator.h"
#include "../key_traits.h"
#include "radix_common.h"
#include "shader_ids.h"

namespace vksort {

namespace {

constexpr uint32_t kMostStridingGroups = 4096;

// As in shaders/device/segment_parity.glsl.
uint64_t parity_words(uint64_t count) {
    uint64_t words = 0;
    for (uint64_t last = count / 32; last > 0; last /= 32) {
        words += last / 32 + 1;
    }
    return words;
}

} // namespace

uint32_t key_bytes(const VksortPlanDesc& desc) {
    return desc.keyType == VKSORT_KEY_COMPARATOR ? 4 * desc.comparator->keyWords : vksortKeySize(desc.keyType);
}

MergeShape::MergeShape(const VksortPlanDesc& desc) {
    comparator = desc.keyType == VKSORT_KEY_COMPARATOR;
    argsort = (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    discardKeys = (desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0;
    separate = desc.result == VKSORT_RESULT_SEPARATE;
    keySize = key_bytes(desc);
    packed = keySize < 4;
    twoInputs = desc.operation == VKSORT_OPERATION_MERGE;
    segmented = desc.operation == VKSORT_OPERATION_SEGMENTED_SORT;
    segmentPairs = segmented && (desc.segments == VKSORT_SEGMENTS_OFFSETS || desc.segments == VKSORT_SEGMENTS_OFFSET_COUNTS);
    queues = segmented || desc.algorithm == VKSORT_ALGORITHM_LOCALITY;
    keyWords = packed ? 1 : keySize / 4;
    valueWords = argsort ? 1 : desc.valueSize / 4;
}

MergeFamilyPlanner::MergeFamilyPlanner(PlanBuilder& builder)
    : builder_(builder), desc_(builder.plan.desc), shape_(desc_), total_(counts_of(desc_).all()) {}

void MergeFamilyPlanner::fill_common_push() {
    const auto flag = [this](bool set, uint32_t bit) { push_.flags |= set ? bit : 0; };
    flag((desc_.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) != 0, kFlagCountFromBuffer);
    flag((desc_.flags & VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT) != 0, kFlagSegmentCountFromBuffer);
    flag(shape_.argsort, kFlagArgsort);
    flag(shape_.discardKeys, kFlagDiscardKeys);
    flag(shape_.packed, kFlagPacked);
    flag(shape_.packed || desc_.keyStride != 0, kFlagStrided);
    flag(shape_.twoInputs, kFlagTwoInputs);
    flag(shape_.queues, kFlagWorkQueues);
    flag(shape_.fourWay, kFlagFourWay);
    flag(shape_.hostCounts, kFlagHostCounts);
    flag(shape_.passSearches, kFlagPassSearches);
    flag(shape_.segmented, kFlagSegments);
    flag(shape_.segmented && desc_.segments == VKSORT_SEGMENTS_HEAD_FLAGS, kFlagHeadsGiven);
    flag(shape_.segmentPairs, kFlagOffsets);
    const bool descending = (desc_.flags & VKSORT_PLAN_DESCENDING_BIT) != 0;
    if (shape_.comparator) {
        flag(descending, kFlagReversed);
    } else {
        const KeyInversion inversion = key_inversion(desc_.keyType, descending);
        push_.invertLow = inversion.low;
        push_.invertHigh = inversion.high;
        push_.invertNegativeLow = inversion.negativeLow;
        push_.invertNegativeHigh = inversion.negativeHigh;
        const bool inOrder = (inversion.low | inversion.high | inversion.negativeLow | inversion.negativeHigh) == 0;
        knownFlags_ = inOrder ? kFlagKeysInOrder : 0;
    }
    knownFlags_ |= kFlagsKnown | (push_.flags & ~kFlagsOfPush);
    push_.keyBytes = shape_.keySize;
    push_.keyStride = desc_.keyStride != 0 ? desc_.keyStride : shape_.keySize;
    push_.keyOffset = desc_.keyOffset;
    push_.copyChunk = kWordGroup * 16;
    push_.maxGroupsX = builder_.device.maxWorkgroupCount[0];
}

uint32_t MergeFamilyPlanner::reserve(uint64_t words) {
    const uint64_t offset = stateWords_;
    stateWords_ += words;
    return static_cast<uint32_t>(offset);
}

void MergeFamilyPlanner::reserve_heads() {
    const uint64_t bitWords = (total_ + 31) / 32;
    if (makes_heads()) {
        push_.headsOffset = reserve(bitWords);
    }
    if (shape_.segmentPairs) {
        push_.endsOffset = reserve(bitWords + parity_words(total_));
    }
}

void MergeFamilyPlanner::bind_reserved() {
    builder_.bind_scratch(kBindingState, 0, sizeof(MergeControl) + stateWords_ * 4);
    builder_.bind_args();
    builder_.plan.info.statisticsOffset = 0;
}

void MergeFamilyPlanner::bind_first_slots() {
    const uint64_t keyBytes = shape_.slot_key_bytes();
    builder_.bind(kBindingKeys0, Source::keys, push_.keyStride);
    if (shape_.packed || (shape_.separate && shape_.discardKeys)) {
        builder_.bind_scratch(kBindingKeys1, keyBytes);
    } else {
        builder_.bind(kBindingKeys1, shape_.separate ? Source::keys_out : Source::keys, keyBytes);
    }
    if (shape_.valueWords == 0) {
        return;
    }
    if (!(shape_.separate && shape_.argsort)) {
        builder_.bind(kBindingValues0, Source::values, shape_.value_bytes());
    }
    builder_.bind(kBindingValues1, shape_.separate ? Source::values_out : Source::values, shape_.value_bytes());
}

void MergeFamilyPlanner::bind_value_slot2() {
    if (shape_.valueWords == 0) {
        return;
    }
    if (desc_.result == VKSORT_RESULT_PING_PONG) {
        builder_.bind(kBindingValues2, Source::values_alternate, shape_.value_bytes());
    } else {
        builder_.bind_scratch(kBindingValues2, shape_.value_bytes());
    }
}

void MergeFamilyPlanner::bind_segments() {
    Binding& binding = builder_.bind(kBindingSegments, Source::segments, 0);
    if (desc_.segments == VKSORT_SEGMENTS_HEAD_FLAGS) {
        binding.elementBits = 1;
    } else {
        binding.segmentSize = shape_.segmentPairs ? 8 : 4;
    }
}

void MergeFamilyPlanner::bind_packed() {
    if (shape_.packed && !shape_.discardKeys) {
        Binding& binding = builder_.bind(kBindingPacked, shape_.separate ? Source::keys_out : Source::keys, shape_.keySize);
        binding.secondSize = shape_.twoInputs ? shape_.keySize : 0;
    }
}

Pass& MergeFamilyPlanner::add_plain(const char* name, uint32_t module, uint32_t workgroupSize) {
    Pass& pass = builder_.add_pass(name, module);
    specialize(pass, one_key_a_thread(workgroupSize));
    return pass;
}

PlainTuning MergeFamilyPlanner::one_key_a_thread(uint32_t workgroupSize) const {
    return {std::min(workgroupSize, builder_.device.maxWorkgroupInvocations), 1, 0};
}

Pass& MergeFamilyPlanner::add_setup_pass() {
    Pass& setup = add_plain("setup", kModule_merge_setup, makes_heads() ? kWordGroup : kSingleGroup);
    setup.writesArgs = true;
    if (makes_heads()) { // and so clears them
        size_by_words(setup);
        setup.leastGroups = 1;
    }
    return setup;
}

void MergeFamilyPlanner::size_by_args(Pass& pass, uint64_t offset) const {
    if (shape_.hostCounts) {
        pass.dispatch = Dispatch::per_elements;
    } else {
        builder_.size_by_args(pass, offset);
    }
}

void MergeFamilyPlanner::add_segment_passes() {
    if (!makes_heads()) {
        return;
    }
    Pass& set = add_plain("set heads", kModule_segment_heads, kWordGroup);
    set.digitPass = desc_.segments == VKSORT_SEGMENTS_HEAD_INDICES ? kStageHeadIndices
                    : desc_.segments == VKSORT_SEGMENTS_OFFSETS    ? kStageOffsets
                                                                   : kStageOffsetCounts;
    set.dispatch = Dispatch::fixed;
    set.groupsLimit = static_cast<uint32_t>(
        std::clamp<uint64_t>(desc_.maxSegments / (kWordGroup * kSegmentChunk), 1, kMostStridingGroups));
    if (shape_.segmentPairs) {
        Pass& gaps = add_plain("mark gaps", kModule_segment_heads, kWordGroup);
        gaps.digitPass = kStageGaps;
        size_by_words(gaps);
    }
}

void MergeFamilyPlanner::size_by_words(Pass& pass) const {
    pass.dispatch = Dispatch::per_elements;
    pass.divisor = 32 * kWordGroup;
    pass.groupsLimit = kMostStridingGroups;
}

void MergeFamilyPlanner::add_pack_pass() {
    if (shape_.packed && !shape_.discardKeys) {
        Pass& pack = add_plain("pack", kModule_merge_pack, kWordGroup);
        size_by_args(pack, offsetof(IndirectArgs, pack));
        pack.divisor = push_.copyChunk;
        pack.bytesReadPerElement = 4;
        pack.bytesWrittenPerElement = shape_.keySize;
    }
}

} // namespace vksort
