// SPDX-License-Identifier: MIT
#include <vksort/vksort.hpp>

extern "C" int use_wrapper() {
    vksort::Context context;
    vksort::Plan plan;
    VksortPlanDesc desc = vksort::sort_pairs<float, uint32_t>(1000);
    return !context && !plan && desc.keyType == VKSORT_KEY_F32 && desc.valueSize == 4 ? 0 : 1;
}
