// SPDX-License-Identifier: MIT
//
// What is refused in words whatever the device: descriptions that contradict themselves, and those without kernels.
#include <algorithm>

#include "key_traits.h"
#include "plan.h"
#include "shader_table.h"

namespace vksort {

namespace {

// Whether the description is of an algorithm that knows whole keys only, or can be.
bool wants_whole_keys(const VksortPlanDesc& desc) {
    return desc.operation != VKSORT_OPERATION_SORT || desc.algorithm == VKSORT_ALGORITHM_MERGE ||
           desc.algorithm == VKSORT_ALGORITHM_LOCALITY || desc.algorithm == VKSORT_ALGORITHM_MSD ||
           desc.algorithm == VKSORT_ALGORITHM_SAMPLE_SORT || desc.keyType == VKSORT_KEY_COMPARATOR;
}

VkResult check_comparator(const VksortPlanDesc& desc, Message& message) {
    if (desc.keyType != VKSORT_KEY_COMPARATOR) {
        if (desc.comparator != VK_NULL_HANDLE) {
            message.format("a comparator orders keys of VKSORT_KEY_COMPARATOR only");
            return kRefused;
        }
        return VK_SUCCESS;
    }
    if (desc.comparator == VK_NULL_HANDLE) {
        message.format("VKSORT_KEY_COMPARATOR needs a comparator");
        return kRefused;
    }
    if (desc.keyStride != 0 || desc.keyOffset != 0) {
        message.format("comparator keys are dense: keyStride and keyOffset must be 0");
        return kRefused;
    }
    return VK_SUCCESS;
}

VkResult check_keys(const VksortPlanDesc& desc, Message& message) {
    if (const VkResult result = check_comparator(desc, message); result != VK_SUCCESS) {
        return result;
    }
    if (wants_whole_keys(desc) && !sorts_all_bits(desc)) {
        message.format("a range of bits is for the radix family, and for keys without a comparator");
        return kRefused;
    }
    if (desc.keyType == VKSORT_KEY_COMPARATOR) {
        return VK_SUCCESS;
    }
    const KeyTraits* traits = key_traits(desc.keyType);
    if (traits == nullptr) {
        message.format("unknown key type %d", static_cast<int>(desc.keyType));
        return kRefused;
    }
    const uint32_t bits = 8 * traits->size;
    if (!sorts_all_bits(desc) && (desc.beginBit >= desc.endBit || desc.endBit > bits)) {
        message.format("bits %u to %u are not a range within the %u bits of a %s key", desc.beginBit, desc.endBit, bits,
                       traits->name);
        return kRefused;
    }
    if (desc.keyStride == 0) {
        if (desc.keyOffset != 0) {
            message.format("keyOffset %u needs a keyStride", desc.keyOffset);
            return kRefused;
        }
        return VK_SUCCESS;
    }
    const uint32_t unit = std::min(traits->size, 4u);
    if (desc.keyStride % unit != 0 || desc.keyOffset % unit != 0 ||
        uint64_t{desc.keyOffset} + traits->size > desc.keyStride) {
        message.format("keyStride %u and keyOffset %u must be multiples of %u, and a %s key at the offset must end within "
                       "the stride",
                       desc.keyStride, desc.keyOffset, unit, traits->name);
        return kRefused;
    }
    if (desc.result != VKSORT_RESULT_SEPARATE) {
        message.format("keys read by stride need VKSORT_RESULT_SEPARATE: the sorted keys are dense");
        return kRefused;
    }
    return VK_SUCCESS;
}

VkResult check_sort(const VksortPlanDesc& desc, Message& message) {
    if (const VkResult result = check_keys(desc, message); result != VK_SUCCESS) {
        return result;
    }
    const bool argsort = (desc.flags & VKSORT_PLAN_ARGSORT_BIT) != 0;
    if (argsort && desc.valueSize != 0 && desc.valueSize != 4) {
        message.format("argsort writes 4-byte indices; valueSize %u must be 0 or 4", desc.valueSize);
        return kRefused;
    }
    if (desc.valueSize > 16 || desc.valueSize % 4 != 0) {
        message.format("valueSize %u is not 0, 4, 8, 12 or 16; move larger records by argsort and gather", desc.valueSize);
        return kRefused;
    }
    if ((desc.flags & VKSORT_PLAN_DISCARD_KEYS_BIT) != 0 && !argsort && desc.valueSize == 0) {
        message.format("keys cannot be discarded when there are no values");
        return kRefused;
    }
    if (desc.result > VKSORT_RESULT_SEPARATE) {
        message.format("unknown result mode %d", static_cast<int>(desc.result));
        return kRefused;
    }
    return VK_SUCCESS;
}

VkResult check_merge(const VksortPlanDesc& desc, Message& message) {
    if (desc.maxCountB > UINT32_MAX / 2) {
        message.format("%llu elements of B are too many: a merge takes %u", static_cast<unsigned long long>(desc.maxCountB),
                       UINT32_MAX / 2);
        return kRefused;
    }
    if (desc.result != VKSORT_RESULT_SEPARATE) {
        message.format("a merge needs VKSORT_RESULT_SEPARATE: its output is another buffer than its inputs");
        return kRefused;
    }
    if (desc.keyStride != 0) {
        message.format("a merge reads dense keys: keyStride must be 0");
        return kRefused;
    }
    return check_sort(desc, message);
}

VkResult check_segmented(const VksortPlanDesc& desc, Message& message) {
    if (desc.segments > VKSORT_SEGMENTS_OFFSET_COUNTS) {
        message.format("unknown kind of segments %d", static_cast<int>(desc.segments));
        return kRefused;
    }
    if (desc.segments == VKSORT_SEGMENTS_HEAD_FLAGS &&
        (desc.maxSegments != 0 || (desc.flags & VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT) != 0)) {
        message.format("head flags are not counted: maxSegments must be 0, and no segment count comes from a buffer");
        return kRefused;
    }
    if (desc.maxSegments > UINT32_MAX) {
        message.format("%llu segments are too many: positions are 32-bit",
                       static_cast<unsigned long long>(desc.maxSegments));
        return kRefused;
    }
    if (desc.result == VKSORT_RESULT_PING_PONG) {
        message.format("a segmented sort needs VKSORT_RESULT_IN_PLACE or VKSORT_RESULT_SEPARATE");
        return kRefused;
    }
    return check_sort(desc, message);
}

// Fields of other operations must stay zero, so that they are not taken for used.
VkResult check_unused(const VksortPlanDesc& desc, Message& message) {
    const bool segmented = desc.operation == VKSORT_OPERATION_SEGMENTED_SORT;
    if (desc.operation != VKSORT_OPERATION_MERGE && desc.maxCountB != 0) {
        message.format("maxCountB is for VKSORT_OPERATION_MERGE");
        return kRefused;
    }
    if (!segmented &&
        (desc.segments != 0 || desc.maxSegments != 0 || (desc.flags & VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT) != 0)) {
        message.format("segments are for VKSORT_OPERATION_SEGMENTED_SORT");
        return kRefused;
    }
    const bool writes = (desc.flags & VKSORT_PLAN_WRITE_COMMANDS_BIT) != 0;
    if (writes && (desc.flags & VKSORT_PLAN_COUNT_FROM_BUFFER_BIT) == 0) {
        message.format(
            "VKSORT_PLAN_WRITE_COMMANDS_BIT is for counts on the GPU: it needs VKSORT_PLAN_COUNT_FROM_BUFFER_BIT");
        return kRefused;
    }
    if (!writes && (desc.elementsPerWorkgroup != 0 || desc.verticesPerElement != 0)) {
        message.format("elementsPerWorkgroup and verticesPerElement are for VKSORT_PLAN_WRITE_COMMANDS_BIT");
        return kRefused;
    }
    return VK_SUCCESS;
}

VkResult check_gather(const VksortPlanDesc& desc, Message& message) {
    if (desc.valueSize == 0 || desc.valueSize % 4 != 0) {
        message.format("a gathered record has a multiple of 4 bytes, not %u", desc.valueSize);
        return kRefused;
    }
    constexpr VkFlags kSortFlags = VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_ARGSORT_BIT | VKSORT_PLAN_DISCARD_KEYS_BIT;
    if ((desc.flags & kSortFlags) != 0 || desc.algorithm != VKSORT_ALGORITHM_AUTO) {
        message.format("gather takes no algorithm, and no flag that says how to sort");
        return kRefused;
    }
    return VK_SUCCESS;
}

} // namespace

VkResult check_desc(const VksortPlanDesc& desc, Message& message) {
    constexpr VkFlags kKnownFlags = VKSORT_PLAN_DESCENDING_BIT | VKSORT_PLAN_ARGSORT_BIT |
                                    VKSORT_PLAN_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_DISCARD_KEYS_BIT |
                                    VKSORT_PLAN_SEGMENT_COUNT_FROM_BUFFER_BIT | VKSORT_PLAN_PREPARE_LATER_BIT |
                                    VKSORT_PLAN_WRITE_COMMANDS_BIT;
    if (desc.reserved != nullptr || (desc.flags & ~kKnownFlags) != 0) {
        message.format("the description has an unknown flag or a reserved field that is not zero");
        return kRefused;
    }
    if (const VkResult result = check_unused(desc, message); result != VK_SUCCESS) {
        return result;
    }
    switch (desc.operation) {
    case VKSORT_OPERATION_SORT: return check_sort(desc, message);
    case VKSORT_OPERATION_MERGE: return check_merge(desc, message);
    case VKSORT_OPERATION_SEGMENTED_SORT: return check_segmented(desc, message);
    case VKSORT_OPERATION_GATHER: return check_gather(desc, message);
    default: message.format("unknown operation %d", static_cast<int>(desc.operation)); return kRefused;
    }
}

VkResult check_kernels(const KernelSet& built, const VksortPlanDesc& desc, Message& message) {
    static constexpr const char* kOperations[] = {"sort", "gather", "merge",
                                                  "segmented_sort"}; // as VKSORT_OPERATIONS has them
    if ((built.operations & 1u << desc.operation) == 0) {
        const char* operation = kOperations[desc.operation];
        message.format("this build of vksort has no kernels for the operation %s; build it with %s in VKSORT_OPERATIONS",
                       operation, operation);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    if (desc.operation == VKSORT_OPERATION_GATHER || desc.keyType == VKSORT_KEY_COMPARATOR) {
        return VK_SUCCESS; // kernels without keys, and the caller's own
    }
    const uint32_t width = key_traits(desc.keyType)->size == 8 ? 64 : 32;
    if ((built.keyWidths & width) == 0) {
        message.format("this build of vksort has no kernels for %s-bit keys; build it with %u in VKSORT_KEY_WIDTHS",
                       width == 64 ? "64" : "8-, 16- and 32", width);
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    const bool values = has_values(desc);
    if ((built.values & (values ? kSomeValues : kNoValues)) == 0) {
        message.format("this build of vksort has no kernels for keys %s; build it with %s in VKSORT_VALUES",
                       values ? "with values or argsort" : "without values", values ? "some" : "none");
        return VK_ERROR_FEATURE_NOT_PRESENT;
    }
    return VK_SUCCESS;
}

} // namespace vksort
