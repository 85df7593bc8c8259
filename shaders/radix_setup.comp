#version 460
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
//
// First dispatch of a radix sort, one workgroup: reads the count, clears the digit bins and sizes the histogram.
#include "config.glsl"
#include "buffers.glsl"
#include "device/dispatch.glsl"
#include "device/begin_passes.glsl"
#include "device/clear_args.glsl"

void main() {
    if (!is_own_count()) {
        clear_args(kArgsWords);
        return;
    }
    clear_digit_bins();
    if (thread_index != 0) {
        return;
    }
    uint count = element_count();
    begin_control(count);
    args.histogram = dispatch_args(histogram_groups(count));
}
