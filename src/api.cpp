// SPDX-License-Identifier: MIT
//
// The C entry points: argument checks, then one call down.
#include <cstdio>

#include "comparator.h"
#include "context.h"
#include "describe.h"
#include "export.h"
#include "record.h"
#include "vksort/vksort.h"

extern "C" {

VKSORT_API uint32_t vksortGetVersion(void) { return VKSORT_VERSION; }

VKSORT_API VkResult vksortCreateContext(const VksortContextCreateInfo* pCreateInfo, const VkAllocationCallbacks* pAllocator,
                                        VksortContext* pContext) {
    if (pContext == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    *pContext = VK_NULL_HANDLE;
    if (pCreateInfo == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    const char* wrong = nullptr;
    if (pCreateInfo->instance == VK_NULL_HANDLE || pCreateInfo->physicalDevice == VK_NULL_HANDLE ||
        pCreateInfo->device == VK_NULL_HANDLE || pCreateInfo->getInstanceProcAddr == nullptr) {
        wrong = "vksortCreateContext needs instance, physicalDevice, device and getInstanceProcAddr";
    } else if (pCreateInfo->reserved != nullptr) {
        wrong = "VksortContextCreateInfo::reserved must be null";
    }
    vksort::Message message;
    if (wrong != nullptr) {
        message.format("%s", wrong);
    } else if (const uint32_t header = pCreateInfo->headerVersion; header != 0 && header >> 12 != VKSORT_VERSION >> 12) {
        message.format("the program was compiled with the header of vksort %u.%u, and this library is vksort %u.%u",
                       header >> 22, header >> 12 & 0x3FF, VKSORT_VERSION_MAJOR, VKSORT_VERSION_MINOR);
    }
    if (message.text[0] != '\0') {
        vksort::MessageReceiver{pCreateInfo->messageCallback, pCreateInfo->messageUser}.report(VKSORT_SEVERITY_ERROR,
                                                                                               message.text);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::create_context(*pCreateInfo, pAllocator, pContext);
}

VKSORT_API void vksortDestroyContext(VksortContext context) {
    if (context != VK_NULL_HANDLE) {
        vksort::destroy_context(context);
    }
}

VKSORT_API VkResult vksortCreatePlan(VksortContext context, const VksortPlanDesc* pDesc, VksortPlan* pPlan) {
    if (pPlan == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    *pPlan = VK_NULL_HANDLE;
    if (context == VK_NULL_HANDLE || pDesc == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::create_plan(context, *pDesc, {}, pPlan);
}

VKSORT_API VkResult vksortPreparePlan(VksortPlan plan) {
    return plan != VK_NULL_HANDLE ? vksort::prepare_plan(plan) : VK_ERROR_INITIALIZATION_FAILED;
}

VKSORT_API void vksortDestroyPlan(VksortPlan plan) {
    if (plan != VK_NULL_HANDLE) {
        vksort::destroy_plan(plan);
    }
}

VKSORT_API void vksortGetPlanInfo(VksortPlan plan, VksortPlanInfo* pInfo) {
    if (plan != VK_NULL_HANDLE && pInfo != nullptr) {
        *pInfo = plan->plan.info;
        pInfo->passCount = plan->pass_count();
    }
}

VKSORT_API VkResult vksortDescribePlan(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, VksortPlanInfo* pInfo,
                                       char* pMessage, size_t messageSize) {
    vksort::Message message;
    VkResult result = VK_ERROR_INITIALIZATION_FAILED;
    if (pDevice == nullptr || pDesc == nullptr || pInfo == nullptr) {
        message.format("vksortDescribePlan needs pDevice, pDesc and pInfo");
    } else {
        result = vksort::describe_plan(*pDevice, *pDesc, *pInfo, message);
    }
    if (pMessage != nullptr && messageSize != 0) {
        std::snprintf(pMessage, messageSize, "%s", message.text);
    }
    return result;
}

VKSORT_API VkResult vksortDescribePasses(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc, uint64_t count,
                                         uint32_t* pPassCount, VksortPassInfo* pPasses) {
    if (pDevice == nullptr || pDesc == nullptr || pPassCount == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::describe_passes(*pDevice, *pDesc, {}, count, *pPassCount, pPasses);
}

VKSORT_API VkResult vksortCreateComparator(VksortContext context, const VksortComparatorInfo* pInfo,
                                           VksortComparator* pComparator) {
    if (pComparator == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    *pComparator = VK_NULL_HANDLE;
    if (context == VK_NULL_HANDLE || pInfo == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::create_comparator(context, *pInfo, pComparator);
}

VKSORT_API void vksortDestroyComparator(VksortComparator comparator) {
    if (comparator != VK_NULL_HANDLE) {
        vksort::destroy_comparator(comparator);
    }
}

#define VKSORT_RECORD(call, recorder) \
    if (plan == VK_NULL_HANDLE) { \
        return; /* there is no context to tell */ \
    } \
    if (pBuffers == nullptr) { \
        plan->context->report(VKSORT_SEVERITY_ERROR, call " recorded nothing: pBuffers is null"); \
        return; \
    } \
    vksort::recorder(commandBuffer, *plan, *pBuffers)

VKSORT_API void vksortCmdSort(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortSortBuffers* pBuffers) {
    VKSORT_RECORD("vksortCmdSort", record_sort);
}

VKSORT_API void vksortCmdGather(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortGatherBuffers* pBuffers) {
    VKSORT_RECORD("vksortCmdGather", record_gather);
}

VKSORT_API void vksortCmdMerge(VkCommandBuffer commandBuffer, VksortPlan plan, const VksortMergeBuffers* pBuffers) {
    VKSORT_RECORD("vksortCmdMerge", record_merge);
}

VKSORT_API void vksortCmdSegmentedSort(VkCommandBuffer commandBuffer, VksortPlan plan,
                                       const VksortSegmentedSortBuffers* pBuffers) {
    VKSORT_RECORD("vksortCmdSegmentedSort", record_segmented_sort);
}

VKSORT_API VkResult vksortExportPlan(const VksortDeviceInfo* pDevice, const VksortPlanDesc* pDesc,
                                     const VkAllocationCallbacks* pAllocator, VksortExportedPlan** ppPlan, char* pMessage,
                                     size_t messageSize) {
    vksort::Message message;
    VkResult result = VK_ERROR_INITIALIZATION_FAILED;
    if (ppPlan != nullptr) {
        *ppPlan = nullptr;
    }
    if (pDevice == nullptr || pDesc == nullptr || ppPlan == nullptr) {
        message.format("vksortExportPlan needs pDevice, pDesc and ppPlan");
    } else {
        result = vksort::export_plan(*pDevice, *pDesc, {}, pAllocator, *ppPlan, message);
    }
    if (pMessage != nullptr && messageSize != 0) {
        std::snprintf(pMessage, messageSize, "%s", message.text);
    }
    return result;
}

VKSORT_API VkResult vksortSetExportArguments(VksortExportedPlan* pPlan, const VksortExportArguments* pArguments) {
    if (pPlan == nullptr || pArguments == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    return vksort::set_export_arguments(*pPlan, *pArguments);
}

VKSORT_API void vksortFreeExportedPlan(VksortExportedPlan* pPlan) {
    if (pPlan != nullptr) {
        vksort::free_exported_plan(*pPlan);
    }
}

} // extern "C"
