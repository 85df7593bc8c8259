/* SPDX-License-Identifier: MIT */
/* What the C99 translation unit offers to the tests in C++. Each returns 0, or the line of the check that failed. */
#ifndef VKSORT_TESTS_API_TEST_C_API_H
#define VKSORT_TESTS_API_TEST_C_API_H

#include "vksort/vksort.h"

#ifdef __cplusplus
extern "C" {
#endif

int c_api_pure_functions(void);

/* Records a sort of `count` u32 keys with u32 values, in place. The caller owns everything and submits. */
typedef struct CSort {
    VksortContext context;
    VksortPlan plan;
    VksortPlanInfo info;
    char message[512];
    int passes;
} CSort;

int c_api_create(CSort* sort, const VksortContextCreateInfo* device, uint64_t count);
void c_api_record(CSort* sort, VkCommandBuffer commands, VkBuffer keys, VkBuffer values, VkBuffer scratch,
                  VkDescriptorPool pool, uint64_t count);
void c_api_destroy(CSort* sort);

#ifdef __cplusplus
}
#endif

#endif
