// SPDX-License-Identifier: MIT
#include "key_traits.h"

namespace vksort {

namespace {

constexpr KeyTraits kKeyTraits[] = {
    {VKSORT_KEY_U32, "u32", 4, KeyClass::is_unsigned}, {VKSORT_KEY_I32, "i32", 4, KeyClass::is_signed},
    {VKSORT_KEY_F32, "f32", 4, KeyClass::is_float},    {VKSORT_KEY_U64, "u64", 8, KeyClass::is_unsigned},
    {VKSORT_KEY_I64, "i64", 8, KeyClass::is_signed},   {VKSORT_KEY_F64, "f64", 8, KeyClass::is_float},
    {VKSORT_KEY_U16, "u16", 2, KeyClass::is_unsigned}, {VKSORT_KEY_I16, "i16", 2, KeyClass::is_signed},
    {VKSORT_KEY_F16, "f16", 2, KeyClass::is_float},    {VKSORT_KEY_U8, "u8", 1, KeyClass::is_unsigned},
    {VKSORT_KEY_I8, "i8", 1, KeyClass::is_signed},
};

} // namespace

const KeyTraits* key_traits(VksortKeyType type) {
    for (const KeyTraits& traits : kKeyTraits) {
        if (traits.type == type) {
            return &traits;
        }
    }
    return nullptr;
}

KeyInversion key_inversion(VksortKeyType type, bool descending) {
    KeyInversion inversion;
    const KeyClass keyClass = key_traits(type)->keyClass;
    if (keyClass != KeyClass::is_unsigned) {
        inversion.high = 0x80000000u;
    }
    if (keyClass == KeyClass::is_float) {
        inversion.negativeHigh = 0x7FFFFFFFu;
        inversion.negativeLow = 0xFFFFFFFFu;
    }
    if (descending) {
        inversion.low = ~inversion.low;
        inversion.high = ~inversion.high;
    }
    if (vksortKeySize(type) < 8) { // there is no low word, or it is an index, which stays as it is
        inversion.low = 0;
        inversion.negativeLow = 0;
    }
    return inversion;
}

} // namespace vksort

extern "C" {

VKSORT_API const char* vksortKeyTypeName(VksortKeyType type) {
    const vksort::KeyTraits* traits = vksort::key_traits(type);
    return traits != nullptr ? traits->name : nullptr;
}

VKSORT_API uint32_t vksortKeySize(VksortKeyType type) {
    const vksort::KeyTraits* traits = vksort::key_traits(type);
    return traits != nullptr ? traits->size : 0;
}

VKSORT_API const char* vksortAlgorithmName(VksortAlgorithm algorithm) {
    switch (algorithm) {
    case VKSORT_ALGORITHM_AUTO: return "auto";
    case VKSORT_ALGORITHM_ONE_WORKGROUP: return "one_workgroup";
    case VKSORT_ALGORITHM_ONESWEEP: return "onesweep";
    case VKSORT_ALGORITHM_REDUCE_SCAN: return "reduce_scan";
    case VKSORT_ALGORITHM_MERGE: return "merge";
    case VKSORT_ALGORITHM_LOCALITY: return "locality";
    case VKSORT_ALGORITHM_SEGMENTED: return "segmented";
    case VKSORT_ALGORITHM_SIZE_CLASSES: return "size_classes";
    case VKSORT_ALGORITHM_MSD: return "msd";
    case VKSORT_ALGORITHM_SAMPLE_SORT: return "sample_sort";
    case VKSORT_ALGORITHM_BUCKET_SORT: return "bucket_sort";
    default: return nullptr;
    }
}

} // extern "C"
