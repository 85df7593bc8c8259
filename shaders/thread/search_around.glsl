// SPDX-License-Identifier: MIT
//
// Where something begins, searched for around a guess: IS_BEFORE(i) holds for what comes before it. Narrows [low, high], in
// which it is known to be, low < high, by looking at `at`, and then `stride` further and further, `growth` times as far each
// time. After Bentley and Yao, "An almost optimal algorithm for unbounded searching", 1976. Changes stride.
#define SEARCH_AROUND(low, high, at, stride, growth, IS_BEFORE)               \
    if (IS_BEFORE(at)) {                                                      \
        low = at + 1;                                                         \
        while (stride < high - low && IS_BEFORE(low + stride)) {              \
            low += stride + 1;                                                \
            stride *= growth;                                                 \
        }                                                                     \
        high = low + min(stride, high - low);                                 \
    } else {                                                                  \
        high = at;                                                            \
        while (stride < high - low && !IS_BEFORE(high - 1 - stride)) {        \
            high -= stride + 1;                                               \
            stride *= growth;                                                 \
        }                                                                     \
        low = high - min(stride, high - low);                                 \
    }
