/* SPDX-License-Identifier: MIT */
/* The interface used from C99, as an engine in C would. Comments are C89's, so that nothing newer hides here. */
#include "test_c_api.h"

#include <string.h>

#if VKSORT_VERSION >> 22 != VKSORT_VERSION_MAJOR || VKSORT_VERSION < VKSORT_VERSION_MINOR << 12
#error "VKSORT_VERSION is not what the preprocessor can compare"
#endif

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            return __LINE__; \
        } \
    } while (0)

int c_api_pure_functions(void) {
    VksortDeviceInfo device;
    VksortPlanDesc desc;
    VksortPlanInfo info;
    VksortPassInfo passes[VKSORT_MAX_PASSES];
    char message[256];
    uint32_t pass_count = VKSORT_MAX_PASSES;

    CHECK(vksortGetVersion() == VKSORT_VERSION);
    vksortGetGenericDeviceInfo(&device);
    CHECK(device.maxWorkgroupInvocations >= 128);

    memset(&desc, 0, sizeof desc);
    desc.keyType = VKSORT_KEY_F32;
    desc.valueSize = 4;
    desc.maxCount = 2000000;
    CHECK(vksortDescribePlan(&device, &desc, &info, message, sizeof message) == VK_SUCCESS);
    CHECK(message[0] == '\0');
    CHECK(info.algorithm == VKSORT_ALGORITHM_ONESWEEP);
    CHECK(info.scratchSize > 0);
    CHECK(vksortDescribePasses(&device, &desc, 2000000, &pass_count, passes) == VK_SUCCESS);
    CHECK(pass_count == info.passCount);

    desc.valueSize = 5;
    CHECK(vksortDescribePlan(&device, &desc, &info, message, sizeof message) == VK_ERROR_FORMAT_NOT_SUPPORTED);
    CHECK(strstr(message, "5") != NULL);

    CHECK(strcmp(vksortKeyTypeName(VKSORT_KEY_F32), "f32") == 0);
    CHECK(strcmp(vksortAlgorithmName(VKSORT_ALGORITHM_ONESWEEP), "onesweep") == 0);
    CHECK(vksortKeySize(VKSORT_KEY_U64) == 8);
    CHECK(vksortFeatureDescription(VKSORT_FEATURE_MEMORY_MODEL_BIT) != NULL);
    return 0;
}

static void keep_message(void* user, VksortSeverity severity, const char* message) {
    CSort* sort = (CSort*)user;
    (void)severity;
    strncpy(sort->message, message, sizeof sort->message - 1);
}

static void count_passes(void* user, VkCommandBuffer commands, VksortPassEvent event, uint32_t index, const char* name) {
    CSort* sort = (CSort*)user;
    (void)commands;
    (void)index;
    (void)name;
    sort->passes += event == VKSORT_PASS_END;
}

int c_api_create(CSort* sort, const VksortContextCreateInfo* device, uint64_t count) {
    VksortContextCreateInfo create = *device;
    VksortPlanDesc desc;

    memset(sort, 0, sizeof *sort);
    create.messageCallback = keep_message;
    create.messageUser = sort;
    CHECK(vksortCreateContext(&create, NULL, &sort->context) == VK_SUCCESS);

    memset(&desc, 0, sizeof desc);
    desc.operation = VKSORT_OPERATION_SORT;
    desc.keyType = VKSORT_KEY_U32;
    desc.valueSize = 3;
    desc.maxCount = count;
    CHECK(vksortCreatePlan(sort->context, &desc, &sort->plan) == VK_ERROR_FORMAT_NOT_SUPPORTED);
    CHECK(sort->plan == VK_NULL_HANDLE);
    CHECK(strstr(sort->message, "3") != NULL);

    desc.valueSize = 4;
    CHECK(vksortCreatePlan(sort->context, &desc, &sort->plan) == VK_SUCCESS);
    vksortGetPlanInfo(sort->plan, &sort->info);
    CHECK(sort->info.maxCount == count);
    return 0;
}

void c_api_record(CSort* sort, VkCommandBuffer commands, VkBuffer keys, VkBuffer values, VkBuffer scratch,
                  VkDescriptorPool pool, uint64_t count) {
    VksortSortBuffers buffers;
    memset(&buffers, 0, sizeof buffers);
    buffers.keys.buffer = keys;
    buffers.values.buffer = values;
    buffers.scratch.buffer = scratch;
    buffers.count = count;
    buffers.descriptorPool = pool;
    buffers.passCallback = count_passes;
    buffers.passUser = sort;
    vksortCmdSort(commands, sort->plan, &buffers);
}

void c_api_destroy(CSort* sort) {
    vksortDestroyPlan(sort->plan);
    vksortDestroyContext(sort->context);
}
