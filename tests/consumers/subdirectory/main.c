/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <vksort/vksort.h>

#include "by_last_places.h"

int use_wrapper(void);

int main(void) {
    VksortDeviceInfo device;
    VksortPlanDesc desc = {0};
    VksortPlanInfo info;
    if (by_last_places.version != VKSORT_COMPARATOR_VERSION || by_last_places.keyWords != 1 ||
        by_last_places.pKernels[by_last_places.kernelCount - 1].pWords[0] != 0x07230203) {
        return 2;
    }
    vksortGetGenericDeviceInfo(&device);
    desc.keyType = VKSORT_KEY_F32;
    desc.valueSize = 4;
    desc.maxCount = 1000000;
    if (vksortDescribePlan(&device, &desc, &info, NULL, 0) != VK_SUCCESS) {
        return 1;
    }
    printf("%s, %llu bytes of scratch\n", vksortAlgorithmName(info.algorithm), (unsigned long long)info.scratchSize);
    return use_wrapper();
}
