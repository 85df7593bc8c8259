/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include <vksort/vksort.h>

#ifdef WITH_COMPARATOR
#include "by_last_places.h"
#endif

static void on_message(void* user, VksortSeverity severity, const char* message) {
    (void)severity;
    strncpy(user, message, 200);
}

int main(void) {
    VksortDeviceInfo device;
    VksortPlanDesc desc = {0};
    VksortPlanInfo info;
    VksortContextCreateInfo contextInfo = {0};
    VksortContext context;
    char message[201] = {0};

#ifdef WITH_COMPARATOR
    if (by_last_places.version != VKSORT_COMPARATOR_VERSION || by_last_places.keyWords != 1 ||
        by_last_places.pKernels[by_last_places.kernelCount - 1].pWords[0] != 0x07230203) {
        return 1;
    }
#endif
    vksortGetGenericDeviceInfo(&device);
    desc.keyType = VKSORT_KEY_F32;
    desc.valueSize = 4;
    desc.maxCount = 1000000;
    if (vksortDescribePlan(&device, &desc, &info, NULL, 0) != VK_SUCCESS) {
        return 2;
    }
    printf("%s, %llu bytes of scratch\n", vksortAlgorithmName(info.algorithm), (unsigned long long)info.scratchSize);

    /* Links what works with a device, too. */
    contextInfo.messageCallback = on_message;
    contextInfo.messageUser = message;
    if (vksortCreateContext(&contextInfo, NULL, &context) == VK_SUCCESS || message[0] == 0) {
        return 3;
    }
    puts(message);
    return 0;
}
