/* SPDX-License-Identifier: MIT */
/* The header is C, and so is what vksort_add_comparator declares. */
#include <vksort/vksort_compiler.h>

#include "by_magnitude.h"

uint32_t c_key_words(void);

uint32_t c_key_words(void) {
    VksortCompileComparatorInfo info = {0};
    VksortCompiledComparator compiled;
    VksortComparatorInfo comparator = {0};
    info.pSource = "bool before(Key a, Key b) { return a.words[0] < b.words[0]; }";
    info.keyWords = by_magnitude.keyWords;
    if (vksortCompileComparator(&info, &compiled, NULL, 0) == VK_SUCCESS) {
        vksortGetCompiledComparatorInfo(compiled, &comparator);
        vksortDestroyCompiledComparator(compiled);
    }
    return comparator.keyWords;
}
