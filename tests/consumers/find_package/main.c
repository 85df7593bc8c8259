/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include <vksort/vksort.h>

int main(void) {
    VksortDeviceInfo device;
    VksortPlanDesc desc = {0};
    VksortPlanInfo info;
    vksortGetGenericDeviceInfo(&device);
    desc.keyType = VKSORT_KEY_F32;
    desc.valueSize = 4;
    desc.maxCount = 1000000;
    if (vksortDescribePlan(&device, &desc, &info, NULL, 0) != VK_SUCCESS) {
        return 1;
    }
    printf("%s, %llu bytes of scratch\n", vksortAlgorithmName(info.algorithm), (unsigned long long)info.scratchSize);
    return 0;
}
