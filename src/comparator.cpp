// SPDX-License-Identifier: MIT
#include "comparator.h"

#include <atomic>
#include <cstring>
#include <new>

#include "context.h"

namespace vksort {

namespace {

constexpr const char* kNames[kComparatorKernelCount] = {
    "merge_blocksort_comparator",     "segmented_blocksort_comparator",     "merge_partition_comparator",
    "merge_pass_comparator",          "merge_partition_fourway_comparator", "merge_pass_fourway_comparator",
    "segmented_partition_comparator", "segmented_pass_comparator",
};

std::atomic<uint64_t> nextId{1};

bool check(const VksortComparatorInfo& info, Message& message) {
    if (info.version != VKSORT_COMPARATOR_VERSION || info.kernelCount != kComparatorKernelCount) {
        message.format("the comparator was made for another vksort (version %u with %u kernels; this one needs version %d "
                       "with %u)",
                       info.version, info.kernelCount, VKSORT_COMPARATOR_VERSION, unsigned{kComparatorKernelCount});
        return false;
    }
    if (info.keyWords == 0 || info.keyWords > VKSORT_MAX_KEY_WORDS) {
        message.format("a comparator's keys have 1 to %d words, not %u", VKSORT_MAX_KEY_WORDS, info.keyWords);
        return false;
    }
    constexpr uint32_t kSpirvMagic = 0x07230203;
    for (uint32_t i = 0; i < info.kernelCount; ++i) {
        const VksortSpirv* kernel = info.pKernels != nullptr ? &info.pKernels[i] : nullptr;
        if (kernel == nullptr || kernel->pWords == nullptr || kernel->wordCount < 5 || kernel->pWords[0] != kSpirvMagic) {
            message.format("kernel %u of the comparator is not SPIR-V", i);
            return false;
        }
    }
    return true;
}

} // namespace

const ShaderModule& module_of(const Pass& pass) {
    return pass.comparator != VK_NULL_HANDLE ? pass.comparator->kernels[pass.module] : kShaderModules[pass.module];
}

VkResult create_comparator(VksortContext context, const VksortComparatorInfo& info, VksortComparator* comparator) {
    Message message;
    if (!check(info, message)) {
        context->report(VKSORT_SEVERITY_ERROR, message.text);
        return VK_ERROR_FORMAT_NOT_SUPPORTED;
    }
    size_t wordCount = 0;
    for (uint32_t i = 0; i < info.kernelCount; ++i) {
        wordCount += info.pKernels[i].wordCount;
    }
    void* memory = context->allocator.allocate(sizeof(VksortComparator_T), alignof(VksortComparator_T));
    auto* words = static_cast<uint32_t*>(context->allocator.allocate(wordCount * sizeof(uint32_t), alignof(uint32_t)));
    if (memory == nullptr || words == nullptr) {
        if (memory != nullptr) {
            context->allocator.release(memory);
        }
        if (words != nullptr) {
            context->allocator.release(words);
        }
        context->report(VKSORT_SEVERITY_ERROR, "no host memory for a comparator");
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    VksortComparator made = new (memory) VksortComparator_T;
    made->context = context;
    made->id = nextId++;
    made->keyWords = info.keyWords;
    made->words = words;
    for (uint32_t i = 0; i < info.kernelCount; ++i) {
        const VksortSpirv& kernel = info.pKernels[i];
        std::memcpy(words, kernel.pWords, kernel.wordCount * sizeof(uint32_t));
        made->kernels[i] = {kNames[i], words, kernel.wordCount, true};
        words += kernel.wordCount;
    }
    *comparator = made;
    return VK_SUCCESS;
}

void destroy_comparator(VksortComparator comparator) {
    const HostAllocator& allocator = comparator->context->allocator;
    allocator.release(comparator->words);
    allocator.release(comparator);
}

} // namespace vksort
